// new and delete in kernels, over the device's malloc and free. No nothrow forms, as with nvcc: std::nothrow is a
// variable of the host.
//
// clang chooses among overloads by target, so the host's operators stay what they are.
#pragma once

namespace cudalabs_device {
// malloc aligns to 16 bytes. For more, a larger block is allocated, and its address kept before the aligned one.
static __device__ CUDALABS_INLINE void* allocate_aligned(size_t bytes, size_t alignment) {
  char* const block = (char*)::malloc(bytes + alignment + sizeof(void*));
  if (block == nullptr) return nullptr;
  void** const aligned = (void**)((size_t)(block + sizeof(void*) + alignment - 1) & ~(alignment - 1));
  aligned[-1] = block;
  return aligned;
}
static __device__ CUDALABS_INLINE void free_aligned(void* pointer) {
  if (pointer != nullptr) ::free(((void**)pointer)[-1]);
}
}  // namespace cudalabs_device

// Not static, as those above are: the language forbids it here.
// clang-format off
__device__ CUDALABS_INLINE void* operator new(size_t bytes) { return ::malloc(bytes); }
__device__ CUDALABS_INLINE void* operator new[](size_t bytes) { return ::malloc(bytes); }
__device__ CUDALABS_INLINE void* operator new(size_t, void* place) noexcept { return place; }
__device__ CUDALABS_INLINE void* operator new[](size_t, void* place) noexcept { return place; }
__device__ CUDALABS_INLINE void operator delete(void* pointer) noexcept { ::free(pointer); }
__device__ CUDALABS_INLINE void operator delete[](void* pointer) noexcept { ::free(pointer); }
__device__ CUDALABS_INLINE void operator delete(void* pointer, size_t) noexcept { ::free(pointer); }
__device__ CUDALABS_INLINE void operator delete[](void* pointer, size_t) noexcept { ::free(pointer); }
__device__ CUDALABS_INLINE void operator delete(void*, void*) noexcept {}
__device__ CUDALABS_INLINE void operator delete[](void*, void*) noexcept {}
#if defined(__cpp_aligned_new)
__device__ CUDALABS_INLINE void* operator new(size_t bytes, std::align_val_t alignment) { return cudalabs_device::allocate_aligned(bytes, (size_t)alignment); }
__device__ CUDALABS_INLINE void* operator new[](size_t bytes, std::align_val_t alignment) { return cudalabs_device::allocate_aligned(bytes, (size_t)alignment); }
__device__ CUDALABS_INLINE void operator delete(void* pointer, std::align_val_t) noexcept { cudalabs_device::free_aligned(pointer); }
__device__ CUDALABS_INLINE void operator delete[](void* pointer, std::align_val_t) noexcept { cudalabs_device::free_aligned(pointer); }
__device__ CUDALABS_INLINE void operator delete(void* pointer, size_t, std::align_val_t) noexcept { cudalabs_device::free_aligned(pointer); }
__device__ CUDALABS_INLINE void operator delete[](void* pointer, size_t, std::align_val_t) noexcept { cudalabs_device::free_aligned(pointer); }
#endif
// clang-format on
