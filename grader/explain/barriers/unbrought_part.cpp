#include "explain/barriers/unbrought_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

struct SharedStore {
  std::string_view array;
  std::size_t place = 0;
};

/// The first statement between the two places that stores to an array which the code declares as shared.
std::optional<SharedStore> shared_store_between(std::string_view code, std::size_t begin, std::size_t end) {
  constexpr std::size_t kLongestSubscript = 200, kLongestDeclaration = 120;
  constexpr std::string_view kShared = "__shared__";
  std::set<std::string_view> shared;
  for (std::size_t at = code.find(kShared); at != kNowhere; at = code.find(kShared, at + kShared.size())) {
    const std::string_view declared = code.substr(at + kShared.size(), kLongestDeclaration);
    for_each_name(declared.substr(0, declared.find(';')),
                  [&](std::size_t, std::string_view word) { shared.insert(word); });
  }
  std::optional<SharedStore> found;
  const std::string_view text = code.substr(begin, end - begin);
  for_each_name(text, [&](std::size_t at, std::string_view word) {
    std::size_t behind = past_spaces(text, at + word.size());
    if (found || behind >= text.size() || text[behind] != '[') return;
    while (behind < text.size() && text[behind] == '[') {
      const std::size_t past = past_bracket(text.substr(0, behind + kLongestSubscript), behind);
      if (past == kNowhere) return;
      behind = past_spaces(text, past);
    }
    if (!begins_assignment(text.substr(behind))) return;
    if (shared.contains(word)) found = SharedStore{word, begin + at};
  });
  return found;
}

/// Something between the place and the store asks whether the store, or what it stores, is there for the thread: a
/// condition, or a loop that ends before the barrier.
bool has_own_condition(std::string_view code, std::size_t left, std::size_t store, std::size_t barrier) {
  if (statement_around(code, store).find('?') != kNowhere) return true;
  return std::ranges::any_of(conditions_of(code),
                             [&](const ConditionText& condition) {
                               return condition.begin > left && condition.decides_about(store);
                             }) ||
         std::ranges::any_of(loops_of(code), [&](const LoopText& loop) {
           return loop.begin > left && loop.body <= store && store < loop.end && loop.end <= barrier;
         });
}

/// Threads that leave by the head of a loop leave by no `return`; else it is in the line.
bool leaves_by_return(std::string_view code, std::size_t left) {
  bool found = false;
  for_each_name(code.substr(left, code.find('\n', left) - left),
                [&](std::size_t, std::string_view word) { found = found || word == "return"; });
  return found;
}

}  // namespace

bool name_unbrought_part(MergedFinding& finding, std::string_view code) {
  if (finding.missed_barrier != MissedBarrier::exited || !finding.other ||
      !finding.help.advises(Advice::take_out_return) || finding.other->place.file != finding.where.file)
    return false;
  const std::size_t left = place_of_line(code, finding.other->place.line, finding.other->place.column),
                    barrier = place_of_line(code, finding.where.line, finding.where.column);
  if (left == kNowhere || barrier == kNowhere || left >= barrier ||
      defined_around(code, left) != defined_around(code, barrier))
    return false;
  if (!leaves_by_return(code, left)) return false;
  const std::size_t behind = std::min(code.find(';', left), barrier);
  const auto store = shared_store_between(code, behind, barrier);
  if (!store) return false;
  const std::uint32_t line = line_at(code, store->place), jump = finding.other->place.line;
  finding.help =
      has_own_condition(code, behind, store->place, barrier)
          ? fmt::format(
                "every thread must reach the barrier, and bring its part of `{0}` before it, whether or not it has a "
                "result of its own: take out the `return` at line {1}, let all threads execute line {2} and "
                "`__syncthreads()`, and put only what comes after the barrier into an `if`",
                store->array, jump, line)
          : fmt::format(
                "every thread must reach the barrier: take out the `return` at line {1}; let threads without an "
                "element "
                "store 0, or nothing, to `{0}` in line {2} and go on to `__syncthreads()`; put what comes after the "
                "barrier into an `if`",
                store->array, jump, line);
  return true;
}

}  // namespace cudalabs
