// When the files of a clone were last changed, by its commits.
#pragma once

#include <filesystem>

#include "course/source_tree.h"

namespace cudalabs::course {

/// Finds `commit_time` of the sources in `tree`, which was read from `folder`. A file that is not what the clone's
/// current commit holds gets none, nor does one whose history cannot be read.
///
/// A clone may be hostile. Its commits are read by libgit2, which starts no program: no hook, filter, helper or
/// transport of the clone's is run. That happens in a process of its own, which may open nothing outside of the clone's
/// `.git` where the kernel can refuse it (Landlock), and ends after some seconds.
void add_commit_times(SourceTree& tree, const std::filesystem::path& folder);

}  // namespace cudalabs::course
