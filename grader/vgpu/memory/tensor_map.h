// A tensor map (CUtensorMap of the toolkit): where a tensor lies in global memory, and which box of it a copy takes.
//
// Programs keep it as 128 bytes that only the driver and the device read. What stands in them here is the virtual
// GPU's own layout, and not what a driver writes there; a mark and a sum tell a map from other bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cudalabs::vgpu {

constexpr std::uint32_t kTensorMapBytes = 128, kTensorMapAlignment = 64;
constexpr std::uint32_t kMostTensorDimensions = 5;

/// CUtensorMapDataType of the toolkit, as far as devices of compute capability 9.0 have it.
enum class TensorType : std::uint8_t { u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz };
constexpr std::uint32_t kTensorTypes = 13;

constexpr std::uint32_t bytes_of(TensorType type) {
  switch (type) {
    case TensorType::u8:
      return 1;
    case TensorType::u16:
    case TensorType::f16:
    case TensorType::bf16:
      return 2;
    case TensorType::u64:
    case TensorType::s64:
    case TensorType::f64:
      return 8;
    default:
      return 4;
  }
}

constexpr bool is_floating(TensorType type) {
  return type >= TensorType::f16;
}

/// CUtensorMapSwizzle: units of 16 bytes change places within so many bytes of shared memory.
enum class TensorSwizzle : std::uint8_t { none, in_32_bytes, in_64_bytes, in_128_bytes };

constexpr std::uint32_t span_of(TensorSwizzle swizzle) {
  return 16u << static_cast<std::uint32_t>(swizzle);
}

/// Where what belongs at this place of shared memory lies: bits 4, 5 and 6 of the address, as many as there are units
/// in the span, are changed by the three bits above them.
constexpr std::uint64_t swizzled(std::uint64_t address, TensorSwizzle swizzle) {
  constexpr std::uint32_t kUnitBits = 4, kRowBits = 3;
  const std::uint64_t units = span_of(swizzle) / 16 - 1;
  return address ^ ((address >> kRowBits) & units << kUnitBits);
}

/// The innermost dimension comes first. Dimensions from `rank` on have one element.
struct TensorMap {
  TensorType type = TensorType::u8;
  std::uint8_t rank = 1;
  TensorSwizzle swizzle = TensorSwizzle::none;
  bool nan_outside = false;  // what a load finds outside of the tensor, in place of zeros
  std::uint64_t address = 0;
  std::uint64_t extents[kMostTensorDimensions] = {1, 1, 1, 1, 1};  // in elements
  std::uint64_t strides[kMostTensorDimensions] = {};               // in bytes, the first one that of an element
  std::uint32_t box[kMostTensorDimensions] = {1, 1, 1, 1, 1};      // in elements that it reaches over
  std::uint32_t steps[kMostTensorDimensions] = {1, 1, 1, 1, 1};    // from one element to the next that is copied

  /// Elements that a copy takes along a dimension.
  constexpr std::uint32_t count(std::uint32_t dimension) const {
    return (box[dimension] + steps[dimension] - 1) / steps[dimension];
  }
  constexpr std::uint64_t bytes_of_box() const {
    std::uint64_t bytes = bytes_of(type);
    for (std::uint32_t i = 0; i < rank; ++i) bytes *= count(i);
    return bytes;
  }
  /// From its address on, to behind its last element.
  constexpr std::uint64_t bytes_of_tensor() const {
    std::uint64_t bytes = bytes_of(type);
    for (std::uint32_t i = 0; i < rank; ++i) bytes += (extents[i] - 1) * strides[i];
    return bytes;
  }
};

/// What a driver takes.
namespace tensor_limits {
constexpr std::uint64_t kMostExtent = std::uint64_t{1} << 32, kStridesEnd = std::uint64_t{1} << 40;
constexpr std::uint64_t kAddressesEnd = std::uint64_t{1} << 57;  // of what a GPU can address
constexpr std::uint32_t kMostOfBox = 256, kMostStep = 8, kUnit = 16;
constexpr std::uint64_t kMostBytesOfBox = 228 << 10;  // an H200 takes them, and not 240 << 10

constexpr bool is_address(std::uint64_t address) {
  return address % kUnit == 0 && address < kAddressesEnd;
}
constexpr bool is_extent(std::uint64_t extent) {
  return extent != 0 && extent <= kMostExtent;
}
constexpr bool is_stride(std::uint64_t stride) {
  return stride % kUnit == 0 && stride < kStridesEnd;
}
constexpr bool is_of_box(std::uint32_t elements, std::uint32_t step) {
  return elements != 0 && elements <= kMostOfBox && step != 0 && step <= kMostStep;
}
}  // namespace tensor_limits

/// All its numbers are such as a driver takes, and rows of its box fit to shared memory and to the swizzle.
constexpr bool is_valid(const TensorMap& map) {
  using namespace tensor_limits;
  const bool known = static_cast<std::uint32_t>(map.type) < kTensorTypes && map.swizzle <= TensorSwizzle::in_128_bytes;
  if (!known || map.rank == 0 || map.rank > kMostTensorDimensions || !is_address(map.address)) return false;
  for (std::uint32_t i = 0; i < map.rank; ++i) {
    if (!is_extent(map.extents[i]) || !is_of_box(map.box[i], map.steps[i])) return false;
    if (i != 0 && !is_stride(map.strides[i])) return false;
  }
  const std::uint32_t row = map.box[0] * bytes_of(map.type);
  if (row % kUnit != 0) return false;
  if (map.swizzle != TensorSwizzle::none && row > span_of(map.swizzle)) return false;
  return map.bytes_of_box() <= kMostBytesOfBox;
}

namespace tensor_map_layout {

constexpr std::uint64_t kMark = 0x7061'6d20'726f'7354;

/// What stands in the 128 bytes: extents less 1, and the strides of all dimensions but the first one.
struct Packed {
  std::uint64_t mark = kMark;
  std::uint64_t address = 0;
  std::uint64_t strides[kMostTensorDimensions - 1] = {};
  std::uint32_t last[kMostTensorDimensions] = {};
  std::uint16_t box[kMostTensorDimensions] = {};
  std::uint8_t steps[kMostTensorDimensions] = {};
  std::uint8_t type = 0, rank = 0, swizzle = 0, nan_outside = 0;
  std::uint8_t rest[33] = {};
  std::uint64_t sum = 0;
};
static_assert(sizeof(Packed) == kTensorMapBytes);

inline std::uint64_t sum_of(const Packed& packed) {
  std::uint64_t words[sizeof(Packed) / 8];
  std::memcpy(words, &packed, sizeof words);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < sizeof(Packed) / 8; ++i) sum = (sum ^ words[i]) * 0x9e37'79b9'7f4a'7c15 + i;
  return sum;
}

}  // namespace tensor_map_layout

/// `to`: kTensorMapBytes. The map is one that `cuTensorMapEncodeTiled` accepts.
inline void encode(const TensorMap& map, void* to) {
  tensor_map_layout::Packed packed;
  packed.address = map.address;
  for (std::uint32_t i = 0; i < kMostTensorDimensions; ++i) {
    packed.last[i] = static_cast<std::uint32_t>(map.extents[i] - 1);
    if (i != 0) packed.strides[i - 1] = map.strides[i];
    packed.box[i] = static_cast<std::uint16_t>(map.box[i]);
    packed.steps[i] = static_cast<std::uint8_t>(map.steps[i]);
  }
  packed.type = static_cast<std::uint8_t>(map.type);
  packed.rank = map.rank;
  packed.swizzle = static_cast<std::uint8_t>(map.swizzle);
  packed.nan_outside = map.nan_outside ? 1 : 0;
  packed.sum = tensor_map_layout::sum_of(packed);
  std::memcpy(to, &packed, sizeof packed);
}

/// False: nobody has encoded what stands there. A program that knows the layout can write such bytes without a driver,
/// so that no number of theirs is taken for one that a driver has looked at.
inline bool decode(const void* from, TensorMap& map) {
  tensor_map_layout::Packed packed;
  std::memcpy(&packed, from, sizeof packed);
  if (packed.mark != tensor_map_layout::kMark || packed.sum != tensor_map_layout::sum_of(packed)) return false;
  map = {};
  map.type = static_cast<TensorType>(packed.type);
  map.rank = packed.rank;
  map.swizzle = static_cast<TensorSwizzle>(packed.swizzle);
  map.nan_outside = packed.nan_outside != 0;
  map.address = packed.address;
  for (std::uint32_t i = 0; i < kMostTensorDimensions; ++i) {
    map.extents[i] = std::uint64_t{packed.last[i]} + 1;
    map.strides[i] = i == 0 ? bytes_of(map.type) : packed.strides[i - 1];
    map.box[i] = packed.box[i];
    map.steps[i] = packed.steps[i];
  }
  return is_valid(map);
}

}  // namespace cudalabs::vgpu
