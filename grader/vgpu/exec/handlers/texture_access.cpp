// Textures and surfaces. Texels lie in global memory, and are read and written as by loads and stores: bounds, life
// time, unwritten bytes and races are seen in the same way.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "vgpu/exec/access.h"
#include "vgpu/exec/bulk_reduction.h"
#include "vgpu/exec/decode/ir.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/handlers/select_memory.h"
#include "vgpu/texture/sampler.h"

namespace cudalabs::vgpu::exec {

namespace {

const Image* image_of(const Warp* warp, std::uint64_t handle, bool surface) {
  const ImageTable* images = warp->worker->launch->images;
  if (images == nullptr) return nullptr;
  const auto found = images->find(handle);
  return found == images->end() || found->second.surface != surface ? nullptr : &found->second;
}

/// Calls `visit(image, lanes)` for the lanes of each image. Lanes without one access what no memory has.
template <class Visit>
void for_each_image(Warp* warp, const MicroOp* op, const std::byte* registers, LaneMask mask, bool surface,
                    Visit visit) {
  const auto& operation = *static_cast<const ImageOperation*>(op->data);
  const auto* handles = reinterpret_cast<const std::uint64_t*>(registers + operation.handle);
  for (LaneMask left = mask; left != 0;) {
    const std::uint64_t handle = handles[std::countr_zero(left)];
    LaneMask alike = 0;
    for (const std::uint32_t lane : each_lane(left)) {
      if (handles[lane] == handle) alike |= 1u << lane;
    }
    left &= ~alike;
    visit(image_of(warp, handle, surface), alike);
  }
}

void access_nothing(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, LaneMask lanes) {
  for (const std::uint32_t lane : each_lane(lanes)) warp->worker->addresses[lane] = 0;
  std::byte* hosts[kWarpSize] = {};
  if (descriptor.kind == AccessKind::atomic) {
    resolve_atomic(warp, op, descriptor, lanes, hosts);
    return;
  }
  if (descriptor.kind == AccessKind::store) {
    careful_store(warp, op, descriptor, lanes);
  } else {
    careful_load(warp, op, descriptor, lanes);
  }
}

Footprint footprint_of(const Image& image, const ImageOperation& operation, const std::byte* registers,
                       std::uint32_t lane) {
  std::array<std::uint32_t, 3> bits{};
  for (std::uint32_t i = 0; i < operation.dimensions; ++i) {
    std::memcpy(&bits[i], registers + operation.coordinates[i] + 4 * lane, 4);
  }
  if ((operation.detail & ir::kIntegerCoordinates) != 0) {
    return footprint_of_index(image, static_cast<std::int32_t>(bits[0]));
  }
  const std::array<float, 3> coordinates{std::bit_cast<float>(bits[0]), std::bit_cast<float>(bits[1]),
                                         std::bit_cast<float>(bits[2])};
  std::uint32_t layer = 0;
  const bool layered = (operation.detail & ir::kLayered) != 0;
  if (layered) std::memcpy(&layer, registers + operation.layer + 4 * lane, 4);
  if ((operation.detail & ir::kCube) != 0) return footprint_of_cube(image, coordinates, layer);
  if (operation.detail >> ir::kGatherShift != 0) return footprint_of_gather(image, coordinates, layer);
  return layered ? footprint_of_layer(image, coordinates, layer) : footprint(image, coordinates);
}

const MicroOp* texture(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto& operation = *static_cast<const ImageOperation*>(op->data);
  Worker* worker = warp->worker;
  std::array<std::uint32_t, 4> results[kWarpSize] = {};
  for_each_image(warp, op, registers, mask, false, [&](const Image* image, LaneMask lanes) {
    if (image == nullptr) return access_nothing(warp, op, *operation.memory, lanes);
    MemoryDescriptor descriptor = *operation.memory;
    descriptor.bytes = static_cast<std::uint8_t>(image->texel_bytes());
    std::array<Footprint, kWarpSize> prints;
    std::array<std::array<TexelBytes, 8>, kWarpSize> texels;
    std::uint32_t most = 0;
    for (const std::uint32_t lane : each_lane(lanes)) {
      prints[lane] = footprint_of(*image, operation, registers, lane);
      most = std::max(most, prints[lane].count);
    }
    for (std::uint32_t tap = 0; tap < most; ++tap) {
      LaneMask inside = 0;
      for (const std::uint32_t lane : each_lane(lanes)) {
        if (tap >= prints[lane].count || !prints[lane].taps[tap].inside) continue;
        inside |= 1u << lane;
        worker->addresses[lane] = image->address + offset_of(*image, prints[lane].taps[tap]);
      }
      if (inside == 0) continue;
      careful_load(warp, op, descriptor, inside);
      for (const std::uint32_t lane : each_lane(inside)) {
        std::memcpy(texels[lane][tap].data(), worker->values + lane * descriptor.bytes, descriptor.bytes);
      }
    }
    const std::uint32_t component = operation.detail >> ir::kGatherShift;
    for (const std::uint32_t lane : each_lane(lanes)) {
      results[lane] = component == 0 ? sample(*image, prints[lane], texels[lane])
                                     : gather(*image, prints[lane], texels[lane], component - 1);
    }
  });
  for (std::uint32_t i = 0; i < 4; ++i) {
    for (const std::uint32_t lane : each_lane(mask)) {
      std::memcpy(registers + operation.values[i] + 4 * lane, &results[lane][i], 4);
    }
  }
  return next(op, registers, warp, mask);
}

struct SurfacePlace {
  bool inside = false;        // of the surface, perhaps as the boundary mode moved it
  std::uint64_t address = 0;  // outside: behind the last texel
};

SurfacePlace surface_place(const Image& image, const ImageOperation& operation, std::uint32_t bytes,
                           const std::byte* registers, std::uint32_t lane) {
  const bool clamps = static_cast<ir::Boundary>(operation.detail >> ir::kBoundaryShift & 3) == ir::Boundary::clamp;
  SurfacePlace place{true, image.address};
  const bool formatted = (operation.detail & ir::kFormatted) != 0;
  const std::uint64_t steps[] = {formatted ? bytes : 1, image.pitch, image.slice};
  const bool layered = (operation.detail & ir::kLayered) != 0;
  for (std::uint32_t axis = 0; axis < operation.dimensions + (layered ? 1u : 0u); ++axis) {
    const bool is_layer = axis == operation.dimensions;
    const std::uint32_t i = is_layer ? 2 : axis;
    std::int32_t at = 0;
    std::memcpy(&at, registers + (is_layer ? operation.layer : operation.coordinates[i]) + 4 * lane, 4);
    // Between two texels is wrong whatever is done about what lies outside, as an H100 has it.
    const std::uint32_t between = i == 0 && !formatted ? static_cast<std::uint32_t>(at) & (bytes - 1) : 0;
    if (between != 0) return {true, image.address + between};
    const std::int64_t row = std::int64_t{image.extent[0]} * image.texel_bytes();
    const std::int64_t last = i != 0 ? std::int64_t{image.extent[i]} - 1 : formatted ? row / bytes - 1 : row - bytes;
    if (at < 0 || at > last) {
      if (!clamps || last < 0) return {false, image.address + image.bytes()};
      at = static_cast<std::int32_t>(std::clamp<std::int64_t>(at, 0, last));
    }
    place.address += static_cast<std::uint64_t>(at) * steps[i];
  }
  return place;
}

/// The lanes that access memory. What is outside, and may not be, goes behind the surface: that is a violation.
LaneMask place_lanes(Warp* warp, const Image& image, const ImageOperation& operation, std::uint32_t bytes,
                     const std::byte* registers, LaneMask lanes) {
  const bool traps = static_cast<ir::Boundary>(operation.detail >> ir::kBoundaryShift & 3) == ir::Boundary::trap;
  LaneMask accessing = 0;
  for (const std::uint32_t lane : each_lane(lanes)) {
    const SurfacePlace place = surface_place(image, operation, bytes, registers, lane);
    if (!place.inside && !traps) continue;
    accessing |= 1u << lane;
    warp->worker->addresses[lane] = place.address;
  }
  return accessing;
}

const MicroOp* surface_load(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto& operation = *static_cast<const ImageOperation*>(op->data);
  MemoryDescriptor descriptor = *operation.memory;
  const std::uint32_t bytes = std::uint32_t{operation.elements} * operation.element_bytes;
  descriptor.bytes = static_cast<std::uint8_t>(bytes);
  std::byte loaded[kWarpSize * 16] = {};
  for_each_image(warp, op, registers, mask, true, [&](const Image* image, LaneMask lanes) {
    if (image == nullptr) return access_nothing(warp, op, descriptor, lanes);
    const LaneMask accessing = place_lanes(warp, *image, operation, bytes, registers, lanes);
    if (accessing == 0) return;
    careful_load(warp, op, descriptor, accessing);
    for (const std::uint32_t lane : each_lane(accessing)) {
      std::memcpy(loaded + lane * bytes, warp->worker->values + lane * bytes, bytes);
    }
  });
  for (std::uint32_t i = 0; i < operation.elements; ++i) {
    const std::uint32_t width = operation.value_bytes[i];
    for (const std::uint32_t lane : each_lane(mask)) {
      std::uint64_t value = 0;
      std::memcpy(&value, loaded + lane * bytes + i * operation.element_bytes, operation.element_bytes);
      std::memcpy(registers + operation.values[i] + width * lane, &value, width);
    }
  }
  return next(op, registers, warp, mask);
}

const MicroOp* surface_store(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto& operation = *static_cast<const ImageOperation*>(op->data);
  MemoryDescriptor descriptor = *operation.memory;
  const std::uint32_t bytes = std::uint32_t{operation.elements} * operation.element_bytes;
  descriptor.bytes = static_cast<std::uint8_t>(bytes);
  for_each_image(warp, op, registers, mask, true, [&](const Image* image, LaneMask lanes) {
    if (image == nullptr) return access_nothing(warp, op, descriptor, lanes);
    const LaneMask accessing = place_lanes(warp, *image, operation, bytes, registers, lanes);
    if (accessing == 0) return;
    for (std::uint32_t i = 0; i < operation.elements; ++i) {
      for (const std::uint32_t lane : each_lane(accessing)) {
        std::memcpy(warp->worker->values + lane * bytes + i * operation.element_bytes,
                    registers + operation.values[i] + operation.value_bytes[i] * lane, operation.element_bytes);
      }
    }
    careful_store(warp, op, descriptor, accessing);
  });
  return next(op, registers, warp, mask);
}

/// Of a formatted reduction the surface's format says whether there is a sign (PTX ISA: "sured").
ptx::Type reduced_type(const Image& image, const ImageOperation& operation, ptx::Type type) {
  const bool has_sign = image.kind == ChannelKind::signed_integer;
  if ((operation.detail & ir::kFormatted) == 0 || !has_sign) return type;
  return type == ptx::Type::b64 ? ptx::Type::s64 : ptx::Type::s32;
}

/// Lanes in their order, as atomics are.
const MicroOp* surface_reduce(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto& operation = *static_cast<const ImageOperation*>(op->data);
  MemoryDescriptor descriptor = *operation.memory;
  const std::uint32_t bytes = operation.element_bytes;
  descriptor.bytes = static_cast<std::uint8_t>(bytes);
  const auto reduction = static_cast<AtomicOperation>(operation.detail >> ir::kReductionShift);
  for_each_image(warp, op, registers, mask, true, [&](const Image* image, LaneMask lanes) {
    if (image == nullptr) return access_nothing(warp, op, descriptor, lanes);
    const LaneMask accessing = place_lanes(warp, *image, operation, bytes, registers, lanes);
    if (accessing == 0) return;
    std::byte* hosts[kWarpSize] = {};
    const AtomicAccess access = resolve_atomic(warp, op, descriptor, accessing, hosts);
    const ptx::Type type = reduced_type(*image, operation, descriptor.type);
    for (const std::uint32_t lane : each_lane(access.allowed))
      reduce_element(reduction, type, hosts[lane], registers + operation.values[0] + bytes * lane);
  });
  charge_strong_access(warp);
  return next(op, registers, warp, mask);
}

/// A dimension that the texture or surface has not is 0: so an H200 says of the depth of two dimensions. Others, and
/// layers and faces, of which neither it nor the PTX ISA says anything, are taken to be like it.
const MicroOp* image_query(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const auto& operation = *static_cast<const ImageOperation*>(op->data);
  const std::uint32_t axis = operation.detail >> ir::kAskedShift;
  const bool of_surface = (operation.detail & ir::kOfSurface) != 0;
  std::uint64_t extents[kWarpSize] = {};
  for_each_image(warp, op, registers, mask, of_surface, [&](const Image* image, LaneMask lanes) {
    if (image == nullptr) return access_nothing(warp, op, *operation.memory, lanes);
    if (axis >= image->dimensions) return;
    for (const std::uint32_t lane : each_lane(lanes)) extents[lane] = image->extent[axis];
  });
  // The result may lie where the handles do.
  const std::uint32_t width = operation.value_bytes[0];
  for (const std::uint32_t lane : each_lane(mask)) {
    std::memcpy(registers + operation.values[0] + width * lane, &extents[lane], width);
  }
  return next(op, registers, warp, mask);
}

}  // namespace

Handler select_image(ir::Opcode opcode) {
  switch (opcode) {
    case ir::Opcode::texture:
      return &texture;
    case ir::Opcode::surface_load:
      return &surface_load;
    case ir::Opcode::surface_store:
      return &surface_store;
    case ir::Opcode::surface_reduce:
      return &surface_reduce;
    case ir::Opcode::image_query:
      return &image_query;
    default:
      return nullptr;
  }
}

}  // namespace cudalabs::vgpu::exec
