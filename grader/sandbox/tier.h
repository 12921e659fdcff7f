// Which tier jobs run in: what this machine can do, and what the policy allows.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sandbox/sandbox.h"

namespace cudalabs::sandbox {

/// The tier for the next job. Throws SandboxError when that would be none and the policy does not allow it.
Tier tier_in_force();

/// The sandbox's init program; throws SandboxError when it is missing.
std::filesystem::path init_program();

/// Processes and threads of the job's user that are not the job's, where the kernel counts a user's processes as one.
std::uint64_t other_processes_of_user(Tier tier, bool root);

}  // namespace cudalabs::sandbox
