// Conditions and subscripts are compared as text.
#include "explain/values/dropped_rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "check/case_name.h"
#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; of a person there are fewer, and shorter ones.
constexpr std::size_t kMostFarConditions = 128, kLongestFarBody = 2000, kLongestFarTerm = 200, kMostFarReads = 32;

/// "second" and "n" of "second < n" and "n > second"; `leaves`: of "second >= n".
struct FarCompared {
  std::string far, end, text;
};

std::optional<FarCompared> compared_in(std::string_view part, bool leaves) {
  const std::size_t sign = part.find_first_of("<>");
  if (sign == kNowhere || part.size() > kLongestFarTerm || part.find_first_of("<>", sign + 1) != kNowhere ||
      part.find_first_of("?|=!", 0) < sign)
    return std::nullopt;
  const bool with_end = sign + 1 < part.size() && part[sign + 1] == '=';
  // Outside is `far >= end`, inside `far < end`: others are about another place, by one.
  if (with_end != leaves) return std::nullopt;
  std::string left = without_blanks(part.substr(0, sign));
  std::string right = without_blanks(part.substr(sign + (with_end ? 2 : 1)));
  if (left.empty() || right.empty()) return std::nullopt;
  const bool upwards = (part[sign] == '<') != leaves;
  FarCompared found{upwards ? left : right, upwards ? right : left, std::string(without_outer_spaces(part))};
  return found;
}

/// "first + THREADS" of "long long second = first + THREADS;", the last before `line`; without blanks.
std::string value_of_name(std::string_view code, const std::vector<std::string_view>& lines, std::uint32_t line,
                          std::string_view name) {
  if (!is_identifier(name)) return {};
  for (std::size_t i = line - 1, tried = 0; i-- > 0 && !lines[i].starts_with('}') && tried < kMostFarReads; ++tried) {
    const auto begin = static_cast<std::size_t>(lines[i].data() - code.data());
    std::string value;
    for_each_name(lines[i].substr(0, 2 * kLongestFarTerm), [&](std::size_t at, std::string_view word) {
      const std::size_t sign = past_spaces(code, begin + at + word.size());
      if (word != name || sign >= code.size() || code[sign] != '=' || code.substr(sign).starts_with("==")) return;
      const std::string_view rest = code.substr(sign + 1, kLongestFarTerm);
      const auto items = items_of(rest.substr(0, rest.find(';')));
      if (!items.empty()) value = without_blanks(items.front());
    });
    if (!value.empty()) return value;
  }
  return {};
}

/// "first+THREADS", and "THREADS+first", lie behind "first".
bool is_sum_with(std::string_view value, std::string_view near) {
  if (near.empty() || value.size() <= near.size() + 1) return false;
  // "a*b+first" is a sum; in "(first+1)%n" the end is no part of one.
  if (value.starts_with(near) && value[near.size()] == '+')
    return value.find_first_of("%/?<>&|", near.size()) == kNowhere;
  return value.ends_with(near) && value[value.size() - near.size() - 1] == '+' &&
         value.find_first_of("%/?<>&|-") == kNowhere;
}

/// Arrays that are read with a subscript in the text, which begins at `begin` of the code.
struct ElementRead {
  std::string_view array;
  std::string subscript;
  std::size_t place = 0;
};

std::vector<ElementRead> element_reads_in(std::string_view code, std::size_t begin, std::size_t end) {
  std::vector<ElementRead> reads;
  const std::string_view text = code.substr(begin, std::min(end - begin, kLongestFarBody));
  for_each_name(text, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(text, at + word.size());
    if (reads.size() >= kMostFarReads || open >= text.size() || text[open] != '[') return;
    const std::size_t past = past_bracket(text.substr(0, open + kLongestFarTerm), open);
    if (past == kNowhere || begins_assignment(text.substr(past_spaces(text, past)))) return;
    reads.push_back({word, without_blanks(text.substr(open + 1, past - open - 2)), begin + at});
  });
  return reads;
}

/// What a condition decides about: from `begin` to `end`.
struct Decided {
  std::size_t place = 0, begin = 0, end = 0;
  std::string_view condition;
  bool leaves = false;  // a thread goes on where it does not hold
};

class FarGuards {
 public:
  explicit FarGuards(std::string_view code) : code_(code), lines_(text_lines(code)) {}

  std::optional<FarGuard> only() {
    const std::vector<BodyPlace> bodies = body_places(code_);
    const std::vector<FunctionBody> functions = function_bodies(code_);
    std::size_t looked_at = 0;
    const auto may_look = [&](std::size_t place) { return bodies[place].device && looked_at++ < kMostFarConditions; };
    const auto look = [&](Decided decided, bool up_to_end) {
      const FunctionBody* const around = function_at(functions, decided.place);
      if (around == nullptr) return;
      if (up_to_end) decided.end = around->end;
      look_at(decided, *around);
    };
    for (const ConditionText& each : conditions_of(code_)) {
      if (each.end_of_body == kNowhere || each.end == kNowhere || !may_look(each.begin)) continue;
      const std::string_view body = code_.substr(each.body, each.end_of_body - each.body);
      const bool leaves = without_outer_spaces(body.substr(body.starts_with('{') ? 1 : 0)).starts_with("return");
      look({each.begin, each.body, each.end_of_body, each.condition}, false);
      if (each.end != each.end_of_body) {
        look({each.begin, each.end_of_body, each.end, each.condition, true}, false);
      } else if (leaves) {
        look({each.begin, each.end, each.end, each.condition, true}, true);
      }
    }
    for (std::size_t at = code_.find('?'); at != kNowhere; at = code_.find('?', at + 1)) {
      if (!may_look(at)) continue;
      const std::size_t colon = code_.substr(0, std::min(code_.size(), at + kLongestFarBody)).find_first_of(":;", at);
      const std::string_view before = code_.substr(at - std::min(at, kLongestFarTerm), std::min(at, kLongestFarTerm));
      const std::size_t open = before.find_last_of("=,;{}");
      if (colon == kNowhere || code_[colon] != ':' || open == kNowhere) continue;
      look({at, at + 1, colon, before.substr(open + 1)}, false);
    }
    return several_ ? std::nullopt : found_;
  }

 private:
  void look_at(const Decided& decided, const FunctionBody& function) {
    const std::uint32_t line = line_at(code_, decided.place);
    for (const std::string_view part : parts_of_condition(decided.condition, decided.leaves ? "||" : "&&")) {
      const auto compared = compared_in(part, decided.leaves);
      if (!compared) continue;
      const std::string value = value_of_name(code_, lines_, line, compared->far);
      for (const ElementRead& read : element_reads_in(code_, decided.begin, decided.end)) {
        if (!is_identifier(read.subscript) || read.subscript == compared->far) continue;
        const std::string of_near = value_of_name(code_, lines_, line, read.subscript);
        const bool behind = is_sum_with(compared->far, read.subscript) || is_sum_with(value, read.subscript) ||
                            is_sum_with(value, of_near);
        if (!behind || is_read_elsewhere(read, decided, function)) continue;
        several_ = several_ || (found_ && found_->line != line);
        const Setting where = setting_at_place(
            code_, static_cast<std::size_t>(part.data() - code_.data()) + past_spaces(part, 0), compared->far);
        if (!found_) {
          found_ = FarGuard{where.line,
                            where.column,
                            compared->text,
                            compared->end,
                            compared->far,
                            read.subscript,
                            fmt::format("{}[{}]", read.array, read.subscript)};
        }
        break;
      }
    }
  }

  bool is_read_elsewhere(const ElementRead& read, const Decided& decided, const FunctionBody& function) const {
    if (function.end - function.begin > 8 * kLongestFarBody) return true;
    bool elsewhere = false;
    for_each_name(
        code_.substr(function.begin, function.end - function.begin), [&](std::size_t at, std::string_view word) {
          const std::size_t place = function.begin + at, open = past_spaces(code_, place + word.size());
          if (elsewhere || word != read.array || (decided.begin <= place && place < decided.end)) return;
          if (open >= code_.size() || code_[open] != '[') return;
          const std::size_t past = past_bracket(code_.substr(0, open + kLongestFarTerm), open);
          elsewhere = past == kNowhere || without_blanks(code_.substr(open + 1, past - open - 2)) == read.subscript;
        });
    return elsewhere;
  }

  std::string_view code_;
  std::vector<std::string_view> lines_;
  std::optional<FarGuard> found_;
  bool several_ = false;
};

/// "the first 1024 of 1025 elements"
struct FirstOf {
  std::uint64_t first = 0, all = 0;
};

std::optional<FirstOf> first_of(const MergedFinding& finding) {
  const auto first = finding.numbers.find("first"), all = finding.numbers.find("n");
  if (first == finding.numbers.end() || all == finding.numbers.end() || first->second >= all->second)
    return std::nullopt;
  return FirstOf{static_cast<std::uint64_t>(first->second), static_cast<std::uint64_t>(all->second)};
}

/// Of the launch that takes the elements: it has one block more than made the sum, and all of these have as many.
std::optional<std::uint64_t> blocks_for_all(const MergedFinding& finding, const SubmissionRun& submission_run,
                                            const FirstOf& told) {
  for (const CaseRun& case_run : submission_run.case_runs) {
    const auto& launches = case_run.observed.launches;
    if (launches.empty() || case_run.before || case_run.test.spec.name != finding.shown) continue;
    for (const vgpu::LaunchCounters& launch : launches) {
      const Index3 &grid = launch.config.grid, &block = launch.config.block;
      const std::uint64_t blocks = std::uint64_t{grid[0]} * grid[1] * grid[2],
                          threads = std::uint64_t{block[0]} * block[1] * block[2];
      // With two blocks, "one less" and "half of what is needed" look the same.
      if (blocks < 3 || threads == 0 || told.first % (blocks - 1) != 0) continue;
      const std::uint64_t each = told.first / (blocks - 1);
      // Where it were rounded down, all blocks together would have made the sum.
      const bool rounded_down = told.first % blocks == 0 && told.first / blocks % threads == 0;
      if (each % threads == 0 && !rounded_down && told.all <= blocks * each) return blocks;
    }
  }
  return std::nullopt;
}

void show_far_guard(MergedFinding& finding, const FarGuard& guard, const std::string& file) {
  finding.where = {file, guard.line, guard.column};
  finding.kernel.clear();
  finding.other.reset();
  finding.help = fmt::format(
      "this condition also decides about `{0}`: where `{1}` is not below `{2}`, `{3}` may still be, and its element is "
      "left out; ask for each of them by itself, `{3} < {2}` for `{0}`",
      guard.read, guard.far, guard.end, guard.near);
}

}  // namespace

std::optional<FarGuard> only_far_guard(std::string_view code) {
  return FarGuards(code).only();
}

void show_dropped_rests(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                        const SubmissionRun& submission_run) {
  std::optional<std::optional<FarGuard>> guard;
  for (MergedFinding& finding : findings) {
    const bool of_blocks = finding.detector == "sum_of_whole_blocks";
    if (!of_blocks || (finding.where.known() && !finding.is_in_file(file))) continue;
    if (!guard) guard = only_far_guard(without_comments(source));
    const auto told = first_of(finding);
    if (*guard) {
      show_far_guard(finding, **guard, file);
    } else if (const auto blocks = told ? blocks_for_all(finding, submission_run, *told) : std::nullopt) {
      finding.help = Help::where_to_look(fmt::format(
          "what is left after the last whole block is missing, although the launch has a block for it, the last of {}: "
          "look at the condition around what a thread reads; each element needs one of its own, and no other element "
          "may decide about it",
          *blocks));
    }
  }
}

}  // namespace cudalabs
