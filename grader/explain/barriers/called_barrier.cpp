// Both barriers are followed to the kernel's own text: there a condition is around one of them alone.
#include "explain/barriers/called_barrier.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// Where a function comes to a barrier: at the barrier itself, or at the only call of what has it.
struct ComingTo {
  std::size_t place = 0;
  std::string_view call;  // empty: the barrier stands in the function itself
};

std::optional<ComingTo> coming_to(std::string_view code, const FunctionBody& function, std::size_t barrier) {
  if (function.begin <= barrier && barrier < function.end) return ComingTo{barrier, {}};
  const std::string_view name = defined_around(code, barrier);
  if (name.empty()) return std::nullopt;
  std::optional<ComingTo> found;
  bool several = false;
  for_each_name(code.substr(function.begin, function.end - function.begin), [&](std::size_t at, std::string_view word) {
    if (word != name) return;
    several = found.has_value();
    found = ComingTo{function.begin + at, name};
  });
  return several ? std::nullopt : found;
}

std::vector<std::string_view> names_of_text(std::string_view text) {
  std::vector<std::string_view> names;
  for_each_name(text, [&](std::size_t, std::string_view name) { names.push_back(name); });
  return names;
}

/// A name of the text is set, as far back as the function goes, from the thread's number; by functions of the source,
/// too.
bool depends_on_thread(std::string_view code, std::string_view text, std::uint32_t line) {
  constexpr std::size_t kMostAsked = 24, kLongestAsked = 300;
  std::vector<std::pair<std::string, std::uint32_t>> texts{{std::string(text), line}};
  std::set<std::string> seen;
  while (!texts.empty() && seen.size() < kMostAsked) {
    const auto [next, at_line] = std::move(texts.back());
    texts.pop_back();
    if (has_name(next, "threadIdx") || has_name(next, "thread_rank")) return true;
    for (const std::string_view name : names_of_text(next)) {
      if (seen.size() >= kMostAsked || !seen.insert(std::string(name)).second) continue;
      if (const auto set = last_setting_of(code, at_line, name)) {
        const std::string_view rest = code.substr(place_of_line(code, set->line, 0), kLongestAsked);
        texts.emplace_back(rest.substr(0, rest.find(';')), set->line);
      } else if (const auto body = only_body(code, name)) {
        texts.emplace_back(code.substr(body->begin, std::min(body->end - body->begin, kLongestAsked)), 0);
      }
    }
  }
  return false;
}

/// A jump in the kernel may part threads as well as the condition.
bool has_jumps(std::string_view text) {
  constexpr std::array<std::string_view, 4> kJumps{"continue", "break", "return", "goto"};
  bool jumps = false;
  for_each_name(text, [&](std::size_t, std::string_view word) {
    jumps = jumps || std::ranges::find(kJumps, word) != kJumps.end();
  });
  return jumps;
}

}  // namespace

bool name_called_barrier(MergedFinding& finding, std::string_view code) {
  const OtherPlace& other = *finding.other;
  const auto kernel = only_body(code, plain_name(finding.kernel));
  const std::array<std::size_t, 2> barriers{place_of_line(code, finding.where.line, finding.where.column),
                                            place_of_line(code, other.place.line, other.place.column)};
  if (!kernel || std::ranges::find(barriers, kNowhere) != barriers.end()) return false;
  const std::array<std::optional<ComingTo>, 2> waiting{coming_to(code, *kernel, barriers[0]),
                                                       coming_to(code, *kernel, barriers[1])};
  if (!waiting[0] || !waiting[1]) return false;
  std::optional<ConditionText> around;
  for (const ConditionText& each : conditions_of(code)) {
    if (each.begin < kernel->begin || each.begin >= kernel->end) continue;
    if (!around && each.decides_about(waiting[0]->place) != each.decides_about(waiting[1]->place)) around = each;
  }
  if (!around || has_jumps(code.substr(kernel->begin, kernel->end - kernel->begin)) ||
      !depends_on_thread(code, around->condition, around->line))
    return false;
  const std::size_t kept = around->decides_about(waiting[0]->place) ? 0 : 1;
  const ComingTo& call = *waiting[kept];
  if (call.call.empty()) return false;
  const std::array<SourcePlace, 2> places{finding.where, other.place};
  const Setting where = setting_at_place(code, call.place, call.call);
  finding.message += fmt::format(": only some of them call `{}`", call.call);
  finding.note.insert(0, fmt::format("the others wait at the barrier in line {}\n", places[1 - kept].line));
  finding.help = fmt::format(
      "every thread must reach the barrier in `{0}`: move the call of `{0}` out of the `if` at line {1}, let all "
      "threads "
      "call it, and put only what uses its result into the `if`",
      call.call, around->line);
  finding.barrier.condition = around->line;
  if (kept == 1) {
    finding.block = other.block;
    finding.thread = other.thread;
  }
  finding.other = OtherPlace{"the barrier is here", places[kept], {}, {}, PlaceRole::barrier};
  finding.where = {finding.where.file, where.line, where.column};
  return true;
}

}  // namespace cudalabs
