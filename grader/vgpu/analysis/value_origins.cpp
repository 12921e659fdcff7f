// The slice of each store, and which of its instructions have something to say.
#include "vgpu/analysis/value_origins.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <string_view>

#include "vgpu/analysis/loop_ends.h"
#include "vgpu/ptx/instruction_set.h"

namespace cudalabs::vgpu {
namespace {

/// Of a hostile text no more is looked at.
constexpr std::size_t kMostInstructionsOfModule = 20000, kMostStores = 1000, kMostExplained = 32, kMostCutIndices = 256;
/// A single-precision number has 24 digits, a half-precision one 11.
constexpr int kFewestBitsLost = 8;

std::vector<ptx::Type> types_named(const ptx::Instruction& instruction) {
  std::vector<ptx::Type> types;
  for (const std::string& suffix : instruction.suffixes)
    if (const auto type = ptx::type_from_name(suffix)) types.push_back(*type);
  return types;
}

bool is_wide_float(ptx::Type type) {
  return type == ptx::Type::f32 || type == ptx::Type::f64;
}

bool is_narrow_float(ptx::Type type) {
  using enum ptx::Type;
  return type == f16 || type == f16x2 || type == bf16 || type == bf16x2;
}

bool is_integer(ptx::Type type) {
  using enum ptx::Type;
  constexpr std::array kIntegers{u8, u16, u32, u64, s8, s16, s32, s64};
  return std::ranges::find(kIntegers, type) != kIntegers.end();
}

/// "cvt.rn.f16.f32", "cvt.rn.tf32.f32"
bool rounds_to_half(const ptx::Instruction& instruction) {
  if (instruction.code != ptx::Opcode::cvt) return false;
  if (has_suffix_named(instruction, "tf32")) return true;
  const std::vector<ptx::Type> types = types_named(instruction);
  return types.size() == 2 && is_narrow_float(types[0]) && is_wide_float(types[1]);
}

/// "cvt.rzi.s32.f32", and "cvt.rmi.f32.f32", which leaves a whole number as well
bool makes_integer(const ptx::Instruction& instruction) {
  if (instruction.code != ptx::Opcode::cvt) return false;
  const std::vector<ptx::Type> types = types_named(instruction);
  const bool rounds = std::ranges::any_of(instruction.suffixes, [](std::string_view suffix) {
    return suffix == "rni" || suffix == "rzi" || suffix == "rmi" || suffix == "rpi";
  });
  return types.size() == 2 && is_wide_float(types[1]) && (is_integer(types[0]) || (rounds && is_wide_float(types[0])));
}

/// "cvt.u32.u64"
bool cuts_integer(const ptx::Instruction& instruction) {
  if (instruction.code != ptx::Opcode::cvt) return false;
  const std::vector<ptx::Type> types = types_named(instruction);
  return types.size() == 2 && is_integer(types[0]) && is_integer(types[1]) &&
         ptx::size_in_bytes(types[0]) < ptx::size_in_bytes(types[1]);
}

/// All that the address of the access is computed from.
std::vector<CodePlace> address_slice(const ValueFlow& flow, CodePlace access) {
  std::vector<CodePlace> slice = flow.address_sources(access);
  const std::vector<CodePlace> further = flow.all_sources(slice, [](CodePlace) { return true; });
  slice.insert(slice.end(), further.begin(), further.end());
  return slice;
}

/// The parts of a kernel that a wrong value is looked for in.
class StoreReader {
 public:
  StoreReader(const ValueFlow& flow, const std::vector<FunctionLoops>& loops, CodePlace store)
      : flow_(flow), loops_(loops), slice_(flow.all_sources({store}, [](CodePlace) { return true; })) {}

  std::vector<ValueOrigin> read() {
    for (const CodePlace place : slice_) {
      add_lost_digits(place);
      add_fill(place);
      add_own_array(place);
      add_block_read(place);
    }
    for (const FunctionLoops& of_function : loops_)
      for (const Loop& loop : of_function.loops()) add_ends(of_function, loop);
    return std::move(origins_);
  }

 private:
  void add(OriginKind kind, CodePlace place, std::optional<std::uint32_t> parameter = std::nullopt) {
    const bool known = std::ranges::any_of(origins_, [&](const ValueOrigin& origin) {
      return origin.kind == kind && origin.place == place && origin.parameter == parameter;
    });
    if (!known) origins_.push_back({kind, place, parameter});
  }

  /// `and` with a mask that leaves out the last digits of what was a floating-point number.
  bool cuts_digits(CodePlace place) const {
    const ptx::Instruction& instruction = flow_.at(place);
    if (instruction.code != ptx::Opcode::and_ || instruction.operands.size() != 3) return false;
    const auto* mask = std::get_if<ptx::IntegerImmediate>(&instruction.operands[2].value);
    if (mask == nullptr) return false;
    const auto cut = ~static_cast<std::uint32_t>(mask->bits);
    if ((cut & (cut + 1)) != 0 || std::popcount(cut) < kFewestBitsLost) return false;
    return std::ranges::any_of(flow_.sources(place), [&](CodePlace source) { return moves_float(source); });
  }

  bool moves_float(CodePlace place) const {
    const ptx::Instruction& move = flow_.at(place);
    if (move.code != ptx::Opcode::mov || move.operands.size() != 2) return false;
    const auto* from = std::get_if<ptx::RegisterRef>(&move.operands[1].value);
    return from != nullptr && flow_.module().functions[place.function].registers[from->index].type == ptx::Type::f32;
  }

  void add_lost_digits(CodePlace place) {
    const ptx::Instruction& instruction = flow_.at(place);
    if (rounds_to_half(instruction) || cuts_digits(place)) add(OriginKind::half, place);
    if (makes_integer(instruction)) add(OriginKind::integer, place);
  }

  /// The only parameter of the kernel that points to what has a part in the value.
  std::optional<std::uint32_t> parameter_of(CodePlace store) const {
    std::set<std::uint32_t> found;
    for (const CodePlace source : flow_.all_sources({store}, [](CodePlace) { return true; })) {
      const ReachedMemory& memory = flow_.memory_of(source);
      if (!is_load(flow_.at(source)) || memory.kind != ReachedMemory::Kind::parameter) continue;
      const auto& parameters = flow_.module().functions[memory.function].parameters;
      const auto named = std::ranges::find(parameters, memory.name, &ptx::Variable::name);
      found.insert(static_cast<std::uint32_t>(named - parameters.begin()));
    }
    return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
  }

  /// Of a load of shared memory: what fills it.
  void add_fill(CodePlace load) {
    if (!is_load(flow_.at(load)) || flow_.memory_of(load).kind != ReachedMemory::Kind::shared) return;
    const std::span<const CodePlace> stores = flow_.sources(load);
    for (const CodePlace store : stores) {
      const auto parameter = parameter_of(store);
      add(OriginKind::fill, store, parameter);
      if (parameter) add(OriginKind::fill_read, load, parameter);
    }
    for (const FunctionLoops& of_function : loops_) {
      for (const Loop& loop : of_function.loops()) {
        if (!of_function.may_skip(loop, stores, load)) continue;
        for (const CodePlace store : stores)
          if (of_function.holds(loop, store)) add(OriginKind::partial_fill, store, parameter_of(store));
      }
    }
  }

  /// Of a load from an array of the thread: who stores there by the number of the thread.
  void add_own_array(CodePlace load) {
    const ReachedMemory& memory = flow_.memory_of(load);
    if (!is_load(flow_.at(load)) || memory.kind != ReachedMemory::Kind::local || !memory.indexed) return;
    for (const CodePlace store : flow_.sources(load)) {
      if (flow_.memory_of(store).indexed && depends_on(store, "%tid")) add(OriginKind::own_array, store);
    }
  }

  void add_block_read(CodePlace load) {
    if (!is_load(flow_.at(load)) || flow_.memory_of(load).kind != ReachedMemory::Kind::parameter) return;
    if (depends_on(load, "%ctaid")) add(OriginKind::block_read, load);
  }

  /// The address of the access, on a special register of that name.
  bool depends_on(CodePlace access, std::string_view name) const {
    const std::vector<CodePlace> address = address_slice(flow_, access);
    return std::ranges::any_of(address, [&](CodePlace place) {
      return std::ranges::any_of(flow_.at(place).operands, [&](const ptx::Operand& operand) {
        const auto* special = std::get_if<ptx::SpecialRegister>(&operand.value);
        return special != nullptr && special->name.starts_with(name);
      });
    });
  }

  /// Of loops in which the value is accumulated.
  void add_ends(const FunctionLoops& of_function, const Loop& loop) {
    const bool sums = std::ranges::any_of(slice_, [&](CodePlace place) {
      const ptx::Instruction& instruction = flow_.at(place);
      const bool computes = instruction.code == ptx::Opcode::add || instruction.code == ptx::Opcode::fma ||
                            instruction.code == ptx::Opcode::mad || instruction.code == ptx::Opcode::sub ||
                            instruction.code == ptx::Opcode::mul;
      return computes && of_function.holds(loop, place) && of_function.accumulates(loop, place);
    });
    if (!sums) return;
    const bool by_count =
        std::ranges::any_of(loop.exits, [](const LoopExit& exit) { return exit.changes && !exit.data; });
    for (const LoopExit& exit : loop.exits) {
      if (exit.data && by_count) add(OriginKind::early_exit, exit.comparison);
      if (exit.data || !exit.changes) continue;
      if (exit.halves) add(OriginKind::halving, exit.comparison);
      if (!exit.halves && exit.to_variable) add(OriginKind::loop, exit.comparison);
      if (exit.bound) add(OriginKind::loop_end, *exit.bound);
    }
  }

  const ValueFlow& flow_;
  const std::vector<FunctionLoops>& loops_;
  std::vector<CodePlace> slice_;
  std::vector<ValueOrigin> origins_;
};

/// A loop whose condition nothing changes does not end, once it is entered and goes on.
void add_endless(const ValueFlow& flow, const FunctionLoops& of_function, std::uint32_t function,
                 ValueOrigins& origins) {
  for (const Loop& loop : of_function.loops()) {
    const bool may_end = loop.other_exits || std::ranges::any_of(loop.exits, [](const LoopExit& exit) {
                           return exit.data || exit.changes;
                         });
    if (may_end) continue;
    const bool steady = std::ranges::all_of(loop.exits, &LoopExit::steady);
    const auto size = static_cast<std::uint32_t>(flow.module().functions[function].instructions.size());
    for (std::uint32_t i = 0; i < size; ++i) {
      const CodePlace place{function, i};
      if (!loop.exits.empty() && of_function.holds(loop, place))
        origins.endless.try_emplace(place, loop.exits[0].comparison);
      if (steady && of_function.is_past_only_exit(loop, place)) origins.never_left.insert(place);
    }
  }
}

void add_cut_indices(const ValueFlow& flow, ValueOrigins& origins) {
  const auto& functions = flow.module().functions;
  std::vector<std::vector<bool>> cuts;  // by function and instruction: an instruction is in many addresses
  bool any = false;
  for (const ptx::Function& function : functions) {
    std::vector<bool>& of_function = cuts.emplace_back();
    for (const ptx::Instruction& instruction : function.instructions) of_function.push_back(cuts_integer(instruction));
    any = any || std::ranges::find(of_function, true) != of_function.end();
  }
  if (!any) return;
  for (std::uint32_t f = 0; f < functions.size(); ++f) {
    for (std::uint32_t i = 0; i < functions[f].instructions.size(); ++i) {
      const CodePlace access{f, i};
      const bool accesses = is_load(flow.at(access)) || is_store(flow.at(access));
      const ReachedMemory::Kind kind = flow.memory_of(access).kind;
      if (!accesses || kind == ReachedMemory::Kind::shared || kind == ReachedMemory::Kind::local) continue;
      if (origins.cut_indices.size() == kMostCutIndices) return;
      const std::vector<CodePlace> slice = address_slice(flow, access);
      const auto cut =
          std::ranges::find_if(slice, [&](CodePlace place) { return cuts[place.function][place.instruction]; });
      if (cut != slice.end()) origins.cut_indices.emplace(access, *cut);
    }
  }
}

void add_pointers(const ValueFlow& flow, ValueOrigins& origins) {
  const auto& functions = flow.module().functions;
  for (std::uint32_t f = 0; f < functions.size(); ++f) {
    const auto& parameters = functions[f].parameters;
    if (!functions[f].is_entry) continue;
    for (std::uint32_t i = 0; i < functions[f].instructions.size(); ++i) {
      const CodePlace access{f, i};
      if (!is_load(flow.at(access)) && !is_store(flow.at(access))) continue;
      const ReachedMemory& memory = flow.memory_of(access);
      if (memory.kind != ReachedMemory::Kind::parameter || memory.function != f) continue;
      const auto named = std::ranges::find(parameters, memory.name, &ptx::Variable::name);
      origins.pointers.emplace(access, static_cast<std::uint32_t>(named - parameters.begin()));
    }
  }
}

}  // namespace

ValueOrigins value_origins(const ptx::Module& module) {
  ValueOrigins origins;
  std::size_t size = 0;
  for (const ptx::Function& function : module.functions) size += function.instructions.size();
  if (size > kMostInstructionsOfModule) return origins;
  const ValueFlow flow(module);
  if (flow.stores().size() > kMostStores) return origins;
  std::vector<FunctionLoops> loops;
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    loops.emplace_back(flow, f);
    add_endless(flow, loops.back(), f, origins);
  }
  for (const CodePlace store : flow.stores()) {
    const ReachedMemory::Kind kind = flow.memory_of(store).kind;
    if (kind == ReachedMemory::Kind::shared || kind == ReachedMemory::Kind::local) continue;
    if (origins.of_stores.size() == kMostExplained) break;
    std::vector<ValueOrigin> found = StoreReader(flow, loops, store).read();
    if (!found.empty()) origins.of_stores.emplace(store, std::move(found));
  }
  add_cut_indices(flow, origins);
  add_pointers(flow, origins);
  origins.products = index_products(flow);
  origins.guards = thread_guards(flow, loops);
  return origins;
}

}  // namespace cudalabs::vgpu
