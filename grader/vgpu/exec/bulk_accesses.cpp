#include "vgpu/exec/bulk_accesses.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "vgpu/exec/access.h"
#include "vgpu/exec/barrier_word.h"
#include "vgpu/exec/bulk_reduction.h"
#include "vgpu/exec/tensor_elements.h"

namespace cudalabs::vgpu::exec {

namespace {

/// A side of a copy: global memory where there is no block, else the block's shared memory.
struct Side {
  Block* block = nullptr;
  const MemoryDescriptor* descriptor = nullptr;
  std::uint32_t unit = kBulkUnit;  // the most bytes of an access that is told of
};

/// Of the access that comes next, of so many bytes that are left at this address: accesses lie at multiples of their
/// size, also where elements of a tensor do not begin at a multiple of the unit.
std::uint32_t bytes_of_access(std::uint64_t address, std::uint32_t left, std::uint32_t unit) {
  const std::uint64_t aligned = address == 0 ? unit : address & (~address + 1);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>({aligned, std::bit_floor(left), unit}));
}

Side source_of(const BulkCopy& copy) {
  return {copy.operation->form.from_global ? nullptr : copy.warp->block, copy.operation->source};
}

/// Of a reduction.
std::uint32_t bytes_of_element(const BulkCopy& copy) {
  return copy.tensor ? bytes_of(*copy.tensor) : ptx::size_in_bytes(copy.operation->form.type);
}

void reduce(const BulkCopy& copy, std::byte* target, const std::byte* value) {
  const BulkForm& form = copy.operation->form;
  if (copy.tensor) return reduce_element(*form.reduction, *copy.tensor, target, value);
  reduce_element(*form.reduction, form.type, target, value);
}

Side target_of(const BulkCopy& copy) {
  const BulkForm& form = copy.operation->form;
  return {copy.to, copy.operation->target, form.reduction ? bytes_of_element(copy) : kBulkUnit};
}

MemorySpace space_of(const BulkCopy& copy, const Side& side) {
  if (side.block == nullptr) return MemorySpace::global;
  return side.block == copy.warp->block ? MemorySpace::shared : MemorySpace::cluster;
}

std::byte* host_of(const BulkCopy& copy, const Side& side, std::uint64_t address) {
  return side.block == nullptr ? copy.warp->worker->memory->host(address) : side.block->shared + address;
}

/// Of one access of the side's unit.
WarpAccess access_of(const BulkCopy& copy, const Side& side, std::uint32_t bytes, const std::uint64_t* addresses) {
  return {.warp = copy.warp->index,
          .instruction = copy.op->instruction,
          .kind = side.descriptor->kind,
          .space = space_of(copy, side),
          .order = side.descriptor->order,
          .scope = side.descriptor->scope,
          .bytes = static_cast<std::uint8_t>(bytes),
          .active = 1u << copy.lane,
          .address = addresses,
          .owner = side.block == nullptr ? 0 : side.block->number,
          .copy = copy.number};
}

/// Tells of each unit of the bytes; `values`: what is written there.
void tell(const BulkCopy& copy, const Side& side, std::uint64_t first, std::uint32_t bytes, const std::byte* values) {
  const Block* block = copy.warp->block;
  if (block->bulk_observers.empty()) return;
  Worker* worker = copy.warp->worker;
  std::uint64_t addresses[kWarpSize] = {};
  for (std::uint32_t at = 0, unit = 0; at < bytes; at += unit) {
    unit = bytes_of_access(first + at, bytes - at, side.unit);
    addresses[copy.lane] = first + at;
    WarpAccess access = access_of(copy, side, unit, addresses);
    if (values != nullptr && side.descriptor->kind == AccessKind::store) {
      std::memcpy(worker->values + copy.lane * unit, values + at, unit);
      access.stored = worker->values;
    }
    if (values != nullptr) {
      std::memcpy(worker->current + copy.lane * unit, host_of(copy, side, first + at), unit);
      access.current = worker->current;
    }
    for (BlockObserver* observer : block->bulk_observers) observer->access(access);
  }
}

}  // namespace

void announce_bulk_stores(const BulkCopy& copy) {
  const Side side = target_of(copy);
  const Block* block = copy.warp->block;
  // A reduction keeps what is there.
  if (block->bulk_observers.empty() || side.block != block || copy.operation->form.reduction) return;
  std::uint64_t addresses[kWarpSize] = {};
  for (const BulkPiece& piece : copy.pieces) {
    for (std::uint32_t at = 0, unit = 0; at < piece.bytes; at += unit) {
      unit = bytes_of_access(piece.to + at, piece.bytes - at, kBulkUnit);
      addresses[copy.lane] = piece.to + at;
      const WarpAccess access = access_of(copy, side, unit, addresses);
      for (BlockObserver* observer : block->bulk_observers) observer->store_begins(access);
    }
  }
}

void read_in_bulk(BulkCopy& copy) {
  if (copy.has_read) return;
  copy.has_read = true;
  const Side side = source_of(copy);
  for (const BulkPiece& piece : copy.pieces) {
    const std::size_t before = copy.data.size();
    copy.data.resize(before + piece.bytes);
    if (piece.outside) {
      if (copy.nan_outside) fill_with_nan(*copy.tensor, std::span(copy.data).subspan(before));
      continue;
    }
    if (side.block == nullptr) copy.warp->worker->memory->touch(piece.from, piece.bytes);
    tell(copy, side, piece.from, piece.bytes, nullptr);
    std::memcpy(&copy.data[before], host_of(copy, side, piece.from), piece.bytes);
    if (side.block == nullptr && copy.tensor && is_rounded(*copy.tensor))
      round_elements(std::span(copy.data).subspan(before));
  }
}

void write_in_bulk(BulkCopy& copy) {
  if (copy.has_written) return;
  copy.has_written = true;
  const Side side = target_of(copy);
  const BulkForm& form = copy.operation->form;
  const std::byte* values = copy.data.data();
  for (const BulkPiece& piece : copy.pieces) {
    if (side.block == nullptr) copy.warp->worker->memory->touch(piece.to, piece.bytes);
    tell(copy, side, piece.to, piece.bytes, values);
    std::byte* to = host_of(copy, side, piece.to);
    if (side.block == nullptr) before_global_write(*copy.warp->worker->memory, piece.to, piece.bytes, false);
    if (form.reduction) {
      for (std::uint32_t at = 0; at < piece.bytes; at += side.unit) reduce(copy, to + at, values + at);
    } else {
      std::memcpy(to, values, piece.bytes);
    }
    values += piece.bytes;
  }
}

void tell_barrier(const BulkCopy& copy) {
  const Block* block = copy.warp->block;
  const Side side{copy.barrier_of, copy.operation->barrier, sizeof(std::uint64_t)};
  std::uint64_t addresses[kWarpSize] = {};
  addresses[copy.lane] = copy.barrier;
  const WarpAccess access = access_of(copy, side, side.unit, addresses);
  for (BlockObserver* observer : block->bulk_observers) observer->access(access);
  std::uint64_t word = 0;
  std::byte* at = host_of(copy, side, copy.barrier);
  std::memcpy(&word, at, sizeof word);
  const auto awaited = static_cast<std::uint64_t>(std::max<std::int64_t>(barrier_word::parts_of(word).bytes, 0));
  word = barrier_word::brought(word, copy.without_map ? awaited : copy.signalled);
  std::memcpy(at, &word, sizeof word);
  for (const auto& observer : block->observers)
    observer->bulk_done({.copy = copy.number, .owner = copy.barrier_of->number, .offset = copy.barrier});
}

void tell_ended_block(const BulkCopy& copy) {
  if (copy.pieces.empty() || copy.to == nullptr) return;
  std::uint64_t addresses[kWarpSize] = {};
  addresses[copy.lane] = copy.pieces.front().to;
  const Violation violation{.kind = ViolationKind::ended_block,
                            .access = copy.operation->target->kind,
                            .space = MemorySpace::cluster,
                            .warp = copy.warp->index,
                            .instruction = copy.op->instruction,
                            .bytes = copy.operation->target->bytes,
                            .lanes = 1u << copy.lane,
                            .address = addresses,
                            .owner = copy.to->number};
  for (const auto& observer : copy.warp->block->observers) observer->violation(violation);
  record_error(copy.warp->block, LaunchError::cluster_block_missing);
}

}  // namespace cudalabs::vgpu::exec
