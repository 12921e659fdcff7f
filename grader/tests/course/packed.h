// Archives for tests, honest and hostile.
#pragma once

#include <ctime>
#include <string>
#include <vector>

namespace cudalabs::test {

struct PackedEntry {
  std::string name, bytes = {};
  std::string link_to = {};       // not empty: a symbolic link
  std::string hard_link_to = {};  // not empty: a hard link (tar alone)
  std::time_t time = 1'700'000'000;
};

enum class Packing { zip, tar, tar_gz, tar_xz, tar_zst };

/// The archive's bytes.
std::string packed(Packing packing, const std::vector<PackedEntry>& entries);

}  // namespace cudalabs::test
