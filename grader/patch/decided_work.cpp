#include "patch/decided_work.h"

#include <string_view>

#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

bool asks(std::string_view function) {
  return function == "cudaGetErrorString" || function == "cudaGetErrorName" || function == "cudaGetLastError" ||
         function == "cudaPeekAtLastError";
}

}  // namespace

DecidedWork::DecidedWork(const PatchedSource& source)
    : roles_(source.roles),
      tokens_(source.tokens),
      condition_of_(tokens_.size(), kNoToken),
      end_of_(tokens_.size(), tokens_.size()),
      work_(tokens_.size() + 1) {
  std::size_t condition = kNoToken;
  for (std::size_t at = 0; at < tokens_.size(); ++at) {
    if (condition != kNoToken && at >= roles_.partner(condition)) condition = kNoToken;
    const bool begins = condition == kNoToken && at > 0 && roles_.is(at, "(") && roles_.partner(at) != kNoToken;
    if (begins && (roles_.is(at - 1, "if") || (roles_.is(at - 1, "constexpr") && at > 1 && roles_.is(at - 2, "if"))))
      condition = at;
    condition_of_[at] = condition;
    const std::string_view name = tokens_[at].text;
    const bool calls = name.starts_with("cuda") && roles_.is(at + 1, "(") && !asks(name) && !is_release(name);
    work_[at + 1] = work_[at] + (calls || name == "<<<" ? 1 : 0);
  }
  for (std::size_t at = tokens_.size(); at-- > 0;) {
    const bool is_last = at + 1 == tokens_.size();
    end_of_[at] = roles_.is(at, ";") || is_last ? at + 1 : end_of_[at + 1];
  }
}

std::optional<bool> DecidedWork::at(std::size_t token) const {
  const std::size_t condition = token < tokens_.size() ? condition_of_[token] : kNoToken;
  const std::size_t first = condition == kNoToken ? kNoToken : roles_.partner(condition) + 1;
  if (first >= tokens_.size()) return std::nullopt;
  const bool is_block = roles_.is(first, "{") && roles_.partner(first) != kNoToken;
  const std::size_t end = is_block ? roles_.partner(first) : end_of_[first];
  return work_[end] > work_[first];
}

bool DecidedWork::compares_status(std::size_t sign) const {
  const bool is_right =
      roles_.is(sign + 1, "cudaSuccess") || (roles_.is(sign + 3, "cudaSuccess") && roles_.is(sign + 2, "::"));
  return is_right || (sign > 0 && roles_.is(sign - 1, "cudaSuccess"));
}

}  // namespace cudalabs::patch
