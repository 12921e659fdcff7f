#include "source/own_memory.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "source/function_text.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A longer list of arguments is not read: a text may be made to be long to read.
constexpr std::size_t kLongestList = 400;

/// "a, b" of the "(a, b)" behind `at`; empty where there is none.
std::string_view list_behind(std::string_view code, std::size_t at) {
  const std::size_t open = past_spaces(code, at);
  if (open >= code.size() || code[open] != '(') return {};
  const std::size_t length = code.substr(open, kLongestList).find(')');
  return length == kNowhere ? std::string_view() : code.substr(open + 1, length - 1);
}

bool has_item(std::string_view list, std::string_view item) {
  const std::vector<std::string_view> items = items_of(list);
  return std::ranges::find(items, item) != items.end();
}

/// "= d_out", and not "= nullptr": behind a name that ends at `end`.
bool gives_address(std::string_view code, std::size_t end) {
  const std::size_t sign = past_spaces(code, end);
  if (sign + 1 >= code.size() || code[sign] != '=' || code[sign + 1] == '=') return false;
  const std::string_view value = without_outer_spaces(value_at(code, sign + 1));
  return value != "nullptr" && value != "NULL" && value != "0";
}

/// "p", "buffers[0]" and "s.data", as a whole.
bool is_at(std::string_view code, std::size_t at, std::string_view pointer) {
  if (!code.substr(at).starts_with(pointer)) return false;
  const std::size_t end = at + pointer.size();
  return !is_word_letter(pointer.back()) || end == code.size() || !is_word_letter(code[end]);
}

}  // namespace

bool has_own_memory(std::string_view code, std::uint32_t line, std::string_view release, std::string_view pointer) {
  const auto function = function_around_line(code, line);
  const std::size_t allocation = place_of_line(code, line, 0);
  if (!function || allocation == kNowhere || pointer.empty()) return false;
  const auto is_pointer = [&](const std::string& parameter) { return parameter_name(parameter) == pointer; };
  if (std::ranges::any_of(function->parameters, is_pointer)) return false;
  const std::vector<LoopText> loops = loops_of(code);
  const LoopText* const loop = innermost_loop(loops, allocation);
  bool own = true, freed_in_loop = loop == nullptr || loop->begin < function->begin;
  for_each_name(code.substr(function->begin, function->end - function->begin),
                [&](std::size_t at, std::string_view name) {
                  at += function->begin;
                  if (is_at(code, at, pointer) && gives_address(code, at + pointer.size())) own = false;
                  if (name == "swap" && has_item(list_behind(code, at + name.size()), pointer)) own = false;
                  if (freed_in_loop || name != release || at < loop->body || at >= loop->end) return;
                  freed_in_loop = has_item(list_behind(code, at + name.size()), pointer);
                });
  return own && freed_in_loop;
}

}  // namespace cudalabs
