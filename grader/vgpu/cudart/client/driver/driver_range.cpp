// The driver API: addresses that are reserved, and memory that is created and mapped there. The server keeps the books.
#include <string.h>

#include "vgpu/cudart/client/driver/driver_copy.h"

namespace cudalabs::vgpu::client::driver {
namespace {

using Action = wire::Ranges::Action;
using MemoryHandle = unsigned long long;

constexpr std::size_t kGranularity = 2 << 20;

/// CUmemAllocationProp of the toolkit.
struct MemoryProperties {
  unsigned int type;       // as cudaMemAllocationType
  unsigned int shared_as;  // CUmemAllocationHandleType: 0, or how other processes are to get it
  cudaMemLocation place;
  void* of_windows;
  unsigned char compression, direct;
  unsigned short usage;
  unsigned char reserved[4];
};
static_assert(sizeof(MemoryProperties) == 32);
constexpr unsigned int kFileDescriptor = 1;

/// CUmemAccess_flags.
constexpr unsigned int kNoAccess = 0, kReadAccess = 1, kAllAccess = 3;
// RangeState of the virtual GPU.
constexpr std::uint32_t kStateNoAccess = 1, kStateReadOnly = 2, kStateAll = 3;

/// What such a call asks of the server, in the name of the driver's call.
template <class Before>
int ask_for(const wire::Ranges& asked, std::uint64_t* found, Before&& before) {
  return in_context([&] {
    return answer(wire::call("cudaGetDriverEntryPoint"), {}, [&](Client& self) {
      if (const cudaError_t status = before(self); status != cudaSuccess) return status;
      wire::Address address;
      const cudaError_t status =
          found == nullptr ? self.ask(wire::Op::ranges, asked) : self.ask(wire::Op::ranges, asked, &address);
      if (status == cudaSuccess && found != nullptr) *found = address.address;
      return status;
    });
  });
}

cudaError_t nothing_before(Client&) {
  return cudaSuccess;
}

cudaError_t valid_if(bool holds) {
  return holds ? cudaSuccess : cudaErrorInvalidValue;
}

/// Memory of the device alone can be created.
cudaError_t check_properties(Client& self, const MemoryProperties* asked) {
  if (asked == nullptr || (asked->type != cudaMemAllocationTypePinned && asked->type != cudaMemAllocationTypeManaged))
    return cudaErrorInvalidValue;
  const cudaMemLocation& place = asked->place;
  if (place.type == cudaMemLocationTypeDevice && place.id != 0) return cudaErrorInvalidDevice;
  if (place.type == cudaMemLocationTypeInvalid || place.type == cudaMemLocationTypeHostNumaCurrent)
    return cudaErrorInvalidValue;
  const bool is_plain = asked->type == cudaMemAllocationTypePinned && place.type == cudaMemLocationTypeDevice &&
                        (asked->shared_as == 0 || asked->shared_as == kFileDescriptor) && asked->usage == 0;
  return is_plain ? cudaSuccess : refuse_part(self, wire::UnsupportedPart::other_memory);
}

std::uint32_t state_of(unsigned int access) {
  return access == kAllAccess ? kStateAll : access == kReadAccess ? kStateReadOnly : kStateNoAccess;
}

}  // namespace

CUDALABS_API int cuMemGetAllocationGranularity(std::size_t* granularity, const MemoryProperties* properties,
                                               unsigned int option) {
  CUDALABS_DRIVER_CALL("cuMemGetAllocationGranularity");
  constexpr unsigned int kRecommended = 1;
  return in_context([&] {
    return answer_here(wire::call("cudaGetDriverEntryPoint"), {}, [&](Client& self) {
      if (granularity == nullptr || option > kRecommended) return cudaErrorInvalidValue;
      const cudaError_t status = check_properties(self, properties);
      if (status == cudaSuccess) *granularity = kGranularity;
      return status;
    });
  });
}

CUDALABS_API int cuMemAddressReserve(DevicePointer* address, std::size_t bytes, std::size_t alignment,
                                     DevicePointer wish, unsigned long long flags) {
  CUDALABS_DRIVER_CALL("cuMemAddressReserve");
  std::uint64_t found = 0;
  const std::size_t page = ManagedMemory::page_bytes();
  // The wish is one: what is given lies elsewhere.
  const bool valid = address != nullptr && flags == 0 && wish % page == 0 && bytes % page == 0;
  const int result = ask_for({.action = Action::reserve, .bytes = bytes, .alignment = alignment}, &found,
                             [&](Client&) { return valid_if(valid); });
  if (result != kSuccess) return result;
  const Lock lock;
  Range range{found, bytes};
  range.reserved = true;
  if (!client().allocations.add(range)) return kOutOfMemory;
  *address = found;
  return kSuccess;
}

CUDALABS_API int cuMemAddressFree(DevicePointer address, std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemAddressFree");
  const int result = ask_for({.action = Action::free, .address = address, .bytes = bytes}, nullptr, nothing_before);
  if (result != kSuccess) return result;
  const Lock lock;
  client().allocations.remove(address);
  return kSuccess;
}

CUDALABS_API int cuMemCreate(MemoryHandle* handle, std::size_t bytes, const MemoryProperties* properties,
                             unsigned long long flags) {
  CUDALABS_DRIVER_CALL("cuMemCreate");
  std::uint64_t found = 0;
  const int result = ask_for({.action = Action::create, .bytes = bytes}, &found, [&](Client& self) {
    return handle != nullptr && flags == 0 ? check_properties(self, properties) : cudaErrorInvalidValue;
  });
  if (result == kSuccess) *handle = found;
  return result;
}

CUDALABS_API int cuMemRelease(MemoryHandle handle) {
  CUDALABS_DRIVER_CALL("cuMemRelease");
  return ask_for({.action = Action::release, .memory = handle}, nullptr, nothing_before);
}

CUDALABS_API int cuMemMap(DevicePointer address, std::size_t bytes, std::size_t offset, MemoryHandle handle,
                          unsigned long long flags) {
  CUDALABS_DRIVER_CALL("cuMemMap");
  return ask_for({.action = Action::map, .address = address, .bytes = bytes, .memory = handle}, nullptr,
                 [&](Client&) { return valid_if(offset == 0 && flags == 0); });
}

CUDALABS_API int cuMemUnmap(DevicePointer address, std::size_t bytes) {
  CUDALABS_DRIVER_CALL("cuMemUnmap");
  return ask_for({.action = Action::unmap, .address = address, .bytes = bytes}, nullptr, nothing_before);
}

CUDALABS_API int cuMemSetAccess(DevicePointer address, std::size_t bytes, const cudaMemAccessDesc* access,
                                std::size_t count) {
  CUDALABS_DRIVER_CALL("cuMemSetAccess");
  if (access == nullptr || count == 0) return in_context([] { return kInvalidValue; });
  int result = kSuccess;
  for (std::size_t i = 0; i < count && result == kSuccess; ++i) {
    const auto flags = static_cast<unsigned int>(access[i].flags);
    const cudaMemLocation& place = access[i].location;
    const bool is_device = place.type == cudaMemLocationTypeDevice;
    result =
        ask_for({.action = Action::set_access, .state = state_of(flags), .address = address, .bytes = bytes}, nullptr,
                [&](Client&) {
                  if (is_device && place.id != 0) return cudaErrorInvalidDevice;
                  return valid_if(is_device && (flags == kNoAccess || flags == kReadAccess || flags == kAllAccess));
                });
  }
  return result;
}

CUDALABS_API int cuMemGetAccess(unsigned long long* flags, const cudaMemLocation* place, DevicePointer address) {
  CUDALABS_DRIVER_CALL("cuMemGetAccess");
  std::uint64_t state = 0;
  const int result = ask_for({.action = Action::look_up, .address = address}, &state, [&](Client&) {
    if (flags == nullptr || place == nullptr) return cudaErrorInvalidValue;
    return place->type == cudaMemLocationTypeDevice && place->id != 0 ? cudaErrorInvalidDevice : cudaSuccess;
  });
  if (result != kSuccess) return result;
  const unsigned int of_device = state == kStateAll ? kAllAccess : state == kStateReadOnly ? kReadAccess : kNoAccess;
  *flags = place->type == cudaMemLocationTypeDevice ? of_device : kNoAccess;
  return kSuccess;
}

CUDALABS_API int cuMemGetAllocationPropertiesFromHandle(MemoryProperties* properties, MemoryHandle handle) {
  CUDALABS_DRIVER_CALL("cuMemGetAllocationPropertiesFromHandle");
  std::uint64_t found = 0;
  const int result = ask_for({.action = Action::retain, .memory = handle}, &found,
                             [&](Client&) { return valid_if(properties != nullptr && handle != 0); });
  if (result != kSuccess) return result;
  memset(properties, 0, sizeof *properties);
  properties->type = cudaMemAllocationTypePinned;
  properties->place = {cudaMemLocationTypeDevice, 0};
  return kSuccess;
}

CUDALABS_API int cuMemRetainAllocationHandle(MemoryHandle* handle, void* address) {
  CUDALABS_DRIVER_CALL("cuMemRetainAllocationHandle");
  std::uint64_t found = 0;
  const int result = ask_for({.action = Action::retain, .address = address_of(address)}, &found,
                             [&](Client&) { return valid_if(handle != nullptr); });
  if (result == kSuccess) *handle = found;
  return result;
}

}  // namespace cudalabs::vgpu::client::driver
