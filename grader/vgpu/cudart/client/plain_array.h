// A growable array of plain values that needs no C++ runtime library; the client links into programs of any kind.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace cudalabs::vgpu::client {

template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  constexpr Array() = default;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  std::size_t size() const { return size_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

  /// False when memory is exhausted; the array is unchanged then.
  bool insert(std::size_t at, const T& value) {
    if (size_ == capacity_) {
      const std::size_t capacity = capacity_ ? capacity_ * 2 : 16;
      T* data = static_cast<T*>(std::realloc(static_cast<void*>(data_), capacity * sizeof(T)));
      if (!data) return false;
      data_ = data;
      capacity_ = capacity;
    }
    std::memmove(static_cast<void*>(data_ + at + 1), data_ + at, (size_ - at) * sizeof(T));
    data_[at] = value;
    ++size_;
    return true;
  }
  bool push(const T& value) { return insert(size_, value); }
  void erase(std::size_t at) {
    --size_;
    std::memmove(static_cast<void*>(data_ + at), data_ + at + 1, (size_ - at) * sizeof(T));
  }
  /// Empties it and gives its memory back; nothing else does, for the client's arrays live as long as the program.
  void clear() {
    std::free(static_cast<void*>(data_));
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace cudalabs::vgpu::client
