#include "source/function_head.h"

#include <algorithm>
#include <array>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// More is not read: a text may be made to be long to read.
constexpr std::size_t kLongestBeforeName = 400, kLongestOfParameters = 1000;

/// Words that say something of a function, and nothing of what it returns.
bool is_of_function(std::string_view word) {
  constexpr std::array<std::string_view, 11> kWords{"static",     "inline",          "constexpr",   "extern",
                                                    "virtual",    "friend",          "__device__",  "__host__",
                                                    "__global__", "__forceinline__", "__noinline__"};
  return std::ranges::find(kWords, word) != kWords.end();
}

/// The bracket that opens the parameters of a body; kNowhere: not known.
std::size_t parameters_before(std::string_view code, std::size_t body) {
  int depth = 0;
  const std::size_t last = body > kLongestOfParameters ? body - kLongestOfParameters : 0;
  for (std::size_t at = body; at-- > last;) {
    depth += code[at] == ')' ? 1 : code[at] == '(' ? -1 : 0;
    if (code[at] == '(' && depth == 0) return at;
    if (depth == 0 && (code[at] == ';' || code[at] == '}')) break;
  }
  return kNowhere;
}

/// Past the `#define` whose text has the place, on however many lines; the place itself where none has it.
std::size_t past_macro(std::string_view code, std::size_t place) {
  constexpr std::size_t kMostLines = 64;
  const auto begin_of_line = [&](std::size_t at) {
    const std::size_t newline = at == 0 ? kNowhere : code.rfind('\n', at - 1);
    return newline == kNowhere ? 0 : newline + 1;
  };
  std::size_t line = begin_of_line(place);
  for (std::size_t i = 0; i < kMostLines && line > 1 && code[line - 2] == '\\'; ++i) line = begin_of_line(line - 1);
  if (!code.substr(past_spaces(code, line)).starts_with('#')) return place;
  std::size_t newline = code.find('\n', place);
  while (newline != kNowhere && newline > 0 && code[newline - 1] == '\\') newline = code.find('\n', newline + 1);
  return std::min(newline, code.size());
}

/// Where the text of a declaration begins that goes on up to `end`.
std::size_t begin_of_head(std::string_view code, std::size_t end) {
  const std::size_t least = end > kLongestBeforeName ? end - kLongestBeforeName : 0;
  std::size_t begin = code.substr(0, end).find_last_of(";{}");
  begin = begin == kNowhere ? 0 : past_macro(code, begin + 1);
  if (begin < least) return kNowhere;
  // Lines of the preprocessor and "public:" end there, too.
  for (std::size_t at = begin; at < end; ++at) {
    if (code[at] == '#') {
      const std::size_t line = code.find('\n', at);
      if (line == kNowhere || line >= end) return kNowhere;
      begin = at = line;
    } else if (code[at] == ':' && at > begin && code[at - 1] != ':' && at + 1 < end && code[at + 1] != ':') {
      begin = at + 1;
    }
  }
  return past_spaces(code, begin);
}

/// "T" of "typename T", "class T" and "typename T = float"; "N" of "int N".
void add_template_parameters(std::string_view list, FunctionHead& head) {
  for (const std::string_view item : items_of(list)) {
    const std::string_view word = item.substr(0, end_of_word(item, 0));
    std::string name = parameter_name(item);
    if (name.empty() || word == "template") continue;
    (word == "typename" || word == "class" ? head.type_names : head.value_names).push_back(std::move(name));
  }
}

/// Past "static", "__launch_bounds__(256)", "[[nodiscard]]" and the like.
std::size_t past_words_of_function(std::string_view code, std::size_t at, std::size_t end) {
  while (at < end) {
    std::size_t next = end_of_word(code, at);
    const std::string_view word = code.substr(at, next - at);
    if (word == "__launch_bounds__") {
      next = past_bracket(code.substr(0, end), past_spaces(code, next));
      if (next == kNowhere) return kNowhere;
    } else if (code.substr(at).starts_with("[[")) {
      next = code.find("]]", at);
      if (next == kNowhere || next >= end) return kNowhere;
      next += 2;
    } else if (!is_of_function(word)) {
      return at;
    }
    at = past_spaces(code, next);
  }
  return at;
}

/// "T" of "T __device__" and "void __launch_bounds__(256)".
std::string_view without_last_words(std::string_view result) {
  result = result.substr(0, result.find("__launch_bounds__"));
  for (std::string_view word = word_before(result, result.size()); is_of_function(word);
       word = word_before(result, result.size()))
    result = result.substr(0, static_cast<std::size_t>(word.data() - result.data()));
  return result;
}

std::string with_single_spaces(std::string_view text) {
  std::string single;
  for (const char letter : text) {
    const bool space = letter == ' ' || letter == '\t' || letter == '\n';
    if (!space)
      single += letter;
    else if (!single.empty() && single.back() != ' ')
      single += ' ';
  }
  while (single.ends_with(' ')) single.pop_back();
  return single;
}

}  // namespace

std::optional<FunctionHead> head_of(std::string_view code, const FunctionBody& function) {
  const std::size_t open = parameters_before(code, std::min(function.begin, code.size()));
  const std::size_t last = open == kNowhere ? kNowhere : before_spaces(code, open);
  if (last == kNowhere) return std::nullopt;
  const std::string_view name = word_before(code, open);
  if (name != function.name) return std::nullopt;
  FunctionHead head;
  head.name = last + 1 - name.size();
  std::size_t end = head.name;
  while (end > 1 && code.substr(end - 2, 2) == "::") {  // "Planner::plan"
    const std::string_view scope = word_before(code, end - 2);
    if (scope.empty()) break;
    end = static_cast<std::size_t>(scope.data() - code.data());
  }
  std::size_t begin = begin_of_head(code, end);
  constexpr std::string_view kTemplate = "template";
  while (begin < end && code.substr(begin, end_of_word(code, begin) - begin) == kTemplate) {
    const std::size_t list = past_spaces(code, begin + kTemplate.size());
    const std::size_t close = list < end ? past_bracket(code.substr(0, end), list) : kNowhere;
    if (close == kNowhere) return std::nullopt;
    add_template_parameters(code.substr(list + 1, close - list - 2), head);
    begin = past_spaces(code, close);
  }
  begin = begin < end ? past_words_of_function(code, begin, end) : kNowhere;
  if (begin == kNowhere || begin >= end) return std::nullopt;
  head.result = with_single_spaces(without_last_words(code.substr(begin, end - begin)));
  const std::size_t line_begin = code.rfind('\n', begin);
  head.line = line_at(code, begin);
  head.column = static_cast<std::uint32_t>(line_begin == kNowhere ? begin + 1 : begin - line_begin);
  return head.result.empty() ? std::nullopt : std::optional(std::move(head));
}

}  // namespace cudalabs
