// cooperative_groups::memcpy_async and the waits for it.
#pragma once

#include "../cooperative_groups.h"

#if defined(__CUDA__)

#include "../cudalabs_device/group_copy.h"

namespace cooperative_groups {

/// Copies `bytes` bytes. Each call is a stage to wait for.
template <class Group, class To, class From>
static __device__ CUDALABS_INLINE void memcpy_async(const Group& group, To* to, const From* from, size_t bytes) {
  cudalabs_groups::copy(group, (void*)to, (const void*)from, bytes);
  cudalabs_device::commit_copies();
}
/// Copies the smaller number of elements.
template <class Group, class T>
static __device__ CUDALABS_INLINE void memcpy_async(const Group& group, T* to, size_t to_elements, const T* from,
                                                    size_t from_elements) {
  const size_t elements = to_elements < from_elements ? to_elements : from_elements;
  memcpy_async(group, to, from, elements * sizeof(T));
}
/// Until the copies of all threads of the group are done.
template <class Group>
static __device__ CUDALABS_INLINE void wait(const Group& group) {
  cudalabs_device::wait_for_copies(0);
  group.sync();
}
/// The same, but for the last `Stages` calls.
template <unsigned int Stages, class Group>
static __device__ CUDALABS_INLINE void wait_prior(const Group& group) {
  cudalabs_device::wait_for_copies(Stages);
  group.sync();
}

}  // namespace cooperative_groups

#endif
