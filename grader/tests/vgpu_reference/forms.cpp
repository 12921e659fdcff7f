// Every form of arithmetic instruction that random programs are made of.
#include "forms.h"

#include <algorithm>
#include <set>

#include "oracle.h"

namespace cudalabs::reference {
namespace {

const std::vector<std::string> kIntegers{"u16", "s16", "u32", "s32", "u64", "s64"};
const std::vector<std::string> kRoundings{"rn", "rz", "rm", "rp"};
const std::vector<std::string> kIntegralRoundings{"rni", "rzi", "rmi", "rpi"};

// The register class that holds a type.
char letter_of(const std::string& type) {
  if (type == "f32") return 'f';
  if (type == "f64") return 'e';
  if (type == "f16x2" || type == "bf16x2") return 'r';
  if (type == "pred") return 'p';
  const std::string bits = type.substr(type.find_first_of("0123456789"));
  if (bits == "64") return 'd';
  return bits == "32" ? 'r' : 'h';
}

// Whether some number of the integer type `from` is not one of `to`; only then does PTX allow saturation.
bool can_overflow(const std::string& to, const std::string& from) {
  const int to_bits = std::stoi(to.substr(1));
  const int from_bits = std::stoi(from.substr(1));
  if (to[0] == from[0]) return to_bits < from_bits;
  return to[0] == 'u' || to_bits <= from_bits;
}

// Double precision keeps payloads or not; sign changes, extrema and moves of a NaN, and conversions from double
// precision, may do the same in other precisions.
bool makes_open_nan(const std::string& instruction, const std::string& operands) {
  const std::size_t last_dot = instruction.rfind('.');
  std::string type = instruction.substr(last_dot + 1);
  if (instruction.starts_with("cvt")) {
    const std::size_t dot = instruction.rfind('.', last_dot - 1);
    type = instruction.substr(dot + 1, last_dot - dot - 1);
  }
  if (type[0] != 'f' && !type.starts_with("bf")) return false;
  if (operands[0] == 'p' || operands[0] == 'q') return false;
  if (operands[0] == 'e') return true;
  for (const char* name : {"abs", "neg", "min", "max", "cvt"}) {
    if (instruction.starts_with(name)) return true;
  }
  return false;
}

class FormList {
 public:
  std::vector<Form> build() {
    integers();
    bits();
    singles_and_doubles();
    halves();
    comparisons();
    conversions();
    for (const bool portable : {true, false}) {
      for (const Oracle& oracle : oracles()) {
        if (oracle.portable == portable) add(oracle.form, oracle.operands, oracle.approximate);
      }
    }
    return std::move(forms_);
  }

 private:
  void add(const std::string& instruction, const std::string& operands, bool approximate = false) {
    forms_.push_back({instruction, operands, approximate, makes_open_nan(instruction, operands)});
  }
  // All operands of one type.
  void same(const std::string& instruction, const std::string& type, std::size_t count) {
    add(instruction + "." + type, std::string(count, letter_of(type)));
  }

  void integers() {
    for (const std::string& type : kIntegers) {
      for (const char* name : {"add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"}) same(name, type, 3);
      for (const char* name : {"mad.lo", "mad.hi", "sad"}) same(name, type, 4);
      if (type[0] == 's') same("abs", type, 2);
      if (type[0] == 's') same("neg", type, 2);
    }
    same("add.sat", "s32", 3);
    same("sub.sat", "s32", 3);
    same("mad.hi.sat", "s32", 4);
    for (const char* sign : {"u", "s"}) {
      add(std::string("mul.wide.") + sign + "16", "rhh");
      add(std::string("mul.wide.") + sign + "32", "drr");
      add(std::string("mad.wide.") + sign + "16", "rhhr");
      add(std::string("mad.wide.") + sign + "32", "drrd");
      for (const char* half : {"lo", "hi"}) {
        add(std::string("mul24.") + half + "." + sign + "32", "rrr");
        add(std::string("mad24.") + half + "." + sign + "32", "rrrr");
      }
      for (const char* name : {"vabsdiff2.u32.", "vabsdiff2.s32.", "vabsdiff4.u32.", "vabsdiff4.s32."}) {
        const std::string form = std::string(name) + sign + "32." + sign + "32";
        add(form, "rrrr");
        add(form + ".add", "rrrr");
      }
      for (const char* other : {"u", "s"}) {
        add(std::string("dp4a.") + sign + "32." + other + "32", "rrrr");
        add(std::string("dp2a.lo.") + sign + "32." + other + "32", "rrrr");
        add(std::string("dp2a.hi.") + sign + "32." + other + "32", "rrrr");
      }
    }
  }

  void bits() {
    for (const char* type : {"b16", "b32", "b64", "pred"}) {
      for (const char* name : {"and", "or", "xor"}) same(name, type, 3);
      same("not", type, 2);
    }
    for (const std::string type : {"b16", "b32", "b64"}) {
      same("cnot", type, 2);
      add("shl." + type, {letter_of(type), letter_of(type), 'n'});
      add("shr." + type, {letter_of(type), letter_of(type), 'n'});
    }
    for (const std::string& type : kIntegers) add("shr." + type, {letter_of(type), letter_of(type), 'n'});
    for (const std::string type : {"b32", "b64"}) {
      add("popc." + type, {'r', letter_of(type)});
      add("clz." + type, {'r', letter_of(type)});
      same("brev", type, 2);
      add("bfi." + type, {letter_of(type), letter_of(type), letter_of(type), 'm', 'm'});
    }
    for (const std::string type : {"u32", "s32", "u64", "s64"}) {
      add("bfind." + type, {'r', letter_of(type)});
      add("bfind.shiftamt." + type, {'r', letter_of(type)});
      add("bfe." + type, {letter_of(type), letter_of(type), 'm', 'm'});
    }
    add("lop3.b32", "rrrrt");
    add("fns.b32", "rrnn");
    for (const char* direction : {"l", "r"}) {
      for (const char* mode : {"clamp", "wrap"}) add(std::string("shf.") + direction + "." + mode + ".b32", "rrrn");
    }
    for (const char* mode : {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"}) {
      add(std::string("prmt.b32") + mode, "rrrr");
    }
    for (const std::string mode : {"clamp", "wrap"}) {
      add("bmsk." + mode + ".b32", "rnn");
      add("szext." + mode + ".u32", "rrn");
      add("szext." + mode + ".s32", "rrn");
    }
  }

  void singles_and_doubles() {
    for (const std::string& rounding : kRoundings) {
      for (const std::string& ftz : {std::string(), std::string(".ftz")}) {
        for (const std::string& sat : {std::string(), std::string(".sat")}) {
          for (const char* name : {"add.", "sub.", "mul."}) same(name + rounding + ftz + sat, "f32", 3);
          same("fma." + rounding + ftz + sat, "f32", 4);
        }
        same("mad." + rounding + ftz, "f32", 4);
        same("div." + rounding + ftz, "f32", 3);
        same("rcp." + rounding + ftz, "f32", 2);
        same("sqrt." + rounding + ftz, "f32", 2);
      }
      for (const char* name : {"add.", "sub.", "mul.", "div."}) same(name + rounding, "f64", 3);
      same("fma." + rounding, "f64", 4);
      same("mad." + rounding, "f64", 4);
      same("rcp." + rounding, "f64", 2);
      same("sqrt." + rounding, "f64", 2);
    }
    for (const std::string name : {"min", "max"}) {
      for (const std::string& ftz : {std::string(), std::string(".ftz")}) {
        for (const char* variant : {"", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"}) {
          same(name + ftz + variant, "f32", 3);
        }
      }
      same(name, "f64", 3);
    }
    for (const char* name : {"abs", "neg"}) {
      same(name, "f32", 2);
      same(std::string(name) + ".ftz", "f32", 2);
      same(name, "f64", 2);
    }
    for (const char* type : {"f32", "f64"}) {
      same("copysign", type, 3);
      for (const char* property : {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}) {
        add(std::string("testp.") + property + "." + type, {'p', letter_of(type)});
      }
    }
    for (const std::string& ftz : {std::string(), std::string(".ftz")}) {
      for (const char* name : {"rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2"}) {
        add(name + std::string(".approx") + ftz + ".f32", "ff", true);
      }
      add("div.approx" + ftz + ".f32", "fff", true);
      add("div.full" + ftz + ".f32", "fff", true);
    }
    add("rsqrt.approx.f64", "ee", true);
    add("tanh.approx.f32", "ff", true);
  }

  void halves() {
    for (const std::string type : {"f16", "f16x2"}) {
      for (const std::string& ftz : {std::string(), std::string(".ftz")}) {
        for (const std::string& sat : {std::string(), std::string(".sat")}) {
          for (const char* name : {"add.rn", "sub.rn", "mul.rn"}) same(name + ftz + sat, type, 3);
          same("fma.rn" + ftz + sat, type, 4);
        }
        same("fma.rn" + ftz + ".relu", type, 4);
        for (const char* name : {"min", "max"}) {
          same(name + ftz, type, 3);
          same(name + ftz + ".NaN", type, 3);
        }
      }
      same("abs", type, 2);
      same("neg", type, 2);
    }
    for (const std::string type : {"bf16", "bf16x2"}) {
      same("fma.rn", type, 4);
      same("min", type, 3);
      same("max.NaN", type, 3);
      same("abs", type, 2);
      same("neg", type, 2);
    }
  }

  void comparisons() {
    const std::set<std::string> floats{"f16", "f32", "f64"};
    for (const std::string type :
         {"b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f16", "f32", "f64"}) {
      std::vector<std::string> compares{"eq", "ne"};
      if (type[0] != 'b') compares.insert(compares.end(), {"lt", "le", "gt", "ge"});
      if (type[0] == 'u') compares.insert(compares.end(), {"lo", "ls", "hi", "hs"});
      if (type[0] == 'f') compares.insert(compares.end(), {"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
      const char letter = letter_of(type);
      for (const std::string& compare : compares) {
        const std::string ftz = type == "f32" && compare.size() == 2 ? ".ftz" : "";
        add("setp." + compare + "." + type, {'p', letter, letter});
        // The second predicate of a half-precision comparison belongs to packed operands.
        const char result = type == "f16" ? 'p' : 'q';
        add("setp." + compare + ftz + "." + type, {result, letter, letter});
        for (const char* boolean : {".and", ".or", ".xor"}) {
          add("setp." + compare + boolean + ftz + "." + type, {result, letter, letter, 'P'});
        }
        if (type == "f16") continue;
        add("set." + compare + ".u32." + type, {'r', letter, letter});
        add("set." + compare + ".and" + ftz + ".f32." + type, {'f', letter, letter, 'P'});
      }
      if (type == "f16") continue;
      add("selp." + type, {letter, letter, letter, 'P'});
      add("slct." + type + ".s32", {letter, letter, letter, 'r'});
      add("slct.ftz." + type + ".f32", {letter, letter, letter, 'f'});
      add("slct." + type + ".f32", {letter, letter, letter, 'f'});
    }
  }

  void conversions() {
    const std::vector<std::string> integers{"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
    const std::vector<std::string> floats{"f16", "f32", "f64"};
    for (const std::string& to : integers) {
      for (const std::string& from : integers) {
        add("cvt." + to + "." + from, {letter_of(to), letter_of(from)});
        if (can_overflow(to, from)) add("cvt.sat." + to + "." + from, {letter_of(to), letter_of(from)});
        if (to == from) continue;
        // A type narrower than its registers, on either side.
        if (letter_of(to) == 'h') add("cvt." + to + "." + from, {'r', letter_of(from)});
        if (letter_of(from) == 'h') add("cvt." + to + "." + from, {letter_of(to), 'r'});
      }
      for (const std::string& real : floats) {
        for (const std::string& rounding : kIntegralRoundings) {
          add("cvt." + rounding + "." + to + "." + real, {letter_of(to), letter_of(real)});
        }
        if (real == "f32") add("cvt.rzi.ftz." + to + "." + real, {letter_of(to), letter_of(real)});
        if (real == "f32") add("cvt.rni.sat." + to + "." + real, {letter_of(to), letter_of(real)});
        for (const std::string& rounding : kRoundings) {
          add("cvt." + rounding + "." + real + "." + to, {letter_of(real), letter_of(to)});
        }
        add("cvt.rn.sat." + real + "." + to, {letter_of(real), letter_of(to)});
      }
    }
    for (const std::string& rounding : kRoundings) {
      for (const char* modifier : {"", ".ftz", ".sat", ".ftz.sat"}) {
        add("cvt." + rounding + modifier + ".f32.f64", "fe");
      }
      add("cvt." + rounding + ".f16.f32", "hf");
      // Rounding up or down, Hopper does not flush the operand, though the ISA says so.
      add("cvt." + rounding + ".ftz.f16.f32", "hf", rounding == "rm" || rounding == "rp");
      add("cvt." + rounding + ".f16.f64", "he");
    }
    add("cvt.f32.f16", "fh");
    add("cvt.sat.f32.f16", "fh");
    add("cvt.f64.f16", "eh");
    add("cvt.f64.f32", "ef");
    add("cvt.ftz.f64.f32", "ef");
    add("cvt.sat.f64.f32", "ef");
    for (const std::string& rounding : kIntegralRoundings) {
      add("cvt." + rounding + ".f32.f32", "ff");
      add("cvt." + rounding + ".ftz.f32.f32", "ff");
      add("cvt." + rounding + ".sat.f32.f32", "ff");
      add("cvt." + rounding + ".f64.f64", "ee");
      add("cvt." + rounding + ".f16.f16", "hh");
    }
    add("cvt.f32.f32", "ff");
    add("cvt.ftz.f32.f32", "ff");
    add("cvt.ftz.sat.f32.f32", "ff");
    for (const char* rounding : {"rn", "rz"}) {
      add(std::string("cvt.") + rounding + ".f16x2.f32", "rff");
      add(std::string("cvt.") + rounding + ".bf16x2.f32", "rff");
      add(std::string("cvt.") + rounding + ".bf16.f32", "hf");
      add(std::string("cvt.") + rounding + ".relu.f16.f32", "hf");
      add(std::string("cvt.") + rounding + ".relu.f16x2.f32", "rff");
    }
  }

  std::vector<Form> forms_;
};

}  // namespace

const std::vector<Form>& all_forms() {
  static const std::vector<Form> forms = FormList().build();
  return forms;
}

std::size_t portable_forms() {
  const auto others = std::ranges::count(oracles(), false, &Oracle::portable);
  return all_forms().size() - static_cast<std::size_t>(others);
}

}  // namespace cudalabs::reference
