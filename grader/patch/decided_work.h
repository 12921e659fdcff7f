// Whether a condition decides about calls of CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "patch/patched_source.h"

namespace cudalabs::patch {

/// What the `if`s of a text decide about: work, or only what follows where a call has failed, such as a message.
class DecidedWork {
 public:
  /// The source must outlive it.
  explicit DecidedWork(const PatchedSource& source);

  /// Whether the body of the `if` in whose condition the token stands launches a kernel, or calls CUDA for more than to
  /// ask for an error or to free something; nothing: the token stands in no such condition.
  std::optional<bool> at(std::size_t token) const;
  /// Whether the token is a sign that compares with `cudaSuccess`.
  bool compares_status(std::size_t sign) const;

 private:
  const TokenRoles& roles_;
  const std::vector<Token>& tokens_;
  std::vector<std::size_t> condition_of_;  // of each token: the bracket
  std::vector<std::size_t> end_of_;        // of each token: past the next semicolon
  std::vector<std::uint32_t> work_;        // of each token: how much there is before it
};

}  // namespace cudalabs::patch
