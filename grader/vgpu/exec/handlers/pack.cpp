// Several registers as one, and one as several.
#include <cstring>

#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/exec/handlers/set_lanes.h"

namespace cudalabs::vgpu::exec {

namespace {

using ir::Opcode;

// d = the pieces in rows a, b, c, extra, the first one lowest; `immediate` of them, of T each.
template <class T, class W>
const MicroOp* pack(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const std::uint32_t rows[4] = {op->a, op->b, op->c, op->extra};
  set_lanes<W>(registers, op->d, mask, [&](std::uint32_t lane) {
    W value = 0;
    for (std::uint64_t piece = 0; piece < op->immediate; ++piece) {
      const T part = reinterpret_cast<const T*>(registers + rows[piece])[lane];
      value = static_cast<W>(value | static_cast<W>(static_cast<W>(part) << (piece * (sizeof(W) / op->immediate) * 8)));
    }
    return value;
  });
  return next(op, registers, warp, mask);
}

template <class T, class W>
const MicroOp* unpack(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const std::uint32_t rows[4] = {op->d, op->b, op->c, op->extra};
  W values[kWarpSize];
  std::memcpy(values, registers + op->a, sizeof values);
  for (std::uint64_t piece = 0; piece < op->immediate; ++piece) {
    const auto shift = piece * (sizeof(W) / op->immediate) * 8;
    set_lanes<T>(registers, rows[piece], mask,
                 [&](std::uint32_t lane) { return static_cast<T>(values[lane] >> shift); });
  }
  return next(op, registers, warp, mask);
}

const MicroOp* unpack_bytes_of_half(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const std::uint32_t rows[2] = {op->d, op->b};
  std::uint16_t values[kWarpSize];
  std::memcpy(values, registers + op->a, sizeof values);
  for (std::uint32_t piece = 0; piece < 2; ++piece) {
    set_lanes<std::uint16_t>(registers, rows[piece], mask,
                             [&](std::uint32_t lane) { return values[lane] >> (8 * piece) & 0xFF; });
  }
  return next(op, registers, warp, mask);
}

}  // namespace

Handler select_pack(const ir::Operation& operation) {
  const bool packing = operation.opcode == Opcode::pack;
  const std::uint32_t whole = ptx::size_in_bytes(packing ? operation.type : operation.source_type);
  const std::size_t pieces = packing ? operation.uses.size() : operation.defs.size();
  if (whole == 8 && pieces == 2)
    return packing ? &pack<std::uint32_t, std::uint64_t> : &unpack<std::uint32_t, std::uint64_t>;
  if (whole == 8 && pieces == 4)
    return packing ? &pack<std::uint16_t, std::uint64_t> : &unpack<std::uint16_t, std::uint64_t>;
  if (whole == 4 && pieces == 2)
    return packing ? &pack<std::uint16_t, std::uint32_t> : &unpack<std::uint16_t, std::uint32_t>;
  if (whole == 2 && pieces == 2 && !packing) return &unpack_bytes_of_half;
  return nullptr;
}

}  // namespace cudalabs::vgpu::exec
