// Where this build's sources and products lie. For tests, benchmarks and the slides' tools: what is installed finds its
// files in other ways.
#pragma once

#include <string>
#include <string_view>

namespace cudalabs {

/// The absolute path of `below`, a file or folder of the repository such as "solutions/README.md"; empty: the
/// repository.
std::string source_path(std::string_view below = {});

/// The same for the build folder: "grade" is the program.
std::string build_path(std::string_view below = {});

}  // namespace cudalabs
