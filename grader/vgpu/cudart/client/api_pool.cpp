// The runtime API: memory pools, of the one device there is.
#include "vgpu/cudart/client/memory_pool.h"

namespace cudalabs::vgpu::client {
namespace {

constexpr std::size_t kMostPools = 256;
constinit Pool pools[kMostPools] = {{.live = true}};  // the first one is the device's own
constinit Pool* current = &pools[0];

cudaMemPool_t handle_of(Pool* pool) {
  return reinterpret_cast<cudaMemPool_t>(pool);
}

/// What an attribute is kept in; null when it is none.
int* flag_of(Pool& pool, int attribute) {
  const bool known =
      attribute >= cudaMemPoolReuseFollowEventDependencies && attribute <= cudaMemPoolReuseAllowInternalDependencies;
  return known ? &pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies] : nullptr;
}
std::uint64_t* number_of(Pool& pool, int attribute) {
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      return &pool.release_threshold;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      return &pool.used;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return &pool.used_high;
    default:
      return nullptr;
  }
}

cudaError_t give_pool(std::uint16_t call, CallSite site, cudaMemPool_t* handle, int device, Pool* pool) {
  return answer_here(call, site, [&](Client&) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (handle == nullptr) return cudaErrorInvalidValue;
    *handle = handle_of(pool);
    return cudaSuccess;
  });
}

/// Success where it is memory of the device; the host's pools, and those of unified memory, there are not.
cudaError_t check_place(Client& self, const cudaMemLocation* location, cudaMemAllocationType type) {
  if (location == nullptr || location->type == cudaMemLocationTypeInvalid ||
      (type != cudaMemAllocationTypePinned && type != cudaMemAllocationTypeManaged))
    return cudaErrorInvalidValue;
  if (type == cudaMemAllocationTypeManaged || location->type != cudaMemLocationTypeDevice)
    return refuse_part(self, wire::UnsupportedPart::other_pool);
  return location->id == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

}  // namespace

Pool* pool_of(cudaMemPool_t handle) {
  for (Pool& pool : pools)
    if (handle_of(&pool) == handle && pool.live) return &pool;
  return nullptr;
}

Pool* current_pool() {
  return current;
}

CUDALABS_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return give_pool(wire::call("cudaDeviceGetDefaultMemPool"), call_site(), pool, device, &pools[0]);
}

CUDALABS_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return give_pool(wire::call("cudaDeviceGetMemPool"), call_site(), pool, device, current);
}

CUDALABS_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return answer_here(wire::call("cudaDeviceSetMemPool"), call_site(), [&](Client&) {
    if (device != 0) return cudaErrorInvalidDevice;
    Pool* const pool = pool_of(handle);
    if (pool != nullptr) current = pool;
    return pool != nullptr ? cudaSuccess : cudaErrorInvalidValue;
  });
}

CUDALABS_API cudaError_t cudaMemPoolCreate(cudaMemPool_t* handle, const cudaMemPoolProps* properties) {
  return answer_here(wire::call("cudaMemPoolCreate"), call_site(), [&](Client&) {
    if (handle == nullptr || properties == nullptr || properties->allocType != cudaMemAllocationTypePinned)
      return cudaErrorInvalidValue;
    if (properties->location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    if (properties->location.id != 0) return cudaErrorInvalidDevice;
    for (Pool& pool : pools) {
      if (pool.live || pool.used != 0) continue;
      pool = Pool{};
      pool.live = true;
      pool.largest = properties->maxSize;
      *handle = handle_of(&pool);
      return cudaSuccess;
    }
    return cudaErrorMemoryAllocation;
  });
}

CUDALABS_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return answer_here(wire::call("cudaMemPoolDestroy"), call_site(), [&](Client&) {
    Pool* const pool = pool_of(handle);
    if (pool == nullptr || pool == &pools[0]) return cudaErrorInvalidValue;
    pool->live = false;  // what was taken from it stays until it is freed
    if (current == pool) current = &pools[0];
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return answer_here(wire::call("cudaMemPoolGetAttribute"), call_site(), [&](Client&) {
    Pool* const pool = pool_of(handle);
    if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
    if (const int* const flag = flag_of(*pool, attribute)) {
      *static_cast<int*>(value) = *flag;
      return cudaSuccess;
    }
    const std::uint64_t* const number = number_of(*pool, attribute);
    if (number != nullptr) *static_cast<std::uint64_t*>(value) = *number;
    return number != nullptr ? cudaSuccess : cudaErrorInvalidValue;
  });
}

CUDALABS_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return answer_here(wire::call("cudaMemPoolSetAttribute"), call_site(), [&](Client&) {
    Pool* const pool = pool_of(handle);
    if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
    if (int* const flag = flag_of(*pool, attribute)) {
      *flag = *static_cast<const int*>(value);
      return cudaSuccess;
    }
    const std::uint64_t number = *static_cast<const std::uint64_t*>(value);
    if (attribute == cudaMemPoolAttrReleaseThreshold) {
      pool->release_threshold = number;
      return cudaSuccess;
    }
    // The highest numbers can be begun anew, and nothing else be set.
    const bool is_high = attribute == cudaMemPoolAttrUsedMemHigh || attribute == cudaMemPoolAttrReservedMemHigh;
    if (!is_high || number != 0) return cudaErrorInvalidValue;
    pool->used_high = pool->used;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t) {
  return answer_here(wire::call("cudaMemPoolTrimTo"), call_site(),
                     [&](Client&) { return pool_of(handle) != nullptr ? cudaSuccess : cudaErrorInvalidValue; });
}

CUDALABS_API cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* handle, cudaMemLocation* location,
                                                  cudaMemAllocationType type) {
  return answer_here(wire::call("cudaMemGetDefaultMemPool"), call_site(), [&](Client& self) {
    const cudaError_t status = handle == nullptr ? cudaErrorInvalidValue : check_place(self, location, type);
    if (status == cudaSuccess) *handle = handle_of(&pools[0]);
    return status;
  });
}

CUDALABS_API cudaError_t cudaMemGetMemPool(cudaMemPool_t* handle, cudaMemLocation* location,
                                           cudaMemAllocationType type) {
  return answer_here(wire::call("cudaMemGetMemPool"), call_site(), [&](Client& self) {
    const cudaError_t status = handle == nullptr ? cudaErrorInvalidValue : check_place(self, location, type);
    if (status == cudaSuccess) *handle = handle_of(current);
    return status;
  });
}

CUDALABS_API cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type,
                                           cudaMemPool_t handle) {
  return answer_here(wire::call("cudaMemSetMemPool"), call_site(), [&](Client& self) {
    if (const cudaError_t status = check_place(self, location, type); status != cudaSuccess) return status;
    Pool* const pool = pool_of(handle);
    if (pool != nullptr) current = pool;
    return pool != nullptr ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// The one device has all access to its own pools, which nobody can take from it.
CUDALABS_API cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle,
                                              cudaMemLocation* location) {
  return answer_here(wire::call("cudaMemPoolGetAccess"), call_site(), [&](Client&) {
    if (flags == nullptr || location == nullptr || pool_of(handle) == nullptr) return cudaErrorInvalidValue;
    if (location->type == cudaMemLocationTypeDevice && location->id != 0) return cudaErrorInvalidDevice;
    *flags = location->type == cudaMemLocationTypeDevice ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* access, size_t count) {
  return answer_here(wire::call("cudaMemPoolSetAccess"), call_site(), [&](Client&) {
    if (pool_of(handle) == nullptr || (count > 0 && access == nullptr)) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      if (access[i].location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
      if (access[i].location.id != 0) return cudaErrorInvalidDevice;
      if (access[i].flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

}  // namespace cudalabs::vgpu::client
