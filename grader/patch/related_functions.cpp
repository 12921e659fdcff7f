#include "patch/related_functions.h"

#include <algorithm>
#include <map>
#include <utility>

#include "text/code_text.h"

#include "patch/patched_source.h"

namespace cudalabs::patch {
namespace {

struct NamedFunctions {
  std::size_t number = 0;  // of the first one
  std::size_t count = 0;
};
using FunctionsByName = std::map<std::string_view, NamedFunctions>;

FunctionsByName by_their_names(const std::vector<FunctionBody>& functions) {
  FunctionsByName by_name;
  for (std::size_t i = 0; i < functions.size(); ++i)
    ++by_name.try_emplace(functions[i].name, NamedFunctions{i, 0}).first->second.count;
  return by_name;
}

/// The functions that the lines of the preprocessor name.
std::set<std::size_t> named_by_macros(std::string_view code, const FunctionsByName& by_name) {
  const auto is_of_name = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '_';
  };
  std::set<std::size_t> numbers;
  bool goes_on = false;
  for (const std::string_view line : text_lines(code)) {
    const std::size_t first = line.find_first_not_of(" \t");
    const bool is_directive = goes_on || (first != std::string_view::npos && line[first] == '#');
    goes_on = is_directive && line.ends_with('\\');
    for (std::size_t at = 0; is_directive && at < line.size();) {
      std::size_t end = at;
      while (end < line.size() && is_of_name(line[end])) ++end;
      if (const auto named = by_name.find(line.substr(at, end - at)); end > at && named != by_name.end())
        numbers.insert(named->second.number);
      at = std::max(end, at + 1);
    }
  }
  return numbers;
}

}  // namespace

RelatedFunctions::RelatedFunctions(const PatchedSource& source, const std::vector<FunctionBody>& functions,
                                   const std::set<std::size_t>& seen_in)
    : functions_(functions), calls_(functions.size()), callers_(functions.size()) {
  const FunctionsByName by_name = by_their_names(functions_);
  Numbers seen;
  for (const FunctionBody& function : functions_) {
    number_.push_back(by_name.at(function.name).number);
    if (seen_in.empty() || seen_in.contains(function.begin)) seen.insert(number_.back());
  }
  find_calls(source);
  Numbers roots = closure(std::move(seen), callers_);
  roots.insert(called_from_anywhere_.begin(), called_from_anywhere_.end());
  related_ = closure(std::move(roots), calls_);
}

bool RelatedFunctions::has(std::size_t place) const {
  const std::size_t function = function_at(place);
  return function == functions_.size() || related_.contains(function);
}

std::size_t RelatedFunctions::function_at(std::size_t place) const {
  const auto behind = std::ranges::upper_bound(functions_, place, {}, &FunctionBody::begin);
  if (behind == functions_.begin()) return functions_.size();
  const auto around = std::prev(behind);
  if (place >= around->end) return functions_.size();
  return number_[static_cast<std::size_t>(around - functions_.begin())];
}

void RelatedFunctions::find_calls(const PatchedSource& source) {
  const FunctionsByName by_name = by_their_names(functions_);
  called_from_anywhere_ = named_by_macros(source.code, by_name);
  std::map<std::string_view, std::size_t> named_outside;  // once by each definition
  for (const Token& token : source.tokens) {
    const auto named = token.kind == TokenKind::name ? by_name.find(token.text) : by_name.end();
    if (named == by_name.end()) continue;
    const std::size_t called = named->second.number, within = function_at(token.begin);
    if (within != functions_.size()) {
      calls_[within].insert(called);
      callers_[called].insert(within);
    } else if (++named_outside[token.text] > named->second.count) {
      called_from_anywhere_.insert(called);
    }
  }
}

RelatedFunctions::Numbers RelatedFunctions::closure(Numbers from, const std::vector<Numbers>& to) const {
  std::vector<std::size_t> open(from.begin(), from.end());
  while (!open.empty()) {
    const std::size_t number = open.back();
    open.pop_back();
    for (const std::size_t next : to[number]) {
      if (from.insert(next).second) open.push_back(next);
    }
  }
  return from;
}

}  // namespace cudalabs::patch
