// How observers name things to a person: the kernel, the place of an instruction, the allocation around an address.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vgpu/check/access_guard.h"
#include "vgpu/check/barrier_place.h"
#include "vgpu/exec/observer.h"
#include "vgpu/finding.h"
#include "vgpu/input_array.h"
#include "vgpu/memory/reserved_range.h"
#include "vgpu/ptx/data_type.h"
#include "vgpu/ptx/opcode.h"

namespace cudalabs::vgpu {

/// A piece of memory with a name: an allocation of the host, a variable of the module, a shared array, an array of the
/// program's caller.
struct NamedRange {
  std::uint64_t address = 0;  // device address, or byte offset in the block's shared memory
  std::uint64_t bytes = 0;
  std::string name;    // the variable's name as in the source; empty for an allocation of the host
  bool freed = false;  // was released by the host before the launch
  std::shared_ptr<const ptx::DataType> type = nullptr;  // null: not known
  bool flat = false;                                    // the source has a pointer to it, and one subscript
  bool asked_for = false;  // an allocation of the program under test, and the call that made it is known
  bool of_host = false;    // page-locked memory
  RangeState state = RangeState::read_write;  // of addresses that the program has reserved, and that have no memory yet
  bool discarded = false;  // the byte that was asked about: by the program, since the allocation was made
  bool by_launch = false;  // of shared memory, and as large as the launch says
};

/// What a launch has handed to its kernel for a parameter of 4 or 8 bytes, or 8 bytes of a longer one.
struct GivenValue {
  std::uint32_t number = 0;  // of the parameter, from 1 on
  std::uint32_t bytes = 0;
  std::uint64_t value = 0;
  bool part = false;  // of a structure: perhaps a pointer, perhaps two numbers

  bool operator==(const GivenValue&) const = default;
};

/// A product of two numbers of 32 bits that is none itself.
struct ProductOfInts {
  SourcePlace where;
  std::int64_t left = 0, right = 0;
};

/// Answers are asked for once per finding, not once per access, so they may be slow. Implemented over Program and
/// memory by the virtual GPU, and by plain tables in tests.
class LaunchNames {
 public:
  virtual ~LaunchNames() = default;
  /// Demangled kernel name without parameters.
  virtual std::string kernel() const = 0;
  /// Source place of an instruction; unknown where the PTX has no line table.
  virtual SourcePlace place(std::uint32_t instruction) const = 0;
  /// Of what the compiler has inlined: the places of the calls, the outermost first. The place of library code is one
  /// of them.
  virtual std::vector<SourcePlace> calls(std::uint32_t /*instruction*/) const { return {}; }
  /// Of an instruction of a function that the kernel calls, or that was inlined there: the kernel's lines that call it,
  /// or what calls it, each once. `call`: the instruction of the kernel whose call has led there, where it is known.
  virtual std::vector<SourcePlace> called_from(std::uint32_t /*instruction*/,
                                               std::optional<std::uint32_t> /*call*/) const {
    return {};
  }
  /// Whether a loop goes round over an instruction.
  virtual bool in_loop(std::uint32_t /*instruction*/) const { return false; }
  /// Of a load: whether each round of the loop around it comes to a barrier.
  virtual bool waits_each_round(std::uint32_t /*instruction*/) const { return false; }
  /// Whether every thread that comes to the kernel's end executes an instruction: no condition is around it.
  virtual bool always_executed(std::uint32_t /*instruction*/) const { return false; }
  virtual ptx::Opcode opcode(std::uint32_t /*instruction*/) const { return ptx::Opcode::unknown; }
  /// Of an access: where an integer is cut to fewer bits that its address is computed from.
  virtual std::optional<SourcePlace> cut_index(std::uint32_t /*instruction*/) const { return std::nullopt; }
  /// Of an access: a product that its index is computed from, and that no `int` holds in that thread of the launch.
  virtual std::optional<ProductOfInts> large_product(std::uint32_t /*instruction*/, const LaunchConfig& /*config*/,
                                                     Index3 /*block*/, Index3 /*thread*/) const {
    return std::nullopt;
  }
  /// Of two accesses: the kernel's parameters that they go through, from 1 on, where these are two, and the launch gave
  /// the same address to both.
  virtual std::optional<std::pair<std::uint32_t, std::uint32_t>> same_array(std::uint32_t /*access*/,
                                                                            std::uint32_t /*other*/) const {
    return std::nullopt;
  }
  /// What the launch has handed to the kernel, structures last.
  virtual std::vector<GivenValue> values_given() const { return {}; }
  /// The only barrier of a warp that stands between two lines of one file.
  virtual std::optional<SourcePlace> warp_barrier_between(const SourcePlace& /*first*/,
                                                          const SourcePlace& /*last*/) const {
    return std::nullopt;
  }
  /// A barrier of the block stands between two lines of one file.
  virtual bool has_block_barrier_between(const SourcePlace& /*first*/, const SourcePlace& /*last*/) const {
    return false;
  }
  /// In the text of one function the second instruction follows the first, and no barrier of the block stands between:
  /// whatever their lines say, which in a function that was inlined are not in the order in which they are executed.
  virtual bool follows_without_block_barrier(std::uint32_t /*first*/, std::uint32_t /*last*/) const { return false; }
  /// Of an access, a barrier or a shuffle: conditions on the thread that are around it, the outermost first.
  virtual std::vector<AccessGuard> guards(std::uint32_t /*access*/) const { return {}; }
  /// Loops and conditions around a barrier.
  virtual BarrierPlace barrier(std::uint32_t /*instruction*/) const { return {}; }
  /// The range that holds `address`, else the nearest one below it that ends before it, else the nearest above; freed
  /// ranges only when no live one holds the address. Space: global or shared.
  virtual std::optional<NamedRange> nearest(MemorySpace space, std::uint64_t address) const = 0;
  /// The input array that has a byte of [address, address + bytes) in global memory.
  virtual std::optional<InputArray> input(std::uint64_t /*address*/, std::uint64_t /*bytes*/) const {
    return std::nullopt;
  }
};

}  // namespace cudalabs::vgpu
