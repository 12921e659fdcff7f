// Reads the words that cudaGetErrorString and cudaGetErrorName have for the errors that calls are made to return.
#include "check/denied_failure.h"

#include <algorithm>
#include <array>

#include "text/code_scan.h"
#include "vgpu/cudart/error_text.h"

namespace cudalabs {
namespace {

constexpr std::size_t kNoWords = std::string_view::npos;

/// "launch: no error", "CUDA error: no error at matmul.cu:25", "launch failed no error": the text of `cudaSuccess`, and
/// not words of the program's own, such as "there should be no error".
bool says_no_error(std::string_view printed) {
  constexpr std::string_view kText = "no error";
  constexpr std::array<std::string_view, 4> kBefore{"", "error", "failed", "failure"}, kAfter{"", "at", "file", "line"};
  const auto is_one_of = [](std::string_view word, const auto& words) {
    return std::ranges::find(words, word) != words.end();
  };
  for (std::size_t at = printed.find(kText); at != kNoWords; at = printed.find(kText, at + 1)) {
    const std::size_t end = at + kText.size(), line = printed.rfind('\n', at) + 1;
    if ((at > 0 && is_word_letter(printed[at - 1])) || (end < printed.size() && is_word_letter(printed[end]))) continue;
    std::string_view rest = printed.substr(end);
    rest = rest.substr(0, rest.find('\n'));
    const std::size_t next = past_spaces(rest, 0);
    const std::string_view after = rest.substr(next, end_of_word(rest, next) - next);
    const std::string_view before = printed.substr(line, at - line);
    if (is_one_of(word_before(before, before.size()), kBefore) && is_one_of(after, kAfter)) return true;
  }
  return false;
}

/// "launch: cudaSuccess", and not "cudaGetLastError() == cudaSuccess does not hold".
bool ends_in_success(std::string_view printed) {
  constexpr std::string_view kSuccess = "cudaSuccess";
  for (std::size_t at = printed.find(kSuccess); at != kNoWords; at = printed.find(kSuccess, at + 1)) {
    const std::size_t end = at + kSuccess.size(), last = before_spaces(printed, at);
    const bool ends = end >= printed.size() || printed[end] == '\n';
    if (ends && last != kNoWords && printed[last] == ':') return true;
  }
  return false;
}

}  // namespace

bool denies_failure(std::string_view printed) {
  constexpr std::array<std::string_view, 4> kErrors{"too many resources requested for launch",
                                                    "cudaErrorLaunchOutOfResources",                // of a launch
                                                    "out of memory", "cudaErrorMemoryAllocation"};  // of an allocation
  const auto is_said = [&](std::string_view error) { return printed.find(error) != kNoWords; };
  return (says_no_error(printed) || ends_in_success(printed)) && std::ranges::none_of(kErrors, is_said);
}

}  // namespace cudalabs
