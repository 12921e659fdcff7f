// Random accesses to memory, and moves between registers of several widths.
#include <map>

#include "program_writer.h"

namespace cudalabs::reference {

namespace {

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

}  // namespace

// A store to the thread's own scratch memory, or a load from it or from constants.
void ProgramWriter::memory() {
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

void ProgramWriter::atomic() {
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
void ProgramWriter::accumulate() {
  static const std::vector<std::string> operations{"add.u32", "min.u32", "max.s32", "and.b32", "or.b32", "xor.b32"};
  const std::uint64_t which = random_.below(operations.size());
  const bool reduction = random_.chance(60);
  line("{}{}.global.{} {}[%total+{}], {};", guard(15), reduction ? "red" : "atom", operations[which],
       reduction ? "" : "%i0, ", 4 * which, reg('r'));
}

void ProgramWriter::pack_or_unpack() {
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

}  // namespace cudalabs::reference
