// Collects files for a SourceTree, whichever way they are found, and keeps the limits.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "course/source_tree.h"
#include "sandbox/fd.h"

namespace cudalabs::course {

/// What to do with a file, by its name alone.
enum class Interest { none, source, metadata, archive };
Interest interest_in(const std::vector<std::string>& path);
/// How much of such a file is read: of a source that is too long to be graded, just enough to see that.
std::uint64_t most_bytes(Interest interest, const TreeLimits& limits);

class TreeBuilder {
 public:
  explicit TreeBuilder(const TreeLimits& limits) : limits_(limits) {}

  const TreeLimits& limits() const { return limits_; }
  SourceTree& tree() { return tree_; }

  /// Counts a file or folder. Throws TreeError when there are too many.
  void count_entry();
  /// Counts bytes that were read or unpacked. Throws TreeError.
  void count_bytes(std::uint64_t bytes);
  /// A file of interest `source`, cut at the longest that is graded and one byte. Throws TreeError.
  void keep(TreeFile file);
  void refuse(std::vector<std::string> path, std::string reason);
  /// Where to go back to when an archive turns out to be no good in its middle.
  struct Mark {
    std::size_t files, refused;
    std::uint64_t kept;
  };
  Mark mark() const { return {tree_.files.size(), tree_.refused.size(), kept_}; }
  void go_back(const Mark& mark);
  /// Notes where a clone's .git is.
  void look_for_clone(const std::vector<std::string>& path);

 private:
  TreeLimits limits_;
  SourceTree tree_;
  std::uint64_t entries_ = 0, bytes_ = 0, kept_ = 0;
};

/// What an archive within the outermost has used of its limits, the archives in it together with it.
struct ArchiveUse {
  std::uint64_t bytes = 0, entries = 0;
};

/// Adds what is in the outermost archive. Throws TreeError when it is no good.
void add_archive(TreeBuilder& builder, const sandbox::Fd& file, std::uint64_t size);

/// Adds what is in an archive at `level` 2 or deeper below `prefix`, archives in it included. When it is no good or
/// over a limit, it is refused as a whole. `time`: of all its files.
void add_inner_archive(TreeBuilder& builder, std::string_view bytes, const std::vector<std::string>& prefix,
                       unsigned level, std::optional<std::int64_t> time, ArchiveUse& use);

/// Adds what is in the folder, which is open, below `prefix`.
void add_folder(TreeBuilder& builder, sandbox::Fd folder, const std::vector<std::string>& prefix);

}  // namespace cudalabs::course
