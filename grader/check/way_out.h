// How a function learns that a call has failed, and what it does before it returns.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "run/run.h"

namespace cudalabs {

/// The first call of the program that gave it the error; null: none did. A launch by `<<<>>>` gives none, and "not
/// ready" is no error.
const WatchedCall* first_told(const std::vector<WatchedCall>& calls);

/// What a function does after an error that it is given.
struct WayOut {
  const WatchedCall* told = nullptr;
  std::uint32_t line = 0;     // in the function: of that call, or of the call of the helper that makes it
  std::uint32_t freed = 0;    // likewise the last call of `release` after that; 0: there is none
  std::uint32_t skipped = 0;  // the first line behind `line` that calls `release` with `argument`, and was not executed
};

/// `calls` begin with the one that failed and end where the program's function returned; `code` is the submission's
/// text without comments. Of the function that has line `anchor`; nothing where the error did not come up in it.
/// `argument`: empty for any.
std::optional<WayOut> way_out_of(const std::vector<WatchedCall>& calls, std::string_view code, std::uint32_t anchor,
                                 std::string_view release, std::string_view argument);

}  // namespace cudalabs
