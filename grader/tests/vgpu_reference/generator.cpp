// Random PTX programs.
//
// A program keeps pools of registers of every class, all initialised from the input, and ends by storing all of them.
// In between stand random statements. What a pool register holds is arbitrary; addresses, loop counters and loop bounds
// live in registers of their own, so that every access is in range and every loop ends.
#include "generator.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <set>

#include "random_source.h"

namespace cudalabs::reference {
namespace {

struct Pool {
  char letter;
  const char* type;
  std::uint32_t bytes;
  std::uint32_t count;
};
// In the order in which input and output hold them, widest first, so that all are aligned.
constexpr Pool kPools[] = {
    {'d', "b64", 8, 8}, {'e', "f64", 8, 6}, {'r', "b32", 4, 12}, {'f', "f32", 4, 10}, {'h', "b16", 2, 8}};
constexpr std::uint32_t kPredicates = 6;
constexpr std::uint32_t kScratchBytes = 64;    // of each thread, in each memory it may write
constexpr std::uint32_t kTotalBytes = 32;      // that every thread adds to, behind all threads' records
constexpr std::uint32_t kConstantBytes = 256;  // that every thread may read

std::uint32_t pool_count(char letter) {
  if (letter == 'p') return kPredicates;
  for (const Pool& pool : kPools) {
    if (pool.letter == letter) return pool.count;
  }
  return 0;
}

// The types in which a register class is loaded and stored.
const std::vector<std::string>& memory_types(char letter) {
  static const std::map<char, std::vector<std::string>> types{{'d', {"b64", "u64", "s64", "u32", "s32", "u16", "s8"}},
                                                              {'r', {"b32", "u32", "s32", "u16", "s16", "u8", "s8"}},
                                                              {'h', {"b16", "u16", "s16", "u8", "s8"}},
                                                              {'f', {"f32", "b32"}},
                                                              {'e', {"f64", "b64"}}};
  return types.at(letter);
}
// Narrower integers than a register may be loaded into it, and its low part stored; floats only whole.
std::uint32_t bytes_of(const std::string& type) {
  return static_cast<std::uint32_t>(std::stoi(type.substr(1))) / 8;
}

// ptxas 13.0 translates these in two steps, and under a guard it may guard only the first.
bool translated_in_two_steps(const Form& form) {
  const bool half = form.instruction.ends_with(".f16");
  return form.instruction.starts_with("set.") || form.instruction.starts_with("cvt.") ||
         form.instruction.starts_with("testp.") || (half && form.instruction.starts_with("setp."));
}

class Generator {
 public:
  Generator(std::uint64_t seed, const ProgramOptions& options)
      : random_(seed * 2 + 1), options_(options), seed_(seed) {}

  Program build() {
    choose_launch();
    block(0, options_.statements);
    // The form that this seed is for, where control flow cannot leave it out.
    for (int i = 0; i < 3; ++i) arithmetic(seed_ % all_forms().size(), 0);
    const std::string body = std::move(text_);
    text_.clear();
    header();
    functions();
    kernel(body);
    fill_input();
    program_.ptx = std::move(text_);
    program_.forms.assign(used_forms_.begin(), used_forms_.end());
    return std::move(program_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += '\t' + fmt::format(format, std::forward<Arguments>(arguments)...) + '\n';
  }
  std::string label() { return fmt::format("L{}", labels_++); }

  std::string reg(char letter) { return fmt::format("%{}{}", letter, random_.below(pool_count(letter))); }

  std::string immediate(char letter) {
    switch (letter) {
      case 'f':
        return fmt::format("0f{:08X}", interesting_float(random_, 32));
      case 'e':
        return fmt::format("0d{:016X}", interesting_float(random_, 64));
      case 'd':
        return fmt::format("{}", static_cast<std::int64_t>(interesting_integer(random_)));
      case 'r':
        return fmt::format("{}", static_cast<std::int32_t>(interesting_integer(random_)));
      default:
        return fmt::format("{}", static_cast<std::int16_t>(interesting_integer(random_)));
    }
  }

  void choose_launch() {
    static const std::vector<Launch> shapes{
        {{1, 1, 1}, {32, 1, 1}, 0},  {{2, 1, 1}, {48, 1, 1}, 0}, {{1, 1, 1}, {7, 1, 1}, 0},  {{2, 2, 1}, {8, 4, 1}, 0},
        {{1, 2, 2}, {4, 3, 3}, 0},   {{3, 1, 1}, {33, 1, 1}, 0}, {{1, 1, 1}, {64, 1, 1}, 0}, {{1, 1, 1}, {16, 5, 1}, 0},
        {{1, 1, 1}, {128, 1, 1}, 0}, {{5, 1, 1}, {3, 2, 2}, 0}};
    program_.launch = random_.pick(shapes);
    threads_per_block_ = program_.launch.block[0] * program_.launch.block[1] * program_.launch.block[2];
  }

  // --- Statements -------------------------------------------------------------------------------------------------

  void block(unsigned depth, std::uint32_t statements) {
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
        arithmetic(random_.below(all_forms().size()), 15);
      }
    }
  }

  // One instruction of a form, under a guard with some probability.
  void arithmetic(std::size_t index, unsigned guard_percent) {
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

  void canonicalise(const Form& form, const std::string& result) {
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

  std::string guard(unsigned percent) {
    if (!random_.chance(percent)) return {};
    return fmt::format("@{}{} ", random_.chance(50) ? "!" : "", reg('p'));
  }

  std::string operand(char letter, bool may_be_immediate) {
    switch (letter) {
      case 'q': {
        const std::uint64_t first = random_.below(kPredicates);
        return fmt::format("%p{}|%p{}", first, (first + 1 + random_.below(kPredicates - 1)) % kPredicates);
      }
      case 'P':
        return (random_.chance(30) ? "!" : "") + reg('p');
      case 't':
        return fmt::format("{}", random_.below(256));
      case 'm':
        // ptxas 13.0 folds two immediates beyond the register's width into something else than the ISA says.
        if (random_.chance(50)) return fmt::format("{}", random_.below(options_.portable ? 32 : 256));
        fields_ = 1 - fields_;
        line("and.b32 %i{}, {}, 255;", fields_, reg('r'));
        return fmt::format("%i{}", fields_);
      case 'n':
        return random_.chance(60) ? fmt::format("{}", random_.below(random_.chance(80) ? 70 : 256)) : reg('r');
      default:
        return may_be_immediate && letter != 'p' && random_.chance(20) ? immediate(letter) : reg(letter);
    }
  }

  void if_else(unsigned depth, std::uint32_t statements) {
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
  void leave_early() {
    const std::string condition = fmt::format("@{}{}", random_.chance(50) ? "!" : "", reg('p'));
    // A thread that is gone would be missing at a later barrier.
    if (!options_.together && random_.chance(10)) return line("{} {};", condition, random_.chance(50) ? "exit" : "ret");
    line("{} bra {};", condition, random_.pick(ends_));
  }

  // As many rounds as the low bits of a register say: different threads leave at different times.
  void loop(unsigned depth, std::uint32_t statements) {
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

  void jump_table(unsigned depth) {
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

  void call() {
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

  // A store to the thread's own scratch memory, or a load from it or from constants.
  void memory() {
    static const std::string letters = "drhfe";
    const char letter = letters[random_.below(letters.size())];
    const std::string& type = random_.pick(memory_types(letter));
    const bool constants = random_.chance(20);
    const bool store = !constants && random_.chance(50);
    const std::uint32_t vector = bytes_of(type) <= 4 && random_.chance(30) ? (random_.chance(50) ? 4 : 2)
                                 : random_.chance(15)                      ? 2
                                                                           : 1;
    const std::uint32_t bytes = bytes_of(type) * vector;
    const std::uint64_t room = constants ? kConstantBytes : kScratchBytes;
    const std::uint64_t offset = random_.below(room / bytes) * bytes;
    std::string space, base;
    if (constants) {
      const bool generic = random_.chance(30);
      const bool constant = random_.chance(50);
      space = generic ? "" : constant ? ".const" : ".global";
      base = generic ? (constant ? "%gconst" : "%gtable") : constant ? "constants" : "table";
    } else {
      switch (random_.below(5)) {
        case 0:
          space = ".global", base = "%scratch";
          break;
        case 1:
          space = ".shared", base = "%shared";
          break;
        case 2:
          space = ".local", base = "%local";
          break;
        case 3:
          base = "%gshared";
          break;
        default:
          base = "%glocal";
          break;
      }
    }
    std::string value = reg(letter);
    if (vector > 1) {
      // A load must not name a register twice.
      std::set<std::string> chosen{value};
      std::string list = value;
      while (chosen.size() < vector) {
        const std::string next = reg(letter);
        if (chosen.insert(next).second) list += ", " + next;
      }
      value = "{" + list + "}";
    }
    const std::string suffix = fmt::format("{}{}.{}", space, vector > 1 ? fmt::format(".v{}", vector) : "", type);
    const std::string address = offset == 0 ? base : fmt::format("{}+{}", base, offset);
    if (store) {
      line("{}st{} [{}], {};", guard(15), suffix, address, value);
    } else {
      line("{}ld{} {}, [{}];", guard(15), suffix, value, address);
    }
  }

  void atomic() {
    const bool wide = random_.chance(40);
    const char letter = wide ? 'd' : 'r';
    const std::string bits = wide ? "64" : "32";
    static const std::vector<std::string> operations{"add.u", "min.u", "max.u",  "min.s", "max.s", "and.b",
                                                     "or.b",  "xor.b", "exch.b", "cas.b", "inc.u", "dec.u"};
    std::string operation = random_.pick(operations);
    if (wide && (operation == "inc.u" || operation == "dec.u")) operation = "exch.b";
    const std::uint64_t offset = random_.below(kScratchBytes / 8) * 8;
    const bool shared = random_.chance(50);
    const std::string space = shared ? ".shared" : ".global";
    const std::string address = fmt::format("[{}+{}]", shared ? "%shared" : "%scratch", offset);
    const bool reduction = random_.chance(25) && operation != "exch.b" && operation != "cas.b";
    const std::string second = operation == "cas.b" ? ", " + reg(letter) : "";
    line("{}{}{}.{}{} {}{}, {}{};", guard(15), reduction ? "red" : "atom", space, operation, bits,
         reduction ? "" : reg(letter) + ", ", address, reg(letter), second);
  }

  // Every thread of the grid adds to the same words, each by an operation whose order does not matter.
  void accumulate() {
    static const std::vector<std::string> operations{"add.u32", "min.u32", "max.s32", "and.b32", "or.b32", "xor.b32"};
    const std::uint64_t which = random_.below(operations.size());
    const bool reduction = random_.chance(60);
    line("{}{}.global.{} {}[%total+{}], {};", guard(15), reduction ? "red" : "atom", operations[which],
         reduction ? "" : "%i0, ", 4 * which, reg('r'));
  }

  void pack_or_unpack() {
    const auto two = [&](char letter) {
      const std::uint64_t first = random_.below(pool_count(letter));
      return fmt::format("{{%{}{}, %{}{}}}", letter, first, letter, (first + 1) % pool_count(letter));
    };
    switch (random_.below(8)) {
      case 0:
        return line("mov.b64 {}, {};", reg('d'), two('r'));
      case 1:
        return line("mov.b64 {}, {};", two('r'), reg('d'));
      case 2:
        return line("mov.b32 {}, {};", reg('r'), two('h'));
      case 3:
        return line("mov.b32 {}, {};", two('h'), reg('r'));
      case 4:
        return line("mov.b64 {}, {};", reg('e'), two('r'));
      case 5:
        return line("mov.b32 {}, {};", random_.chance(50) ? reg('f') : reg('r'), reg('r'));
      case 6:
        return line("mov.b32 {}, {};", reg('r'), reg('f'));
      default:
        return line("mov.pred {}, {};", reg('p'), reg('p'));
    }
  }

  // Extended-precision arithmetic: the carry lives from one instruction to the next.
  void carry_chain() {
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

  void special_register() {
    static const std::vector<std::string> names{
        "%tid.x",    "%tid.y",  "%tid.z",       "%ntid.x",      "%ntid.y",      "%ctaid.x",     "%ctaid.y",
        "%nctaid.x", "%laneid", "%lanemask_lt", "%lanemask_le", "%lanemask_eq", "%lanemask_ge", "%lanemask_gt"};
    line("mov.u32 {}, {};", reg('r'), random_.pick(names));
  }

  // A warp operation of the lanes that take a branch.
  void together_in_branch() {
    const std::string end = label();
    const std::string predicate = reg('p');
    line("vote.sync.ballot.b32 %voters, {}, %member;", predicate);
    line("@!{} bra {};", predicate, end);
    arithmetic(random_.below(all_forms().size()), 15);
    together("%voters");
    text_ += end + ":\n";
  }

  // What the threads that `full` names do with each other: barriers are for all threads of the block.
  void together(const std::string& full) {
    const bool everyone = full == "%member";
    switch (everyone ? random_.below(9) : 6 + random_.below(3)) {
      case 0:
      case 1: {
        // A value through shared memory, between two barriers.
        const std::string value = reg('r');
        line("st.shared.b32 [%exchange], {};", value);
        line("{} 0;", random_.chance(50) ? "bar.sync" : "barrier.sync");
        line("add.u32 %i0, %linear, {};", random_.below(threads_per_block_));
        line("rem.u32 %i0, %i0, {};", threads_per_block_);
        line("mul.wide.u32 %address, %i0, 4;");
        line("mov.u64 %fa, exchange;");
        line("add.u64 %address, %address, %fa;");
        line("ld.shared.b32 {}, [%address];", reg('r'));
        return line("bar.sync 0;");
      }
      case 2:
        return line("bar.red.popc.u32 {}, 0, {};", reg('r'), operand('P', false));
      case 3:
        return line("bar.red.{}.pred {}, 0, {};", random_.chance(50) ? "and" : "or", reg('p'), operand('P', false));
      case 4:
      case 5: {
        static const std::vector<std::string> modes{"up", "down", "bfly", "idx"};
        const std::string& mode = random_.pick(modes);
        // Segments of 32, 16, 8, ... lanes; lanes that do not exist are never read, since the sources of shfl.up stay
        // below the lane, and the others are only used in full warps.
        const bool partial = threads_per_block_ % 32 != 0;
        const std::uint64_t segment = 32 - (std::uint64_t{1} << random_.below(6));
        const std::string& used = partial ? modes[0] : mode;
        const std::uint64_t clamp = segment << 8 | (used == "up" ? 0 : 31);
        return line("shfl.sync.{}.b32 {}|{}, {}, {}, {}, {};", used, reg('r'), reg('p'), reg('r'), random_.below(32),
                    clamp, full);
      }
      case 6: {
        static const std::vector<std::string> modes{"all", "any", "uni"};
        if (random_.chance(50)) return line("vote.sync.ballot.b32 {}, {}, {};", reg('r'), operand('P', false), full);
        return line("vote.sync.{}.pred {}, {}, {};", random_.pick(modes), reg('p'), operand('P', false), full);
      }
      case 7: {
        const bool wide = random_.chance(40);
        const std::string value = reg(wide ? 'd' : 'r');
        if (random_.chance(50)) {
          return line("match.any.sync.b{} {}, {}, {};", wide ? 64 : 32, reg('r'), value, full);
        }
        return line("match.all.sync.b{} {}|{}, {}, {};", wide ? 64 : 32, reg('r'), reg('p'), value, full);
      }
      default: {
        static const std::vector<std::string> operations{"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",
                                                         "max.s32", "and.b32", "or.b32",  "xor.b32"};
        return line("redux.sync.{} {}, {}, {};", random_.pick(operations), reg('r'), reg('r'), full);
      }
    }
  }

  // --- The frame around them --------------------------------------------------------------------------------------

  void header() {
    text_ += ".version 8.0\n.target sm_86\n.address_size 64\n";
    const auto bytes = [&](const char* space, const char* name) {
      std::string list;
      for (std::uint32_t i = 0; i < kConstantBytes; ++i)
        list += fmt::format("{}{}", i == 0 ? "" : ", ", random_.below(256));
      text_ += fmt::format(".{} .align 16 .b8 {}[{}] = {{{}}};\n", space, name, kConstantBytes, list);
    };
    bytes("const", "constants");
    bytes("global", "table");
  }

  void functions() {
    for (const char* name : {"integers0", "integers1"}) {
      text_ += fmt::format(".func (.param .b32 result) {}(.param .b32 a, .param .b32 b)\n{{\n", name);
      line(".reg .b32 %x<4>; .reg .pred %y; .local .align 4 .b8 spill[8];");
      line("ld.param.b32 %x0, [a]; ld.param.b32 %x1, [b];");
      line("st.local.b32 [spill+4], %x1;");
      static const std::vector<std::string> steps{"add.s32", "xor.b32", "mul.lo.s32", "min.u32", "max.s32", "sub.s32"};
      for (int i = 0; i < 4; ++i) {
        line("{} %x{}, %x{}, %x{};", random_.pick(steps), random_.below(2), random_.below(2), random_.below(2));
      }
      line("setp.lt.s32 %y, %x0, %x1;");
      line("@%y bra $less;");
      line("ld.local.b32 %x2, [spill+4];");
      line("add.s32 %x0, %x0, %x2;");
      line("st.param.b32 [result], %x0;");
      line("ret;");
      text_ += "$less:\n";
      line("st.param.b32 [result+0], %x1;");
      line("ret;");
      text_ += "}\n";
    }
    recursive_function();
    text_ += ".func (.param .f64 result) reals(.param .f64 a, .param .f32 b)\n{\n";
    line(".reg .f64 %x<3>; .reg .f32 %y; .reg .pred %z;");
    line("ld.param.f64 %x0, [a]; ld.param.f32 %y, [b];");
    line("cvt.f64.f32 %x1, %y;");
    line("{}.rn.f64 %x2, %x0, %x1;", random_.chance(50) ? "add" : "mul");
    line("setp.gt.f64 %z, %x2, 0d3FF0000000000000;");
    line("@%z sub.rn.f64 %x2, %x2, %x1;");
    line("st.param.f64 [result], %x2;");
    line("ret;");
    text_ += "}\n";
  }

  // Calls itself up to three times, fewer or more in different threads.
  void recursive_function() {
    text_ += ".func (.param .b32 result) recursive(.param .b32 a, .param .b32 b)\n{\n";
    line(".reg .b32 %x<5>; .reg .pred %y; .local .align 4 .b8 kept[4];");
    line("ld.param.b32 %x0, [a]; ld.param.b32 %x1, [b];");
    line("and.b32 %x2, %x0, 3; st.local.b32 [kept], %x1;");
    line("setp.eq.u32 %y, %x2, 0;");
    line("@%y bra $bottom;");
    line("sub.u32 %x2, %x2, 1; xor.b32 %x3, %x1, {};", random_.below(1000));
    line("call (%x4), recursive, (%x2, %x3);");
    line("ld.local.b32 %x1, [kept];");
    line("mad.lo.u32 %x1, %x4, {}, %x1;", random_.below(1000));
    text_ += "$bottom:\n";
    line("st.param.b32 [result], %x1;");
    line("ret;");
    text_ += "}\n";
  }

  void kernel(const std::string& body) {
    text_ += ".visible .entry program(.param .u64 input, .param .u64 output)\n{\n";
    for (const Pool& pool : kPools) line(".reg .{} %{}<{}>;", pool.type, pool.letter, pool.count);
    line(".reg .pred %p<{}>, %q<{}>, %n;", kPredicates, counters_ + 1);
    line(".reg .b32 %c<{}>, %i<2>, %linear, %member, %voters; .reg .b16 %ha;", counters_ + 1);
    line(
        ".reg .b64 %in, %out, %scratch, %shared, %gshared, %local, %glocal, %gconst, %gtable, %exchange, %address, "
        "%fa, %fb, %total;");
    line(".shared .align 16 .b8 own[{}];", threads_per_block_ * kScratchBytes);
    line(".shared .align 4 .b8 exchange[{}];", threads_per_block_ * 4);
    line(".local .align 16 .b8 frame[{}];", kScratchBytes);
    prologue();
    text_ += body;
    epilogue();
    text_ += "}\n";
  }

  void prologue() {
    line("mov.u32 %linear, %tid.z; mov.u32 %i0, %ntid.y; mov.u32 %i1, %tid.y;");
    line("mad.lo.u32 %linear, %linear, %i0, %i1; mov.u32 %i0, %ntid.x; mov.u32 %i1, %tid.x;");
    line("mad.lo.u32 %linear, %linear, %i0, %i1;");
    // The lanes of this warp that exist: all, but in a last warp that is not full.
    line("and.b32 %i0, %linear, -32; sub.u32 %i0, {}, %i0; min.u32 %i0, %i0, 32;", threads_per_block_);
    line("sub.u32 %i0, 32, %i0; mov.b32 %member, -1; shr.u32 %member, %member, %i0;");
    line("mov.u32 %i0, %ctaid.z; mov.u32 %i1, %nctaid.y; mul.lo.u32 %i0, %i0, %i1; mov.u32 %i1, %ctaid.y;");
    line("add.u32 %i0, %i0, %i1; mov.u32 %i1, %nctaid.x; mul.lo.u32 %i0, %i0, %i1; mov.u32 %i1, %ctaid.x;");
    line("add.u32 %i0, %i0, %i1; mad.lo.u32 %i1, %i0, {}, %linear;", threads_per_block_);
    const std::uint32_t stride = layout();
    line("ld.param.u64 %in, [input]; ld.param.u64 %out, [output];");
    line("cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out;");
    line("add.u64 %total, %out, {};", program_.threads() * program_.output_stride);
    line("mad.wide.u32 %in, %i1, {}, %in;", stride);
    line("mad.wide.u32 %out, %i1, {}, %out;", program_.output_stride);
    line("add.u64 %scratch, %out, {};", scratch_offset_);
    line("mov.u64 %shared, own; mad.wide.u32 %shared, %linear, {}, %shared; cvta.shared.u64 %gshared, %shared;",
         kScratchBytes);
    line("mov.u64 %local, frame; cvta.local.u64 %glocal, %local;");
    line("mov.u64 %gconst, constants; cvta.const.u64 %gconst, %gconst;");
    line("mov.u64 %gtable, table; cvta.global.u64 %gtable, %gtable;");
    line("mov.u64 %exchange, exchange; mad.wide.u32 %exchange, %linear, 4, %exchange;");
    for (std::uint32_t i = 0; i < kScratchBytes; i += 8) {
      line("st.shared.b64 [%shared+{}], 0; st.local.b64 [%local+{}], 0;", i, i);
    }
    for (const OutputSlot& slot : program_.slots) {
      if (slot.name[1] == 'p') continue;
      line("ld.global.{} {}, [%in+{}];", type_of(slot.name[1]), slot.name, slot.offset);
    }
    for (std::uint32_t i = 0; i < kPredicates; ++i) {
      line("and.b32 %i0, %r0, {}; setp.ne.u32 %p{}, %i0, 0;", 1u << i, i);
    }
  }

  void epilogue() {
    for (const OutputSlot& slot : program_.slots) {
      if (slot.name[1] == 'p') {
        line("selp.b32 %i0, 1, 0, {}; st.global.u8 [%out+{}], %i0;", slot.name, slot.offset);
      } else {
        line("st.global.{} [%out+{}], {};", type_of(slot.name[1]), slot.offset, slot.name);
      }
    }
    // The scratch memory that is not global is output too.
    const std::uint32_t shared_offset = scratch_offset_ + kScratchBytes;
    for (std::uint32_t i = 0; i < kScratchBytes; i += 8) {
      line("ld.shared.b64 %address, [%shared+{}]; st.global.b64 [%out+{}], %address;", i, shared_offset + i);
      line("ld.local.b64 %address, [%local+{}]; st.global.b64 [%out+{}], %address;", i,
           shared_offset + kScratchBytes + i);
    }
    line("ret;");
  }

  static const char* type_of(char letter) {
    for (const Pool& pool : kPools) {
      if (pool.letter == letter) return pool.type;
    }
    return "u8";
  }

  // Places every register in a thread's record; returns the input's bytes a thread. Scratch memory comes behind, in the
  // output only: global, shared, local.
  std::uint32_t layout() {
    std::uint32_t offset = 0;
    for (const Pool& pool : kPools) {
      for (std::uint32_t i = 0; i < pool.count; ++i, offset += pool.bytes) {
        program_.slots.push_back({fmt::format("%{}{}", pool.letter, i), offset, pool.bytes});
      }
    }
    const std::uint32_t input_stride = (offset + 15) / 16 * 16;
    for (std::uint32_t i = 0; i < kPredicates; ++i) program_.slots.push_back({fmt::format("%p{}", i), offset++, 1});
    scratch_offset_ = (offset + 15) / 16 * 16;
    program_.output_stride = scratch_offset_ + 3 * kScratchBytes;
    program_.output_bytes = program_.threads() * program_.output_stride + kTotalBytes;
    input_stride_ = input_stride;
    return input_stride;
  }

  void fill_input() {
    program_.input.resize(program_.threads() * input_stride_);
    for (std::uint64_t thread = 0; thread < program_.threads(); ++thread) {
      for (const OutputSlot& slot : program_.slots) {
        if (slot.name[1] == 'p') continue;
        const bool real = slot.name[1] == 'f' || slot.name[1] == 'e' || (slot.name[1] == 'h' && random_.chance(50));
        const std::uint64_t value = real ? interesting_float(random_, 8 * slot.bytes) : interesting_integer(random_);
        std::memcpy(program_.input.data() + thread * input_stride_ + slot.offset, &value, slot.bytes);
      }
    }
    // Scratch memory shows in the output as it is.
    const char* const names[] = {"global", "shared", "local"};
    for (std::uint32_t k = 0; k < 3; ++k) {
      for (std::uint32_t i = 0; i < kScratchBytes; i += 8) {
        program_.slots.push_back({fmt::format("{}[{}]", names[k], i), scratch_offset_ + k * kScratchBytes + i, 8});
      }
    }
  }

  RandomSource random_;
  const ProgramOptions options_;
  const std::uint64_t seed_;
  Program program_;
  std::string text_;
  std::set<std::size_t> used_forms_;
  std::uint32_t threads_per_block_ = 0;
  std::uint32_t scratch_offset_ = 0;
  std::uint32_t input_stride_ = 0;
  unsigned labels_ = 0;
  unsigned counters_ = 0;
  unsigned fields_ = 0;            // which of %i0 and %i1 was last given a field position
  std::vector<std::string> ends_;  // labels that a statement may jump to: where the constructs around it end
  unsigned loops_ = 0;             // those around the statement being made
};

}  // namespace

std::uint64_t Program::threads() const {
  std::uint64_t count = 1;
  for (const auto& extent : {launch.grid, launch.block}) count *= std::uint64_t{extent[0]} * extent[1] * extent[2];
  return count;
}

std::vector<std::byte> Program::parameters(std::uint64_t input_address, std::uint64_t output_address) const {
  std::vector<std::byte> bytes(16);
  std::memcpy(bytes.data(), &input_address, 8);
  std::memcpy(bytes.data() + 8, &output_address, 8);
  return bytes;
}

Program generate(std::uint64_t seed, const ProgramOptions& options) {
  return Generator(seed, options).build();
}

}  // namespace cudalabs::reference
