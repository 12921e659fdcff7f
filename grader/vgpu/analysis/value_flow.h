// Where the values of a module's instructions come from: through registers, memory of the block or the thread, and
// calls. Seen in the program's text, not in a run.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

/// An instruction: into Module::functions, and into its instructions.
struct CodePlace {
  std::uint32_t function = 0, instruction = 0;

  auto operator<=>(const CodePlace&) const = default;
};

/// What an access reaches, as far as its address tells.
struct ReachedMemory {
  enum class Kind : std::uint8_t { unknown, shared, local, parameter, variable };

  Kind kind = Kind::unknown;
  std::string name;            // of the variable; of `parameter` and `local` within `function`
  std::uint32_t function = 0;  // of `parameter` and `local`
  std::int64_t offset = 0;     // bytes, of what is known of the index
  bool indexed = false;        // a part of the index is known only when it executes

  /// Both may be of one array.
  bool meets(const ReachedMemory& other) const;
};

/// The module must outlive it. Takes time with the product of stores and loads at worst. For one thread at a time.
class ValueFlow {
 public:
  explicit ValueFlow(const ptx::Module& module);

  const ptx::Instruction& at(CodePlace place) const {
    return module_.functions[place.function].instructions[place.instruction];
  }
  const ptx::Module& module() const { return module_; }

  /// The instructions that the instruction's value is computed from; of a store, the value that it stores. What only
  /// decides or gives an address is left out, but of an instruction that computes a predicate.
  std::span<const CodePlace> sources(CodePlace place) const;
  /// Those that the register that an access has its address in is computed from.
  std::vector<CodePlace> address_sources(CodePlace place) const;
  /// Those that write the register.
  const std::vector<std::uint32_t>& definitions(std::uint32_t function, std::uint32_t reg) const {
    return definitions_[function][reg];
  }

  /// Of a load, store or atomic.
  const ReachedMemory& memory_of(CodePlace place) const;
  /// By function: the instructions that call it.
  std::vector<std::vector<CodePlace>> callers() const;
  /// All stores and atomics, but for those of parameters.
  const std::vector<CodePlace>& stores() const { return stores_; }

  /// The sources of the sources, each once and the nearest first, without `from`; of those that are `wanted`.
  std::vector<CodePlace> all_sources(const std::vector<CodePlace>& from,
                                     const std::function<bool(CodePlace)>& wanted) const;

  /// More are not looked at.
  static constexpr std::size_t kMostSources = 2000;
  /// Of all instructions together.
  static constexpr std::size_t kMostSourcesOfAll = 4'000'000;

 private:
  struct Call {
    CodePlace place;
    std::uint32_t callee = 0;
    std::vector<std::string> arguments, results;
  };

  void add_call(CodePlace place);
  void add_defined(CodePlace place, const ptx::Operand& operand, std::vector<CodePlace>& to) const;
  std::vector<CodePlace> stores_of_parameter(std::uint32_t function, const std::string& name) const;
  std::vector<CodePlace> sources_of_parameter(CodePlace load) const;
  std::vector<CodePlace> found_sources(CodePlace place) const;
  std::size_t number_of(CodePlace place) const { return first_[place.function] + place.instruction; }
  ReachedMemory memory_at(std::uint32_t function, const ptx::Operand& operand, int depth);
  ReachedMemory memory_in(std::uint32_t function, std::uint32_t reg, int depth);
  ReachedMemory memory_of_symbol(std::uint32_t function, const std::string& name, std::int64_t offset) const;
  ReachedMemory memory_from(CodePlace place, int depth);
  ReachedMemory memory_of_sum(CodePlace place, int depth);
  ReachedMemory memory_of_loaded(CodePlace place, int depth);

  const ptx::Module& module_;
  std::vector<std::size_t> first_;  // by function: the number of its first instruction
  std::vector<std::vector<std::vector<std::uint32_t>>> definitions_;  // by function and register
  std::vector<Call> calls_;
  std::vector<CodePlace> stores_;
  std::vector<ReachedMemory> memories_ = {{}};  // the first is of instructions that reach none
  std::vector<std::uint32_t> memory_numbers_;   // by number of the instruction: into memories_
  // Asked for again and again; each is found once, when it is first asked for.
  mutable std::vector<std::vector<CodePlace>> sources_;  // by number of the instruction
  mutable std::vector<bool> sources_known_;
  mutable std::size_t sources_left_ = kMostSourcesOfAll;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ReachedMemory> pointers_;  // by function and register
  // The text may be hostile.
  std::size_t steps_left_ = 2'000'000;
  mutable std::size_t visits_left_ = 300'000;
};

bool is_load(const ptx::Instruction& instruction);
/// Stores and atomics.
bool is_store(const ptx::Instruction& instruction);
bool has_suffix_named(const ptx::Instruction& instruction, std::string_view name);

}  // namespace cudalabs::vgpu
