// Lab 5: what each line of its rubric asks of a submission.
#include "check/matchers.h"

namespace cudalabs {
TEST_CASE("lab5: `reduction.cu` compiles and defines `reduce_sum` and `array_sum`", "[lab5][compiles]") {
  CHECK_THAT(submission_run().build, is_built());
}

TEST_CASE("lab5: sums of arrays that one block can add up are correct", "[lab5][one_block]") {
  CHECK_THAT(cases("one_block"), give_right_results());
}

TEST_CASE("lab5: sums of arrays of many blocks are correct", "[lab5][many_blocks]") {
  CHECK_THAT(cases("many_blocks"), give_right_results());
}

TEST_CASE("lab5: sizes that are no multiple of the block are correct", "[lab5][any_size]") {
  CHECK_THAT(cases("any_size"), give_right_results());
}

TEST_CASE("lab5: the sum of no elements is 0", "[lab5][empty]") {
  CHECK_THAT(cases("empty"), give_right_results());
}

TEST_CASE("lab5: float sums are as exact as single precision allows", "[lab5][float_sums]") {
  CHECK_THAT(cases("float_sums"), give_right_results());
}

TEST_CASE("lab5: all threads of a block reach the same barriers", "[lab5][barriers]") {
  CHECK_THAT(all_cases(), have_none({"barriers"}));
}

TEST_CASE("lab5: no step reads what the step before is still writing", "[lab5][no_races]") {
  CHECK_THAT(all_cases(), have_none({"races"}));
}

TEST_CASE("lab5: nothing is read before it was written, or outside its array, and the input stays as it was",
          "[lab5][memory]") {
  REQUIRE_THAT(all_cases(), have_none({"memory-errors"}));
  CHECK_THAT(all_cases(), have_none({"uninitialized-read"}));
}

TEST_CASE("lab5: the program checks whether each launch has failed", "[lab5][launch_checked]") {
  CHECK_THAT(all_cases(), have_none({"unchecked-launch"}));
}

TEST_CASE("lab5: all device memory that was allocated is freed", "[lab5][no_leaks]") {
  CHECK_THAT(all_cases(), have_none({"memory-leak"}));
}

TEST_CASE("lab5: the sum of a long array uses the bandwidth of the memory", "[lab5][bandwidth]") {
  CHECK_THAT(speed_of("bandwidth"), is_fast_enough());
}

}  // namespace cudalabs
