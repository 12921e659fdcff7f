// Names are followed from the condition on: what is computed from a coordinate stands for it.
#include "explain/barriers/needed_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "source/barrier_text.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

using Names = std::set<std::string_view>;

/// "col >= width": the sides, and the sign that asks for the opposite.
struct Bound {
  std::string_view text;
  Names coordinates;     // variables of the function in it
  std::string opposite;  // "col < width"
};

/// What the function gives a value to up to the barrier: the name, and the text of the value.
struct Assigned {
  std::string_view name, value;
};

std::vector<Assigned> assigned_in(std::string_view text) {
  constexpr std::size_t kLongestAssigned = 300;
  std::vector<Assigned> found;
  for (std::size_t sign = text.find('='); sign != kNowhere; sign = text.find('=', sign + 1)) {
    const bool compares = sign + 1 < text.size() && text[sign + 1] == '=';
    if (sign == 0 || compares || std::string_view("=!<>+-*/%&|^").find(text[sign - 1]) != kNowhere) continue;
    const std::string_view name = word_before(text, sign);
    const std::string_view rest = text.substr(sign + 1, kLongestAssigned);
    if (is_identifier(name)) found.push_back({name, without_outer_spaces(rest.substr(0, rest.find_first_of(";{}")))});
  }
  return found;
}

bool has_one_of(std::string_view text, const Names& names) {
  bool has = false;
  for_each_name(text, [&](std::size_t, std::string_view name) { has = has || names.contains(name); });
  return has;
}

/// The coordinates, and what is computed from them.
Names followed(Names names, const std::vector<Assigned>& assigned) {
  for (const Assigned& each : assigned)
    if (has_one_of(each.value, names)) names.insert(each.name);
  return names;
}

/// "blockIdx.x * TILE + tx" is computed there once more.
bool computes_again(std::string_view text, const Names& coordinates, const std::vector<Assigned>& assigned) {
  const std::string plain = without_blanks(text);
  return std::ranges::any_of(assigned, [&](const Assigned& each) {
    return coordinates.contains(each.name) && plain.find(without_blanks(each.value)) != std::string::npos;
  });
}

std::optional<Bound> bound_in(std::string_view part, const std::vector<Assigned>& assigned) {
  constexpr std::array<std::string_view, 4> kSigns{">=", "<=", ">", "<"}, kOpposites{"<", ">", "<=", ">="};
  part = without_outer_spaces(part);
  const std::size_t at = part.find_first_of("<>");
  if (at == kNowhere || part.find_first_of("<>&|!?", at + 1) != kNowhere) return std::nullopt;
  const auto* const sign =
      std::ranges::find_if(kSigns, [&](std::string_view each) { return part.substr(at).starts_with(each); });
  if (sign == kSigns.end()) return std::nullopt;
  Bound bound{part, {}, {}};
  bound.opposite = fmt::format("{} {} {}", without_outer_spaces(part.substr(0, at)),
                               kOpposites[static_cast<std::size_t>(sign - kSigns.begin())],
                               without_outer_spaces(part.substr(at + sign->size())));
  for (const Assigned& each : assigned)
    if (has_one_of(part, {each.name})) bound.coordinates.insert(each.name);
  return bound.coordinates.empty() ? std::nullopt : std::optional(bound);
}

/// The place of the last barrier of the function behind the `return`; nothing where a loop is around one of them.
std::optional<std::size_t> last_barrier(std::string_view code, const FunctionBody& function, std::size_t jump) {
  std::optional<std::size_t> last;
  for (const BarrierText& barrier : block_barriers_of(code))
    if (jump < barrier.place && barrier.place < function.end) last = barrier.place;
  if (!last) return last;
  const std::vector<LoopText> loops = loops_of(code);
  const bool looped = std::ranges::any_of(loops, [&](const LoopText& loop) {
    return function.begin <= loop.begin && loop.begin < *last &&
           (loop.end > *last || (loop.begin < jump && jump < loop.end) ||
            code.substr(loop.begin, loop.end - loop.begin).find("__syncthreads") != kNowhere);
  });
  return looped ? std::nullopt : last;
}

}  // namespace

std::optional<std::string> help_for_needed_threads(std::string_view code, const ConditionText& condition,
                                                   const JumpText& jump, std::size_t barrier) {
  constexpr std::size_t kLongestFunction = 20'000, kMostParts = 3;
  const auto function = function_around_line(code, jump.line);
  const bool is_read = function && function->end - function->begin <= kLongestFunction && jump.word == "return" &&
                       function->begin <= barrier && barrier < function->end && condition.end <= barrier;
  const auto last = is_read ? last_barrier(code, *function, jump.place) : std::nullopt;
  const auto parts = parts_of_condition(condition.condition, "||");
  if (!last || parts.size() > kMostParts) return std::nullopt;
  const std::vector<Assigned> assigned = assigned_in(code.substr(function->begin, *last - function->begin));
  const std::string_view between = code.substr(condition.end, *last - condition.end);
  std::vector<Bound> used;
  for (const std::string_view part : parts) {
    const auto bound = bound_in(part, assigned);
    if (!bound || computes_again(between, bound->coordinates, assigned)) return std::nullopt;
    if (has_one_of(between, followed(bound->coordinates, assigned))) used.push_back(*bound);
  }
  if (used.size() == parts.size()) return std::nullopt;
  std::string text = fmt::format(
      "every thread must reach the barrier, and the `return` in line {} also ends threads that may have to bring "
      "something for others: move it behind the barrier{}",
      jump.line, *last == barrier ? "" : fmt::format(" in line {}", line_at(code, *last)));
  if (!used.empty()) {
    text += fmt::format(", and before that ask only for `{}` where `{}` is used", used.front().opposite,
                        *used.front().coordinates.begin());
  }
  return text;
}

}  // namespace cudalabs
