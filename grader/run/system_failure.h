// A call of the system that failed.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace cudalabs {

/// Throws std::system_error for errno; `what` names the call.
[[noreturn]] inline void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace cudalabs
