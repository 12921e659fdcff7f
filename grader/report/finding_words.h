// The parts of a finding that every form of it shows, as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vgpu/finding.h"

namespace cudalabs {

std::string_view name_of(Severity severity);

/// `text` with a capital at its beginning and a full stop at its end.
std::string sentence(std::string_view text);

/// "block (0, 0, 0), thread (7, 0, 0)"; either may be missing.
std::string thread_text(const std::optional<Index3>& block, const std::optional<Index3>& thread);

/// "in `kernel`, the first of 1,014 times"; either may be missing, and there is no count of 1.
std::string kernel_text(const std::string& kernel, std::uint64_t count);

/// How often it happened at its place: what is said of an output counts its elements, which is no such number.
std::uint64_t times_of(const Finding& finding);

/// "matmul.cu:12:5"; the start of a path gives way where there are fewer than `room` columns, never the line.
std::string place_text(const SourcePlace& place, std::size_t room = SIZE_MAX);

}  // namespace cudalabs
