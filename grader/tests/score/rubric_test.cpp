// The rule that rubric and test cases belong together: what it must object to.
#include "score/rubric.h"

#include "catch.h"

using namespace cudalabs;

namespace {

Lab two_checks() {
  Lab lab;
  lab.id = "lab9";
  lab.checks = {{"a", "A is right", Category::correctness, 5, {}, ""},
                {"b", "B is right", Category::correctness, 5, {"a"}, ""}};
  return lab;
}

const TestCase kA{"lab9: A is right", {"lab9", "a"}};
const TestCase kB{"lab9: B is right", {"lab9", "b"}};

/// The only fault there must be.
std::string fault(const Lab& lab, const std::vector<TestCase>& registered) {
  const auto faults = rubric_faults({lab}, registered);
  REQUIRE(faults.size() == 1);
  return faults[0];
}

}  // namespace

TEST_CASE("a rubric and its test cases") {
  CHECK(rubric_faults({two_checks()}, {kA, kB}).empty());
}

TEST_CASE("a check without a test case") {
  CHECK(fault(two_checks(), {kA}) == "`b` of lab9 is decided by 0 test cases, not one");
}

TEST_CASE("a check with two test cases") {
  CHECK(fault(two_checks(), {kA, kB, kB}) == "`b` of lab9 is decided by 2 test cases, not one");
}

TEST_CASE("a test case that decides nothing") {
  CHECK(fault(two_checks(), {kA, kB, {"lab9: C is right", {"lab9", "c"}}}) ==
        "test case \"lab9: C is right\" decides 0 checks, not one");
  CHECK(fault(two_checks(), {kA, kB, {"lab8: A is right", {"lab8", "a"}}}) ==
        "test case \"lab8: A is right\" decides 0 checks, not one");
}

TEST_CASE("a test case that decides two checks") {
  const auto faults = rubric_faults({two_checks()}, {{"lab9: A is right", {"lab9", "a", "b"}}});
  CHECK(faults == std::vector<std::string>{"test case \"lab9: A is right\" decides 2 checks, not one"});
}

TEST_CASE("a test case that earns nothing") {
  Lab lab = two_checks();
  lab.checks[1].points = 0;
  CHECK(fault(lab, {kA, kB}) == "test case \"lab9: B is right\" decides `b` of lab9, which earns no points");
}

TEST_CASE("a test case called otherwise than its check") {
  CHECK(fault(two_checks(), {kA, {"lab9: b", {"lab9", "b"}}}) ==
        "test case \"lab9: b\" should be called \"lab9: B is right\"");
}

TEST_CASE("a need that stands later, or nowhere") {
  Lab lab = two_checks();
  std::swap(lab.checks[0], lab.checks[1]);
  CHECK(fault(lab, {kA, kB}) == "`b` of lab9 needs `a`, which does not stand before it");
  lab = two_checks();
  lab.checks[1].needs = {"zzz"};
  CHECK(fault(lab, {kA, kB}) == "`b` of lab9 needs `zzz`, which does not stand before it");
}
