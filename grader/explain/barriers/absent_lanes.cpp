// The device knows the line of the branch or the `return`; the text tells what kind of statement it is.
#include "explain/barriers/absent_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "source/condition_text.h"
#include "source/dependences.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/statement_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::string_view kUndefined = "what such a lane gives is undefined: ";

/// A shuffle, the only one of its line.
struct ShuffleText {
  bool adds = false;       // "v += __shfl_down_sync(…)", "v + __shfl_xor_sync(…)": what it gives is added up
  bool exchanges = false;  // with a lane a distance away, and not with one of any number
  std::string_view value;  // that lanes bring to it; empty: not known
  std::string_view function;
};

std::optional<ShuffleText> shuffle_in(std::string_view code, std::uint32_t line) {
  const std::string_view text = text_lines(code)[line - 1];
  const std::size_t at = text.find("__shfl_");
  if (at == kNowhere || text.find("__shfl_", at + 1) != kNowhere) return std::nullopt;
  ShuffleText shuffle;
  const std::string_view name = text.substr(at, end_of_word(text, at) - at);
  shuffle.exchanges = name != "__shfl_sync";
  const std::size_t before = before_spaces(text, at);
  shuffle.adds = before != kNowhere && (text[before] == '+' || (before > 0 && text.substr(before - 1, 2) == "+="));
  const std::size_t open = past_spaces(text, at + name.size());
  const std::size_t close = open < text.size() && text[open] == '(' ? past_bracket(text, open) : kNowhere;
  if (close != kNowhere) {
    const std::vector<std::string_view> given = items_of(text.substr(open + 1, close - open - 2));
    if (given.size() >= 3) shuffle.value = given[1];
  }
  shuffle.function = defined_around(code, static_cast<std::size_t>(text.data() - code.data()) + at);
  return shuffle;
}

/// What lanes are to bring to the shuffle that now do not come to it.
struct MissingValue {
  bool zero = false;      // they left as they have no element, and 0 changes no sum
  std::string_view kept;  // the variable whose value they have all the same; empty: that is not known
};

/// Of lanes that leave where the condition says so, which stands at that place.
MissingValue missing_value(std::string_view code, const ShuffleText& shuffle, std::string_view condition,
                           std::size_t place) {
  const auto function = function_around_line(code, line_at(code, place));
  if (!function || shuffle.value.empty() || condition.empty()) return {};
  const Dependences of(code.substr(function->begin, function->end - function->begin));
  const std::set<std::string_view> value =
      shuffle.function == defined_around(code, place) ? of.all_of(shuffle.value) : of.all_given_to(shuffle.function);
  bool any = false, all = true;  // of what differs from thread to thread in the condition
  for_each_name(condition, [&](std::size_t, std::string_view name) {
    if (name != "threadIdx" && !of.all_of(name).contains("threadIdx")) return;
    any = true;
    all = all && value.contains(name);
  });
  if (!any) return {};
  MissingValue missing;
  missing.zero = all && shuffle.adds && shuffle.exchanges;
  if (!all && is_identifier(shuffle.value) && shuffle.function == defined_around(code, place))
    missing.kept = shuffle.value;
  return missing;
}

/// The only `if` of the line, or the innermost around it, if the only jump of that one is in it.
std::optional<ConditionText> condition_at(std::string_view code, std::uint32_t line) {
  const std::size_t place = place_of_line(code, line, 0);
  std::optional<ConditionText> of_line, around;
  for (const ConditionText& each : conditions_of(code)) {
    if (each.line > line || place == kNowhere) break;
    if (each.line == line && of_line) return std::nullopt;
    if (each.line == line)
      of_line = each;
    else if (each.decides_about(place))
      around = each;
  }
  if (of_line || !around) return of_line;
  const auto jump = only_jump_of(code, *around);
  return jump && jump->line == line ? around : std::nullopt;
}

std::string words_for(const MissingValue& missing) {
  if (missing.zero) return ", with 0, which changes no sum";
  if (missing.kept.empty()) return {};
  return fmt::format(", with their own value of `{}`, which other lanes use", missing.kept);
}

/// Of lanes that leave the loop in that line earlier than others.
bool loses_nothing_by_zero(std::string_view code, const ShuffleText& shuffle, std::uint32_t line) {
  const std::vector<LoopText> loops = loops_of(code);
  const auto loop = std::ranges::find(loops, line, &LoopText::line);
  return loop != loops.end() && missing_value(code, shuffle, loop->condition, loop->begin).zero;
}

std::string help_for_jump(const JumpText& jump, std::string_view brought) {
  return fmt::format(
      "{}take out the `{}` in line {} and let these lanes go on to the shuffle{}; let its condition keep them only "
      "from "
      "the store, and from reads outside of the arrays",
      kUndefined, jump.word, jump.line, brought);
}

std::string help_for_loop(const StatementText& loop, bool zero) {
  return fmt::format(
      "{}let all lanes of a warp make the same number of rounds of the loop in line {}, so that all that are read "
      "execute the shuffle{}",
      kUndefined, loop.line, zero ? "; lanes without an element give 0, which changes no sum" : "");
}

std::string help_for_branch(const ConditionText& condition, std::string_view what, std::string_view brought) {
  return fmt::format("{}move {} out of the `if` in line {}, so that all lanes that are read execute it{}", kUndefined,
                     what, condition.line, brought);
}

/// The shuffle, or the calls of the function that has it, where the condition decides about that.
std::string decided_about(std::string_view code, const ConditionText& condition, std::size_t shuffle) {
  if (condition.decides_about(shuffle)) return "the shuffle";
  const std::string_view function = defined_around(code, shuffle);
  if (function.empty() || function == defined_around(code, condition.begin)) return {};
  bool called = false;
  for_each_name(code.substr(condition.body, condition.end - condition.body),
                [&](std::size_t, std::string_view word) { called = called || word == function; });
  return called ? fmt::format("the call of `{}`, which has the shuffle,", function) : std::string();
}

}  // namespace

void show_absent_lanes(MergedFinding& finding, std::string_view source) {
  const bool known = finding.id == finding_ids::kShuffleFromInactiveLane && finding.cause && !finding.other &&
                     finding.cause->place.known() && finding.barrier.condition != 0;
  if (!known) return;
  const std::string code = without_comments(source);
  const std::uint32_t line = finding.barrier.condition;
  const std::size_t shuffle = place_of_line(code, finding.where.line, finding.where.column);
  const auto statement = statement_in(code, line);
  finding.other = std::exchange(finding.cause, {});
  if (shuffle == kNowhere) return;
  const auto text = shuffle_in(code, finding.where.line);
  if (statement && statement->kind == StatementKind::loop) {
    finding.help = help_for_loop(*statement, text && loses_nothing_by_zero(code, *text, line));
    return;
  }
  const auto condition = condition_at(code, line);
  if (!condition) return;
  const MissingValue missing =
      text ? missing_value(code, *text, condition->condition, condition->begin) : MissingValue{};
  const std::string brought = words_for(missing);
  const auto jump = only_jump_of(code, *condition);
  const std::string what = decided_about(code, *condition, shuffle);
  if (!what.empty()) {
    finding.help = help_for_branch(*condition, what, brought);
  } else if (jump && jump->word == "return") {
    finding.help = help_for_jump(*jump, brought);
  } else {
    return;
  }
  finding.other->place = {finding.where.file, condition->line, 0};
}

}  // namespace cudalabs
