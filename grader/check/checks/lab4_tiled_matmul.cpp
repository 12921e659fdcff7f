// Lab 4: what each line of its rubric asks of a submission.
#include <fmt/format.h>

#include "check/matchers.h"
#include "vgpu/profile/counter_names.h"

namespace cudalabs {
namespace {
using vgpu::counter_names::kGlobalLoadBytes;

/// Fetches at most a quarter of what one thread an element would: README.md promises the points for that.
class ReuseWhatTheyFetch : public CaseMatcher {
  static constexpr std::uint64_t kLeastReuse = 4;

  std::string objection(const CaseRun& case_run) const override {
    const auto size = [&](const char* name) {
      return static_cast<std::uint64_t>(case_run.test.spec.parameters.at(name));
    };
    // Lab 3's kernel: each of m·p threads reads n values of A and n of B.
    const std::uint64_t naive = 2 * size("m") * size("n") * size("p") * sizeof(float);
    const auto fetched = total_of(case_run, kGlobalLoadBytes);
    if (!fetched) return why_uncounted(case_run);
    if (kLeastReuse * *fetched <= naive) return {};
    return fmt::format("fetches {} bytes from global memory; lab 3's kernel fetches {}, and this one may fetch {}",
                       *fetched, naive, naive / kLeastReuse);
  }
  std::string_view property() const override { return "did not reuse what they fetched"; }
};

}  // namespace

TEST_CASE("lab4: `tiled_matmul.cu` compiles and defines `tiled_matmul`", "[lab4][compiles]") {
  CHECK_THAT(submission_run().build, is_built());
}

TEST_CASE("lab4: square products of whole tiles are correct", "[lab4][tile_multiple]") {
  CHECK_THAT(cases("tile_multiple"), give_right_results());
}

TEST_CASE("lab4: rectangular products of whole tiles are correct", "[lab4][rectangular]") {
  CHECK_THAT(cases("rectangular"), give_right_results());
}

TEST_CASE("lab4: sizes that are no multiple of the tile are correct", "[lab4][edges]") {
  CHECK_THAT(cases("edges"), give_right_results());
}

TEST_CASE("lab4: one element, one row, one column and an inner dimension of 1 are correct", "[lab4][degenerate]") {
  CHECK_THAT(cases("degenerate"), give_right_results());
}

TEST_CASE("lab4: every element of C is written, and none is NaN or infinite", "[lab4][complete]") {
  CHECK_THAT(all_cases(), write_everything());
}

TEST_CASE("lab4: all threads of a block reach the same barriers", "[lab4][barriers]") {
  CHECK_THAT(all_cases(), have_none({"barriers"}));
}

TEST_CASE("lab4: no thread reads a tile that another is still writing, or overwrites one that another still reads",
          "[lab4][no_races]") {
  CHECK_THAT(all_cases(), have_none({"races"}));
}

TEST_CASE("lab4: nothing is read before it was written", "[lab4][initialized]") {
  CHECK_THAT(all_cases(), have_none({"uninitialized-read"}));
}

TEST_CASE("lab4: no thread reads or writes outside A, B, C and its tiles, or writes to A or B", "[lab4][in_bounds]") {
  CHECK_THAT(all_cases(), have_none({"memory-errors"}));
}

TEST_CASE("lab4: a value fetched from global memory is used by many threads", "[lab4][reuse]") {
  CHECK_THAT(counted(cases("reuse")), ReuseWhatTheyFetch());
}

TEST_CASE("lab4: the program checks whether each launch has failed", "[lab4][launch_checked]") {
  CHECK_THAT(all_cases(), have_none({"unchecked-launch"}));
}

TEST_CASE("lab4: all device memory that was allocated is freed", "[lab4][no_leaks]") {
  CHECK_THAT(all_cases(), have_none({"memory-leak"}));
}

TEST_CASE("lab4: the product is faster than without tiles", "[lab4][tile_speedup]") {
  CHECK_THAT(speed_of("tile_speedup"), is_fast_enough());
}

}  // namespace cudalabs
