// Who makes copies in bulk go on.
#include "vgpu/exec/bulk_copies.h"

#include <algorithm>
#include <utility>

#include "vgpu/exec/bulk_accesses.h"
#include "vgpu/exec/bulk_beginning.h"
#include "vgpu/exec/cluster.h"
#include "vgpu/exec/each_lane.h"

namespace cudalabs::vgpu::exec {

namespace {

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
  for (const std::uint32_t lane : each_lane(mask)) BulkBeginning(warp, op, registers, lane).begin();
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
      if (copy.operation->form.reads_shared()) tell_unfinished(block, copy, true);
      read_in_bulk(copy);
      write_in_bulk(copy);
      tell_barrier(copy);
    }
    std::erase_if(other->bulk->to_barriers, [&](const BulkCopy& copy) { return copy.warp->block == block; });
  }
}

}  // namespace cudalabs::vgpu::exec
