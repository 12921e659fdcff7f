// Expectations of sample submissions: what they accept, and above all what they must not.
#include "lint/expectation.h"

#include <nlohmann/json.hpp>

#include "catch.h"

using namespace cudalabs::lint;
using Json = nlohmann::json;

namespace {

using Names = std::vector<std::string>;

/// A report with a build check that passed, and these.
Json report(int points, const Names& failed, const Names& errors, const Names& warnings = {}) {
  Json json{{"score", {{"points", points}, {"max", 10}}}, {"checks", Json::array()}, {"findings", Json::array()}};
  json["checks"].push_back({{"id", "compiles"}, {"category", "build"}, {"status", "passed"}, {"points", points}});
  for (const auto& id : failed)
    json["checks"].push_back({{"id", id}, {"category", "sync"}, {"status", "failed"}, {"points", 0}});
  for (const auto& id : errors) json["findings"].push_back({{"id", id}, {"severity", "error"}});
  for (const auto& id : warnings) json["findings"].push_back({{"id", id}, {"severity", "warning"}});
  return json;
}

Expectation of(const std::string& line) {
  const auto parsed = parse_expectation("// EXPECT: " + line);
  REQUIRE(parsed);
  return *parsed;
}

bool meets(const std::string& line, const Json& json, int exit_code) {
  return objection(of(line), json, exit_code).empty();
}

}  // namespace

TEST_CASE("the three forms of an expectation") {
  CHECK(of("full marks") == Expectation{Expectation::Kind::full_marks, {}});
  CHECK(of("full marks with a, b") == Expectation{Expectation::Kind::full_marks, {"a", "b"}});
  CHECK(describe(of("full marks with a")) == "full marks with a");
  CHECK(of("a-b") == Expectation{Expectation::Kind::errors, {"a-b"}});
  CHECK(of(" a-b ,c") == Expectation{Expectation::Kind::errors, {"a-b", "c"}});
  CHECK(of("score < max [no_leaks, edges]") == Expectation{Expectation::Kind::failed_checks, {"edges", "no_leaks"}});
}

TEST_CASE("a second line says what a real GPU makes of it") {
  CHECK(parse_expectation_on_cuda("// ON CUDA: score < max [speed]") ==
        Expectation{Expectation::Kind::failed_checks, {"speed"}});
  CHECK(parse_expectation_on_cuda("// ON CUDA: full marks but for speed") ==
        Expectation{Expectation::Kind::all_but_speed, {}});
  CHECK_FALSE(parse_expectation_by_nvcc("// BY NVCC: full marks but for speed"));
  CHECK_FALSE(parse_expectation_on_cuda("// EXPECT: full marks"));
  CHECK_FALSE(parse_expectation_on_cuda("#include <cuda_runtime.h>"));
}

TEST_CASE("or a second line says what the virtual GPU makes of nvcc's code") {
  CHECK(parse_expectation_by_nvcc("// BY NVCC: full marks") == Expectation{Expectation::Kind::full_marks, {}});
  CHECK_FALSE(parse_expectation_by_nvcc("// ON CUDA: full marks"));
  CHECK_FALSE(parse_expectation_on_cuda("// BY NVCC: full marks"));
}

TEST_CASE("a further line says why a wrong sample differs in more than its bug") {
  CHECK(parse_reason_for_difference("// DIFFERS: one kernel in the place of two") == "one kernel in the place of two");
  CHECK(parse_reason_for_difference("// DIFFERS:") == std::nullopt);
  CHECK(parse_reason_for_difference("// EXPECT: full marks") == std::nullopt);
}

TEST_CASE("anything else is no expectation") {
  for (const char* line : {"", "#include <x>", "// EXPECT:", "// EXPECT: ,", "// EXPECT: a,,b", "// EXPECT: A race",
                           "// EXPECT: score < max", "// EXPECT: full marks with ", "// EXPECT: score < max []",
                           "// expect: full marks"}) {
    INFO(line);
    CHECK_FALSE(parse_expectation(line));
  }
}

TEST_CASE("full marks are all points and nothing worse than advice") {
  CHECK(meets("full marks", report(10, {}, {}), 0));
  CHECK_FALSE(meets("full marks", report(9, {}, {}), 0));
  CHECK_FALSE(meets("full marks", report(10, {}, {}), 1));
  CHECK_FALSE(meets("full marks", report(10, {}, {"shared-race"}), 0));
  CHECK_FALSE(meets("full marks", report(10, {}, {}, {"unchecked-launch"}), 0));
  CHECK(meets("full marks with w", report(10, {}, {}, {"w"}), 0));
  CHECK_FALSE(meets("full marks with w", report(10, {}, {}), 0));
  CHECK_FALSE(meets("full marks with w", report(10, {}, {}, {"w", "v"}), 0));
  CHECK_FALSE(meets("full marks with w", report(10, {}, {"w"}), 0));
  Json empty = report(0, {}, {});
  empty["score"]["max"] = 0;
  CHECK_FALSE(meets("full marks", empty, 0));
}

TEST_CASE("errors are exactly the ones named, and cost points") {
  CHECK(meets("a, b", report(5, {"x"}, {"a", "b", "a"}, {"w"}), 1));
  CHECK_FALSE(meets("a, b", report(5, {"x"}, {"a"}), 1));
  CHECK_FALSE(meets("a", report(5, {"x"}, {"a", "b"}), 1));
  CHECK_FALSE(meets("a", report(5, {"x"}, {}, {"a"}), 1));
  CHECK_FALSE(meets("a", report(10, {}, {"a"}), 1));
  CHECK_FALSE(meets("a", report(5, {"x"}, {"a"}), 0));
  CHECK_FALSE(meets("a", report(5, {"x"}, {"a"}), 3));
}

TEST_CASE("failed checks are exactly the ones named, and wrong results the only error") {
  CHECK(meets("score < max [x, y]", report(5, {"y", "x"}, {}), 1));
  CHECK(meets("score < max [x]", report(5, {"x"}, {"result-mismatch"}), 1));
  CHECK_FALSE(meets("score < max [x]", report(5, {"x", "y"}, {}), 1));
  CHECK_FALSE(meets("score < max [x, y]", report(5, {"x"}, {}), 1));
  CHECK_FALSE(meets("score < max [x]", report(5, {"x"}, {"shared-race"}), 1));
}

TEST_CASE("a skeleton compiles and earns points for nothing else") {
  const Expectation skeleton{Expectation::Kind::builds_and_fails, {}};
  CHECK(objection(skeleton, report(5, {"x"}, {"unwritten-output"}), 1).empty());
  CHECK_FALSE(objection(skeleton, report(10, {}, {}), 0).empty());
  Json praised = report(5, {"x"}, {"unwritten-output"});
  praised["checks"].push_back({{"id", "barriers"}, {"category", "sync"}, {"status", "passed"}, {"points", 2}});
  CHECK_FALSE(objection(skeleton, praised, 1).empty());
  Json broken = report(0, {"x"}, {"build-failed"});
  broken["checks"][0]["status"] = "failed";
  CHECK_FALSE(objection(skeleton, broken, 1).empty());
}

TEST_CASE("full marks but for speed are every point that no clock decides") {
  const Expectation expected{Expectation::Kind::all_but_speed, {}};
  CHECK(objection(expected, report(10, {}, {}), 0).empty());
  CHECK_FALSE(objection(expected, report(5, {"x"}, {}), 1).empty());
  CHECK_FALSE(objection(expected, report(10, {}, {"shared-race"}), 1).empty());
  CHECK_FALSE(objection(expected, report(10, {}, {}), 3).empty());
  Json slow = report(8, {}, {});
  slow["checks"].push_back({{"id", "bandwidth"}, {"category", "speed"}, {"status", "failed"}, {"points", 2}});
  CHECK(objection(expected, slow, 1).empty());
}

TEST_CASE("an error of the grader meets no expectation") {
  Json internal = report(5, {"x"}, {"a"});
  internal["checks"].push_back({{"id", "z"}, {"category", "sync"}, {"status", "error"}, {"points", 0}});
  CHECK_FALSE(meets("a", internal, 1));
  CHECK_FALSE(objection({Expectation::Kind::builds_and_fails, {}}, internal, 1).empty());
}

TEST_CASE("what was got is told") {
  CHECK(objection(of("a"), report(5, {"x"}, {"b"}, {"w"}), 1) ==
        "exit code 1, 5 of 10 points, errors: b, warnings: w, failed checks: x");
}

TEST_CASE("what an attack may earn, and what is as good as its verdict") {
  CHECK(parse_most_points("// AT MOST: 5 points") == 5);
  CHECK(parse_most_points("// AT MOST: 0 points") == 0);
  CHECK(parse_most_points("// AT MOST: 2.5 points") == 2.5);
  for (const char* line : {"// AT MOST: points", "// AT MOST: -1 points", "// AT MOST: nan points", "// AT MOST: 5",
                           "// AT MOST: 5 apples", "// AT MOST: 5x points", "AT MOST: 5 points", ""}) {
    CAPTURE(line);
    CHECK_FALSE(parse_most_points(line));
  }
  CHECK(parse_alternative("// OR: time-budget") == Expectation{Expectation::Kind::errors, {"time-budget"}});
  CHECK_FALSE(parse_alternative("// EXPECT: time-budget"));
  CHECK_FALSE(parse_alternative("// OR: "));
}
