// `deck check FILE…` fails when a quoted code block is stale, `deck write FILE…` renews it, `deck bundle IN OUT` writes
// the deck with its pictures inside, ready for the slide tool, `deck count FILE` says how many slides it has.
#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string_view>

#include "deck/deck.h"
#include "tree/tree_paths.h"

namespace cudalabs::deck {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string renewed(const fs::path& path) {
  return with_snippets(read_text(path),
                       [](const std::string& quoted) { return read_text(fs::path(source_path()) / quoted); });
}

int run(const std::vector<std::string_view>& arguments) {
  if (arguments.size() == 3 && arguments[0] == "bundle") {
    const fs::path source(arguments[1]);
    std::ofstream(fs::path(arguments[2]), std::ios::binary)
        << with_pictures(without_snippet_comments(renewed(source)), source.parent_path());
    return 0;
  }
  if (arguments.size() == 2 && arguments[0] == "count") {
    fmt::print("{}\n", slide_count(read_text(fs::path(arguments[1]))));
    return 0;
  }
  if (arguments.size() < 2 || (arguments[0] != "check" && arguments[0] != "write")) {
    fmt::print(stderr, "usage: deck check|write FILE...\n       deck bundle IN OUT\n       deck count FILE\n");
    return 2;
  }
  int stale = 0;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const fs::path path(arguments[i]);
    try {
      const std::string text = renewed(path);
      with_pictures(text, path.parent_path());
      if (arguments[0] == "write") {
        std::ofstream(path, std::ios::binary) << text;
      } else if (text != read_text(path)) {
        fmt::print(stderr, "{}: quoted code is stale; run `make decks`\n", path.string());
        ++stale;
      }
    } catch (const DeckError& error) {
      fmt::print(stderr, "{}: {}\n", path.string(), error.what());
      ++stale;
    }
  }
  return stale == 0 ? 0 : 1;
}

}  // namespace
}  // namespace cudalabs::deck

int main(int argc, char** argv) {
  try {
    return cudalabs::deck::run(std::vector<std::string_view>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    fmt::print(stderr, "deck: {}\n", error.what());
    return 1;
  }
}
