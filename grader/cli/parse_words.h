// The words of a command that is a program of its own, through CLI11.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cudalabs {

/// False where help was asked for, which is printed then. Throws UsageError, which names `own_name --help`.
bool parse_words(CLI::App& app, const std::vector<std::string>& arguments, const std::string& own_name);

}  // namespace cudalabs
