// The words of a command that is a program of its own, through CLI11.
#include "cli/parse_words.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/usage_error.h"

namespace cudalabs {

bool parse_words(CLI::App& app, const std::vector<std::string>& arguments, const std::string& own_name) {
  std::vector<std::string> words(arguments.rbegin(), arguments.rend());  // as CLI11 takes them
  try {
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}; {} --help says more", error.what(), own_name));
  }
  return true;
}

}  // namespace cudalabs
