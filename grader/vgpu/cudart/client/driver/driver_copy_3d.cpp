// The driver API: copies of slices of rows, and copies from and to arrays.
#include "vgpu/cudart/client/driver/driver_copy.h"

#include "vgpu/cudart/client/device_array.h"
#include "vgpu/cudart/client/per_thread.h"

namespace cudalabs::vgpu::client::driver {
namespace {

bool is_type(MemoryType type) {
  return type >= kHost && type <= kUnified;
}

/// 0: there is no such array.
std::size_t texel_bytes_of(cudaArray_t handle) {
  const Lock lock;
  const cudaArray* const array = live_array(client(), handle);
  return array == nullptr ? 0 : array->texel_bytes;
}

/// Memory of a side; the pitch may be left out where it does not count.
cudaPitchedPtr memory_of(const Copy3DSide& side, const Copy3D& copy) {
  void* const memory = side.type == kHost ? side.host : pointer(side.device);
  const std::size_t width = side.x + copy.width;
  return {memory, side.pitch == 0 ? width : side.pitch, width, side.rows == 0 ? side.y + copy.height : side.rows};
}

Result read_side(const Copy3DSide& side, const Copy3D& copy, cudaArray_t* array, cudaPos* position,
                 cudaPitchedPtr* memory) {
  *position = {side.x, side.y, side.z};
  if (side.type != kArray) {
    *memory = memory_of(side, copy);
    return memory->pitch >= side.x + copy.width ? kSuccess : kInvalidValue;
  }
  const std::size_t texel_bytes = texel_bytes_of(side.array);
  if (texel_bytes == 0) return kInvalidHandle;
  if (side.x % texel_bytes != 0 || copy.width % texel_bytes != 0) return kInvalidValue;
  *array = side.array;
  position->x /= texel_bytes;
  return kSuccess;
}

void write_side(cudaArray_t array, const cudaPos& position, const cudaPitchedPtr& memory, MemoryType type,
                std::size_t texel_bytes, Copy3DSide* side) {
  *side = {position.x, position.y, position.z, 0, type, nullptr, 0, nullptr, nullptr, memory.pitch, memory.ysize};
  if (array != nullptr) {
    side->type = kArray;
    side->array = array;
    side->x *= texel_bytes;
  } else if (type == kHost) {
    side->host = memory.ptr;
  } else {
    side->device = address(memory.ptr);
  }
}

/// A row that begins at a byte of an array, which has one dimension.
int copy_to_array(cudaArray_t array, std::size_t at, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                  cudaStream_t stream, bool asynchronous) {
  return in_context([&] {
    return asynchronous ? cudaMemcpy2DToArrayAsync(array, at, 0, from, bytes, bytes, 1, kind, stream)
                        : cudaMemcpy2DToArray(array, at, 0, from, bytes, bytes, 1, kind);
  });
}
int copy_from_array(void* to, cudaArray_t array, std::size_t at, std::size_t bytes, cudaMemcpyKind kind,
                    cudaStream_t stream, bool asynchronous) {
  return in_context([&] {
    return asynchronous ? cudaMemcpy2DFromArrayAsync(to, bytes, array, at, 0, bytes, 1, kind, stream)
                        : cudaMemcpy2DFromArray(to, bytes, array, at, 0, bytes, 1, kind);
  });
}

/// `copy()` between memory of two contexts, which all share the one device's.
template <class Copy>
int between(const Context* to, const Context* from, Copy&& copy) {
  return in_context([&]() -> int {
    if (to == nullptr || from == nullptr) return kInvalidContext;
    Result known = check_context(to);
    if (known == kSuccess) known = check_context(from);
    return known == kSuccess ? result_of(copy()) : known;
  });
}

}  // namespace

cudaMemcpyKind kind_of(MemoryType to, MemoryType from) {
  if (to == kUnified || from == kUnified) return cudaMemcpyDefault;
  if (to == kHost) return from == kHost ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
  return from == kHost ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

Result of_runtime(const Copy3D& copy, bool between_contexts, cudaMemcpy3DParms* found) {
  *found = cudaMemcpy3DParms{};
  const Copy3DSide* const sides[] = {&copy.from, &copy.to};
  for (const Copy3DSide* side : sides) {
    std::size_t end = 0;
    if (!is_type(side->type) || side->level != 0 || __builtin_add_overflow(side->x, copy.width, &end) ||
        __builtin_add_overflow(side->y, copy.height, &end))
      return kInvalidValue;
    if (between_contexts ? side->context == nullptr : side->context != nullptr)
      return between_contexts ? kInvalidContext : kInvalidValue;
    if (const Result known = check_context(side->context); known != kSuccess) return known;
  }
  found->kind = kind_of(copy.to.type, copy.from.type);
  found->extent = {copy.width, copy.height, copy.depth};
  Result result = read_side(copy.from, copy, &found->srcArray, &found->srcPos, &found->srcPtr);
  if (result == kSuccess) result = read_side(copy.to, copy, &found->dstArray, &found->dstPos, &found->dstPtr);
  cudaArray_t const array = found->srcArray != nullptr ? found->srcArray : found->dstArray;
  if (result == kSuccess && array != nullptr) found->extent.width /= texel_bytes_of(array);
  return result;
}

Result of_driver(const cudaMemcpy3DParms& copy, Copy3D* found) {
  cudaArray_t const array = copy.srcArray != nullptr ? copy.srcArray : copy.dstArray;
  const std::size_t texel_bytes = array == nullptr ? 1 : texel_bytes_of(array);
  if (texel_bytes == 0) return kInvalidHandle;
  const bool by_address = copy.kind == cudaMemcpyDefault;
  const bool from_host = copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyHostToHost;
  const bool to_host = copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyHostToHost;
  write_side(copy.srcArray, copy.srcPos, copy.srcPtr,
             by_address  ? kUnified
             : from_host ? kHost
                         : kDevice,
             texel_bytes, &found->from);
  write_side(copy.dstArray, copy.dstPos, copy.dstPtr,
             by_address ? kUnified
             : to_host  ? kHost
                        : kDevice,
             texel_bytes, &found->to);
  found->width = copy.extent.width * texel_bytes;
  found->height = copy.extent.height;
  found->depth = copy.extent.depth;
  return kSuccess;
}

int copy_3d(const Copy3D* copy, bool between_contexts, cudaStream_t stream, bool asynchronous) {
  return in_context([&]() -> int {
    cudaMemcpy3DParms asked;
    const Result known = copy == nullptr ? kInvalidValue : of_runtime(*copy, between_contexts, &asked);
    if (known != kSuccess) return known;
    return result_of(asynchronous ? cudaMemcpy3DAsync(&asked, stream) : cudaMemcpy3D(&asked));
  });
}

CUDALABS_API int cuMemcpy3D_v2(const Copy3D* copy) {
  CUDALABS_DRIVER_CALL("cuMemcpy3D_v2");
  return copy_3d(copy, false, nullptr, false);
}

CUDALABS_API int cuMemcpy3DAsync_v2(const Copy3D* copy, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemcpy3DAsync_v2");
  return copy_3d(copy, false, stream, true);
}

CUDALABS_API int cuMemcpy3DPeer(const Copy3D* copy) {
  CUDALABS_DRIVER_CALL("cuMemcpy3DPeer");
  return copy_3d(copy, true, nullptr, false);
}

CUDALABS_API int cuMemcpy3DPeerAsync(const Copy3D* copy, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemcpy3DPeerAsync");
  return copy_3d(copy, true, stream, true);
}

CUDALABS_API int cuMemcpyPeer(DevicePointer to, Context* of_target, DevicePointer from, Context* of_source,
                              std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemcpyPeer");
  return between(of_target, of_source, [&] { return cudaMemcpyPeer(pointer(to), 0, pointer(from), 0, bytes); });
}

CUDALABS_API int cuMemcpyPeerAsync(DevicePointer to, Context* of_target, DevicePointer from, Context* of_source,
                                   std::size_t bytes, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemcpyPeerAsync");
  return between(of_target, of_source,
                 [&] { return cudaMemcpyPeerAsync(pointer(to), 0, pointer(from), 0, bytes, stream); });
}

CUDALABS_API int cuMemcpyHtoA_v2(cudaArray_t array, std::size_t at, const void* from, std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemcpyHtoA_v2");
  return copy_to_array(array, at, from, bytes, cudaMemcpyHostToDevice, nullptr, false);
}

CUDALABS_API int cuMemcpyHtoAAsync_v2(cudaArray_t array, std::size_t at, const void* from, std::size_t bytes,
                                      cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemcpyHtoAAsync_v2");
  return copy_to_array(array, at, from, bytes, cudaMemcpyHostToDevice, stream, true);
}

CUDALABS_API int cuMemcpyDtoA_v2(cudaArray_t array, std::size_t at, DevicePointer from, std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemcpyDtoA_v2");
  return copy_to_array(array, at, pointer(from), bytes, cudaMemcpyDeviceToDevice, nullptr, false);
}

CUDALABS_API int cuMemcpyAtoH_v2(void* to, cudaArray_t array, std::size_t at, std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemcpyAtoH_v2");
  return copy_from_array(to, array, at, bytes, cudaMemcpyDeviceToHost, nullptr, false);
}

CUDALABS_API int cuMemcpyAtoHAsync_v2(void* to, cudaArray_t array, std::size_t at, std::size_t bytes,
                                      cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemcpyAtoHAsync_v2");
  return copy_from_array(to, array, at, bytes, cudaMemcpyDeviceToHost, stream, true);
}

CUDALABS_API int cuMemcpyAtoD_v2(DevicePointer to, cudaArray_t array, std::size_t at, std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemcpyAtoD_v2");
  return copy_from_array(pointer(to), array, at, bytes, cudaMemcpyDeviceToDevice, nullptr, false);
}

CUDALABS_API int cuMemcpyAtoA_v2(cudaArray_t to, std::size_t to_at, cudaArray_t from, std::size_t from_at,
                                 std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemcpyAtoA_v2");
  return in_context(
      [&] { return cudaMemcpyArrayToArray(to, to_at, 0, from, from_at, 0, bytes, cudaMemcpyDeviceToDevice); });
}

CUDALABS_PER_THREAD(cuMemcpy3DAsync_v2, _ptsz, 2)
CUDALABS_PER_THREAD(cuMemcpy3DPeer, _ptds, 1)
CUDALABS_PER_THREAD(cuMemcpy3DPeerAsync, _ptsz, 2)
CUDALABS_PER_THREAD(cuMemcpy3D_v2, _ptds, 1)
CUDALABS_PER_THREAD(cuMemcpyAtoA_v2, _ptds, 5)
CUDALABS_PER_THREAD(cuMemcpyAtoD_v2, _ptds, 4)
CUDALABS_PER_THREAD(cuMemcpyAtoHAsync_v2, _ptsz, 5)
CUDALABS_PER_THREAD(cuMemcpyAtoH_v2, _ptds, 4)
CUDALABS_PER_THREAD(cuMemcpyDtoA_v2, _ptds, 4)
CUDALABS_PER_THREAD(cuMemcpyHtoAAsync_v2, _ptsz, 5)
CUDALABS_PER_THREAD(cuMemcpyHtoA_v2, _ptds, 4)
CUDALABS_PER_THREAD(cuMemcpyPeer, _ptds, 5)
CUDALABS_PER_THREAD(cuMemcpyPeerAsync, _ptsz, 6)

}  // namespace cudalabs::vgpu::client::driver
