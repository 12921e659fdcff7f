// How copies in bulk begin, and who makes them go on.
#include "vgpu/exec/bulk_copies.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "vgpu/exec/access.h"
#include "vgpu/exec/bulk_accesses.h"
#include "vgpu/exec/calls.h"
#include "vgpu/exec/cluster.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/frames.h"
#include "vgpu/exec/lane_place.h"
#include "vgpu/memory/address_space.h"

namespace cudalabs::vgpu::exec {

namespace {

/// One lane begins copies by one instruction.
class Beginning {
 public:
  Beginning(Warp* warp, const MicroOp* op, const std::byte* registers, std::uint32_t lane)
      : warp_(warp),
        op_(op),
        registers_(registers),
        lane_(lane),
        operation_(*static_cast<const BulkOperation*>(op->data)) {}

  void begin() {
    const auto bytes = value<std::uint32_t>(operation_.bytes);
    // Held to an H100: it copies what is whole, and tells the barrier of so much.
    if (bytes % kBulkUnit != 0)
      tell({.violation = ViolationKind::bulk_size}, *operation_.source, value<std::uint64_t>(operation_.from), bytes);
    const std::uint64_t to = value<std::uint64_t>(operation_.to) & operation_.target->address_mask;
    const std::uint64_t barrier = operation_.form.has_barrier()
                                      ? value<std::uint64_t>(operation_.at_barrier) & operation_.barrier->address_mask
                                      : 0;
    const std::uint32_t whole = bytes / kBulkUnit * kBulkUnit;
    if (!operation_.form.multicast) return begin_one(to, barrier, whole);
    constexpr std::uint32_t kRanks = 16;
    const auto ranks = value<std::uint32_t>(operation_.mask);
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
      if ((ranks >> rank & 1) == 0) continue;
      begin_one(shared_part_of(rank) + to % kSharedPart, shared_part_of(rank) + barrier % kSharedPart, whole);
    }
  }

 private:
  template <class T>
  T value(std::uint32_t row) const {
    T result{};
    std::memcpy(&result, registers_ + row + lane_ * sizeof(T), sizeof(T));
    return result;
  }

  void tell(const LanePlace& place, const MemoryDescriptor& descriptor, std::uint64_t address, std::uint32_t bytes) {
    std::uint64_t addresses[kWarpSize] = {};
    addresses[lane_] = address;
    const Violation violation{.kind = place.violation,
                              .access = descriptor.kind,
                              .space = place.space,
                              .warp = warp_->index,
                              .instruction = op_->instruction,
                              .bytes = bytes,
                              .lanes = 1u << lane_,
                              .address = addresses,
                              .call = call_in_kernel(*warp_->frame),
                              .owner = place.owner == nullptr ? std::nullopt : std::optional(place.owner->number),
                              .rank = place.rank};
    if (warp_->block->load_runs.waiting()) warp_->block->load_runs.tell(warp_->block);
    for (const auto& observer : warp_->block->observers) observer->violation(violation);
    warp_->worker->launch->refused.fetch_add(1, std::memory_order_relaxed);
  }

  /// Where the bytes lie, if all of them may be accessed; else tells of the first ones that may not.
  std::optional<LanePlace> place_of_all(const MemoryDescriptor& descriptor, std::uint64_t address,
                                        std::uint32_t bytes) {
    const LanePlace first = place_of(warp_, descriptor, address);
    const std::uint32_t unit = descriptor.bytes;
    LanePlace bad = first;
    if (first.allowed) {
      const LanePlace last = place_of(warp_, descriptor, address + std::max(bytes, unit) - unit);
      if (last.allowed && last.range == first.range) return first;
      for (std::uint32_t at = unit; at < bytes && bad.allowed; at += unit) {
        bad = place_of(warp_, descriptor, address + at);
      }
      if (bad.allowed) return first;
    }
    tell(bad, descriptor, bad.address, unit);
    record_error(warp_->block, error_of(bad.violation));
    return std::nullopt;
  }

  Block* owner_of(const LanePlace& place) const {
    return place.space == MemorySpace::cluster ? peer_of(*warp_->block, place.rank).block : warp_->block;
  }

  void begin_one(std::uint64_t to, std::uint64_t barrier, std::uint32_t bytes) {
    const BulkForm& form = operation_.form;
    BulkCopy copy{.warp = warp_, .lane = lane_, .op = op_, .operation = &operation_, .pieces = {}, .data = {}};
    const std::optional<LanePlace> source = place_of_all(
        *operation_.source, value<std::uint64_t>(operation_.from) & operation_.source->address_mask, bytes);
    const std::optional<LanePlace> target = place_of_all(*operation_.target, to, bytes);
    if (source && target && bytes != 0) {
      if (!form.to_global) copy.to = owner_of(*target);
      copy.pieces = {{target->address, source->address, bytes}};
    }
    if (form.has_barrier()) {
      const std::optional<LanePlace> at = place_of_all(*operation_.barrier, barrier, operation_.barrier->bytes);
      if (!at) return;
      copy.barrier_of = owner_of(*at);
      copy.barrier = at->address;
      copy.signalled = bytes;
    } else if (copy.pieces.empty()) {
      return;
    }
    start_bulk_copy(std::move(copy));
  }

  Warp* warp_;
  const MicroOp* op_;
  const std::byte* registers_;
  std::uint32_t lane_;
  const BulkOperation& operation_;
};

BlockBulkCopies& copies_of(Block* block) {
  if (block->bulk == nullptr) block->bulk = std::make_shared<BlockBulkCopies>();
  return *block->bulk;
}

std::uint32_t& open_group(Block* block, std::uint32_t thread) {
  std::vector<std::uint32_t>& open = copies_of(block).open_groups;
  if (open.size() <= thread) open.resize(block->threads);
  return open[thread];
}

void tell_unfinished(Block* block, const BulkCopy& copy, bool reads) {
  if (copy.pieces.empty()) return;
  const BulkPiece& first = copy.pieces.front();
  std::uint64_t bytes = 0;
  for (const BulkPiece& piece : copy.pieces) bytes += piece.bytes;
  const BulkUnfinished unfinished{.copy = copy.number,
                                  .warp = copy.warp->index,
                                  .lane = copy.lane,
                                  .instruction = copy.op->instruction,
                                  .reads = reads,
                                  .offset = reads ? first.from : first.to,
                                  .bytes = bytes};
  for (const auto& observer : block->observers) observer->bulk_unfinished(unfinished);
}

}  // namespace

void start_bulk_copy(BulkCopy copy) {
  Warp* warp = copy.warp;
  Block* block = warp->block;
  const std::uint32_t thread = warp->index * kWarpSize + copy.lane;
  copy.number = ++copies_of(block).begun;
  copy.group = open_group(block, thread);
  if (block->load_runs.waiting()) block->load_runs.tell(block);
  for (const auto& observer : block->observers)
    observer->bulk_begins(
        {.copy = copy.number, .warp = warp->index, .lane = copy.lane, .instruction = copy.op->instruction});
  announce_bulk_stores(copy);
  if (block->early_copies) {
    read_in_bulk(copy);
    write_in_bulk(copy);
    if (copy.barrier_of != nullptr) return tell_barrier(copy);
  }
  if (copy.barrier_of != nullptr) {
    copies_of(copy.barrier_of).to_barriers.push_back(std::move(copy));
  } else {
    copies_of(block).in_groups.push_back(std::move(copy));
  }
}

void begin_bulk_copies(Warp* warp, const MicroOp* op, const std::byte* registers, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) Beginning(warp, op, registers, lane).begin();
}

void commit_bulk_copies(Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) ++open_group(warp->block, warp->index * kWarpSize + lane);
}

void wait_for_bulk_copies(Warp* warp, LaneMask mask, std::uint32_t left, bool only_reads) {
  Block* block = warp->block;
  if (block->bulk == nullptr) return;
  if (block->load_runs.waiting()) block->load_runs.tell(block);
  std::deque<BulkCopy>& pending = block->bulk->in_groups;
  for (BulkCopy& copy : pending) {
    if (copy.warp != warp || (mask >> copy.lane & 1) == 0) continue;
    if (std::uint64_t{copy.group} + left >= open_group(block, warp->index * kWarpSize + copy.lane)) continue;
    copy.waited_reads = true;
    copy.waited = copy.waited || !only_reads;
    read_in_bulk(copy);
    if (copy.waited) write_in_bulk(copy);
    for (const auto& observer : block->observers)
      observer->bulk_waited(copy.number, warp->index, copy.lane, only_reads);
  }
  std::erase_if(pending, [](const BulkCopy& copy) { return copy.waited; });
}

bool finish_copy_to_barrier(Block* block, std::uint64_t barrier) {
  if (block->bulk == nullptr) return false;
  std::deque<BulkCopy>& pending = block->bulk->to_barriers;
  const auto found = std::ranges::find(pending, barrier, &BulkCopy::barrier);
  if (found == pending.end()) return false;
  BulkCopy copy = std::move(*found);
  pending.erase(found);
  read_in_bulk(copy);
  write_in_bulk(copy);
  tell_barrier(copy);
  block->rounds_in_vain = 0;
  return true;
}

void end_bulk_copies(Block* block) {
  const std::shared_ptr<BlockBulkCopies> of_block = std::exchange(block->bulk, nullptr);
  if (block->exited_threads != block->threads) return;
  for (BulkCopy& copy : of_block->in_groups) {
    if (!copy.waited_reads) tell_unfinished(block, copy, true);
    read_in_bulk(copy);
    write_in_bulk(copy);
  }
  for (BulkCopy& copy : of_block->to_barriers) {
    if (copy.warp->block != block) {
      tell_ended_block(copy);
      continue;
    }
    if (copy.to == block) tell_unfinished(block, copy, false);
    read_in_bulk(copy);
    write_in_bulk(copy);
  }
  if (block->cluster == nullptr) return;
  // What it copies to others is done before it is gone.
  for (Block* other : block->cluster->blocks) {
    if (other->bulk == nullptr) continue;
    for (BulkCopy& copy : other->bulk->to_barriers) {
      if (copy.warp->block != block) continue;
      if (!copy.operation->form.from_global) tell_unfinished(block, copy, true);
      read_in_bulk(copy);
      write_in_bulk(copy);
      tell_barrier(copy);
    }
    std::erase_if(other->bulk->to_barriers, [&](const BulkCopy& copy) { return copy.warp->block == block; });
  }
}

}  // namespace cudalabs::vgpu::exec
