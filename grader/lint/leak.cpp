// Whether a text that students get gives the solution away.
#include "lint/leak.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include "text/code_text.h"

namespace cudalabs::lint {
namespace {

struct Line {
  std::string text;    // as written
  std::string packed;  // without white space, marks of a comment at its beginning, and a comment at its end
};

std::string packed(std::string line) {
  std::erase_if(line, [](unsigned char c) { return std::isspace(c) != 0; });
  const std::size_t first = line.find_first_not_of("/*");
  if (first == std::string::npos) return {};
  line.erase(0, first);
  return line.substr(0, line.find("//"));
}

/// "}" and "}else{" are the same in any two programs.
bool says_something(const std::string& packed_line) {
  constexpr std::ptrdiff_t kFewest = 8;
  return std::ranges::count_if(packed_line, [](unsigned char c) { return std::isalnum(c) != 0; }) >= kFewest;
}

std::vector<Line> telling_lines(const std::string& text) {
  std::vector<Line> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    Line entry{line, packed(line)};
    if (says_something(entry.packed)) lines.push_back(std::move(entry));
  }
  return lines;
}

}  // namespace

std::vector<std::string> leaks(const std::string& solution, const std::string& skeleton, const std::string& released,
                               std::size_t fewest) {
  std::set<std::string> known;
  for (const Line& line : telling_lines(without_comments(skeleton))) known.insert(line.packed);
  std::vector<Line> secret = telling_lines(without_comments(solution));
  std::erase_if(secret, [&](const Line& line) { return known.contains(line.packed); });
  const std::vector<Line> shown = telling_lines(released);
  std::vector<std::string> found;
  const auto same = [](const Line& a, const Line& b) { return a.packed == b.packed; };
  for (std::size_t i = 0; i + fewest <= secret.size(); ++i) {
    const auto passage = std::ranges::subrange(secret.begin() + static_cast<std::ptrdiff_t>(i),
                                               secret.begin() + static_cast<std::ptrdiff_t>(i + fewest));
    if (!std::ranges::search(shown, passage, same).empty()) found.push_back(secret[i].text);
  }
  return found;
}

}  // namespace cudalabs::lint
