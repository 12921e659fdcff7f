// A block in execution: its warps take turns.
#include "vgpu/exec/block.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "vgpu/exec/barrier_waits.h"
#include "vgpu/exec/bulk_copies.h"
#include "vgpu/exec/cluster.h"
#include "vgpu/exec/disorder.h"
#include "vgpu/exec/frames.h"
#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/exec/late_stores.h"
#include "vgpu/exec/scheduler.h"

namespace cudalabs::vgpu::exec {

namespace {

// A block whose warps only took full turns this many times in a row gives way to other blocks.
constexpr std::uint32_t kRoundsOfSpinning = 64;
// Short turns are over after so many rounds without a barrier: they take long where many stores are late.
constexpr std::uint32_t kShortRounds = 1024;

void fill_words(std::byte* to, std::uint32_t bytes, std::uint32_t value) {
  if (value == 0xFFFF'FFFF) {
    std::memset(to, 0xFF, bytes);  // that of every launch but few
    return;
  }
  for (std::uint32_t at = 0; at < bytes; at += sizeof value)
    std::memcpy(to + at, &value, std::min<std::size_t>(sizeof value, bytes - at));
}

// Whether other blocks go on first.
bool begin_phase(Block* block) {
  block->phase_begins = false;
  const auto warps = static_cast<std::uint32_t>(block->warps.size());
  const std::uint64_t seed = block->worker->launch->late_stores->seed();
  const Disorder drawn = draw_disorder(seed, block->number, block->phase, warps);
  for (std::uint32_t i = 0; i < warps; ++i) {
    block->turns[i] = block->warps[drawn.warps[i]].get();
    block->warps[i]->turn = (drawn.short_warps >> i & 1) != 0 ? kShortTurn : kTurn;
  }
  block->short_turns = drawn.short_warps != 0;
  block->first_lanes = drawn.first_lanes;
  block->early_copies = drawn.early_copies;
  block->late_stores->begin_phase(drawn.late_warps);
  return drawn.gives_way;
}

void end_short_turns(Block* block) {
  for (const auto& warp : block->warps) warp->turn = kTurn;
  block->short_turns = false;
}

TurnEnd take_turn(Block* block, Warp* warp) {
  if (block->late_stores == nullptr) [[likely]]
    return run_turn(warp);
  block->late_stores->begin_turn(warp->index);
  const TurnEnd end = run_turn(warp);
  block->late_stores->end_turn(warp->index);
  return end;
}

std::uint32_t awaited_barrier(const Split& split) {
  if (split.state == SplitState::at_barrier) return split.barrier;
  return split.state == SplitState::at_cluster ? kBarrierOfCluster : kBarrierOfWarp;
}

// What was counted so far; counting begins anew.
std::vector<InstructionCount> take_counts(Block* block) {
  std::vector<InstructionCount> counts;
  const auto& counted = block->worker->launch->code->counted;
  for (std::size_t counter = 0; counter < block->counts.size(); ++counter) {
    Count& count = block->counts[counter];
    if (count.executed == 0) continue;
    for (const std::uint32_t instruction : counted[counter])
      counts.push_back({instruction, count.executed, count.lanes});
    count = {};
  }
  return counts;
}

/// Where blocks draw their work from a counter, the first does what was meant for several: it gets their share as well.
/// What counts for ever comes to its end no less.
bool has_too_many_instructions(const Block& block, const Launch& launch) {
  constexpr std::uint64_t kDrawsForOneMore = 32, kMostMore = 3;
  const std::uint64_t more = std::min({block.draws / kDrawsForOneMore, kMostMore, launch.config.blocks() - 1});
  return launch.instruction_limit != 0 && block.instructions / (1 + more) > launch.instruction_limit;
}

}  // namespace

// Everyone waits, nobody can come.
void report_deadlock(Block* block) {
  std::vector<Deadlock::Waiting> waiting;
  for (const auto& warp : block->warps) {
    for (const Split& split : warp->splits) {
      if (split.waits_in == nullptr) continue;
      waiting.push_back({.warp = warp->index,
                         .lanes = split.mask,
                         .instruction = split.waits_in->instruction,
                         .barrier = awaited_barrier(split),
                         .call = call_in_kernel(*split.frame)});
    }
  }
  add_waits(*block, waiting);
  const Deadlock deadlock{waiting};
  for (const auto& observer : block->observers) observer->deadlock(deadlock);
  fail_block(block, LaunchError::barrier_deadlock);
  if (!waiting.empty()) block->error_instruction = waiting.front().instruction;
}

void report_deadlock_of_cluster(Block* block) {
  if (block->cluster == nullptr) return report_deadlock(block);
  for (Block* each : block->cluster->blocks)
    if (each->exited_threads != each->threads) report_deadlock(each);
}

AlignedBytes aligned_bytes(std::size_t count) {
  auto* bytes = static_cast<std::byte*>(::operator new[](count, std::align_val_t{64}));
  std::memset(bytes, 0, count);
  return AlignedBytes(bytes);
}

std::unique_ptr<Block> make_block(Worker* worker, std::span<Observer* const> observers) {
  const Launch* launch = worker->launch;
  auto block = std::make_unique<Block>();
  block->worker = worker;
  block->threads = launch->config.threads_per_block();
  block->counts.resize(launch->code->counted.size());
  block->shared_memory = aligned_bytes(std::max(launch->shared_bytes, 64u));
  block->shared = block->shared_memory.get();
  bool all_take_runs = true;
  const auto observe = [&](std::unique_ptr<BlockObserver> made) {
    if (made == nullptr) return;
    const Interests interests = made->interests();
    if (interests.accesses) block->access_observers.push_back(made.get());
    if (interests.accesses && interests.bulk_copies) block->bulk_observers.push_back(made.get());
    all_take_runs = all_take_runs && (interests.load_runs || !interests.accesses);
    if (interests.accesses && interests.current_values) block->wants_current_values = true;
    if (interests.warp_syncs) block->warp_sync_observers.push_back(made.get());
    if (interests.counts) block->count_observers.push_back(made.get());
    block->observers.push_back(std::move(made));
  };
  for (Observer* observer : observers) observe(observer->observe_block());
  if (launch->late_stores != nullptr) {
    const std::uint32_t warps = (block->threads + kWarpSize - 1) / kWarpSize;
    auto late_stores = std::make_unique<LateStores>(*launch->late_stores, block->shared, warps);
    block->late_stores = late_stores.get();
    observe(std::move(late_stores));
  }
  block->watched = !block->access_observers.empty();
  if (block->watched && all_take_runs) block->load_runs.allow(launch->code->memory.size());

  const FunctionCode* kernel = launch->code->functions[0].get();
  for (std::uint32_t first = 0; first < block->threads; first += kWarpSize) {
    auto warp = std::make_unique<Warp>();
    warp->block = block.get();
    warp->worker = worker;
    warp->index = first / kWarpSize;
    const std::uint32_t lanes = std::min(kWarpSize, block->threads - first);
    warp->members = lanes == kWarpSize ? kAllLanes : (1u << lanes) - 1;
    warp->counts = block->counts.data();
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const Index3 at = coordinates(std::min(first + lane, block->threads - 1), launch->config.block);
      for (std::size_t axis = 0; axis < 3; ++axis) warp->thread_index[axis][lane] = at[axis];
    }
    warp->kernel_frame = take_frame(worker, kernel);
    reserve_local(warp.get(), kernel->local_bytes);
    block->turns.push_back(warp.get());
    block->warps.push_back(std::move(warp));
  }
  return block;
}

void start_block(Block* block, std::uint64_t number) {
  const Launch* launch = block->worker->launch;
  block->number = number;
  block->index = coordinates(number, launch->config.grid);
  const PlaceInCluster place = place_in_cluster(number, launch->config);
  block->rank = place.rank;
  block->cluster = nullptr;
  block->exited_threads = 0;
  block->instructions = 0;
  block->skipped_ticks = block->next_skip = 0;
  block->draws = 0;
  block->barriers = {};
  block->output.clear();
  block->error = LaunchError::none;
  block->error_instruction = launch->first_instruction;
  block->endless = false;
  block->assertion.reset();
  block->bulk.reset();
  block->prepared.clear();
  block->launches.clear();
  block->runtime_errors.clear();
  block->failed = false;
  block->rounds = block->rounds_in_vain = 0;
  block->phase = 0;
  block->phase_begins = block->late_stores != nullptr;
  // Shared memory of a block starts with unspecified contents: NaN shows better than what the last block left.
  const bool leftovers =
      launch->late_stores != nullptr && draw_block_disorder(launch->late_stores->seed(), number).leftovers;
  if (!leftovers) fill_words(block->shared, launch->shared_bytes, launch->shared_begins_with);
  for (const auto& observer : block->observers) {
    observer->block_begin({.index = number,
                           .threads = block->threads,
                           .cluster = place.cluster,
                           .cluster_blocks = launch->config.blocks_per_cluster()});
  }
  for (const auto& warp : block->warps) {
    std::memset(warp->local.get(), 0xFF, std::size_t{launch->code->functions[0]->local_bytes} * kWarpSize);
    warp->kernel_frame->stack.reset();
    start_warp(warp.get(), warp->kernel_frame);
  }
}

RoundEnd run_round(Block* block) {
  bool any_alive = false, any_ran = false, all_spun = true, strong = false;
  if (block->phase_begins && begin_phase(block)) [[unlikely]]
    return RoundEnd::giving_way;
  for (Warp* warp : block->turns) {
    if (warp->done()) continue;
    any_alive = true;
    if (!warp->runnable) continue;
    any_ran = true;
    const TurnEnd end = take_turn(block, warp);
    strong = strong || warp->talked;
    if (end == TurnEnd::failed) return RoundEnd::failed;
    if (end == TurnEnd::blocked) warp->runnable = false;
    if (end != TurnEnd::yielded) all_spun = false;
  }
  if (!any_alive) return RoundEnd::finished;
  if (!any_ran) {
    if (waits_for_cluster(*block)) return RoundEnd::waiting;
    report_deadlock(block);
    return RoundEnd::failed;
  }
  block->rounds = all_spun ? block->rounds + 1 : 0;
  if (!all_spun) block->rounds_in_vain = 0;
  if (block->short_turns && block->rounds >= kShortRounds) end_short_turns(block);
  if (all_spun && (strong || (!block->short_turns && block->rounds >= kRoundsOfSpinning))) {
    block->rounds = 0;
    if (!strong || !waits_in_vain(block)) return RoundEnd::spinning;
    report_deadlock_of_cluster(block);
    return RoundEnd::failed;
  }
  return RoundEnd::running;
}

void resume_block(Block* block) {
  if (block->late_stores != nullptr) block->late_stores->resume();
}

void give_way(Block* block, bool waits) {
  if (block->late_stores != nullptr) block->late_stores->give_way(waits);
}

void end_block(Block* block, bool with_counts) {
  for (const auto& [buffer, launch] : block->prepared) {  // nobody has launched
    block->worker->memory->free(buffer, launch.instruction, AllocationKind::device_heap);
  }
  block->prepared.clear();
  if (block->late_stores != nullptr) block->late_stores->finish();
  if (block->bulk != nullptr) end_bulk_copies(block);
  std::vector<InstructionCount> counts;
  if (with_counts && !block->count_observers.empty()) counts = take_counts(block);
  for (const auto& observer : block->observers) {
    const bool wants = std::find(block->count_observers.begin(), block->count_observers.end(), observer.get()) !=
                       block->count_observers.end();
    observer->block_end(wants ? std::span<const InstructionCount>(counts) : std::span<const InstructionCount>());
  }
}

void fail_block(Block* block, LaunchError error) {
  block->failed = true;
  block->error = error;
}

bool charge(Block* block, std::int64_t instructions) {
  Worker* worker = block->worker;
  const Launch* launch = worker->launch;
  block->instructions += static_cast<std::uint64_t>(instructions);
  if (launch->refused.load(std::memory_order_relaxed) > kMostRefusedAccesses) {
    block->failed = true;  // its error, if it has one, is that of its own accesses
    return false;
  }
  const bool too_many = has_too_many_instructions(*block, *launch);
  const bool too_late = launch->is_interrupted() || worker->processor_time.exceeded_after(instructions);
  if (!too_many && !too_late) return true;
  fail_block(block, too_many ? LaunchError::too_many_instructions : LaunchError::timed_out);
  return false;
}

void tell_warp_sync(Warp* warp, const MicroOp* op, LaneMask lanes) {
  if (!orders_memory(*op)) return;
  if (warp->block->load_runs.waiting()) warp->block->load_runs.tell(warp->block);
  for (BlockObserver* observer : warp->block->warp_sync_observers) {
    observer->warp_sync(warp->index, lanes, op->instruction);
  }
}

void tell_inactive_shuffle(Warp* warp, const MicroOp* op, LaneMask readers, std::uint32_t lane, LaneMask active) {
  const InactiveShuffle shuffle{
      .warp = warp->index, .instruction = op->instruction, .readers = readers, .lane = lane, .active = active};
  for (const auto& observer : warp->block->observers) observer->inactive_shuffle(shuffle);
}

void tell_unset_read(Warp* warp, const MicroOp* op, LaneMask lanes) {
  for (const auto& observer : warp->block->observers) observer->unset_read(warp->index, lanes, op->instruction);
}

void tell_outside_mask(Warp* warp, const MicroOp* op, LaneMask lanes) {
  for (const auto& observer : warp->block->observers) observer->outside_mask(warp->index, lanes, op->instruction);
}

void tell_missing_lanes(Warp* warp, const MicroOp* op, LaneMask lanes) {
  for (const auto& observer : warp->block->observers) observer->missing_lanes(warp->index, lanes, op->instruction);
}

void tell_missed_sync(Warp* warp, const Split& waiting, LaneMask arrived) {
  const MissedSync missed{.warp = warp->index,
                          .instruction = waiting.waits_in->instruction,
                          .lanes = arrived,
                          .ended = waiting.ended,
                          .past = waiting.past,
                          .past_at = waiting.past_at};
  for (const auto& observer : warp->block->observers) observer->missed_sync(missed);
}

const MicroOp* stack_overflow(Warp* warp, std::uint32_t instruction, LaneMask lanes) {
  std::uint64_t addresses[kWarpSize] = {};
  std::fill(std::begin(addresses), std::end(addresses), std::uint64_t{warp->frame->local_base});
  const Violation violation{.kind = ViolationKind::local_out_of_bounds,
                            .access = AccessKind::store,
                            .space = MemorySpace::local,
                            .warp = warp->index,
                            .instruction = instruction,
                            .bytes = 4,
                            .lanes = lanes,
                            .address = addresses};
  for (const auto& observer : warp->block->observers) observer->violation(violation);
  return fail(warp, instruction, lanes, LaunchError::illegal_address);
}

void reserve_local(Warp* warp, std::uint32_t bytes) {
  if (bytes <= warp->local_bytes && warp->local != nullptr) return;
  // Twice as much at a time, so that deep calls do not copy it at every step.
  constexpr std::uint32_t kMostAtOnce = 256u << 10;
  const std::uint32_t wanted = std::max({bytes, std::min(warp->local_bytes * 2, kMostAtOnce), 64u});
  AlignedBytes grown = aligned_bytes(std::size_t{wanted} * kWarpSize);
  std::memset(grown.get(), 0xFF, std::size_t{wanted} * kWarpSize);
  if (warp->local != nullptr) std::memcpy(grown.get(), warp->local.get(), std::size_t{warp->local_bytes} * kWarpSize);
  warp->local = std::move(grown);
  warp->local_bytes = wanted;
}

}  // namespace cudalabs::vgpu::exec
