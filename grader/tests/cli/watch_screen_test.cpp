// The screen of `grade watch` is never longer than the terminal, and keeps the first error.
#include "cli/watch_screen.h"

#include <algorithm>

#include "catch.h"

using namespace cudalabs;

namespace {

std::string lines(int count) {
  std::string text = "error: the first\n";
  for (int i = 1; i < count; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

}  // namespace

TEST_CASE("a short report stands above what changed and what is waited for") {
  CHECK(watch_screen("lab3\n\n", "5 of 100 points (-5)\n  no longer: x\n", "12:00:00  waiting", 24, 80) ==
        "lab3\n\nsince the last grading: 5 of 100 points (-5)\n12:00:00  waiting");
  CHECK(watch_screen("lab3\n", "", "12:00:00  waiting", 24, 80) == "lab3\n\n12:00:00  waiting");
}

TEST_CASE("of a long report the beginning stays") {
  for (int count = 1; count < 60; ++count) {
    CAPTURE(count);
    const std::string text = watch_screen(lines(count), "as before\n", "waiting", 24, 80);
    CHECK(std::ranges::count(text, '\n') + 1 <= 24);
    CHECK(text.starts_with("error: the first\n"));
    CHECK(text.ends_with("\nsince the last grading: as before\nwaiting"));
    CHECK((text.find("... more") != std::string::npos) == (count > 21));
  }
}

TEST_CASE("lines wider than the terminal take the rows that they take, and colours take none") {
  const std::string text = watch_screen(std::string(200, 'x') + "\n" + lines(30), "", "waiting", 12, 80);
  CHECK(std::ranges::count(text, '\n') + 1 == 12 - 2 - 1);  // 3 rows for the first line; the line about changes is free
  const std::string red = "\x1b[1;31m" + std::string(80, 'x') + "\x1b[0m\n";
  CHECK(watch_screen(red + red, "", "waiting", 5, 80).find("more") == std::string::npos);
  CHECK(watch_screen("x\n", std::string(300, 'y'), std::string(300, 'z'), 24, 80).size() < 2 + 1 + 81 + 81);
}
