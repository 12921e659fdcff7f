// The table of findings.
#include "vgpu/check/finding_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

using namespace finding_ids;

constexpr FindingKind kKinds[] = {
    {kBuildFailed, Severity::error, Stage::build, Spoils::everything, FindingGroup::none},
    {kNoEffect, Severity::warning, Stage::no_effect, Spoils::nothing, FindingGroup::none},
    {kUnsupportedCall, Severity::error, Stage::call, Spoils::everything, FindingGroup::none},
    {kRuntimeError, Severity::error, Stage::call, Spoils::everything, FindingGroup::none},
    {kInvalidLaunch, Severity::error, Stage::launch, Spoils::everything, FindingGroup::none},
    {kLeftoverValue, Severity::error, Stage::variable, Spoils::everything, FindingGroup::none},
    {kHostPointerDereference, Severity::error, Stage::access, Spoils::everything, FindingGroup::memory_errors},
    {kGlobalOutOfBounds, Severity::error, Stage::access, Spoils::values, FindingGroup::memory_errors},
    {kSharedOutOfBounds, Severity::error, Stage::access, Spoils::values, FindingGroup::memory_errors},
    {kLocalOutOfBounds, Severity::error, Stage::access, Spoils::values, FindingGroup::memory_errors},
    {kConstantOutOfBounds, Severity::error, Stage::access, Spoils::values, FindingGroup::memory_errors},
    {kMisalignedAccess, Severity::error, Stage::access, Spoils::values, FindingGroup::memory_errors},
    {kNullPointerDereference, Severity::error, Stage::access, Spoils::nothing, FindingGroup::memory_errors},
    {kUseAfterFree, Severity::error, Stage::access, Spoils::nothing, FindingGroup::memory_errors},
    {kInvalidFree, Severity::error, Stage::access, Spoils::nothing, FindingGroup::memory_errors},
    {kWriteToConstant, Severity::error, Stage::access, Spoils::nothing, FindingGroup::memory_errors},
    {kInputOverwritten, Severity::error, Stage::access, Spoils::nothing, FindingGroup::memory_errors},
    {kInvalidTensorMap, Severity::error, Stage::access, Spoils::values, FindingGroup::memory_errors},
    {kBarrierDivergence, Severity::error, Stage::together, Spoils::values, FindingGroup::barriers},
    {kShuffleFromInactiveLane, Severity::error, Stage::together, Spoils::values, FindingGroup::barriers},
    {kSharedRace, Severity::error, Stage::order, Spoils::values, FindingGroup::races},
    {kGlobalRace, Severity::error, Stage::order, Spoils::values, FindingGroup::races},
    {kStreamRace, Severity::error, Stage::order, Spoils::values, FindingGroup::races},
    {kHostRace, Severity::error, Stage::order, Spoils::values, FindingGroup::races},
    {kEarlyRefill, Severity::error, Stage::order, Spoils::values, FindingGroup::races},
    {kOverwrittenSource, Severity::error, Stage::order, Spoils::values, FindingGroup::races},
    {kUnfencedCopy, Severity::error, Stage::order, Spoils::values, FindingGroup::races},
    {kUnfinishedCopy, Severity::error, Stage::order, Spoils::values, FindingGroup::races},
    {kUninitializedRead, Severity::error, Stage::reading, Spoils::values, FindingGroup::none},
    {kAssertionFailed, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kTimedOut, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kEndlessWait, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kDeviceReset, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kRunnerCrashed, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kMemoryLimit, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kOutputLimit, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kProcessLimit, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kDiskLimit, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kProtocolError, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kTimeBudget, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kNoKernel, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kComputedOnTheHost, Severity::error, Stage::ending, Spoils::everything, FindingGroup::none},
    {kLikelyCause, Severity::error, Stage::output, Spoils::nothing, FindingGroup::none},
    {kUnfinished, Severity::error, Stage::output, Spoils::everything, FindingGroup::none},
    {kUnwrittenOutput, Severity::error, Stage::output, Spoils::nothing, FindingGroup::none},
    {kNonfiniteResult, Severity::error, Stage::output, Spoils::nothing, FindingGroup::none},
    {kResultMismatch, Severity::error, Stage::output, Spoils::nothing, FindingGroup::none},
    {kWrongWhenTimed, Severity::error, Stage::output, Spoils::nothing, FindingGroup::none},
    {kFailedWhenTimed, Severity::error, Stage::output, Spoils::nothing, FindingGroup::none},
    {kFasterThanPossible, Severity::error, Stage::output, Spoils::nothing, FindingGroup::none},
    {kUncheckedLaunch, Severity::warning, Stage::manners, Spoils::refused, FindingGroup::none},
    {kMemoryLeak, Severity::warning, Stage::manners, Spoils::nothing, FindingGroup::none},
    {kRedundantBarrier, Severity::advice, Stage::remark, Spoils::nothing, FindingGroup::none},
};

constexpr std::array<std::pair<std::string_view, FindingGroup>, 3> kGroups{
    {{"memory-errors", FindingGroup::memory_errors},
     {"races", FindingGroup::races},
     {"barrier-errors", FindingGroup::barriers}}};

}  // namespace

std::span<const FindingKind> finding_kinds() {
  return kKinds;
}

const FindingKind* finding_kind(std::string_view id) {
  const auto* found = std::ranges::find(kKinds, id, &FindingKind::id);
  return found == std::end(kKinds) ? nullptr : found;
}

bool is_of(std::string_view id, FindingGroup group) {
  const FindingKind* kind = finding_kind(id);
  return kind != nullptr && kind->group == group;
}

std::vector<std::string_view> ids_named(std::string_view name) {
  if (finding_kind(name) != nullptr) return {name};
  std::vector<std::string_view> ids;
  const auto* group = std::ranges::find(kGroups, name, &std::pair<std::string_view, FindingGroup>::first);
  if (group == kGroups.end()) return ids;
  for (const FindingKind& kind : kKinds) {
    if (kind.group == group->second) ids.push_back(kind.id);
  }
  return ids;
}

std::vector<std::string> finding_names() {
  std::vector<std::string> names;
  for (const auto& [name, group] : kGroups) names.emplace_back(name);
  for (const FindingKind& kind : kKinds) names.emplace_back(kind.id);
  return names;
}

}  // namespace cudalabs
