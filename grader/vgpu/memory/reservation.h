// A reserved range of host addresses whose pages cost nothing until they are used.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudalabs::vgpu {

/// Owns `bytes` of address space. Pages read as zero; `inaccessible` ones fault until `allow` opens them. However many
/// ranges are opened, the kernel keeps two mappings: their number is limited, and a client decides how many ranges.
class Reservation {
 public:
  enum class Access { inaccessible, read_write };

  /// Throws std::bad_alloc when the system refuses.
  Reservation(std::uint64_t bytes, Access access);
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  std::byte* data() const { return data_; }
  std::uint64_t size() const { return size_; }

  /// Opens all pages up to the end of [offset, offset + bytes). False when the system has no memory for them.
  bool allow(std::uint64_t offset, std::uint64_t bytes);
  /// Gives the pages wholly inside the range back to the system; they read as zero again.
  void release(std::uint64_t offset, std::uint64_t bytes);
  /// The bytes read as zero again; pages wholly inside the range go back to the system.
  void clear(std::uint64_t offset, std::uint64_t bytes);

 private:
  std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t opened_ = 0;  // bytes from the start that may be used
};

constexpr std::uint64_t kPageBytes = 4096;

}  // namespace cudalabs::vgpu
