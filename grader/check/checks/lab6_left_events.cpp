#include "check/checks/lab6_left_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "check/checks/lab6_times.h"
#include "source/call_text.h"
#include "source/function_text.h"
#include "source/member_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs::lab6 {
namespace {

using CallSpan = std::span<const WatchedCall>;

bool creates(const WatchedCall& call) {
  return call.name.starts_with("cudaEventCreate") && call.status == 0 && call.event != 0;
}

/// The first that creates an event which none of them destroys.
CallSpan::iterator left_by(CallSpan calls, bool lost) {
  std::set<std::uint64_t> destroyed;
  for (const WatchedCall& call : calls)
    if (call.name == "cudaEventDestroy" && (call.status == 0 || lost)) destroyed.insert(call.event);
  return std::ranges::find_if(
      calls, [&](const WatchedCall& call) { return creates(call) && !destroyed.contains(call.event); });
}

/// "handle_" of "Event() { cudaEventCreate(&handle_); }".
std::string variable_of(const WatchedCall& call, std::string_view code) {
  const std::size_t begin = place_of_line(code, call.where.line, 0);
  const std::size_t at = begin == kNowhere ? kNowhere : code.find(call.name, begin);
  const bool there = at != kNowhere && line_at(code, at) == call.where.line;
  return there ? allocated_pointer(code.substr(at), 1, call.name) : std::string();
}

bool are_of_one_function(std::string_view code, std::uint32_t line, std::uint32_t other) {
  const auto function = function_around_line(code, line), around = function_around_line(code, other);
  return function && around && function->begin == around->begin;
}

/// A later call, in another line of the function, that creates an event in the same variable. In the same line the
/// variable may be another one of its name.
std::string stored_again(CallSpan calls, CallSpan::iterator left, const std::string& variable, std::string_view code) {
  std::size_t most = 32;  // a program may create events for ever
  const auto again = std::find_if(std::next(left), calls.end(), [&](const WatchedCall& call) {
    return creates(call) && most > 0 && --most > 0 && call.where.file == left->where.file &&
           call.where.line != left->where.line && variable_of(call, code) == variable &&
           are_of_one_function(code, left->where.line, call.where.line);
  });
  if (again == calls.end()) return {};
  return fmt::format(", and line {} stores another one in `{}`", again->where.line, variable);
}

}  // namespace

std::string left_event(CallSpan calls, std::string_view code, bool lost) {
  const auto left = left_by(calls, lost);
  if (left == calls.end() || !left->where.known()) return {};
  std::string text = fmt::format(": nobody destroys that of `{}`{}", left->name, place(*left));
  const std::string variable = variable_of(*left, code);
  if (variable.empty()) return text;
  if (const auto moved = overwritten_by_move(code, variable)) {
    return text + fmt::format("; line {} gives `{}` another value and does not destroy the event in it", moved->line,
                              variable);
  }
  // Of a member each object has its own.
  const bool local = !variable.ends_with('_') && variable.find_first_of(".>") == std::string::npos;
  return local ? text + stored_again(calls, left, variable, code) : text;
}

}  // namespace cudalabs::lab6
