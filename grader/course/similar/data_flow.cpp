// PTX as a graph of what is computed from what.
//
// A node is an instruction, an edge goes from the register that it reads to every instruction that writes it. Registers
// that are copied into each other are one: compilers write the meeting of two ways as copies. Each round gives a node
// the hash of its own label and of its neighbours' last hashes (the refinement of Weisfeiler and Leman), so after r
// rounds two nodes have one hash when they look alike up to r steps back.
#include "course/similar/data_flow.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>

namespace cudalabs::similar {
namespace {

using namespace vgpu::ptx;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

bool writes_a_register(const Instruction& instruction) {
  constexpr std::array<std::string_view, 20> kNone{
      "st",   "red",      "bar",   "barrier", "membar",  "fence",     "bra",       "brx", "ret",     "exit",
      "trap", "prefetch", "brkpt", "call",    "discard", "prefetchu", "nanosleep", "cp",  "pmevent", "stmatrix"};
  return !is_one_of(instruction.opcode, kNone);
}

/// Whether the first two sources may change places.
bool commutes(const Instruction& instruction) {
  constexpr std::array<std::string_view, 10> kAny{"add", "mul", "mad", "fma", "and",
                                                  "or",  "xor", "min", "max", "mul24"};
  if (instruction.opcode == "setp") {
    const auto& suffixes = instruction.suffixes;
    return !suffixes.empty() && (suffixes[0] == "eq" || suffixes[0] == "ne");
  }
  return is_one_of(instruction.opcode, kAny);
}

bool touches_memory(const Instruction& instruction) {
  constexpr std::array<std::string_view, 4> kAll{"ld", "st", "atom", "red"};
  return is_one_of(instruction.opcode, kAll) &&
         std::ranges::find(instruction.suffixes, "param") == instruction.suffixes.end();
}

bool orders_memory(const Instruction& instruction) {
  constexpr std::array<std::string_view, 4> kAll{"bar", "barrier", "membar", "fence"};
  return is_one_of(instruction.opcode, kAll);
}

/// A copy, or an address in other words: its two registers.
std::optional<std::pair<std::uint32_t, std::uint32_t>> copied(const Instruction& instruction) {
  if ((instruction.opcode != "mov" && instruction.opcode != "cvta") || instruction.guard) return std::nullopt;
  if (instruction.operands.size() != 2) return std::nullopt;
  const auto* to = std::get_if<RegisterRef>(&instruction.operands[0].value);
  const auto* from = std::get_if<RegisterRef>(&instruction.operands[1].value);
  if (to == nullptr || from == nullptr || instruction.operands[0].component || instruction.operands[1].component)
    return std::nullopt;
  return std::pair(to->index, from->index);
}

/// Registers joined by copies.
class Joined {
 public:
  explicit Joined(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::uint32_t of(std::uint32_t reg) {
    while (parent_[reg] != reg) reg = parent_[reg] = parent_[parent_[reg]];
    return reg;
  }
  void join(std::uint32_t one, std::uint32_t other) { parent_[of(one)] = of(other); }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Of variables and parameters, by name: their space and type. Name and place in a list are their author's.
using Symbols = std::map<std::string_view, std::uint64_t>;

void add_symbols(Symbols& symbols, const std::vector<Variable>& variables) {
  for (const Variable& variable : variables)
    symbols[variable.name] =
        mixed(static_cast<std::uint64_t>(variable.space) + 100, static_cast<std::uint64_t>(variable.type));
}

class Graph {
 public:
  /// `shared_symbols`: of the module. All must outlive this.
  Graph(const Module& module, const Symbols& shared_symbols, const Function& function)
      : module_(module), shared_symbols_(shared_symbols), function_(function), joined_(function.registers.size()) {
    add_symbols(own_symbols_, function.parameters);
    add_symbols(own_symbols_, function.variables);
    for (const Instruction& instruction : function.instructions) {
      if (const auto copy = copied(instruction)) {
        joined_.join(copy->first, copy->second);
      } else {
        nodes_.push_back({&instruction, 0, {}});
      }
    }
    for (Node& node : nodes_) note_operands(node);
  }

  void add_features(std::string_view source, Features& features) {
    for (Node& node : nodes_) node.hash = hash_of_label(*node.instruction);
    for (unsigned reach = 1; reach <= kLongestReach; ++reach) {
      refine();
      if (reach < kShortestReach) continue;
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Location& place = nodes_[i].instruction->location;
        const bool own = place.file < module_.files.size() && module_.files[place.file].ends_with(source);
        const std::uint32_t line = own ? place.line : 0;
        features.push_back({mixed(nodes_[i].hash, reach), line, line, static_cast<std::uint32_t>(i)});
      }
    }
  }

 private:
  /// What an operand is: the hash of something that does not change, or a register.
  struct Source {
    std::uint64_t constant = 0;
    std::optional<std::uint32_t> reg;
  };
  struct Node {
    const Instruction* instruction;
    std::uint64_t hash;
    std::vector<Source> sources;
    std::vector<std::uint32_t> targets = {};
    std::optional<std::uint32_t> guard = {};
  };

  static std::uint64_t hash_of_label(const Instruction& instruction) {
    std::uint64_t hash = hash_of(instruction.opcode);
    for (const std::string& suffix : instruction.suffixes) {
      if (suffix != "uni") hash = mixed(hash, hash_of(suffix));
    }
    return instruction.guard ? mixed(hash, instruction.guard->negated ? 2 : 1) : hash;
  }

  std::uint64_t hash_of_symbol(const std::string& name) const {
    if (const auto own = own_symbols_.find(name); own != own_symbols_.end()) return own->second;
    const auto shared = shared_symbols_.find(name);
    return shared == shared_symbols_.end() ? hash_of("function") : shared->second;
  }

  void add_register(Node& node, std::uint32_t index, std::uint64_t extra) {
    node.sources.push_back({extra, joined_.of(index)});
  }

  void add_source(Node& node, const Operand& operand) {
    std::uint64_t extra =
        (operand.negated ? 1 : 0) + (operand.component ? 2 * static_cast<std::uint64_t>(*operand.component) : 0);
    for (std::size_t i = 0; i < operand.selector.count; ++i) {
      extra = mixed(extra, operand.selector.parts[i] + (operand.selector.half_words ? 8u : 0u));
    }
    if (const auto* reg = std::get_if<RegisterRef>(&operand.value)) return add_register(node, reg->index, extra);
    if (const auto* vector = std::get_if<VectorOperand>(&operand.value)) {
      for (const Operand& element : vector->elements) add_source(node, element);
    } else if (const auto* list = std::get_if<ListOperand>(&operand.value)) {
      for (const Operand& element : list->elements) add_source(node, element);
    } else if (const auto* address = std::get_if<Address>(&operand.value)) {
      const auto offset = static_cast<std::uint64_t>(address->offset);
      if (const auto* base = std::get_if<RegisterRef>(&address->base))
        return add_register(node, base->index, mixed(3, offset));
      const auto* symbol = std::get_if<SymbolRef>(&address->base);
      node.sources.push_back({mixed(symbol == nullptr ? 4 : hash_of_symbol(symbol->name), offset), std::nullopt});
    } else if (const auto* integer = std::get_if<IntegerImmediate>(&operand.value)) {
      node.sources.push_back({mixed(5, integer->bits), std::nullopt});
    } else if (const auto* real = std::get_if<FloatImmediate>(&operand.value)) {
      node.sources.push_back({mixed(6, real->bits), std::nullopt});
    } else if (const auto* symbol = std::get_if<SymbolRef>(&operand.value)) {
      node.sources.push_back(
          {mixed(hash_of_symbol(symbol->name), static_cast<std::uint64_t>(symbol->offset)), std::nullopt});
    } else if (const auto* special = std::get_if<SpecialRegister>(&operand.value)) {
      node.sources.push_back(
          {mixed(hash_of(special->name), static_cast<unsigned char>(special->component)), std::nullopt});
    }
  }

  void add_target(Node& node, const Operand& operand) {
    if (const auto* reg = std::get_if<RegisterRef>(&operand.value)) {
      node.targets.push_back(joined_.of(reg->index));
    } else if (const auto* pair = std::get_if<PredicatePair>(&operand.value)) {
      node.targets.push_back(joined_.of(pair->first));
      if (pair->second) node.targets.push_back(joined_.of(*pair->second));
    } else if (const auto* vector = std::get_if<VectorOperand>(&operand.value)) {
      for (const Operand& element : vector->elements) add_target(node, element);
    }
  }

  void note_operands(Node& node) {
    const Instruction& instruction = *node.instruction;
    bool target = writes_a_register(instruction);
    for (const Operand& operand : instruction.operands) {
      if (target) {
        add_target(node, operand);
      } else {
        add_source(node, operand);
      }
      target = false;
    }
    if (instruction.guard) node.guard = joined_.of(instruction.guard->predicate);
  }

  /// What is behind each register: all that is ever written to it, in no order.
  std::vector<std::uint64_t> written() const {
    std::vector<std::uint64_t> sums(function_.registers.size(), 7);
    for (const Node& node : nodes_) {
      for (std::size_t i = 0; i < node.targets.size(); ++i) sums[node.targets[i]] += mixed(node.hash, i);
    }
    return sums;
  }

  void refine() {
    const std::vector<std::uint64_t> values = written();
    std::vector<std::uint64_t> next(nodes_.size());
    std::uint64_t memory = 0;  // accesses since the last barrier, in no order
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      const Instruction& instruction = *node.instruction;
      std::vector<std::uint64_t> sources;
      for (const Source& source : node.sources)
        sources.push_back(source.reg ? mixed(source.constant, values[*source.reg]) : mixed(8, source.constant));
      if (commutes(instruction) && sources.size() >= 2 && sources[1] < sources[0]) std::swap(sources[0], sources[1]);
      std::uint64_t hash = hash_of_label(instruction);
      for (const std::uint64_t source : sources) hash = mixed(hash, source);
      if (node.guard) hash = mixed(hash, values[*node.guard]);
      if (orders_memory(instruction)) {
        hash = mixed(hash, memory);
        memory = 0;
      } else if (touches_memory(instruction)) {
        memory += mixed(node.hash, 9);
      }
      next[i] = hash;
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].hash = next[i];
  }

  const Module& module_;
  const Symbols& shared_symbols_;
  Symbols own_symbols_;
  const Function& function_;
  Joined joined_;
  std::vector<Node> nodes_;
};

/// The kernels, and what they call.
std::vector<const Function*> used(const Module& module) {
  std::map<std::string_view, const Function*> by_name;
  std::set<std::string_view> names;
  std::vector<const Function*> open, all;
  for (const Function& function : module.functions) {
    by_name.emplace(function.name, &function);
    if (function.is_entry && names.insert(function.name).second) open.push_back(&function);
  }
  while (!open.empty()) {
    const Function* function = open.back();
    open.pop_back();
    if (function->is_declaration) continue;
    all.push_back(function);
    for (const Instruction& instruction : function->instructions) {
      if (instruction.opcode != "call" || instruction.operands.size() < 2) continue;
      const auto* target = std::get_if<SymbolRef>(&instruction.operands[1].value);
      if (target == nullptr || !names.insert(target->name).second) continue;
      if (const auto found = by_name.find(target->name); found != by_name.end()) open.push_back(found->second);
    }
  }
  return all;
}

}  // namespace

Features neighbourhoods(const Module& module, std::string_view source) {
  Features features;
  Symbols symbols;
  add_symbols(symbols, module.variables);
  for (const Function* function : used(module)) Graph(module, symbols, *function).add_features(source, features);
  return features;
}

}  // namespace cudalabs::similar
