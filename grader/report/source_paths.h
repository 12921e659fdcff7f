// Where the files of a report lie in the repository they belong to: what tools that show findings at lines ask for.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace cudalabs {

/// From a file's name in findings to its path from the top of the repository, with `/`. A file that is not in it, such
/// as one that a submission names in a `#line` directive, lies nowhere: its findings belong to the submission as a
/// whole.
using SourcePaths = std::map<std::string, std::string, std::less<>>;

/// A path as a URI reference: what is not plain in one is written as %XX.
std::string uri_of(std::string_view path);

}  // namespace cudalabs
