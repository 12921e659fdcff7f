// Which findings are causes, and which only follow from them.
#include "check/causes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "check/finding_groups.h"
#include "check/run_end.h"

namespace cudalabs {
namespace {

using namespace finding_ids;

constexpr std::array kOutOfBounds{kGlobalOutOfBounds, kSharedOutOfBounds, kLocalOutOfBounds, kConstantOutOfBounds};

template <std::size_t Count>
bool is_error(const Finding& finding, const std::array<std::string_view, Count>& ids) {
  return finding.severity == Severity::error && std::ranges::find(ids, finding.id) != ids.end();
}

bool is_race(const Finding& finding) {
  return is_error(finding, kRaces);
}
bool is_out_of_bounds(const Finding& finding) {
  return is_error(finding, kOutOfBounds);
}
bool is_uninitialized(const Finding& finding) {
  return is_error(finding, std::array{kUninitializedRead});
}
bool is_divergence(const Finding& finding) {
  return is_error(finding, std::array{kBarrierDivergence});
}

bool is_shuffle(const Finding& finding) {
  return is_error(finding, std::array{kShuffleFromInactiveLane});
}

using Places = std::vector<SourcePlace>;

/// Both places of every finding, in any case, for which `wanted` holds.
template <typename Wanted>
Places places_of(const std::vector<CaseFindings>& cases, const Wanted& wanted) {
  Places places;
  for (const CaseFindings& findings : cases) {
    for (const Finding& finding : findings) {
      if (!wanted(finding)) continue;
      places.push_back(finding.where);
      if (finding.other) places.push_back(finding.other->place);
    }
  }
  std::erase_if(places, [](const SourcePlace& place) { return !place.known(); });
  return places;
}

bool is_at(const Finding& finding, const Places& places) {
  return std::ranges::find(places, finding.where) != places.end() ||
         (finding.other && std::ranges::find(places, finding.other->place) != places.end());
}

bool diverges(const std::string& kernel, const CaseFindings& findings) {
  return std::ranges::any_of(
      findings, [&](const Finding& finding) { return is_divergence(finding) && finding.kernel == kernel; });
}

}  // namespace

std::vector<CaseFindings> causes(const std::vector<CaseFindings>& cases) {
  const Places out_of_bounds = places_of(cases, is_out_of_bounds), races = places_of(cases, is_race);
  std::vector<CaseFindings> kept = cases;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::erase_if(kept[i], [&](const Finding& finding) {
      const bool race = is_race(finding), uninitialized = is_uninitialized(finding);
      if (!race && !uninitialized) return false;
      return is_at(finding, out_of_bounds) || (uninitialized && is_at(finding, races)) ||
             diverges(finding.kernel, cases[i]);
    });
  }
  return kept;
}

bool follows(Fault fault, const CaseFindings& findings) {
  return std::ranges::any_of(findings, [fault](const Finding& finding) {
    if (is_error(finding, std::array{kInvalidLaunch})) return true;
    return fault != Fault::unwritten && (is_race(finding) || is_uninitialized(finding) || is_shuffle(finding) ||
                                         is_out_of_bounds(finding) || is_divergence(finding));
  });
}

int cause_rank(const Finding& finding) {
  if (finding.id == kRuntimeError) return 0;
  if (finding.id == kInvalidLaunch || finding.id == kUncheckedLaunch) return 1;
  if (std::ranges::find(kMemoryErrors, finding.id) != kMemoryErrors.end()) return 2;
  if (finding.id == kBarrierDivergence || finding.id == kShuffleFromInactiveLane) return 3;
  if (std::ranges::find(kRaces, finding.id) != kRaces.end()) return 4;
  return finding.id == kUninitializedRead ? 5 : 6;
}

}  // namespace cudalabs
