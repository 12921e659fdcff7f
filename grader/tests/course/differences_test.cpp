// Who has other points than before, and why.
#include "course/differences.h"

#include "catch.h"
#include "class_fixture.h"

using namespace cudalabs;
using namespace cudalabs::course;
using namespace cudalabs::test;

namespace {

void fill(SmallClass& small, const std::string& text, bool all, const std::string& grader) {
  small.store.put_roster(read_roster("id\ns1\ns2\n", "r"));
  Collected collected;
  collected.attempts = {made_up_attempt("lab3", "s1", text), made_up_attempt("lab3", "s2", "same")};
  small.store.put_collected("/in", {"lab3"}, collected);
  Grading grading = made_up_grading("lab3", text, all);
  grading.audit.grader = grader;
  small.store.add(grading);
  small.store.add(made_up_grading("lab3", "same", true));
}

}  // namespace

TEST_CASE("equal classes do not differ") {
  SmallClass one, other;
  fill(one, "a", true, "g");
  fill(other, "a", true, "g");
  CHECK(differences(one.store, one.data(), other.store, other.data()).empty());
}

TEST_CASE("every reason for other points is said") {
  SmallClass before, after;
  fill(before, "a", false, "g");
  fill(after, "b", true, "other");
  after.store.add(Adjustment{.student = "s1", .lab = "lab3", .points = -4, .reason = "r", .by = "b", .made = 1});
  const auto all = differences(before.store, before.data(), after.store, after.data());
  REQUIRE(all.size() == 1);
  CHECK(shown(all[0]) ==
        "s1 lab3: 60 -> 96: another file; another grader (c, then c); by hand: 0, then -4; "
        "edges: failed (0), then passed (40)");
}

TEST_CASE("what was used is said, whatever was asked for") {
  SmallClass before, after;
  fill(before, "a", false, "g");
  fill(after, "a", false, "g");
  Grading again = made_up_grading("lab3", "a", true);
  again.settings.sandbox = "C";
  again.audit.used.sandbox = "C (Landlock)";
  again.audit.used.device = "NVIDIA H200";
  after.store.add(again);
  const auto all = differences(before.store, before.data(), after.store, after.data());
  REQUIRE(all.size() == 1);
  CHECK(shown(all[0]) ==
        "s1 lab3: 60 -> 100: device: virtual (T4), then NVIDIA H200; sandbox: A (bubblewrap), then C (Landlock); "
        "edges: failed (0), then passed (40)");
}

TEST_CASE("who is new or gone differs") {
  SmallClass before, after;
  fill(before, "a", true, "g");
  fill(after, "a", true, "g");
  after.store.put_roster(read_roster("id\ns1\ns2\ns9\n", "r"));
  const auto all = differences(before.store, before.data(), after.store, after.data());
  REQUIRE(all.size() == 1);
  CHECK(shown(all[0]) == "s9 lab3: not in the class -> nothing handed in");
  CHECK(shown(all, compared_rows(before.data(), after.data())) == "1 of 3 rows differs");
  // Those who are gone count, too.
  CHECK(shown({all[0], all[0]}, compared_rows(after.data(), before.data())) == "2 of 3 rows differ");
}

TEST_CASE("runs of one class are compared: who got other points, and why") {
  SmallClass small;
  small.store.put_roster(read_roster("id\ns1\ns2\ns3\ns4\n", "r"));
  Collected collected;
  for (const char* student : {"s1", "s2", "s3"})
    collected.attempts.push_back(made_up_attempt("lab3", student, std::string("of ") + student));
  small.store.put_collected("/in", {"lab3"}, collected);
  const auto grade = [&](std::int64_t run, const std::string& student, bool all, const std::string& grader) {
    Grading grading = made_up_grading("lab3", "of " + student, all);
    grading.audit.grader = grader;
    grading.run = run;
    small.store.add(grading);
  };
  grade(1, "s1", false, "g");
  grade(1, "s2", true, "g");
  small.store.add(Adjustment{.student = "s2", .lab = "lab3", .points = -4, .reason = "r", .by = "b", .made = 1});
  // Then another grader, and what s2 handed in since. s3 was not graded in the first run.
  Collected later;
  later.attempts = {made_up_attempt("lab3", "s2", "of s2, again")};
  small.store.put_collected("/later", {"lab3"}, later);
  grade(2, "s1", true, "other");
  grade(2, "s2, again", false, "g");
  grade(2, "s3", true, "g");
  std::vector<std::string> lines;
  for (const Difference& each : differences(small.store, small.data(1), small.store, small.data(2)))
    lines.push_back(shown(each));
  CHECK(lines ==
        std::vector<std::string>{"s1 lab3: 60 -> 100: another grader (c, then c); edges: failed (0), then passed (40)",
                                 "s2 lab3: 96 -> 56: another file; edges: passed (40), then failed (0)",
                                 "s3 lab3: waiting -> 100"});
  CHECK(differences(small.store, small.data(2), small.store, small.data()).empty());
}
