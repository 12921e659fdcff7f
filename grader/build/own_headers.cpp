#include "build/own_headers.h"

#include <algorithm>
#include <array>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace builder {
namespace {

constexpr std::size_t kMostHeaders = 32;

bool is_name_of_header(std::string_view name) {
  const auto fits = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '_' || letter == '.' || letter == '/';
  };
  return !name.empty() && name.front() != '.' && name.front() != '/' && std::ranges::all_of(name, fits);
}

}  // namespace

std::vector<std::string> leading_includes(std::string_view text) {
  std::vector<std::string> names;
  const std::string code = without_comments(text);
  for (const std::string_view whole : text_lines(code)) {
    std::string_view line = without_outer_spaces(whole);
    if (line.empty()) continue;
    if (line.front() != '#') break;
    line = without_outer_spaces(line.substr(1));
    if (!line.starts_with("include")) break;
    line = without_outer_spaces(line.substr(std::string_view("include").size()));
    if (line.size() > 2 && line.front() == '"' && line.back() == '"') continue;
    if (line.size() < 3 || line.front() != '<' || line.back() != '>') break;
    const std::string_view name = line.substr(1, line.size() - 2);
    if (!is_name_of_header(name) || names.size() == kMostHeaders) return {};
    names.emplace_back(name);
  }
  return names;
}

bool are_long_to_read(const std::vector<std::string>& headers) {
  // Measured with those of GCC 12: each takes a tenth of a second or more of both passes; all others a few hundredths.
  constexpr std::array<std::string_view, 22> kLong{
      "algorithm", "complex", "deque",  "fstream",       "functional", "future", "iomanip", "iostream",
      "list",      "map",     "memory", "numeric",       "random",     "ranges", "regex",   "set",
      "sstream",   "string",  "thread", "unordered_map", "valarray",   "vector"};
  return std::ranges::any_of(headers,
                             [&](const std::string& name) { return std::ranges::find(kLong, name) != kLong.end(); });
}

}  // namespace builder

bool OwnHeaders::add(builder::Inputs& inputs, const builder::Recipe& recipe, std::string_view text,
                     sandbox::Budget* budget) {
  if (recipe.kind != BuildKind::checked) return false;
  std::vector<std::string> names = builder::leading_includes(text);
  if (!builder::are_long_to_read(names)) return false;
  {
    const std::lock_guard lock(mutex_);
    if (!names_) {
      names_ = names;
      builder::Recipe own = recipe;
      own.own_headers = std::move(names);
      headers_ = builder::compiled_headers(inputs, own, budget);
    } else if (*names_ != names) {
      return false;
    }
  }
  if (!headers_) return false;
  builder::add_headers(inputs, *headers_);
  return true;
}

}  // namespace cudalabs
