// The driver API: what is known of a pointer.
#include <string.h>

#include "vgpu/cudart/client/driver/driver_copy.h"

namespace cudalabs::vgpu::client::driver {
namespace {

/// CUpointer_attribute: those that can be answered.
enum Attribute : int {
  kContext = 1,
  kMemoryType = 2,
  kDevicePointer = 3,
  kHostPointer = 4,
  kIsManaged = 8,
  kDeviceOrdinal = 9,
  kRangeStart = 11,
  kRangeSize = 12,
  kMapped = 13,
  kPool = 17,
};

/// The allocation, of the device or of the host, that holds the address. While the client's lock is held.
const Range* range_of(const Client& self, DevicePointer at) {
  const Range* const range = self.allocations.holding(at);
  return range != nullptr ? range : self.page_locked.holding(at);
}

/// Of reserved addresses: there is memory. While the client's lock is held.
bool is_mapped(DevicePointer at) {
  wire::Address state;
  const wire::Ranges asked{.action = wire::Ranges::Action::look_up, .address = at};
  return client().ask(wire::Op::ranges, asked, &state) == cudaSuccess;
}

template <class Value>
Result give(void* to, const Value& value) {
  memcpy(to, &value, sizeof value);
  return kSuccess;
}

/// Of what no allocation holds: a value that says so.
Result give_nothing(void* value, int attribute) {
  switch (attribute) {
    case kContext:
    case kDevicePointer:
    case kHostPointer:
    case kRangeStart:
    case kPool:
      return give<void*>(value, nullptr);
    case kRangeSize:
      return give<std::size_t>(value, 0);
    case kMemoryType:
    case kIsManaged:
      return give(value, 0U);
    case kDeviceOrdinal:
      return give(value, -2);
    case kMapped:
      return give<unsigned char>(value, 0);
    default:
      return kInvalidValue;
  }
}

Result give_known(void* value, int attribute, const cudaPointerAttributes& known, DevicePointer at) {
  const Lock lock;
  const Range* const range = range_of(client(), at);
  switch (attribute) {
    case kContext:
      return give(value, current_context());
    case kMemoryType:
      return give<unsigned int>(value, known.type == cudaMemoryTypeHost ? kHost : kDevice);
    case kDevicePointer:
      return known.devicePointer ? give(value, known.devicePointer) : kInvalidValue;
    case kHostPointer:
      return known.hostPointer ? give(value, known.hostPointer) : kInvalidValue;
    case kIsManaged:
      return give<unsigned int>(value, known.type == cudaMemoryTypeManaged);
    case kDeviceOrdinal:
      return give(value, known.device);
    case kRangeStart:
      return range != nullptr ? give(value, range->address) : kInvalidValue;
    case kRangeSize:
      return range != nullptr ? give(value, range->bytes) : kInvalidValue;
    case kMapped:
      return give<unsigned char>(value, range == nullptr || !range->reserved || is_mapped(at));
    case kPool:
      return give(value, range != nullptr ? range->pool : nullptr);
    default:
      return kInvalidValue;
  }
}

/// `is_strict`: it is an error when no allocation holds the address.
Result attribute_of(void* value, int attribute, DevicePointer at, bool is_strict) {
  if (!value) return kInvalidValue;
  cudaPointerAttributes known;
  if (const cudaError_t status = cudaPointerGetAttributes(&known, pointer(at)); status != cudaSuccess)
    return result_of(status);
  if (known.type != cudaMemoryTypeUnregistered) return give_known(value, attribute, known, at);
  return is_strict ? kInvalidValue : give_nothing(value, attribute);
}

}  // namespace

CUDALABS_API int cuPointerGetAttribute(void* value, int attribute, DevicePointer at) {
  CUDALABS_DRIVER_CALL("cuPointerGetAttribute");
  return in_context([&] { return attribute_of(value, attribute, at, true); });
}

CUDALABS_API int cuPointerGetAttributes(unsigned int count, const int* attributes, void** values, DevicePointer at) {
  CUDALABS_DRIVER_CALL("cuPointerGetAttributes");
  return in_context([&] {
    if (count == 0 || !attributes || !values) return kInvalidValue;
    for (unsigned int i = 0; i < count; ++i) {
      if (const Result result = attribute_of(values[i], attributes[i], at, false); result != kSuccess) return result;
    }
    return kSuccess;
  });
}

}  // namespace cudalabs::vgpu::client::driver
