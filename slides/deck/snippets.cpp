// Replaces the body of quoted code blocks in a deck.
#include <sstream>

#include "deck/deck.h"

namespace cudalabs::deck {
namespace {

constexpr std::string_view kOpen = "<!-- snippet: ";
constexpr std::string_view kClose = " -->";

struct Quote {
  std::string path, region;
};

Quote parse_quote(std::string_view line, std::size_t number) {
  const std::string_view inside = line.substr(kOpen.size(), line.size() - kOpen.size() - kClose.size());
  const std::size_t space = inside.find(' ');
  if (space == std::string_view::npos || space == 0 || space + 1 == inside.size()) {
    throw DeckError("line " + std::to_string(number) + ": expected `<!-- snippet: PATH REGION -->`");
  }
  return {std::string(inside.substr(0, space)), std::string(inside.substr(space + 1))};
}

}  // namespace

std::string with_snippets(std::string_view markdown, const ReadFile& read) {
  std::istringstream stream{std::string(markdown)};
  std::string result;
  std::size_t number = 0;
  const auto next = [&](std::string& line) {
    ++number;
    return static_cast<bool>(std::getline(stream, line));
  };
  for (std::string line; next(line);) {
    result += line + '\n';
    if (!line.starts_with(kOpen) || !line.ends_with(kClose)) continue;
    const std::size_t quote_line = number;
    const auto fail = [&](const std::string& why) {
      throw DeckError("line " + std::to_string(quote_line) + ": " + why);
    };
    const Quote quote = parse_quote(line, number);
    if (!next(line) || !line.starts_with("```")) fail("a snippet comment stands right above its code block");
    result += line + '\n';
    try {
      result += region(read(quote.path), quote.region);
    } catch (const std::runtime_error& error) {
      fail(quote.path + ": " + error.what());
    }
    bool closed = false;
    while (!closed && next(line)) closed = line == "```";
    if (!closed) fail("the code block has no end");
    result += "```\n";
  }
  return result;
}

std::string without_snippet_comments(std::string_view markdown) {
  std::istringstream stream{std::string(markdown)};
  std::string result;
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(kOpen) || !line.ends_with(kClose)) result += line + '\n';
  }
  return result;
}

std::size_t slide_count(std::string_view markdown) {
  std::istringstream stream{std::string(markdown)};
  std::size_t separators = 0;
  bool in_code = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```")) in_code = !in_code;
    if (!in_code && line == "---") ++separators;
  }
  // Front matter has two of the separators; the slide after it needs none.
  return markdown.starts_with("---\n") ? separators - 1 : separators + 1;
}

}  // namespace cudalabs::deck
