// Lines such as ".b8 4", ".b64 _ZZ5tiledPfE4tile" and "$L__info_string0:" to bytes.
#include "vgpu/ptx/debug_section.h"

#include "vgpu/ptx/lexer.h"

namespace cudalabs::vgpu::ptx {
namespace {

/// What stands between the braces; no view where there is no such section.
std::string_view body_of(std::string_view ptx, std::string_view name) {
  constexpr std::string_view kDirective = ".section";
  for (std::size_t at = ptx.find(kDirective); at != std::string_view::npos; at = ptx.find(kDirective, at)) {
    at += kDirective.size();
    const std::size_t begin = ptx.find('{', at), end = ptx.find('}', at);
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
    const std::string_view head = ptx.substr(at, begin - at);
    const std::size_t dot = head.find('.');
    const bool named = dot != std::string_view::npos && head.substr(dot + 1).starts_with(name) &&
                       head.find_first_not_of(" \t\r\n", dot + 1 + name.size()) == std::string_view::npos;
    if (named) return ptx.substr(begin + 1, end - begin - 1);
  }
  return {};
}

std::size_t width_of(Lexer& lexer) {
  const Token word = lexer.take();
  if (word.kind == TokenKind::dot_word) {
    const auto type = type_from_name(word.text);
    if (type && is_untyped(*type) && *type != Type::b128) return size_in_bytes(*type);
  }
  throw ParseError(word.line, "no data of a section: " + in_backticks(word));
}

void append_value(Lexer& lexer, std::size_t width, DebugSection& section) {
  const bool negative = lexer.accept('-');
  const Token value = lexer.take();
  std::uint64_t bits = 0;
  if (value.kind == TokenKind::integer) {
    bits = negative ? 0 - value.integer : value.integer;
  } else if (value.kind == TokenKind::word || value.kind == TokenKind::dot_word) {
    section.symbols.emplace(section.bytes.size(), value.text);
    if (lexer.accept('+')) bits = lexer.take().integer;
    if (lexer.accept('-')) lexer.take();  // the distance of two labels, which nobody here asks for
  } else {
    throw ParseError(value.line, "no value of a section: " + in_backticks(value));
  }
  for (std::size_t i = 0; i < width; ++i) section.bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
}

}  // namespace

DebugSection debug_section(std::string_view ptx, std::string_view name) {
  DebugSection section;
  Lexer lexer(body_of(ptx, name));
  while (lexer.peek().kind != TokenKind::end) {
    if (lexer.peek().kind == TokenKind::word) {
      lexer.take();
      lexer.expect(':');
      continue;
    }
    const std::size_t width = width_of(lexer);
    do {
      append_value(lexer, width, section);
    } while (lexer.accept(','));
  }
  return section;
}

}  // namespace cudalabs::vgpu::ptx
