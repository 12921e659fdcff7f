// Changes of what an instruction does.
#include "vgpu/mutation/instruction_mutants.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

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

void give_operation(Opcode code, Instruction& instruction) {
  instruction.code = code;
  instruction.opcode = ptx::facts_of(code).name;
}

void add_operation(const Instruction& instruction, Opcode code, std::vector<std::string> suffixes,
                   std::vector<Mutation>& to) {
  Instruction mutant = instruction;
  give_operation(code, mutant);
  mutant.suffixes = std::move(suffixes);
  add(MutationKind::operation, std::move(mutant), instruction.opcode, ptx::facts_of(code).name, to);
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
  const std::string& type = instruction.suffixes.back();
  const bool whole = is_whole(type);
  // Saturation and carries have forms of their own.
  const bool low = instruction.suffixes.front() == "lo", nearest = instruction.suffixes.front() == "rn";
  if (instruction.suffixes.size() > (low || nearest ? 2u : 1u)) return;
  std::vector<std::string> plain{type};
  if (nearest) plain.insert(plain.begin(), "rn");
  const std::vector<std::string> product = whole ? std::vector<std::string>{"lo", type} : plain;
  switch (instruction.code) {
    case Opcode::add:
      add_operation(instruction, Opcode::sub, plain, to);
      add_operation(instruction, Opcode::mul, product, to);
      break;
    case Opcode::sub: {
      add_operation(instruction, Opcode::add, plain, to);
      Instruction mutant = instruction;
      std::swap(mutant.operands[1], mutant.operands[2]);
      add(MutationKind::operation, std::move(mutant), "sub", "sub", to);
      break;
    }
    case Opcode::mul:
      if (!whole || low) add_operation(instruction, Opcode::add, plain, to);
      break;
    case Opcode::div:
      if (whole) add_operation(instruction, Opcode::rem, plain, to);
      break;
    case Opcode::rem:
      add_operation(instruction, Opcode::div, plain, to);
      break;
    case Opcode::min:
      add_operation(instruction, Opcode::max, plain, to);
      break;
    case Opcode::max:
      add_operation(instruction, Opcode::min, plain, to);
      break;
    case Opcode::and_:
      add_operation(instruction, Opcode::or_, plain, to);
      break;
    case Opcode::or_:
      add_operation(instruction, Opcode::and_, plain, to);
      break;
    case Opcode::shl:
      add_operation(instruction, Opcode::shr, plain, to);
      break;
    case Opcode::shr:
      add_operation(instruction, Opcode::shl, {"b" + type.substr(1)}, to);
      break;
    default:
      break;
  }
}

}  // namespace cudalabs::vgpu
