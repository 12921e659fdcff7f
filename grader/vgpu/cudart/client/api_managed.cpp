// The runtime API: unified memory.
#include "vgpu/cudart/client/captured_calls.h"

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

/// All of the range is unified memory of one allocation, or of one variable.
bool is_managed_range(const Client& self, const void* pointer, std::size_t bytes) {
  return bytes != 0 && self.managed.holds(address_of(pointer), bytes);
}

}  // namespace

CUDALABS_API cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  return answer(wire::call("cudaMallocManaged"), call_site(),
                [&](Client& self) { return allocate_managed(self, pointer, bytes, flags); });
}

// Where pages lie makes no difference to what a program computes, so advice has nothing to change. The place is an int
// before CUDA 13 and a struct since, and the stream comes after it: none of them is looked at.
CUDALABS_API cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int, cudaStream_t) {
  return answer_here(wire::call("cudaMemPrefetchAsync"), call_site(), [&](Client& self) {
    return is_managed_range(self, pointer, bytes) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

CUDALABS_API cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int) {
  return answer_here(wire::call("cudaMemAdvise"), call_site(), [&](Client& self) {
    const bool known = advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy;
    return known && is_managed_range(self, pointer, bytes) ? cudaSuccess : cudaErrorInvalidValue;
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
