#include "explain/barriers/unbrought_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "source/condition_text.h"
#include "source/dependences.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

struct SharedStore {
  std::string_view array;
  std::size_t place = 0, sign = 0;  // of the array, and of what assigns
};

/// The statements between the two places that store to arrays which the code declares as shared.
std::vector<SharedStore> shared_stores_between(std::string_view code, std::size_t begin, std::size_t end) {
  constexpr std::size_t kLongestSubscript = 200, kLongestDeclaration = 120, kMostStores = 16;
  constexpr std::string_view kShared = "__shared__";
  std::set<std::string_view> shared;
  for (std::size_t at = code.find(kShared); at != kNowhere; at = code.find(kShared, at + kShared.size())) {
    const std::string_view declared = code.substr(at + kShared.size(), kLongestDeclaration);
    for_each_name(declared.substr(0, declared.find(';')),
                  [&](std::size_t, std::string_view word) { shared.insert(word); });
  }
  std::vector<SharedStore> found;
  const std::string_view text = code.substr(begin, end - begin);
  for_each_name(text, [&](std::size_t at, std::string_view word) {
    std::size_t behind = past_spaces(text, at + word.size());
    if (found.size() == kMostStores || behind >= text.size() || text[behind] != '[') return;
    while (behind < text.size() && text[behind] == '[') {
      const std::size_t past = past_bracket(text.substr(0, behind + kLongestSubscript), behind);
      if (past == kNowhere) return;
      behind = past_spaces(text, past);
    }
    if (!begins_assignment(text.substr(behind))) return;
    if (shared.contains(word)) found.push_back({word, begin + at, begin + behind});
  });
  return found;
}

/// What a condition that leads to a `return` asks about: of stores behind it, whether these need an element of it.
class AskedElement {
 public:
  AskedElement(std::string_view code, std::size_t left)
      : code_(code), function_(function_around_line(code, line_at(code, left))) {
    if (!function_) return;
    const std::string_view body = code.substr(function_->begin, function_->end - function_->begin);
    uses_.emplace(body);
    for (const ConditionText& condition : conditions_of(code))
      if (condition.begin <= left && left < condition.end_of_body) asked_ = condition.condition;
    for_each_name(asked_, [&](std::size_t, std::string_view name) {
      if (uses_->all_of(name).size() > 1) coordinates_.insert(name);
    });
    if (has_name(asked_, "threadIdx") || has_name(asked_, "blockIdx")) coordinates_.clear();
  }

  /// "table[t] = 77 * t" behind `if (row >= height) return;`: neither what is stored nor where comes from what the
  /// condition asks about, or from an array: all threads of the block can do it. False where that is not clear.
  bool is_apart_from(const SharedStore& store) const {
    const std::string_view statement = statement_around(code_, store.place);
    const std::string_view value = value_at(code_, code_.find('=', store.sign) + 1);
    if (coordinates_.empty() || statement.empty() || value.find('[') != kNowhere) return false;
    const std::set<std::string_view> names = uses_->all_of(statement);
    return std::ranges::none_of(coordinates_, [&](std::string_view name) { return names.contains(name); }) &&
           std::ranges::none_of(function_->parameters, [&](const std::string& parameter) {
             return names.contains(parameter_name(parameter)) && !is_number_parameter(parameter);
           });
  }

 private:
  std::string_view code_, asked_;
  std::optional<FunctionBody> function_;
  std::optional<Dependences> uses_;
  std::set<std::string_view> coordinates_;  // variables of the function in the condition
};

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
  const std::vector<SharedStore> stores = shared_stores_between(code, behind, barrier);
  if (stores.empty()) return false;
  const AskedElement element(code, left);
  const auto needing =
      std::ranges::find_if(stores, [&](const SharedStore& each) { return !element.is_apart_from(each); });
  const SharedStore& store = needing == stores.end() ? stores.front() : *needing;
  const std::uint32_t line = line_at(code, store.place), last = line_at(code, stores.back().place),
                      jump = finding.other->place.line;
  const bool is_for_all = needing == stores.end() || has_own_condition(code, behind, store.place, barrier);
  const std::string lines = needing == stores.end() && last != line ? fmt::format("lines {} to {}", line, last)
                                                                    : fmt::format("line {}", line);
  finding.help =
      is_for_all
          ? fmt::format(
                "every thread must reach the barrier, and bring its part of `{}` before it, whether or not it has a "
                "result of its own: take out the `return` at line {}, let all threads execute {} and "
                "`__syncthreads()`, and put only what comes after the barrier into an `if`",
                store.array, jump, lines)
          : fmt::format(
                "every thread must reach the barrier: take out the `return` at line {1}; let threads without an "
                "element "
                "store 0, or nothing, to `{0}` in line {2} and go on to `__syncthreads()`; put what comes after the "
                "barrier into an `if`",
                store.array, jump, line);
  return true;
}

}  // namespace cudalabs
