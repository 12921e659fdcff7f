// Which findings are told as one.
#include "sanitizer/joined_findings.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::sanitizer;

namespace {

constexpr std::uint32_t kBins = 0, kSums = 256;  // where these arrays begin

Finding race_of(std::uint32_t line, std::uint32_t other_line) {
  Finding race;
  race.id = finding_ids::kSharedRace;
  race.message = "this read races";
  race.where = {"histogram.cu", line, 0};
  race.kernel = "histogram<int>";
  race.block = race.thread = Index3{};
  race.count = 3;
  race.note = "element 0";
  race.help = {Advice::which_work, "use `atomicAdd`"};
  race.other = OtherPlace{"", {"histogram.cu", other_line, 0}, Index3{}, Index3{32, 0, 0}};
  race.address = race.access.begin = kBins;
  return race;
}

/// Between two lines, where a barrier is missing.
Finding missing_barrier(std::uint32_t after, std::uint32_t before, std::uint32_t array = kBins) {
  Finding race = race_of(before, after);
  race.help = {Advice::block_barrier, "put a barrier between line " + std::to_string(after)};
  race.barrier.after = after;
  race.barrier.before = before;
  race.access.begin = array;
  return race;
}

Finding access_at(std::uint32_t line, std::uint64_t address) {
  Finding access;
  access.id = finding_ids::kGlobalOutOfBounds;
  access.where = {"stencil.cu", line, 0};
  access.kernel = "stencil";
  access.block = Index3{3, 0, 0};
  access.thread = Index3{232, 0, 0};
  access.address = address;
  access.count = 24;
  access.help = "ask for the index";
  return access;
}

/// Who is told, and nobody else.
void check_told_apart(const std::vector<Finding>& all) {
  const JoinedFindings joined = join_findings(all);
  CHECK(joined.told == all);
  CHECK(joined.others.empty());
}

}  // namespace

TEST_CASE("races that one statement causes are told once, and none is lost") {
  Finding second = race_of(8, 8), third = race_of(8, 8);
  second.message = "this write races";
  second.count = 40;
  third.kernel = "histogram<long>";
  const JoinedFindings joined = join_findings({race_of(8, 8), second, third});
  REQUIRE(joined.told.size() == 1);
  CHECK(joined.told[0].message == "this read races");
  CHECK(joined.told[0].count == 3);
  CHECK(joined.told[0].note == "element 0\nand 2 more pairs of accesses that race, for the same cause: line 8");
  CHECK(joined.others == std::vector<Finding>{second, third});
  CHECK(join_findings({race_of(8, 8), second}).told[0].note ==
        "element 0\nand 1 more pair of accesses that race, for the same cause: line 8");
}

TEST_CASE("races of other lines, arrays, kernels or kinds are told apart, and so is everything else") {
  Finding array = race_of(8, 8), kernel = race_of(8, 8), kind = race_of(8, 8), lineless = race_of(0, 8);
  array.access.begin = kSums;
  kernel.kernel = "other";
  kind.id = finding_ids::kGlobalRace;
  Finding leak = race_of(8, 8), mild = race_of(8, 8);
  leak.id = finding_ids::kMemoryLeak;
  mild.severity = Severity::warning;
  check_told_apart({race_of(8, 8), race_of(6, 9), array, kernel, kind, lineless, lineless, leak, leak, mild});
  check_told_apart({});
}

TEST_CASE("races on one array with a line in common and one cure are one") {
  const JoinedFindings joined = join_findings({race_of(8, 7), race_of(8, 8), race_of(9, 7), race_of(5, 4)});
  REQUIRE(joined.told.size() == 2);
  CHECK(joined.told[0].note ==
        "element 0\nand 2 more pairs of accesses that race, for the same cause: lines 7, 8 and 9");
  CHECK(joined.told[1] == race_of(5, 4));
  // Another cure, another array, or one that is not known.
  Finding cure = race_of(8, 8), array = race_of(8, 8), unknown = race_of(8, 8), also_unknown = race_of(8, 7);
  cure.help = {Advice::which_work, "let one thread do it"};
  array.access.begin = kSums;
  unknown.access.begin.reset();
  also_unknown.access.begin.reset();
  check_told_apart({race_of(8, 7), cure, array, unknown, also_unknown});
}

TEST_CASE("the barrier that one race lacks orders others around it, on any array") {
  const Finding tight = missing_barrier(11, 13, kSums);
  const JoinedFindings joined =
      join_findings({missing_barrier(10, 13), tight, missing_barrier(10, 14), missing_barrier(11, 14)});
  REQUIRE(joined.told.size() == 1);
  CHECK(joined.told[0].help == tight.help);
  CHECK(joined.told[0].note ==
        "element 0\nand 3 more pairs of accesses that race, for the same cause: lines 10, 11, 13 and 14");
}

TEST_CASE("races that need barriers of their own are told apart") {
  const Finding round = missing_barrier(17, 16);  // behind line 17, before line 16 is executed again
  check_told_apart({missing_barrier(12, 16), round, missing_barrier(17, 20)});
  check_told_apart({missing_barrier(10, 12), missing_barrier(5, 20)});  // no line in common: perhaps in a condition
  check_told_apart({missing_barrier(10, 14), missing_barrier(12, 16)});
  Finding elsewhere = missing_barrier(10, 14);
  elsewhere.where.file = elsewhere.other->place.file = "other.cuh";
  check_told_apart({missing_barrier(10, 12), elsewhere});
  // What is to be done is not to put a barrier there.
  Finding work = missing_barrier(10, 14);
  work.help = {Advice::which_work, "give each thread its own element"};
  check_told_apart({missing_barrier(10, 12), work});
}

TEST_CASE("a wrong index is told where it is used first") {
  Finding last = access_at(9, 4000);
  last.where.file = "include/last.cuh";
  const JoinedFindings joined =
      join_findings({access_at(5, 4000), access_at(5, 4000), access_at(7, 4000), access_at(6, 4000), last});
  REQUIRE(joined.told.size() == 1);
  CHECK(joined.told[0].where.line == 5);
  CHECK(joined.told[0].note ==
        "and 4 more accesses to this address, for the same cause: lines 5, 6 and 7 and line 9 of last.cuh");
  CHECK(joined.others.size() == 4);
  // Without lines there is none to name.
  CHECK(join_findings({access_at(0, 4000), access_at(0, 4000)}).told[0].note ==
        "and 1 more access to this address, for the same cause");
}

TEST_CASE("an index that goes wrong for other threads, more often, or in another array is another one") {
  Finding thread = access_at(6, 4000), block = access_at(6, 4000), count = access_at(6, 4000),
          launch = access_at(6, 4000), cure = access_at(6, 4000), kind = access_at(6, 4000), host = access_at(6, 4000);
  thread.thread = Index3{231, 0, 0};
  block.block = Index3{};
  count.count = 49;
  launch.launch.number = 2;
  cure.help = "compare the sizes";
  kind.id = finding_ids::kUseAfterFree;
  host.kernel.clear();
  check_told_apart({access_at(5, 4000), access_at(5, 8000), thread, block, count, launch, cure, kind, host});
  // All arrays that were not allocated have one address.
  Finding null = access_at(5, 0), other_null = access_at(6, 0);
  null.id = other_null.id = finding_ids::kNullPointerDereference;
  check_told_apart({null, other_null});
}

TEST_CASE("a read of what nobody has written yet follows from the race in which it comes too early") {
  Finding read = race_of(8, 0);
  read.id = finding_ids::kUninitializedRead;
  read.other.reset();
  const JoinedFindings joined = join_findings({race_of(8, 5), read});
  REQUIRE(joined.told.size() == 1);
  CHECK(joined.told[0].note == "element 0\nand 1 read of what nobody has written yet, for the same cause: line 8");
  Finding by_other = read;
  by_other.where.line = 5;
  by_other.thread = race_of(8, 5).other->thread;
  CHECK(join_findings({race_of(8, 5), by_other}).told.size() == 1);

  Finding elsewhere = read, element = read, thread = read, kernel = read, mild = race_of(8, 5);
  elsewhere.where.line = 9;
  element.address = 4;
  thread.thread = Index3{1, 0, 0};
  kernel.kernel = "other";
  check_told_apart({race_of(8, 5), elsewhere, element, thread, kernel});
  mild.severity = Severity::warning;
  check_told_apart({mild, read});
}

TEST_CASE("very many places are not all told") {
  std::vector<Finding> all;
  for (std::uint32_t line = 1; line <= 12; ++line) all.push_back(access_at(line, 4000));
  CHECK(join_findings(all).told[0].note ==
        "and 11 more accesses to this address, for the same cause: lines 2, 3, 4, 5, 6, 7, 8 and 9 and others");
}
