// Backwards from an address to what it is computed from, into the functions that are called on the way, and with the
// call by which each of them was entered.
#include "vgpu/analysis/index_products.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/result.h"

namespace cudalabs::vgpu {
namespace {

using ptx::Opcode;
using ptx::Type;

/// Of a hostile text no more is looked at.
constexpr std::size_t kMostAccesses = 256, kMostVisits = 400, kMostValueSteps = 60, kMostProducts = 16;
constexpr int kDeepestValue = 24;

/// A function, and the calls by which it was entered from a kernel, the first one first.
struct CalledFrame {
  std::uint32_t function = 0;
  std::vector<CodePlace> calls;

  auto operator<=>(const CalledFrame&) const = default;
};

struct CallOf {
  std::uint32_t callee = 0;
  std::vector<std::string> results, arguments;
};

using FunctionAndName = std::pair<std::uint32_t, std::string>;

const std::string* symbol_of_address(const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands) {
    const auto* address = std::get_if<ptx::Address>(&operand.value);
    const auto* symbol = address == nullptr ? nullptr : std::get_if<ptx::SymbolRef>(&address->base);
    if (symbol != nullptr) return &symbol->name;
  }
  return nullptr;
}

std::uint64_t offset_of_address(const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands) {
    const auto* address = std::get_if<ptx::Address>(&operand.value);
    const auto* symbol = address == nullptr ? nullptr : std::get_if<ptx::SymbolRef>(&address->base);
    if (symbol != nullptr) return static_cast<std::uint64_t>(address->offset + symbol->offset);
  }
  return 0;
}

std::vector<std::string> symbols_of(const ptx::Operand& operand) {
  std::vector<std::string> names;
  if (const auto* list = std::get_if<ptx::ListOperand>(&operand.value)) {
    for (const ptx::Operand& element : list->elements)
      if (const auto* symbol = std::get_if<ptx::SymbolRef>(&element.value)) names.push_back(symbol->name);
  }
  return names;
}

const ptx::RegisterRef* address_register(const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands)
    if (const auto* address = std::get_if<ptx::Address>(&operand.value))
      return std::get_if<ptx::RegisterRef>(&address->base);
  return nullptr;
}

/// "mul.lo.s32" and "mad.lo.s32", which clang and nvcc write for numbers without a sign, too.
bool multiplies_ints(const ptx::Instruction& instruction) {
  if (instruction.code != Opcode::mul && instruction.code != Opcode::mad) return false;
  const std::vector<Type> types = types_of(instruction);
  return has_suffix_named(instruction, "lo") && types.size() == 1 && types.front() == Type::s32 &&
         instruction.operands.size() >= 3;
}

/// How what an instruction takes is read by it: as its own result is, or with a sign, or without.
enum class Reading : std::uint8_t { as_result, with_sign, without };

Reading reading_of(const ptx::Instruction& instruction) {
  const std::vector<Type> types = types_of(instruction);
  if (types.empty()) return Reading::without;
  const bool with_sign = has_sign(types.back());
  switch (instruction.code) {
    case Opcode::mov:
    case Opcode::add:
    case Opcode::sub:
    case Opcode::neg:
    case Opcode::shl:
      return Reading::as_result;
    case Opcode::mul:
    case Opcode::mad:
      return has_suffix_named(instruction, "lo") ? Reading::as_result
             : with_sign                         ? Reading::with_sign
                                                 : Reading::without;
    default:
      return with_sign ? Reading::with_sign : Reading::without;
  }
}

class ProductReader {
 public:
  explicit ProductReader(const ValueFlow& flow) : flow_(flow), functions_(flow.module().functions) {
    for (std::uint32_t f = 0; f < functions_.size(); ++f) {
      for (std::uint32_t i = 0; i < functions_[f].instructions.size(); ++i) note({f, i});
    }
  }

  std::vector<IndexProduct> products_of(CodePlace access) {
    found_.clear();
    visited_.clear();
    const ptx::RegisterRef* base = address_register(flow_.at(access));
    if (base != nullptr) visit({access.function, {}}, base->index, false);
    return std::move(found_);
  }

 private:
  void note(CodePlace place) {
    const ptx::Instruction& instruction = flow_.at(place);
    if (instruction.code == Opcode::call && instruction.operands.size() >= 3) {
      const auto* target = std::get_if<ptx::SymbolRef>(&instruction.operands[1].value);
      const auto callee =
          target == nullptr ? functions_.end() : std::ranges::find(functions_, target->name, &ptx::Function::name);
      if (callee == functions_.end()) return;
      CallOf call{static_cast<std::uint32_t>(callee - functions_.begin()), symbols_of(instruction.operands[0]),
                  symbols_of(instruction.operands[2])};
      for (const std::string& result : call.results) calls_by_result_[{place.function, result}] = place;
      calls_.emplace(place, std::move(call));
    }
    if (instruction.code != Opcode::st || !has_suffix_named(instruction, "param")) return;
    if (const std::string* name = symbol_of_address(instruction)) stores_[{place.function, *name}].push_back(place);
  }

  /// What a load of a parameter gets: the stores of a caller, or of what was called, and the frame that they are in.
  struct Handed {
    CalledFrame frame;
    std::vector<CodePlace> stores;
  };
  Handed handed_to(const CalledFrame& frame, const ptx::Instruction& load) const {
    const std::string* name = symbol_of_address(load);
    if (name == nullptr) return {};
    const auto stores_of = [&](std::uint32_t function, const std::string& stored) {
      const auto known = stores_.find({function, stored});
      return known == stores_.end() ? std::vector<CodePlace>() : known->second;
    };
    const auto& parameters = functions_[frame.function].parameters;
    const auto parameter = std::ranges::find(parameters, *name, &ptx::Variable::name);
    if (parameter != parameters.end()) {
      if (frame.calls.empty()) return {};
      CalledFrame caller{frame.calls.back().function, frame.calls};
      caller.calls.pop_back();
      const CallOf& call = calls_.at(frame.calls.back());
      const auto number = static_cast<std::size_t>(parameter - parameters.begin());
      if (number >= call.arguments.size()) return {};
      return {caller, stores_of(caller.function, call.arguments[number])};
    }
    const auto place = calls_by_result_.find({frame.function, *name});
    if (place == calls_by_result_.end()) return {};
    const CallOf& call = calls_.at(place->second);
    const ptx::Function& callee = functions_[call.callee];
    CalledFrame called{call.callee, frame.calls};
    called.calls.push_back(place->second);
    constexpr std::size_t kDeepestCall = 8;
    if (callee.results.empty() || called.calls.size() > kDeepestCall) return {};
    return {called, stores_of(call.callee, callee.results.front().name)};
  }

  /// The only instruction that gives the register a value, but for those that make it of an earlier one in a loop.
  /// Nothing where there are several: which of them a thread came to, the text does not say.
  std::optional<CodePlace> first_definition(std::uint32_t function, std::uint32_t reg) const {
    constexpr std::size_t kMostDefinitions = 4;
    const std::vector<std::uint32_t>& definitions = flow_.definitions(function, reg);
    if (definitions.size() > kMostDefinitions) return std::nullopt;
    std::optional<CodePlace> first;
    for (const std::uint32_t definition : definitions) {
      const CodePlace place{function, definition};
      if (definitions.size() > 1 && goes_on_from(place, reg, 0)) continue;
      if (first) return std::nullopt;
      first = place;
    }
    return first;
  }

  /// "j + 32" of "j".
  bool goes_on_from(CodePlace place, std::uint32_t reg, int depth) const {
    constexpr int kMostMoves = 6;
    const ptx::Instruction& instruction = flow_.at(place);
    if (depth > kMostMoves || is_load(instruction)) return false;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
      const auto* source = std::get_if<ptx::RegisterRef>(&instruction.operands[i].value);
      if (source == nullptr) continue;
      if (source->index == reg) return true;
      const std::vector<std::uint32_t>& definitions = flow_.definitions(place.function, source->index);
      if (definitions.size() == 1 && goes_on_from({place.function, definitions.front()}, reg, depth + 1)) return true;
    }
    return false;
  }

  void visit(const CalledFrame& frame, std::uint32_t reg, bool with_sign) {
    if (visited_.size() >= kMostVisits || !visited_.insert({frame, reg, with_sign}).second) return;
    const auto place = first_definition(frame.function, reg);
    if (!place) return;
    const ptx::Instruction& instruction = flow_.at(*place);
    if (is_load(instruction)) {
      if (!has_suffix_named(instruction, "param")) return;
      const Handed handed = handed_to(frame, instruction);
      if (handed.stores.size() == 1) visit_operand(handed.frame, flow_.at(handed.stores.front()), 1, with_sign);
      return;
    }
    // Of two values that a condition chooses from, one was perhaps never computed.
    if (instruction.guard || !ptx::has_result(instruction) || instruction.code == Opcode::selp) return;
    if (with_sign && multiplies_ints(instruction)) add(frame, *place);
    const Reading reading = reading_of(instruction);
    for (std::size_t i = 1; i < instruction.operands.size(); ++i)
      visit_operand(frame, instruction, i,
                    reading == Reading::with_sign || (reading == Reading::as_result && with_sign));
  }

  void visit_operand(const CalledFrame& frame, const ptx::Instruction& instruction, std::size_t number,
                     bool with_sign) {
    if (number >= instruction.operands.size()) return;
    const auto* reg = std::get_if<ptx::RegisterRef>(&instruction.operands[number].value);
    if (reg != nullptr && functions_[frame.function].registers[reg->index].type != Type::pred)
      visit(frame, reg->index, with_sign);
  }

  void add(const CalledFrame& frame, CodePlace place) {
    const ptx::Instruction& product = flow_.at(place);
    IndexProduct made{place, {}, {}};
    if (found_.size() < kMostProducts && append(frame, product.operands[1], made.left, 0) &&
        append(frame, product.operands[2], made.right, 0))
      found_.push_back(std::move(made));
  }

  /// Adds the steps that compute the operand; false where the text does not have them.
  bool append(const CalledFrame& frame, const ptx::Operand& operand, ThreadValue& value, int depth) const {
    if (value.size() >= kMostValueSteps || depth > kDeepestValue || operand.negated || operand.component) return false;
    if (const auto* constant = std::get_if<ptx::IntegerImmediate>(&operand.value)) {
      value.push_back({ValueStep::Kind::constant, Opcode::unknown, Type::none, Type::none, constant->bits});
      return true;
    }
    if (const auto* special = std::get_if<ptx::SpecialRegister>(&operand.value)) {
      const auto step = step_of(*special);
      if (step) value.push_back(*step);
      return step.has_value();
    }
    const auto* reg = std::get_if<ptx::RegisterRef>(&operand.value);
    if (reg == nullptr) return false;
    const std::vector<std::uint32_t>& definitions = flow_.definitions(frame.function, reg->index);
    return definitions.size() == 1 && append_result(frame, {frame.function, definitions.front()}, value, depth + 1);
  }

  bool append_result(const CalledFrame& frame, CodePlace place, ThreadValue& value, int depth) const {
    const ptx::Instruction& instruction = flow_.at(place);
    if (instruction.guard) return false;
    if (is_load(instruction))
      return has_suffix_named(instruction, "param") && append_handed(frame, instruction, value, depth);
    const auto step = step_of(instruction);
    if (!step) return false;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i)
      if (!append(frame, instruction.operands[i], value, depth)) return false;
    value.push_back(*step);
    return true;
  }

  bool append_handed(const CalledFrame& frame, const ptx::Instruction& load, ThreadValue& value, int depth) const {
    const std::string* name = symbol_of_address(load);
    const std::vector<Type> types = types_of(load);
    if (name == nullptr || types.size() != 1 || has_suffix_named(load, "v2") || has_suffix_named(load, "v4"))
      return false;
    const auto& parameters = functions_[frame.function].parameters;
    const auto parameter = std::ranges::find(parameters, *name, &ptx::Variable::name);
    if (parameter != parameters.end() && frame.calls.empty()) {
      ValueStep step{ValueStep::Kind::parameter, Opcode::unknown, types.front(), types.front()};
      step.bits = static_cast<std::uint64_t>(parameter - parameters.begin());
      step.offset = offset_of_address(load);
      value.push_back(step);
      return true;
    }
    const Handed handed = handed_to(frame, load);
    if (handed.stores.size() != 1) return false;
    const ptx::Instruction& store = flow_.at(handed.stores.front());
    return offset_of_address(load) == offset_of_address(store) && !store.guard && store.operands.size() == 2 &&
           append(handed.frame, store.operands[1], value, depth);
  }

  const ValueFlow& flow_;
  const std::vector<ptx::Function>& functions_;
  std::map<CodePlace, CallOf> calls_;
  std::map<FunctionAndName, CodePlace> calls_by_result_;
  std::map<FunctionAndName, std::vector<CodePlace>> stores_;
  std::vector<IndexProduct> found_;
  std::set<std::tuple<CalledFrame, std::uint32_t, bool>> visited_;
};

}  // namespace

std::map<CodePlace, std::vector<IndexProduct>> index_products(const ValueFlow& flow) {
  std::map<CodePlace, std::vector<IndexProduct>> products;
  const auto& functions = flow.module().functions;
  const bool any = std::ranges::any_of(functions, [](const ptx::Function& function) {
    return std::ranges::any_of(function.instructions, multiplies_ints);
  });
  if (!any) return products;
  ProductReader reader(flow);
  std::size_t accesses = 0;
  for (std::uint32_t f = 0; f < functions.size(); ++f) {
    if (!functions[f].is_entry) continue;
    for (std::uint32_t i = 0; i < functions[f].instructions.size(); ++i) {
      const CodePlace access{f, i};
      if (!is_load(flow.at(access)) && !is_store(flow.at(access))) continue;
      const ReachedMemory::Kind kind = flow.memory_of(access).kind;
      if (kind == ReachedMemory::Kind::shared || kind == ReachedMemory::Kind::local) continue;
      if (++accesses > kMostAccesses) return products;
      std::vector<IndexProduct> found = reader.products_of(access);
      if (!found.empty()) products.emplace(access, std::move(found));
    }
  }
  return products;
}

std::optional<LargeProduct> innermost_overflow(const std::vector<IndexProduct>& products,
                                               const ThreadOfLaunch& thread) {
  // A product of one that is too large may be too large only for that.
  for (const IndexProduct& product : std::views::reverse(products)) {
    const auto left = int_of(product.left, thread), right = int_of(product.right, thread);
    if (!left || !right) continue;
    const LargeProduct large{product.place, *left, *right};
    if (large.exact() > std::numeric_limits<std::int32_t>::max() ||
        large.exact() < std::numeric_limits<std::int32_t>::min())
      return large;
  }
  return std::nullopt;
}

}  // namespace cudalabs::vgpu
