// The runtime API: arrays, and copies to and from them.
#include <stdlib.h>

#include "vgpu/cudart/client/device_array.h"

namespace cudalabs::vgpu::client {

namespace {

Array<cudaArray*> arrays;  // while the lock is held

constexpr unsigned int kKnownFlags =
    cudaArraySurfaceLoadStore | cudaArrayTextureGather | cudaArrayLayered | cudaArrayCubemap;
constexpr std::size_t kMostTexels[] = {131'072, 65'536, 16'384};  // a side, by the number of dimensions

std::size_t dimensions_of(const cudaExtent& extent) {
  return extent.depth != 0 ? 3 : extent.height != 0 ? 2 : 1;
}

/// Layers have one or two dimensions, and faces of cubes are squares.
bool is_possible(const cudaExtent& extent, unsigned int flags) {
  constexpr std::size_t kFaces = 6, kMostLayers = 2'048, kMostLayeredTexels = 32'768;
  const std::size_t most = kMostTexels[dimensions_of(extent) - 1];
  if ((flags & (cudaArrayLayered | cudaArrayCubemap)) == 0)
    return extent.width != 0 && (extent.depth == 0 || extent.height != 0) && extent.width <= most &&
           extent.height <= most && extent.depth <= most;
  if ((flags & cudaArrayCubemap) != 0 && (extent.width != extent.height || extent.depth % kFaces != 0 ||
                                          ((flags & cudaArrayLayered) == 0 && extent.depth != kFaces)))
    return false;
  return extent.width != 0 && extent.depth != 0 && extent.depth <= kMostLayers && extent.width <= kMostLayeredTexels &&
         extent.height <= kMostLayeredTexels;
}

cudaError_t make_array(Client& self, cudaArray_t* made, const cudaChannelFormatDesc* format, cudaExtent extent,
                       unsigned int flags) {
  if (!made || !format) return cudaErrorInvalidValue;
  if ((flags & ~kKnownFlags) != 0) return cudaErrorNotSupported;  // sparse arrays
  const Channels channels = channels_of(*format);
  if (channels.count == 0) return cudaErrorInvalidChannelDescriptor;
  if (!is_possible(extent, flags)) return cudaErrorInvalidValue;
  cudaArray array{0, *format, extent, flags, channels.count * channels.bytes};
  const std::uint64_t bytes = array.pitch() * array.rows() * array.slices();
  wire::Address address;
  const cudaError_t status = self.ask(wire::Op::allocate, wire::Allocate{bytes, 0, 0, 0}, &address);
  if (status != cudaSuccess) return status;
  array.address = address.address;
  auto* const kept = static_cast<cudaArray*>(malloc(sizeof array));
  if (!kept || !self.allocations.add({address.address, bytes}) || !arrays.push(kept)) {
    free(kept);
    self.ask(wire::Op::release, address);
    return cudaErrorMemoryAllocation;
  }
  *kept = array;
  *made = kept;
  return cudaSuccess;
}

cudaError_t free_array(Client& self, cudaArray* array) {
  if (!array) return cudaSuccess;
  if (!live_array(self, array)) return cudaErrorInvalidResourceHandle;
  const cudaError_t status = self.ask(wire::Op::release, wire::Address{array->address});
  if (status != cudaSuccess) return status;
  self.allocations.remove(array->address);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i] == array) arrays.erase(i--);
  }
  free(array);
  return cudaSuccess;
}

/// Where texels of the array begin that a copy of `shape` may use, from the byte x of the row y on.
cudaError_t side_of(Client& self, const cudaArray* given, std::size_t x, std::size_t y, Shape shape, Side* side) {
  const cudaArray* const array = live_array(self, given);
  if (!array) return cudaErrorInvalidResourceHandle;
  std::uint64_t right = 0, end = 0;
  if (__builtin_add_overflow(x, shape.width, &right) || right > array->pitch() ||
      __builtin_add_overflow(y, shape.height, &end) || end > array->rows() || x % array->texel_bytes != 0 ||
      shape.width % array->texel_bytes != 0)
    return cudaErrorInvalidValue;
  *side = {array->address + y * array->pitch() + x, array->pitch()};
  return cudaSuccess;
}

cudaError_t copy_to(Client& self, const cudaArray* to, std::size_t x, std::size_t y, Side from, Shape shape,
                    cudaMemcpyKind kind, Order order) {
  Side side;
  if (const cudaError_t status = side_of(self, to, x, y, shape, &side); status != cudaSuccess)
    return end_here(self, status, order);
  return copy_pitched(self, side, from, shape, kind, order);
}

cudaError_t copy_from(Client& self, Side to, const cudaArray* from, std::size_t x, std::size_t y, Shape shape,
                      cudaMemcpyKind kind, Order order) {
  Side side;
  if (const cudaError_t status = side_of(self, from, x, y, shape, &side); status != cudaSuccess)
    return end_here(self, status, order);
  return copy_pitched(self, to, side, shape, kind, order);
}

cudaError_t copy_between(Client& self, const cudaArray* to, std::size_t to_x, std::size_t to_y, const cudaArray* from,
                         std::size_t from_x, std::size_t from_y, Shape shape, cudaMemcpyKind kind, Order order) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return end_here(self, cudaErrorInvalidMemcpyDirection, order);
  Side side;
  if (const cudaError_t status = side_of(self, from, from_x, from_y, shape, &side); status != cudaSuccess)
    return end_here(self, status, order);
  return copy_to(self, to, to_x, to_y, side, shape, kind, order);
}

/// Copies without rows go on from one row to the next.
cudaError_t linear_side(Client& self, const cudaArray* given, std::size_t x, std::size_t y, std::size_t bytes,
                        Side* side) {
  const cudaError_t status = side_of(self, given, x, y, {}, side);
  if (status != cudaSuccess) return status;
  const std::uint64_t left = given->address + given->pitch() * given->rows() - side->address;
  side->pitch = bytes;
  return bytes <= left ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t copy_linear_to(Client& self, const cudaArray* to, std::size_t x, std::size_t y, const void* from,
                           std::size_t bytes, cudaMemcpyKind kind, Order order) {
  Side side;
  if (const cudaError_t status = linear_side(self, to, x, y, bytes, &side); status != cudaSuccess)
    return end_here(self, status, order);
  return copy_pitched(self, side, {address_of(from), bytes}, {bytes, 1}, kind, order);
}

cudaError_t copy_linear_from(Client& self, void* to, const cudaArray* from, std::size_t x, std::size_t y,
                             std::size_t bytes, cudaMemcpyKind kind, Order order) {
  Side side;
  if (const cudaError_t status = linear_side(self, from, x, y, bytes, &side); status != cudaSuccess)
    return end_here(self, status, order);
  return copy_pitched(self, {address_of(to), bytes}, side, {bytes, 1}, kind, order);
}

cudaError_t copy_linear_between(Client& self, const cudaArray* to, std::size_t to_x, std::size_t to_y,
                                const cudaArray* from, std::size_t from_x, std::size_t from_y, std::size_t bytes,
                                cudaMemcpyKind kind, Order order) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return end_here(self, cudaErrorInvalidMemcpyDirection, order);
  Side to_side, from_side;
  cudaError_t status = linear_side(self, to, to_x, to_y, bytes, &to_side);
  if (status == cudaSuccess) status = linear_side(self, from, from_x, from_y, bytes, &from_side);
  if (status != cudaSuccess) return end_here(self, status, order);
  return copy_pitched(self, to_side, from_side, {bytes, 1}, kind, order);
}

}  // namespace

Channels channels_of(const cudaChannelFormatDesc& format) {
  const int bits[] = {format.x, format.y, format.z, format.w};
  std::uint32_t count = 0;
  while (count < 4 && bits[count] != 0) ++count;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (bits[i] != (i < count ? bits[0] : 0)) return {};
  }
  const bool has_size = bits[0] == 8 || bits[0] == 16 || bits[0] == 32;
  const bool has_kind = format.f == cudaChannelFormatKindSigned || format.f == cudaChannelFormatKindUnsigned ||
                        (format.f == cudaChannelFormatKindFloat && bits[0] != 8);
  if (count == 0 || count == 3 || !has_size || !has_kind) return {};
  return {count, static_cast<std::uint32_t>(bits[0]) / 8};
}

const cudaArray* live_array(Client& self, const cudaArray* array) {
  for (const cudaArray* known : arrays) {
    if (known == array) return self.allocations.at(known->address) != nullptr ? known : nullptr;
  }
  return nullptr;
}

cudaError_t without_arrays(Client& self, const cudaMemcpy3DParms& from, cudaMemcpy3DParms& to) {
  to = from;
  std::size_t texel_bytes = 0;
  const auto replace = [&](cudaArray_t& given, cudaPos& position, cudaPitchedPtr& memory) {
    if (!given) return cudaSuccess;
    const cudaArray* const array = live_array(self, given);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (memory.ptr || (texel_bytes != 0 && texel_bytes != array->texel_bytes)) return cudaErrorInvalidValue;
    texel_bytes = array->texel_bytes;
    const cudaExtent& extent = from.extent;
    std::uint64_t right = 0, bottom = 0, back = 0;
    if (__builtin_add_overflow(position.x, extent.width, &right) || right > array->extent.width ||
        __builtin_add_overflow(position.y, extent.height, &bottom) || bottom > array->rows() ||
        __builtin_add_overflow(position.z, extent.depth, &back) || back > array->slices())
      return cudaErrorInvalidValue;
    memory =
        make_cudaPitchedPtr(reinterpret_cast<void*>(array->address), array->pitch(), array->pitch(), array->rows());
    position.x *= texel_bytes;
    given = nullptr;
    return cudaSuccess;
  };
  cudaError_t status = replace(to.srcArray, to.srcPos, to.srcPtr);
  if (status == cudaSuccess) status = replace(to.dstArray, to.dstPos, to.dstPtr);
  to.extent.width *= texel_bytes;
  return status;
}

CUDALABS_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

CUDALABS_API cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                                         size_t height, unsigned int flags) {
  return answer(wire::call("cudaMallocArray"), call_site(), [&](Client& self) {
    return make_array(self, array, format, {width, height, 0}, flags);
  });
}

CUDALABS_API cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                                           unsigned int flags) {
  return answer(wire::call("cudaMalloc3DArray"), call_site(),
                [&](Client& self) { return make_array(self, array, format, extent, flags); });
}

CUDALABS_API cudaError_t cudaFreeArray(cudaArray_t array) {
  return answer(wire::call("cudaFreeArray"), call_site(), [&](Client& self) { return free_array(self, array); });
}

CUDALABS_API cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                                          cudaArray_t given) {
  return answer_here(wire::call("cudaArrayGetInfo"), call_site(), [&](Client& self) {
    const cudaArray* const array = live_array(self, given);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (format) *format = array->format;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t given) {
  return answer_here(wire::call("cudaGetChannelDesc"), call_site(), [&](Client& self) {
    const cudaArray* const array = live_array(self, given);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (!format) return cudaErrorInvalidValue;
    *format = array->format;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
  return answer(wire::call("cudaMemcpyToArray"), call_site(),
                [&](Client& self) { return copy_linear_to(self, to, x, y, from, bytes, kind, {}); });
}

CUDALABS_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                                cudaMemcpyKind kind, cudaStream_t stream) {
  return answer(wire::call("cudaMemcpyToArrayAsync"), call_site(), [&](Client& self) {
    return copy_linear_to(self, to, x, y, from, bytes, kind, {stream, true});
  });
}

CUDALABS_API cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                             cudaMemcpyKind kind) {
  return answer(wire::call("cudaMemcpyFromArray"), call_site(),
                [&](Client& self) { return copy_linear_from(self, to, from, x, y, bytes, kind, {}); });
}

CUDALABS_API cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                                  cudaMemcpyKind kind, cudaStream_t stream) {
  return answer(wire::call("cudaMemcpyFromArrayAsync"), call_site(), [&](Client& self) {
    return copy_linear_from(self, to, from, x, y, bytes, kind, {stream, true});
  });
}

CUDALABS_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                             size_t width, size_t height, cudaMemcpyKind kind) {
  return answer(wire::call("cudaMemcpy2DToArray"), call_site(), [&](Client& self) {
    return copy_to(self, to, x, y, {address_of(from), pitch}, {width, height}, kind, {});
  });
}

CUDALABS_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                                  size_t width, size_t height, cudaMemcpyKind kind,
                                                  cudaStream_t stream) {
  return answer(wire::call("cudaMemcpy2DToArrayAsync"), call_site(), [&](Client& self) {
    return copy_to(self, to, x, y, {address_of(from), pitch}, {width, height}, kind, {stream, true});
  });
}

CUDALABS_API cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                               size_t width, size_t height, cudaMemcpyKind kind) {
  return answer(wire::call("cudaMemcpy2DFromArray"), call_site(), [&](Client& self) {
    return copy_from(self, {address_of(to), pitch}, from, x, y, {width, height}, kind, {});
  });
}

CUDALABS_API cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                                    size_t width, size_t height, cudaMemcpyKind kind,
                                                    cudaStream_t stream) {
  return answer(wire::call("cudaMemcpy2DFromArrayAsync"), call_site(), [&](Client& self) {
    return copy_from(self, {address_of(to), pitch}, from, x, y, {width, height}, kind, {stream, true});
  });
}

CUDALABS_API cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                                size_t from_x, size_t from_y, size_t bytes, cudaMemcpyKind kind) {
  return answer(wire::call("cudaMemcpyArrayToArray"), call_site(), [&](Client& self) {
    return copy_linear_between(self, to, to_x, to_y, from, from_x, from_y, bytes, kind, {});
  });
}

CUDALABS_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                                  size_t from_x, size_t from_y, size_t width, size_t height,
                                                  cudaMemcpyKind kind) {
  return answer(wire::call("cudaMemcpy2DArrayToArray"), call_site(), [&](Client& self) {
    return copy_between(self, to, to_x, to_y, from, from_x, from_y, {width, height}, kind, {});
  });
}

// Only arrays without memory, which there are none of, say how much they need.
CUDALABS_API cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements* requirements, cudaArray_t array,
                                                        int device) {
  return answer_here(wire::call("cudaArrayGetMemoryRequirements"), call_site(), [&](Client& self) {
    if (requirements == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    return live_array(self, array) == nullptr ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
  });
}

// No format that an array may have here is one of several planes.
CUDALABS_API cudaError_t cudaArrayGetPlane(cudaArray_t* plane, cudaArray_t array, unsigned int) {
  return answer_here(wire::call("cudaArrayGetPlane"), call_site(), [&](Client& self) {
    if (plane == nullptr) return cudaErrorInvalidValue;
    return live_array(self, array) == nullptr ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
  });
}

}  // namespace cudalabs::vgpu::client
