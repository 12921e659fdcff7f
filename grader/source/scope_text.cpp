// A name that is used in a block which is still open is known there, wherever around it is declared.
#include "source/scope_text.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// Brackets that are open at a place, the innermost last.
struct OpenBracket {
  std::size_t at = 0;
  char kind = '{';
};

/// Behind the statement whose head is in the round bracket at `open`.
std::size_t end_of_statement(std::string_view code, std::size_t open) {
  const std::size_t close = past_bracket(code, open);
  if (close == kNowhere) return code.size();
  const std::size_t body = past_spaces(code, close);
  const std::size_t end = body < code.size() && code[body] == '{' ? past_bracket(code, body) : code.find(';', close);
  return std::min(end, code.size());
}

bool begins_head(std::string_view code, const OpenBracket& bracket) {
  const std::string_view word = bracket.kind == '(' ? word_before(code, bracket.at) : std::string_view();
  return word == "for" || word == "while" || word == "if" || word == "switch";
}

/// The head of a loop or a condition around a place that has no block between: its bracket; kNowhere: there is none.
std::size_t head_around(std::string_view code, const std::vector<OpenBracket>& open) {
  for (auto bracket = open.rbegin(); bracket != open.rend() && bracket->kind == '('; ++bracket) {
    if (begins_head(code, *bracket)) return bracket->at;
  }
  return kNowhere;
}

}  // namespace

bool is_in_scope(std::string_view code, std::string_view name, std::uint32_t line) {
  const auto function = function_around_line(code, line);
  const std::vector<std::string_view> lines = text_lines(code);
  if (!function || line == 0 || line > lines.size()) return false;
  const auto has_name = [&](const std::string& parameter) { return parameter_name(parameter) == name; };
  if (std::ranges::any_of(function->parameters, has_name)) return true;
  const auto target = static_cast<std::size_t>(lines[line - 1].data() - code.data());
  constexpr std::size_t kMostHeads = 100;  // that are looked to the end of
  std::vector<OpenBracket> open;
  std::vector<std::size_t> blocks;    // of the occurrences that are in no head: the brace of the innermost block
  std::size_t heads = 0, single = 0;  // `single`: behind the statement that a head without braces has
  for (std::size_t at = function->begin; at < std::min(target, function->end);) {
    const char letter = code[at];
    if (letter == '{' || letter == '(') open.push_back({at, letter});
    if ((letter == '}' || letter == ')') && !open.empty()) {
      if (letter == '}') std::erase(blocks, open.back().at);
      const std::size_t next = past_spaces(code, at + 1);
      const bool without_block = begins_head(code, open.back()) && next < code.size() && code[next] != '{';
      if (without_block) single = std::max(single, std::min(code.find(';', next), code.size()));
      open.pop_back();
    }
    const std::size_t end = is_word_letter(letter) ? end_of_word(code, at) : at + 1;
    if (code.substr(at, end - at) == name && !is_member(code, at)) {
      const std::size_t head = head_around(code, open);
      if (head != kNowhere && ++heads <= kMostHeads && end_of_statement(code, head) > target) return true;
      const auto block =
          std::find_if(open.rbegin(), open.rend(), [](const OpenBracket& bracket) { return bracket.kind == '{'; });
      if (head == kNowhere && at >= single && block != open.rend() && (blocks.empty() || blocks.back() != block->at))
        blocks.push_back(block->at);
    }
    at = end;
  }
  return !blocks.empty();
}

}  // namespace cudalabs
