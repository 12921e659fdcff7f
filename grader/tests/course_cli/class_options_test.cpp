// The command line of `grade class`.
#include "course_cli/class_options.h"

#include "catch.h"
#include "cli/usage_error.h"
#include "course_cli/class_progress.h"

using namespace cudalabs;

namespace {

template <typename Wanted>
Wanted parsed(const std::vector<std::string>& arguments) {
  const ClassCommand command = parse_class_command(arguments);
  REQUIRE(std::holds_alternative<Wanted>(command));
  return std::get<Wanted>(command);
}

}  // namespace

TEST_CASE("a class is graded with the defaults of a single grading") {
  const auto command = parsed<ClassGradeCommand>({"lab3", "in.zip", "--out", "d"});
  CHECK(command.lab == "lab3");
  CHECK(command.submissions == "in.zip");
  CHECK(command.out == "d");
  CHECK(command.device == DeviceChoice::automatic);
  CHECK_FALSE(command.jobs);
  CHECK(command.pages);
  CHECK(command.tries_patches);
}

TEST_CASE("every option of grading a class") {
  const auto command =
      parsed<ClassGradeCommand>({"all",       "in",     "--out",     "d",        "--roster",   "r.csv",       "--jobs",
                                 "3",         "--seed", "7",         "--device", "virtual",    "--frontend",  "nvcc",
                                 "--sandbox", "B",      "--regrade", "lab3,s1",  "--no-pages", "--no-patches"});
  CHECK(command.roster == "r.csv");
  CHECK(command.jobs == 3u);
  CHECK(command.seed == 7u);
  CHECK(command.device == DeviceChoice::virtual_gpu);
  CHECK(command.frontend == FrontendChoice::nvcc);
  CHECK(command.sandbox == 'B');
  CHECK(command.regrade == std::vector<std::string>{"lab3", "s1"});
  CHECK_FALSE(command.pages);
  CHECK_FALSE(command.tries_patches);
}

TEST_CASE("a cluster's options stand behind the sign, and the words that follow are the class's own") {
  CHECK(parsed<ClassGradeCommand>({"--slurm", "lab3", "in", "--out", "d"}).slurm == "");
  const auto command =
      parsed<ClassGradeCommand>({"lab3", "in", "--out", "d", "--slurm=--partition=short --time=30", "--shards", "4"});
  CHECK(command.slurm == "--partition=short --time=30");
  CHECK(command.shards == 4u);
  CHECK_FALSE(parsed<ClassGradeCommand>({"lab3", "in", "--out", "d"}).slurm);
  CHECK_THROWS_AS(parse_class_command({"lab3", "in", "--out", "d", "--shards", "4"}), UsageError);
  CHECK_THROWS_AS(parse_class_command({"lab3", "in", "--out", "d", "--slurm", "--similar"}), UsageError);
  CHECK(parsed<ClassShardCommand>({"shard", "d/slurm/1"}).folder == "d/slurm/1");
  CHECK(parsed<ClassShardCommand>({"shard", "d/slurm/1"}).tries_patches);
  CHECK_FALSE(parsed<ClassShardCommand>({"shard", "d/slurm/1", "--no-patches"}).tries_patches);
  CHECK(parsed<ClassCollectCommand>({"collect", "--out", "d"}).out == "d");
}

TEST_CASE("submissions are compared after grading, or by themselves") {
  CHECK(parsed<ClassGradeCommand>({"lab3", "in", "--out", "d", "--similar"}).similar);
  const auto command = parsed<ClassSimilarCommand>({"similar", "lab3", "--out", "d", "--jobs", "2"});
  CHECK(command.lab == "lab3");
  CHECK(command.out == "d");
  CHECK(command.jobs == 2u);
  CHECK_THROWS_AS(parse_class_command({"similar", "lab3"}), UsageError);
}

TEST_CASE("what is done with gradings that are there") {
  const auto adjust =
      parsed<ClassAdjustCommand>({"adjust", "lab3", "s1", "--points", "-2.5", "--reason", "r", "--out", "d"});
  CHECK(adjust.points == -2.5);
  CHECK(adjust.reason == "r");
  CHECK(parsed<ClassMissingCommand>({"missing", "lab3", "--out", "d"}).lab == "lab3");
  const auto diff = parsed<ClassDiffCommand>({"diff", "a", "b"});
  CHECK(diff.before == "a");
  CHECK(diff.after == "b");
  CHECK(parsed<ClassDiffCommand>({"diff", "a"}).after.empty());
  CHECK(parsed<ClassDiffCommand>({"diff", "a", "--runs", "1,3"}).runs == std::vector<std::int64_t>{1, 3});
  CHECK(parsed<ClassRunsCommand>({"runs", "--out", "d"}).out == "d");
  const auto exported = parsed<ClassExportCommand>(
      {"export", "canvas", "--out", "d", "--from", "g.csv", "--to", "o.csv", "--lab", "lab3", "--missing-zero"});
  CHECK(exported.format == "canvas");
  CHECK(exported.from == "g.csv");
  CHECK(exported.lab == "lab3");
  CHECK(exported.missing_is_zero);
  CHECK(parsed<ClassPagesCommand>({"pages", "--out", "d"}).out == "d");
  CHECK(parsed<ClassHelpCommand>({"--help"}).text.find("SUBMISSIONS") != std::string::npos);
}

TEST_CASE("the help of a command is called as the command is") {
  for (const char* command : {"adjust", "export", "diff", "missing"}) {
    const std::string text = parsed<ClassHelpCommand>({command, "--help"}).text;
    CAPTURE(text);
    CHECK(text.find(std::string("Usage: grade class ") + command) != std::string::npos);
    CHECK(text.find("A second run") == std::string::npos);
  }
  CHECK(parsed<ClassHelpCommand>({"--help"}).text.find("A second run") != std::string::npos);
}

TEST_CASE("a word that is neither a command nor a lab is named") {
  CHECK_THROWS_WITH(parse_class_command({"exprot"}),
                    "`exprot` is no command of grade class, and no lab; did you mean \"export\"?");
  CHECK_THROWS_WITH(
      parse_class_command({"status", "--out", "d"}),
      Catch::Matchers::StartsWith("`status` is no command of grade class, and no lab; known: \"missing\", "));
  CHECK_THROWS_WITH(parse_class_command({"lab3"}), Catch::Matchers::StartsWith("grade class LAB SUBMISSIONS"));
}

TEST_CASE("what is not understood is refused") {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"lab3"},
                                             {"lab3", "in"},
                                             {"export", "excel", "--out", "d"},
                                             {"export", "csv"},
                                             {"diff"},
                                             {"diff", "a", "--runs", "1"},
                                             {"diff", "a", "b", "--runs", "1,2"},
                                             {"lab3", "in", "--out", "d", "--jobs", "0"},
                                             {"adjust", "lab3", "s1", "--points", "1", "--out", "d"}}) {
    CAPTURE(arguments);
    CHECK_THROWS_AS(parse_class_command(arguments), UsageError);
  }
}

TEST_CASE("progress says how far, how fast and how long still") {
  using std::chrono::duration;
  CHECK(shown_progress({.done = 0, .all = 300, .failed = 0, .elapsed = {}}) == "0 of 300 graded");
  CHECK(shown_progress({.done = 10, .all = 300, .failed = 1, .elapsed = duration<double>(60)}) ==
        "10 of 300 graded, 1 without a verdict, 10 a minute, about 29 min left");
  CHECK(shown_progress({.done = 9, .all = 10, .failed = 0, .elapsed = duration<double>(90)}) ==
        "9 of 10 graded, 6 a minute, about 10 s left");
  CHECK(shown_progress({.done = 10, .all = 10, .failed = 0, .elapsed = duration<double>(60)}) ==
        "10 of 10 graded, 10 a minute");
  CHECK(shown_progress({.done = 4, .all = 4, .failed = 0, .elapsed = duration<double>(0.09)}) == "4 of 4 graded");
  CHECK(shown_progress({.done = 1, .all = 2, .failed = 0, .elapsed = duration<double>(300)}) ==
        "1 of 2 graded, about 5 min left");
}
