// The driver API: memory, copies and fills.
#include "vgpu/cudart/client/driver/driver_copy.h"
#include "vgpu/cudart/client/graph_command.h"
#include "vgpu/cudart/client/per_thread.h"

namespace cudalabs::vgpu::client::driver {
namespace {

template <class Element>
int fill_rows(DevicePointer to, std::size_t pitch, Element value, std::size_t width, std::size_t height,
              cudaStream_t stream, bool asynchronous) {
  return in_context([&]() -> int {
    if (width == 0 || height == 0) return kSuccess;
    const cudaMemsetParams rows{pointer(to), pitch, value, sizeof(Element), width, height};
    if (const cudaError_t status = check_fill(rows); status != cudaSuccess) return result_of(status);
    const std::uint16_t call = asynchronous ? wire::call("cudaMemset2DAsync") : wire::call("cudaMemset2D");
    return result_of(answer(call, {}, [&](Client& self) {
      return fill_elements(self, rows, asynchronous ? Order{stream, true} : Order{});
    }));
  });
}

/// CUDA_MEMCPY2D of the toolkit.
struct Copy2D {
  std::size_t source_x, source_y;
  MemoryType source_type;
  const void* source_host;
  DevicePointer source_device;
  void* source_array;
  std::size_t source_pitch;
  std::size_t target_x, target_y;
  MemoryType target_type;
  void* target_host;
  DevicePointer target_device;
  void* target_array;
  std::size_t target_pitch;
  std::size_t width, height;
};

/// Where no runtime's copy of rows has both sides.
int copy_between_arrays(const Copy2D& copy, cudaStream_t stream, bool asynchronous) {
  const Copy3D volume{{copy.source_x, copy.source_y, 0, 0, kArray, nullptr, 0,
                       static_cast<cudaArray_t>(copy.source_array), nullptr, 0, 0},
                      {copy.target_x, copy.target_y, 0, 0, kArray, nullptr, 0,
                       static_cast<cudaArray_t>(copy.target_array), nullptr, 0, 0},
                      copy.width,
                      copy.height,
                      1};
  return copy_3d(&volume, false, stream, asynchronous);
}

int copy_2d(const Copy2D* copy, cudaStream_t stream, bool asynchronous) {
  return in_context([&]() -> int {
    if (!copy) return kInvalidValue;
    if (copy->source_type == kArray && copy->target_type == kArray)
      return copy_between_arrays(*copy, stream, asynchronous);
    const std::size_t source_pitch = copy->source_pitch ? copy->source_pitch : copy->width;
    const std::size_t target_pitch = copy->target_pitch ? copy->target_pitch : copy->width;
    const char* const source =
        static_cast<const char*>(copy->source_type == kHost ? copy->source_host : pointer(copy->source_device)) +
        copy->source_y * source_pitch + copy->source_x;
    char* const target =
        static_cast<char*>(copy->target_type == kHost ? copy->target_host : pointer(copy->target_device)) +
        copy->target_y * target_pitch + copy->target_x;
    const cudaMemcpyKind kind = kind_of(copy->target_type, copy->source_type);
    if (copy->target_type == kArray) {
      auto* const array = static_cast<cudaArray_t>(copy->target_array);
      return result_of(asynchronous ? cudaMemcpy2DToArrayAsync(array, copy->target_x, copy->target_y, source,
                                                               source_pitch, copy->width, copy->height, kind, stream)
                                    : cudaMemcpy2DToArray(array, copy->target_x, copy->target_y, source, source_pitch,
                                                          copy->width, copy->height, kind));
    }
    if (copy->source_type == kArray) {
      auto* const array = static_cast<cudaArray_const_t>(copy->source_array);
      return result_of(asynchronous
                           ? cudaMemcpy2DFromArrayAsync(target, target_pitch, array, copy->source_x, copy->source_y,
                                                        copy->width, copy->height, kind, stream)
                           : cudaMemcpy2DFromArray(target, target_pitch, array, copy->source_x, copy->source_y,
                                                   copy->width, copy->height, kind));
    }
    return result_of(
        asynchronous
            ? cudaMemcpy2DAsync(target, target_pitch, source, source_pitch, copy->width, copy->height, kind, stream)
            : cudaMemcpy2D(target, target_pitch, source, source_pitch, copy->width, copy->height, kind));
  });
}

constexpr unsigned int kGlobalToAll = 1;  // of unified memory

}  // namespace

CUDALABS_API int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes) {
  CUDALABS_DRIVER_CALL("cuMemGetInfo_v2");
  return in_context([&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}

CUDALABS_API int cuMemAlloc_v2(DevicePointer* address, std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemAlloc_v2");
  return in_context([&]() -> int {
    if (!address || bytes == 0) return kInvalidValue;
    return result_of(cudaMalloc(reinterpret_cast<void**>(address), bytes));
  });
}

CUDALABS_API int cuMemAllocPitch_v2(DevicePointer* address, std::size_t* pitch, std::size_t width, std::size_t height,
                                    unsigned int) {
  CUDALABS_DRIVER_CALL("cuMemAllocPitch_v2");
  return in_context([&] { return cudaMallocPitch(reinterpret_cast<void**>(address), pitch, width, height); });
}

CUDALABS_API int cuMemAllocAsync(DevicePointer* address, std::size_t bytes, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemAllocAsync");
  return in_context([&] { return cudaMallocAsync(reinterpret_cast<void**>(address), bytes, stream); });
}

CUDALABS_API int cuMemAllocManaged(DevicePointer* address, std::size_t bytes, unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuMemAllocManaged");
  return in_context(
      [&] { return cudaMallocManaged(reinterpret_cast<void**>(address), bytes, flags == 0 ? kGlobalToAll : flags); });
}

CUDALABS_API int cuMemFree_v2(DevicePointer address) {
  CUDALABS_DRIVER_CALL("cuMemFree_v2");
  return in_context([&] { return cudaFree(pointer(address)); });
}

CUDALABS_API int cuMemFreeAsync(DevicePointer address, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemFreeAsync");
  return in_context([&] { return cudaFreeAsync(pointer(address), stream); });
}

CUDALABS_API int cuMemGetAddressRange_v2(DevicePointer* base, std::size_t* bytes, DevicePointer address) {
  return in_context([&] {
    Lock lock;
    for (const Range& range : client().allocations) {
      if (address - range.address >= range.bytes) continue;
      if (base) *base = range.address;
      if (bytes) *bytes = range.bytes;
      return kSuccess;
    }
    return kNotFound;
  });
}

CUDALABS_API int cuMemAllocHost_v2(void** address, std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemAllocHost_v2");
  return in_context([&] { return cudaMallocHost(address, bytes); });
}

CUDALABS_API int cuMemHostAlloc(void** address, std::size_t bytes, unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuMemHostAlloc");
  return in_context([&] { return cudaHostAlloc(address, bytes, flags); });
}

CUDALABS_API int cuMemFreeHost(void* address) {
  CUDALABS_DRIVER_CALL("cuMemFreeHost");
  return in_context([&] { return cudaFreeHost(address); });
}

CUDALABS_API int cuMemHostRegister_v2(void* address, std::size_t bytes, unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuMemHostRegister_v2");
  return in_context([&] { return cudaHostRegister(address, bytes, flags); });
}

CUDALABS_API int cuMemHostUnregister(void* address) {
  CUDALABS_DRIVER_CALL("cuMemHostUnregister");
  return in_context([&] { return cudaHostUnregister(address); });
}

CUDALABS_API int cuMemHostGetDevicePointer_v2(DevicePointer* address, void* host, unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuMemHostGetDevicePointer_v2");
  return in_context([&] { return cudaHostGetDevicePointer(reinterpret_cast<void**>(address), host, flags); });
}

CUDALABS_API int cuMemcpy(DevicePointer to, DevicePointer from, std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemcpy");
  return in_context([&] { return cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDefault); });
}

CUDALABS_API int cuMemcpyAsync(DevicePointer to, DevicePointer from, std::size_t bytes, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemcpyAsync");
  return in_context([&] { return cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream); });
}

CUDALABS_API int cuMemcpyHtoD_v2(DevicePointer to, const void* from, std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemcpyHtoD_v2");
  return in_context([&] { return cudaMemcpy(pointer(to), from, bytes, cudaMemcpyHostToDevice); });
}

CUDALABS_API int cuMemcpyDtoH_v2(void* to, DevicePointer from, std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemcpyDtoH_v2");
  return in_context([&] { return cudaMemcpy(to, pointer(from), bytes, cudaMemcpyDeviceToHost); });
}

CUDALABS_API int cuMemcpyDtoD_v2(DevicePointer to, DevicePointer from, std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemcpyDtoD_v2");
  return in_context([&] { return cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice); });
}

CUDALABS_API int cuMemcpyHtoDAsync_v2(DevicePointer to, const void* from, std::size_t bytes, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemcpyHtoDAsync_v2");
  return in_context([&] { return cudaMemcpyAsync(pointer(to), from, bytes, cudaMemcpyHostToDevice, stream); });
}

CUDALABS_API int cuMemcpyDtoHAsync_v2(void* to, DevicePointer from, std::size_t bytes, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemcpyDtoHAsync_v2");
  return in_context([&] { return cudaMemcpyAsync(to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream); });
}

CUDALABS_API int cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, std::size_t bytes, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemcpyDtoDAsync_v2");
  return in_context(
      [&] { return cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice, stream); });
}

CUDALABS_API int cuMemcpy2D_v2(const Copy2D* copy) {
  CUDALABS_DRIVER_CALL("cuMemcpy2D_v2");
  return copy_2d(copy, nullptr, false);
}

CUDALABS_API int cuMemcpy2DUnaligned_v2(const Copy2D* copy) {
  CUDALABS_DRIVER_CALL("cuMemcpy2DUnaligned_v2");
  return copy_2d(copy, nullptr, false);
}

CUDALABS_API int cuMemcpy2DAsync_v2(const Copy2D* copy, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemcpy2DAsync_v2");
  return copy_2d(copy, stream, true);
}

CUDALABS_API int cuMemsetD8_v2(DevicePointer to, unsigned char value, std::size_t count) {
  CUDALABS_DRIVER_CALL("cuMemsetD8_v2");
  return in_context([&] { return cudaMemset(pointer(to), value, count); });
}

CUDALABS_API int cuMemsetD8Async(DevicePointer to, unsigned char value, std::size_t count, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemsetD8Async");
  return in_context([&] { return cudaMemsetAsync(pointer(to), value, count, stream); });
}

CUDALABS_API int cuMemsetD16_v2(DevicePointer to, unsigned short value, std::size_t count) {
  CUDALABS_DRIVER_CALL("cuMemsetD16_v2");
  return fill_rows(to, 0, value, count, 1, nullptr, false);
}

CUDALABS_API int cuMemsetD16Async(DevicePointer to, unsigned short value, std::size_t count, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemsetD16Async");
  return fill_rows(to, 0, value, count, 1, stream, true);
}

CUDALABS_API int cuMemsetD32_v2(DevicePointer to, unsigned int value, std::size_t count) {
  CUDALABS_DRIVER_CALL("cuMemsetD32_v2");
  return fill_rows(to, 0, value, count, 1, nullptr, false);
}

CUDALABS_API int cuMemsetD32Async(DevicePointer to, unsigned int value, std::size_t count, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemsetD32Async");
  return fill_rows(to, 0, value, count, 1, stream, true);
}

CUDALABS_API int cuMemsetD2D8_v2(DevicePointer to, std::size_t pitch, unsigned char value, std::size_t width,
                                 std::size_t height) {
  CUDALABS_DRIVER_CALL("cuMemsetD2D8_v2");
  return fill_rows(to, pitch, value, width, height, nullptr, false);
}

CUDALABS_API int cuMemsetD2D16_v2(DevicePointer to, std::size_t pitch, unsigned short value, std::size_t width,
                                  std::size_t height) {
  CUDALABS_DRIVER_CALL("cuMemsetD2D16_v2");
  return fill_rows(to, pitch, value, width, height, nullptr, false);
}

CUDALABS_API int cuMemsetD2D32_v2(DevicePointer to, std::size_t pitch, unsigned int value, std::size_t width,
                                  std::size_t height) {
  CUDALABS_DRIVER_CALL("cuMemsetD2D32_v2");
  return fill_rows(to, pitch, value, width, height, nullptr, false);
}

CUDALABS_API int cuMemsetD2D8Async(DevicePointer to, std::size_t pitch, unsigned char value, std::size_t width,
                                   std::size_t height, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemsetD2D8Async");
  return fill_rows(to, pitch, value, width, height, stream, true);
}

CUDALABS_API int cuMemsetD2D16Async(DevicePointer to, std::size_t pitch, unsigned short value, std::size_t width,
                                    std::size_t height, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemsetD2D16Async");
  return fill_rows(to, pitch, value, width, height, stream, true);
}

CUDALABS_API int cuMemsetD2D32Async(DevicePointer to, std::size_t pitch, unsigned int value, std::size_t width,
                                    std::size_t height, cudaStream_t stream) {
  CUDALABS_DRIVER_CALL("cuMemsetD2D32Async");
  return fill_rows(to, pitch, value, width, height, stream, true);
}

CUDALABS_PER_THREAD(cuMemAllocAsync, _ptsz, 3)
CUDALABS_PER_THREAD(cuMemFreeAsync, _ptsz, 2)
CUDALABS_PER_THREAD(cuMemcpy, _ptds, 3)
CUDALABS_PER_THREAD(cuMemcpy2DAsync_v2, _ptsz, 2)
CUDALABS_PER_THREAD(cuMemcpy2DUnaligned_v2, _ptds, 1)
CUDALABS_PER_THREAD(cuMemcpy2D_v2, _ptds, 1)
CUDALABS_PER_THREAD(cuMemcpyAsync, _ptsz, 4)
CUDALABS_PER_THREAD(cuMemcpyDtoDAsync_v2, _ptsz, 4)
CUDALABS_PER_THREAD(cuMemcpyDtoD_v2, _ptds, 3)
CUDALABS_PER_THREAD(cuMemcpyDtoHAsync_v2, _ptsz, 4)
CUDALABS_PER_THREAD(cuMemcpyDtoH_v2, _ptds, 3)
CUDALABS_PER_THREAD(cuMemcpyHtoDAsync_v2, _ptsz, 4)
CUDALABS_PER_THREAD(cuMemcpyHtoD_v2, _ptds, 3)
CUDALABS_PER_THREAD(cuMemsetD16Async, _ptsz, 4)
CUDALABS_PER_THREAD(cuMemsetD16_v2, _ptds, 3)
CUDALABS_PER_THREAD(cuMemsetD2D16Async, _ptsz, 6)
CUDALABS_PER_THREAD(cuMemsetD2D16_v2, _ptds, 5)
CUDALABS_PER_THREAD(cuMemsetD2D32Async, _ptsz, 6)
CUDALABS_PER_THREAD(cuMemsetD2D32_v2, _ptds, 5)
CUDALABS_PER_THREAD(cuMemsetD2D8Async, _ptsz, 6)
CUDALABS_PER_THREAD(cuMemsetD2D8_v2, _ptds, 5)
CUDALABS_PER_THREAD(cuMemsetD32Async, _ptsz, 4)
CUDALABS_PER_THREAD(cuMemsetD32_v2, _ptds, 3)
CUDALABS_PER_THREAD(cuMemsetD8Async, _ptsz, 4)
CUDALABS_PER_THREAD(cuMemsetD8_v2, _ptds, 3)

}  // namespace cudalabs::vgpu::client::driver
