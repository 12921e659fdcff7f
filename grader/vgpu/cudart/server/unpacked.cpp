// Compressed device code.
#include "vgpu/cudart/server/unpacked.h"

#include <lz4.h>
#include <zstd.h>

#include <limits>

namespace cudalabs::vgpu {
namespace {

bool unpack_lz4(std::span<const std::byte> packed, std::string& text) {
  constexpr std::size_t kMost = std::numeric_limits<int>::max();
  // A byte becomes at most 255.
  if (packed.size() > kMost || text.size() > kMost || text.size() / 255 > packed.size()) return false;
  const int count = LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()), text.data(),
                                        static_cast<int>(packed.size()), static_cast<int>(text.size()));
  return count >= 0 && static_cast<std::size_t>(count) == text.size();
}

bool unpack_zstd(std::span<const std::byte> packed, std::string& text) {
  const std::size_t count = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  return ZSTD_isError(count) == 0 && count == text.size();
}

}  // namespace

std::string unpacked(std::span<const std::byte> packed, Packing packing, std::size_t bytes) {
  std::string text(bytes, '\0');
  const bool whole = packing == Packing::lz4 ? unpack_lz4(packed, text) : unpack_zstd(packed, text);
  return whole ? text : std::string();
}

}  // namespace cudalabs::vgpu
