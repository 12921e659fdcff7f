// Threads that return before a barrier although others may need what they bring.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "source/condition_text.h"

namespace cudalabs {

/// Of a `return` to which a condition leads before the barrier at `barrier`: what to do where the code between the two
/// does not use what the condition asks about, or only a part of it. Nothing where it uses all, so that these threads
/// have nothing to do there, where a loop is around a barrier behind the `return`, or where that is not clear. `code`
/// has no comments.
std::optional<std::string> help_for_needed_threads(std::string_view code, const ConditionText& condition,
                                                   const JumpText& jump, std::size_t barrier);

}  // namespace cudalabs
