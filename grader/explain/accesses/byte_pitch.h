// The pitch of pitched memory, which counts bytes, added to a pointer to larger elements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "pitch" of "b + k * pitch" or "b[k * pitch + col]", where `b` is no pointer to bytes, in the function around that
/// line, or in one that it calls; `b` may be a member. What is called so, what the only launch of `kernel` gives a name
/// with "pitch" for, and a member `pitch` are pitches. Nothing where the program divides one, for then it may count
/// elements. `code` has no comments.
std::optional<Setting> pitch_as_elements(std::string_view code, const std::string& kernel, std::uint32_t line);

/// Of accesses outside memory that `cudaMallocPitch` or `cudaMalloc3D` has allocated: shows that line. `source` is the
/// text of `file`.
void show_byte_pitches(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
