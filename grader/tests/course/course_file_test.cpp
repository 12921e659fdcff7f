// course.toml.
#include "course/course_file.h"

#include "catch.h"
#include "sandbox/temporary_folder.h"

using namespace cudalabs::course;

namespace {

Course read(const std::string& text) {
  const cudalabs::sandbox::TemporaryFolder folder;
  const std::filesystem::path file = folder.write("course.toml", text);
  try {
    return read_course(file, {"lab1", "lab3"});
  } catch (const std::exception& error) {
    // Without the folder, whose name is another every time.
    throw std::runtime_error(std::string(error.what()).substr(folder.path().native().size() + 1));
  }
}

}  // namespace

TEST_CASE("a whole course") {
  const Course course = read(R"(title = "CUDA"
attempt = "best"
[late]
percent_per_day = 10
grace_minutes = 15
most_days = 5
file_times = true
[[labs]]
lab = "lab3"
weight = 2
deadline = 2026-11-20T23:59:00+01:00
canvas = "Lab 3"
[[extra_time]]
student = "s1"
lab = "lab3"
days = 2
hours = 12
reason = "ill"
[[extra_time]]
student = "s2"
hours = 1
)");
  CHECK(course.title == "CUDA");
  CHECK(course.counted == Counted::best);
  CHECK(course.late.percent_per_day == 10);
  CHECK(course.late.grace_seconds == 900);
  CHECK(course.late.most_days == 5u);
  CHECK(course.late.file_times);
  REQUIRE(course.find("lab3") != nullptr);
  CHECK(course.find("lab3")->deadline == 1795215540);
  CHECK(course.weight("lab3") == 2);
  CHECK(course.weight("lab1") == 1);
  CHECK(course.extra_seconds("s1", "lab3") == 60 * 3600);
  CHECK(course.extra_seconds("s1", "lab1") == 0);
  CHECK(course.extra_seconds("s2", "lab1") == 3600);
}

TEST_CASE("extra time of nobody is told with its line and the id that is near") {
  const Course course = read(
      "[[extra_time]]\nstudent = \"s1001\"\ndays = 1\n[[extra_time]]\nstudent = \"s1O02\"\ndays = 1\n"
      "[[extra_time]]\ndays = 1\nstudent = \"zzzzz\"\n");
  const std::vector<std::string> expected{
      "c.toml:5: `student` in [[extra_time]] is \"s1O02\", the id of nobody in this class; did you mean \"s1002\"?",
      "c.toml:9: `student` in [[extra_time]] is \"zzzzz\", the id of nobody in this class"};
  CHECK(extra_time_of_nobody(course, "c.toml", {"s1001", "s1002"}) == expected);
}

TEST_CASE("an empty file is a course without rules") {
  const Course course = read("");
  CHECK(course.counted == Counted::last);
  CHECK(course.late.percent_per_day == 0);
  CHECK(course.find("lab1") == nullptr);
}

TEST_CASE("what cannot be meant is refused with its line") {
  CHECK_THROWS_WITH(read("titel = \"x\"\n"), "course.toml:1: unknown key `titel`; did you mean \"title\"?");
  CHECK_THROWS_WITH(read("\n[late]\npercent = 3\n"), Catch::Matchers::StartsWith("course.toml:3: unknown key"));
  CHECK_THROWS_WITH(read("[[labs]]\nlab = \"lab4\"\n"),
                    Catch::Matchers::StartsWith("course.toml:2: `lab` is \"lab4\""));
  CHECK_THROWS_WITH(read("[[labs]]\nlab = \"lab1\"\n[[labs]]\nlab = \"lab1\"\n"),
                    "course.toml:3: \"lab1\" has a table already");
  CHECK_THROWS_WITH(read("[[labs]]\nlab = \"lab1\"\ndeadline = 2026-11-20T23:59:00\n"),
                    "course.toml:3: `deadline` in [[labs]] must be a date and time with an offset: "
                    "2026-11-20T23:59:00+01:00");
  CHECK_THROWS_WITH(read("attempt = \"first\"\n"), "course.toml:1: `attempt` is \"first\"; it is \"last\" or \"best\"");
  CHECK_THROWS_WITH(read("[late]\npercent_per_day = 101\n"), cudalabs::contains_text("more than 100"));
  CHECK_THROWS_WITH(read("[[extra_time]]\nstudent = \"s\"\n"), cudalabs::contains_text("neither `days` nor `hours`"));
}
