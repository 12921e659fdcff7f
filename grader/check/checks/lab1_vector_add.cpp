// Lab 1: what two lines of its rubric ask that only a vector add is asked.
#include <fmt/format.h>

#include <vector>

#include "check/matchers.h"
#include "vgpu/profile/access_cost.h"
#include "vgpu/profile/counter_names.h"

namespace cudalabs {
namespace {
using vgpu::counter_names::kGlobalLoadSectors;
using vgpu::counter_names::kGlobalStoreSectors;

/// The cases but those in which an allocation or a copy fails: a submission that breaks off there loses points for
/// that, and once.
Cases all_cases_but_failed_memory_calls() {
  Cases found = all_cases();
  std::erase_if(found.case_runs, [](const CaseRun* case_run) {
    return case_run->test.spec.faults.allocation != 0 || case_run->test.spec.faults.copy != 0;
  });
  return found;
}

/// Moves at most twice the sectors of global memory that its three arrays lie in: README.md promises the points for
/// that. Blocks that are no multiple of a warp stay below; a stretch of neighbours a thread does not.
class TouchNeighbours : public CaseMatcher {
  static constexpr std::uint64_t kMostExcess = 2;

  std::string objection(const CaseRun& case_run) const override {
    const auto n = static_cast<std::uint64_t>(case_run.test.spec.parameters.at("n"));
    const std::uint64_t least = 3 * n * sizeof(float) / vgpu::kSectorBytes;
    const auto loads = total_of(case_run, kGlobalLoadSectors), stores = total_of(case_run, kGlobalStoreSectors);
    if (!loads || !stores) return why_uncounted(case_run);
    if (*loads + *stores <= kMostExcess * least) return {};
    return fmt::format("moves {} sectors of {} bytes; its arrays lie in {}, and it may move {}", *loads + *stores,
                       vgpu::kSectorBytes, least, kMostExcess * least);
  }
  std::string_view property() const override { return "moved more than they needed"; }
};

}  // namespace

TEST_CASE("lab1: a failed launch is noticed, and `c` stays as it was", "[lab1][launch_failure]") {
  REQUIRE_THAT(cases("launch_failure"), give_right_results());
  REQUIRE_THAT(all_cases_but_failed_memory_calls(), have_none({"unchecked-launch"}));
  CHECK_THAT(cases("launch_failure"), say_what_failed());
}

TEST_CASE("lab1: neighbouring threads touch neighbouring elements", "[lab1][coalesced]") {
  CHECK_THAT(counted(cases("coalesced")), TouchNeighbours());
}

}  // namespace cudalabs
