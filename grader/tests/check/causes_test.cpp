// Telling causes from what follows from them: what is left out, and above all what must stay.
#include "check/causes.h"

#include "catch.h"
#include "check/cause_order.h"
#include "make.h"
#include "vgpu/check/deciding_race.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

using Ids = std::vector<std::string>;

/// What is left of each case, as "id:line".
std::vector<Ids> left_of(const std::vector<CaseFindings>& cases) {
  std::vector<Ids> left;
  for (const CaseFindings& findings : causes(cases)) {
    left.emplace_back();
    for (const Finding& one : findings) left.back().push_back(one.id + ":" + std::to_string(one.where.line));
  }
  return left;
}

Finding race(const std::string& id, std::uint32_t line, std::uint32_t other_line) {
  Finding made = finding(id, line);
  made.other = OtherPlace{"the other access", {"matmul.cu", other_line, 5}, {}, {}};
  return made;
}

Finding in_kernel(const std::string& kernel, Finding made) {
  made.kernel = kernel;
  return made;
}

}  // namespace

TEST_CASE("an access out of bounds in one case explains races and uninitialised reads at its place in all") {
  CHECK(left_of({{finding("global-out-of-bounds", 14)},
                 {race("global-race", 14, 15), finding("uninitialized-read", 14)},
                 {race("global-race", 15, 14)}}) == std::vector<Ids>{{"global-out-of-bounds:14"}, {}, {}});
}

TEST_CASE("it explains nothing elsewhere, not even in another column") {
  Finding beside = finding("uninitialized-read", 14);
  beside.where.column = 6;
  CHECK(left_of({{finding("global-out-of-bounds", 14), race("global-race", 20, 21), beside}}) ==
        std::vector<Ids>{{"global-out-of-bounds:14", "global-race:20", "uninitialized-read:14"}});
}

TEST_CASE("an allocation that one case blames is to blame for the same access in all") {
  const Finding access = race("global-out-of-bounds", 15, 28);
  Finding blame = race("global-out-of-bounds", 28, 15);
  blame.kernel.clear();
  blame.where.column = access.other->place.column;
  blame.other->place = access.where;
  CHECK(left_of({{in_kernel("add", access)}, {blame}}) ==
        std::vector<Ids>{{"global-out-of-bounds:28"}, {"global-out-of-bounds:28"}});
  Finding elsewhere = in_kernel("add", access);
  elsewhere.where.line = 17;
  CHECK(left_of({{elsewhere}, {blame}})[0] == Ids{"global-out-of-bounds:17"});
  CHECK(left_of({{in_kernel("add", access)}, {in_kernel("add", access)}})[0] == Ids{"global-out-of-bounds:15"});
}

TEST_CASE("a place that is unknown is no place two findings share") {
  CHECK(left_of({{finding("global-out-of-bounds", 0), finding("uninitialized-read", 0)}})[0].size() == 2);
}

TEST_CASE("a race explains uninitialised reads at both its places") {
  CHECK(left_of({{race("shared-race", 22, 19), finding("uninitialized-read", 22), finding("uninitialized-read", 19),
                  finding("uninitialized-read", 30)}}) ==
        std::vector<Ids>{{"shared-race:22", "uninitialized-read:30"}});
}

TEST_CASE("an uninitialised read explains no race") {
  CHECK(left_of({{finding("uninitialized-read", 22)}, {race("shared-race", 30, 31)}}) ==
        std::vector<Ids>{{"uninitialized-read:22"}, {"shared-race:30"}});
}

TEST_CASE("threads that miss a barrier explain races of the same kernel in the same case") {
  const Finding divergence = in_kernel("tiled", finding("barrier-divergence", 21));
  CHECK(left_of({{divergence, in_kernel("tiled", race("shared-race", 22, 19)),
                  in_kernel("other", race("shared-race", 52, 49))},
                 {in_kernel("tiled", race("shared-race", 22, 19))}}) ==
        std::vector<Ids>{{"barrier-divergence:21", "shared-race:52"}, {"shared-race:22"}});
}

TEST_CASE("a race that decides where threads go is kept beside the barrier that they miss, and stands first") {
  const Finding divergence = in_kernel("tiled", finding("barrier-divergence", 21));
  Finding vote = in_kernel("tiled", race("shared-race", 40, 37));
  vote.message += kDecidingEnd;
  CHECK(left_of({{divergence, vote, in_kernel("tiled", race("shared-race", 22, 19))}}) ==
        std::vector<Ids>{{"barrier-divergence:21", "shared-race:40"}});
  CHECK(is_before(vote, divergence));
  vote.message.clear();
  CHECK(is_before(divergence, vote));
}

TEST_CASE("warnings explain nothing, and are not explained away") {
  Finding warned_race = race("global-race", 14, 15), tolerated = finding("barrier-divergence", 21, Severity::warning);
  warned_race.severity = Severity::warning;
  CHECK(left_of({{warned_race, finding("uninitialized-read", 14), tolerated, race("shared-race", 22, 19)}})[0].size() ==
        4);
  CHECK(left_of({{finding("global-out-of-bounds", 14), warned_race}})[0].size() == 2);
}

TEST_CASE("every case without errors that are kept had none") {
  // Whatever is left out, an error stays somewhere.
  const std::vector<CaseFindings> cases{{finding("shared-out-of-bounds", 3), race("shared-race", 3, 4),
                                         finding("uninitialized-read", 4), finding("barrier-divergence", 5)}};
  CHECK(left_of(cases) == std::vector<Ids>{{"shared-out-of-bounds:3", "barrier-divergence:5"}});
}

TEST_CASE("wrong values follow from what leaves memory undefined; unwritten ones do not") {
  for (const char* id :
       {"shared-race", "global-race", "uninitialized-read", "global-out-of-bounds", "barrier-divergence"}) {
    INFO(id);
    CHECK(follows(Fault::wrong, {finding(id, 3)}));
    CHECK(follows(Fault::nonfinite, {finding(id, 3)}));
    CHECK_FALSE(follows(Fault::unwritten, {finding(id, 3)}));
    CHECK_FALSE(follows(Fault::touched, {finding(id, 3)}));
    CHECK_FALSE(follows(Fault::wrong, {finding(id, 3, Severity::warning)}));
  }
}

TEST_CASE("everything follows from a kernel that was not launched") {
  CHECK(follows(Fault::unwritten, {finding("invalid-launch", 3)}));
  CHECK(follows(Fault::wrong, {finding("invalid-launch", 3)}));
}

TEST_CASE("leaks and advice leave the output as it is") {
  CHECK_FALSE(follows(Fault::wrong, {}));
  CHECK_FALSE(follows(Fault::wrong, {finding("memory-leak", 3), finding("redundant-barrier", 4, Severity::advice)}));
}

TEST_CASE("what a failed launch should have left alone follows from nobody having asked") {
  const Finding unasked = finding("unchecked-launch", 3, Severity::warning);
  CHECK(follows(Fault::touched, {unasked}));
  CHECK_FALSE(follows(Fault::wrong, {unasked}));
  CHECK_FALSE(follows(Fault::unwritten, {unasked}));
}

TEST_CASE("threads that have exited a round ahead of others follow from the barriers at which they waited apart") {
  const auto divergence = [](std::uint32_t line, std::uint32_t other_line, std::uint32_t other_column = 5) {
    Finding made = race("barrier-divergence", line, other_line);
    made.other->place.column = other_column;
    return made;
  };
  const Finding apart = divergence(28, 23), exited = divergence(23, 16);
  const auto left = [](const Finding& one, const Finding& two) { return left_of({{one, two}})[0]; };
  CHECK(left(exited, apart) == Ids{"barrier-divergence:28"});
  CHECK(left(apart, exited) == Ids{"barrier-divergence:28"});
  CHECK(left(exited, divergence(28, 24)).size() == 2);
  CHECK(left(exited, in_kernel("other", apart)).size() == 2);
  CHECK(left(divergence(23, 28), apart).size() == 2);  // the same pair of barriers
  CHECK(left(divergence(23, 23), apart).size() == 2);  // "if (t < 8) __syncthreads();"
}
