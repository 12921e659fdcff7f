// Compressed device code, as nvcc puts it into fat binaries: LZ4 in older toolkits, Zstandard in newer ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace cudalabs::vgpu {

enum class Packing : std::uint8_t { lz4, zstd };

/// The text that `packed` becomes, which is `bytes` long; empty where it becomes anything else. Takes hostile input.
/// No more than `bytes` is allocated for the text, so the caller says how much that may be.
std::string unpacked(std::span<const std::byte> packed, Packing packing, std::size_t bytes);

}  // namespace cudalabs::vgpu
