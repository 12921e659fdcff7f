// Adapter: source places from the program, ranges from memory's allocation list.
#include "vgpu/check/program_names.h"

#include <algorithm>
#include <cstring>

#include "vgpu/exec/program.h"
#include "vgpu/memory/global_memory.h"
#include "vgpu/ptx/instruction_set.h"

namespace cudalabs::vgpu {
namespace {

/// A string of the program's text, as compilers call it: no index is meant for it.
bool is_literal(std::string_view name) {
  return name.starts_with("$str") || name.starts_with("_$_str");
}

}  // namespace

std::string ProgramNames::kernel() const {
  return kernel_.display;
}

SourcePlace ProgramNames::place(std::uint32_t instruction) const {
  return program_.location(instruction);
}

/// Of an instruction of the kernel: where that calls what was inlined, or the place itself.
SourcePlace ProgramNames::place_in_kernel(std::uint32_t instruction) const {
  const std::vector<SourcePlace> calls = program_.calls(instruction);
  return calls.empty() ? place(instruction) : calls.front();
}

std::vector<SourcePlace> ProgramNames::called_from(std::uint32_t instruction, std::optional<std::uint32_t> call) const {
  const std::uint32_t function = program_.instruction(instruction).function;
  std::vector<std::uint32_t> instructions;
  if (function == kernel_.function) {
    instructions = {instruction};
  } else if (call) {
    instructions = {*call};
  } else {
    instructions = program_.calls_leading_to(function, kernel_);
  }
  const SourcePlace own = place(instruction);
  std::vector<SourcePlace> places;
  for (const std::uint32_t at : instructions) {
    SourcePlace from = place_in_kernel(at);
    const auto is_it = [&](const SourcePlace& known) { return known.file == from.file && known.line == from.line; };
    if (from.known() && !is_it(own) && std::ranges::none_of(places, is_it)) places.push_back(std::move(from));
  }
  return places;
}

bool ProgramNames::always_executed(std::uint32_t instruction) const {
  return program_.instruction(instruction).always;
}

std::optional<NamedRange> ProgramNames::nearest(MemorySpace space, std::uint64_t address) const {
  if (space == MemorySpace::shared) return nearest_shared(address);
  if (space == MemorySpace::local) return std::nullopt;
  const auto allocation = memory_.explain(address);
  if (!allocation || (is_literal(allocation->name) && !allocation->holds(address))) return std::nullopt;
  NamedRange range{allocation->address, allocation->bytes, allocation->name, !allocation->live};
  range.asked_for = allocation->live && allocation->origin != 0 &&
                    (allocation->kind == AllocationKind::heap || allocation->kind == AllocationKind::host ||
                     (allocation->kind == AllocationKind::range && allocation->usable()));
  range.of_host = allocation->kind == AllocationKind::host;
  range.state = allocation->live ? allocation->state : RangeState::read_write;
  range.discarded = memory_.was_discarded(address);
  for (const auto& arrays : {arrays_.inputs, arrays_.outputs}) {
    const auto is_it = [&](const InputArray& array) {
      return array.address == range.address && array.bytes == range.bytes;
    };
    if (const auto found = std::ranges::find_if(arrays, is_it); found != arrays.end()) {
      range.name = found->name;
      range.type = std::make_shared<ptx::DataType>(found->type());
      range.flat = true;
      range.asked_for = false;  // the caller did
    }
  }
  const auto variable = std::ranges::find(program_.variables(), range.address, &GlobalVariable::address);
  if (variable != program_.variables().end()) range.type = type_of(variable->name);
  return range;
}

std::optional<NamedRange> ProgramNames::nearest_shared(std::uint64_t address) const {
  const NamedRange all{0, shared_bytes_, {}, false};
  if (address >= std::uint64_t{1} << 31) address = 0;  // 32 bits: it came from an index below 0
  const SharedVariable* below = nullptr;
  for (const SharedVariable& variable : kernel_.shared) {
    if (variable.offset > address) continue;
    // Arrays whose size the launch gives begin at the same place: which of them was meant, nobody can tell.
    if (below != nullptr && below->offset == variable.offset) return all;
    below = &variable;
  }
  if (below == nullptr) return all;
  NamedRange range{below->offset, below->size != 0 ? below->size : shared_bytes_ - below->offset,
                   variable_name(below->name), false};
  range.type = type_of(below->name);
  range.by_launch = below->size == 0;
  return range;
}

std::shared_ptr<const ptx::DataType> ProgramNames::type_of(const std::string& symbol) const {
  const auto found = types_.find(symbol);
  return found == types_.end() ? nullptr : found->second;
}

std::optional<SourcePlace> ProgramNames::cut_index(std::uint32_t instruction) const {
  const auto cut = roles_.cut_index(instruction);
  return cut ? std::optional(place(*cut)) : std::nullopt;
}

std::optional<ProductOfInts> ProgramNames::large_product(std::uint32_t instruction, const LaunchConfig& config,
                                                         Index3 block, Index3 thread) const {
  const std::vector<IndexProduct>* products = roles_.products(instruction);
  if (products == nullptr) return std::nullopt;
  ThreadOfLaunch of_launch{config.grid, config.block, block, thread};
  for (const ParameterInfo& given : kernel_.parameters) {
    const bool known = std::size_t{given.offset} + given.size <= arrays_.parameters.size();
    of_launch.parameters.push_back(known ? arrays_.parameters.subspan(given.offset, given.size)
                                         : std::span<const std::byte>());
  }
  const auto large = innermost_overflow(*products, of_launch);
  if (!large) return std::nullopt;
  const std::uint32_t first = program_.functions()[large->place.function].first;
  return ProductOfInts{place(first + large->place.instruction), large->left, large->right};
}

std::optional<std::uint64_t> ProgramNames::pointer_given(std::uint32_t parameter) const {
  if (parameter >= kernel_.parameters.size()) return std::nullopt;
  const ParameterInfo& given = kernel_.parameters[parameter];
  std::uint64_t address = 0;
  if (given.size != sizeof address || std::size_t{given.offset} + sizeof address > arrays_.parameters.size())
    return std::nullopt;
  std::memcpy(&address, arrays_.parameters.data() + given.offset, sizeof address);
  return address;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> ProgramNames::same_array(std::uint32_t access,
                                                                                std::uint32_t other) const {
  const auto first = roles_.pointer(access), second = roles_.pointer(other);
  const bool of_kernel = program_.instruction(access).function == kernel_.function &&
                         program_.instruction(other).function == kernel_.function;
  if (!of_kernel || !first || !second || *first == *second) return std::nullopt;
  const auto array = pointer_given(*first);
  if (!array || *array == 0 || array != pointer_given(*second)) return std::nullopt;
  return std::pair(*first + 1, *second + 1);
}

std::vector<GivenValue> ProgramNames::values_given() const {
  constexpr std::uint32_t kPointer = sizeof(std::uint64_t);
  std::vector<GivenValue> values, parts;
  const auto add = [&](std::vector<GivenValue>& to, GivenValue given, std::size_t offset) {
    std::memcpy(&given.value, arrays_.parameters.data() + offset, given.bytes);
    to.push_back(given);
  };
  for (std::uint32_t i = 0; i < kernel_.parameters.size(); ++i) {
    const auto [offset, size] = kernel_.parameters[i];
    if (std::size_t{offset} + size > arrays_.parameters.size()) continue;
    if (size == sizeof(std::uint32_t) || size == kPointer) add(values, {i + 1, size, 0}, offset);
    for (std::uint32_t at = 0; size > kPointer && at + kPointer <= size; at += kPointer)
      add(parts, {i + 1, kPointer, 0, true}, std::size_t{offset} + at);
  }
  values.insert(values.end(), parts.begin(), parts.end());
  return values;
}

std::optional<SourcePlace> ProgramNames::warp_barrier_between(const SourcePlace& first, const SourcePlace& last) const {
  std::optional<SourcePlace> found;
  for (std::uint32_t i = 0; i < program_.instructions().size(); ++i) {
    const InstructionInfo& info = program_.instruction(i);
    if (info.opcode != ptx::Opcode::bar || info.opcode_class != OpcodeClass::warp_sync) continue;
    SourcePlace at = place(i);
    if (at.file != first.file || at.file != last.file || at.line <= first.line || at.line >= last.line) continue;
    if (found && found->line != at.line) return std::nullopt;
    if (!found) found = std::move(at);
  }
  return found;
}

namespace {

bool is_block_barrier(const InstructionInfo& info) {
  return ptx::facts_of(info.opcode).family == ptx::Family::barrier && info.opcode_class != OpcodeClass::warp_sync;
}

}  // namespace

bool ProgramNames::follows_without_block_barrier(std::uint32_t first, std::uint32_t last) const {
  if (first >= last || program_.instruction(first).function != program_.instruction(last).function) return false;
  for (std::uint32_t i = first + 1; i < last; ++i)
    if (is_block_barrier(program_.instruction(i))) return false;
  return true;
}

bool ProgramNames::has_block_barrier_between(const SourcePlace& first, const SourcePlace& last) const {
  for (std::uint32_t i = 0; i < program_.instructions().size(); ++i) {
    if (!is_block_barrier(program_.instruction(i))) continue;
    const SourcePlace at = place(i);
    if (at.file == first.file && at.file == last.file && at.line > first.line && at.line < last.line) return true;
  }
  return false;
}

std::optional<InputArray> ProgramNames::input(std::uint64_t address, std::uint64_t bytes) const {
  const auto found =
      std::ranges::find_if(arrays_.inputs, [&](const InputArray& input) { return input.meets(address, bytes); });
  if (found == arrays_.inputs.end()) return std::nullopt;
  return *found;
}

}  // namespace cudalabs::vgpu
