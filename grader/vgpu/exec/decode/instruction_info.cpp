// What observers may ask about a PTX instruction.
#include "vgpu/exec/decode/instruction_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <type_traits>
#include <vector>

namespace cudalabs::vgpu::exec {

namespace {

using ptx::Type;

const std::map<std::string_view, OpcodeClass>& fixed_classes() {
  using enum OpcodeClass;
  static const std::map<std::string_view, OpcodeClass> kClasses{{"setp", comparison},
                                                                {"set", comparison},
                                                                {"selp", comparison},
                                                                {"slct", comparison},
                                                                {"testp", comparison},
                                                                {"cvt", conversion},
                                                                {"cvta", conversion},
                                                                {"isspacep", comparison},
                                                                {"mov", move},
                                                                {"ld", load},
                                                                {"ldu", load},
                                                                {"st", store},
                                                                {"atom", atomic},
                                                                {"red", atomic},
                                                                {"bar", barrier},
                                                                {"barrier", barrier},
                                                                {"shfl", warp_sync},
                                                                {"vote", warp_sync},
                                                                {"match", warp_sync},
                                                                {"redux", warp_sync},
                                                                {"elect", warp_sync},
                                                                {"membar", fence},
                                                                {"fence", fence},
                                                                {"bra", branch},
                                                                {"brx", branch},
                                                                {"call", call},
                                                                {"ret", exit},
                                                                {"exit", exit},
                                                                {"trap", exit},
                                                                {"rcp", special_function},
                                                                {"sqrt", special_function},
                                                                {"rsqrt", special_function},
                                                                {"sin", special_function},
                                                                {"cos", special_function},
                                                                {"ex2", special_function},
                                                                {"lg2", special_function},
                                                                {"tanh", special_function},
                                                                {"activemask", move},
                                                                {"cp", load},
                                                                {"nanosleep", other}};
  return kClasses;
}

struct Suffixes {
  std::vector<Type> types;
  bool half = false;
  std::uint32_t lanes = 1;
  std::optional<MemorySpace> space;
  bool parameter = false;
  bool warp = false;  // of bar.warp.sync
};

Suffixes read_suffixes(const ptx::Instruction& instruction) {
  Suffixes read;
  for (const std::string& suffix : instruction.suffixes) {
    if (const std::optional<Type> type = ptx::type_from_name(suffix)) {
      read.types.push_back(*type);
    } else if (suffix == "v2") {
      read.lanes = 2;
    } else if (suffix == "v4") {
      read.lanes = 4;
    } else if (suffix == "global") {
      read.space = MemorySpace::global;
    } else if (suffix.starts_with("shared")) {
      read.space = MemorySpace::shared;
    } else if (suffix == "local") {
      read.space = MemorySpace::local;
    } else if (suffix == "const") {
      read.space = MemorySpace::constant;
    } else if (suffix.starts_with("param")) {
      read.parameter = true;
    } else if (suffix == "warp") {
      read.warp = true;
    }
  }
  return read;
}

bool is_half(Type type) {
  return type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
}

}  // namespace

InstructionInfo describe_instruction(const ptx::Instruction& instruction) {
  InstructionInfo info;
  info.ptx_line = instruction.ptx_line;
  const Suffixes suffixes = read_suffixes(instruction);
  const Type type = suffixes.types.empty() ? Type::none : suffixes.types.front();
  const std::string_view opcode = instruction.opcode;
  const auto found = fixed_classes().find(opcode);
  if (found != fixed_classes().end()) {
    info.opcode_class = found->second;
    if (opcode == "cvt" && std::ranges::find(suffixes.types, Type::f64) != suffixes.types.end()) {
      info.opcode_class = OpcodeClass::float64_conversion;
    }
  } else if (is_half(type)) {
    info.opcode_class = OpcodeClass::float16;
  } else if (type == Type::f32) {
    info.opcode_class = opcode == "div" ? OpcodeClass::special_function : OpcodeClass::float32;
  } else if (type == Type::f64) {
    info.opcode_class = opcode == "div" ? OpcodeClass::special_function : OpcodeClass::float64;
  } else if (type == Type::pred) {
    info.opcode_class = OpcodeClass::comparison;
  } else if (type != Type::none) {
    info.opcode_class = OpcodeClass::integer;
  }
  switch (info.opcode_class) {
    case OpcodeClass::load:
    case OpcodeClass::store:
    case OpcodeClass::atomic:
      if (suffixes.parameter) {
        info.opcode_class = OpcodeClass::move;
        break;
      }
      info.space = opcode == "cp" ? MemorySpace::global : suffixes.space;
      info.bytes = static_cast<std::uint8_t>(suffixes.lanes * ptx::size_in_bytes(type));
      break;
    case OpcodeClass::barrier:
      if (suffixes.warp) info.opcode_class = OpcodeClass::warp_sync;
      break;
    case OpcodeClass::float16:
    case OpcodeClass::float32:
    case OpcodeClass::float64:
    case OpcodeClass::special_function:
      if (opcode != "neg" && opcode != "abs" && opcode != "copysign") {
        const int packed = type == Type::f16x2 || type == Type::bf16x2 ? 2 : 1;
        info.operations = static_cast<std::uint8_t>((opcode == "fma" || opcode == "mad" ? 2 : 1) * packed);
      }
      break;
    default:
      break;
  }
  return info;
}

namespace {

std::string with_offset(const std::string& base, std::int64_t offset) {
  return offset == 0 ? base : fmt::format("{}{:+}", base, offset);
}

std::string operand_text(const ptx::Operand& operand, const ptx::Function& function);

std::string list_text(const std::vector<ptx::Operand>& elements, const ptx::Function& function) {
  std::string text;
  for (const ptx::Operand& element : elements) {
    if (!text.empty()) text += ", ";
    text += operand_text(element, function);
  }
  return text;
}

std::string operand_text(const ptx::Operand& operand, const ptx::Function& function) {
  const auto name = [&](std::uint32_t index) { return function.registers[index].name; };
  std::string text = std::visit(
      [&](const auto& value) -> std::string {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, ptx::RegisterRef>) {
          return name(value.index);
        } else if constexpr (std::is_same_v<T, ptx::IntegerImmediate>) {
          return std::to_string(static_cast<std::int64_t>(value.bits));
        } else if constexpr (std::is_same_v<T, ptx::FloatImmediate>) {
          return fmt::format("{}{:x}", value.single ? "0f" : "0d", value.bits);
        } else if constexpr (std::is_same_v<T, ptx::SymbolRef>) {
          return with_offset(value.name, value.offset);
        } else if constexpr (std::is_same_v<T, ptx::SpecialRegister>) {
          return value.component == 0 ? value.name : fmt::format("{}.{}", value.name, value.component);
        } else if constexpr (std::is_same_v<T, ptx::LabelRef>) {
          return value.name;
        } else if constexpr (std::is_same_v<T, ptx::Discard>) {
          return "_";
        } else if constexpr (std::is_same_v<T, ptx::Address>) {
          std::string base;
          if (const auto* reg = std::get_if<ptx::RegisterRef>(&value.base)) base = name(reg->index);
          if (const auto* symbol = std::get_if<ptx::SymbolRef>(&value.base))
            base = with_offset(symbol->name, symbol->offset);
          return fmt::format("[{}]", base.empty() ? std::to_string(value.offset) : with_offset(base, value.offset));
        } else if constexpr (std::is_same_v<T, ptx::VectorOperand>) {
          return fmt::format("{{{}}}", list_text(value.elements, function));
        } else if constexpr (std::is_same_v<T, ptx::PredicatePair>) {
          return fmt::format("{}|{}", name(value.first), value.second ? name(*value.second) : "_");
        } else {
          return fmt::format("({})", list_text(value.elements, function));
        }
      },
      operand.value);
  if (operand.component) text.append({'.', *operand.component});
  if (operand.negated) text.insert(text.begin(), '!');
  return text;
}

}  // namespace

std::string instruction_text(const ptx::Instruction& instruction, const ptx::Function& function) {
  std::string text;
  if (instruction.guard) {
    text = fmt::format("@{}{} ", instruction.guard->negated ? "!" : "",
                       function.registers[instruction.guard->predicate].name);
  }
  text += instruction.opcode;
  for (const std::string& suffix : instruction.suffixes) text.append(".").append(suffix);
  if (!instruction.operands.empty()) text.append(" ").append(list_text(instruction.operands, function));
  return text;
}

}  // namespace cudalabs::vgpu::exec
