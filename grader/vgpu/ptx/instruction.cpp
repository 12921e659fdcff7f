// Instructions and their operands.
#include "vgpu/ptx/instruction.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "vgpu/ptx/constant.h"
#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/special_registers.h"

namespace cudalabs::vgpu::ptx {
namespace {

// "x" of ".x", "r" meaning the same; nothing for any other word.
std::optional<char> component_from_name(std::string_view name) {
  constexpr std::string_view kPosition = "xyzw";
  constexpr std::string_view kColour = "rgba";
  if (name.size() != 1) return std::nullopt;
  if (const std::size_t at = kColour.find(name[0]); at != std::string_view::npos) return kPosition[at];
  if (kPosition.find(name[0]) != std::string_view::npos) return name[0];
  return std::nullopt;
}

/// "b3", "h32"; nothing for any other word.
std::optional<PartSelector> selector_from_name(std::string_view name) {
  PartSelector selector{.half_words = name.starts_with('h')};
  if (!selector.half_words && !name.starts_with('b')) return std::nullopt;
  for (const char digit : name.substr(1)) {
    if (digit < '0' || digit > '7' || selector.count == selector.parts.size()) return std::nullopt;
    selector.parts[selector.count++] = static_cast<std::uint8_t>(digit - '0');
  }
  return selector.count == 0 ? std::nullopt : std::optional(selector);
}

}  // namespace

InstructionParser::InstructionParser(Lexer& lexer, Function& function, FunctionScope& scope,
                                     const ModuleNames& module_names, std::vector<SymbolUse>& symbol_uses)
    : lexer_(lexer), function_(function), scope_(scope), module_names_(module_names), symbol_uses_(symbol_uses) {}

std::uint32_t InstructionParser::parse_register(const char* what) {
  const std::uint32_t line = lexer_.line();
  const std::string_view name = lexer_.expect_word(what);
  const auto index = scope_.find_register(name);
  if (!index) throw ParseError(line, in_backticks(name) + " is not a declared register");
  return *index;
}

Guard InstructionParser::parse_guard() {
  lexer_.expect('@');
  const bool negated = lexer_.accept('!');
  const std::uint32_t line = lexer_.line();
  const std::uint32_t predicate = parse_register("a predicate");
  const Register& reg = function_.registers[predicate];
  if (reg.type != Type::pred) throw ParseError(line, "the guard " + in_backticks(reg.name) + " is not a predicate");
  return Guard{predicate, negated};
}

void InstructionParser::parse(const Token& opcode, std::optional<Guard> guard, Location location) {
  instruction_ = Instruction{};
  instruction_.opcode = opcode.text;
  instruction_.code = opcode_from_name(opcode.text);
  instruction_.guard = guard;
  instruction_.location = location;
  instruction_.ptx_line = opcode.line;
  while (lexer_.peek().kind == TokenKind::dot_word) instruction_.suffixes.emplace_back(lexer_.take().text);

  switch (facts_of(instruction_.code).flow) {
    case Flow::call:
      parse_call();
      break;
    case Flow::jump:
      parse_label();
      break;
    case Flow::table:
      parse_operand();
      lexer_.expect(',');
      parse_label();
      break;
    case Flow::straight:
    case Flow::end:
      if (!lexer_.peek().is(';')) parse_operands();
      break;
  }
  lexer_.expect(';');
  function_.instructions.push_back(std::move(instruction_));
}

void InstructionParser::parse_operands() {
  do {
    parse_operand();
  } while (lexer_.accept(','));
}

void InstructionParser::parse_label() {
  const std::uint32_t line = lexer_.line();
  const std::string_view name = lexer_.expect_word("a label");
  scope_.refer_to_label(name, static_cast<std::uint32_t>(function_.instructions.size()),
                        static_cast<std::uint32_t>(instruction_.operands.size()), line);
  instruction_.operands.push_back(Operand{LabelRef{}, false, {}});
}

// call (results), target, (arguments), prototype; all but the target may be missing.
void InstructionParser::parse_call() {
  ListOperand results;
  if (lexer_.peek().is('(')) {
    results = parse_list();
    lexer_.expect(',');
  }
  instruction_.operands.push_back(Operand{std::move(results), false, {}});

  const std::uint32_t line = lexer_.line();
  const std::string_view target = lexer_.expect_word("a function");
  if (const auto pointer = scope_.find_register(target)) {
    instruction_.operands.emplace_back().value = RegisterRef{*pointer};
  } else {
    instruction_.operands.push_back(Operand{symbol(target, line), false, {}});
  }

  ListOperand arguments;
  bool more = lexer_.accept(',');
  if (more && lexer_.peek().is('(')) {
    arguments = parse_list();
    more = lexer_.accept(',');
  }
  instruction_.operands.push_back(Operand{std::move(arguments), false, {}});
  if (!more) return;

  const Token& next = lexer_.peek();
  const bool is_variable = next.kind == TokenKind::word && !scope_.label_is_declared(next.text) &&
                           (scope_.find_variable(next.text).has_value() || module_names_.contains(next.text));
  if (!is_variable) return parse_label();
  const Token table = lexer_.take();
  instruction_.operands.push_back(Operand{symbol(table.text, table.line), false, {}});
}

ListOperand InstructionParser::parse_list() {
  ListOperand list;
  lexer_.expect('(');
  if (lexer_.accept(')')) return list;
  do {
    list.elements.push_back(parse_scalar());
  } while (lexer_.accept(','));
  lexer_.expect(')');
  return list;
}

VectorOperand InstructionParser::parse_vector() {
  VectorOperand vector;
  lexer_.expect('{');
  do {
    vector.elements.push_back(parse_scalar());
  } while (lexer_.accept(','));
  lexer_.expect('}');
  return vector;
}

void InstructionParser::parse_operand() {
  if (lexer_.peek().is('[')) return parse_address();
  if (lexer_.peek().is('{')) {
    instruction_.operands.push_back(Operand{parse_vector(), false, {}});
  } else {
    instruction_.operands.push_back(parse_scalar());
  }
}

Operand InstructionParser::parse_scalar() {
  const Token& next = lexer_.peek();
  if (next.kind == TokenKind::real) return parse_real(false);
  if (next.kind == TokenKind::word && next.text != "WARP_SZ") return parse_word();
  if (next.is('-') || next.is('+') || next.is('!')) {
    Lexer ahead = lexer_;
    const Token sign = ahead.take();
    if (ahead.peek().kind == TokenKind::real && !sign.is('!')) {
      lexer_.take();
      return parse_real(sign.is('-'));
    }
    if (ahead.peek().kind == TokenKind::word && ahead.peek().text != "WARP_SZ" && sign.is('!')) {
      lexer_.take();
      return parse_negated_predicate();
    }
    if (ahead.peek().kind == TokenKind::word && instruction_.code == Opcode::vmad && sign.is('-')) {
      lexer_.take();
      Operand operand = parse_word();
      operand.negated = true;
      return operand;
    }
  }
  if (!starts_constant(next)) lexer_.fail_expected("an operand");
  return Operand{IntegerImmediate{parse_constant(lexer_).bits}, false, {}};
}

Operand InstructionParser::parse_negated_predicate() {
  const Token name = lexer_.peek();
  const std::uint32_t index = parse_register("a predicate");
  if (function_.registers[index].type != Type::pred)
    throw ParseError(name.line, in_backticks(name) + " is not a predicate: only a predicate can stand after `!`");
  return Operand{RegisterRef{index}, true, {}};
}

Operand InstructionParser::parse_real(bool negative) {
  FloatImmediate literal = lexer_.take().real;
  if (negative) {
    literal.value = -literal.value;
    literal.bits ^= std::uint64_t{1} << (literal.single ? 31 : 63);
  }
  return Operand{literal, false, {}};
}

SymbolRef InstructionParser::symbol(std::string_view name, std::uint32_t line) {
  if (const auto own = scope_.find_variable(name)) return SymbolRef{*own, 0};
  if (name.starts_with('%')) throw ParseError(line, in_backticks(name) + " is not a declared register");
  symbol_uses_.push_back({name, line});
  return SymbolRef{std::string(name), 0};
}

// "%p|%q" after its first half; nothing there when it was "_".
Operand InstructionParser::parse_pair(std::optional<std::uint32_t> first) {
  const bool sets_predicate = instruction_.code == Opcode::setp;
  PredicatePair pair;
  pair.first = first ? *first : scope_.make_register(sets_predicate ? Type::pred : Type::b32);
  if (lexer_.peek().is_word("_")) {
    lexer_.take();
  } else {
    pair.second = parse_register("a predicate");
  }
  return Operand{pair, false, {}};
}

Operand InstructionParser::parse_word() {
  const Token word = lexer_.take();
  if (word.text == "_") return lexer_.accept('|') ? parse_pair(std::nullopt) : Operand{Discard{}, false, {}};

  const auto component = [&](bool is_vector) -> std::optional<char> {
    if (lexer_.peek().kind != TokenKind::dot_word) return std::nullopt;
    const Token name = lexer_.take();
    const auto result = component_from_name(name.text);
    if (!result || !is_vector)
      throw ParseError(name.line, in_backticks(word) + " has no component " + in_backticks(name));
    return result;
  };
  if (const auto index = scope_.find_register(word.text)) {
    if (lexer_.accept('|')) return parse_pair(index);
    if (facts_of(instruction_.code).family == Family::video && lexer_.peek().kind == TokenKind::dot_word) {
      const Token name = lexer_.take();
      const auto selector = selector_from_name(name.text);
      if (!selector) throw ParseError(name.line, in_backticks(word) + " has no part " + in_backticks(name));
      return Operand{RegisterRef{*index}, false, {}, *selector};
    }
    return Operand{RegisterRef{*index}, false, component(function_.registers[*index].vector_size > 1)};
  }
  if (is_special_register(word.text)) {
    const auto chosen = component(is_vector_special_register(word.text));
    return Operand{SpecialRegister{std::string(word.text), chosen.value_or('\0')}, false, {}};
  }
  SymbolRef reference = symbol(word.text, word.line);
  reference.offset = parse_offset(lexer_);
  return Operand{std::move(reference), false, {}};
}

// "[%rd1+4]", "[sym]", "[64]"; "[tex, {%f1, %f2}]" gives several operands.
void InstructionParser::parse_address() {
  Address address;
  lexer_.expect('[');
  if (lexer_.peek().kind == TokenKind::word && lexer_.peek().text != "WARP_SZ") {
    const Token base = lexer_.take();
    if (const auto index = scope_.find_register(base.text)) {
      address.base = RegisterRef{*index};
    } else {
      address.base = symbol(base.text, base.line);
    }
    address.offset = parse_offset(lexer_);
  } else {
    if (!starts_constant(lexer_.peek())) lexer_.fail_expected("an address");
    address.offset = static_cast<std::int64_t>(parse_constant(lexer_).bits);
  }
  instruction_.operands.push_back(Operand{std::move(address), false, {}});
  while (lexer_.accept(',')) {
    if (lexer_.peek().is('[')) lexer_.fail_expected("a coordinate");
    parse_operand();
  }
  lexer_.expect(']');
}

}  // namespace cudalabs::vgpu::ptx
