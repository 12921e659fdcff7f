// Which findings are causes, and which only follow from them.
#include "check/causes.h"

#include <algorithm>
#include <iterator>

#include "check/cause_order.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

bool is_error_of(const Finding& finding, Stage stage) {
  return finding.severity == Severity::error && cause_kind(finding).stage == stage;
}

bool is_race(const Finding& finding) {
  return is_error_of(finding, Stage::order) || is_error_of(finding, Stage::deciding);
}
bool is_uninitialized(const Finding& finding) {
  return is_error_of(finding, Stage::reading);
}
bool is_divergence(const Finding& finding) {
  return finding.id == finding_ids::kBarrierDivergence && finding.severity == Severity::error;
}
/// Its address is not the one that was meant: it reaches whatever lies there, another array as well.
bool goes_astray(const Finding& finding) {
  return is_error_of(finding, Stage::access) && cause_kind(finding).spoils == Spoils::values;
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

/// Of such a case it is known that nothing else is wrong.
bool has_leftover_value(const CaseFindings& findings) {
  return std::ranges::find(findings, finding_ids::kLeftoverValue, &Finding::id) != findings.end();
}

bool diverges(const std::string& kernel, const CaseFindings& findings) {
  return std::ranges::any_of(
      findings, [&](const Finding& finding) { return is_divergence(finding) && finding.kernel == kernel; });
}

/// Threads that have waited at one barrier while the others did at another, in a loop, are a round ahead, and leave it
/// sooner: that they have exited follows. A condition in the barrier's own line is to blame itself.
bool follows_from_waiting_elsewhere(const Finding& finding, const CaseFindings& findings) {
  if (finding.other && finding.other->place.line == finding.where.line) return false;
  return is_divergence(finding) && finding.where.known() && std::ranges::any_of(findings, [&](const Finding& cause) {
           const bool leads_here = is_divergence(cause) && cause.kernel == finding.kernel &&
                                   cause.where.line != finding.where.line && cause.other &&
                                   cause.other->place == finding.where;
           return leads_here && !(finding.other && finding.other->place == cause.where);
         });
}

bool blames_allocation(const Finding& finding) {
  return finding.id == finding_ids::kGlobalOutOfBounds && finding.kernel.empty() && finding.other;
}

/// The accesses of a launch that was cut short do not tell by which factor an allocation is too small. Those of another
/// case may.
void share_blame_of_allocations(std::vector<CaseFindings>& cases) {
  CaseFindings blaming;
  for (const CaseFindings& findings : cases)
    std::ranges::copy_if(findings, std::back_inserter(blaming), blames_allocation);
  for (CaseFindings& findings : cases) {
    for (Finding& finding : findings) {
      if (!goes_astray(finding) || blames_allocation(finding) || !finding.other) continue;
      const auto known = std::ranges::find_if(blaming, [&](const Finding& blame) {
        return blame.where.known() && blame.where == finding.other->place && blame.other->place == finding.where;
      });
      if (known != blaming.end()) finding = *known;
    }
  }
}

}  // namespace

std::vector<CaseFindings> causes(const std::vector<CaseFindings>& cases) {
  const Places astray = places_of(cases, goes_astray), races = places_of(cases, is_race);
  std::vector<CaseFindings> kept = cases;
  share_blame_of_allocations(kept);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (has_leftover_value(cases[i])) {
      std::erase_if(kept[i], [](const Finding& finding) {
        return finding.severity == Severity::error && finding.id != finding_ids::kLeftoverValue;
      });
    }
    std::erase_if(kept[i], [&](const Finding& finding) {
      if (follows_from_waiting_elsewhere(finding, cases[i])) return true;
      const bool race = is_race(finding), uninitialized = is_uninitialized(finding);
      if (!race && !uninitialized) return false;
      return is_at(finding, astray) || (uninitialized && is_at(finding, races)) ||
             (diverges(finding.kernel, cases[i]) && !is_error_of(finding, Stage::deciding));
    });
  }
  return kept;
}

bool follows(Fault fault, const CaseFindings& findings) {
  return std::ranges::any_of(findings, [fault](const Finding& finding) {
    const bool error = finding.severity == Severity::error;
    switch (cause_kind(finding).spoils) {
      case Spoils::nothing:
        return false;
      case Spoils::refused:
        return fault == Fault::touched;
      case Spoils::values:
        return error && fault != Fault::unwritten && fault != Fault::touched;
      case Spoils::everything:
        return error;
    }
    return false;
  });
}

}  // namespace cudalabs
