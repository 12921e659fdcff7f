// Lab 1: what each line of its rubric asks of a submission.
#include <fmt/format.h>

#include <vector>

#include "check/matchers.h"
#include "vgpu/profile/access_cost.h"
#include "vgpu/profile/counter_names.h"

namespace cudalabs {
namespace {
using vgpu::counter_names::kGlobalLoadSectors;
using vgpu::counter_names::kGlobalStoreSectors;

/// The cases but those with such faults: a submission that breaks off there loses points for that, and once.
template <typename Faulty>
Cases all_cases_but(Faulty faulty) {
  Cases found = all_cases();
  std::erase_if(found.case_runs, [&](const CaseRun* case_run) { return faulty(case_run->test.spec.faults); });
  return found;
}

bool any_fails(const datasets::Faults& faults) {
  return faults.any();
}

bool allocation_fails(const datasets::Faults& faults) {
  return faults.allocation != 0;
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

/// Prints something when a call fails: the contract asks for it, and no other sign reaches the caller.
class SayWhatFailed : public CaseMatcher {
  std::string objection(const CaseRun& case_run) const override {
    // A submission that allocates once is not struck by the failure of a third allocation.
    if (!case_run.observed.console.empty() || case_run.test.spec.faults.allocation > 1) return {};
    return "prints nothing when a call fails; the contract asks for a message on stderr";
  }
  std::string_view property() const override { return "kept silent about a failure"; }
};

}  // namespace

TEST_CASE("lab1: `vector_add.cu` compiles and defines `vector_add`", "[lab1][compiles]") {
  CHECK_THAT(submission_run().build, is_built());
}

TEST_CASE("lab1: arrays of whole blocks are added correctly", "[lab1][whole_blocks]") {
  CHECK_THAT(cases("whole_blocks"), give_right_results());
}

TEST_CASE("lab1: sizes that are no multiple of the block are added correctly", "[lab1][any_size]") {
  CHECK_THAT(cases("any_size"), give_right_results());
}

TEST_CASE("lab1: a little more than a million elements are added correctly", "[lab1][large]") {
  CHECK_THAT(cases("large"), give_right_results());
}

TEST_CASE("lab1: with n = 0 nothing happens, and nothing fails", "[lab1][empty]") {
  REQUIRE_THAT(cases("empty"), give_right_results());
  CHECK_THAT(cases("empty"), have_none({"invalid-launch"}));
}

TEST_CASE("lab1: no thread touches what is not in its arrays", "[lab1][in_bounds]") {
  const Cases undisturbed = all_cases_but(any_fails);
  REQUIRE_THAT(undisturbed, have_none({"memory-errors"}));
  REQUIRE_THAT(undisturbed, have_none({"uninitialized-read"}));
  CHECK_THAT(undisturbed, have_none({"races", "barriers"}));
}

TEST_CASE("lab1: a failed allocation is noticed, and `c` stays as it was", "[lab1][allocation_failure]") {
  REQUIRE_THAT(cases("allocation_failure"), give_right_results());
  REQUIRE_THAT(cases("allocation_failure"), have_none({"memory-errors"}));
  CHECK_THAT(cases("allocation_failure"), SayWhatFailed());
}

TEST_CASE("lab1: a failed launch is noticed, and `c` stays as it was", "[lab1][launch_failure]") {
  REQUIRE_THAT(cases("launch_failure"), give_right_results());
  REQUIRE_THAT(all_cases_but(allocation_fails), have_none({"unchecked-launch"}));
  CHECK_THAT(cases("launch_failure"), SayWhatFailed());
}

TEST_CASE("lab1: all device memory is freed, also when something failed", "[lab1][no_leaks]") {
  CHECK_THAT(all_cases(), have_none({"memory-leak"}));
}

TEST_CASE("lab1: neighbouring threads touch neighbouring elements", "[lab1][coalesced]") {
  CHECK_THAT(counted(cases("coalesced")), TouchNeighbours());
}

TEST_CASE("lab1: the kernel uses the bandwidth of the memory", "[lab1][bandwidth]") {
  CHECK_THAT(speed_of("bandwidth"), is_fast_enough());
}

}  // namespace cudalabs
