// Lab 3: what each line of its rubric asks of a submission.
#include "check/matchers.h"

namespace cudalabs {
TEST_CASE("lab3: `matmul.cu` compiles and defines `matmul`", "[lab3][compiles]") {
  CHECK_THAT(submission_run().build, is_built());
}

TEST_CASE("lab3: square products are correct", "[lab3][square]") {
  CHECK_THAT(cases("square"), give_right_results());
}

TEST_CASE("lab3: rectangular products are correct", "[lab3][rectangular]") {
  CHECK_THAT(cases("rectangular"), give_right_results());
}

TEST_CASE("lab3: sizes that are no multiple of the block are correct", "[lab3][edges]") {
  CHECK_THAT(cases("edges"), give_right_results());
}

TEST_CASE("lab3: one element, one row, one column and an inner dimension of 1 are correct", "[lab3][degenerate]") {
  CHECK_THAT(cases("degenerate"), give_right_results());
}

TEST_CASE("lab3: every element of C is written, and none is NaN or infinite", "[lab3][complete]") {
  CHECK_THAT(all_cases(), write_everything());
}

TEST_CASE("lab3: no thread reads or writes outside A, B and C, or writes to A or B", "[lab3][in_bounds]") {
  CHECK_THAT(all_cases(), have_none({"memory-errors"}));
}

TEST_CASE("lab3: no two threads touch the same element without order", "[lab3][no_races]") {
  CHECK_THAT(all_cases(), have_none({"races", "barriers"}));
}

TEST_CASE("lab3: nothing is read before it was written", "[lab3][initialized]") {
  CHECK_THAT(all_cases(), have_none({"uninitialized-read"}));
}

TEST_CASE("lab3: the program checks whether each launch has failed", "[lab3][launch_checked]") {
  CHECK_THAT(all_cases(), have_none({"unchecked-launch"}));
}

TEST_CASE("lab3: all device memory that was allocated is freed", "[lab3][no_leaks]") {
  CHECK_THAT(all_cases(), have_none({"memory-leak"}));
}

TEST_CASE("lab3: the product is far faster than on one core of the host", "[lab3][host_speedup]") {
  CHECK_THAT(speed_of("host_speedup"), is_fast_enough());
}

TEST_CASE("lab3: the product is far faster than with uncoalesced accesses", "[lab3][coalesced_speedup]") {
  CHECK_THAT(speed_of("coalesced_speedup"), is_fast_enough());
}

}  // namespace cudalabs
