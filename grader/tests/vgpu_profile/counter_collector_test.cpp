// Counters, coverage and access sites from event streams; the same however blocks are spread over observers.
#include <algorithm>
#include <array>
#include <memory>
#include <tuple>
#include <vector>

#include "catch.h"
#include "vgpu/profile/counter_collector.h"
#include "vgpu/profile/line_counts.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// 0 add (line 1), 1 fma (line 2), 2 load (line 2), 3 store (line 3), 4 shared atomic (line 4), 5 never executed (line
/// 9), 6 without a place.
InstructionTable table() {
  InstructionTable t;
  const auto add = [&](OpcodeClass kind, std::uint8_t operations, std::uint32_t line) {
    const auto known = std::ranges::find(t.lines, SourcePlace{"k.cu", line, 0});
    const auto number = static_cast<std::uint32_t>(known - t.lines.begin());
    if (line != 0 && known == t.lines.end()) t.lines.push_back({"k.cu", line, 0});
    t.entries.push_back({kind, operations, line != 0 ? number : InstructionTable::kNoLine});
  };
  add(OpcodeClass::integer, 0, 1);
  add(OpcodeClass::float32, 2, 2);
  add(OpcodeClass::load, 0, 2);
  add(OpcodeClass::store, 0, 3);
  add(OpcodeClass::atomic, 0, 4);
  add(OpcodeClass::integer, 0, 9);
  add(OpcodeClass::branch, 0, 0);
  return t;
}

void access(BlockObserver& block, std::uint32_t instruction, AccessKind kind, MemorySpace space, std::uint64_t base,
            std::uint64_t stride, LaneMask active = ~0u) {
  std::array<std::uint64_t, kWarpSize> address{};
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) address[lane] = base + stride * lane;
  WarpAccess a;
  a.instruction = instruction;
  a.kind = kind;
  a.space = space;
  a.address = address.data();
  a.active = active;
  block.access(a);
}

void perform(BlockObserver& block, std::uint64_t index) {
  block.block_begin({index, 32});
  access(block, 2, AccessKind::load, MemorySpace::global, 0x1000, 4);
  access(block, 2, AccessKind::load, MemorySpace::global, 0x2000, 4);        // as before, elsewhere
  access(block, 2, AccessKind::load, MemorySpace::global, 0x2004, 4);        // not aligned to sectors
  access(block, 2, AccessKind::load, MemorySpace::global, 0x1000, 128);      // a column
  access(block, 2, AccessKind::load, MemorySpace::global, 0x1000, 4, 0xff);  // the last, partial warp
  access(block, 2, AccessKind::load, MemorySpace::shared, 0, 8);             // generic address: shared this time
  access(block, 3, AccessKind::store, MemorySpace::global, 0x1000, 4);
  access(block, 4, AccessKind::atomic, MemorySpace::shared, 64, 0);
  block.barrier_complete({0, 32, 0, true});
  block.barrier_complete({1, 32, 0, false});  // with a thread count, which is all of them
  block.barrier_complete({2, 16, 0, false});
  const std::array<InstructionCount, 7> counts{
      {{0, 10, 320}, {1, 4, 100}, {2, 5, 160}, {3, 1, 32}, {2, 1, 8}, {4, 1, 32}, {6, 3, 96}}};
  block.block_end(counts);
}

/// The kernel is one function, or two that have as many instructions together.
KernelInstructions kernel(std::uint32_t first_function = 7) {
  const std::vector<FunctionInfo> functions{{"k", "k", true, 0, first_function, 1},
                                            {"other", "other", false, first_function, 7 - first_function, 1}};
  return {functions, std::vector<std::uint32_t>{1, 0}};
}

std::unique_ptr<CounterCollector> collect(const InstructionTable& t, const std::vector<int>& observer_of_block,
                                          const KernelInstructions& numbers = kernel()) {
  auto collector = std::make_unique<CounterCollector>(t, numbers);
  LaunchInfo launch;
  launch.config.grid = {static_cast<std::uint32_t>(observer_of_block.size()), 1, 1};
  launch.config.block = {32, 1, 1};
  collector->launch_begin(launch);
  std::array<std::unique_ptr<BlockObserver>, 3> observers;
  for (auto& o : observers) o = collector->observe_block();
  for (std::size_t i = 0; i < observer_of_block.size(); ++i) perform(*observers[observer_of_block[i]], i);
  collector->launch_end();
  return collector;
}

}  // namespace

TEST_CASE("counters of a launch", "[profile]") {
  const auto t = table();
  const auto counters = collect(t, {0})->counters();
  const auto count = [&](const char* name) { return counters.at(name); };
  CHECK(count("warp_instructions") == 25);
  CHECK(count("thread_instructions") == 748);
  CHECK(count("integer_instructions") == 10);
  CHECK(count("float32_instructions") == 4);
  CHECK(count("float32_operations") == 200);
  CHECK(counters.count("fence_instructions") == 0);
  CHECK(count("global_load_requests") == 5);
  CHECK(count("global_load_sectors") == 4 + 4 + 5 + 32 + 1);
  CHECK(count("global_load_bytes") == 4 * 128 + 32);
  CHECK(count("global_store_requests") == 1);
  CHECK(count("global_store_sectors") == 4);
  CHECK(count("shared_load_requests") == 1);
  CHECK(count("shared_load_wavefronts") == 2);
  CHECK(count("shared_atomic_requests") == 1);
  CHECK(count("shared_atomic_conflicts") == 31);
  CHECK(count("shared_bank_conflicts") == 1 + 31);
  CHECK(count("barriers") == 2);
  CHECK(count("blocks") == 1);
  CHECK(count("threads") == 32);
}

TEST_CASE("a run of loads counts as its loads", "[profile]") {
  const auto t = table();
  for (const MemorySpace space : {MemorySpace::global, MemorySpace::shared}) {
    for (const std::uint64_t advance : {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{64}, std::uint64_t{2052},
                                        0 - std::uint64_t{4}, 0 - std::uint64_t{24}}) {
      for (const auto& [rows, apart, bytes] :
           {std::tuple(true, 64, 4), std::tuple(true, 512, 4), std::tuple(false, 2048, 4), std::tuple(true, 0, 8)}) {
        INFO("advance " << advance << ", " << apart << " bytes apart");
        std::array<std::uint64_t, kWarpSize> address{};
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
          address[lane] = 0x4000 + (lane < 16 ? 0 : apart) + (rows ? lane % 16 * bytes : 0);
        LoadRun run;
        run.first.instruction = 2;
        run.first.space = space;
        run.first.bytes = static_cast<std::uint8_t>(bytes);
        run.first.active = ~0u;
        run.first.address = address.data();
        run.first.consecutive = rows && apart == 16 * bytes;
        run.rows = rows;
        run.advance = advance;
        run.count = 21;
        CounterCollector runs(t, kernel()), loads(t, kernel());
        for (CounterCollector* collector : {&runs, &loads}) {
          collector->launch_begin({});
          const auto block = collector->observe_block();
          REQUIRE(block->interests().load_runs);
          block->block_begin({0, 32});
          if (collector == &runs) {
            block->load_run(run);
          } else {
            run.visit(0, run.count, [&](const WarpAccess& load) { block->access(load); });
          }
          block->block_end({});
        }
        CHECK(runs.counters() == loads.counters());
        CHECK(runs.access_sites() == loads.access_sites());
      }
    }
  }
}

TEST_CASE("coverage is by line, unexecuted lines included", "[profile]") {
  const auto t = table();
  const auto collector = collect(t, {0});
  LineCounts counts;
  for (int launch = 0; launch < 2; ++launch) counts.add(t, collector->kernel(), collector->lanes());
  LineCoverage coverage;
  counts.add_to(coverage, t);
  const std::map<std::uint32_t, std::uint64_t> expected{{1, 640}, {2, 336}, {3, 64}, {4, 64}, {9, 0}};
  REQUIRE(coverage.size() == 1);
  CHECK(coverage.at("k.cu") == expected);
}

TEST_CASE("access sites say how well an instruction uses memory", "[profile]") {
  const auto t = table();
  const auto sites = collect(t, {0})->access_sites();
  REQUIRE(sites.size() == 4);
  CHECK(sites[0] == AccessSite{{"k.cu", 2, 0}, AccessKind::load, MemorySpace::global, 5, 136, 544, 46, 17});
  CHECK(sites[1] == AccessSite{{"k.cu", 2, 0}, AccessKind::load, MemorySpace::shared, 1, 32, 128, 2, 1});
}

TEST_CASE("sums do not depend on which worker ran which block", "[profile]") {
  const auto t = table();
  const auto one = collect(t, {0, 0, 0, 0, 0});
  for (const std::vector<int>& order : {std::vector{0, 1, 2, 0, 1}, std::vector{2, 2, 1, 1, 0}}) {
    const auto other = collect(t, order);
    CHECK(one->counters() == other->counters());
    CHECK(std::ranges::equal(one->lanes(), other->lanes()));
    CHECK(one->access_sites() == other->access_sites());
  }
}

TEST_CASE("a kernel's functions are counted as one", "[profile]") {
  const auto t = table();
  const auto one = collect(t, {0, 1});
  for (const std::uint32_t first_function : {0u, 1u, 3u, 6u}) {
    const auto two = collect(t, {0, 1}, kernel(first_function));
    CHECK(one->counters() == two->counters());
    CHECK(one->access_sites() == two->access_sites());
    CHECK(std::ranges::equal(one->lanes(), two->lanes()));
  }
}

TEST_CASE("instructions of a kernel are numbered without gaps", "[profile]") {
  const std::vector<FunctionInfo> functions{
      {"a", "a", true, 0, 5, 1}, {"b", "b", false, 5, 0, 1}, {"c", "c", false, 5, 4, 1}, {"d", "d", true, 9, 3, 1}};
  const KernelInstructions numbers(functions, std::vector<std::uint32_t>{3, 1, 2});
  CHECK(numbers.size() == 7);
  CHECK(numbers.number(5) == 0);
  CHECK(numbers.number(8) == 3);
  CHECK(numbers.number(9) == 4);
  CHECK(numbers.number(11) == 6);
}

TEST_CASE("counters of accesses can be left out", "[profile]") {
  const auto t = table();
  CounterCollector with(t, kernel()), without(t, kernel(), false);
  for (CounterCollector* collector : {&with, &without}) {
    collector->launch_begin({});
    const auto block = collector->observe_block();
    CHECK(block->interests().accesses == (collector == &with));
    perform(*block, 0);
  }
  const auto all = with.counters(), some = without.counters();
  for (const auto& [name, value] : some) CHECK(all.at(name) == value);
  CHECK(some.contains("warp_instructions"));
  CHECK_FALSE(some.contains("global_load_requests"));
  CHECK_FALSE(some.contains("shared_bank_conflicts"));
  CHECK(std::ranges::equal(with.lanes(), without.lanes()));
}
