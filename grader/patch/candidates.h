// Which changes are tried, and in which order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "patch/patch.h"

namespace cudalabs::patch {

/// At most `most` of the changes that all operators make of `code`, which has no comments. First come those that are
/// likely and near: in one of `lines`, which the findings speak of; in a line that sets what these use; in the same
/// function; anywhere else.
std::vector<Patch> candidates(std::string_view code, std::span<const std::uint32_t> lines, std::size_t most);

}  // namespace cudalabs::patch
