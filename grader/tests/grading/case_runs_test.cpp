// Which cases are run for their counters, and which one shows accesses.
#include "grading/case_runs.h"
#include "catch.h"

using namespace cudalabs;

TEST_CASE("a case is run for its counters when a check on quality or speed looks at it") {
  Lab lab;
  lab.checks = {{"edges", "", Category::correctness, 1, {}, ""},
                {"reuse", "", Category::quality, 1, {}, ""},
                {"fast", "", Category::speed, 1, {}, ""}};
  datasets::CaseSpec spec;
  CHECK_FALSE(wants_counters(lab, spec));
  spec.tags = {"edges"};
  CHECK_FALSE(wants_counters(lab, spec));
  spec.tags = {"edges", "reuse"};
  CHECK(wants_counters(lab, spec));
  spec.tags = {"fast"};
  CHECK(wants_counters(lab, spec));
}

TEST_CASE("the case to explain is one whose counters matter, else the largest that is shown") {
  Lab lab;
  lab.checks = {{"edges", "", Category::correctness, 1, {}, ""}, {"reuse", "", Category::quality, 1, {}, ""}};
  const auto add = [&](const std::string& name, std::int64_t size, const std::string& tag, bool hidden) {
    datasets::CaseSpec spec;
    spec.name = name;
    spec.parameters = {{"m", size}, {"n", 2}};
    spec.tags = {tag};
    spec.hidden = hidden;
    lab.cases.push_back(spec);
  };
  CHECK(case_to_explain(lab).empty());
  add("small", 8, "edges", false);
  add("large", 64, "edges", false);
  add("as_large", 64, "edges", false);
  add("secret", 512, "reuse", true);
  add("seldom_run", 4096, "edges", false);
  lab.cases.back().large = true;
  CHECK(case_to_explain(lab) == "large");
  add("reused", 32, "reuse", false);
  CHECK(case_to_explain(lab) == "reused");
}
