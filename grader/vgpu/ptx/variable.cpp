// Declarations of variables, parameters and registers: ".shared .align 4 .b8 tile[16][16]".
#include "vgpu/ptx/variable.h"

#include <bit>

#include "vgpu/ptx/constant.h"
#include "vgpu/ptx/initializer.h"

namespace cudalabs::vgpu::ptx {
namespace {

constexpr std::uint64_t kLargestVariable = std::uint64_t{1} << 40;  // bytes; beyond any device, far from overflow
constexpr std::uint64_t kLargestAlignment = 65536;
constexpr std::size_t kMostDimensions = 16;

std::uint32_t parse_alignment(Lexer& lexer) {
  const std::uint64_t alignment = parse_unsigned_constant(lexer, "the alignment", kLargestAlignment);
  if (!std::has_single_bit(alignment)) lexer.fail("the alignment is not a power of two");
  return static_cast<std::uint32_t>(alignment);
}

// ".attribute(.managed)", ".attribute(.unified(1, 2))"; true when .managed is among them.
bool parse_attributes(Lexer& lexer) {
  bool managed = false;
  lexer.expect('(');
  do {
    if (lexer.accept_directive("managed")) {
      managed = true;
    } else if (lexer.accept_directive("unified")) {
      lexer.expect('(');
      parse_constant(lexer);
      lexer.expect(',');
      parse_constant(lexer);
      lexer.expect(')');
    } else {
      lexer.fail_expected("an attribute");
    }
  } while (lexer.accept(','));
  lexer.expect(')');
  return managed;
}

// ".ptr .global .align 4" says what a pointer parameter points to; nothing the module keeps.
void skip_pointee(Lexer& lexer) {
  for (const std::string_view space : {"const", "global", "local", "shared", "generic", "param"}) {
    if (lexer.accept_directive(space)) break;
  }
  if (lexer.accept_directive("align")) parse_alignment(lexer);
}

// Dimensions after a name; 0 stands for "[]", which only the outermost may be.
std::vector<std::uint64_t> parse_dimensions(Lexer& lexer) {
  std::vector<std::uint64_t> dimensions;
  while (lexer.accept('[')) {
    if (dimensions.size() == kMostDimensions) lexer.fail("too many dimensions");
    if (lexer.peek().is(']')) {
      if (!dimensions.empty()) lexer.fail("only the outermost dimension may be left out");
      dimensions.push_back(0);
    } else {
      dimensions.push_back(parse_unsigned_constant(lexer, "the dimension", kLargestVariable));
      if (dimensions.size() > 1 && dimensions.back() == 0) lexer.fail("an inner dimension is 0");
    }
    lexer.expect(']');
  }
  return dimensions;
}

std::uint64_t total_size(const Lexer& lexer, std::uint64_t element, const std::vector<std::uint64_t>& dimensions) {
  std::uint64_t size = element;
  for (std::size_t i = dimensions.size(); i-- > 0;) {  // innermost first: also what "[]" repeats has to be small
    if (__builtin_mul_overflow(size, dimensions[i], &size) || size > kLargestVariable) {
      lexer.fail("the variable is larger than 1 TiB");
    }
  }
  return size;
}

}  // namespace

std::optional<Space> space_from_name(std::string_view name) {
  if (name == "reg") return Space::reg;
  if (name == "param") return Space::param;
  if (name == "local") return Space::local;
  if (name == "shared") return Space::shared;
  if (name == "global") return Space::global;
  if (name == "const") return Space::constant;
  return std::nullopt;
}

DeclarationHead parse_declaration_head(Lexer& lexer, Space space) {
  DeclarationHead head;
  head.space = space;
  while (lexer.peek().kind == TokenKind::dot_word) {
    const Token word = lexer.take();
    if (word.text == "align") {
      head.alignment = parse_alignment(lexer);
    } else if (word.text == "ptr") {
      skip_pointee(lexer);
    } else if (word.text == "attribute") {
      head.is_managed = parse_attributes(lexer) || head.is_managed;
    } else if (word.text == "v2" || word.text == "v4" || word.text == "v8") {
      head.vector_size = static_cast<std::uint32_t>(word.text[1] - '0');
    } else if (const auto type = type_from_name(word.text); type && head.type == Type::none) {
      head.type = *type;
    } else {
      throw ParseError(word.line, "unexpected " + in_backticks(word) + " in a declaration");
    }
  }
  if (head.type == Type::none) lexer.fail_expected("a type");
  if (head.type == Type::pred && (space != Space::reg || head.vector_size != 1)) {
    lexer.fail("a predicate must be a register");
  }
  return head;
}

Variable parse_variable(Lexer& lexer, const DeclarationHead& head, std::uint64_t& initial_budget) {
  Variable variable;
  variable.ptx_line = lexer.line();
  variable.name = lexer.expect_word("a name");
  variable.space = head.space;
  variable.type = head.type;
  variable.vector_size = head.vector_size;
  variable.linkage = head.linkage;
  variable.is_extern = head.is_extern;
  variable.is_managed = head.is_managed;
  const std::uint64_t element = std::uint64_t{size_in_bytes(head.type)} * head.vector_size;
  variable.alignment = head.alignment != 0 ? head.alignment : static_cast<std::uint32_t>(element);

  std::vector<std::uint64_t> dimensions = parse_dimensions(lexer);
  variable.size = total_size(lexer, element, dimensions);
  if (lexer.accept('=')) {
    if (head.vector_size > 1) dimensions.push_back(head.vector_size);
    parse_initializer(lexer, dimensions, variable, initial_budget);
  }
  return variable;
}

std::vector<Variable> parse_parameters(Lexer& lexer) {
  std::vector<Variable> parameters;
  std::uint64_t no_initial_bytes = 0;
  lexer.expect('(');
  if (lexer.accept(')')) return parameters;
  do {
    const bool in_register = lexer.accept_directive("reg");
    if (!in_register && !lexer.accept_directive("param")) lexer.fail_expected("`.param` or `.reg`");
    const DeclarationHead head = parse_declaration_head(lexer, in_register ? Space::reg : Space::param);
    parameters.push_back(parse_variable(lexer, head, no_initial_bytes));
    if (!parameters.back().initial.empty()) lexer.fail("a parameter cannot have an initialiser");
  } while (lexer.accept(','));
  lexer.expect(')');
  return parameters;
}

}  // namespace cudalabs::vgpu::ptx
