// Constant expressions of integers, as they stand in operands, offsets, array sizes and initialisers.
#include "vgpu/ptx/constant.h"

#include <limits>

namespace cudalabs::vgpu::ptx {
namespace {

constexpr int kDeepestNesting = 64;  // nesting of parentheses, unary operators and ?: that bounds the recursion

Constant from_bool(bool value) {
  return Constant{value ? 1u : 0u, false};
}

// Binding strength of a binary operator, 0 for anything else; as in C.
int precedence(const Token& token) {
  if (token.kind != TokenKind::symbol) return 0;
  const std::string_view op = token.text;
  if (op == "||") return 1;
  if (op == "&&") return 2;
  if (op == "|") return 3;
  if (op == "^") return 4;
  if (op == "&") return 5;
  if (op == "==" || op == "!=") return 6;
  if (op == "<" || op == ">" || op == "<=" || op == ">=") return 7;
  if (op == "<<" || op == ">>") return 8;
  if (op == "+" || op == "-") return 9;
  if (op == "*" || op == "/" || op == "%") return 10;
  return 0;
}

Constant divide(const Token& op, Constant left, Constant right, bool is_unsigned) {
  if (right.bits == 0) throw ParseError(op.line, "division by zero in a constant expression");
  const bool quotient = op.is('/');
  if (is_unsigned) return {quotient ? left.bits / right.bits : left.bits % right.bits, true};
  const auto a = static_cast<std::int64_t>(left.bits);
  const auto b = static_cast<std::int64_t>(right.bits);
  if (b == -1) return {quotient ? 0 - left.bits : 0, false};  // the smallest integer has no negative
  return {static_cast<std::uint64_t>(quotient ? a / b : a % b), false};
}

Constant shift(const Token& op, Constant left, Constant right) {
  const std::uint64_t count = right.bits;
  if (op.text == "<<") return {count > 63 ? 0 : left.bits << count, left.is_unsigned};
  if (left.is_unsigned) return {count > 63 ? 0 : left.bits >> count, true};
  const auto value = static_cast<std::int64_t>(left.bits) >> (count > 63 ? 63 : count);
  return {static_cast<std::uint64_t>(value), false};
}

bool less(Constant left, Constant right, bool is_unsigned) {
  if (is_unsigned) return left.bits < right.bits;
  return static_cast<std::int64_t>(left.bits) < static_cast<std::int64_t>(right.bits);
}

Constant apply(const Token& op, Constant left, Constant right) {
  const bool is_unsigned = left.is_unsigned || right.is_unsigned;
  if (op.text.size() == 2) {
    if (op.text == "||") return from_bool(left.bits != 0 || right.bits != 0);
    if (op.text == "&&") return from_bool(left.bits != 0 && right.bits != 0);
    if (op.text == "==") return from_bool(left.bits == right.bits);
    if (op.text == "!=") return from_bool(left.bits != right.bits);
    if (op.text == "<=") return from_bool(!less(right, left, is_unsigned));
    if (op.text == ">=") return from_bool(!less(left, right, is_unsigned));
    return shift(op, left, right);
  }
  switch (op.text[0]) {
    case '|':
      return {left.bits | right.bits, is_unsigned};
    case '^':
      return {left.bits ^ right.bits, is_unsigned};
    case '&':
      return {left.bits & right.bits, is_unsigned};
    case '<':
      return from_bool(less(left, right, is_unsigned));
    case '>':
      return from_bool(less(right, left, is_unsigned));
    case '+':
      return {left.bits + right.bits, is_unsigned};
    case '-':
      return {left.bits - right.bits, is_unsigned};
    case '*':
      return {left.bits * right.bits, is_unsigned};
    default:
      return divide(op, left, right, is_unsigned);
  }
}

class ConstantParser {
 public:
  explicit ConstantParser(Lexer& lexer) : lexer_(lexer) {}

  Constant conditional() {
    const Nesting nesting(*this);
    const Constant condition = binary(1);
    if (!lexer_.accept('?')) return condition;
    const Constant chosen = conditional();
    lexer_.expect(':');
    const Constant other = conditional();
    return {condition.bits != 0 ? chosen.bits : other.bits, chosen.is_unsigned || other.is_unsigned};
  }

  /// A constant without binary operators, unless in parentheses.
  Constant primary() { return unary(); }

 private:
  struct Nesting {
    explicit Nesting(ConstantParser& owner) : parser(owner) {
      if (++parser.depth_ > kDeepestNesting) parser.lexer_.fail("constant expression nested too deeply");
    }
    ~Nesting() { --parser.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ConstantParser& parser;
  };

  Constant binary(int weakest) {
    Constant left = unary();
    for (int strength = precedence(lexer_.peek()); strength >= weakest && strength != 0;
         strength = precedence(lexer_.peek())) {
      const Token op = lexer_.take();
      left = apply(op, left, binary(strength + 1));
    }
    return left;
  }

  Constant unary() {
    const Nesting nesting(*this);
    if (lexer_.accept('-')) {
      const Constant value = unary();
      return {0 - value.bits, value.is_unsigned};
    }
    if (lexer_.accept('+')) return unary();
    if (lexer_.accept('!')) return from_bool(unary().bits == 0);
    if (lexer_.accept('~')) {
      const Constant value = unary();
      return {~value.bits, value.is_unsigned};
    }
    if (lexer_.accept('(')) return parenthesised();
    if (lexer_.peek().is_word("WARP_SZ")) {
      lexer_.take();
      return {32, false};
    }
    if (lexer_.peek().kind != TokenKind::integer) lexer_.fail_expected("an integer");
    const Token literal = lexer_.take();
    const bool too_large = literal.integer > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return {literal.integer, literal.is_unsigned || too_large};
  }

  Constant parenthesised() {
    const bool to_signed = lexer_.accept_directive("s64");
    if (to_signed || lexer_.accept_directive("u64")) {
      lexer_.expect(')');
      return {unary().bits, !to_signed};
    }
    const Constant value = conditional();
    lexer_.expect(')');
    return value;
  }

  Lexer& lexer_;
  int depth_ = 0;
};

}  // namespace

Constant parse_constant(Lexer& lexer) {
  return ConstantParser(lexer).conditional();
}

std::uint64_t parse_unsigned_constant(Lexer& lexer, const char* what, std::uint64_t limit) {
  const std::uint32_t line = lexer.line();
  const Constant value = parse_constant(lexer);
  const bool negative = !value.is_unsigned && static_cast<std::int64_t>(value.bits) < 0;
  if (negative || value.bits > limit) {
    throw ParseError(line, std::string(what) + " is out of range (at most " + std::to_string(limit) + ")");
  }
  return value.bits;
}

std::int64_t parse_offset(Lexer& lexer) {
  std::int64_t offset = 0;
  while (lexer.peek().is('+') || lexer.peek().is('-')) {
    const Token sign = lexer.take();
    const auto term = static_cast<std::int64_t>(ConstantParser(lexer).primary().bits);
    const bool overflow =
        sign.is('+') ? __builtin_add_overflow(offset, term, &offset) : __builtin_sub_overflow(offset, term, &offset);
    if (overflow) throw ParseError(sign.line, "the offset does not fit 64 bits");
  }
  return offset;
}

bool starts_constant(const Token& token) {
  return token.kind == TokenKind::integer || token.is('-') || token.is('+') || token.is('~') || token.is('!') ||
         token.is('(') || token.is_word("WARP_SZ");
}

}  // namespace cudalabs::vgpu::ptx
