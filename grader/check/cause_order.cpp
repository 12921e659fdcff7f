// What is said first of several findings.
#include "check/cause_order.h"

#include <algorithm>
#include <tuple>

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
  if (finding.severity == Severity::advice) kind.stage = Stage::remark;
  if (finding.severity != Severity::warning || kind.stage == Stage::no_effect) return kind;
  kind.stage = kind.id == finding_ids::kUninitializedRead ? Stage::variable : std::max(kind.stage, Stage::manners);
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
