// Objects on the heap without operator new, which is of the C++ runtime library.
#pragma once

#include <cstdlib>
#include <new>

namespace cudalabs::vgpu::client {

/// Null when memory is exhausted.
template <class T>
T* make() {
  void* const place = std::malloc(sizeof(T));
  return place == nullptr ? nullptr : new (place) T();
}

template <class T>
void discard(T* object) {
  if (object == nullptr) return;
  object->~T();
  std::free(object);
}

}  // namespace cudalabs::vgpu::client
