// Initial values of variables: numbers, nested lists, addresses of symbols.
#include "vgpu/ptx/initializer.h"

#include <algorithm>
#include <bit>

#include "vgpu/ptx/constant.h"

namespace cudalabs::vgpu::ptx {
namespace {

class InitializerParser {
 public:
  InitializerParser(Lexer& lexer, const std::vector<std::uint64_t>& dimensions, Variable& variable,
                    std::uint64_t& budget)
      : lexer_(lexer), variable_(variable), budget_(budget), scalar_(size_in_bytes(variable.type)) {
    // sizes_[k]: bytes of one element of the list at nesting level k; sizes_.back() is one scalar.
    sizes_.assign(dimensions.size() + 1, scalar_);
    for (std::size_t level = dimensions.size(); level-- > 1;) sizes_[level] = sizes_[level + 1] * dimensions[level];
    if (!dimensions.empty()) sizes_[0] = sizes_[1] * dimensions[0];
    open_ended_ = !dimensions.empty() && dimensions[0] == 0;
  }

  void parse() {
    if (!open_ended_) grow(variable_.size);
    if (sizes_.size() == 1 && !lexer_.peek().is('{')) {
      scalar(0);
    } else if (sizes_.size() == 1) {
      lexer_.expect('{');
      scalar(0);
      lexer_.expect('}');
    } else {
      list(0, 0);
    }
    if (pending_mask_ != 0) lexer_.fail("the bytes of an address are incomplete");
    if (open_ended_) variable_.size = variable_.initial.size();
  }

 private:
  // One list in braces: the values of bytes begin .. begin + sizes_[level]. The recursion is as deep as the dimensions.
  void list(std::size_t level, std::uint64_t begin) {
    const bool unbounded = level == 0 && open_ended_;
    const std::uint64_t end = begin + sizes_[level];
    const std::uint64_t element = sizes_[level + 1];
    std::uint64_t at = begin;
    lexer_.expect('{');
    if (lexer_.accept('}')) return;
    do {
      const bool nested = lexer_.peek().is('{');
      const std::uint64_t bytes = nested ? element : scalar_;
      if (nested && (level + 2 >= sizes_.size() || (at - begin) % element != 0)) {
        lexer_.fail("a list in braces does not fit the dimensions");
      }
      if (unbounded) {
        grow((at + bytes + element - 1) / element * element);
      } else if (at + bytes > end) {
        lexer_.fail("more initial values than elements");
      }
      if (nested) {
        list(level + 1, at);
      } else {
        scalar(at);
      }
      at += bytes;
    } while (lexer_.accept(','));
    lexer_.expect('}');
  }

  void grow(std::uint64_t size) {
    if (size <= variable_.initial.size()) return;
    const std::uint64_t more = size - variable_.initial.size();
    if (more > budget_) lexer_.fail("the initialised variables take more than 128 MiB");
    budget_ -= more;
    variable_.initial.resize(size);
  }

  void store(std::uint64_t at, std::uint64_t bits) {
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(scalar_, 8); ++i) {
      variable_.initial[at + i] = static_cast<std::uint8_t>(bits >> (8 * i));
    }
  }

  void scalar(std::uint64_t at) {
    const Token& next = lexer_.peek();
    if (next.kind == TokenKind::real) return real(at, false);
    if (next.kind == TokenKind::word && next.text != "WARP_SZ") return address(at);
    if (next.is('-') || next.is('+')) {
      Lexer ahead = lexer_;
      const bool negative = ahead.take().is('-');
      if (ahead.peek().kind == TokenKind::real) {
        lexer_.take();
        return real(at, negative);
      }
    }
    if (next.kind == TokenKind::integer) {
      Lexer ahead = lexer_;
      ahead.take();
      if (ahead.peek().is('(')) return masked_address(at);
    }
    const Constant value = parse_constant(lexer_);
    const double real_value = value.is_unsigned ? static_cast<double>(value.bits)
                                                : static_cast<double>(static_cast<std::int64_t>(value.bits));
    if (variable_.type == Type::f32) return store(at, std::bit_cast<std::uint32_t>(static_cast<float>(real_value)));
    if (variable_.type == Type::f64) return store(at, std::bit_cast<std::uint64_t>(real_value));
    store(at, value.bits);
  }

  void real(std::uint64_t at, bool negative) {
    const Token token = lexer_.take();
    const FloatImmediate literal = token.real;
    const bool same_width = literal.single ? scalar_ == 4 : scalar_ == 8;
    if (is_hex(token.text) && same_width && !negative) return store(at, literal.bits);  // keeps a NaN as it is
    const double value = negative ? -literal.value : literal.value;
    if (variable_.type == Type::f32) return store(at, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
    if (variable_.type == Type::f64) return store(at, std::bit_cast<std::uint64_t>(value));
    throw ParseError(token.line,
                     "a floating-point value for a variable of type ." + std::string(name_of(variable_.type)));
  }

  static bool is_hex(std::string_view literal) {
    const char marker = static_cast<char>(literal[1] | 0x20);
    return literal[0] == '0' && (marker == 'f' || marker == 'd');
  }

  struct SymbolAddress {
    std::string name;
    std::int64_t addend = 0;
    bool generic = false;
    bool operator==(const SymbolAddress&) const = default;
  };

  // "sym", "sym+4", "generic(sym)+4", "generic(sym+4)"
  SymbolAddress symbol_address() {
    SymbolAddress result;
    result.name = lexer_.expect_word("a symbol");
    if (result.name == "generic" && lexer_.accept('(')) {
      result.generic = true;
      result.name = lexer_.expect_word("a symbol");
      result.addend = parse_offset(lexer_);
      lexer_.expect(')');
    }
    const std::int64_t more = parse_offset(lexer_);
    if (__builtin_add_overflow(result.addend, more, &result.addend)) lexer_.fail("the offset does not fit 64 bits");
    return result;
  }

  void address(std::uint64_t at) {
    if (scalar_ != 8) lexer_.fail("an address needs an element of 8 bytes");
    SymbolAddress target = symbol_address();
    variable_.relocations.push_back({at, std::move(target.name), target.addend, target.generic});
  }

  // An address in a packed structure comes byte by byte: 0xFF(sym), 0xFF00(sym), ... all eight of them, lowest first.
  void masked_address(std::uint64_t at) {
    const Token mask = lexer_.take();
    lexer_.expect('(');
    SymbolAddress target = symbol_address();
    lexer_.expect(')');
    const bool first = pending_mask_ == 0;
    if (first) {
      masked_ = target;
      masked_begin_ = at;
    }
    const std::uint64_t expected = std::uint64_t{0xFF} << (8 * pending_mask_);
    if (scalar_ != 1 || mask.integer != expected || target != masked_ || at != masked_begin_ + pending_mask_) {
      throw ParseError(mask.line, "the bytes of an address must be all eight, one after the other");
    }
    pending_mask_ = (pending_mask_ + 1) % 8;
    if (pending_mask_ == 0) {
      variable_.relocations.push_back({masked_begin_, std::move(target.name), target.addend, target.generic});
    }
  }

  Lexer& lexer_;
  Variable& variable_;
  std::uint64_t& budget_;
  std::uint64_t scalar_;
  std::vector<std::uint64_t> sizes_;
  bool open_ended_ = false;
  std::uint64_t pending_mask_ = 0;  // bytes of a masked address seen so far
  std::uint64_t masked_begin_ = 0;
  SymbolAddress masked_;
};

}  // namespace

void parse_initializer(Lexer& lexer, const std::vector<std::uint64_t>& dimensions, Variable& variable,
                       std::uint64_t& budget) {
  if (variable.is_extern) lexer.fail("an extern variable cannot have an initialiser");
  InitializerParser(lexer, dimensions, variable, budget).parse();
}

}  // namespace cudalabs::vgpu::ptx
