// All Markdown pages below a folder, and what in them leads nowhere.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cudalabs::test {

/// Files below `root` that belong to the project, relative to it and sorted: no build folders, nothing that is hidden
/// or fetched.
std::vector<std::filesystem::path> project_files(const std::filesystem::path& root);

/// "page.md:12: what is wrong", for each relative link to a file that is not there, and each anchor that no heading
/// has.
std::vector<std::string> dead_links(const std::filesystem::path& root);

/// The same for each file that stands in a code span and is not there: a path from the top ("grader/cli/main.cpp"), or
/// from `grader/`; and on pages that are not about students' own files a name alone ("main.cpp"). `*` stands for any
/// part of a name, and so do LAB and labN_slug.
std::vector<std::string> missing_files(const std::filesystem::path& root);

}  // namespace cudalabs::test
