// Forwards from the exchange to all that reads its value, through calls and back to callers.
#include "vgpu/analysis/pure_exchanges.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/mentions.h"
#include "vgpu/ptx/result.h"

namespace cudalabs::vgpu {
namespace {

using Name = std::pair<std::uint32_t, std::string>;        // of a parameter or a result, in a function
using Register = std::pair<std::uint32_t, std::uint32_t>;  // likewise
using Value = std::variant<Register, Name>;

// A call's operands: see ptx::Instruction.
constexpr std::size_t kResults = 0, kTarget = 1, kArguments = 2;

/// The text may be hostile; an exchange that is not followed to the end counts as one whose old value is used.
constexpr std::size_t kMostFollowedSteps = 1'000'000;

bool is_exchange(const ptx::Instruction& instruction) {
  return instruction.code == ptx::Opcode::atom && has_suffix_named(instruction, "exch");
}

/// Registers are all that it reads and writes.
bool only_computes(const ptx::Instruction& instruction) {
  const ptx::InstructionFacts& facts = ptx::facts_of(instruction.code);
  return facts.flow == ptx::Flow::straight && facts.gives_away == ptx::GivesAway::no &&
         facts.findings == ptx::Findings::no && ptx::has_result(instruction);
}

const std::string* name_in(const ptx::Operand& operand) {
  if (const auto* symbol = std::get_if<ptx::SymbolRef>(&operand.value)) return &symbol->name;
  const auto* address = std::get_if<ptx::Address>(&operand.value);
  const auto* symbol = address == nullptr ? nullptr : std::get_if<ptx::SymbolRef>(&address->base);
  return symbol == nullptr ? nullptr : &symbol->name;
}

/// Of a load or store of a parameter: its name.
const std::string* parameter_at(const ptx::Instruction& instruction, std::size_t operand) {
  const bool known = instruction.operands.size() == 2 && has_suffix_named(instruction, "param");
  return known ? name_in(instruction.operands[operand]) : nullptr;
}

class Followed {
 public:
  explicit Followed(const ptx::Module& module) : module_(module) {
    for (std::uint32_t f = 0; f < module.functions.size(); ++f) read_function(f);
    for (const ptx::Variable& variable : module.variables) {
      for (const ptx::Variable::Relocation& relocation : variable.relocations) taken_.insert(relocation.symbol);
    }
    for (const auto& [alias, name] : module.aliases) taken_.insert({alias, name});
  }

  /// Nothing depends on what the instruction gives.
  bool is_dropped(CodePlace place) {
    values_.clear();
    known_.clear();
    used_ = false;
    give_result(place);
    while (!used_ && !values_.empty()) {
      const Value value = values_.back();
      values_.pop_back();
      if (const auto* reg = std::get_if<Register>(&value)) {
        follow(*reg);
      } else {
        follow(std::get<Name>(value));
      }
    }
    return !used_;
  }

 private:
  const ptx::Instruction& at(CodePlace place) const {
    return module_.functions[place.function].instructions[place.instruction];
  }

  void read_function(std::uint32_t f) {
    const ptx::Function& function = module_.functions[f];
    functions_[function.name] = f;
    auto& readers = readers_.emplace_back(function.registers.size());
    gives_registers_.push_back(std::ranges::any_of(
        function.results, [](const ptx::Variable& result) { return result.space == ptx::Space::reg; }));
    for (const auto& [table, names] : function.call_targets) taken_.insert(names.begin(), names.end());
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const ptx::Instruction& instruction = function.instructions[i];
      if (instruction.guard) readers[instruction.guard->predicate].push_back(i);
      const bool calls = instruction.code == ptx::Opcode::call && instruction.operands.size() > kArguments;
      for (std::size_t n = 0; n < instruction.operands.size(); ++n) {
        const bool written = n == 0 && ptx::has_result(instruction);
        const std::string* target = calls && n == kTarget ? name_in(instruction.operands[n]) : nullptr;
        if (target != nullptr) {
          callers_[*target].push_back({f, i});
          continue;
        }
        ptx::for_each_mention(
            instruction.operands[n],
            [&](std::uint32_t reg) {
              if (!written) readers[reg].push_back(i);
            },
            [&](const std::string& name) {
              mentions_[{f, name}].push_back(i);
              if (!calls) taken_.insert(name);
            });
      }
    }
  }

  void count_steps(std::size_t steps) {
    steps_ += steps;
    if (steps_ > kMostFollowedSteps) used_ = true;
  }

  void give(Value value) {
    count_steps(1);
    if (known_.insert(value).second) values_.push_back(std::move(value));
  }

  void give_result(CodePlace place) {
    ptx::for_each_mention(
        at(place).operands.front(),
        [&](std::uint32_t reg) {
          give(Register{place.function, reg});
        },
        [&](const std::string&) { used_ = true; });
  }

  void follow(Register reg) {
    const auto [function, index] = reg;
    if (gives_registers_[function]) used_ = true;
    for (const std::uint32_t i : readers_[function][index]) {
      if (used_) return;
      const ptx::Instruction& reader = at({function, i});
      const bool decides = reader.guard && reader.guard->predicate == index;
      const std::string* parameter = reader.code == ptx::Opcode::st ? parameter_at(reader, 0) : nullptr;
      if (decides || (parameter == nullptr && !only_computes(reader))) {
        used_ = true;
      } else if (parameter != nullptr) {
        give(Name{function, *parameter});
      } else {
        give_result({function, i});
      }
    }
  }

  void follow(const Name& name) {
    const ptx::Function& function = module_.functions[name.first];
    count_steps(function.results.size());
    const auto result = std::ranges::find(function.results, name.second, &ptx::Variable::name);
    if (result != function.results.end())
      return follow_to_callers(function, static_cast<std::size_t>(result - function.results.begin()));
    for (const std::uint32_t i : mentions_[name]) {
      count_steps(1);
      if (used_) return;
      const ptx::Instruction& mention = at({name.first, i});
      if (mention.code == ptx::Opcode::ld && parameter_at(mention, 1) != nullptr) {
        give_result({name.first, i});
      } else if (mention.code == ptx::Opcode::call) {
        follow_to_callee(mention, name.second);
      } else if (mention.code != ptx::Opcode::st || parameter_at(mention, 0) == nullptr) {
        used_ = true;
      }
    }
  }

  void follow_to_callers(const ptx::Function& function, std::size_t result) {
    if (taken_.contains(function.name)) used_ = true;
    for (const CodePlace call : callers_[function.name]) {
      const auto* results = std::get_if<ptx::ListOperand>(&at(call).operands[kResults].value);
      const std::string* given =
          results != nullptr && result < results->elements.size() ? name_in(results->elements[result]) : nullptr;
      if (given == nullptr) {
        used_ = true;
        return;
      }
      give(Name{call.function, *given});
    }
  }

  void follow_to_callee(const ptx::Instruction& call, const std::string& name) {
    const auto* arguments =
        call.operands.size() > kArguments ? std::get_if<ptx::ListOperand>(&call.operands[kArguments].value) : nullptr;
    const std::string* target = arguments != nullptr ? name_in(call.operands[kTarget]) : nullptr;
    if (arguments == nullptr) {
      used_ = true;
      return;
    }
    count_steps(arguments->elements.size());
    for (std::size_t n = 0; n < arguments->elements.size(); ++n) {
      const std::string* argument = name_in(arguments->elements[n]);
      if (argument == nullptr || *argument != name) continue;
      const auto callee = target == nullptr ? functions_.end() : functions_.find(*target);
      const ptx::Function* function = callee == functions_.end() ? nullptr : &module_.functions[callee->second];
      if (function == nullptr || function->is_declaration || n >= function->parameters.size() ||
          function->parameters[n].space != ptx::Space::param) {
        used_ = true;
        return;
      }
      give(Name{callee->second, function->parameters[n].name});
    }
  }

  const ptx::Module& module_;
  std::map<std::string, std::uint32_t> functions_;
  std::vector<std::vector<std::vector<std::uint32_t>>> readers_;  // instructions, by function and register
  std::map<Name, std::vector<std::uint32_t>> mentions_;           // instructions
  std::vector<bool> gives_registers_;                             // by function: what it gives back no instruction says
  std::map<std::string, std::vector<CodePlace>> callers_;
  std::set<std::string> taken_;  // functions among them that are called through pointers, or by another name

  std::size_t steps_ = 0;
  std::vector<Value> values_;  // still to be followed
  std::set<Value> known_;
  bool used_ = false;
};

}  // namespace

std::vector<CodePlace> pure_exchanges(const ptx::Module& module) {
  std::vector<CodePlace> exchanges;
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    const auto& code = module.functions[f].instructions;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      if (is_exchange(code[i]) && !code[i].operands.empty()) exchanges.push_back({f, i});
    }
  }
  if (exchanges.empty()) return exchanges;
  Followed followed(module);
  std::erase_if(exchanges, [&](CodePlace place) { return !followed.is_dropped(place); });
  return exchanges;
}

}  // namespace cudalabs::vgpu
