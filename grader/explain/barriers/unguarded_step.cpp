// The statement, and what is around it, are read as text; that two threads meet there is known from the race.
#include "explain/barriers/unguarded_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "s[i] += s[i + d]"
struct UnguardedStep {
  std::string array, index, distance;
};

/// "i" of "s[i]", which is all of the text.
std::optional<std::string> only_subscript(std::string_view element, std::string_view array) {
  if (!element.starts_with(array) || element.size() < array.size() + 3) return std::nullopt;
  const std::string_view brackets = element.substr(array.size());
  if (!brackets.starts_with('[') || past_bracket(brackets, 0) != brackets.size()) return std::nullopt;
  return std::string(brackets.substr(1, brackets.size() - 2));
}

/// Of a statement without blanks: "s[i]+=s[i+d]", "s[i]=s[i]+s[i+d]".
std::optional<UnguardedStep> step_of(std::string_view statement) {
  const std::size_t open = statement.find('['), sign = statement.find('=');
  if (open == kNowhere || open == 0 || sign == kNowhere || sign < open) return std::nullopt;
  const bool together = statement[sign - 1] == '+';
  const std::string_view left = statement.substr(0, sign - (together ? 1 : 0)), array = left.substr(0, open);
  const auto index = only_subscript(left, array);
  if (!index || !is_identifier(array) || !is_identifier(*index)) return std::nullopt;
  std::string_view added = statement.substr(sign + 1);
  if (!together) {
    const std::string own = std::string(left) + '+';
    if (!added.starts_with(own)) return std::nullopt;
    added.remove_prefix(own.size());
  }
  const auto other = only_subscript(added, array);
  if (!other || !other->starts_with(*index + "+")) return std::nullopt;
  const std::string distance = other->substr(index->size() + 1);
  if (!is_identifier(distance)) return std::nullopt;
  return UnguardedStep{std::string(array), *index, distance};
}

/// Every thread that comes to the loop comes to the place, in each of its rounds.
bool asks_nothing(std::string_view code, const LoopText& loop, std::size_t place, std::string_view index) {
  const auto decides = [&](const ConditionText& condition) {
    return condition.body > loop.begin && condition.decides_about(place);
  };
  if (std::ranges::any_of(conditions_of(code), decides)) return false;
  if (has_name(loop.first, index) || has_name(loop.condition, index)) return false;
  const std::string_view before = code.substr(loop.body, place - loop.body);
  return !has_name(before, "continue") && !has_name(before, "break") && !has_name(before, "return");
}

}  // namespace

bool show_unguarded_step(MergedFinding& finding, std::string_view source) {
  const bool in_one_line = finding.id == finding_ids::kSharedRace && finding.other &&
                           finding.other->place.file == finding.where.file &&
                           finding.other->place.line == finding.where.line;
  if (!in_one_line) return false;
  const std::string code = without_comments(source);
  const std::size_t place = place_of_line(code, finding.where.line, finding.where.column);
  if (place == kNowhere) return false;
  const auto step = step_of(without_blanks(statement_around(code, place)));
  const std::vector<LoopText> loops = loops_of(code);
  const LoopText* const loop = step ? innermost_loop(loops, place) : nullptr;
  if (loop == nullptr || !has_name(loop->condition, step->distance)) return false;
  const std::string_view body = std::string_view(code).substr(loop->body, loop->end - loop->body);
  const bool waits = body.find("__sync") != kNowhere || body.find("sync(") != kNowhere;
  if (!waits || !asks_nothing(code, *loop, place, step->index)) return false;
  finding.help = fmt::format(
      "in one step a thread reads `{0}[{1} + {2}]` while another thread stores there, in the same statement: let only "
      "those threads add whose `{1}` is less than `{2}`, `if ({1} < {2})`, and keep the barrier outside of that `if`",
      step->array, step->index, step->distance);
  return true;
}

}  // namespace cudalabs
