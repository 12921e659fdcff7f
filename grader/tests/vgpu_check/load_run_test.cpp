// A run of loads, told at once, is judged as its loads are, told one by one.
#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "event_script.h"
#include "vgpu/check/initialized_checker.h"
#include "vgpu/check/race_filter.h"
#include "vgpu/memory/global_memory.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

constexpr std::uint32_t kHalf = kWarpSize / 2, kWarps = 3, kThreads = kWarps * kWarpSize;
constexpr std::uint32_t kSharedBytes = 1024, kGlobalBytes = 2048;

struct Run {
  std::array<std::uint64_t, kWarpSize> address{};
  LoadRun told;
};

/// Of words, or now and then of two words a lane. Null where it would leave the `bytes` bytes from `begin` on.
std::unique_ptr<Run> random_run(std::mt19937_64& random, MemorySpace space, std::uint64_t begin, std::uint64_t bytes) {
  auto run = std::make_unique<Run>();
  LoadRun& told = run->told;
  WarpAccess& load = told.first;
  load.warp = static_cast<std::uint32_t>(random() % kWarps);
  load.instruction = 1 + load.warp;
  load.space = space;
  load.bytes = random() % 8 == 0 ? 8 : 4;
  load.active = ~0u;
  load.address = run->address.data();
  told.rows = random() % 2 == 0;
  told.count = static_cast<std::uint32_t>(1 + random() % 12);
  const std::array<std::uint64_t, 6> advances{
      0, load.bytes, 64, 128, 0 - std::uint64_t{64}, 0 - std::uint64_t{load.bytes}};
  told.advance = advances[random() % advances.size()];
  const std::uint64_t places = bytes / load.bytes;
  const std::uint64_t first = begin + random() % places * load.bytes;
  const std::array<std::uint64_t, 3> seconds{first, first + kHalf * load.bytes, begin + random() % places * load.bytes};
  const std::array<std::uint64_t, 2> halves{first, seconds[random() % seconds.size()]};
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
    run->address[lane] = halves[lane / kHalf] + (told.rows ? std::uint64_t{lane % kHalf} * load.bytes : 0);
  load.consecutive = told.rows && halves[1] - halves[0] == kHalf * load.bytes;
  for (const std::uint32_t lane : {0u, kHalf - 1, kHalf, kWarpSize - 1}) {
    for (const std::uint64_t at : {run->address[lane], run->address[lane] + (told.count - 1) * told.advance})
      if (at - begin > bytes - load.bytes) return nullptr;
  }
  return run;
}

void store_row(std::mt19937_64& random, const std::vector<BlockObserver*>& blocks, MemorySpace space,
               std::uint64_t begin, std::uint64_t bytes) {
  constexpr std::uint64_t kRowBytes = kWarpSize * 4;
  std::array<std::uint64_t, kWarpSize> address;
  const std::uint64_t first = begin + random() % (bytes / kRowBytes) * kRowBytes;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) address[lane] = first + lane * 4;
  WarpAccess store;
  store.warp = static_cast<std::uint32_t>(random() % (kWarps));
  store.instruction = 20;
  store.kind = AccessKind::store;
  store.space = space;
  store.active = ~0u;
  store.address = address.data();
  store.consecutive = true;
  for (BlockObserver* block : blocks) block->access(store);
}

LaunchInfo launch_of(std::uint32_t blocks) {
  LaunchInfo launch;
  launch.config = {{blocks, 1, 1}, {kThreads, 1, 1}, 0};
  launch.shared_bytes = kSharedBytes;
  launch.executed_blocks = blocks;
  return launch;
}

/// The first loads of all runs, then the second ones, and so on.
void tell_in_turn(BlockObserver& block, const std::vector<const LoadRun*>& runs) {
  bool any_left = true;
  for (std::uint32_t step = 0; any_left; ++step) {
    any_left = false;
    for (const LoadRun* run : runs) {
      if (step >= run->count) continue;
      any_left = true;
      run->visit(step, step + 1, [&](const WarpAccess& load) { block.access(load); });
    }
  }
}

/// The same events for both, but runs for the first and their loads for the second.
template <class MakeEvent>
void tell_both(Observer& runs, Observer& loads, std::uint32_t blocks, MakeEvent make_event) {
  for (Observer* observer : {&runs, &loads}) observer->launch_begin(launch_of(blocks));
  const auto of_runs = runs.observe_block(), of_loads = loads.observe_block();
  REQUIRE(of_runs->interests().load_runs);
  const std::vector<BlockObserver*> both{of_runs.get(), of_loads.get()};
  for (std::uint64_t index = 0; index < blocks; ++index) {
    for (BlockObserver* block : both) block->block_begin({index, kThreads});
    make_event(both);
    for (BlockObserver* block : both) block->block_end({});
  }
  for (Observer* observer : {&runs, &loads}) observer->launch_end();
}

void sync_warp(std::mt19937_64& random, const std::vector<BlockObserver*>& blocks) {
  const auto warp = static_cast<std::uint32_t>(random() % kWarps);
  for (BlockObserver* block : blocks) block->warp_sync(warp, ~0u, 30);
}

void pass_barrier(const std::vector<BlockObserver*>& blocks, std::uint32_t instruction) {
  for (BlockObserver* block : blocks) {
    for (std::uint32_t warp = 0; warp < kWarps; ++warp)
      block->barrier_arrive({.warp = warp, .instruction = instruction, .lanes = ~0u});
    block->barrier_complete({.participants = kThreads});
  }
}

}  // namespace

TEST_CASE("the race filter judges runs of loads as their loads, which a warp makes in turn", "[race]") {
  for (const ShadowKernels& kernels : all_shadow_kernels()) {
    INFO(kernels.instruction_set);
    GlobalShadow of_runs(kGlobal, 1 << 20), of_loads(kGlobal, 1 << 20);
    int suspicious = 0, clean = 0;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
      INFO("seed " << seed);
      std::mt19937_64 random(seed);
      RaceFilter runs(of_runs, kernels), loads(of_loads, kernels);
      tell_both(runs, loads, 1 + seed % 3, [&](const std::vector<BlockObserver*>& both) {
        for (std::uint64_t event = 0; event < 3 + seed % 9; ++event) {
          const bool shared = random() % 3 != 0;
          const MemorySpace space = shared ? MemorySpace::shared : MemorySpace::global;
          const std::uint64_t begin = shared ? 0 : kGlobal, bytes = shared ? kSharedBytes : kGlobalBytes;
          switch (random() % 8) {
            case 0:
              if (shared || seed % 2 == 0) store_row(random, both, space, begin, bytes);
              break;
            case 1:
              sync_warp(random, both);
              break;
            case 2:
            case 3:
              pass_barrier(both, 40 + static_cast<std::uint32_t>(random() % 2));
              break;
            default:
              const auto one = random_run(random, space, begin, bytes), other = random_run(random, space, begin, bytes);
              if (!one || !other) break;
              other->told.first.warp = one->told.first.warp;
              both[0]->load_run(one->told);
              both[0]->load_run(other->told);
              tell_in_turn(*both[1], {&one->told, &other->told});
          }
        }
      });
      REQUIRE(runs.suspicious() == loads.suspicious());
      REQUIRE(runs.barrier_usage(LineNames()) == loads.barrier_usage(LineNames()));
      (runs.suspicious() ? suspicious : clean)++;
    }
    INFO(suspicious << " suspicious, " << clean << " clean");
    REQUIRE(suspicious > 300);
    REQUIRE(clean > 300);
  }
}

TEST_CASE("loads of a run that read what nobody has written are found one by one", "[initialized]") {
  GlobalMemory memory(1 << 20);
  const std::uint64_t array = memory.allocate(kGlobalBytes, 0);
  REQUIRE(array != 0);
  int found = 0, clean = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    // From half of the array on, then all of it.
    if (seed == 500) REQUIRE(memory.fill(array, 0, kGlobalBytes / 2));
    if (seed == 1500) REQUIRE(memory.fill(array, 0, kGlobalBytes));
    InitializedChecker runs(memory), loads(memory);
    tell_both(runs, loads, 2, [&](const std::vector<BlockObserver*>& both) {
      for (int event = 0; event < 12; ++event) {
        const bool shared = seed % 2 == 0;
        const MemorySpace space = shared ? MemorySpace::shared : MemorySpace::global;
        const std::uint64_t begin = shared ? 0 : array, bytes = shared ? kSharedBytes : kGlobalBytes;
        if (shared && random() % 4 != 0) store_row(random, both, space, begin, bytes);
        if (const auto run = random_run(random, space, begin, bytes)) {
          both[0]->load_run(run->told);
          tell_in_turn(*both[1], {&run->told});
        }
      }
    });
    const std::vector<Finding> expected = loads.findings(LineNames()), findings = runs.findings(LineNames());
    REQUIRE(findings.size() == expected.size());
    for (std::size_t i = 0; i < findings.size(); ++i) {
      CHECK(findings[i].where.line == expected[i].where.line);
      CHECK(findings[i].thread == expected[i].thread);
      CHECK(findings[i].count == expected[i].count);
      CHECK(findings[i].note == expected[i].note);
    }
    (findings.empty() ? clean : found)++;
  }
  CHECK(found > 300);
  CHECK(clean > 100);
}
