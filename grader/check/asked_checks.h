// The checks of ordinary kinds: what lab.toml asks, as assertions.
#pragma once

#include <string_view>

namespace cudalabs {

/// Asserts what the check `id` asks of the submission run of the session, in order, up to the first that is not met.
/// In a Catch2 test case. Throws std::logic_error when the lab has no such check, or no case that it could look at.
void assert_asked(std::string_view id);

}  // namespace cudalabs
