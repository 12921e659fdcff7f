// A bad address, split into what the launch has handed to the kernel: the pointer that it begins at, and the number
// that its block or its row is multiplied with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vgpu/check/finding_log.h"

namespace cudalabs::vgpu {

/// What a number of the launch is multiplied with.
enum class PartAxis : std::uint8_t { block, block_row, row };

/// "block", "row of blocks", "row"; "blocks", ...
const char* name_of(PartAxis axis, bool several = false);

/// An address is a pointer of the launch plus `times` rows or blocks of `elements` elements, plus the rest.
struct Stride {
  std::uint32_t argument = 0;  // its number, from 1 on; 0: several arguments have this value
  std::uint64_t elements = 0;  // its value
  std::uint32_t element_bytes = 0;
  PartAxis axis = PartAxis::row;
  std::uint64_t times = 0;  // of the first access

  std::uint64_t bytes() const { return elements * element_bytes; }
  bool operator==(const Stride&) const = default;
};

/// Accesses of `bytes` bytes at addresses that are no multiple of it.
struct Misalignment {
  std::optional<GivenValue> pointer;  // of the launch, which is itself none, and all else is
  std::optional<Stride> stride;       // that is none, where the pointer is

  bool operator==(const Misalignment&) const = default;
};

/// Answers only where each of `accesses` fits. `values`: what the launch has handed to the kernel.
Misalignment misalignment(const NamedRange& range, const LaunchConfig& config, std::span<const AccessOfThread> accesses,
                          std::uint32_t bytes, std::span<const GivenValue> values);

/// Of accesses past the end of an array: an argument that its rows are apart by, as a number of elements of `bytes`
/// bytes each, with which they would all stay inside if it were the number of bytes.
std::optional<Stride> pitch_in_elements(const NamedRange& range, const LaunchConfig& config,
                                        std::span<const AccessOfThread> accesses, std::uint32_t bytes,
                                        std::span<const GivenValue> values);

}  // namespace cudalabs::vgpu
