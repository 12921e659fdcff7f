// Registers that are stored or narrowed, and nothing else, and the loads that give them their values.
#include "vgpu/analysis/object_copies.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "vgpu/analysis/text_blocks.h"
#include "vgpu/ptx/mentions.h"

namespace cudalabs::vgpu {
namespace {

/// No scalar is aligned to more, so that padding never fills as much.
constexpr std::uint32_t kWidestScalar = 8;  // bytes

/// Bytes a lane; 0: not known.
std::uint32_t width_of(const ptx::Instruction& instruction) {
  static constexpr std::array<std::pair<std::string_view, std::uint32_t>, 4> kVectors{
      {{"v2", 2}, {"v4", 4}, {"v8", 8}, {"b128", 16}}};
  std::uint32_t count = 1, bytes = 0;
  for (const std::string& suffix : instruction.suffixes) {
    const auto vector = std::ranges::find(kVectors, suffix, &std::pair<std::string_view, std::uint32_t>::first);
    if (vector != kVectors.end()) {
      (suffix == "b128" ? bytes : count) = vector->second;
    } else if (suffix.ends_with("64")) {
      bytes = 8;
    } else if (suffix.ends_with("32")) {
      bytes = 4;
    } else if (suffix.ends_with("16")) {
      bytes = 2;
    } else if (suffix == "u8" || suffix == "s8" || suffix == "b8") {
      bytes = 1;
    }
  }
  return count * bytes;
}

bool is_plain_load(const ptx::Instruction& instruction) {
  if (instruction.code != ptx::Opcode::ld || instruction.operands.size() != 2) return false;
  return std::ranges::none_of(instruction.suffixes, [](const std::string& suffix) {
    return suffix == "param" || suffix == "const" || suffix == "local" || suffix == "volatile" || suffix == "relaxed" ||
           suffix == "acquire";
  });
}

/// Bits of an integer's type; 0: another type.
std::uint32_t integer_bits(std::string_view type) {
  if (type.size() < 2 || (type[0] != 'u' && type[0] != 's')) return 0;
  std::uint32_t bits = 0;
  const auto [end, error] = std::from_chars(type.data() + 1, type.data() + type.size(), bits);
  return error == std::errc() && end == type.data() + type.size() ? bits : 0;
}

/// Takes the low part of a number: libraries load a small member together with the padding behind it.
bool takes_low_part(const ptx::Instruction& instruction) {
  if (instruction.code != ptx::Opcode::cvt || instruction.suffixes.size() != 2) return false;
  const std::uint32_t to = integer_bits(instruction.suffixes[0]), from = integer_bits(instruction.suffixes[1]);
  return to != 0 && to < from;
}

/// By register: whether something else reads it than a store of its value, or what takes its low part.
std::vector<bool> used_registers(const ptx::Function& function) {
  std::vector<bool> used(function.registers.size());
  const auto no_name = [](const std::string&) {};
  for (const ptx::Instruction& instruction : function.instructions) {
    if (instruction.guard) used[instruction.guard->predicate] = true;
    const bool passes_on = instruction.code == ptx::Opcode::st || takes_low_part(instruction);
    for (std::size_t n = 0; n < instruction.operands.size(); ++n) {
      const bool written = n == 0 && is_plain_load(instruction);
      if (written || (passes_on && n == 1)) continue;
      ptx::for_each_mention(
          instruction.operands[n], [&](std::uint32_t reg) { used[reg] = true; }, no_name);
    }
  }
  for (const ptx::Variable& result : function.results) {
    if (result.space == ptx::Space::reg) used.assign(used.size(), true);  // what it gives back no instruction says
  }
  return used;
}

void add_copies(const ptx::Module& module, std::uint32_t number, std::map<CodePlace, std::uint32_t>& found) {
  const ptx::Function& function = module.functions[number];
  const std::vector<bool> used = used_registers(function);
  const std::vector<std::uint32_t> starts = block_starts(function, Labels::jumped_to);
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;  // the block, and of the source
  std::map<Place, std::vector<CodePlace>> at_place;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const ptx::Instruction& load = function.instructions[i];
    const std::uint32_t width = is_plain_load(load) ? width_of(load) : 0;
    if (width == 0) continue;
    bool only_stored = true;
    ptx::for_each_mention(
        load.operands[0], [&](std::uint32_t reg) { only_stored = only_stored && !used[reg]; },
        [&](const std::string&) { only_stored = false; });
    if (!only_stored) continue;
    found.emplace(CodePlace{number, i}, std::min(width, kWidestScalar));
    const ptx::Location& at = load.location;
    if (at.line != 0) at_place[{block_of(starts, i), at.file, at.line, at.column}].push_back({number, i});
  }
  for (const auto& [place, loads] : at_place) {
    if (loads.size() < 2) continue;
    for (const CodePlace load : loads) found[load] = kWidestScalar;
  }
}

}  // namespace

std::map<CodePlace, std::uint32_t> object_copies(const ptx::Module& module) {
  std::map<CodePlace, std::uint32_t> found;
  for (std::uint32_t function = 0; function < module.functions.size(); ++function)
    if (!module.functions[function].instructions.empty()) add_copies(module, function, found);
  return found;
}

}  // namespace cudalabs::vgpu
