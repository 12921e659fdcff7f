// A parsed module back to PTX text, so that parsing can be checked by parsing again.
#include "print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace cudalabs::vgpu::ptx {
namespace {

// The suffix of a name made unique cannot be written in PTX.
std::string written(const std::string& name) {
  const std::size_t at = name.find('@');
  return at == std::string::npos ? name : name.substr(0, at) + "$unique$" + name.substr(at + 1);
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
    result += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return result;
}

std::string offset_text(std::int64_t offset) {
  return offset == 0 ? std::string() : fmt::format("+{}", offset);
}

bool is_nameless(const Register& reg) {
  return reg.name == "_" || reg.name.starts_with("_@");
}

class Printer {
 public:
  explicit Printer(const Module& module) : module_(module) {}

  std::string text() {
    out_ = fmt::format(".version {}.{}\n.target {}\n.address_size 64\n", module_.version_major, module_.version_minor,
                       module_.target);
    for (std::size_t i = 0; i < module_.files.size(); ++i) {
      out_ += fmt::format(".file {} \"{}\"\n", i, escaped(module_.files[i]));
    }
    for (const Function& function : module_.functions) declaration(function);
    for (const Variable& variable : module_.variables) this->variable(variable);
    for (const auto& [name, target] : module_.aliases) out_ += fmt::format(".alias {}, {};\n", name, target);
    for (const Function& function : module_.functions) {
      if (!function.is_declaration) definition(function);
    }
    return std::move(out_);
  }

 private:
  static std::string_view space_name(Space space) {
    switch (space) {
      case Space::reg:
        return "reg";
      case Space::param:
        return "param";
      case Space::local:
        return "local";
      case Space::shared:
        return "shared";
      case Space::global:
        return "global";
      case Space::constant:
        return "const";
      case Space::generic:
        break;
    }
    return "generic";
  }

  static std::string head(const Variable& variable) {
    std::string text = fmt::format(".{}{} .align {}", space_name(variable.space),
                                   variable.is_managed ? " .attribute(.managed)" : "", variable.alignment);
    if (variable.vector_size != 1) text += fmt::format(" .v{}", variable.vector_size);
    text += fmt::format(" .{} {}", name_of(variable.type), written(variable.name));
    if (variable.space == Space::reg) return text;
    if (variable.is_extern && variable.size == 0) return text + "[]";
    return text + fmt::format("[{}]", variable.size / size_in_bytes(variable.type) / variable.vector_size);
  }

  static std::string address(const Variable::Relocation& relocation) {
    const std::string symbol = written(relocation.symbol);
    return (relocation.generic ? fmt::format("generic({})", symbol) : symbol) + offset_text(relocation.addend);
  }

  static std::string initial(const Variable& variable) {
    const std::uint64_t scalar = size_in_bytes(variable.type);
    std::string text;
    auto relocation = variable.relocations.begin();
    for (std::uint64_t at = 0; at < variable.size; at += scalar) {
      if (!text.empty()) text += ", ";
      if (relocation != variable.relocations.end() && at >= relocation->offset) {
        const std::uint64_t byte = at - relocation->offset;
        text += scalar == 8 ? address(*relocation)
                            : fmt::format("{:#x}({})", std::uint64_t{0xFF} << (8 * byte), address(*relocation));
        if (scalar == 8 || byte == 7) ++relocation;
        continue;
      }
      std::uint64_t bits = 0;
      std::memcpy(&bits, variable.initial.data() + at, std::min<std::uint64_t>(scalar, 8));
      if (variable.type == Type::f32) {
        text += fmt::format("0f{:08X}", bits);
      } else if (variable.type == Type::f64) {
        text += fmt::format("0d{:016X}", bits);
      } else {
        text += std::to_string(bits);
      }
    }
    // A vector's scalars are an innermost list; leaving its braces out means the same.
    return fmt::format(" = {{{}}}", text);
  }

  void variable(const Variable& variable) {
    if (variable.is_extern) out_ += ".extern ";
    out_ += head(variable);
    if (!variable.initial.empty()) out_ += initial(variable);
    out_ += ";\n";
  }

  static std::string parameters(const std::vector<Variable>& list) {
    std::string text = "(";
    for (const Variable& parameter : list) text += (text.size() > 1 ? ", " : "") + head(parameter);
    return text + ")";
  }

  void header(const Function& function) {
    out_ += function.is_entry ? ".entry " : ".func ";
    if (!function.results.empty()) out_ += parameters(function.results) + " ";
    out_ += function.name + parameters(function.parameters);
    if (function.max_threads) out_ += fmt::format(" .maxntid {}", *function.max_threads);
  }

  void declaration(const Function& function) {
    header(function);
    out_ += ";\n";
  }

  void definition(const Function& function) {
    header(function);
    out_ += "\n{\n";
    std::size_t declared = 0;  // register parameters, which come first
    for (const auto* list : {&function.results, &function.parameters}) {
      for (const Variable& parameter : *list) declared += parameter.space == Space::reg && parameter.name != "_";
    }
    for (std::size_t i = declared; i < function.registers.size(); ++i) {
      const Register& reg = function.registers[i];
      if (is_nameless(reg)) continue;
      const std::string vector = reg.vector_size == 1 ? std::string() : fmt::format(".v{} ", reg.vector_size);
      out_ += fmt::format(".reg {}.{} {};\n", vector, name_of(reg.type), written(reg.name));
    }
    for (const Variable& variable : function.variables) this->variable(variable);
    tables(function);
    code(function);
    out_ += "}\n";
  }

  void tables(const Function& function) {
    const auto names = [&](const std::vector<std::string>& list) {
      std::string text;
      for (const std::string& name : list) text += (text.empty() ? " " : ", ") + written(name);
      return text + ";\n";
    };
    for (const auto& [name, targets] : function.branch_targets) {
      out_ += written(name) + ": .branchtargets" + names(targets);
    }
    for (const auto& [name, targets] : function.call_targets) out_ += written(name) + ": .calltargets" + names(targets);
    for (const auto& [name, prototype] : function.call_prototypes) {
      out_ += written(name) + ": .callprototype " + parameters(prototype.results) + " _ " +
              parameters(prototype.parameters) + ";\n";
    }
  }

  void code(const Function& function) {
    std::vector<std::pair<std::uint32_t, std::string>> labels;
    for (const auto& [name, index] : function.labels) labels.emplace_back(index, name);
    std::sort(labels.begin(), labels.end());
    auto label = labels.begin();
    Location location;
    for (std::uint32_t i = 0; i <= function.instructions.size(); ++i) {
      for (; label != labels.end() && label->first == i; ++label) out_ += written(label->second) + ":\n";
      if (i == function.instructions.size()) break;
      const Instruction& instruction = function.instructions[i];
      const Location& at = instruction.location;
      if (at.file != location.file || at.line != location.line || at.column != location.column) {
        out_ += fmt::format(".loc {} {} {}\n", at.file, at.line, at.column);
        location = at;
      }
      this->instruction(function, instruction);
    }
  }

  void instruction(const Function& function, const Instruction& instruction) {
    if (instruction.guard) {
      out_ += instruction.guard->negated ? "@!" : "@";
      out_ += written(function.registers[instruction.guard->predicate].name) + " ";
    }
    opcode_ = instruction.opcode;
    out_ += opcode_;
    for (const std::string& suffix : instruction.suffixes) out_ += "." + suffix;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      out_ += i == 0 ? " " : ", ";
      operand(function, instruction.operands[i]);
    }
    out_ += ";\n";
  }

  void elements(const Function& function, const std::vector<Operand>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out_ += ", ";
      operand(function, list[i]);
    }
  }

  std::string register_name(const Function& function, std::uint32_t index) const {
    const Register& reg = function.registers[index];
    return is_nameless(reg) ? "_" : written(reg.name);
  }

  void operand(const Function& function, const Operand& operand) {
    if (operand.negated) out_ += opcode_ == "vmad" ? "-" : "!";
    std::visit([&](const auto& value) { print_value(function, value); }, operand.value);
    if (operand.component) (out_ += ".") += *operand.component;
    if (operand.selector.count > 0) out_ += operand.selector.half_words ? ".h" : ".b";
    for (std::size_t i = 0; i < operand.selector.count; ++i) out_ += std::to_string(operand.selector.parts[i]);
  }

  void print_value(const Function& function, const RegisterRef& value) { out_ += register_name(function, value.index); }
  void print_value(const Function&, const IntegerImmediate& value) { out_ += std::to_string(value.bits); }
  void print_value(const Function&, const FloatImmediate& value) {
    out_ += value.single ? fmt::format("0f{:08X}", value.bits) : fmt::format("0d{:016X}", value.bits);
  }
  void print_value(const Function&, const SymbolRef& value) { out_ += written(value.name) + offset_text(value.offset); }
  void print_value(const Function&, const SpecialRegister& value) {
    out_ += value.name;
    if (value.component != 0) (out_ += ".") += value.component;
  }
  void print_value(const Function&, const LabelRef& value) { out_ += written(value.name); }
  void print_value(const Function&, const Discard&) { out_ += "_"; }
  void print_value(const Function& function, const Address& value) {
    out_ += "[";
    if (const auto* const reg = std::get_if<RegisterRef>(&value.base)) {
      out_ += register_name(function, reg->index) + offset_text(value.offset);
    } else if (const auto* const symbol = std::get_if<SymbolRef>(&value.base)) {
      out_ += written(symbol->name) + offset_text(symbol->offset) + offset_text(value.offset);
    } else {
      out_ += std::to_string(static_cast<std::uint64_t>(value.offset));
    }
    out_ += "]";
  }
  void print_value(const Function& function, const VectorOperand& value) {
    out_ += "{";
    elements(function, value.elements);
    out_ += "}";
  }
  void print_value(const Function& function, const PredicatePair& value) {
    out_ += register_name(function, value.first) + "|";
    out_ += value.second ? register_name(function, *value.second) : "_";
  }
  void print_value(const Function& function, const ListOperand& value) {
    out_ += "(";
    elements(function, value.elements);
    out_ += ")";
  }

  const Module& module_;
  std::string opcode_;  // of the instruction whose operands are printed: it says what a sign means
  std::string out_;
};

}  // namespace

std::string print(const Module& module) {
  return Printer(module).text();
}

}  // namespace cudalabs::vgpu::ptx
