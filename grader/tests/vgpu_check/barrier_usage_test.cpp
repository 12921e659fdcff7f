// Advice on barriers: needed ones stay, by whatever case needs them; of several that would do, one stays.
#include <algorithm>
#include <vector>

#include "catch.h"
#include "event_script.h"
#include "vgpu/check/barrier_usage.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/race_filter.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

BarrierUsage usage(const Script& script) {
  GlobalShadow shadow(kGlobal, 1 << 20);
  RaceFilter filter(shadow);
  perform(script, filter);
  return filter.barrier_usage(LineNames());
}

std::vector<std::uint32_t> advised(const BarrierUsage& u) {
  std::vector<std::uint32_t> lines;
  for (const Finding& f : u.advice()) lines.push_back(f.where.line);
  return lines;
}

using Lines = std::vector<std::uint32_t>;

auto own(std::uint64_t t) {
  return 4 * t;
}
auto neighbour(std::uint64_t t) {
  return 4 * (t ^ 33);
}

}  // namespace

TEST_CASE("a barrier between a write and a neighbour's read is needed", "[barrier]") {
  CHECK(advised(usage(ScriptBuilder().all_store(1, own).barrier(2).all_load(3, neighbour).build())).empty());
}

TEST_CASE("also when the writer reads it first", "[barrier]") {
  CHECK(advised(usage(ScriptBuilder().all_store(1, own).barrier(2).all_load(3, own).all_load(3, neighbour).build()))
            .empty());
}

TEST_CASE("a barrier that separates a thread from itself is not", "[barrier]") {
  const auto u = usage(ScriptBuilder().all_store(1, own).barrier(2).all_load(3, own).build());
  const auto findings = u.advice();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == finding_ids::kRedundantBarrier);
  CHECK(findings[0].severity == Severity::advice);
  CHECK(findings[0].where == SourcePlace{"kernel.cu", 2, 1});
  CHECK(findings[0].kernel == "k");
  CHECK(findings[0].count == 1);
}

TEST_CASE("a barrier before anything was shared, and one after the last use, are not needed", "[barrier]") {
  CHECK(advised(
            usage(ScriptBuilder().barrier(1).all_store(2, own).barrier(3).all_load(4, neighbour).barrier(5).build())) ==
        Lines{1, 5});
}

TEST_CASE("the tiled product needs both barriers, over two phases", "[barrier]") {
  ScriptBuilder b;
  for (int phase = 0; phase < 2; ++phase) b.all_store(1, own).barrier(2).all_load(3, neighbour).barrier(4);
  CHECK(advised(usage(b.build())).empty());
  SECTION("in one phase the second one has nothing to protect") {
    CHECK(advised(usage(ScriptBuilder().all_store(1, own).barrier(2).all_load(3, neighbour).barrier(4).build())) ==
          Lines{4});
  }
  SECTION("a third one in the loop is one too many") {
    ScriptBuilder c;
    for (int phase = 0; phase < 3; ++phase) c.all_store(1, own).barrier(2).all_load(3, neighbour).barrier(4).barrier(5);
    CHECK(advised(usage(c.build())) == Lines{5});
  }
}

TEST_CASE("of two barriers in a row only the second is one too many", "[barrier]") {
  const auto u = usage(ScriptBuilder().all_store(1, own).barrier(2).barrier(3).all_load(4, neighbour).build());
  CHECK(advised(u) == Lines{3});
  CHECK(u.needs == std::vector<std::vector<std::uint32_t>>{{0, 1}});
}

TEST_CASE("a barrier that a warp synchronisation makes superfluous", "[barrier]") {
  const auto in_warp = [](std::uint64_t t) { return 4 * (t ^ 1); };
  CHECK(advised(usage(
            ScriptBuilder().all_store(1, own).warp_sync(0).warp_sync(1).barrier(2).all_load(3, in_warp).build())) ==
        Lines{2});
  CHECK(advised(usage(ScriptBuilder().all_store(1, own).barrier(2).all_load(3, in_warp).build())).empty());
}

TEST_CASE("barriers order global memory of the block, and atomics", "[barrier]") {
  const auto word = [](std::uint64_t t) { return kGlobal + 4 * t; };
  const auto other = [](std::uint64_t t) { return kGlobal + 4 * (t ^ 33); };
  CHECK(advised(usage(ScriptBuilder()
                          .all_store(1, word, MemorySpace::global)
                          .barrier(2)
                          .all_load(3, other, MemorySpace::global)
                          .build()))
            .empty());
  CHECK(advised(usage(ScriptBuilder()
                          .all_store(1, word, MemorySpace::global)
                          .barrier(2)
                          .all_load(3, word, MemorySpace::global)
                          .build())) == Lines{2});
  ScriptBuilder histogram;
  histogram.all_store(1, own).barrier(2);
  histogram.strong(AccessKind::atomic, 3, 0, ~0u, [](std::uint64_t t) { return 4 * (t % 7); });
  histogram.strong(AccessKind::atomic, 3, 1, ~0u, [](std::uint64_t t) { return 4 * (t % 7); });
  histogram.barrier(4).all_load(5, own);
  CHECK(advised(usage(histogram.build())).empty());
}

TEST_CASE("of the toolkit's own headers nobody is told what to leave out", "[barrier]") {
  BarrierUsage::Site site{"k", {"a.cu", 5, 1}, 1};
  site.judged = true;
  CHECK(BarrierUsage{{site}, {}}.advice().size() == 1);
  site.where.file = "/cuda/include/cccl/cub/block/radix_sort.cuh";
  CHECK(BarrierUsage{{site}, {}}.advice().empty());
}

TEST_CASE("needs are gathered over launches and cases", "[barrier]") {
  const auto idle = usage(ScriptBuilder().all_store(1, own).barrier(2).all_load(3, own).build());
  const auto busy = usage(ScriptBuilder().all_store(1, own).barrier(2).all_load(3, neighbour).build());
  BarrierUsage merged = idle;
  merged.merge(busy);
  CHECK(advised(merged).empty());
  BarrierUsage reversed = busy;
  reversed.merge(idle);
  CHECK(merged == reversed);
  CHECK(merged.sites.size() == 1);
  CHECK(merged.sites[0].executed == 2);
  BarrierUsage twice = idle;
  twice.merge(idle);
  CHECK(advised(twice) == Lines{2});
}

TEST_CASE("merging renumbers sites and drops needs that others imply", "[barrier]") {
  const auto site = [](std::uint32_t line) { return BarrierUsage::Site{"k", {"a.cu", line, 1}, 1}; };
  BarrierUsage a{{site(5), site(9)}, {{0, 1}}};
  BarrierUsage b{{site(2), site(9)}, {{1}}};
  a.merge(b);
  CHECK(a.sites == std::vector<BarrierUsage::Site>{site(2), site(5), {"k", {"a.cu", 9, 1}, 2}});
  CHECK(a.needs == std::vector<std::vector<std::uint32_t>>{{2}});
  CHECK(advised(a) == Lines{2, 5});
}

TEST_CASE("nothing is said about barriers of a launch with races", "[barrier]") {
  const auto u = usage(ScriptBuilder().all_store(1, own).all_load(2, neighbour).barrier(3).build());
  CHECK(advised(u).empty());
  CHECK(u.sites.size() == 1);
}

TEST_CASE("barriers with a thread count are not judged", "[barrier]") {
  const auto u = usage(ScriptBuilder().arrive(2, 0, ~0u, 1).complete(1, false).build());
  CHECK(advised(u).empty());
}

TEST_CASE("a barrier of a loop that no block goes round twice is not judged", "[barrier]") {
  const auto phases = [](int count) {
    const auto own_of_block = [](std::uint64_t t) { return 4 * (t % 64); };
    ScriptBuilder b(2, 64);
    for (std::uint64_t block = 0; block < 2; ++block) {
      b.in_block(block);
      for (int phase = 0; phase < count; ++phase) b.all_store(1, own_of_block).barrier(4).all_load(5, own_of_block);
    }
    GlobalShadow shadow(kGlobal, 1 << 20);
    RaceFilter filter(shadow);
    perform(b.build(), filter);
    LineNames names;
    names.loop_line = 4;
    return filter.barrier_usage(names);
  };
  CHECK(advised(phases(1)).empty());
  CHECK(advised(phases(2)) == Lines{4});
  BarrierUsage both = phases(1);
  both.merge(phases(2));
  CHECK(advised(both) == Lines{4});
  both.merge(phases(1));
  CHECK(advised(both) == Lines{4});
}
