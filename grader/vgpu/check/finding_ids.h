// The stable names of all findings the virtual GPU and the grader know; reports, rubrics and hints refer to these. What
// is known of each stands in finding_table.cpp.
#pragma once

#include <string_view>

namespace cudalabs::finding_ids {

inline constexpr std::string_view kBarrierDivergence = "barrier-divergence";
inline constexpr std::string_view kSharedRace = "shared-race";
inline constexpr std::string_view kGlobalRace = "global-race";
inline constexpr std::string_view kRedundantBarrier = "redundant-barrier";
inline constexpr std::string_view kGlobalOutOfBounds = "global-out-of-bounds";
inline constexpr std::string_view kSharedOutOfBounds = "shared-out-of-bounds";
inline constexpr std::string_view kLocalOutOfBounds = "local-out-of-bounds";
inline constexpr std::string_view kConstantOutOfBounds = "constant-out-of-bounds";
inline constexpr std::string_view kWriteToConstant = "write-to-constant";
inline constexpr std::string_view kInputOverwritten = "input-overwritten";
inline constexpr std::string_view kNullPointerDereference = "null-pointer-dereference";
inline constexpr std::string_view kHostPointerDereference = "host-pointer-dereference";
inline constexpr std::string_view kMisalignedAccess = "misaligned-access";
inline constexpr std::string_view kUseAfterFree = "use-after-free";
inline constexpr std::string_view kInvalidFree = "invalid-free";
inline constexpr std::string_view kStreamRace = "stream-race";
inline constexpr std::string_view kHostRace = "host-race";
inline constexpr std::string_view kEndlessWait = "endless-wait";
inline constexpr std::string_view kEarlyRefill = "early-refill";
inline constexpr std::string_view kUnfencedCopy = "unfenced-copy";
inline constexpr std::string_view kOverwrittenSource = "overwritten-copy-source";
inline constexpr std::string_view kUnfinishedCopy = "unfinished-copy";
inline constexpr std::string_view kInvalidTensorMap = "invalid-tensor-map";
inline constexpr std::string_view kUninitializedRead = "uninitialized-read";
inline constexpr std::string_view kLeftoverValue = "leftover-value";
inline constexpr std::string_view kShuffleFromInactiveLane = "shuffle-from-inactive-lane";
inline constexpr std::string_view kInvalidLaunch = "invalid-launch";
inline constexpr std::string_view kNoKernel = "no-kernel";
inline constexpr std::string_view kComputedOnTheHost = "computed-on-the-host";
inline constexpr std::string_view kUncheckedLaunch = "unchecked-launch";
inline constexpr std::string_view kMemoryLeak = "memory-leak";
inline constexpr std::string_view kAssertionFailed = "assertion-failed";
inline constexpr std::string_view kTimedOut = "timed-out";
inline constexpr std::string_view kResultMismatch = "result-mismatch";
inline constexpr std::string_view kNonfiniteResult = "nonfinite-result";
inline constexpr std::string_view kUnwrittenOutput = "unwritten-output";
inline constexpr std::string_view kUnsupportedCall = "unsupported-call";
inline constexpr std::string_view kBuildFailed = "build-failed";
inline constexpr std::string_view kDeviceReset = "device-reset";
inline constexpr std::string_view kNoEffect = "no-effect";
inline constexpr std::string_view kRunnerCrashed = "runner-crashed";
// What only the grader can see: the runner broke a limit of the lab, or the rules of the conversation with the grader.
inline constexpr std::string_view kMemoryLimit = "memory-limit";
inline constexpr std::string_view kOutputLimit = "output-limit";
inline constexpr std::string_view kProcessLimit = "process-limit";
inline constexpr std::string_view kDiskLimit = "disk-limit";
inline constexpr std::string_view kRuntimeError = "runtime-error";
inline constexpr std::string_view kProtocolError = "protocol-error";
// A line of which a change helps, where nothing else is known.
inline constexpr std::string_view kLikelyCause = "likely-cause";
// A part of the skeleton that nobody has filled in.
inline constexpr std::string_view kUnfinished = "unfinished";
// More than a whole grading may use, of processor time or of waiting.
inline constexpr std::string_view kTimeBudget = "time-budget";
// What only timed calls show.
inline constexpr std::string_view kWrongWhenTimed = "wrong-when-timed";
inline constexpr std::string_view kFailedWhenTimed = "failed-when-timed";
inline constexpr std::string_view kFasterThanPossible = "faster-than-possible";

}  // namespace cudalabs::finding_ids
