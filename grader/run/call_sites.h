// Where in the student's host code an address lies, by addr2line in a sandbox: the program it reads is the student's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "vgpu/finding.h"

namespace cudalabs::runner {

/// Remembers what it was asked. Safe to use from several threads.
///
/// Profile: the cases of a grading ask for the same few calls. With an addr2line for each case, 14 of the 37 sandboxes
/// of a wrong lab 1 were for that, and 3 of 26 are now.
class SourceLines {
 public:
  /// One place an address (relative to the program's load address); unknown where it cannot be resolved. Starts no
  /// process for address 0, nor for those of the program that it was asked for before. A program is its path: it must
  /// not change in the meantime. Throws what the sandbox throws.
  std::vector<SourcePlace> places(const std::filesystem::path& program, std::span<const std::uint64_t> addresses);
  /// Of an address that `places` was asked for: where the function was called that its place is in, if the compiler has
  /// made that function part of its caller.
  SourcePlace inlined_call(const std::filesystem::path& program, std::uint64_t address);

 private:
  struct Known {
    SourcePlace place, inlined_call;
  };

  std::mutex mutex_;
  std::map<std::pair<std::filesystem::path, std::uint64_t>, Known> known_;
};

}  // namespace cudalabs::runner
