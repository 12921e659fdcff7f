// The state of one thread and one block of the reference machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "machine.h"
#include "operation.h"

namespace cudalabs::reference {

/// An instruction with its suffixes read once.
struct Decoded {
  const vgpu::ptx::Instruction* instruction = nullptr;
  std::optional<Operation> operation;  // for arithmetic
  Signature signature;
  Type type = Type::none;                              // the last type suffix of anything else
  vgpu::ptx::Space space = vgpu::ptx::Space::generic;  // of ld, st, atom, red, cvta, isspacep
  std::uint32_t vector = 1;                            // of ld and st
  bool has(std::string_view suffix) const {
    for (const std::string& each : instruction->suffixes) {
      if (each == suffix) return true;
    }
    return false;
  }
};

struct Routine {
  const vgpu::ptx::Function* function = nullptr;
  std::vector<Decoded> code;
};

/// One call in progress.
struct Frame {
  const Routine* routine = nullptr;
  std::uint32_t next = 0;                                     // instruction
  std::vector<std::uint64_t> registers;                       // bits; vector registers are not supported
  std::map<std::string, std::uint64_t, std::less<>> storage;  // where in local memory its variables are
};

enum class ThreadStatus : std::uint8_t { running, at_barrier, at_warp_operation, exited };

struct Thread {
  std::array<std::uint32_t, 3> index{};
  std::uint32_t linear = 0;  // in the block; the lane is linear % 32
  ThreadStatus status = ThreadStatus::running;
  std::vector<Frame> frames;
  std::vector<std::byte> local;  // grows with calls
  bool carry = false;            // CC.CF
  std::uint64_t steps = 0;       // instructions executed

  Frame& frame() { return frames.back(); }
  const Decoded& waiting_at() const { return frames.back().routine->code[frames.back().next]; }
};

struct Block {
  std::array<std::uint32_t, 3> index{};
  std::vector<std::byte> shared;
  std::map<std::string, std::uint64_t, std::less<>> shared_variables;
  std::vector<Thread> threads;
};

}  // namespace cudalabs::reference
