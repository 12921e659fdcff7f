// A number of elements that was made a `float` on the way to the number of blocks.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// The only line of host code that makes a `float` of something, or divides by a number or a variable that is a
/// `float`, and divides or rounds up: "ceil(static_cast<float>(n) / 256)", "(n + 255) / 256.0f", "ceilf(n / 256.0)",
/// "ceil(n / threads)". The setting's name is what makes the `float`. `code` has no comments.
std::optional<Setting> only_float_size(std::string_view code);

/// Of elements that are missing only at the size at which speed is measured: shows that line, where a `float` of that
/// size is so much smaller that the missing element is beyond it. `source` is the text of `file`.
void show_float_sizes(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
