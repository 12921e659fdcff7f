// Changes of what an instruction does.
#include "vgpu/mutation/instruction_mutants.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vgpu/ptx/instruction_set.h"

namespace cudalabs::vgpu {
namespace {

using ptx::Instruction;
using ptx::Opcode;

void add(MutationKind kind, Instruction mutant, std::string_view original, std::string_view replacement,
         std::vector<Mutation>& to) {
  Mutation& mutation = to.emplace_back();
  mutation.kind = kind;
  mutation.changes.emplace_back().mutant = std::move(mutant);
  mutation.original = original;
  mutation.replacement = replacement;
}

/// A relation in the place of another: one that people take for it, or its opposite.
struct Relation {
  std::string_view original, replacement;
  MutationKind kind;
};
constexpr Relation kRelations[] = {
    {"lt", "le", MutationKind::comparison}, {"lt", "gt", MutationKind::comparison},
    {"lt", "ge", MutationKind::condition},  {"le", "lt", MutationKind::comparison},
    {"le", "ge", MutationKind::comparison}, {"le", "gt", MutationKind::condition},
    {"gt", "ge", MutationKind::comparison}, {"gt", "lt", MutationKind::comparison},
    {"gt", "le", MutationKind::condition},  {"ge", "gt", MutationKind::comparison},
    {"ge", "le", MutationKind::comparison}, {"ge", "lt", MutationKind::condition},
    {"eq", "ne", MutationKind::condition},  {"ne", "eq", MutationKind::condition},
    {"ne", "lt", MutationKind::comparison}, {"ne", "gt", MutationKind::comparison},
};

bool is_whole(std::string_view type) {
  return !type.empty() && (type.front() == 's' || type.front() == 'u' || type.front() == 'b');
}

/// Operations on the same operands that people take one for the other.
constexpr std::pair<Opcode, Opcode> kOperations[] = {
    {Opcode::add, Opcode::sub},  {Opcode::add, Opcode::mul},  {Opcode::sub, Opcode::add}, {Opcode::mul, Opcode::add},
    {Opcode::div, Opcode::rem},  {Opcode::rem, Opcode::div},  {Opcode::min, Opcode::max}, {Opcode::max, Opcode::min},
    {Opcode::and_, Opcode::or_}, {Opcode::or_, Opcode::and_}, {Opcode::shl, Opcode::shr}, {Opcode::shr, Opcode::shl},
};

/// Nothing where the operation does not exist for numbers of the type.
std::optional<std::vector<std::string>> suffixes_of(Opcode code, const std::string& type, bool nearest) {
  const bool whole = is_whole(type);
  if (code == Opcode::rem && !whole) return std::nullopt;
  if (code == Opcode::mul && whole) return std::vector<std::string>{"lo", type};
  if (code == Opcode::shl) return std::vector<std::string>{"b" + type.substr(1)};
  if (nearest) return std::vector<std::string>{"rn", type};
  return std::vector<std::string>{type};
}

/// How a number is rounded to a whole one.
constexpr std::string_view kRoundings[] = {"rzi", "rni", "rmi", "rpi"};

void add_roundings(const Instruction& instruction, std::vector<Mutation>& to) {
  for (std::size_t i = 0; i < instruction.suffixes.size(); ++i) {
    if (std::ranges::find(kRoundings, instruction.suffixes[i]) == std::end(kRoundings)) continue;
    for (const std::string_view rounding : kRoundings) {
      if (rounding == instruction.suffixes[i]) continue;
      Instruction mutant = instruction;
      mutant.suffixes[i] = rounding;
      add(MutationKind::operation, std::move(mutant), instruction.suffixes[i], rounding, to);
    }
  }
}

}  // namespace

void add_comparisons(const Instruction& instruction, std::vector<Mutation>& to) {
  if (instruction.code != Opcode::setp && instruction.code != Opcode::set) return;
  for (std::size_t i = 0; i < instruction.suffixes.size(); ++i) {
    for (const Relation& relation : kRelations) {
      if (relation.original != instruction.suffixes[i]) continue;
      Instruction mutant = instruction;
      mutant.suffixes[i] = relation.replacement;
      add(relation.kind, std::move(mutant), relation.original, relation.replacement, to);
    }
  }
}

void add_outcomes(const Instruction& instruction, std::vector<Mutation>& to) {
  if (instruction.code != Opcode::setp || instruction.operands.size() != 3 || instruction.suffixes.size() != 2) return;
  if (!is_whole(instruction.suffixes.back())) return;
  for (const auto& [relation, outcome] : {std::pair{"eq", "true"}, {"ne", "false"}}) {
    Instruction mutant = instruction;
    mutant.suffixes.front() = relation;
    mutant.operands[2] = mutant.operands[1];  // with itself
    add(MutationKind::outcome, std::move(mutant), instruction.suffixes.front(), outcome, to);
  }
}

void add_conditions(const Instruction& instruction, std::vector<Mutation>& to) {
  Instruction mutant = instruction;
  if (instruction.code == Opcode::bra && instruction.guard) {
    mutant.guard->negated = !mutant.guard->negated;
  } else if (instruction.code == Opcode::selp && instruction.operands.size() == 4) {
    std::swap(mutant.operands[1], mutant.operands[2]);
  } else {
    return;
  }
  add(MutationKind::condition, std::move(mutant), {}, {}, to);
}

void add_operations(const Instruction& instruction, std::vector<Mutation>& to) {
  if (instruction.code == Opcode::cvt) return add_roundings(instruction, to);
  if (instruction.operands.size() != 3 || instruction.suffixes.empty()) return;
  // Saturation, carries and products of double width have forms of their own.
  const bool low = instruction.suffixes.front() == "lo", nearest = instruction.suffixes.front() == "rn";
  if (instruction.suffixes.size() > (low || nearest ? 2u : 1u)) return;
  for (const auto& [original, replacement] : kOperations) {
    if (original != instruction.code) continue;
    auto suffixes = suffixes_of(replacement, instruction.suffixes.back(), nearest);
    if (!suffixes) continue;
    Instruction mutant = instruction;
    mutant.code = replacement;
    mutant.opcode = ptx::facts_of(replacement).name;
    mutant.suffixes = *std::move(suffixes);
    add(MutationKind::operation, std::move(mutant), instruction.opcode, ptx::facts_of(replacement).name, to);
  }
  if (instruction.code != Opcode::sub) return;
  Instruction turned = instruction;
  std::swap(turned.operands[1], turned.operands[2]);
  add(MutationKind::operation, std::move(turned), "sub", "sub", to);
}

}  // namespace cudalabs::vgpu
