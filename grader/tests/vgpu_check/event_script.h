// A launch as a list of events, and its performance before observers: what the interpreter would tell them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vgpu/check/launch_names.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu::testing {

struct Event {
  enum class Type { access, warp_sync, arrive, complete, fence, exit, violation, deadlock, past_barriers };
  Type type = Type::access;
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  LaneMask lanes = 0;
  std::uint32_t instruction = 0;
  // accesses
  AccessKind kind = AccessKind::load;
  MemorySpace space = MemorySpace::shared;
  MemoryOrder order = MemoryOrder::weak;
  MemoryScope scope = MemoryScope::block;  // fences, too
  std::uint8_t bytes = 4;
  std::array<std::uint64_t, kWarpSize> address{};
  std::array<std::uint64_t, kWarpSize> value{};  // stored; wider accesses repeat it
  // barriers
  std::uint32_t barrier = 0;
  bool arrive_only = false;
  bool whole_block = true;
  std::uint32_t exited = 0;
  std::optional<std::uint32_t> early_end;  // past_barriers
  ViolationKind violation = ViolationKind::global_out_of_bounds;
  std::optional<std::uint32_t> call;  // of a violation, and of a barrier

  bool strong() const { return order != MemoryOrder::weak || kind == AccessKind::atomic; }
};

struct Script {
  std::uint32_t blocks = 1;
  std::uint32_t threads = 64;  // a block
  std::uint32_t shared_bytes = 256;
  bool cooperative = false;
  std::vector<Event> events;

  LaunchConfig config() const {
    LaunchConfig config{{blocks, 1, 1}, {threads, 1, 1}, 0};
    config.cooperative = cooperative;
    return config;
  }
  std::uint32_t warps() const { return (threads + kWarpSize - 1) / kWarpSize; }
  LaneMask lanes_of(std::uint32_t warp) const {
    return threads - warp * kWarpSize >= kWarpSize ? ~0u : (1u << (threads - warp * kWarpSize)) - 1;
  }
};

/// Writes scripts tersely. All lanes of a warp act unless said otherwise; addresses are for a lane, computed by a
/// function of the linear thread index in the grid.
class ScriptBuilder {
 public:
  explicit ScriptBuilder(std::uint32_t blocks = 1, std::uint32_t threads = 64) {
    script_.blocks = blocks;
    script_.threads = threads;
  }

  Script build() const { return script_; }
  /// The events that follow belong to this block.
  ScriptBuilder& in_block(std::uint64_t block) {
    block_ = block;
    return *this;
  }
  ScriptBuilder& access(AccessKind kind, std::uint32_t line, std::uint32_t warp, LaneMask lanes, auto address,
                        MemorySpace space = MemorySpace::shared, std::uint8_t bytes = 4) {
    Event e;
    e.kind = kind;
    e.space = space;
    e.bytes = bytes;
    return lanes_at(e, line, warp, lanes, address);
  }
  ScriptBuilder& strong(AccessKind kind, std::uint32_t line, std::uint32_t warp, LaneMask lanes, auto address,
                        MemorySpace space = MemorySpace::shared, MemoryScope scope = MemoryScope::device,
                        MemoryOrder order = MemoryOrder::relaxed) {
    Event e;
    e.kind = kind;
    e.space = space;
    e.order = order;
    e.scope = scope;
    return lanes_at(e, line, warp, lanes, address);
  }
  /// Every warp of the block does it, one after the other.
  ScriptBuilder& all(AccessKind kind, std::uint32_t line, auto address, MemorySpace space = MemorySpace::shared,
                     std::uint8_t bytes = 4) {
    for (std::uint32_t w = 0; w < script_.warps(); ++w)
      access(kind, line, w, script_.lanes_of(w), address, space, bytes);
    return *this;
  }
  ScriptBuilder& all_load(std::uint32_t line, auto address, MemorySpace space = MemorySpace::shared,
                          std::uint8_t bytes = 4) {
    return all(AccessKind::load, line, address, space, bytes);
  }
  ScriptBuilder& all_store(std::uint32_t line, auto address, MemorySpace space = MemorySpace::shared,
                           std::uint8_t bytes = 4) {
    return all(AccessKind::store, line, address, space, bytes);
  }
  ScriptBuilder& values(auto value) {
    Event& e = script_.events.back();
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) e.value[lane] = value(e.warp * kWarpSize + lane);
    return *this;
  }
  ScriptBuilder& arrive(std::uint32_t line, std::uint32_t warp, LaneMask lanes, std::uint32_t barrier = 0,
                        bool arrive_only = false, std::optional<std::uint32_t> call = std::nullopt) {
    Event e;
    e.type = Event::Type::arrive;
    e.call = call;
    e.barrier = barrier;
    e.arrive_only = arrive_only;
    return add(e, line, warp, lanes);
  }
  ScriptBuilder& complete(std::uint32_t barrier = 0, bool whole_block = true, std::uint32_t exited = 0) {
    Event e;
    e.type = Event::Type::complete;
    e.barrier = barrier;
    e.whole_block = whole_block;
    e.exited = exited;
    return add(e, 0, 0, 0);
  }
  /// Lanes leave at the branch in `line`, and end.
  ScriptBuilder& leave(std::uint32_t line, std::uint32_t warp, LaneMask lanes,
                       std::optional<std::uint32_t> early_end = std::nullopt) {
    Event e;
    e.type = Event::Type::past_barriers;
    e.early_end = early_end;
    add(e, line, warp, lanes);
    e.type = Event::Type::exit;
    return add(e, line, warp, lanes);
  }
  ScriptBuilder& barrier(std::uint32_t line) {
    for (std::uint32_t w = 0; w < script_.warps(); ++w) arrive(line, w, script_.lanes_of(w));
    return complete();
  }
  ScriptBuilder& warp_sync(std::uint32_t warp, LaneMask lanes = ~0u) {
    Event e;
    e.type = Event::Type::warp_sync;
    return add(e, 0, warp, lanes);
  }
  ScriptBuilder& fence(std::uint32_t warp, LaneMask lanes, MemoryScope scope = MemoryScope::device) {
    Event e;
    e.type = Event::Type::fence;
    e.scope = scope;
    return add(e, 0, warp, lanes);
  }
  ScriptBuilder& add(Event e, std::uint32_t line, std::uint32_t warp, LaneMask lanes) {
    e.block = block_;
    e.instruction = line;
    e.warp = warp;
    e.lanes = lanes;
    script_.events.push_back(e);
    return *this;
  }

 private:
  ScriptBuilder& lanes_at(Event e, std::uint32_t line, std::uint32_t warp, LaneMask lanes, auto address) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t thread = block_ * script_.threads + warp * kWarpSize + lane;
      e.address[lane] = address(thread);
      e.value[lane] = thread + 1;
    }
    return add(e, line, warp, lanes);
  }

  Script script_;
  std::uint64_t block_ = 0;
};

/// Instruction i stands on line i of kernel.cu, and kernel `k` is running.
class LineNames : public LaunchNames {
 public:
  std::string kernel() const override { return "k"; }
  SourcePlace place(std::uint32_t instruction) const override { return {"kernel.cu", instruction, 1}; }
  std::vector<GivenValue> values_given() const override { return given; }
  std::vector<GivenValue> given;
  std::vector<SourcePlace> calls(std::uint32_t instruction) const override {
    const auto found = calls_of.find(instruction);
    return found == calls_of.end() ? std::vector<SourcePlace>() : found->second;
  }
  std::map<std::uint32_t, std::vector<SourcePlace>> calls_of;  // by line
  bool in_loop(std::uint32_t instruction) const override { return instruction == loop_line; }
  bool always_executed(std::uint32_t instruction) const override { return instruction == bare_line; }
  BarrierPlace barrier(std::uint32_t) const override { return barrier_place; }
  std::vector<AccessGuard> guards(std::uint32_t access) const override {
    const auto found = guards_of.find(access);
    return found == guards_of.end() ? std::vector<AccessGuard>() : found->second;
  }
  std::optional<SourcePlace> cut_index(std::uint32_t) const override {
    return cut_line == 0 ? std::nullopt : std::optional(place(cut_line));
  }
  std::optional<ProductOfInts> large_product(std::uint32_t, const LaunchConfig&, Index3, Index3) const override {
    return product;
  }
  std::optional<NamedRange> nearest(MemorySpace space, std::uint64_t) const override;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> same_array(std::uint32_t, std::uint32_t) const override {
    return array_given_twice;
  }
  std::optional<SourcePlace> warp_barrier_between(const SourcePlace& first, const SourcePlace& last) const override {
    const bool between = first.line < warp_barrier_line && warp_barrier_line < last.line;
    return between ? std::optional(place(warp_barrier_line)) : std::nullopt;
  }

  bool has_block_barrier_between(const SourcePlace& first, const SourcePlace& last) const override {
    return first.line < block_barrier_line && block_barrier_line < last.line;
  }

  bool follows_without_block_barrier(std::uint32_t, std::uint32_t) const override { return inlined; }

  std::optional<NamedRange> range;  // what nearest answers for global memory
  bool shared_by_launch = false;    // and whether shared memory is of the size that the launch says
  std::optional<std::pair<std::uint32_t, std::uint32_t>> array_given_twice;
  std::uint32_t warp_barrier_line = 0, block_barrier_line = 0;
  bool inlined = false;         // and that barrier is elsewhere
  std::uint32_t loop_line = 0;  // of an instruction in a loop
  std::uint32_t bare_line = 0;  // of an instruction that no condition is around
  BarrierPlace barrier_place;   // of every barrier
  std::map<std::uint32_t, std::vector<AccessGuard>> guards_of;
  std::uint32_t cut_line = 0;            // where the indices of all accesses lose bits
  std::optional<ProductOfInts> product;  // that the indices of all accesses are computed from
};

/// Lowest device address in scripts.
constexpr std::uint64_t kGlobal = 0x2000'0000'0000;

/// Begins and ends the launch, and gives every block an observer of its own that lives until the block ends: all blocks
/// are resident at once. Keeps memory contents, for the values that stores replace.
void perform(const Script& script, Observer& observer, bool concurrent = false);

}  // namespace cudalabs::vgpu::testing
