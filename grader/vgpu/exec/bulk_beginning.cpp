#include "vgpu/exec/bulk_beginning.h"

#include <algorithm>
#include <utility>

#include "vgpu/exec/access.h"
#include "vgpu/exec/calls.h"
#include "vgpu/exec/cluster.h"
#include "vgpu/exec/frames.h"
#include "vgpu/memory/address_space.h"

namespace cudalabs::vgpu::exec {

void BulkBeginning::begin() {
  const BulkForm& form = operation_.form;
  if (form.dimensions != 0) map_ = read_map();
  if (form.prefetch) return;
  std::uint32_t whole = 0;
  if (form.dimensions == 0 && form.registers == 0) {
    const auto bytes = value<std::uint32_t>(operation_.bytes);
    // Held to an H100: it copies what is whole, and tells the barrier of so much.
    if (bytes % kBulkUnit != 0)
      tell(Violation{.kind = ViolationKind::bulk_size}, operation_.source->kind, value<std::uint64_t>(operation_.from),
           bytes);
    whole = bytes / kBulkUnit * kBulkUnit;
  }
  const auto begin_one = [&](std::uint64_t to, std::uint64_t barrier) {
    if (form.registers != 0) return begin_store(to, barrier);
    if (form.dimensions != 0) return begin_box(to, barrier);
    begin_plain(to, barrier, whole);
  };
  // What a tensor's copy writes in global memory, its map says.
  const bool has_target = form.dimensions == 0 || !form.to_global;
  const std::uint64_t to = has_target ? address(operation_.to, *operation_.target) : 0;
  const std::uint64_t barrier = form.has_barrier() ? address(operation_.at_barrier, *operation_.barrier) : 0;
  if (!form.multicast) return begin_one(to, barrier);
  constexpr std::uint32_t kRanks = 16;
  const auto ranks = value<std::uint32_t>(operation_.mask);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    if ((ranks >> rank & 1) == 0) continue;
    begin_one(shared_part_of(rank) + to % kSharedPart, shared_part_of(rank) + barrier % kSharedPart);
  }
}

std::uint64_t BulkBeginning::address(std::uint32_t row, const MemoryDescriptor& descriptor) const {
  return value<std::uint64_t>(row) & descriptor.address_mask;
}

/// The rest of the violation is what is known of every one.
void BulkBeginning::tell(Violation violation, AccessKind access, std::uint64_t address, std::uint32_t bytes) {
  std::uint64_t addresses[kWarpSize] = {};
  addresses[lane_] = address;
  violation.access = access;
  violation.warp = warp_->index;
  violation.instruction = op_->instruction;
  violation.bytes = bytes;
  violation.lanes = 1u << lane_;
  violation.address = addresses;
  violation.call = call_in_kernel(*warp_->frame);
  if (map_) violation.tensor = &*map_;
  if (warp_->block->load_runs.waiting()) warp_->block->load_runs.tell(warp_->block);
  for (const auto& observer : warp_->block->observers) observer->violation(violation);
  warp_->worker->launch->refused.fetch_add(1, std::memory_order_relaxed);
}

void BulkBeginning::tell(const LanePlace& place, AccessKind access, std::uint64_t address, std::uint32_t bytes) {
  tell(Violation{.kind = place.violation,
                 .space = place.space,
                 .owner = place.owner == nullptr ? std::nullopt : std::optional(place.owner->number),
                 .rank = place.rank},
       access, address, bytes);
}

/// Where the bytes lie, if all of them may be accessed; else tells of the first ones that may not.
std::optional<LanePlace> BulkBeginning::place_of_all(const MemoryDescriptor& descriptor, std::uint64_t address,
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
  const bool of_tensor = map_ && bad.space == MemorySpace::global;
  tell(bad, descriptor.kind, bad.address, of_tensor ? bytes_of(map_->type) : unit);
  // An H200 ends a launch by another error where the shared memory is that of an asynchronous store.
  const bool of_store = operation_.form.registers != 0 && bad.violation == ViolationKind::shared_out_of_bounds;
  record_error(warp_->block, of_store ? LaunchError::cluster_block_missing : error_of(bad.violation));
  return std::nullopt;
}

Block* BulkBeginning::owner_of(const LanePlace& place) const {
  return place.space == MemorySpace::cluster ? peer_of(*warp_->block, place.rank).block : warp_->block;
}

BulkCopy BulkBeginning::fresh() const {
  return {.warp = warp_, .lane = lane_, .op = op_, .operation = &operation_, .pieces = {}, .tensor = {}, .data = {}};
}

/// Which barrier is told of how many bytes. False: the copy cannot be made, for it could not say that it is done.
bool BulkBeginning::add_barrier(BulkCopy& copy, std::uint64_t barrier, std::uint64_t bytes) {
  const std::optional<LanePlace> at = place_of_all(*operation_.barrier, barrier, operation_.barrier->bytes);
  if (!at) return false;
  copy.barrier_of = owner_of(*at);
  copy.barrier = at->address;
  copy.signalled = bytes;
  return true;
}

void BulkBeginning::begin_plain(std::uint64_t to, std::uint64_t barrier, std::uint32_t bytes) {
  const BulkForm& form = operation_.form;
  BulkCopy copy = fresh();
  const std::optional<LanePlace> source =
      place_of_all(*operation_.source, address(operation_.from, *operation_.source), bytes);
  const std::optional<LanePlace> target = place_of_all(*operation_.target, to, bytes);
  if (source && target && bytes != 0) {
    if (!form.to_global) copy.to = owner_of(*target);
    copy.pieces = {{target->address, source->address, bytes}};
  }
  if (form.has_barrier() ? add_barrier(copy, barrier, bytes) : !copy.pieces.empty()) start_bulk_copy(std::move(copy));
}

/// The values are those of now. A barrier of another block than the one that they go to is told of no bytes, as on an
/// H200. Whether another barrier is told in its place was not measured: here none is.
void BulkBeginning::begin_store(std::uint64_t to, std::uint64_t barrier) {
  const BulkForm& form = operation_.form;
  const std::uint32_t size = ptx::size_in_bytes(form.type), bytes = form.registers * size;
  BulkCopy copy = fresh();
  copy.has_read = true;
  copy.data.resize(bytes);
  for (std::uint32_t i = 0; i < form.registers; ++i)
    std::memcpy(&copy.data[i * size], registers_ + operation_.registers[i] + lane_ * size, size);
  if (const std::optional<LanePlace> target = place_of_all(*operation_.target, to, bytes)) {
    copy.to = owner_of(*target);
    copy.pieces = {{target->address, 0, bytes}};
  }
  if (!add_barrier(copy, barrier, bytes)) return;
  if (!copy.pieces.empty() && copy.barrier_of != copy.to) copy.signalled = 0;
  start_bulk_copy(std::move(copy));
}

}  // namespace cudalabs::vgpu::exec
