// What was handed in, as files in memory: read from a folder or an archive, archives in it unpacked like folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cudalabs::course {

struct TreeFile {
  std::vector<std::string> path;  // below the top
  std::string bytes;              // of files that could be submissions, or say whose they are; else empty
  bool kept = false;              // whether `bytes` holds them
  /// Of the outermost file it came in, in seconds since 1970: what is inside of an archive the student can set.
  std::optional<std::int64_t> time;
  std::optional<std::int64_t> commit_time = {};  // of the clone's last commit that changed it, see commit_times.h
};

/// What was not taken, and why.
struct Refused {
  std::vector<std::string> path;
  std::string reason;
};

struct SourceTree {
  std::vector<TreeFile> files;
  std::vector<Refused> refused;
  std::vector<std::vector<std::string>> clones;  // folders that are git's
};

/// How much one class may hand in. What is over a limit within an archive of a student's costs only that archive.
struct TreeLimits {
  std::uint64_t entries = 200'000;           // files and folders in all
  std::uint64_t entries_of_archive = 5'000;  // in an archive within the outermost
  std::uint64_t bytes = 16ull << 30;         // unpacked in all
  std::uint64_t bytes_of_archive = 256ull << 20;
  std::uint64_t kept_bytes = 1ull << 30;
  std::uint64_t packed_bytes = 64ull << 20;  // of an archive within the outermost
  /// More unpacked than this many times the archive's size means harm; real text is packed to a third or a tenth.
  std::uint64_t ratio = 200;
  std::uint64_t ratio_free_bytes = 8ull << 20;  // that are not held to the ratio
  unsigned nested = 3;                          // archives within archives, the outermost included
};

class TreeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads the folder or archive (zip; tar, plain or compressed by gzip, bzip2, xz or zstd) at `path`. Links are never
/// followed, devices never opened: both are refused, as are paths that lead elsewhere, and archives that are damaged,
/// encrypted or over a limit. Throws TreeError when `path` itself is none of these or over a limit.
SourceTree read_source_tree(const std::filesystem::path& path, const TreeLimits& limits = {});

}  // namespace cudalabs::course
