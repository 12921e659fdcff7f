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

}  // namespace cudalabs::vgpu::client
