// The driver API: tensor maps. They are made in the program; the device reads what stands in them.
#include "vgpu/cudart/client/driver/driver_context.h"
#include "vgpu/memory/tensor_map.h"

namespace cudalabs::vgpu::client::driver {
namespace {

// CUtensorMapInterleave, CUtensorMapL2promotion, CUtensorMapFloatOOBfill.
constexpr unsigned int kInterleaves = 3, kPromotions = 4, kFills = 2;
constexpr std::uint32_t kFewestInterleaved = 3;  // dimensions
constexpr unsigned int kSwizzles = 4;            // that devices of compute capability 9.0 have

/// What cuTensorMapEncodeTiled is given, but for where to put it.
struct Asked {
  unsigned int type;
  std::uint32_t rank;
  const void* address;
  const std::uint64_t* extents;
  const std::uint64_t* strides;
  const std::uint32_t* box;
  const std::uint32_t* steps;
  unsigned int interleave, swizzle, promotion, fill;
};

bool has_valid_numbers(const Asked& asked) {
  for (std::uint32_t i = 0; i < asked.rank; ++i) {
    if (!tensor_limits::is_extent(asked.extents[i]) || !tensor_limits::is_of_box(asked.box[i], asked.steps[i]))
      return false;
    if (i != 0 && !tensor_limits::is_stride(asked.strides[i - 1])) return false;
  }
  return true;
}

bool is_valid(const Asked& asked) {
  const bool known = asked.type < kTensorTypes && asked.interleave < kInterleaves && asked.swizzle < kSwizzles &&
                     asked.promotion < kPromotions && asked.fill < kFills;
  if (!known || asked.rank == 0 || asked.rank > kMostTensorDimensions) return false;
  if (!asked.extents || !asked.strides || !asked.box || !asked.steps) return false;
  if (asked.interleave != 0 && asked.rank < kFewestInterleaved) return false;
  if (!tensor_limits::is_address(reinterpret_cast<std::uintptr_t>(asked.address)) || !has_valid_numbers(asked))
    return false;
  return asked.fill == 0 || is_floating(static_cast<TensorType>(asked.type));
}

TensorMap map_of(const Asked& asked) {
  TensorMap map;
  map.type = static_cast<TensorType>(asked.type);
  map.rank = static_cast<std::uint8_t>(asked.rank);
  map.swizzle = static_cast<TensorSwizzle>(asked.swizzle);
  map.nan_outside = asked.fill != 0;
  map.address = reinterpret_cast<std::uintptr_t>(asked.address);
  map.strides[0] = bytes_of(map.type);
  for (std::uint32_t i = 0; i < asked.rank; ++i) {
    map.extents[i] = asked.extents[i];
    map.box[i] = asked.box[i];
    map.steps[i] = i == 0 ? 1 : asked.steps[i];  // along the innermost dimension there is none
    if (i != 0) map.strides[i] = asked.strides[i - 1];
  }
  return map;
}

}  // namespace

/// As an H200's driver: that the map lies at a multiple of 64 it does not ask for, nor that rows do not overlap.
CUDALABS_API int cuTensorMapEncodeTiled(void* map, unsigned int type, std::uint32_t rank, void* address,
                                        const std::uint64_t* extents, const std::uint64_t* strides,
                                        const std::uint32_t* box, const std::uint32_t* steps, unsigned int interleave,
                                        unsigned int swizzle, unsigned int promotion, unsigned int fill) {
  CUDALABS_DRIVER_CALL("cuTensorMapEncodeTiled");
  return in_context([&] {
    return answer_here(wire::call("cudaGetDriverEntryPoint"), {}, [&](Client& self) {
      if (self.device.compute_major < 9) return cudaErrorNotSupported;
      const Asked asked{type, rank, address, extents, strides, box, steps, interleave, swizzle, promotion, fill};
      if (!map || !is_valid(asked)) return cudaErrorInvalidValue;
      if (interleave != 0) return refuse_part(self, wire::UnsupportedPart::interleaved_tensor);
      const TensorMap made = map_of(asked);
      if (!is_valid(made)) return cudaErrorInvalidValue;
      encode(made, map);
      return cudaSuccess;
    });
  });
}

/// What is no map stays none.
CUDALABS_API int cuTensorMapReplaceAddress(void* map, void* address) {
  CUDALABS_DRIVER_CALL("cuTensorMapReplaceAddress");
  return in_context([&] {
    return answer_here(wire::call("cudaGetDriverEntryPoint"), {}, [&](Client& self) {
      if (self.device.compute_major < 9) return cudaErrorNotSupported;
      const auto fresh = reinterpret_cast<std::uintptr_t>(address);
      if (!map || fresh == 0 || !tensor_limits::is_address(fresh)) return cudaErrorInvalidValue;
      TensorMap known;
      if (!decode(map, known)) return cudaSuccess;
      known.address = fresh;
      encode(known, map);
      return cudaSuccess;
    });
  });
}

}  // namespace cudalabs::vgpu::client::driver
