// The runtime API: unified memory.
#include "vgpu/cudart/client/captured_calls.h"
#include "vgpu/cudart/client/memory_advice.h"

namespace cudalabs::vgpu::client {
namespace {

cudaError_t allocate_managed(Client& self, void** pointer, std::size_t bytes, unsigned int flags) {
  if (!pointer) return refuse_null(self);
  *pointer = nullptr;
  if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) return cudaErrorInvalidValue;
  wire::Address address;
  const cudaError_t status = self.ask(wire::Op::allocate, wire::Allocate{bytes, ManagedMemory::page_bytes()}, &address);
  if (status != cudaSuccess) return status;
  const bool known = self.allocations.add({address.address, bytes});
  if (!known || !self.managed.add(address.address, bytes)) {
    if (known) self.allocations.remove(address.address);
    self.call = 0;
    self.ask(wire::Op::release, address);
    return cudaErrorMemoryAllocation;
  }
  watch_faults();
  *pointer = reinterpret_cast<void*>(address.address);
  return cudaSuccess;
}

}  // namespace

CUDALABS_API cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  return answer(wire::call("cudaMallocManaged"), call_site(),
                [&](Client& self) { return allocate_managed(self, pointer, bytes, flags); });
}

// Their names, for parameters that hold what CUDA 13 passes, and what it passed before: see place_of. Where the place
// is a number, the stream comes after it; it is not looked at.
CUDALABS_API cudaError_t cudalabs_advise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                         std::uint64_t place) __asm__("cudaMemAdvise");
CUDALABS_API cudaError_t cudalabs_prefetch(const void* pointer, size_t bytes, std::uint64_t place,
                                           std::uint64_t flags) __asm__("cudaMemPrefetchAsync");
CUDALABS_API cudaError_t cudalabs_prefetch_ptsz(const void* pointer, size_t bytes, std::uint64_t place,
                                                std::uint64_t flags) __asm__("cudaMemPrefetchAsync_ptsz");

namespace {

cudaError_t prefetch_from(CallSite site, const void* pointer, std::size_t bytes, std::uint64_t given,
                          std::uint64_t flags) {
  return answer_here(wire::call("cudaMemPrefetchAsync"), site, [&](Client& self) {
    const auto low = static_cast<int>(given & 0xffffffff);
    const bool has_flags = low != 0 && low != cudaCpuDeviceId;
    return prefetch(self, pointer, bytes, place_of(given), has_flags ? static_cast<unsigned int>(flags) : 0);
  });
}

}  // namespace

CUDALABS_API cudaError_t cudalabs_prefetch(const void* pointer, size_t bytes, std::uint64_t place,
                                           std::uint64_t flags) {
  return prefetch_from(call_site(), pointer, bytes, place, flags);
}

CUDALABS_API cudaError_t cudalabs_prefetch_ptsz(const void* pointer, size_t bytes, std::uint64_t place,
                                                std::uint64_t flags) {
  return prefetch_from(call_site(), pointer, bytes, place, flags);
}

CUDALABS_API cudaError_t cudalabs_advise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                         std::uint64_t place) {
  return answer_here(wire::call("cudaMemAdvise"), call_site(),
                     [&](Client& self) { return advise(self, pointer, bytes, advice, place_of(place)); });
}

CUDALABS_API cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                                  const void* pointer, size_t bytes) {
  return answer_here(wire::call("cudaMemRangeGetAttribute"), call_site(),
                     [&](Client& self) { return range_attribute(self, data, data_bytes, attribute, pointer, bytes); });
}

CUDALABS_API cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_bytes, cudaMemRangeAttribute* attributes,
                                                   size_t count, const void* pointer, size_t bytes) {
  return answer_here(wire::call("cudaMemRangeGetAttributes"), call_site(), [&](Client& self) {
    return range_attributes(self, data, data_bytes, reinterpret_cast<const int*>(attributes), count, pointer, bytes);
  });
}

// A device that works beside the host lets the host touch memory that is attached to a stream, too.
CUDALABS_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes,
                                                  unsigned int flags) {
  return answer_here(wire::call("cudaStreamAttachMemAsync"), call_site(), [&](Client& self) {
    if (const Captured refused = refuse_capture(stream); refused.done) return refused.status;
    const bool known_flags = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    const std::uint64_t whole = self.managed.bytes_at(address_of(pointer));
    return known_flags && whole != 0 && (bytes == 0 || bytes == whole) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // namespace cudalabs::vgpu::client
