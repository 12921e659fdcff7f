// Reads of global memory that nothing had written, and the launch that writes there later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vgpu/finding.h"
#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu {

struct LateWriter {
  std::string kernel;
  std::uint64_t launch = 0;  // its number, as in LaunchFacts

  bool operator==(const LateWriter&) const = default;
};

class LateWriters {
 public:
  /// A launch is about to begin: what is written by now, the host has written.
  void begin_launch(const GlobalMemory& memory);
  /// That launch is over.
  void end_launch(std::uint64_t launch, const std::string& kernel, const GlobalMemory& memory);
  /// After `end_launch`: what that launch has found, of which the reads of memory that is still unwritten count.
  void add_reads(std::span<const Finding> findings, const GlobalMemory& memory);
  /// These bytes are no longer what they were.
  void forget(std::uint64_t address, std::uint64_t bytes);
  /// The launch that has written what the launch of this number read at `address`.
  std::optional<LateWriter> of(std::uint64_t address, std::uint64_t launch) const;

 private:
  struct Read {
    std::uint64_t launch = 0, address = 0;
    std::uint32_t bytes = 0;
    std::optional<LateWriter> writer;
  };
  static constexpr std::size_t kMostReads = 64;

  std::vector<Read> reads_;
};

}  // namespace cudalabs::vgpu
