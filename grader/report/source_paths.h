// Where the files of a report lie in the repository they belong to: what tools that show findings at lines ask for.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace cudalabs {

/// From a file's name in findings to its path from the top of the repository, with `/`, or to an absolute path outside
/// of it. A file without one, such as a file that a submission names in a `#line` directive, lies nowhere: its findings
/// belong to the submission as a whole.
using SourcePaths = std::map<std::string, std::string, std::less<>>;

/// The nearest folder at or above the one of `file` that holds a `.git`; else the file's own folder.
std::filesystem::path repository_of(const std::filesystem::path& file);

/// Gives the file that findings call `name` its path from `top`; nothing where it lies elsewhere.
void add_source_path(SourcePaths& paths, const std::string& name, const std::filesystem::path& file,
                     const std::filesystem::path& top);

/// A path as a URI reference: what is not plain in one is written as %XX.
std::string uri_of(std::string_view path);

}  // namespace cudalabs
