#include "vgpu/cudart/client/memory_advice.h"

#include <string.h>

namespace cudalabs::vgpu::client {
namespace {

constexpr cudaMemLocation kNowhere{cudaMemLocationTypeInvalid, 0};

struct Advice {
  bool read_mostly = false, accessed_by_device = false, accessed_by_host = false;
  cudaMemLocation preferred = kNowhere, prefetched = kNowhere;
};

/// Pages that are alike. What lies between two stretches has no advice.
struct Stretch {
  std::uint64_t begin = 0, end = 0;
  Advice advice;
};

constinit Array<Stretch> stretches;  // by address

bool is_same(const cudaMemLocation& a, const cudaMemLocation& b) {
  return a.type == b.type && a.id == b.id;
}

/// Advice is about whole pages.
Stretch pages_of(const void* pointer, std::size_t bytes) {
  const std::uint64_t page = ManagedMemory::page_bytes(), begin = address_of(pointer) / page * page;
  return {begin, (address_of(pointer) + bytes + page - 1) / page * page, {}};
}

/// From now on a stretch begins at `address`, if one holds it.
bool split(std::uint64_t address) {
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (address <= stretches[i].begin || address >= stretches[i].end) continue;
    Stretch rest = stretches[i];
    rest.begin = address;
    if (!stretches.insert(i + 1, rest)) return false;
    stretches[i].end = address;
  }
  return true;
}

template <class Change>
cudaError_t change(const Stretch& pages, Change&& change_one) {
  if (!split(pages.begin) || !split(pages.end)) return cudaErrorMemoryAllocation;
  std::uint64_t done = pages.begin;
  for (std::size_t i = 0; done < pages.end; ++i) {
    if (i < stretches.size() && stretches[i].end <= done) continue;
    const std::uint64_t next = i < stretches.size() ? stretches[i].begin : pages.end;
    if (next > done) {
      const Stretch gap{done, next < pages.end ? next : pages.end, {}};
      if (!stretches.insert(i, gap)) return cudaErrorMemoryAllocation;
    }
    change_one(stretches[i].advice);
    done = stretches[i].end;
  }
  return cudaSuccess;
}

/// `visit(advice)` for what the pages have, gaps included.
template <class Visit>
void visit(const Stretch& pages, Visit&& visit_one) {
  std::uint64_t done = pages.begin;
  for (const Stretch& each : stretches) {
    if (each.end <= done) continue;
    if (each.begin >= pages.end) break;
    if (each.begin > done) visit_one(Advice{});
    visit_one(each.advice);
    done = each.end;
  }
  if (done < pages.end) visit_one(Advice{});
}

/// What all of the pages have in common.
struct Common {
  bool read_mostly = true, accessed_by_device = true, accessed_by_host = true;
  cudaMemLocation preferred = kNowhere, prefetched = kNowhere;
};
Common common_of(const Stretch& pages) {
  Common common;
  bool is_first = true;
  visit(pages, [&](const Advice& advice) {
    common.read_mostly = common.read_mostly && advice.read_mostly;
    common.accessed_by_device = common.accessed_by_device && advice.accessed_by_device;
    common.accessed_by_host = common.accessed_by_host && advice.accessed_by_host;
    if (is_first || !is_same(common.preferred, advice.preferred))
      common.preferred = is_first ? advice.preferred : kNowhere;
    if (is_first || !is_same(common.prefetched, advice.prefetched))
      common.prefetched = is_first ? advice.prefetched : kNowhere;
    is_first = false;
  });
  return common;
}

/// As a number of a device.
int number_of(const cudaMemLocation& place) {
  if (place.type == cudaMemLocationTypeInvalid) return cudaInvalidDeviceId;
  return place.type == cudaMemLocationTypeDevice ? place.id : cudaCpuDeviceId;
}

cudaError_t give_number(void* data, std::size_t data_bytes, int number) {
  if (data_bytes != sizeof number) return cudaErrorInvalidValue;
  memcpy(data, &number, sizeof number);
  return cudaSuccess;
}

/// As many of them as there is room for; the rest are none.
cudaError_t give_accessing(void* data, std::size_t data_bytes, const Common& common) {
  if (data_bytes == 0 || data_bytes % sizeof(int) != 0) return cudaErrorInvalidValue;
  auto* const numbers = static_cast<int*>(data);
  const std::size_t room = data_bytes / sizeof(int);
  std::size_t given = 0;
  if (common.accessed_by_device) numbers[given++] = 0;
  if (common.accessed_by_host && given < room) numbers[given++] = cudaCpuDeviceId;
  while (given < room) numbers[given++] = cudaInvalidDeviceId;
  return cudaSuccess;
}

}  // namespace

cudaMemLocation place_of(std::uint64_t given) {
  const auto low = static_cast<int>(given & 0xffffffff);
  if (low == 0) return {cudaMemLocationTypeDevice, 0};
  if (low == cudaCpuDeviceId) return {cudaMemLocationTypeHost, 0};
  return {static_cast<cudaMemLocationType>(low), static_cast<int>(given >> 32)};
}

cudaError_t check_place(const cudaMemLocation& place) {
  if (place.type == cudaMemLocationTypeDevice) return place.id == 0 ? cudaSuccess : cudaErrorInvalidDevice;
  const bool is_host = place.type == cudaMemLocationTypeHost || place.type == cudaMemLocationTypeHostNuma ||
                       place.type == cudaMemLocationTypeHostNumaCurrent;
  return is_host ? cudaSuccess : cudaErrorInvalidValue;
}

bool is_managed_range(const Client& self, const void* pointer, std::size_t bytes) {
  return bytes != 0 && self.managed.holds(address_of(pointer), bytes);
}

cudaError_t advise(Client& self, const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                   const cudaMemLocation& place) {
  if (!is_managed_range(self, pointer, bytes)) return cudaErrorInvalidValue;
  const bool has_place = advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseSetAccessedBy ||
                         advice == cudaMemAdviseUnsetAccessedBy;
  if (const cudaError_t status = has_place ? check_place(place) : cudaSuccess; status != cudaSuccess) return status;
  const bool of_device = place.type == cudaMemLocationTypeDevice;
  const Stretch pages = pages_of(pointer, bytes);
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      return change(pages, [&](Advice& of_pages) { of_pages.read_mostly = advice == cudaMemAdviseSetReadMostly; });
    case cudaMemAdviseSetPreferredLocation:
    case cudaMemAdviseUnsetPreferredLocation:
      return change(pages, [&](Advice& of_pages) {
        of_pages.preferred = advice == cudaMemAdviseSetPreferredLocation ? place : kNowhere;
      });
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy:
      return change(pages, [&](Advice& of_pages) {
        (of_device ? of_pages.accessed_by_device : of_pages.accessed_by_host) = advice == cudaMemAdviseSetAccessedBy;
      });
  }
  return cudaErrorInvalidValue;
}

cudaError_t prefetch(Client& self, const void* pointer, std::size_t bytes, const cudaMemLocation& place,
                     unsigned int flags) {
  if (flags != 0 || !is_managed_range(self, pointer, bytes)) return cudaErrorInvalidValue;
  if (const cudaError_t status = check_place(place); status != cudaSuccess) return status;
  return change(pages_of(pointer, bytes), [&](Advice& advice) { advice.prefetched = place; });
}

cudaError_t range_attribute(Client& self, void* data, std::size_t data_bytes, int attribute, const void* pointer,
                            std::size_t bytes) {
  if (data == nullptr || !is_managed_range(self, pointer, bytes)) return cudaErrorInvalidValue;
  const Common common = common_of(pages_of(pointer, bytes));
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      return give_number(data, data_bytes, common.read_mostly ? 1 : 0);
    case cudaMemRangeAttributePreferredLocation:
      return give_number(data, data_bytes, number_of(common.preferred));
    case cudaMemRangeAttributeAccessedBy:
      return give_accessing(data, data_bytes, common);
    case cudaMemRangeAttributeLastPrefetchLocation:
      return give_number(data, data_bytes, number_of(common.prefetched));
    case cudaMemRangeAttributePreferredLocationType:
      return give_number(data, data_bytes, common.preferred.type);
    case cudaMemRangeAttributePreferredLocationId:
      return give_number(data, data_bytes, common.preferred.id);
    case cudaMemRangeAttributeLastPrefetchLocationType:
      return give_number(data, data_bytes, common.prefetched.type);
    case cudaMemRangeAttributeLastPrefetchLocationId:
      return give_number(data, data_bytes, common.prefetched.id);
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t range_attributes(Client& self, void** data, const std::size_t* data_bytes, const int* attributes,
                             std::size_t count, const void* pointer, std::size_t bytes) {
  if (data == nullptr || data_bytes == nullptr || attributes == nullptr || count == 0) return cudaErrorInvalidValue;
  cudaError_t status = cudaSuccess;
  for (std::size_t i = 0; i < count && status == cudaSuccess; ++i)
    status = range_attribute(self, data[i], data_bytes[i], attributes[i], pointer, bytes);
  return status;
}

void forget_advice(std::uint64_t address, std::uint64_t bytes) {
  for (std::size_t i = 0; i < stretches.size();) {
    if (stretches[i].begin - address < bytes) {
      stretches.erase(i);
    } else {
      ++i;
    }
  }
}

void forget_advice() {
  stretches.clear();
}

}  // namespace cudalabs::vgpu::client
