// What a bulk copy is (`cp.async.bulk`, `cp.reduce.async.bulk`, both also with `.tensor`), apart from its registers. An
// asynchronous store or reduction (`st.async`, `red.async`) is one that has read its values already.
#pragma once

#include <cstdint>
#include <optional>

#include "vgpu/exec/atomic_operation.h"
#include "vgpu/memory/tensor_map.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::exec {

struct MemoryDescriptor;

/// Both addresses and the size of a copy are multiples of this.
constexpr std::uint32_t kBulkUnit = 16;
constexpr std::uint32_t kMostRegisters = 4;

struct BulkForm {
  bool from_global = false, to_global = false;  // else shared memory
  bool to_cluster = false;                      // shared memory of any block of the cluster
  bool multicast = false;                       // to the same place in the blocks that a mask names
  std::uint8_t dimensions = 0;                  // of a tensor, of which it copies a box; 0: bytes side by side
  bool prefetch = false;                        // of a tensor: nothing is copied
  std::uint8_t registers = 0;                   // of the thread, whose values are stored, in place of a copy
  std::optional<AtomicOperation> reduction;     // with what is there, in place of it
  ptx::Type type = ptx::Type::b8;               // of registers, or of a reduction, but of a tensor, whose map says it

  /// Who waits for it waits at a barrier in memory; else for groups of copies.
  bool has_barrier() const { return !to_global && !prefetch; }
  /// Shared memory of the block is read while the copy goes on.
  bool reads_shared() const { return !from_global && registers == 0; }

  /// All but the type as one number, and back.
  std::uint32_t packed() const {
    const std::uint32_t operation = reduction ? static_cast<std::uint32_t>(*reduction) + 1 : 0;
    return std::uint32_t{from_global} | std::uint32_t{to_global} << 1 | std::uint32_t{to_cluster} << 2 |
           std::uint32_t{multicast} << 3 | std::uint32_t{dimensions} << 4 | std::uint32_t{prefetch} << 7 |
           std::uint32_t{registers} << 8 | operation << 11;
  }
  static BulkForm unpacked(std::uint32_t bits, ptx::Type type) {
    BulkForm form;
    form.from_global = (bits & 1) != 0;
    form.to_global = (bits & 2) != 0;
    form.to_cluster = (bits & 4) != 0;
    form.multicast = (bits & 8) != 0;
    form.dimensions = static_cast<std::uint8_t>(bits >> 4 & 7);
    form.prefetch = (bits & 128) != 0;
    form.registers = static_cast<std::uint8_t>(bits >> 8 & 7);
    if (bits >> 11 != 0) form.reduction = static_cast<AtomicOperation>((bits >> 11) - 1);
    form.type = type;
    return form;
  }
};

/// The same, with its rows in the frame.
struct BulkOperation {
  BulkForm form;
  const MemoryDescriptor *source = nullptr, *target = nullptr, *barrier = nullptr;  // source, barrier: where it has one
  std::uint32_t to = 0, from = 0, bytes = 0, at_barrier = 0, mask = 0;
  std::uint32_t registers[kMostRegisters] = {};  // of a store, in place of a source
  // Of a tensor, in place of the address of global memory and the bytes.
  const MemoryDescriptor* map = nullptr;
  std::uint32_t at_map = 0, coordinates[kMostTensorDimensions] = {};
};

}  // namespace cudalabs::vgpu::exec
