// Random arithmetic and control flow.
#include <algorithm>

#include "program_writer.h"

namespace cudalabs::reference {

namespace {

// ptxas 13.0 translates these in two steps, and under a guard it may guard only the first.
bool translated_in_two_steps(const Form& form) {
  const bool half = form.instruction.ends_with(".f16");
  return form.instruction.starts_with("set.") || form.instruction.starts_with("cvt.") ||
         form.instruction.starts_with("testp.") || (half && form.instruction.starts_with("setp."));
}

}  // namespace

void ProgramWriter::block(unsigned depth, std::uint32_t statements) {
  while (statements > 0) {
    --statements;
    const std::uint64_t what = random_.below(100);
    if (what < 6 && options_.control_flow && depth < 3) {
      const auto inner = static_cast<std::uint32_t>(1 + random_.below(std::min(statements, 8u) + 1));
      statements -= std::min(statements, inner);
      if_else(depth, inner);
    } else if (what < 9 && options_.control_flow && depth < 3 && loops_ < 2) {
      loop(depth, static_cast<std::uint32_t>(1 + random_.below(5)));
    } else if (what < 10 && options_.control_flow && depth < 3) {
      jump_table(depth);
    } else if (what < 12 && options_.control_flow) {
      call();
    } else if (what < 14 && options_.control_flow && !ends_.empty()) {
      leave_early();
    } else if (what < 24 && options_.memory) {
      memory();
    } else if (what < 26 && options_.memory) {
      atomic();
    } else if (what < 27 && options_.memory) {
      accumulate();
    } else if (what < 30) {
      pack_or_unpack();
    } else if (what < 32) {
      carry_chain();
    } else if (what < 35 && options_.together && depth == 0) {
      together("%member");
    } else if (what < 36 && options_.together && depth == 0) {
      together_in_branch();
    } else if (what < 37 && depth == 0) {
      special_register();
    } else {
      arithmetic(random_.below(forms()), 15);
    }
  }
}

// One instruction of a form, under a guard with some probability.
void ProgramWriter::arithmetic(std::size_t index, unsigned guard_percent) {
  const Form& form = all_forms()[index];
  if (form.approximate && options_.portable) return;
  // Which half of a pair is NaN takes more than one instruction to say.
  const bool half = form.instruction.find("f16") != std::string::npos;
  if (options_.portable && form.open_nan && half && form.operands[0] == 'r') return;
  used_forms_.insert(index);
  std::string operands;
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    const bool last = i + 1 == form.operands.size();
    operands +=
        (i == 0 ? "" : ", ") + operand(form.operands[i], last && i > 1 && !half);  // PTX has no halves as immediates
  }
  const std::string result = operands.substr(0, operands.find(','));
  const bool misguarded = options_.portable && translated_in_two_steps(form);
  line("{}{} {};", guard(misguarded ? 0 : guard_percent), form.instruction, operands);
  if (options_.portable) canonicalise(form, result);
}

void ProgramWriter::canonicalise(const Form& form, const std::string& result) {
  const char letter = form.operands[0];
  if (!form.open_nan || letter == 'r') return;
  if (letter == 'h') {
    const bool brain = form.instruction.find("bf16") != std::string::npos;
    line("and.b16 %ha, {}, 0x7FFF; setp.gt.u16 %n, %ha, {};", result, brain ? "0x7F80" : "0x7C00");
    line("@%n mov.b16 {}, 0x7FFF;", result);
    return;
  }
  const char* const type = letter == 'e' ? "f64" : "f32";
  line("testp.notanumber.{} %n, {};", type, result);
  line("@%n mov.{} {}, {};", type, result, letter == 'e' ? "0d7FF8000000000000" : "0f7FFFFFFF");
}

void ProgramWriter::if_else(unsigned depth, std::uint32_t statements) {
  const std::string otherwise = label();
  const std::string end = label();
  line("@{}{} bra {};", random_.chance(50) ? "!" : "", reg('p'), otherwise);
  ends_.push_back(end);
  block(depth + 1, statements);
  if (random_.chance(60)) {
    line("bra {};", end);
    text_ += otherwise + ":\n";
    block(depth + 1, statements);
  } else {
    text_ += otherwise + ":\n";
  }
  text_ += end + ":\n";
  ends_.pop_back();
}

// Out of one or more of the constructs around: break, continue, a jump to the end of an if, or the end of the thread.
void ProgramWriter::leave_early() {
  const std::string condition = fmt::format("@{}{}", random_.chance(50) ? "!" : "", reg('p'));
  // A thread that is gone would be missing at a later barrier.
  if (!options_.together && random_.chance(10)) return line("{} {};", condition, random_.chance(50) ? "exit" : "ret");
  line("{} bra {};", condition, random_.pick(ends_));
}

// As many rounds as the low bits of a register say: different threads leave at different times.
void ProgramWriter::loop(unsigned depth, std::uint32_t statements) {
  const unsigned counter = counters_++;
  ++loops_;
  const std::string top = label();
  const std::string end = label();
  line("and.b32 %c{}, {}, 3;", counter, reg('r'));
  text_ += top + ":\n";
  line("setp.eq.u32 %q{}, %c{}, 0;", counter, counter);
  line("@%q{} bra {};", counter, end);
  const std::string next = label();
  ends_.push_back(next);
  ends_.push_back(end);
  block(depth + 1, statements);
  ends_.resize(ends_.size() - 2);
  text_ += next + ":\n";
  line("sub.u32 %c{}, %c{}, 1;", counter, counter);
  line("bra {};", top);
  text_ += end + ":\n";
  --loops_;
}

void ProgramWriter::jump_table(unsigned depth) {
  const std::string table = label();
  const std::string end = label();
  const std::vector<std::string> arms{label(), label(), label()};
  line("and.b32 %i0, {}, 3;", reg('r'));
  line("{}: .branchtargets {}, {}, {}, {};", table, arms[0], arms[1], arms[2], arms[1]);
  line("brx.idx %i0, {};", table);
  ends_.push_back(end);
  for (const std::string& arm : arms) {
    text_ += arm + ":\n";
    block(depth + 1, 2);
    line("bra {};", end);
  }
  text_ += end + ":\n";
  ends_.pop_back();
}

void ProgramWriter::call() {
  const bool integers = random_.chance(60);
  const char letter = integers ? 'r' : 'e';
  const char* const type = integers ? "b32" : "f64";
  const std::string guarded = guard(40);
  std::string skip;
  if (!guarded.empty()) {
    // A guarded call with its parameters is a branch around it.
    skip = label();
    line("{}bra {};", guarded, skip);
  }
  line("{{");
  line(".param .{} argument0; .param .{} argument1; .param .{} result0;", type, integers ? "b32" : "f32", type);
  line("st.param.{} [argument0], {};", type, reg(letter));
  line("st.param.{} [argument1+0], {};", integers ? "b32" : "f32", reg(integers ? 'r' : 'f'));
  if (integers && random_.chance(40)) {
    // The function differs from thread to thread.
    line("mov.u64 %fa, integers0; mov.u64 %fb, integers1; selp.b64 %fa, %fa, %fb, {};", reg('p'));
    line("prototype: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);");
    line("call (result0), %fa, (argument0, argument1), prototype;");
  } else {
    line("call (result0), {}, (argument0, argument1);", integers ? (random_.chance(40)   ? "recursive"
                                                                    : random_.chance(50) ? "integers0"
                                                                                         : "integers1")
                                                                 : "reals");
  }
  const std::string result = reg(letter);
  line("ld.param.{} {}, [result0];", type, result);
  line("}}");
  if (options_.portable) canonicalise({"call", std::string(1, letter), false, letter == 'e'}, result);
  if (!skip.empty()) text_ += skip + ":\n";
}

// Extended-precision arithmetic: the carry lives from one instruction to the next.
void ProgramWriter::carry_chain() {
  const bool wide = random_.chance(30);
  const char letter = wide ? 'd' : 'r';
  const std::string type = wide ? "u64" : "u32";
  const bool subtract = random_.chance(40);
  const std::string name = subtract ? "sub" : "add";
  line("{}.cc.{} {}, {}, {};", name, type, reg(letter), reg(letter), reg(letter));
  if (random_.chance(50)) line("{}c.cc.{} {}, {}, {};", name, type, reg(letter), reg(letter), reg(letter));
  if (!subtract && random_.chance(50)) {
    const std::string half = random_.chance(50) ? "lo" : "hi";
    line("madc.{}.cc.{} {}, {}, {}, {};", half, type, reg(letter), reg(letter), reg(letter), reg(letter));
  }
  line("{}c.{} {}, {}, {};", name, type, reg(letter), reg(letter), reg(letter));
  if (random_.chance(30)) {
    line("mad.hi.cc.{} {}, {}, {}, {};", type, reg(letter), reg(letter), reg(letter), reg(letter));
    line("madc.lo.{} {}, {}, {}, {};", type, reg(letter), reg(letter), reg(letter), reg(letter));
  }
}

void ProgramWriter::special_register() {
  static const std::vector<std::string> names{
      "%tid.x",    "%tid.y",  "%tid.z",       "%ntid.x",      "%ntid.y",      "%ctaid.x",     "%ctaid.y",
      "%nctaid.x", "%laneid", "%lanemask_lt", "%lanemask_le", "%lanemask_eq", "%lanemask_ge", "%lanemask_gt"};
  line("mov.u32 {}, {};", reg('r'), random_.pick(names));
}

}  // namespace cudalabs::reference
