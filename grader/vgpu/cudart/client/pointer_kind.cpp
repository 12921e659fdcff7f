// What a pointer of the program is: the device's, managed, page-locked, or none of these.
#include "vgpu/cudart/client/client.h"
#include "vgpu/memory/address_space.h"

namespace cudalabs::vgpu::client {

bool Client::is_device(const void* pointer) const {
  if (allocations.holding(address_of(pointer))) return true;
  for (const Variable& variable : variables)
    if (variable.resolved && address_of(pointer) - variable.address < variable.bytes) return true;
  return false;
}

bool Client::is_managed(const void* pointer) const {
  return managed.holds(address_of(pointer));
}

bool Client::is_shared(const void* pointer) const {
  return is_managed(pointer) || mapped.holds(address_of(pointer));
}

bool Client::was_meant_for_device(const void* pointer) const {
  constexpr std::uint64_t kNear = 1 << 20;  // allocations lie at least so far apart
  const Range* range = allocations.at_or_before(address_of(pointer));
  return is_device(pointer) || (range != nullptr && address_of(pointer) - range->address < range->bytes + kNear);
}

PointerKind Client::kind_of(const void* pointer) const {
  if (pointer == nullptr) return PointerKind::null;
  if (page_locked.holding(address_of(pointer)) != nullptr) return PointerKind::host;
  if (was_meant_for_device(pointer)) return PointerKind::device;
  return window_of(address_of(pointer)) == Window::global ? PointerKind::stray : PointerKind::host;
}

bool Client::is_page_locked(const void* pointer, std::uint64_t bytes) const {
  const Range* range = page_locked.holding(address_of(pointer));
  return range && address_of(pointer) - range->address + bytes <= range->bytes;
}

}  // namespace cudalabs::vgpu::client
