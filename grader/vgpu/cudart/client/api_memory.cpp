// The runtime API: allocation of device and page-locked host memory, and questions about pointers.
#include <string.h>
#include <sys/mman.h>

#include "vgpu/cudart/client/captured_calls.h"
#include "vgpu/cudart/client/copy.h"
#include "vgpu/cudart/client/graph_memory.h"
#include "vgpu/cudart/client/memory_advice.h"
#include "vgpu/cudart/client/memory_pool.h"

namespace cudalabs::vgpu::client {
namespace {

constexpr std::size_t kPitchAlignment = 512;  // as on current GPUs
constexpr std::size_t kLargestPage = 64 << 10;

std::size_t pages_of(std::size_t bytes) {
  const std::size_t page = ManagedMemory::page_bytes();
  return (bytes + page - 1) / page * page;
}

/// cudaMalloc and its kin. A size of zero succeeds with a null pointer.
cudaError_t allocate(Client& self, void** pointer, std::size_t bytes, Order order = {}, Pool* pool = nullptr) {
  if (!pointer) return refuse_null(self);
  *pointer = nullptr;
  if (bytes == 0) {
    self.note(cudaSuccess, cudaSuccess, nullptr);
    return cudaSuccess;
  }
  wire::Address address;
  const cudaError_t status =
      self.ask(wire::Op::allocate, wire::Allocate{bytes, 0, stream_id(order.stream), order.asynchronous}, &address);
  if (status != cudaSuccess) return status;
  Range range{address.address, bytes};
  range.pool = pool;
  if (!self.allocations.add(range)) {
    self.ask(wire::Op::release, address);
    return cudaErrorMemoryAllocation;
  }
  if (pool != nullptr) pool->take(bytes);
  *pointer = reinterpret_cast<void*>(address.address);
  return cudaSuccess;
}

cudaError_t allocate_rows(Client& self, void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows) {
  if (!pointer) return refuse_null(self);
  if (!pitch) return cudaErrorInvalidValue;
  if (width > SIZE_MAX - kPitchAlignment) return cudaErrorMemoryAllocation;
  *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(*pitch, rows, &bytes)) return cudaErrorMemoryAllocation;
  return allocate(self, pointer, bytes);
}

void forget(Client& self, void* pointer) {
  const Range* const range = self.allocations.at(address_of(pointer));
  if (range != nullptr && range->pool != nullptr) static_cast<Pool*>(range->pool)->give_back(range->bytes);
  if (range != nullptr && range->of_graph) graph_memory().give_back(range->bytes);
  if (range != nullptr && !self.managed.empty()) forget_advice(range->address, range->bytes);
  self.allocations.remove(address_of(pointer));
  self.managed.remove(address_of(pointer));
}

cudaError_t release(Client& self, void* pointer) {
  if (!pointer) {
    self.note(cudaSuccess, cudaSuccess, nullptr);
    return cudaSuccess;
  }
  const cudaError_t status = self.ask(wire::Op::release, wire::Address{address_of(pointer)});
  if (status == cudaSuccess) forget(self, pointer);
  if (status == cudaErrorInvalidValue) bad_free();
  return status;
}

}  // namespace

cudaError_t release_in_order(Client& self, void* pointer, cudaStream_t stream) {
  const cudaError_t status = self.ask(wire::Op::release_later, wire::Release{address_of(pointer), stream_id(stream)});
  if (status == cudaSuccess) forget(self, pointer);
  if (status == cudaErrorInvalidValue) bad_free();
  return status;
}

namespace {

cudaError_t allocate_host(Client& self, void** pointer, std::size_t bytes, unsigned int flags) {
  if (!pointer) return refuse_null(self);
  if (flags > (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined)) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (self.dead_context != cudaSuccess) return self.dead_context;
  if (bytes == 0) return cudaSuccess;
  if (bytes > SIZE_MAX - kLargestPage) return cudaErrorMemoryAllocation;
  const std::size_t pages = pages_of(bytes);
  wire::Address device;
  cudaError_t status =
      self.ask(wire::Op::allocate_host, wire::AllocateHost{bytes, ManagedMemory::page_bytes(), 0}, &device);
  if (status != cudaSuccess) return status;
  // Where the device has it, so that a pointer is the same on both sides; elsewhere if something else lies there.
  void* const wish = reinterpret_cast<void*>(device.address);
  void* memory = mmap(wish, pages, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED)
    memory = mmap(nullptr, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != wish) {
    const std::uint16_t call = self.call;
    self.call = 0;
    self.ask(wire::Op::release_host, device);
    if (memory != MAP_FAILED) {
      const wire::AllocateHost request{bytes, ManagedMemory::page_bytes(), address_of(memory)};
      status = self.ask(wire::Op::allocate_host, request, &device);
    }
    self.call = call;
    if (memory == MAP_FAILED) return cudaErrorMemoryAllocation;
  }
  if (status == cudaSuccess && self.page_locked.add({address_of(memory), bytes, flags, false,
                                                     (flags & cudaHostAllocMapped) != 0, nullptr, device.address})) {
    fill_unwritten(static_cast<char*>(memory), device.address, bytes);
    *pointer = memory;
    return cudaSuccess;
  }
  munmap(memory, pages);
  return status == cudaSuccess ? cudaErrorMemoryAllocation : status;
}

/// The device uses it no more, and what it has written there is the host's.
cudaError_t take_from_device(Client& self, const Range& range) {
  cudaError_t status = self.settle(range.address, range.bytes);
  const std::uint64_t device = range.device;
  if (status == cudaSuccess && device != 0) status = self.ask(wire::Op::release_host, wire::Address{device});
  self.mapped.remove(device);
  return status;
}

}  // namespace

CUDALABS_API cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return answer(wire::call("cudaMalloc"), call_site(), [&](Client& self) { return allocate(self, pointer, bytes); });
}

CUDALABS_API cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return answer(wire::call("cudaMallocAsync"), call_site(), [&](Client& self) {
    const Captured captured = capture_allocation(self, pointer, bytes, stream);
    return captured.done ? captured.status : allocate(self, pointer, bytes, {stream, true}, current_pool());
  });
}

CUDALABS_API cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t handle,
                                                 cudaStream_t stream) {
  return answer(wire::call("cudaMallocFromPoolAsync"), call_site(), [&](Client& self) {
    Pool* const pool = pool_of(handle);
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (!pool->has_room(bytes)) return cudaErrorMemoryAllocation;
    const Captured captured = capture_allocation(self, pointer, bytes, stream);
    return captured.done ? captured.status : allocate(self, pointer, bytes, {stream, true}, pool);
  });
}

CUDALABS_API cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return answer(wire::call("cudaMallocPitch"), call_site(),
                [&](Client& self) { return allocate_rows(self, pointer, pitch, width, height); });
}

CUDALABS_API cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return answer(wire::call("cudaMalloc3D"), call_site(), [&](Client& self) {
    if (!pointer) return cudaErrorInvalidValue;
    size_t rows = 0, pitch = 0;
    void* memory = nullptr;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return cudaErrorMemoryAllocation;
    const cudaError_t status = allocate_rows(self, &memory, &pitch, extent.width, rows);
    if (status == cudaSuccess) *pointer = make_cudaPitchedPtr(memory, pitch, extent.width, extent.height);
    return status;
  });
}

CUDALABS_API cudaError_t cudaFree(void* pointer) {
  return answer(wire::call("cudaFree"), call_site(), [&](Client& self) { return release(self, pointer); });
}

CUDALABS_API cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return answer(wire::call("cudaFreeAsync"), call_site(), [&](Client& self) {
    const Captured captured = capture_free(self, pointer, stream);
    if (captured.done) return captured.status;
    return pointer ? release_in_order(self, pointer, stream) : release(self, pointer);
  });
}

CUDALABS_API cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return answer_here(wire::call("cudaMallocHost"), call_site(),
                     [&](Client& self) { return allocate_host(self, pointer, bytes, cudaHostAllocDefault); });
}

CUDALABS_API cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  return answer_here(wire::call("cudaHostAlloc"), call_site(),
                     [&](Client& self) { return allocate_host(self, pointer, bytes, flags); });
}

CUDALABS_API cudaError_t cudaFreeHost(void* pointer) {
  settle_background();  // they may use that memory
  return answer_here(wire::call("cudaFreeHost"), call_site(), [&](Client& self) {
    if (self.dead_context != cudaSuccess) return self.dead_context;
    if (!pointer) return cudaSuccess;
    const Range* range = self.page_locked.at(address_of(pointer));
    if (!range || range->registered) {
      bad_free();
      return cudaErrorInvalidValue;
    }
    const std::size_t pages = pages_of(range->bytes);
    const cudaError_t status = take_from_device(self, *range);
    self.page_locked.remove(address_of(pointer));
    munmap(pointer, pages);
    return status;
  });
}

CUDALABS_API cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  return answer_here(wire::call("cudaHostRegister"), call_site(), [&](Client& self) {
    if (self.dead_context != cudaSuccess) return self.dead_context;
    if (!pointer || bytes == 0 ||
        flags >
            (cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly))
      return cudaErrorInvalidValue;
    if (self.page_locked.meets(address_of(pointer), bytes)) return cudaErrorHostMemoryAlreadyRegistered;
    Range range{address_of(pointer), bytes, flags, true, (flags & cudaHostRegisterMapped) != 0};
    const std::uint64_t before = range.address - range.first();
    if (bytes > SIZE_MAX - before) return cudaErrorInvalidValue;
    wire::Address device;
    const cudaError_t status =
        self.ask(wire::Op::allocate_host,
                 wire::AllocateHost{bytes + before, ManagedMemory::page_bytes(), range.first()}, &device);
    if (status != cudaSuccess) return status;
    range.device = device.address;
    return self.page_locked.add(range) ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}

CUDALABS_API cudaError_t cudaHostUnregister(void* pointer) {
  settle_background();  // they may use that memory
  return answer_here(wire::call("cudaHostUnregister"), call_site(), [&](Client& self) {
    if (self.dead_context != cudaSuccess) return self.dead_context;
    if (!pointer) return cudaErrorInvalidValue;
    const Range* range = self.page_locked.at(address_of(pointer));
    if (!range && self.page_locked.holding(address_of(pointer))) return cudaErrorInvalidValue;
    if (!range || !range->registered) return cudaErrorHostMemoryNotRegistered;
    const cudaError_t status = take_from_device(self, *range);
    self.page_locked.remove(address_of(pointer));
    return status;
  });
}

// All addresses are of one space, so the pointer is the same for a kernel.
CUDALABS_API cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int flags) {
  return answer_here(wire::call("cudaHostGetDevicePointer"), call_site(), [&](Client& self) {
    if (!device_pointer || !host_pointer || flags != 0) return cudaErrorInvalidValue;
    *device_pointer = nullptr;
    const Range* const range = self.page_locked.holding(address_of(host_pointer));
    if (range == nullptr) return cudaErrorInvalidValue;
    self.page_locked.want(range->address);
    *device_pointer = host_pointer;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
  return answer_here(wire::call("cudaHostGetFlags"), call_site(), [&](Client& self) {
    const Range* range = self.page_locked.holding(address_of(pointer));
    if (!flags || !range) return cudaErrorInvalidValue;
    // As an H100 says: all of it is mapped, and only of registered memory whether it is portable.
    *flags = cudaHostAllocMapped |
             (range->flags & (range->registered ? cudaHostRegisterPortable : cudaHostAllocWriteCombined));
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return answer(wire::call("cudaMemGetInfo"), call_site(), [&](Client& self) {
    if (!free_bytes || !total_bytes) return cudaErrorInvalidValue;
    wire::MemoryInfo info;
    Expected expected;
    expected.result = &info;
    expected.result_bytes = sizeof info;
    const cudaError_t status = self.exchange(wire::Op::memory_info, nullptr, 0, nullptr, expected);
    if (status != cudaSuccess) return status;
    *free_bytes = info.free_bytes;
    *total_bytes = info.total_bytes;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return answer_here(wire::call("cudaPointerGetAttributes"), call_site(), [&](Client& self) {
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = cudaPointerAttributes{};
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -2;
    void* const address = const_cast<void*>(pointer);
    if (self.is_managed(pointer)) {
      attributes->type = cudaMemoryTypeManaged;
      attributes->device = 0;
      attributes->devicePointer = attributes->hostPointer = address;
    } else if (self.is_device(pointer)) {
      attributes->type = cudaMemoryTypeDevice;
      attributes->device = 0;
      attributes->devicePointer = address;
    } else if (self.page_locked.holding(address_of(pointer))) {
      attributes->type = cudaMemoryTypeHost;
      attributes->device = 0;
      attributes->devicePointer = attributes->hostPointer = address;
    } else {
      attributes->hostPointer = address;
    }
    return cudaSuccess;
  });
}

namespace {

cudaError_t declare(const void* pointer, size_t bytes, size_t element_bytes, const char* name,
                    const std::uint64_t* extents, bool writable) {
  return answer(0, {}, [&](Client& self) {
    wire::DeclareInput array{address_of(pointer), bytes, static_cast<std::uint32_t>(element_bytes), writable, {}, {}};
    if (strlen(name) >= sizeof array.name) return cudaErrorInvalidValue;
    memcpy(array.name, name, strlen(name));
    if (extents != nullptr) memcpy(array.extents, extents, sizeof array.extents);
    return self.ask(wire::Op::declare_input, array);
  });
}

}  // namespace

/// For a harness that hands arrays to the code under test: from now on the array may only be read, and not be freed.
/// `extents`: null, or three, of as many elements, outermost first; 0: no such dimension.
CUDALABS_API cudaError_t cudalabs_declare_input(const void* pointer, size_t bytes, size_t element_bytes,
                                                const char* name, const std::uint64_t* extents) {
  return declare(pointer, bytes, element_bytes, name, extents, false);
}

/// Likewise, for an array that may be written.
CUDALABS_API cudaError_t cudalabs_declare_output(const void* pointer, size_t bytes, size_t element_bytes,
                                                 const char* name, const std::uint64_t* extents) {
  return declare(pointer, bytes, element_bytes, name, extents, true);
}

/// That code begins, for the first time or once more.
CUDALABS_API cudaError_t cudalabs_hand_out() {
  return answer(0, {}, [](Client& self) {
    Expected nothing;
    return self.exchange(wire::Op::hand_out, nullptr, 0, nullptr, nothing);
  });
}

/// One function of that code has returned, and the next begins: where calls are made to fail, they are counted anew.
CUDALABS_API cudaError_t cudalabs_next_function() {
  return answer(0, {}, [](Client& self) {
    Expected nothing;
    return self.exchange(wire::Op::next_function, nullptr, 0, nullptr, nothing);
  });
}

/// That code has ended: the harness frees what it declared.
CUDALABS_API cudaError_t cudalabs_take_back() {
  return answer(0, {}, [](Client& self) {
    Expected nothing;
    return self.exchange(wire::Op::take_back, nullptr, 0, nullptr, nothing);
  });
}

}  // namespace cudalabs::vgpu::client
