// Which bytes of a block's shared memory were written, and to which copies are on their way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vgpu/check/finding_log.h"
#include "vgpu/check/shadow_kernels.h"

namespace cudalabs::vgpu {

/// A `cp.async`, or a copy in bulk, that has begun, and by whom.
struct BegunCopy {
  std::uint32_t instruction = 0;
  std::uint32_t thread = 0;  // of the block
  bool in_bulk = false;      // `cp.async.bulk`
  std::uint32_t group = 0;   // else: of those that the thread commits, from 0 on
};

/// What a thread has done about its copies.
struct CopyWaits {
  std::uint32_t committed = 0;       // groups
  std::uint32_t last = 0, left = 0;  // the wait that it executed last: the instruction, and what that leaves pending
  std::optional<std::uint32_t> at = {};  // groups that were committed then; nothing: it has not waited

  /// Of a copy that is still pending: the last wait, if that came after the copy's group was committed.
  std::optional<LeftPending> pending(const BegunCopy& copy) const {
    if (!at || *at <= copy.group || *at - copy.group > left) return std::nullopt;
    return LeftPending{last, left, *at - copy.group - 1};
  }
};

/// A byte for every byte of a block's shared memory: 0xFF where it was written. Anew for every block.
class SharedInit {
 public:
  explicit SharedInit(const ShadowKernels& kernels) : kernels_(kernels) {}

  void reset(std::uint32_t bytes) {
    words_.assign((bytes + 3) / 4, 0);
    begun_.clear();
    unwritten_ = bytes;
  }
  bool all_written() const { return unwritten_ == 0; }
  /// All 32 lanes access written words. Tiles with a padding column never become all written, and inner loops access
  /// them.
  bool written(const WarpAccess& a) const {
    return a.active == ~0u && a.bytes == 4 && kernels_.words_equal(a.address, words_.data(), kWritten);
  }
  /// The copy to one of these bytes that has begun.
  std::optional<BegunCopy> begun(std::uint64_t at, std::uint32_t bytes) const {
    for (std::uint64_t word = at / 4; word < (at + bytes + 3) / 4 && word < begun_.size(); ++word) {
      if (begun_[word]) return begun_[word];
    }
    return std::nullopt;
  }
  /// From here until the copy is done the bytes have no value, old or new.
  void begin(std::uint64_t at, std::uint32_t bytes, const BegunCopy& copy) {
    begun_.resize(words_.size());
    for (std::uint64_t word = at / 4; word < (at + bytes + 3) / 4; ++word) begun_[word] = copy;
    for (std::uint8_t* b = as_bytes() + at; bytes != 0; --bytes, ++b) {
      unwritten_ += *b != 0;
      *b = 0;
    }
  }
  std::span<const std::uint8_t> bytes() const { return {as_bytes(), words_.size() * sizeof(std::uint32_t)}; }
  bool written(std::uint64_t at, std::uint32_t bytes) const {
    const std::uint8_t* first = as_bytes() + at;
    return std::all_of(first, first + bytes, [](std::uint8_t b) { return b != 0; });
  }
  bool any_written(std::uint64_t at, std::uint32_t bytes) const {
    const std::span<const std::uint8_t> all = this->bytes();
    const std::span<const std::uint8_t> these = all.subspan(at, std::min<std::uint64_t>(bytes, all.size() - at));
    return std::ranges::any_of(these, [](std::uint8_t b) { return b != 0; });
  }
  void mark(std::uint64_t at, std::uint32_t bytes) {
    std::uint32_t new_ones = 0;  // not counted in the member: that would be stored after every byte
    for (std::uint8_t *b = as_bytes() + at, *end = b + bytes; b != end; ++b) {
      new_ones += *b == 0;
      *b = 0xFF;
    }
    unwritten_ -= new_ones;
  }

 private:
  static constexpr std::uint32_t kWritten = ~0u;
  const std::uint8_t* as_bytes() const { return reinterpret_cast<const std::uint8_t*>(words_.data()); }
  std::uint8_t* as_bytes() { return reinterpret_cast<std::uint8_t*>(words_.data()); }

  const ShadowKernels& kernels_;
  std::vector<std::uint32_t> words_;
  std::vector<std::optional<BegunCopy>> begun_;  // by word; empty before the first
  std::uint32_t unwritten_ = 0;
};

}  // namespace cudalabs::vgpu
