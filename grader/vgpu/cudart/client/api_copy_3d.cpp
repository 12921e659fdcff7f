// The runtime API: copies and fills of slices of rows.
#include "vgpu/cudart/client/captured_calls.h"
#include "vgpu/cudart/client/device_array.h"

namespace cudalabs::vgpu::client {
namespace {

/// One side of a copy: where its first row is, and how far its slices are apart.
struct Volume {
  Side side;
  std::uint64_t slice_rows = 0;
};

bool fits(const cudaPitchedPtr& memory, const cudaPos& from, const cudaExtent& extent) {
  std::uint64_t end = 0;
  return !__builtin_add_overflow(from.x, extent.width, &end) && end <= memory.pitch &&
         (extent.depth == 1 || (!__builtin_add_overflow(from.y, extent.height, &end) && end <= memory.ysize));
}

Volume volume_of(const cudaPitchedPtr& memory, const cudaPos& at) {
  return {{address_of(memory.ptr) + (at.z * memory.ysize + at.y) * memory.pitch + at.x, memory.pitch}, memory.ysize};
}
Side slice_of(const Volume& volume, std::uint64_t z) {
  return {volume.side.address + z * volume.slice_rows * volume.side.pitch, volume.side.pitch};
}

}  // namespace

cudaError_t copy_volume(Client& self, const cudaMemcpy3DParms* p, Order order) {
  if (!p) return end_here(self, cudaErrorInvalidValue, order);
  if (is_capturing()) {
    const Captured captured = capture_copy(self, *p, order);
    if (captured.done) return captured.status;
  }
  cudaMemcpy3DParms pitched;
  if (p->srcArray || p->dstArray) {
    if (const cudaError_t status = without_arrays(self, *p, pitched); status != cudaSuccess)
      return end_here(self, status, order);
    p = &pitched;
  }
  const cudaExtent& extent = p->extent;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return end_here(self, cudaSuccess, order);
  if (!fits(p->srcPtr, p->srcPos, extent) || !fits(p->dstPtr, p->dstPos, extent))
    return end_here(self, cudaErrorInvalidValue, order);
  const Volume to = volume_of(p->dstPtr, p->dstPos), from = volume_of(p->srcPtr, p->srcPos);
  // Slices of whole rows lie one after another: then all of it is one copy.
  if (extent.height == to.slice_rows && extent.height == from.slice_rows) {
    Shape shape{extent.width, 0};
    if (__builtin_mul_overflow(extent.height, extent.depth, &shape.height))
      return end_here(self, cudaErrorInvalidValue, order);
    return copy_pitched(self, to.side, from.side, shape, p->kind, order);
  }
  cudaError_t status = cudaSuccess;
  for (std::uint64_t z = 0; z < extent.depth && status == cudaSuccess; ++z)
    status = copy_pitched(self, slice_of(to, z), slice_of(from, z), {extent.width, extent.height}, p->kind, order);
  return status;
}

namespace {

cudaError_t copy_volume(Client& self, const cudaMemcpy3DPeerParms* p, Order order) {
  if (!p) return end_here(self, cudaErrorInvalidValue, order);
  if (p->srcDevice != 0 || p->dstDevice != 0) return end_here(self, cudaErrorInvalidDevice, order);
  const cudaMemcpy3DParms parameters{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                     p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  return copy_volume(self, &parameters, order);
}

cudaError_t fill_volume(Client& self, const cudaPitchedPtr& memory, int value, const cudaExtent& extent, Order order) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return end_here(self, cudaSuccess, order);
  if (!fits(memory, {}, extent)) return end_here(self, cudaErrorInvalidValue, order);
  const Volume to = volume_of(memory, {});
  cudaError_t status = cudaSuccess;
  for (std::uint64_t z = 0; z < extent.depth && status == cudaSuccess; ++z)
    status = fill(self, slice_of(to, z), {extent.width, extent.height}, value, order);
  return status;
}

}  // namespace

CUDALABS_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return answer(wire::call("cudaMemcpy3D"), call_site(),
                [&](Client& self) { return copy_volume(self, parameters, {}); });
}

CUDALABS_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return answer(wire::call("cudaMemcpy3DAsync"), call_site(), [&](Client& self) {
    return copy_volume(self, parameters, {stream, true});
  });
}

CUDALABS_API cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return answer(wire::call("cudaMemcpy3DPeer"), call_site(),
                [&](Client& self) { return copy_volume(self, parameters, {}); });
}

CUDALABS_API cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return answer(wire::call("cudaMemcpy3DPeerAsync"), call_site(), [&](Client& self) {
    return copy_volume(self, parameters, {stream, true});
  });
}

CUDALABS_API cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return answer(wire::call("cudaMemset3D"), call_site(),
                [&](Client& self) { return fill_volume(self, pointer, value, extent, {}); });
}

CUDALABS_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream) {
  return answer(wire::call("cudaMemset3DAsync"), call_site(), [&](Client& self) {
    return fill_volume(self, pointer, value, extent, {stream, true});
  });
}

}  // namespace cudalabs::vgpu::client
