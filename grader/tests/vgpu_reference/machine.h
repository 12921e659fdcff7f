// A reference machine for PTX: every thread runs by itself, one instruction after the other, until it ends or must
// wait. Slow and plain on purpose: it is what the virtual GPU's results are held against, and shares no code with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/ptx/module.h"

namespace cudalabs::reference {

/// A program did what the reference machine does not know or does not allow; names the instruction's PTX line.
class MachineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Launch {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
};

/// Global memory and one module. Addresses of global memory begin at kGlobalBase; shared and local memory have windows
/// of their own for generic addresses.
class Machine {
 public:
  static constexpr std::uint64_t kGlobalBase = 0x10'0000;
  static constexpr std::uint64_t kSharedWindow = std::uint64_t{1} << 48;
  static constexpr std::uint64_t kLocalWindow = std::uint64_t{2} << 48;

  explicit Machine(const vgpu::ptx::Module& module);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// Zeroed global memory, aligned to 256 bytes.
  std::uint64_t allocate(std::uint64_t bytes);
  /// The bytes at a global address; throws MachineError when they are not all allocated.
  std::span<std::byte> memory(std::uint64_t address, std::uint64_t bytes);
  /// The address of a module variable.
  std::uint64_t address_of(std::string_view variable) const;

  /// Runs a kernel to its end. `parameters`: the values one after the other, each aligned to its type.
  void launch(std::string_view kernel, const Launch& launch, std::span<const std::byte> parameters);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::reference
