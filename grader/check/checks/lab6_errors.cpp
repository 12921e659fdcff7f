#include "check/checks/lab6_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "check/checks/lab6_times.h"
#include "source/call_text.h"
#include "source/function_text.h"
#include "source/macro_argument.h"
#include "source/unsigned_constant.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs::lab6 {
namespace {

/// " and in line 17 ...: what to do"
std::string in_words(const UnsignedConstant& constant) {
  const auto& [how, number, name, line] = constant;
  switch (how) {
    case UnsignedConstant::How::joined:
      return fmt::format("in line {} `{}` is unsigned, so `?:` makes {} unsigned, too: convert `{}` to `double` there",
                         line, name, number, name);
    case UnsignedConstant::How::returned:
      return fmt::format(
          "line {} returns {} from `{}`, whose type is unsigned: let it return `double` or a signed type", line, number,
          name);
    case UnsignedConstant::How::stored:
      break;
  }
  return fmt::format("line {} stores {} in `{}`, which is unsigned: declare it with a signed type", line, number, name);
}

/// "status = cudaGetLastError();" as the whole statement, where nothing later in the function has the name.
bool keeps_unread(std::string_view code, const WatchedCall& told) {
  const auto call = only_call_in_line(code, told.where.line, told.name);
  const auto function = function_around_line(code, told.where.line);
  if (!call || !function) return false;
  const std::size_t end = past_bracket(code, past_spaces(code, *call + told.name.size()));
  const std::size_t sign = before_spaces(code, *call), behind = end == kNowhere ? end : past_spaces(code, end);
  if (sign == kNowhere || behind >= code.size() || code[sign] != '=' || code[behind] != ';') return false;
  const std::string_view name = word_before(code, sign);
  return !name.empty() && !has_name(code.substr(behind, function->end - std::min(function->end, behind)), name);
}

/// "failed" of "failed(cudaGetLastError());" as the whole statement; empty: it is another one.
std::string_view given_to_alone(std::string_view code, const WatchedCall& told) {
  constexpr std::size_t kLongest = 200;
  const auto call = only_call_in_line(code, told.where.line, told.name);
  if (!call) return {};
  const std::size_t from = *call - std::min(*call, kLongest);
  const std::size_t ended = code.substr(from, *call - from).find_last_of(";{}");
  if (ended == kNowhere) return {};
  const std::size_t begin = past_spaces(code, from + ended + 1), end = end_of_word(code, begin);
  const std::size_t open = past_spaces(code, end);
  const std::string_view name = code.substr(begin, end - begin);
  const bool keyword = name == "if" || name == "while" || name == "for" || name == "switch" || name == "return";
  if (name.empty() || keyword || open >= *call || code[open] != '(') return {};
  const std::size_t close = past_bracket(code, open);
  const std::size_t behind = close == kNowhere ? kNowhere : past_spaces(code, close);
  return behind < code.size() && close > *call && code[behind] == ';' ? name : std::string_view();
}

/// "; the macro `TRY` (line 13) has its argument twice ...": what it returns is the answer of a second call.
std::string asked_again(const RepeatedArgument& repeated) {
  const bool asks = repeated.call == "cudaGetLastError";
  return fmt::format(
      ", but the macro `{}` (line {}) has its argument {} times, and so it calls again{}: keep what one call returns "
      "in a variable, and return -1 when that is not `cudaSuccess`",
      repeated.macro, repeated.line, repeated.times,
      asks ? "; the first call has cleared the error, and the second one returns `cudaSuccess`" : "");
}

}  // namespace

std::optional<WrappedNegative> wrapped_negative(double returned) {
  constexpr double kRounding = 1e-7;  // of a `float` on the way
  for (const int bits : {64, 32}) {
    for (const int power : {0, 3, 6, 9}) {
      const double share = returned * std::pow(10.0, power) / std::ldexp(1.0, bits);
      if (std::abs(share - 1) <= kRounding) return WrappedNegative{bits, power};
    }
  }
  return std::nullopt;
}

std::string why_wrapped(double returned, std::string_view code) {
  const auto wrapped = wrapped_negative(returned);
  if (!wrapped) return {};
  const std::string divided = wrapped->power == 0 ? std::string() : fmt::format(" / 10^{}", wrapped->power);
  const auto constant = only_unsigned_constant(code, wrapped->bits);
  return fmt::format("; that is 2^{}{}: a negative number that became an unsigned one; {}", wrapped->bits, divided,
                     constant ? in_words(*constant)
                              : "return the -1 as a `double`, and do not let a variable, a function or `?:` of an "
                                "unsigned type hold it before");
}

std::string error_in_hand(const WatchedCall& told, std::string_view code) {
  if (!told.where.known()) return {};
  const std::string text = fmt::format("; `{}`{} returned the error", told.name, place(told));
  const auto repeated = repeated_argument_in(code, told.where.line);
  if (repeated && repeated->call == told.name) return text + asked_again(*repeated);
  const ResultUse use = use_of_result(code, told.where.line, told.name);
  if (const std::string_view function = given_to_alone(code, told); use == ResultUse::used && !function.empty())
    return fmt::format(
        "{}, and line {} gives it to `{}` and does no more with it: return -1 when it is not `cudaSuccess`", text,
        told.where.line, function);
  if (use == ResultUse::used && !keeps_unread(code, told))
    return text +
           ", and the program uses what it returned: follow what becomes of it from there on; when it is not "
           "`cudaSuccess`, the function is to return -1";
  if (use == ResultUse::unknown) return text + ": return -1 when what it returns is not `cudaSuccess`";
  return fmt::format("{}{}: look at what it returns, and return -1 when that is not `cudaSuccess`", text,
                     use == ResultUse::dropped ? ", and nothing uses its result" : "");
}

}  // namespace cudalabs::lab6
