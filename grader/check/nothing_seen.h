// How a matcher tells the session that it failed for want of anything to look at: such a failure accuses nobody.
#pragma once

#include <utility>

namespace cudalabs {

/// Set by a matcher as it fails, taken back by the session when that assertion has ended.
inline bool nothing_seen = false;

/// Whether it was set since this was last asked.
inline bool take_nothing_seen() {
  return std::exchange(nothing_seen, false);
}

}  // namespace cudalabs
