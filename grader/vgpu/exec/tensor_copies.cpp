// How copies of boxes of tensors begin.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "vgpu/exec/access.h"
#include "vgpu/exec/bulk_beginning.h"
#include "vgpu/exec/tensor_boxes.h"
#include "vgpu/exec/tensor_elements.h"

namespace cudalabs::vgpu::exec {

namespace {

constexpr std::uint32_t kTensorAlignment = 128;  // of a box in shared memory

}  // namespace

/// Nullopt: there is none, which has been told.
std::optional<TensorMap> BulkBeginning::read_map() {
  const MemoryDescriptor& descriptor = *operation_.map;
  const std::uint64_t at = address(operation_.at_map, descriptor);
  std::byte bytes[kTensorMapBytes];
  MemorySpace space = MemorySpace::global;
  for (std::uint32_t half = 0; half < kTensorMapBytes; half += kTensorMapAlignment) {
    const LanePlace place = place_of(warp_, descriptor, at + half);
    if (!place.allowed) {
      tell(Violation{.kind = place.violation, .space = place.space, .tensor_fault = TensorFault::not_encoded},
           AccessKind::load, place.address, kTensorMapAlignment);
      record_error(warp_->block, error_of(place.violation));
      return std::nullopt;
    }
    const bool of_threads = place.space != MemorySpace::global && place.space != MemorySpace::constant;
    if (of_threads) return refuse_map(TensorFault::of_threads, place.space, place.address);
    const std::byte* from =
        place.parameter ? warp_->worker->launch->parameters.data() + (place.address - kParameterBase) : place.host;
    std::memcpy(bytes + half, from, kTensorMapAlignment);
    space = place.space;
  }
  TensorMap map;
  if (!decode(bytes, map)) return refuse_map(TensorFault::not_encoded, space, at);
  map_ = map;
  const BulkForm& form = operation_.form;
  if (map.rank != form.dimensions) return refuse_map(TensorFault::rank, space, at);
  if (form.reduction && !is_reduced(*form.reduction, map.type)) return refuse_map(TensorFault::reduction, space, at);
  return map;
}

std::optional<TensorMap> BulkBeginning::refuse_map(TensorFault fault, MemorySpace space, std::uint64_t at) {
  tell(Violation{.kind = ViolationKind::tensor_map,
                 .space = space,
                 .tensor_fault = fault,
                 .dimensions = operation_.form.dimensions},
       AccessKind::load, at, kTensorMapBytes);
  const bool is_elsewhere = fault == TensorFault::of_threads;
  record_error(warp_->block, is_elsewhere ? LaunchError::illegal_address : LaunchError::illegal_instruction);
  map_.reset();
  return std::nullopt;
}

bool BulkBeginning::is_aligned(std::uint64_t shared) {
  if (shared % kTensorAlignment == 0) return true;
  const MemoryDescriptor& descriptor = operation_.form.to_global ? *operation_.source : *operation_.target;
  tell(Violation{.kind = ViolationKind::misaligned, .space = MemorySpace::shared}, descriptor.kind,
       shared % kSharedPart, kTensorAlignment);
  record_error(warp_->block, LaunchError::misaligned_address);
  return false;
}

/// What it takes of the tensor lies in memory that it may access.
bool BulkBeginning::holds_tensor(const std::vector<BulkPiece>& pieces) {
  const bool loads = !operation_.form.to_global;
  const MemoryDescriptor& descriptor = loads ? *operation_.source : *operation_.target;
  std::uint64_t begin = 0, end = 0;  // pieces that lie side by side
  for (const BulkPiece& piece : pieces) {
    if (piece.outside) continue;
    const std::uint64_t at = loads ? piece.from : piece.to;
    if (at == end) {
      end += piece.bytes;
      continue;
    }
    if (begin != end && !place_of_all(descriptor, begin, static_cast<std::uint32_t>(end - begin))) return false;
    begin = at;
    end = at + piece.bytes;
  }
  return begin == end || place_of_all(descriptor, begin, static_cast<std::uint32_t>(end - begin));
}

/// Without a map nothing is copied, and threads that wait do not wait for ever.
void BulkBeginning::begin_box(std::uint64_t to, std::uint64_t barrier) {
  const BulkForm& form = operation_.form;
  BulkCopy copy = fresh();
  copy.without_map = !map_;
  const std::uint64_t bytes = map_ ? map_->bytes_of_box() : 0;
  if (map_) {
    const MemoryDescriptor& descriptor = form.to_global ? *operation_.source : *operation_.target;
    const std::uint64_t shared = form.to_global ? address(operation_.from, descriptor) : to;
    std::int32_t first[kMostTensorDimensions] = {};
    for (std::uint32_t i = 0; i < form.dimensions; ++i) first[i] = value<std::int32_t>(operation_.coordinates[i]);
    const std::uint64_t offset = shared % kSharedPart;  // in the memory of whose block it is
    std::vector<BulkPiece> pieces = pieces_of_box(*map_, first, offset, !form.to_global);
    std::uint64_t end = offset;
    for (const BulkPiece& piece : pieces) end = std::max(end, (form.to_global ? piece.from : piece.to) + piece.bytes);
    std::optional<LanePlace> place;
    if (is_aligned(shared)) place = place_of_all(descriptor, shared, static_cast<std::uint32_t>(end - offset));
    copy.tensor = map_->type;
    copy.nan_outside = map_->nan_outside;
    if (place && holds_tensor(pieces)) {
      copy.pieces = std::move(pieces);
      if (!form.to_global) copy.to = owner_of(*place);
    }
  }
  if (form.has_barrier() ? add_barrier(copy, barrier, bytes) : !copy.pieces.empty()) start_bulk_copy(std::move(copy));
}

}  // namespace cudalabs::vgpu::exec
