// A host array that ends where a page ends, with memory around it that nobody may touch: going past it is never luck.
#pragma once

#include <cstddef>

#include "run/harness/runner_protocol.h"

namespace cudalabs::harness {

class GuardedArray {
 public:
  /// Room for the array, with `bytes` in it; `protection` as mmap takes it. An array of no elements has a place, too.
  /// Ends the program when there is no memory.
  void make(const ArrayRecord& record, const unsigned char* bytes, int protection);
  /// Null before `make`.
  unsigned char* begin() const { return begin_; }
  /// Copies the array, if there is one.
  void copy_to(unsigned char* bytes) const;
  void free();

 private:
  unsigned char* begin_ = nullptr;
  std::size_t bytes_ = 0;
  unsigned char* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
};

}  // namespace cudalabs::harness
