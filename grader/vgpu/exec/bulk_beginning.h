// One lane begins copies by one instruction: what it asks for, whether it may be, and what is wrong where it may not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "vgpu/exec/bulk_copies.h"
#include "vgpu/exec/lane_place.h"

namespace cudalabs::vgpu::exec {

class BulkBeginning {
 public:
  BulkBeginning(Warp* warp, const MicroOp* op, const std::byte* registers, std::uint32_t lane)
      : warp_(warp),
        op_(op),
        registers_(registers),
        lane_(lane),
        operation_(*static_cast<const BulkOperation*>(op->data)) {}

  void begin();

 private:
  template <class T>
  T value(std::uint32_t row) const {
    T result{};
    std::memcpy(&result, registers_ + row + lane_ * sizeof(T), sizeof(T));
    return result;
  }
  std::uint64_t address(std::uint32_t row, const MemoryDescriptor& descriptor) const;

  void tell(Violation violation, AccessKind access, std::uint64_t address, std::uint32_t bytes);
  void tell(const LanePlace& place, AccessKind access, std::uint64_t address, std::uint32_t bytes);
  std::optional<LanePlace> place_of_all(const MemoryDescriptor& descriptor, std::uint64_t address, std::uint32_t bytes);
  Block* owner_of(const LanePlace& place) const;
  void begin_store(std::uint64_t to, std::uint64_t barrier);
  void begin_plain(std::uint64_t to, std::uint64_t barrier, std::uint32_t bytes);
  bool add_barrier(BulkCopy& copy, std::uint64_t barrier, std::uint64_t bytes);
  BulkCopy fresh() const;

  // Of tensors, in tensor_copies.cpp.
  std::optional<TensorMap> read_map();
  std::optional<TensorMap> refuse_map(TensorFault fault, MemorySpace space, std::uint64_t at);
  void begin_box(std::uint64_t to, std::uint64_t barrier);
  bool is_aligned(std::uint64_t shared);
  bool holds_tensor(const std::vector<BulkPiece>& pieces);

  Warp* warp_;
  const MicroOp* op_;
  const std::byte* registers_;
  std::uint32_t lane_;
  const BulkOperation& operation_;
  std::optional<TensorMap> map_;
};

}  // namespace cudalabs::vgpu::exec
