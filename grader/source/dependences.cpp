#include "source/dependences.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "text/code_scan.h"

namespace cudalabs {
namespace {

constexpr std::size_t kLongestAssigned = 400;  // what is longer is not read: a text may be made to be long to read

/// Up to the semicolon, comma or bracket that ends it.
std::string_view right_side(std::string_view code, std::size_t begin) {
  int depth = 0;
  std::size_t end = begin;
  for (; end < std::min(code.size(), begin + kLongestAssigned); ++end) {
    const char letter = code[end];
    const bool closes = letter == ')' || letter == ']' || letter == '}';
    if (depth == 0 && (closes || letter == ';' || letter == ',')) break;
    depth += letter == '(' || letter == '[' || letter == '{' ? 1 : closes ? -1 : 0;
  }
  return code.substr(begin, end - begin);
}

}  // namespace

Dependences::Dependences(std::string_view body) : body_(body) {
  for_each_name(body, [&](std::size_t at, std::string_view name) {
    const std::size_t sign = past_spaces(body, at + name.size());
    if (!begins_assignment(body.substr(std::min(sign, body.size()), 3))) return;
    std::set<std::string_view>& names = direct_[name];
    for_each_name(right_side(body, body.find('=', sign) + 1),
                  [&](std::size_t, std::string_view other) { names.insert(other); });
  });
}

void Dependences::add(std::string_view expression, std::set<std::string_view>& names) const {
  std::vector<std::string_view> open;
  const auto visit = [&](std::string_view name) {
    if (names.insert(name).second) open.push_back(name);
  };
  for_each_name(expression, [&](std::size_t, std::string_view name) { visit(name); });
  while (!open.empty()) {
    const auto known = direct_.find(open.back());
    open.pop_back();
    if (known == direct_.end()) continue;
    for (const std::string_view name : known->second) visit(name);
  }
}

std::set<std::string_view> Dependences::all_of(std::string_view expression) const {
  std::set<std::string_view> names;
  add(expression, names);
  return names;
}

std::set<std::string_view> Dependences::all_given_to(std::string_view function) const {
  std::set<std::string_view> names;
  for_each_name(body_, [&](std::size_t at, std::string_view name) {
    const std::size_t open = past_spaces(body_, at + name.size());
    if (name != function || open >= body_.size() || body_[open] != '(') return;
    const std::string_view call = body_.substr(open, kLongestAssigned);
    const std::size_t close = past_bracket(call, 0);
    if (close != kNowhere) add(call.substr(1, close - 2), names);
  });
  return names;
}

}  // namespace cudalabs
