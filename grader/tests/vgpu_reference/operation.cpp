// An arithmetic instruction as its opcode and suffixes say it, and what it computes from bit patterns.
#include "operation.h"

#include <set>
#include <stdexcept>

#include "oracle.h"

namespace cudalabs::reference {
namespace {

const std::set<std::string> kOpcodes{
    "add",  "sub",   "mul",      "mad",  "mul24", "mad24", "sad",   "div",  "rem",  "abs",       "neg",
    "min",  "max",   "popc",     "clz",  "brev",  "bfind", "bfe",   "bfi",  "dp4a", "dp2a",      "addc",
    "subc", "madc",  "and",      "or",   "xor",   "not",   "cnot",  "lop3", "shf",  "shl",       "shr",
    "prmt", "bmsk",  "szext",    "fma",  "rcp",   "sqrt",  "rsqrt", "sin",  "cos",  "ex2",       "lg2",
    "tanh", "testp", "copysign", "setp", "set",   "selp",  "slct",  "cvt",  "fns",  "vabsdiff2", "vabsdiff4"};

const std::set<std::string> kModes{"lo",         "hi",     "wide",      "l",    "r",      "f4e",      "b4e",
                                   "rc8",        "ecl",    "ecr",       "rc16", "finite", "infinite", "number",
                                   "notanumber", "normal", "subnormal", "pack", "add"};

const std::set<std::string> kCompares{"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                      "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

Rounding rounding_of(const std::string& suffix) {
  if (suffix == "rn" || suffix == "rni") return Rounding::nearest;
  if (suffix == "rz" || suffix == "rzi") return Rounding::zero;
  if (suffix == "rm" || suffix == "rmi") return Rounding::down;
  if (suffix == "rp" || suffix == "rpi") return Rounding::up;
  return Rounding::none;
}

Type twice_as_wide(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      throw std::invalid_argument("no type is twice as wide");
  }
}

}  // namespace

std::optional<Operation> operation_of(const vgpu::ptx::Instruction& instruction) {
  Operation operation;
  operation.oracle = find_oracle(instruction);
  if (operation.oracle != nullptr) {
    operation.opcode = instruction.opcode;
    return operation;
  }
  if (!kOpcodes.contains(instruction.opcode)) return std::nullopt;
  operation.opcode = instruction.opcode;
  const bool compares = instruction.opcode == "setp" || instruction.opcode == "set";
  std::vector<Type> types;
  for (const std::string& suffix : instruction.suffixes) {
    if (compares && operation.compare.empty() && kCompares.contains(suffix)) {
      operation.compare = suffix;
    } else if (const auto type = vgpu::ptx::type_from_name(suffix)) {
      types.push_back(*type);
    } else if (const Rounding rounding = rounding_of(suffix); rounding != Rounding::none) {
      operation.rounding = rounding;
      operation.to_integral = suffix.size() == 3;
    } else if (suffix == "ftz") {
      operation.ftz = true;
    } else if (suffix == "sat") {
      operation.saturate = true;
    } else if (suffix == "approx") {
      operation.approximate = true;
    } else if (suffix == "full") {
      operation.full = true;
    } else if (suffix == "NaN") {
      operation.propagate_nan = true;
    } else if (suffix == "xorsign") {
      operation.xorsign = true;
    } else if (suffix == "relu") {
      operation.relu = true;
    } else if (suffix == "shiftamt") {
      operation.shift_amount = true;
    } else if (suffix == "cc") {
      operation.carry_out = true;
    } else if (suffix == "wrap" || suffix == "clamp") {
      operation.mode += suffix;  // "lwrap" of shf.l.wrap
    } else if (compares && (suffix == "and" || suffix == "or" || suffix == "xor")) {
      operation.boolean = suffix;
    } else if (kModes.contains(suffix)) {
      operation.mode += suffix;
    } else if (!(operation.xorsign && suffix == "abs")) {
      throw std::invalid_argument("unknown suffix ." + suffix + " of " + instruction.opcode);
    }
  }
  if (types.empty()) throw std::invalid_argument(instruction.opcode + " without a type");
  operation.type = types[0];
  operation.source = types.size() > 1 ? types[1] : types[0];
  return operation;
}

Signature signature_of(const Operation& operation) {
  if (operation.oracle != nullptr) return signature_of(*operation.oracle);
  const std::string& opcode = operation.opcode;
  const Type type = operation.type;
  const auto same = [&](std::size_t count) { return Signature{type, std::vector<Type>(count, type)}; };
  if (opcode == "popc" || opcode == "clz" || opcode == "bfind") return {Type::u32, {type}};
  if (opcode == "abs" || opcode == "neg" || opcode == "not" || opcode == "cnot" || opcode == "brev" ||
      opcode == "rcp" || opcode == "sqrt" || opcode == "rsqrt" || opcode == "sin" || opcode == "cos" ||
      opcode == "ex2" || opcode == "lg2" || opcode == "tanh") {
    return same(1);
  }
  if (opcode == "mul" && operation.mode == "wide") return {twice_as_wide(type), {type, type}};
  if (opcode == "mad" && operation.mode == "wide") {
    return {twice_as_wide(type), {type, type, twice_as_wide(type)}};
  }
  if (opcode == "mad" || opcode == "mad24" || opcode == "madc" || opcode == "sad" || opcode == "fma") return same(3);
  if (opcode == "bfe") return {type, {type, Type::u32, Type::u32}};
  if (opcode == "bfi") return {type, {type, type, Type::u32, Type::u32}};
  if (opcode == "dp4a" || opcode == "dp2a") {
    const bool both_unsigned = type == Type::u32 && operation.source == Type::u32;
    const Type sum = both_unsigned ? Type::u32 : Type::s32;
    return {sum, {Type::b32, Type::b32, sum}};
  }
  if (opcode == "vabsdiff2" || opcode == "vabsdiff4") return {type, {Type::b32, Type::b32, type}};
  if (opcode == "lop3") return {type, {type, type, type, Type::u32}};
  if (opcode == "shl" || opcode == "shr") return {type, {type, Type::u32}};
  if (opcode == "shf" || opcode == "prmt" || opcode == "fns") return {type, {type, type, type}};
  if (opcode == "testp") return {Type::pred, {type}};
  if (opcode == "setp" || opcode == "set") {
    Signature signature{opcode == "setp" ? Type::pred : type, {operation.source, operation.source}};
    if (!operation.boolean.empty()) signature.sources.push_back(Type::pred);
    return signature;
  }
  if (opcode == "selp") return {type, {type, type, Type::pred}};
  if (opcode == "slct") return {type, {type, type, operation.source}};
  if (opcode == "cvt") {
    if (type == Type::f16x2 || type == Type::bf16x2) return {type, {operation.source, operation.source}};
    return {type, {operation.source}};
  }
  return same(2);
}

Outcome evaluate(const Operation& operation, const Arguments& arguments, bool carry_in) {
  if (operation.oracle != nullptr) return {operation.oracle->compute(arguments), false, false};
  if (const auto outcome = evaluate_comparison(operation, arguments)) return *outcome;
  if (const auto outcome = evaluate_conversion(operation, arguments)) return *outcome;
  if (const auto outcome = evaluate_logic(operation, arguments)) return *outcome;
  if (operation.type == Type::f32 || operation.type == Type::f64) {
    if (const auto outcome = evaluate_float(operation, arguments)) return *outcome;
  } else if (is_float(operation.type)) {
    if (const auto outcome = evaluate_half(operation, arguments)) return *outcome;
  } else if (const auto outcome = evaluate_integer(operation, arguments, carry_in)) {
    return *outcome;
  }
  throw std::invalid_argument("no meaning for " + operation.opcode + " of type ." +
                              std::string(vgpu::ptx::name_of(operation.type)));
}

}  // namespace cudalabs::reference
