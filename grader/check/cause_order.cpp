// What is said first of several findings.
#include "check/cause_order.h"

#include <algorithm>
#include <tuple>

#include "vgpu/check/deciding_race.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Where in the table an id stands; past its end, where it does not.
std::size_t row_of(std::string_view id) {
  const FindingKind* kind = finding_kind(id);
  return kind == nullptr ? finding_kinds().size() : static_cast<std::size_t>(kind - finding_kinds().data());
}

}  // namespace

FindingKind cause_kind(const Finding& finding) {
  const FindingKind* known = finding_kind(finding.id);
  FindingKind kind = known == nullptr ? FindingKind{finding.id} : *known;
  if (is_deciding_race(finding) && kind.stage == Stage::order) kind.stage = Stage::deciding;
  if (finding.severity == Severity::advice) kind.stage = Stage::remark;
  if (finding.severity != Severity::warning || kind.stage == Stage::no_effect) return kind;
  kind.stage = kind.id == finding_ids::kUninitializedRead ? Stage::variable : std::max(kind.stage, Stage::manners);
  return kind;
}

bool is_before(const Finding& left, const Finding& right) {
  const auto key = [](const Finding& finding) {
    const Stage stage = cause_kind(finding).stage;
    const std::size_t row = row_of(finding.id);
    // What came out wrong is ordered by what that says of the cause, not by the line that stored it.
    return std::tuple(stage, finding.severity, stage == Stage::output ? row : 0, std::string_view(finding.where.file),
                      finding.where.line, row, finding.where.column);
  };
  return key(left) < key(right);
}

}  // namespace cudalabs
