// Lab 4: what each line of its rubric asks of a submission.
#include "check/case_name.h"
#include "check/matchers.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/profile/counter_names.h"

namespace cudalabs {
namespace {
using namespace finding_ids;
using vgpu::counter_names::kGlobalLoadBytes;

/// README.md promises the points for a quarter of what one thread an element would fetch; a tile of 4 is enough.
constexpr std::uint64_t kLeastReuse = 4;

/// Bytes the naive product of lab 3 fetches: each of m·p threads reads n values of A and n of B.
std::uint64_t naive_bytes(const datasets::CaseSpec& spec) {
  const auto size = [&](const char* name) { return static_cast<std::uint64_t>(spec.parameters.at(name)); };
  return 2 * size("m") * size("n") * size("p") * sizeof(float);
}

}  // namespace

TEST_CASE("lab4: `tiled_matmul.cu` compiles and defines `tiled_matmul`", "[lab4][compiles]") {
  CHECK_THAT(evidence().build, is_built());
}

TEST_CASE("lab4: square products of whole tiles are right", "[lab4][tile_multiple]") {
  CHECK_THAT(cases("tile_multiple"), give_right_results());
}

TEST_CASE("lab4: rectangular products of whole tiles are right", "[lab4][rectangular]") {
  CHECK_THAT(cases("rectangular"), give_right_results());
}

TEST_CASE("lab4: sizes that no tile divides are right", "[lab4][edges]") {
  CHECK_THAT(cases("edges"), give_right_results());
}

TEST_CASE("lab4: one element, one row, one column and an inner dimension of 1 are right", "[lab4][degenerate]") {
  CHECK_THAT(cases("degenerate"), give_right_results());
}

TEST_CASE("lab4: every element of C is written, and none is NaN or infinite", "[lab4][complete]") {
  CHECK_THAT(all_cases(), write_everything());
}

TEST_CASE("lab4: all threads of a block reach the same barriers", "[lab4][barriers]") {
  CHECK_THAT(all_cases(), have_no_errors({kBarrierDivergence}));
}

TEST_CASE("lab4: no thread reads a tile that another is still writing, or overwrites one that another still reads",
          "[lab4][no_races]") {
  CHECK_THAT(all_cases(), have_no_errors({kSharedRace, kGlobalRace}));
}

TEST_CASE("lab4: nothing is read before it was written", "[lab4][initialized]") {
  CHECK_THAT(all_cases(), have_no_errors({kUninitializedRead}));
}

TEST_CASE("lab4: no thread reads or writes outside A, B, C and its tiles", "[lab4][in_bounds]") {
  CHECK_THAT(all_cases(), have_no_errors(kMemoryErrors));
}

TEST_CASE("lab4: a value fetched from global memory is used by many threads", "[lab4][reuse]") {
  for (const Trial* trial : cases("reuse").trials) {
    const std::uint64_t fetched = total_of(*trial, kGlobalLoadBytes), naive = naive_bytes(trial->test.spec);
    INFO(describe(trial->test.spec) << " fetches " << fetched << " bytes from global memory; one thread an element "
                                    << "would fetch " << naive << ", and at most 1/" << kLeastReuse
                                    << " of that is asked for");
    CHECK(kLeastReuse * fetched <= naive);
  }
}

TEST_CASE("lab4: a launch that fails would be noticed", "[lab4][launch_checked]") {
  CHECK_THAT(all_cases(), have_no_warnings({kUncheckedLaunch}));
}

TEST_CASE("lab4: all device memory that was allocated is freed", "[lab4][no_leaks]") {
  CHECK_THAT(all_cases(), have_no_warnings({kMemoryLeak}));
}

}  // namespace cudalabs
