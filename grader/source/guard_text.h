// What decides whether an access of a kernel is made, read as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "source/setting_text.h"

namespace cudalabs {

/// A condition that is kept in a variable.
struct KeptGuard {
  Setting where;      // the last line before that sets it
  std::string value;  // "row < m && col < p"
  bool holds = true;  // the access is made where it is true; else where it is false
  bool operator==(const KeptGuard&) const = default;
};

/// Of the access in `line`: the nearest condition around it, where that is a variable alone, `if (inside)` or, of what
/// is read, `inside ? in[i] : 0`; or, where nothing else is around it, the last `if (outside) return;` before it.
std::optional<KeptGuard> kept_guard_of(std::string_view source, std::uint32_t line, bool reads);

/// A condition of a later line of the function that holds one of the line's subscripts, which is more than a name,
/// against something, as no line before does.
std::optional<Setting> later_check_of(std::string_view source, std::uint32_t line);

}  // namespace cudalabs
