// What is said first: for every kind of finding how far it stands from the symptoms, and what it explains.
#include "check/cause_order.h"

#include <algorithm>
#include <tuple>

#include "check/run_end.h"
#include "run/run.h"
#include "speed/speed_result.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

using namespace finding_ids;

/// Where in the table an id stands; past its end, where it does not.
std::size_t row_of(std::string_view id) {
  return static_cast<std::size_t>(std::ranges::find(cause_kinds(), id, &CauseKind::id) - cause_kinds().begin());
}

}  // namespace

const std::vector<CauseKind>& cause_kinds() {
  static const std::vector<CauseKind> kinds{
      {kBuildFailed, Stage::build, Spoils::everything},
      {kNoEffect, Stage::no_effect, Spoils::nothing},
      {kUnsupportedCall, Stage::call, Spoils::everything},
      {kRuntimeError, Stage::call, Spoils::everything},
      {kInvalidLaunch, Stage::launch, Spoils::everything},
      {kHostPointerDereference, Stage::access, Spoils::everything},
      {kGlobalOutOfBounds, Stage::access, Spoils::values},
      {kSharedOutOfBounds, Stage::access, Spoils::values},
      {kLocalOutOfBounds, Stage::access, Spoils::values},
      {kConstantOutOfBounds, Stage::access, Spoils::values},
      {kMisalignedAccess, Stage::access, Spoils::nothing},
      {kNullPointerDereference, Stage::access, Spoils::nothing},
      {kUseAfterFree, Stage::access, Spoils::nothing},
      {kInvalidFree, Stage::access, Spoils::nothing},
      {kWriteToConstant, Stage::access, Spoils::nothing},
      {kInputOverwritten, Stage::access, Spoils::nothing},
      {kBarrierDivergence, Stage::together, Spoils::values},
      {kShuffleFromInactiveLane, Stage::together, Spoils::values},
      {kSharedRace, Stage::order, Spoils::values},
      {kGlobalRace, Stage::order, Spoils::values},
      {kStreamRace, Stage::order, Spoils::values},
      {kEarlyRefill, Stage::order, Spoils::values},
      {kUninitializedRead, Stage::reading, Spoils::values},
      {kAssertionFailed, Stage::ending, Spoils::everything},
      {kTimedOut, Stage::ending, Spoils::everything},
      {kDeviceReset, Stage::ending, Spoils::everything},
      {kRunnerCrashed, Stage::ending, Spoils::everything},
      {kMemoryLimit, Stage::ending, Spoils::everything},
      {kOutputLimit, Stage::ending, Spoils::everything},
      {kProcessLimit, Stage::ending, Spoils::everything},
      {kDiskLimit, Stage::ending, Spoils::everything},
      {kProtocolError, Stage::ending, Spoils::everything},
      {kTimeBudget, Stage::ending, Spoils::everything},
      {kNoKernel, Stage::ending, Spoils::everything},
      {kComputedOnTheHost, Stage::ending, Spoils::everything},
      {kUnwrittenOutput, Stage::output, Spoils::nothing},
      {kNonfiniteResult, Stage::output, Spoils::nothing},
      {kResultMismatch, Stage::output, Spoils::nothing},
      {kWrongWhenTimed, Stage::output, Spoils::nothing},
      {kFailedWhenTimed, Stage::output, Spoils::nothing},
      {kFasterThanPossible, Stage::output, Spoils::nothing},
      {kUncheckedLaunch, Stage::manners, Spoils::refused},
      {kMemoryLeak, Stage::manners, Spoils::nothing},
      {kRedundantBarrier, Stage::remark, Spoils::nothing},
  };
  return kinds;
}

CauseKind cause_kind(const Finding& finding) {
  const std::size_t row = row_of(finding.id);
  CauseKind kind = row < cause_kinds().size() ? cause_kinds()[row] : CauseKind{finding.id};
  if (finding.severity == Severity::advice) kind.stage = Stage::remark;
  if (finding.severity != Severity::warning || kind.stage == Stage::no_effect) return kind;
  kind.stage = kind.id == kUninitializedRead ? Stage::variable : std::max(kind.stage, Stage::manners);
  return kind;
}

bool is_before(const Finding& left, const Finding& right) {
  const auto key = [](const Finding& finding) {
    return std::tuple(cause_kind(finding).stage, finding.severity, std::string_view(finding.where.file),
                      finding.where.line, row_of(finding.id), finding.where.column);
  };
  return key(left) < key(right);
}

}  // namespace cudalabs
