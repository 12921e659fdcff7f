// What the names in a function body mean, scope by scope; the only place that makes scoped names unique.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {

/// What a label names: a place in the code, or a table declared by a directive.
enum class LabelKind : std::uint8_t { code, branch_targets, call_targets, call_prototype };

/// The scopes of one function. Names are views of the PTX text, which must outlive it. Registers go straight into the
/// function; labels may be used before they are declared, so references to them are settled by resolve_labels().
class FunctionScope {
 public:
  /// `module_names`: every name declared at module scope so far; a name in the body that hides one is made unique.
  FunctionScope(Function& function, const std::set<std::string, std::less<>>& module_names);

  void enter(std::uint32_t line);
  /// False when only the function's own scope is left.
  bool leave();

  void declare_register(std::string_view name, Type type, std::uint32_t vector_size, std::uint32_t line);
  /// ".reg .b32 %r<30>": %r0 to %r29, made when they are mentioned, whatever the count.
  void declare_range(std::string_view prefix, std::uint64_t count, Type type, std::uint32_t vector_size,
                     std::uint32_t line);
  /// A parameter keeps its name; a variable of the body gets the unique name that is returned.
  void declare_parameter(std::string_view name, std::uint32_t line);
  std::string declare_variable(std::string_view name, std::uint32_t line);
  std::string declare_label(std::string_view name, LabelKind kind, std::uint32_t line);

  std::optional<std::uint32_t> find_register(std::string_view name);
  /// The unique name of a variable or parameter in scope.
  std::optional<std::string> find_variable(std::string_view name) const;
  /// Whether a label in scope has been declared so far.
  bool label_is_declared(std::string_view name) const;
  /// A register nobody else names.
  std::uint32_t make_register(Type type);

  /// Notes that operand `operand` of instruction `instruction` is a LabelRef to `name` as seen from here.
  void refer_to_label(std::string_view name, std::uint32_t instruction, std::uint32_t operand, std::uint32_t line);
  /// Notes that an entry of branch table `table` is the code label `name` as seen from here.
  void refer_from_table(std::string_view name, const std::string& table, std::uint32_t line);
  /// Settles all references; throws ParseError for a label that was never declared, or of the wrong kind.
  void resolve_labels();

 private:
  struct RegisterEntry {
    std::uint32_t index;
  };
  struct VariableEntry {
    std::string unique_name;
  };
  struct RangeEntry {
    std::uint64_t count;
    Type type;
    std::uint32_t vector_size;
  };
  struct LabelEntry {
    std::string unique_name;
    LabelKind kind;
  };
  struct Scope {
    std::size_t parent = 0;
    std::map<std::string_view, std::variant<RegisterEntry, VariableEntry>> names;
    std::map<std::string_view, RangeEntry> ranges;
    std::map<std::string_view, LabelEntry> labels;
  };
  struct LabelUse {
    std::string_view name;
    std::size_t scope;
    std::uint32_t line;
    std::uint32_t instruction = 0, operand = 0;
    std::string table;  // of a table entry; empty for an operand
  };

  std::string unique(std::string_view name, std::set<std::string, std::less<>>& taken, bool hides_module_name);
  std::optional<std::uint32_t> find_in_ranges(Scope& scope, std::string_view name);
  std::uint32_t add_register(std::string_view name, Type type, std::uint32_t vector_size);
  void require_new(std::string_view name, std::uint32_t line) const;
  const LabelEntry& find_label(const LabelUse& use) const;

  Function& function_;
  const std::set<std::string, std::less<>>& module_names_;
  std::vector<Scope> scopes_;  // all of them, for resolve_labels(); the open ones are a path to current_
  std::size_t current_ = 0;
  int depth_ = 0;
  std::uint64_t next_suffix_ = 1;
  std::set<std::string, std::less<>> taken_names_, taken_labels_;
  std::vector<LabelUse> label_uses_;
};

}  // namespace cudalabs::vgpu::ptx
