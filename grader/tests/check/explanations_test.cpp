// Explanations of a lab: the first that applies, in the lab's words, and those that cannot be given.
#include "check/explanations.h"

#include <stdexcept>

#include "catch.h"
#include "check/mismatch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

std::optional<Detected> all_wrong(const Comparison& comparison, const datasets::Case&, std::optional<BlockShape>) {
  const std::int64_t wrong = comparison.count(Fault::wrong);
  if (wrong < comparison.elements()) return Detected{"test_some_wrong", {{"wrong", wrong}}};
  return Detected{"test_all_wrong", {{"wrong", wrong}, {"rows", comparison.grid().rows}}};
}
const RegisterDetector kAllWrong({{"test_all_wrong",
                                   {"wrong", "rows"},
                                   {{CauseLine::Kind::origin, vgpu::OriginKind::loop}, {CauseLine::Kind::last_launch}}},
                                  {"test_some_wrong", {"wrong"}}},
                                 all_wrong);

std::optional<Detected> nothing(const Comparison&, const datasets::Case&, std::optional<BlockShape>) {
  return std::nullopt;
}
const RegisterDetector kNothing({{"test_nothing", {}}, {"test_run", {"first", "last", "n"}}}, nothing);

Comparison wrong_everywhere() {
  return compare(float_matrix("c", 2, 3, [](auto, auto) { return 1e6; }), expected_matrix(2, 3));
}

const Explanation kAll{"test_all_wrong", "{wrong} wrong in {rows} rows", "count {rows}"};
const Explanation kSome{"test_some_wrong", "some wrong", "look"};
const Explanation kSilent{"test_nothing", "never said", ""};

std::optional<ValuePattern> explained(const std::vector<Explanation>& explanations) {
  return explain(explanations, wrong_everywhere(), {}, std::nullopt);
}

}  // namespace

TEST_CASE("the first explanation that applies is given in the lab's words") {
  const auto pattern = explained({kSilent, kSome, kAll});
  REQUIRE(pattern);
  CHECK(pattern->what == "6 wrong in 2 rows");
  CHECK(pattern->help == "count 2");
}

TEST_CASE("a run of one element is told in the singular") {
  const Explanation run{"test_run", "elements {first} to {last} of {n} are not in it", "look at {first}"};
  const auto what = [&](std::int64_t last) {
    return words_for({"test_run", {{"first", 3}, {"last", last}, {"n", 16}}}, std::span(&run, 1))->what;
  };
  CHECK(words_for({"test_run", {{"first", 3}, {"n", 16}, {"last", 3}}}, std::span(&run, 1))->numbers ==
        std::map<std::string, std::int64_t>{{"first", 3}, {"last", 3}, {"n", 16}});
  CHECK(what(3) == "element 3 of 16 is not in it");
  CHECK(what(5) == "elements 3 to 5 of 16 are not in it");
}

TEST_CASE("what the lab has no words for is not explained") {
  CHECK_FALSE(explained({}));
  CHECK_FALSE(explained({kSilent}));
  CHECK_FALSE(explained({kSome}));
}

TEST_CASE("a lab's explanation goes before what holds for any array") {
  datasets::Case test;
  test.spec.name = "x";
  const auto found = mismatches_of(wrong_everywhere(), test, std::nullopt, std::vector{kAll});
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0].finding.message, contains_text("; 6 wrong in 2 rows"));
  CHECK(found[0].finding.help == "count 2");
}

TEST_CASE("an explanation that cannot be given says why") {
  CHECK(fault_of(kAll).empty());
  CHECK_THAT(fault_of({"test_all_wrog", "x", "y"}), contains_text("did you mean \"test_all_wrong\"?"));
  CHECK_THAT(fault_of({"test_all_wrong", "{columns} wrong", "y"}), contains_text("none of {wrong}, {rows}"));
  CHECK_THAT(fault_of({"test_some_wrong", "some", "{"}), contains_text("none of {wrong}"));
  CHECK_THROWS_AS(explained({{"test_all_wrong", "{columns}", ""}}), std::runtime_error);
  CHECK_THROWS_AS(RegisterDetector({{"test_nothing", {}}}, nothing), std::logic_error);
}

TEST_CASE("an answer of a detector says to which lines it leads") {
  CHECK(causes_of("test_nothing").empty());
  CHECK(causes_of("no_such_detector").empty());
  REQUIRE(causes_of("test_all_wrong").size() == 2);
  CHECK(causes_of("test_all_wrong")[1].kind == CauseLine::Kind::last_launch);
  CHECK(leads_to("test_all_wrong", CauseLine::Kind::last_launch));
  CHECK_FALSE(leads_to("test_all_wrong", CauseLine::Kind::first_launch));
  CHECK_FALSE(leads_to("no_such_detector", CauseLine::Kind::origin));
}
