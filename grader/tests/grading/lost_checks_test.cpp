// Which cases are left out because they can cost no more points.
#include "grading/lost_checks.h"

#include "catch.h"

using namespace cudalabs;

namespace {

datasets::CaseSpec spec_of(const std::string& name, std::vector<std::string> tags, bool large = false) {
  datasets::CaseSpec spec;
  spec.name = name;
  spec.tags = std::move(tags);
  spec.large = large;
  return spec;
}

/// Without an output that is expected, whatever finished is right.
CaseRun ended(const datasets::CaseSpec& spec, RunEnd end) {
  CaseRun case_run;
  case_run.test.spec = spec;
  case_run.observed.end = end;
  return case_run;
}

const datasets::CaseSpec kSmall = spec_of("small", {"edges"}), kLarge = spec_of("tall", {"edges"}, true);

}  // namespace

TEST_CASE("a large case is left out where its checks are lost, another is not") {
  LostChecks lost;
  CHECK_FALSE(lost.lost_with(kLarge));
  lost.note(ended(kSmall, RunEnd::finished));
  CHECK_FALSE(lost.lost_with(kLarge));
  lost.note(ended(kSmall, RunEnd::runtime_error));
  CHECK(lost.lost_with(kLarge));
  CHECK_FALSE(lost.lost_with(kSmall));
  CHECK_FALSE(lost.lost_with(spec_of("both", {"edges", "square"}, true)));
  CHECK_FALSE(lost.lost_with(spec_of("untagged", {}, true)));
  CHECK(lost.tried().empty());
}

TEST_CASE("where a case does not end, all of its checks are lost") {
  LostChecks lost;
  lost.note(ended(kSmall, RunEnd::cpu_limit));
  CHECK(lost.tried() == "small");
  CHECK(lost.lost_with(kSmall));
  CHECK(lost.lost_with(kLarge));
}

TEST_CASE("what a busy machine may have done loses nothing") {
  LostChecks lost;
  CaseRun late = ended(kSmall, RunEnd::wall_limit);
  lost.note(late);
  CHECK_FALSE(spec_of("x", {}).large);
  LostChecks idle;
  late.observed.idle = true;
  idle.note(late);
  CHECK(idle.lost_with(kLarge));
}

TEST_CASE("large cases run last, in their order") {
  CHECK(running_order({kLarge, kSmall, kLarge, kSmall}) == std::vector<std::size_t>{1, 3, 0, 2});
}
