// Looks through the bits of memory, 64 bytes at a time.
#include "vgpu/written_front.h"

#include <algorithm>
#include <optional>

#include "vgpu/check/finding_ids.h"
#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu {
namespace {

/// Of a launch more reads, and larger allocations, are not looked at.
constexpr std::size_t kMostReads = 4;
constexpr std::uint64_t kMostFrontBytes = 16u << 20, kPiece = 64;

/// The first byte of the allocation for which that holds; its size, where it holds for none. `of_piece`: whether it may
/// hold for one of so many bytes from there on.
template <typename OfPiece>
std::uint64_t first_that(std::uint64_t begin, std::uint64_t bytes, const OfPiece& of_piece) {
  for (std::uint64_t at = begin; at < bytes; at += kPiece) {
    if (!of_piece(at, std::min(kPiece, bytes - at))) continue;
    for (std::uint64_t byte = at; byte < std::min(at + kPiece, bytes); ++byte)
      if (of_piece(byte, 1)) return byte;
  }
  return bytes;
}

}  // namespace

std::uint64_t written_front(const GlobalMemory& memory, std::uint64_t address) {
  const std::optional<Allocation> allocation = memory.find(address);
  if (!allocation || allocation->bytes > kMostFrontBytes) return 0;
  const InitBits bits = memory.initialized();
  const std::uint64_t first = allocation->address - kGlobalBase;
  const std::uint64_t front = first_that(
      0, allocation->bytes, [&](std::uint64_t at, std::uint64_t bytes) { return !bits.test(first + at, bytes); });
  const std::uint64_t behind = first_that(front, allocation->bytes, [&](std::uint64_t at, std::uint64_t bytes) {
    return bits.test_any(first + at, bytes);
  });
  return behind == allocation->bytes ? front : 0;
}

void note_written_fronts(std::span<Finding> findings, const GlobalMemory& memory) {
  std::size_t looked_at = 0;
  for (Finding& finding : findings) {
    const bool read = finding.id == finding_ids::kUninitializedRead && finding.address && finding.access.bytes != 0;
    if (!read || looked_at == kMostReads) continue;
    ++looked_at;
    finding.access.written = written_front(memory, *finding.address);
  }
}

}  // namespace cudalabs::vgpu
