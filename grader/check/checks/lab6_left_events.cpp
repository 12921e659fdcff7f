#include "check/checks/lab6_left_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "check/checks/lab6_times.h"
#include "source/call_text.h"
#include "source/function_text.h"
#include "source/member_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs::lab6 {
namespace {

using Calls = std::span<const WatchedCall>;

bool creates(const WatchedCall& call) {
  return call.name.starts_with("cudaEventCreate") && call.status == 0 && call.event != 0;
}

/// The first that creates an event which none of them destroys.
Calls::iterator left_by(Calls calls, bool lost) {
  return std::ranges::find_if(calls, [&](const WatchedCall& made) {
    return creates(made) && std::ranges::none_of(calls, [&](const WatchedCall& call) {
             return call.name == "cudaEventDestroy" && call.event == made.event && (call.status == 0 || lost);
           });
  });
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

/// A later call that creates an event in the same variable.
std::string stored_again(Calls calls, Calls::iterator left, const std::string& variable, std::string_view code) {
  const auto again = std::find_if(std::next(left), calls.end(), [&](const WatchedCall& call) {
    return creates(call) && call.where.file == left->where.file && variable_of(call, code) == variable &&
           are_of_one_function(code, left->where.line, call.where.line);
  });
  if (again == calls.end()) return {};
  if (again->where.line == left->where.line)
    return fmt::format(", and the same line stores another one in `{}` later", variable);
  return fmt::format(", and line {} stores another one in `{}`", again->where.line, variable);
}

}  // namespace

std::string left_event(Calls calls, std::string_view code, bool lost) {
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
