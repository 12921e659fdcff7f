// Whether a program says so when a launch fails, in a case that asks for nothing else (Faults::message_only).
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "check/submission_run.h"

namespace cudalabs {

/// How the message ends about an error that the program gets, as `Finding::failed_call` says.
inline constexpr std::string_view kNotReported = ", and the program does not report it";

/// What is wrong with how the program took the failure of its launch; nothing when it printed something that it does
/// not print in a case of the same parameters in which no call fails, when it ended there, or when it made no such
/// launch. An `unchecked-launch` of the virtual GPU says the same of a program that never asked, and stays.
std::optional<Finding> silence_of(const CaseRun& case_run, std::span<const CaseRun> all);

}  // namespace cudalabs
