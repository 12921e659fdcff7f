// Chooses events by weights, block by block; barriers are expanded into arrivals of all warps.
#include "script_generator.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace cudalabs::vgpu::testing {

namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, const GeneratorOptions& options) : random_(seed), options_(options) {
    script_.blocks = options.blocks;
    script_.threads = options.threads;
    script_.shared_bytes = options.words * 4 + 16;
  }

  Script run(bool mixed_blocks) {
    std::vector<std::vector<Event>> blocks(options_.blocks);
    for (std::uint64_t block = 0; block < options_.blocks; ++block) {
      block_ = block;
      for (std::uint32_t i = 0; i < options_.events; ++i) add_something();
      blocks[block] = std::move(script_.events);
      script_.events.clear();
    }
    if (!mixed_blocks) {
      for (const auto& events : blocks) script_.events.insert(script_.events.end(), events.begin(), events.end());
      return script_;
    }
    std::vector<std::size_t> next(blocks.size());
    for (std::size_t left = total(blocks); left != 0; --left) {
      std::size_t block = below(blocks.size());
      while (next[block] == blocks[block].size()) block = (block + 1) % blocks.size();
      script_.events.push_back(blocks[block][next[block]++]);
    }
    return script_;
  }

 private:
  static std::size_t total(const std::vector<std::vector<Event>>& blocks) {
    std::size_t sum = 0;
    for (const auto& events : blocks) sum += events.size();
    return sum;
  }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  bool chance(unsigned percent) { return below(100) < percent; }

  Event fresh(Event::Type type) {
    Event e;
    e.type = type;
    e.block = block_;
    e.warp = static_cast<std::uint32_t>(below(script_.warps()));
    e.instruction = ++instruction_;
    return e;
  }

  void add_something() {
    const std::size_t what = below(100);
    if (what < 62) return add_access();
    if (what < 76) return add_barrier();
    if (what < 86) return add_warp_sync();
    if (what < 94 && options_.atomics_and_fences) return add_fence();
    if (options_.counted_barriers) return add_counted_barrier();
    add_access();
  }

  /// One to three lanes, now and then the whole warp.
  LaneMask some_lanes(std::uint32_t warp) {
    if (chance(options_.whole_warps ? 90 : 10)) return script_.lanes_of(warp);
    LaneMask lanes = 0;
    const std::array<std::uint32_t, 4> usual{0, 1, 5, 7};
    for (std::size_t n = 1 + below(2); n != 0; --n) lanes |= 1u << usual[below(usual.size())];
    lanes &= script_.lanes_of(warp);
    return lanes != 0 ? lanes : 1;
  }

  void add_access() {
    Event e = fresh(Event::Type::access);
    e.lanes = some_lanes(e.warp);
    e.space = options_.global && (!options_.shared || chance(50)) ? MemorySpace::global : MemorySpace::shared;
    e.kind = chance(options_.whole_warps ? 70 : 50) ? AccessKind::load : AccessKind::store;
    if (options_.narrow_accesses) e.bytes = std::array<std::uint8_t, 6>{1, 1, 2, 4, 8, 16}[below(6)];
    if (options_.atomics_and_fences && chance(35)) {
      e.bytes = 4;
      e.scope = std::array{MemoryScope::block, MemoryScope::device, MemoryScope::system}[below(3)];
      if (chance(50)) e.kind = AccessKind::atomic;
      e.order = MemoryOrder::relaxed;
      if (chance(20)) {
        e.order = e.kind == AccessKind::load    ? MemoryOrder::acquire
                  : e.kind == AccessKind::store ? MemoryOrder::release
                                                : MemoryOrder::acq_rel;
      }
    }
    const std::uint64_t base = e.space == MemorySpace::global ? kGlobal : 0;
    const std::uint64_t step = e.bytes;
    const std::uint64_t slots = std::max<std::uint64_t>(1, options_.words * 4 / step);
    if (options_.whole_warps) {
      patterned(e, base, slots);
      script_.events.push_back(e);
      return;
    }
    const bool spread = chance(30);
    const std::uint64_t slot = below(slots);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      e.address[lane] = base + (spread ? (slot + lane) % slots : slot) * step;
      e.value[lane] = below(2);
    }
    script_.events.push_back(e);
  }

  /// What 16 and 32 lanes that work side by side do: a row, one element, a column, or anything.
  void patterned(Event& e, std::uint64_t base, std::uint64_t slots) {
    // Most stores are to the thread's own element, or hardly any launch would be free of races.
    const bool own = e.kind == AccessKind::store ? chance(85) : chance(20);
    const std::uint64_t first = e.space == MemorySpace::global ? block_ * script_.threads : 0;
    std::uint64_t slot = below(slots);
    std::size_t pattern = own ? 0 : 1 + below(4);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if (lane == kWarpSize / 2 && !own && chance(50)) {
        slot = below(slots);
        pattern = below(5);
      }
      const std::uint64_t thread = first + e.warp * kWarpSize + lane;
      const std::uint64_t at = pattern == 0   ? thread
                               : pattern == 1 ? slot
                               : pattern == 2 ? slot + lane
                               : pattern == 3 ? thread * 17
                                              : below(slots);
      e.address[lane] = base + at % slots * e.bytes;
      e.value[lane] = below(2);
    }
  }

  void add_barrier() {
    std::vector<std::uint32_t> warps(script_.warps());
    std::iota(warps.begin(), warps.end(), 0);
    std::shuffle(warps.begin(), warps.end(), random_);
    Event e = fresh(Event::Type::arrive);
    for (const std::uint32_t warp : warps) {
      e.warp = warp;
      e.lanes = script_.lanes_of(warp);
      script_.events.push_back(e);
    }
    script_.events.push_back(fresh(Event::Type::complete));
  }

  /// Some warps wait, others only arrive and may do something before it completes.
  void add_counted_barrier() {
    const auto barrier = static_cast<std::uint32_t>(1 + below(2));
    std::vector<std::uint32_t> warps(script_.warps());
    std::iota(warps.begin(), warps.end(), 0);
    std::shuffle(warps.begin(), warps.end(), random_);
    const std::size_t arriving = below(warps.size());
    for (std::size_t i = 0; i < warps.size(); ++i) {
      Event e = fresh(Event::Type::arrive);
      e.warp = warps[i];
      e.lanes = script_.lanes_of(e.warp);
      e.barrier = barrier;
      e.arrive_only = i < arriving;
      script_.events.push_back(e);
      if (e.arrive_only && chance(50)) {
        add_access();
        Event& after = script_.events.back();
        after.warp = e.warp;
        after.lanes = some_lanes(e.warp);
      }
      if (!e.arrive_only && i + 1 < warps.size() && chance(30)) break;
    }
    Event done = fresh(Event::Type::complete);
    done.barrier = barrier;
    done.whole_block = false;
    script_.events.push_back(done);
  }

  void add_warp_sync() {
    Event e = fresh(Event::Type::warp_sync);
    e.lanes = script_.lanes_of(e.warp);
    if (options_.partial_warp_syncs && chance(50)) e.lanes = some_lanes(e.warp) | some_lanes(e.warp);
    script_.events.push_back(e);
  }

  void add_fence() {
    Event e = fresh(Event::Type::fence);
    e.lanes = some_lanes(e.warp);
    e.scope = std::array{MemoryScope::block, MemoryScope::device, MemoryScope::system}[below(3)];
    script_.events.push_back(e);
  }

  std::mt19937_64 random_;
  GeneratorOptions options_;
  Script script_;
  std::uint64_t block_ = 0;
  std::uint32_t instruction_ = 0;
};

}  // namespace

Script random_script(std::uint64_t seed, const GeneratorOptions& options, bool mixed_blocks) {
  return Generator(seed, options).run(mixed_blocks);
}

Script with_blocks_permuted(const Script& script, std::uint64_t seed) {
  std::vector<std::uint64_t> order(script.blocks);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  Script result = script;
  result.events.clear();
  for (const std::uint64_t block : order) {
    std::copy_if(script.events.begin(), script.events.end(), std::back_inserter(result.events),
                 [&](const Event& e) { return e.block == block; });
  }
  return result;
}

}  // namespace cudalabs::vgpu::testing
