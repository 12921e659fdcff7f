// A reserved range of host addresses whose pages cost nothing until they are used.
#include "vgpu/memory/reservation.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace cudalabs::vgpu {

Reservation::Reservation(std::uint64_t bytes, Access access) : size_(bytes) {
  const int protection = access == Access::read_write ? PROT_READ | PROT_WRITE : PROT_NONE;
  void* address = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(address);
  if (access == Access::read_write) {
    opened_ = bytes;
  } else {
    // Small ranges far apart would cost a huge page each.
    madvise(data_, bytes, MADV_NOHUGEPAGE);
  }
}

Reservation::~Reservation() {
  munmap(data_, size_);
}

bool Reservation::allow(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t end = (offset + bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  if (end <= opened_) return true;
  if (end > size_ || mprotect(data_ + opened_, end - opened_, PROT_READ | PROT_WRITE) != 0) return false;
  opened_ = end;
  return true;
}

void Reservation::release(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t first = (offset + kPageBytes - 1) / kPageBytes * kPageBytes;
  const std::uint64_t last = (offset + bytes) / kPageBytes * kPageBytes;
  if (last > first) madvise(data_ + first, last - first, MADV_DONTNEED);
}

void Reservation::clear(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t end = offset + bytes;
  const std::uint64_t first = std::min(end, (offset + kPageBytes - 1) / kPageBytes * kPageBytes);
  const std::uint64_t last = std::max(first, end / kPageBytes * kPageBytes);
  std::memset(data_ + offset, 0, first - offset);
  if (last > first) madvise(data_ + first, last - first, MADV_DONTNEED);
  std::memset(data_ + last, 0, end - last);
}

}  // namespace cudalabs::vgpu
