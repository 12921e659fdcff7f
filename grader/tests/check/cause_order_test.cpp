// The table of what is said first: it knows every finding there is, and its order is the one that is meant.
#include "check/cause_order.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "catch.h"
#include "make.h"
#include "tree/tree_paths.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

/// The names that a header gives to findings.
std::set<std::string> ids_in(const std::string& header) {
  std::ifstream stream(source_path("grader/" + header));
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const std::regex name("std::string_view k\\w+ = \"([a-z-]+)\";");
  std::set<std::string> ids;
  for (std::sregex_iterator found(text.begin(), text.end(), name), end; found != end; ++found) ids.insert((*found)[1]);
  return ids;
}

}  // namespace

TEST_CASE("every finding there is has one row, and no row is for another") {
  std::set<std::string> known;
  for (const FindingKind& kind : finding_kinds()) {
    CAPTURE(kind.id);
    CHECK(known.insert(std::string(kind.id)).second);
  }
  const std::set<std::string> all = ids_in("vgpu/check/finding_ids.h");
  CHECK(all.size() > 40);
  CHECK(known == all);
}

TEST_CASE("a name stands for one finding, or for all of a group") {
  using Ids = std::vector<std::string_view>;
  CHECK(ids_named("memory-leak") == Ids{"memory-leak"});
  CHECK(ids_named("barrier-errors") == Ids{"barrier-divergence", "shuffle-from-inactive-lane"});
  CHECK(ids_named("races") == Ids{"shared-race", "global-race", "stream-race", "host-race", "early-refill",
                                  "overwritten-copy-source", "unfenced-copy", "unfinished-copy"});
  CHECK(ids_named("memory-errors").size() == 12);
  CHECK(ids_named("").empty());
  CHECK(ids_named("race").empty());
  CHECK(is_of("shared-race", FindingGroup::races));
  CHECK_FALSE(is_of("shared-race", FindingGroup::barriers));
  CHECK_FALSE(is_of("something-new", FindingGroup::none));
  for (const std::string& name : finding_names()) {
    CAPTURE(name);
    CHECK_FALSE(ids_named(name).empty());
  }
}

TEST_CASE("rows stand in the order of their stages") {
  CHECK(std::ranges::is_sorted(finding_kinds(), {}, &FindingKind::stage));
}

TEST_CASE("causes come before what follows from them") {
  const std::vector<std::string> order{
      "build-failed",         "no-effect",          "runtime-error",    "invalid-launch",
      "global-out-of-bounds", "barrier-divergence", "shared-race",      "uninitialized-read",
      "runner-crashed",       "unwritten-output",   "unchecked-launch", "redundant-barrier"};
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    CAPTURE(order[i]);
    // Whatever line the later one stands in.
    CHECK(is_before(finding(order[i], 9), finding(order[i + 1], 1)));
    CHECK_FALSE(is_before(finding(order[i + 1], 1), finding(order[i], 9)));
  }
}

TEST_CASE("in one stage errors come first, then the earlier line, then the earlier row") {
  CHECK(is_before(finding("shared-race", 9), finding("memory-leak", 1, Severity::warning)));
  CHECK(is_before(finding("global-race", 5), finding("shared-race", 6)));
  CHECK(is_before(finding("shared-race", 5), finding("global-race", 5)));
  Finding right = finding("shared-race", 5);
  right.where.column = 20;
  CHECK(is_before(finding("shared-race", 5), right));
  CHECK_FALSE(is_before(right, right));
}

TEST_CASE("a warning is about what could go wrong, but for two that say why it does") {
  const auto stage = [](const char* id, Severity severity) { return cause_kind(finding(id, 3, severity)).stage; };
  CHECK(stage("global-race", Severity::error) == Stage::order);
  CHECK(stage("global-race", Severity::warning) == Stage::manners);
  CHECK(stage("uninitialized-read", Severity::error) == Stage::reading);
  CHECK(stage("uninitialized-read", Severity::warning) == Stage::variable);
  CHECK(stage("no-effect", Severity::warning) == Stage::no_effect);
  CHECK(stage("shared-race", Severity::advice) == Stage::remark);
}

TEST_CASE("an id that nobody knows is a symptom") {
  CHECK(cause_kind(finding("something-new", 3)).stage == Stage::output);
  CHECK(is_before(finding("shared-race", 9), finding("something-new", 3)));
}
