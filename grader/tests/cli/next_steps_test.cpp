// What a student is told to do next.
#include "cli/next_steps.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;

namespace {

using Steps = std::vector<std::string>;

Lab lab() {
  Lab made;
  made.id = "lab3";
  made.slug = "lab3_naive_matmul";
  return made;
}

Report report(double points, CheckStatus status) {
  Report made;
  made.points = points;
  made.max = 10;
  made.checks = {{"edges", "edges are right", Category::correctness, points, 10, status, "", ""}};
  return made;
}

}  // namespace

TEST_CASE("after points were lost the same is graded again, or a hint is asked for") {
  const Report failed = report(5, CheckStatus::failed);
  CHECK(next_steps(lab(), failed, {}, "lab4_tiled_matmul", {}) ==
        Steps{"when it is fixed: make lab3 && ./grade lab3",
              "stuck? read labs/lab3_naive_matmul/README.md, or ./grade hint lab3"});
  GradeCommand command;
  command.target.submission = "my.cu";
  CHECK(next_steps(lab(), failed, command, "", {}) ==
        Steps{"stuck? read labs/lab3_naive_matmul/README.md, or ./grade hint lab3 --submission my.cu"});
  command.target.submission = "my own/a's.cu";
  CHECK(next_steps(lab(), failed, command, "", {})[0].ends_with(R"(hint lab3 --submission 'my own/a'\''s.cu')"));
  command.target = {};
  command.target.solution = true;
  CHECK(next_steps(lab(), failed, command, "", {})[0].ends_with("hint lab3 --solution"));
}

TEST_CASE("who has wrong pixels is told how to see them, without a path a second time") {
  Lab made = lab();
  made.generator = "picture";
  Report failed = report(5, CheckStatus::failed);
  Finding wrong;
  wrong.id = finding_ids::kResultMismatch;
  failed.findings = {wrong};
  GradeCommand command;
  CHECK(next_steps(made, failed, command, "", {})[1] == "see the wrong pixels: ./grade lab3 --pictures DIR");
  command.target.submission = "my.cu";
  CHECK(next_steps(made, failed, command, "", {})[0] == "see the wrong pixels: add --pictures DIR to the command");
}

TEST_CASE("words of commands are quoted where a shell would take them apart") {
  CHECK(typed_word("labs/lab3_x/matmul-2.cu") == "labs/lab3_x/matmul-2.cu");
  CHECK(typed_word("Lösung.cu") == "Lösung.cu");
  CHECK(typed_word("my file.cu") == "'my file.cu'");
  CHECK(typed_word("a$(b).cu") == "'a$(b).cu'");
  CHECK(typed_word("a'b") == R"('a'\''b')");
  CHECK(typed_word("") == "''");
}

TEST_CASE("after full marks comes the next lab, and a closer look") {
  const Report full = report(10, CheckStatus::passed);
  CHECK(next_steps(lab(), full, {}, "lab4_tiled_matmul", {}) ==
        Steps{"next: labs/lab4_tiled_matmul, then make lab4 && ./grade lab4",
              "see how a warp accesses memory: ./grade lab3 --explain"});
  GradeCommand command;
  command.explain = "";
  CHECK(next_steps(lab(), full, command, "", {}).empty());
}

TEST_CASE("an installed grader names commands that work in any folder") {
  const Invocation installed{.name = "cudalabs-grade", .typed = "cudalabs-grade", .installed = true};
  Lab made = lab();
  made.folder = "/share/lab3_naive_matmul";
  CHECK(next_steps(made, report(5, CheckStatus::failed), {}, "lab4_tiled_matmul", installed) ==
        Steps{"when it is fixed: cudalabs-grade lab3",
              "stuck? read /share/lab3_naive_matmul/README.md, or cudalabs-grade hint lab3"});
  CHECK(next_steps(made, report(10, CheckStatus::passed), {}, "lab4_tiled_matmul", installed) ==
        Steps{"next: cudalabs-grade start lab4", "see how a warp accesses memory: cudalabs-grade lab3 --explain"});
}

TEST_CASE("a failure of the grader is nobody's who is graded") {
  const Steps steps = next_steps(lab(), report(0, CheckStatus::error), {}, "", {});
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].starts_with("the grader failed, not your program"));
}
