// What observers may ask about a PTX instruction.
#include "vgpu/exec/decode/instruction_info.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "vgpu/ptx/instruction_set.h"

namespace cudalabs::vgpu::exec {

namespace {

using ptx::Type;

/// The modifiers that observers may ask about.
struct ObservedSuffixes {
  std::vector<Type> types;
  std::uint32_t lanes = 1;
  std::optional<MemorySpace> space;
  bool parameter = false, strong = false, read_only = false, compares_and_swaps = false, waits_for_copies = false;
  bool of_warp = false;                // bar.warp.sync
  bool loads = false, stores = false;  // wmma, mbarrier
};

ObservedSuffixes read_suffixes(const ptx::Instruction& instruction) {
  ObservedSuffixes read;
  for (const std::string& suffix : instruction.suffixes) {
    if (const std::optional<Type> type = ptx::type_from_name(suffix)) {
      read.types.push_back(*type);
    } else if (suffix == "v2") {
      read.lanes = 2;
    } else if (suffix == "v4") {
      read.lanes = 4;
    } else if (suffix == "global") {
      read.space = MemorySpace::global;
    } else if (suffix.starts_with("shared")) {
      read.space = MemorySpace::shared;
    } else if (suffix == "local") {
      read.space = MemorySpace::local;
    } else if (suffix == "const") {
      read.space = MemorySpace::constant;
    } else if (suffix.starts_with("param")) {
      read.parameter = true;
    } else if (suffix == "volatile" || suffix == "relaxed" || suffix == "acquire" || suffix == "mmio") {
      read.strong = true;
    } else if (suffix == "nc") {
      read.read_only = true;
    } else if (suffix == "cas") {
      read.compares_and_swaps = true;
    } else if (suffix == "wait_all" || suffix == "wait_group") {
      read.waits_for_copies = true;
    } else if (suffix == "warp") {
      read.of_warp = true;
    } else if (suffix == "load" || suffix == "test_wait" || suffix == "try_wait") {
      read.loads = true;
    } else if (suffix == "store" || suffix == "init" || suffix == "inval") {
      read.stores = true;
    }
  }
  return read;
}

bool is_packed(Type type) {
  return type == Type::f16x2 || type == Type::bf16x2;
}

OpcodeClass class_of_type(Type type) {
  if (type == Type::f16 || type == Type::bf16 || is_packed(type)) return OpcodeClass::float16;
  if (type == Type::f32) return OpcodeClass::float32;
  if (type == Type::f64) return OpcodeClass::float64;
  if (type == Type::pred) return OpcodeClass::comparison;
  return type == Type::none ? OpcodeClass::other : OpcodeClass::integer;
}

bool is_floating(OpcodeClass kind) {
  return kind == OpcodeClass::float16 || kind == OpcodeClass::float32 || kind == OpcodeClass::float64 ||
         kind == OpcodeClass::special_function;
}

OpcodeClass class_of(const ptx::Work& work, const std::vector<Type>& types) {
  const OpcodeClass by_type = class_of_type(types.empty() ? Type::none : types.front());
  switch (work.classing) {
    case ptx::Classing::as_named:
      return work.named;
    case ptx::Classing::by_type:
      return by_type;
    case ptx::Classing::division:
      return is_floating(by_type) ? OpcodeClass::special_function : by_type;
    case ptx::Classing::conversion:
      return std::ranges::find(types, Type::f64) != types.end() ? OpcodeClass::float64_conversion
                                                                : OpcodeClass::conversion;
  }
  return OpcodeClass::other;
}

}  // namespace

InstructionInfo describe_instruction(const ptx::Instruction& instruction) {
  const ptx::InstructionFacts& facts = ptx::facts_of(instruction.code);
  const ObservedSuffixes suffixes = read_suffixes(instruction);
  const Type type = suffixes.types.empty() ? Type::none : suffixes.types.front();
  InstructionInfo info;
  info.ptx_line = instruction.ptx_line;
  info.opcode = instruction.code;
  info.opcode_class = class_of(facts.work, suffixes.types);
  // One opcode of these is several instructions.
  if (facts.family == ptx::Family::matrix || facts.family == ptx::Family::mbarrier) {
    if (suffixes.loads) info.opcode_class = OpcodeClass::load;
    if (suffixes.stores) info.opcode_class = OpcodeClass::store;
  }
  const OpcodeClass kind = info.opcode_class;
  if (kind == OpcodeClass::load || kind == OpcodeClass::store || kind == OpcodeClass::atomic) {
    info.strong = suffixes.strong || (facts.family == ptx::Family::mbarrier && suffixes.loads);
    info.read_only = suffixes.read_only;
    info.compares_and_swaps = suffixes.compares_and_swaps;
    info.waits_for_copies = suffixes.waits_for_copies;
    info.parameter = suffixes.parameter;
    if (suffixes.parameter) {
      info.opcode_class = OpcodeClass::move;
    } else {
      info.space = facts.family == ptx::Family::copy ? MemorySpace::global : suffixes.space;
      info.bytes = static_cast<std::uint8_t>(suffixes.lanes * ptx::size_in_bytes(type));
    }
  }
  if (kind == OpcodeClass::barrier && suffixes.of_warp) info.opcode_class = OpcodeClass::warp_sync;
  if (is_floating(kind)) info.operations = static_cast<std::uint8_t>(facts.operations * (is_packed(type) ? 2 : 1));
  return info;
}

}  // namespace cudalabs::vgpu::exec
