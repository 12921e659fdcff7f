// The device knows the line of the branch or the `return`; the text tells what kind of statement it is.
#include "explain/barriers/absent_lanes.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/statement_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::string_view kUndefined = "what such a lane gives is undefined: ";

/// "v += __shfl_down_sync(…)", "v + __shfl_xor_sync(…)": what the line's only shuffle gives is added up.
bool adds_up(std::string_view line) {
  const std::size_t shuffle = line.find("__shfl_");
  if (shuffle == kNowhere || line.find("__shfl_", shuffle + 1) != kNowhere) return false;
  const std::size_t before = before_spaces(line, shuffle);
  if (before == kNowhere) return false;
  return line[before] == '+' || (before > 0 && line.substr(before - 1, 2) == "+=");
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

std::string help_for_jump(const JumpText& jump, std::string_view zero) {
  return fmt::format(
      "{}take out the `{}` in line {} and let these lanes go on to the shuffle{}; let its condition keep them only "
      "from "
      "the store, and from reads outside of the arrays",
      kUndefined, jump.word, jump.line, zero);
}

std::string help_for_loop(const StatementText& loop, std::string_view zero) {
  return fmt::format(
      "{}let all lanes of a warp make the same number of rounds of the loop in line {}, so that all that are read "
      "execute the shuffle{}",
      kUndefined, loop.line, zero.empty() ? "" : "; lanes without an element give 0, which changes no sum");
}

std::string help_for_branch(const ConditionText& condition, std::string_view what, std::string_view zero) {
  return fmt::format("{}move {} out of the `if` in line {}, so that all lanes that are read execute it{}", kUndefined,
                     what, condition.line, zero);
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
  const bool sum = adds_up(text_lines(code)[finding.where.line - 1]);
  const std::string_view zero = sum ? ", with 0, which changes no sum" : "";
  if (statement && statement->kind == StatementKind::loop) {
    finding.help = help_for_loop(*statement, zero);
    return;
  }
  const auto condition = condition_at(code, line);
  if (!condition) return;
  const auto jump = only_jump_of(code, *condition);
  const std::string what = decided_about(code, *condition, shuffle);
  if (!what.empty()) {
    finding.help = help_for_branch(*condition, what, zero);
  } else if (jump && jump->word == "return") {
    finding.help = help_for_jump(*jump, zero);
  } else {
    return;
  }
  finding.other->place = {finding.where.file, condition->line, 0};
}

}  // namespace cudalabs
