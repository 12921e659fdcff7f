// Aggregation does not depend on order, and merging over launches keeps what differs apart.
#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "catch.h"
#include "event_script.h"
#include "vgpu/check/finding_log.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

const LaunchConfig kConfig{{4, 3, 2}, {8, 4, 2}, 0};

Sighting race(Verdict verdict, std::uint32_t line, std::uint32_t other_line, ThreadOfGrid at, ThreadOfGrid other) {
  Sighting s;
  s.verdict = verdict;
  s.at = {line, at, AccessKind::load, 0};
  s.other = Party{other_line, other, AccessKind::store, 0};
  s.space = verdict == Verdict::global_race_between_blocks ? MemorySpace::global : MemorySpace::shared;
  s.bytes = 4;
  return s;
}

std::vector<Sighting> random_sightings() {
  std::mt19937_64 random(5);
  std::vector<Sighting> result;
  for (int i = 0; i < 200; ++i) {
    auto s = race(random() % 2 == 0 ? Verdict::shared_race : Verdict::global_race_between_blocks,
                  static_cast<std::uint32_t>(random() % 3 + 1), static_cast<std::uint32_t>(random() % 2 + 1),
                  {random() % 24, static_cast<std::uint32_t>(random() % 64)},
                  {random() % 24, static_cast<std::uint32_t>(random() % 64)});
    s.count = 1 + random() % 3;
    s.address = random() % 4 * 4;
    result.push_back(s);
  }
  return result;
}

}  // namespace

TEST_CASE("findings do not depend on the order of sightings, nor on how logs were merged", "[findings]") {
  auto sightings = random_sightings();
  FindingLog reference;
  for (const Sighting& s : sightings) reference.add(s);
  const auto expected = reference.findings(LineNames(), kConfig);
  CHECK(expected.size() == 12);
  std::mt19937_64 random(6);
  for (int i = 0; i < 50; ++i) {
    std::shuffle(sightings.begin(), sightings.end(), random);
    std::array<FindingLog, 4> parts;
    for (const Sighting& s : sightings) parts[random() % parts.size()].add(s);
    FindingLog all;
    std::shuffle(parts.begin(), parts.end(), random);
    for (const FindingLog& part : parts) all.merge(part);
    REQUIRE(all.findings(LineNames(), kConfig) == expected);
  }
}

TEST_CASE("the first thread speaks, counts add up", "[findings]") {
  FindingLog log;
  log.add(race(Verdict::shared_race, 5, 3, {7, 40}, {7, 1}));
  log.add(race(Verdict::shared_race, 5, 3, {6, 50}, {6, 2}));
  log.add(race(Verdict::shared_race, 5, 3, {6, 51}, {6, 3}));
  const auto findings = log.findings(LineNames(), kConfig);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].count == 3);
  CHECK(findings[0].block == Index3{2, 1, 0});   // 6 in a grid of 4 x 3 x 2
  CHECK(findings[0].thread == Index3{2, 2, 1});  // 50 in a block of 8 x 4 x 2
}

TEST_CASE("a weaker verdict gives way to a plain race at the same place", "[findings]") {
  FindingLog log;
  log.add(race(Verdict::shared_race_equal, 5, 3, {0, 1}, {0, 0}));
  REQUIRE(log.findings(LineNames(), kConfig).size() == 1);
  CHECK(log.findings(LineNames(), kConfig)[0].severity == Severity::warning);
  log.add(race(Verdict::shared_race, 5, 3, {0, 9}, {0, 0}));
  REQUIRE(log.findings(LineNames(), kConfig).size() == 1);
  CHECK(log.findings(LineNames(), kConfig)[0].severity == Severity::error);
  log.add(race(Verdict::shared_race_equal, 6, 3, {0, 1}, {0, 0}));
  CHECK(log.findings(LineNames(), kConfig).size() == 2);
}

TEST_CASE("a store that races with itself asks for an atomic, not for a barrier", "[findings]") {
  const auto stored = [](Sighting sighting) {
    sighting.at.access = AccessKind::store;
    return sighting;
  };
  const auto help_of_first = [](const FindingLog& log) { return log.findings(LineNames(), kConfig).at(0).help; };
  FindingLog log;
  log.add(stored(race(Verdict::shared_race, 5, 3, {0, 1}, {0, 0})));
  CHECK(help_of_first(log).find("use `atomic") == std::string::npos);
  Sighting same = stored(race(Verdict::shared_race, 5, 5, {0, 1}, {0, 0}));
  same.other->access = AccessKind::store;
  log.add(same);
  for (const Finding& finding : log.findings(LineNames(), kConfig)) {
    CHECK(finding.help.find("use `atomic") != std::string::npos);
  }
}

TEST_CASE("a variable without a value is nobody's mistake in the toolkit's own kernels", "[findings]") {
  struct FileNames : LineNames {
    explicit FileNames(std::string name) : file(std::move(name)) {}
    SourcePlace place(std::uint32_t instruction) const override { return {file, instruction, 1}; }
    std::string file;
  };
  FindingLog log;
  Sighting unset;
  unset.verdict = Verdict::uninitialized_register;
  unset.at.instruction = 5;
  log.add(unset);
  CHECK(log.findings(FileNames("/home/a/include/k.cu"), kConfig).size() == 1);
  CHECK(log.findings(FileNames("/opt/cuda/include/cccl/cub/kernels.cuh"), kConfig).empty());
  log.add(race(Verdict::shared_race, 5, 3, {0, 1}, {0, 0}));
  CHECK(log.findings(FileNames("/opt/cuda/include/cccl/cub/kernels.cuh"), kConfig).size() == 1);
}

TEST_CASE("a sighting that was counted elsewhere is seen once at least", "[findings]") {
  FindingLog log;
  Sighting seen = race(Verdict::shared_race, 5, 3, {0, 1}, {0, 0});
  seen.count = 0;
  log.add(seen);
  CHECK(log.findings(LineNames(), kConfig).at(0).count == 1);
}

TEST_CASE("findings of several launches merge by place", "[findings]") {
  const auto launch = [](std::uint32_t line, std::uint64_t block) {
    FindingLog log;
    log.add(race(Verdict::shared_race, line, 3, {block, 1}, {block, 0}));
    return log.findings(LineNames(), kConfig);
  };
  std::vector<Finding> all;
  for (const auto& findings : {launch(5, 9), launch(4, 2), launch(5, 1), launch(5, 9)}) {
    all.insert(all.end(), findings.begin(), findings.end());
  }
  const auto merged = merge_findings(all);
  REQUIRE(merged.size() == 2);
  CHECK(merged[0].where.line == 4);
  CHECK(merged[1].where.line == 5);
  CHECK(merged[1].count == 3);
  CHECK(merged[1].block == Index3{1, 0, 0});
  std::reverse(all.begin(), all.end());
  CHECK(merge_findings(all) == merged);
}

TEST_CASE("findings of different kernels or other places stay apart", "[findings]") {
  Finding a;
  a.id = "shared-race";
  a.kernel = "one";
  a.where = {"k.cu", 3, 1};
  Finding b = a;
  b.kernel = "two";
  Finding c = a;
  c.other = OtherPlace{"here", {"k.cu", 9, 1}, {}, {}};
  Finding d = a;
  d.severity = Severity::warning;
  CHECK(merge_findings({a, b, c, d, a}).size() == 4);
}

TEST_CASE("synchronising a warp is offered only where no race of the memory goes beyond warps", "[findings]") {
  const auto help_of_first = [](const FindingLog& log) { return log.findings(LineNames(), kConfig).at(0).help; };
  FindingLog log;
  const auto between = [](std::uint32_t line, std::uint32_t thread, std::uint32_t other) {
    Sighting seen = race(Verdict::shared_race_volatile, line, line - 1, {0, thread}, {0, other});
    seen.at.access = AccessKind::load;
    seen.other->access = AccessKind::store;
    return seen;
  };
  log.add(between(5, 1, 0));
  CHECK(help_of_first(log).find("__syncwarp") != std::string::npos);  // it counts on `volatile`
  log.add(between(8, 40, 0));
  CHECK(help_of_first(log).find("__syncwarp") == std::string::npos);
}

TEST_CASE("a block of one warp is told of the barrier of the block", "[findings]") {
  const LaunchConfig one_warp{{4, 1, 1}, {4, 4, 1}, 0};
  const auto help = [&](Verdict verdict, const LaunchConfig& config) {
    FindingLog log;
    Sighting seen = race(verdict, 5, 4, {0, 1}, {0, 0});
    log.add(seen);
    return log.findings(LineNames(), config).at(0).help;
  };
  CHECK(help(Verdict::shared_race, one_warp) == "put a `__syncthreads()` between line 4 and line 5");
  // Nor do lanes of one warp: the input may have left the others idle.
  CHECK(help(Verdict::shared_race, kConfig) == "put a `__syncthreads()` between line 4 and line 5");
  // Code that counts on volatile means the warp.
  CHECK(help(Verdict::shared_race_volatile, one_warp).find("__syncwarp") != std::string::npos);
}

TEST_CASE("one thread is told to write a value only where all write the same element", "[findings]") {
  const auto help = [](Verdict verdict, std::uint64_t second_block, std::uint64_t second_address) {
    FindingLog log;
    const std::uint64_t apart = verdict == Verdict::global_race_between_blocks_equal ? 1 : 0;
    for (const auto& [block, address] :
         {std::pair<std::uint64_t, std::uint64_t>{2, 8}, {second_block, second_address}}) {
      Sighting seen = race(verdict, 5, 5, {block, 1}, {block - apart, 0});
      seen.address = address;
      log.add(seen);
    }
    return log.findings(LineNames(), LaunchConfig{{4, 1, 1}, {8, 4, 1}, 0}).at(0).help;
  };
  using enum Verdict;
  const std::string one = "let one thread write it: `if (threadIdx.x == 0 && threadIdx.y == 0)`";
  CHECK(help(global_race_within_block_equal, 2, 8).find(one) != std::string::npos);
  CHECK(help(global_race_within_block_equal, 3, 12).find(one) != std::string::npos);  // an element a block
  const std::string several = help(global_race_within_block_equal, 2, 12);
  CHECK(several.find("check the index and the guard in every dimension") != std::string::npos);
  CHECK(several.find("threadIdx") == std::string::npos);
  CHECK(help(global_race_between_blocks_equal, 3, 8).find("`if (blockIdx.x == 0 && threadIdx.x == 0") !=
        std::string::npos);
  CHECK(help(global_race_between_blocks_equal, 3, 12).find("one thread of the grid") != std::string::npos);
}

TEST_CASE("which elements threads share does not depend on the order of sightings", "[findings]") {
  std::vector<Sighting> sightings;
  for (const auto& [block, address] :
       {std::pair<std::uint64_t, std::uint64_t>{0, 4}, {1, 8}, {1, 12}, {0, 4}, {0, 16}}) {
    sightings.push_back(race(Verdict::global_race_within_block_equal, 5, 5, {block, 1}, {block, 0}));
    sightings.back().address = address;
  }
  std::mt19937_64 random(7);
  for (int i = 0; i < 50; ++i) {
    std::shuffle(sightings.begin(), sightings.end(), random);
    FindingLog one, other;
    for (const Sighting& s : sightings) (random() % 2 == 0 ? one : other).add(s);
    one.merge(other);
    CHECK(one.findings(LineNames(), kConfig).at(0).help.find("several threads write the same element") == 0);
  }
}

TEST_CASE("a value written twice: by all threads to one element, or by two that each have an element", "[findings]") {
  for (const bool each_its_own : {false, true}) {
    FindingLog log;
    Sighting seen = race(Verdict::shared_race_equal, 5, 5, {0, 1}, {0, 0});
    seen.each_its_own = each_its_own;
    log.add(seen);
    const std::string help = log.findings(LineNames(), kConfig).at(0).help;
    CHECK((help.find("guard in every dimension") != std::string::npos) == each_its_own);
    CHECK((help.find("threadIdx.x == 0") != std::string::npos) == !each_its_own);
  }
}

TEST_CASE("lanes that share an element of many: one of those that differ in one index writes it", "[findings]") {
  // Blocks of 8 x 4 x 2 threads.
  const auto help = [](std::uint32_t first, std::uint32_t second, bool share) {
    FindingLog log;
    Sighting seen = race(Verdict::shared_race_equal, 5, 5, {0, second}, {0, first});
    seen.each_its_own = true;
    seen.lanes_share = share;
    log.add(seen);
    return log.findings(LineNames(), kConfig).at(0).help;
  };
  CHECK(help(0, 1, true).find("`if (threadIdx.x == 0)`") != std::string::npos);
  CHECK(help(0, 8, true).find("`if (threadIdx.y == 0)`") != std::string::npos);
  // The row length may be wrong, or the guard.
  CHECK(help(1, 8, true).find("the row length") != std::string::npos);
  CHECK(help(0, 1, false).find("the row length") != std::string::npos);
}

TEST_CASE("several values for one element are no sum where nobody reads it", "[findings]") {
  Sighting write = race(Verdict::shared_race, 5, 5, {0, 1}, {0, 0});
  write.at.access = AccessKind::store;
  FindingLog log;
  log.add(write);
  const std::string help = log.findings(LineNames(), kConfig).at(0).help;
  CHECK(help.find("for a sum use `atomicAdd`, for one of the values `atomicMax` or `atomicCAS`") != std::string::npos);
  // A read that is no less in a race may be that of an update.
  log.add(race(Verdict::shared_race, 4, 5, {0, 1}, {0, 0}));
  for (const Finding& finding : log.findings(LineNames(), kConfig)) {
    if (finding.where.line == 5) CHECK(finding.help.find("or use `atomicAdd`") != std::string::npos);
  }
}

TEST_CASE("lanes that wait in vain are told only where the masks name who executes the instruction", "[findings]") {
  const auto sighting = [](Verdict verdict, std::uint32_t line) {
    Sighting s;
    s.verdict = verdict;
    s.at = {line, {0, 1}, AccessKind::load, 31};
    if (verdict == Verdict::warp_deadlock) s.other = Party{9, {0, 0}, AccessKind::load, 1};
    return s;
  };
  FindingLog log;
  log.add(sighting(Verdict::warp_deadlock, 5));
  log.add(sighting(Verdict::outside_mask, 5));
  auto findings = log.findings(LineNames(), kConfig);
  REQUIRE(findings.size() == 1);
  CHECK_THAT(findings[0].message, contains_text("does not name them"));
  // Those of another line are another matter.
  log.add(sighting(Verdict::warp_deadlock, 7));
  findings = log.findings(LineNames(), kConfig);
  REQUIRE(findings.size() == 2);
  CHECK(findings[1].where.line == 7);
  CHECK_THAT(findings[1].message, contains_text("deadlock"));
}

TEST_CASE("what two runs of one launch have shown was seen as often as in the one that showed it more often",
          "[findings]") {
  const Sighting twice = race(Verdict::global_race_between_blocks, 1, 2, {0, 0}, {1, 0});
  const Sighting once = race(Verdict::global_race_between_blocks, 3, 2, {0, 0}, {1, 0});
  FindingLog forwards, backwards;
  forwards.add(twice);
  forwards.add(twice);
  backwards.add(twice);
  backwards.add(once);
  for (const bool swapped : {false, true}) {
    FindingLog both = swapped ? backwards : forwards;
    both.merge_other_run(swapped ? forwards : backwards);
    const auto findings = both.findings(LineNames(), kConfig);
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].count == 2);
    CHECK(findings[1].count == 1);
  }
}
