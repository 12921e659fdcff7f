// Who has handed something in for a lab, and who has not.
#include "course_cli/class_missing.h"

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::course;

namespace {

Standing of(const std::string& student, State state, const std::string& digest = {}) {
  Standing standing;
  standing.student = student;
  standing.lab = "lab3";
  standing.state = state;
  if (!digest.empty()) {
    standing.attempt.emplace();
    standing.attempt->digest = digest;
  }
  return standing;
}

ClassData some_class() {
  ClassData data;
  data.students = {{"s1", "Ada", "", "", {}},
                   {"s2", "", "", "", {}},
                   {"s3", "Alan Turing", "at@x.org", "", {}},
                   {"s4", "", "", "", {}}};
  data.standings = {of("s1", State::graded, "a"), of("s2", State::waiting, "a"), of("s3", State::nothing),
                    of("s4", State::refused)};
  return data;
}

}  // namespace

TEST_CASE("it is said how many handed in, and how to see who did not") {
  ClassData data = some_class();
  CHECK(shown_hand_ins(data, "lab3", true, "d") ==
        "lab3: 3 of 4 students handed in (1 different file), 1 did not: grade class missing lab3 --out d lists that "
        "student");
  CHECK(shown_missing(data, "lab3") == std::vector<std::string>{"s3 Alan Turing <at@x.org>"});
  data.standings[0] = of("s1", State::nothing);
  CHECK(shown_hand_ins(data, "lab3", true, "d") ==
        "lab3: 2 of 4 students handed in (1 different file), 2 did not: grade class missing lab3 --out d lists them");
  CHECK(shown_missing(data, "lab3").size() == 2);
}

TEST_CASE("where everybody handed in, or nobody knows who could have, nobody is missing") {
  ClassData data = some_class();
  data.standings[2] = of("s3", State::graded, "b");
  CHECK(shown_hand_ins(data, "lab3", true, "d") == "lab3: 4 of 4 students handed in (2 different files)");
  CHECK(shown_hand_ins(data, "lab3", false, "d") ==
        "lab3: 4 students handed in (2 different files); without --roster nobody knows who did not");
  CHECK(shown_missing(data, "lab1").empty());
}
