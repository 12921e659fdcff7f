#include "vgpu/mutation/mutation.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "vgpu/mutation/instruction_mutants.h"

namespace cudalabs::vgpu {
namespace {

/// What changes of instructions have in common that are one change of the source.
struct SourceChange {
  MutationKind kind;
  std::uint32_t file, line, column;
  std::string opcode, original, replacement;
  std::optional<std::uint32_t> original_parameter, replacement_parameter;
  std::uint32_t original_line, replacement_line, replacement_column;
  std::uint32_t copy = 0;  // so many like it come before it in its function; kAll: all of them at once

  static constexpr std::uint32_t kAll = ~std::uint32_t{0};

  auto operator<=>(const SourceChange&) const = default;
};

SourceChange source_change(const Mutation& mutation, const ptx::Location& where) {
  return {mutation.kind,
          where.file,
          where.line,
          where.column,
          mutation.changes.front().mutant.opcode,
          mutation.original,
          mutation.replacement,
          mutation.original_parameter,
          mutation.replacement_parameter,
          mutation.original_place.line,
          mutation.replacement_place.line,
          mutation.replacement_place.column};
}

/// Of a function its changes one by one, about `most`.
void add_changes(const ptx::Module& module, std::uint32_t f, const WantedPlace& wanted, std::size_t most,
                 std::vector<Mutation>& to) {
  const ptx::Function& function = module.functions[f];
  const std::vector<FunctionValue> values = values_of(function);
  const std::vector<std::uint32_t> variables = variables_among(values);
  for (std::uint32_t i = 0; i < function.instructions.size() && to.size() < most; ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    if (!wanted(instruction.location)) continue;
    const std::size_t before = to.size();
    add_parameters(instruction, function, to);
    add_comparisons(instruction, to);
    add_outcomes(instruction, to);
    add_conditions(instruction, to);
    add_constants(instruction, to);
    add_builtins(instruction, to);
    add_axes(function, i, values, to);
    add_operations(instruction, to);
    add_accumulations(function, i, values, to);
    add_offsets(function, i, values, to);
    add_factors(function, i, values, to);
    add_values(function, i, values, variables, to);
    for (std::size_t made = before; made < to.size(); ++made) {
      to[made].changes.front().function = f;
      to[made].changes.front().instruction = i;
    }
  }
}

/// Puts the changes of instructions together to those of the source.
class Collection {
 public:
  /// Of one function.
  void add(const ptx::Module& module, std::vector<Mutation> own) {
    std::map<SourceChange, std::uint32_t> copies;
    for (Mutation& mutation : own) {
      const InstructionChange& change = mutation.changes.front();
      SourceChange key =
          source_change(mutation, module.functions[change.function].instructions[change.instruction].location);
      const std::uint32_t copy = copies[key]++;
      key.copy = SourceChange::kAll;
      put(key, mutation);
      key.copy = copy;
      put(key, std::move(mutation));
    }
  }

  std::vector<Mutation> take() {
    // Where there are no copies, all of them are the first one.
    std::vector<Mutation> taken;
    for (auto& [key, at] : places_) {
      SourceChange second = key;
      second.copy = 1;
      if (key.copy == SourceChange::kAll && !places_.contains(second)) all_[at].changes.clear();
    }
    for (Mutation& mutation : all_) {
      if (!mutation.changes.empty()) taken.push_back(std::move(mutation));
    }
    return taken;
  }

 private:
  void put(const SourceChange& key, Mutation mutation) {
    const auto [same, is_new] = places_.emplace(key, all_.size());
    if (is_new) {
      all_.push_back(std::move(mutation));
    } else {
      all_[same->second].changes.push_back(std::move(mutation.changes.front()));
    }
  }

  std::vector<Mutation> all_;
  std::map<SourceChange, std::size_t> places_;
};

}  // namespace

std::vector<Mutation> mutations_of(const ptx::Module& module, const WantedPlace& wanted, std::size_t most) {
  Collection collection;
  // What is beyond this is not looked at, whatever the text.
  const std::size_t limit = 16 * most;
  std::size_t looked_at = 0;
  for (std::uint32_t f = 0; f < module.functions.size() && looked_at < limit; ++f) {
    std::vector<Mutation> own;
    add_changes(module, f, wanted, limit - looked_at, own);
    looked_at += own.size();
    collection.add(module, std::move(own));
  }
  std::vector<Mutation> all = collection.take();
  std::ranges::stable_sort(all, {}, &Mutation::kind);
  if (all.size() > most) all.resize(most);
  return all;
}

void apply(const Mutation& mutation, ptx::Module& module) {
  // From the end, so that numbers before it stay.
  for (auto at = mutation.changes.rbegin(); at != mutation.changes.rend(); ++at) {
    const InstructionChange& change = *at;
    ptx::Function& function = module.functions[change.function];
    function.instructions[change.instruction] = change.mutant;
    if (change.before.empty()) continue;
    function.instructions.insert(function.instructions.begin() + change.instruction, change.before.begin(),
                                 change.before.end());
    function.registers.insert(function.registers.end(), change.registers.begin(), change.registers.end());
    // Who comes to the instruction by its label comes to those before it.
    for (auto& [name, instruction] : function.labels) {
      if (instruction > change.instruction) instruction += static_cast<std::uint32_t>(change.before.size());
    }
  }
}

}  // namespace cudalabs::vgpu
