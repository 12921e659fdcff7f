// Addresses for the memory of graphs, and the calls that ask how much there is.
#include "vgpu/cudart/client/graph_memory.h"

namespace cudalabs::vgpu::client {
namespace {

constinit Ranges reserved;
constinit GraphMemory memory;

/// What an attribute is kept in; null when it is none. What is freed goes back to the device at once, so that all that
/// is reserved is used.
std::uint64_t* number_of(cudaGraphMemAttributeType attribute) {
  switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent:
    case cudaGraphMemAttrReservedMemCurrent:
      return &memory.used;
    case cudaGraphMemAttrUsedMemHigh:
    case cudaGraphMemAttrReservedMemHigh:
      return &memory.used_high;
    default:
      return nullptr;
  }
}

}  // namespace

cudaError_t reserve(Client& self, std::size_t bytes, void** pointer) {
  wire::Address address;
  wire::Allocate request{bytes};
  request.mode = wire::Allocate::kReserve;
  const cudaError_t status = self.ask(wire::Op::allocate, request, &address);
  if (status != cudaSuccess) return status;
  if (!reserved.add({address.address, bytes})) return cudaErrorMemoryAllocation;
  *pointer = reinterpret_cast<void*>(address.address);
  return cudaSuccess;
}

cudaError_t allocate_reserved(Client& self, const cudaMemAllocNodeParams& allocation, cudaStream_t stream) {
  wire::Address address;
  wire::Allocate request{allocation.bytesize, 0, stream_id(stream), 1};
  request.mode = wire::Allocate::kReserved;
  request.address = address_of(allocation.dptr);
  const cudaError_t status = self.ask(wire::Op::allocate, request, &address);
  if (status != cudaSuccess) return status;
  Range range{request.address, request.bytes};
  range.of_graph = true;
  if (!self.allocations.add(range)) return cudaErrorMemoryAllocation;
  memory.take(request.bytes);
  return cudaSuccess;
}

bool is_reserved(const void* pointer) {
  return reserved.at(address_of(pointer)) != nullptr;
}

void forget_reserved() {
  reserved.clear();
  memory = {};
}

GraphMemory& graph_memory() {
  return memory;
}

CUDALABS_API cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return answer_here(wire::call("cudaDeviceGetGraphMemAttribute"), call_site(), [&](Client&) {
    if (device != 0) return cudaErrorInvalidDevice;
    const std::uint64_t* const number = number_of(attribute);
    if (number == nullptr || value == nullptr) return cudaErrorInvalidValue;
    *static_cast<std::uint64_t*>(value) = *number;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return answer_here(wire::call("cudaDeviceSetGraphMemAttribute"), call_site(), [&](Client&) {
    if (device != 0) return cudaErrorInvalidDevice;
    // The highest numbers can be begun anew, and nothing else be set.
    const bool is_high = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (!is_high || value == nullptr || *static_cast<const std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
    memory.used_high = memory.used;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaDeviceGraphMemTrim(int device) {
  return answer_here(wire::call("cudaDeviceGraphMemTrim"), call_site(),
                     [&](Client&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

}  // namespace cudalabs::vgpu::client
