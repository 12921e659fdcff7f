// Lab 2: what each line of its rubric asks of a submission.
#include "check/matchers.h"

namespace cudalabs {
TEST_CASE("lab2: `picture.cu` compiles and defines both functions and the quiz", "[lab2][compiles]") {
  CHECK_THAT(submission_run().build, is_built());
}

TEST_CASE("lab2: the launch quiz is answered correctly", "[lab2][quiz]") {
  CHECK_THAT(cases("quiz"), give_right("quiz"));
}

TEST_CASE("lab2: pictures of whole blocks are doubled correctly", "[lab2][double_whole]") {
  CHECK_THAT(cases("double_whole"), give_right("doubled"));
}

TEST_CASE("lab2: pictures of any size are doubled correctly", "[lab2][double_any]") {
  CHECK_THAT(cases("double_any"), give_right("doubled"));
}

TEST_CASE("lab2: pictures of whole blocks are converted to grey correctly", "[lab2][gray_whole]") {
  CHECK_THAT(cases("gray_whole"), give_right("gray"));
}

TEST_CASE("lab2: pictures of any size are converted to grey correctly", "[lab2][gray_any]") {
  CHECK_THAT(cases("gray_any"), give_right("gray"));
}

TEST_CASE("lab2: no thread touches what is not in its picture, or writes to its input", "[lab2][in_bounds]") {
  REQUIRE_THAT(all_cases(), have_none({"memory-errors"}));
  CHECK_THAT(all_cases(), have_none({"uninitialized-read"}));
}

TEST_CASE("lab2: no two threads write different values to one pixel", "[lab2][no_races]") {
  REQUIRE_THAT(all_cases(), have_none({"races"}));
  CHECK_THAT(all_cases(), have_none({"barriers"}));
}

TEST_CASE("lab2: the program checks whether each launch has failed", "[lab2][launch_checked]") {
  CHECK_THAT(all_cases(), have_none({"unchecked-launch"}));
}

TEST_CASE("lab2: all device memory that was allocated is freed", "[lab2][no_leaks]") {
  CHECK_THAT(all_cases(), have_none({"memory-leak"}));
}

TEST_CASE("lab2: the kernels use the bandwidth of the memory", "[lab2][bandwidth]") {
  CHECK_THAT(speed_of("bandwidth"), is_fast_enough());
}

}  // namespace cudalabs
