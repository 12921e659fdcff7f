// The host's question whether a size is a multiple of what a kernel reads or writes at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "source/setting_text.h"

namespace cudalabs {

/// "pixels % 4 == 0", where `pixels` is set to "width * height".
struct RowQuestion {
  Setting where;      // of what is asked for, "pixels"
  std::string asked;  // "width * height"

  bool operator==(const RowQuestion&) const = default;
};

/// In the conditions that decide whether the host launches `kernel`, or in what they are computed from: the first
/// question for what `together` leaves of a number, which is not `size` alone. Nothing where there is none before one
/// for `size`. `code` has no comments.
std::optional<RowQuestion> row_question(std::string_view code, std::string_view kernel, std::int64_t together,
                                        std::string_view size);

}  // namespace cudalabs
