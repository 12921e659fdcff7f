// What the names in a function body mean, scope by scope; the only place that makes scoped names unique.
#include "vgpu/ptx/scope.h"

#include <charconv>

#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/lexer.h"
#include "vgpu/ptx/special_registers.h"

namespace cudalabs::vgpu::ptx {
namespace {

// Bounds the walk from a scope to the function's own, and with it the cost of a look-up.
constexpr int kDeepestScope = 64;

}  // namespace

FunctionScope::FunctionScope(Function& function, const std::set<std::string, std::less<>>& module_names)
    : function_(function), module_names_(module_names), scopes_(1) {}

void FunctionScope::enter(std::uint32_t line) {
  if (++depth_ > kDeepestScope) throw ParseError(line, "scopes nested too deeply");
  scopes_.emplace_back().parent = current_;
  current_ = scopes_.size() - 1;
}

bool FunctionScope::leave() {
  if (current_ == 0) return false;
  --depth_;
  // Nothing outside can see these names again; labels are kept for resolve_labels().
  scopes_[current_].names.clear();
  scopes_[current_].ranges.clear();
  current_ = scopes_[current_].parent;
  return true;
}

std::string FunctionScope::unique(std::string_view name, std::set<std::string, std::less<>>& taken,
                                  bool hides_module_name) {
  std::string result(name);
  // One counter for the whole function: probing for a free number per name could be made quadratic.
  if (hides_module_name || taken.contains(result)) result += '@' + std::to_string(next_suffix_++);
  taken.insert(result);
  return result;
}

std::uint32_t FunctionScope::add_register(std::string_view name, Type type, std::uint32_t vector_size) {
  function_.registers.push_back(Register{unique(name, taken_names_, module_names_.contains(name)), type, vector_size});
  return static_cast<std::uint32_t>(function_.registers.size() - 1);
}

std::uint32_t FunctionScope::make_register(Type type) {
  return add_register("_", type, 1);
}

void FunctionScope::require_new(std::string_view name, std::uint32_t line) const {
  if (is_reserved_name(name)) throw ParseError(line, in_backticks(name) + " is a name of the language");
  if (scopes_[current_].names.contains(name)) throw ParseError(line, in_backticks(name) + " is declared twice");
}

void FunctionScope::declare_register(std::string_view name, Type type, std::uint32_t vector_size, std::uint32_t line) {
  require_new(name, line);
  scopes_[current_].names.emplace(name, RegisterEntry{add_register(name, type, vector_size)});
}

void FunctionScope::declare_range(std::string_view prefix, std::uint64_t count, Type type, std::uint32_t vector_size,
                                  std::uint32_t line) {
  if (!scopes_[current_].ranges.emplace(prefix, RangeEntry{count, type, vector_size}).second) {
    throw ParseError(line, "registers " + in_backticks(std::string(prefix) + "<...>") + " are declared twice");
  }
}

void FunctionScope::declare_parameter(std::string_view name, std::uint32_t line) {
  require_new(name, line);
  taken_names_.emplace(name);
  scopes_[current_].names.emplace(name, VariableEntry{std::string(name)});
}

std::string FunctionScope::declare_variable(std::string_view name, std::uint32_t line) {
  require_new(name, line);
  std::string result = unique(name, taken_names_, module_names_.contains(name));
  scopes_[current_].names.emplace(name, VariableEntry{result});
  return result;
}

std::string FunctionScope::declare_label(std::string_view name, LabelKind kind, std::uint32_t line) {
  if (scopes_[current_].labels.contains(name))
    throw ParseError(line, "label " + in_backticks(name) + " is declared twice");
  std::string result = unique(name, taken_labels_, false);
  scopes_[current_].labels.emplace(name, LabelEntry{result, kind});
  return result;
}

// "%rd12" is number 12 of range "%rd", or 2 of "%rd1": every split into a prefix and a number without leading zeros.
std::optional<std::uint32_t> FunctionScope::find_in_ranges(Scope& scope, std::string_view name) {
  if (scope.ranges.empty()) return std::nullopt;
  constexpr std::size_t kMostDigits = 10;
  for (std::size_t digits = 1; digits <= kMostDigits && digits < name.size(); ++digits) {
    const char first = name[name.size() - digits];
    if (first < '0' || first > '9') break;
    if (first == '0' && digits > 1) continue;
    const auto range = scope.ranges.find(name.substr(0, name.size() - digits));
    if (range == scope.ranges.end()) continue;
    std::uint64_t number = 0;
    std::from_chars(name.data() + name.size() - digits, name.data() + name.size(), number);
    if (number >= range->second.count) continue;
    const std::uint32_t index = add_register(name, range->second.type, range->second.vector_size);
    scope.names.emplace(name, RegisterEntry{index});
    return index;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> FunctionScope::find_register(std::string_view name) {
  if (is_special_register(name)) return std::nullopt;  // ".reg .b32 %clock<100>" does not make %clock64 its own
  for (std::size_t at = current_;; at = scopes_[at].parent) {
    Scope& scope = scopes_[at];
    if (const auto found = scope.names.find(name); found != scope.names.end()) {
      const auto* const entry = std::get_if<RegisterEntry>(&found->second);
      return entry != nullptr ? std::optional(entry->index) : std::nullopt;
    }
    if (const auto index = find_in_ranges(scope, name)) return index;
    if (at == 0) return std::nullopt;
  }
}

std::optional<std::string> FunctionScope::find_variable(std::string_view name) const {
  for (std::size_t at = current_;; at = scopes_[at].parent) {
    const Scope& scope = scopes_[at];
    if (const auto found = scope.names.find(name); found != scope.names.end()) {
      const auto* const entry = std::get_if<VariableEntry>(&found->second);
      return entry != nullptr ? std::optional(entry->unique_name) : std::nullopt;
    }
    if (at == 0) return std::nullopt;
  }
}

bool FunctionScope::label_is_declared(std::string_view name) const {
  for (std::size_t at = current_;; at = scopes_[at].parent) {
    if (scopes_[at].labels.contains(name)) return true;
    if (at == 0) return false;
  }
}

void FunctionScope::refer_to_label(std::string_view name, std::uint32_t instruction, std::uint32_t operand,
                                   std::uint32_t line) {
  label_uses_.push_back({name, current_, line, instruction, operand, {}});
}

void FunctionScope::refer_from_table(std::string_view name, const std::string& table, std::uint32_t line) {
  label_uses_.push_back({name, current_, line, 0, 0, table});
}

const FunctionScope::LabelEntry& FunctionScope::find_label(const LabelUse& use) const {
  for (std::size_t at = use.scope;; at = scopes_[at].parent) {
    const auto found = scopes_[at].labels.find(use.name);
    if (found != scopes_[at].labels.end()) return found->second;
    if (at == 0) throw ParseError(use.line, "label " + in_backticks(use.name) + " is not declared in this function");
  }
}

void FunctionScope::resolve_labels() {
  for (const LabelUse& use : label_uses_) {
    const LabelEntry& label = find_label(use);
    const auto refuse = [&](const char* what) {
      throw ParseError(use.line, in_backticks(use.name) + " is not " + what);
    };
    if (!use.table.empty()) {
      if (label.kind != LabelKind::code) refuse("a label of an instruction");
      function_.branch_targets.find(use.table)->second.push_back(label.unique_name);
      continue;
    }
    Instruction& instruction = function_.instructions[use.instruction];
    const Flow flow = facts_of(instruction.code).flow;
    if (flow == Flow::jump && label.kind != LabelKind::code) refuse("a label of an instruction");
    if (flow == Flow::table && label.kind != LabelKind::branch_targets) refuse("a .branchtargets table");
    if (flow == Flow::call && label.kind != LabelKind::call_targets && label.kind != LabelKind::call_prototype) {
      refuse("a .callprototype or .calltargets");
    }
    std::get<LabelRef>(instruction.operands[use.operand].value).name = label.unique_name;
  }
}

}  // namespace cudalabs::vgpu::ptx
