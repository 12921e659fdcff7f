// Names of several modules become those of one.
#include "vgpu/ptx/link_modules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <variant>

namespace cudalabs::vgpu::ptx {
namespace {

using Names = std::set<std::string, std::less<>>;

/// Calls `use` with every name in the operand that may be that of a variable or function.
template <class Use>
void each_symbol(Operand& operand, const Use& use) {
  if (auto* symbol = std::get_if<SymbolRef>(&operand.value)) {
    use(symbol->name);
  } else if (auto* address = std::get_if<Address>(&operand.value)) {
    if (auto* base = std::get_if<SymbolRef>(&address->base)) use(base->name);
  } else if (auto* vector = std::get_if<VectorOperand>(&operand.value)) {
    for (Operand& element : vector->elements) each_symbol(element, use);
  } else if (auto* list = std::get_if<ListOperand>(&operand.value)) {
    for (Operand& element : list->elements) each_symbol(element, use);
  }
}

template <class Use>
void each_symbol(Function& function, const Use& use) {
  for (Instruction& instruction : function.instructions) {
    for (Operand& operand : instruction.operands) each_symbol(operand, use);
  }
  for (auto& [label, targets] : function.call_targets) {
    for (std::string& target : targets) use(target);
  }
  for (Variable& variable : function.variables) {
    for (Variable::Relocation& relocation : variable.relocations) use(relocation.symbol);
  }
}

void move_lines(std::vector<Variable>& variables, std::uint32_t by) {
  for (Variable& variable : variables) variable.ptx_line += by;
}

class Linker {
 public:
  explicit Linker(std::vector<TypedModule>& modules) {
    for (const TypedModule& part : modules) {
      for (const Variable& variable : part.module.variables) note(variable.name, is_own(variable));
      for (const Function& function : part.module.functions) note(function.name, is_own(function));
    }
    linked_.module.version_major = modules.front().module.version_major;
    linked_.module.version_minor = modules.front().module.version_minor;
    linked_.module.target = modules.front().module.target;
    linked_.module.files.emplace_back();
  }

  void add(TypedModule part, std::uint32_t lines_before) {
    rename_own(part);
    rename_shared(part);
    move_lines(part.module, lines_before);
    merge_files(part.module);
    for (Variable& variable : part.module.variables) add(std::move(variable), part.types);
    for (Function& function : part.module.functions) keep_types(function, part.types);
    for (Function& function : part.module.functions) add(std::move(function));
    linked_.module.aliases.merge(part.module.aliases);
  }

  TypedModule take() { return std::move(linked_); }

 private:
  static bool is_own(const Variable& variable) { return variable.linkage == Linkage::local && !variable.is_extern; }
  static bool is_own(const Function& function) {
    return function.linkage == Linkage::local && !function.is_declaration;
  }

  void note(const std::string& name, bool own) {
    all_.insert(name);
    if (!own) common_.insert(name);
  }

  std::string apart(const std::string& name) {
    return std::string(name_in_text(name)).append(kApart) + std::to_string(++names_apart_);
  }

  /// Names that are the module's own, and taken.
  void rename_own(TypedModule& part) {
    NameMap<std::string> renamed;
    const auto rename = [&](std::string& name) {
      if (!common_.contains(name) && own_.insert(name).second) return;
      const std::string written = std::exchange(name, apart(name));
      renamed.emplace(written, name);
    };
    for (Variable& variable : part.module.variables) {
      if (is_own(variable)) rename(variable.name);
    }
    for (Function& function : part.module.functions) {
      if (is_own(function)) rename(function.name);
    }
    if (renamed.empty()) return;
    const auto use = [&](std::string& name) {
      if (const auto found = renamed.find(name); found != renamed.end()) name = found->second;
    };
    for (Variable& variable : part.module.variables) {
      for (Variable::Relocation& relocation : variable.relocations) use(relocation.symbol);
    }
    for (Function& function : part.module.functions) {
      Names inner;  // which hide those of the module
      for (const auto* variables : {&function.parameters, &function.results, &function.variables}) {
        for (const Variable& variable : *variables) inner.insert(variable.name);
      }
      each_symbol(function, [&](std::string& name) {
        if (!inner.contains(name)) use(name);
      });
    }
    NameMap<std::string> aliases;
    for (auto& [name, target] : part.module.aliases) {
      use(target);
      aliases.emplace(name, std::move(target));
    }
    part.module.aliases = std::move(aliases);
    for (const auto& [name, new_name] : renamed) {
      if (auto type = part.types.extract(name)) {
        type.key() = new_name;
        part.types.insert(std::move(type));
      }
    }
  }

  /// Shared variables of functions, which a kernel may come to from several modules.
  void rename_shared(TypedModule& part) {
    for (Function& function : part.module.functions) {
      NameMap<std::string> renamed;
      for (Variable& variable : function.variables) {
        if (variable.space != Space::shared || all_.insert(variable.name).second) continue;
        const std::string written = std::exchange(variable.name, apart(variable.name));
        renamed.emplace(written, variable.name);
        if (const auto type = part.types.find(name_in_text(written)); type != part.types.end())
          linked_.types.emplace(variable.name, type->second);
      }
      if (renamed.empty()) continue;
      each_symbol(function, [&](std::string& name) {
        if (const auto found = renamed.find(name); found != renamed.end()) name = found->second;
      });
    }
  }

  static void move_lines(Module& module, std::uint32_t by) {
    ptx::move_lines(module.variables, by);
    for (Function& function : module.functions) {
      function.ptx_line += by;
      for (auto* variables : {&function.parameters, &function.results, &function.variables})
        ptx::move_lines(*variables, by);
      for (Instruction& instruction : function.instructions) instruction.ptx_line += by;
    }
  }

  void merge_files(Module& module) {
    std::vector<std::uint32_t> numbers(module.files.size());
    std::vector<std::string>& files = linked_.module.files;
    for (std::size_t i = 1; i < module.files.size(); ++i) {
      const auto [known, is_new] = files_.emplace(module.files[i], files.size());
      if (is_new) files.push_back(std::move(module.files[i]));
      numbers[i] = known->second;
    }
    std::vector<InlinedCall>& calls = linked_.module.calls;
    const auto calls_before = static_cast<std::uint32_t>(calls.size() - 1);
    const auto move_call = [&](std::uint32_t& call) {
      if (call != 0) call += calls_before;
    };
    for (std::size_t i = 1; i < module.calls.size(); ++i) {
      InlinedCall call = module.calls[i];
      call.at.file = numbers[call.at.file];
      move_call(call.caller);
      calls.push_back(call);
    }
    for (Function& function : module.functions) {
      for (Instruction& instruction : function.instructions) {
        move_call(instruction.call);
        if (instruction.location.line != 0) instruction.location.file = numbers[instruction.location.file];
      }
    }
  }

  void add(Variable variable, VariableTypes& types) {
    require_no(functions_, variable.name);
    const auto [at, is_new] = variables_.emplace(variable.name, linked_.module.variables.size());
    if (is_new) {
      keep_type(variable.name, types);
      linked_.module.variables.push_back(std::move(variable));
      return;
    }
    Variable& earlier = linked_.module.variables[at->second];
    if (!takes_its_place(earlier, earlier.is_extern, variable, variable.is_extern)) return;
    if (earlier.is_extern && variable.is_extern) {  // of which the launch gives the size, or that is missing
      if (const auto type = types.find(variable.name); type != types.end())
        forget_other_type(variable.name, type->second);
      earlier.alignment = std::max(earlier.alignment, variable.alignment);
      earlier.size = std::max(earlier.size, variable.size);
      return;
    }
    keep_type(variable.name, types);
    earlier = std::move(variable);
  }

  /// Files may see different arrays in what the launch gives the size of.
  void forget_other_type(const std::string& name, const std::shared_ptr<const DataType>& type) {
    const auto known = linked_.types.find(name);
    if (known == linked_.types.end()) return;
    const auto bytes = [](const DataType& array) { return array.element ? array.element->bytes : array.bytes; };
    if (bytes(*known->second) != bytes(*type)) linked_.types.erase(known);
  }

  void keep_type(const std::string& name, const VariableTypes& types) {
    if (const auto type = types.find(name); type != types.end()) linked_.types.insert_or_assign(name, type->second);
  }

  void keep_types(const Function& function, const VariableTypes& types) {
    for (const Variable& variable : function.variables) {
      const std::string_view name = name_in_text(variable.name);
      if (const auto type = types.find(name); type != types.end()) linked_.types.emplace(name, type->second);
    }
  }

  void add(Function function) {
    require_no(variables_, function.name);
    const auto [at, is_new] = functions_.emplace(function.name, linked_.module.functions.size());
    if (is_new) {
      linked_.module.functions.push_back(std::move(function));
      return;
    }
    Function& earlier = linked_.module.functions[at->second];
    if (earlier.is_entry != function.is_entry)
      throw LinkError("`" + function.name + "` is a kernel in one file and a function in another");
    if (takes_its_place(earlier, earlier.is_declaration, function, function.is_declaration))
      earlier = std::move(function);
  }

  template <class Symbol>
  static bool takes_its_place(const Symbol& earlier, bool earlier_is_declared, const Symbol& later,
                              bool later_is_declared) {
    if (earlier_is_declared) return true;
    if (later_is_declared || later.linkage == Linkage::weak) return false;
    if (earlier.linkage == Linkage::weak) return true;
    throw LinkError("`" + later.name + "` is defined in the device code of two files");
  }

  static void require_no(const NameMap<std::size_t>& symbols, const std::string& name) {
    if (symbols.contains(name)) throw LinkError("`" + name + "` is a function in one file and a variable in another");
  }

  TypedModule linked_;
  std::size_t names_apart_ = 0;
  Names all_, common_;  // names of all modules; those of them that modules share
  Names own_;           // taken so far, of those that are one module's own
  NameMap<std::size_t> variables_, functions_;
  NameMap<std::uint32_t> files_;
};

}  // namespace

TypedModule link_modules(std::vector<TypedModule> modules, std::span<const std::string> texts) {
  if (modules.size() == 1) return std::move(modules.front());
  const std::vector<std::uint32_t> lines = first_lines(texts);
  Linker linker(modules);
  for (std::size_t i = 0; i < modules.size(); ++i) linker.add(std::move(modules[i]), lines[i] - 1);
  return linker.take();
}

std::vector<std::uint32_t> first_lines(std::span<const std::string> texts) {
  std::vector<std::uint32_t> lines;
  std::uint32_t next = 1;
  for (const std::string& text : texts) {
    lines.push_back(next);
    next += static_cast<std::uint32_t>(std::ranges::count(text, '\n')) + 1;
  }
  return lines;
}

Refusal refusal_of(std::span<const std::string> texts, std::uint32_t line, std::string reason, Defect defect) {
  const std::vector<std::uint32_t> lines = first_lines(texts);
  const auto after = std::ranges::upper_bound(lines, std::max(line, 1u));
  const auto text = static_cast<std::size_t>(after - lines.begin()) - 1;
  return refusal_of(texts[text], line - lines[text] + 1, std::move(reason), defect);
}

}  // namespace cudalabs::vgpu::ptx
