// A fresh folder on disk that is a job's root where there is no bubblewrap to make one in memory.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sandbox/sandbox.h"

namespace cudalabs::sandbox {

/// Holds copies of the job's files (read-only) and an empty `tmp/`; removed, with all that was left in it, on
/// destruction. Processes that are still in it are killed before.
class JobFolder {
 public:
  /// `user`: who owns `tmp/`; -1: the caller. Throws on failure.
  JobFolder(const Job& job, int user);
  ~JobFolder();
  JobFolder(const JobFolder&) = delete;
  JobFolder& operator=(const JobFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// What the files in `tmp/` take on the disk, or what could be seen of them.
  std::uint64_t scratch_bytes() const;

 private:
  JobFolder();  // makes the empty folder: from then on the destructor removes it, whatever else throws
  std::filesystem::path path_;
};

}  // namespace cudalabs::sandbox
