// What the parser's tests share: short ways to parse a snippet and to expect a refusal.
#pragma once

#include <string>
#include <string_view>

#include "catch/catch.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {

/// The first line of every snippet below is line 2 of its text.
inline Module parse_module(const std::string& text) {
  return parse(".version 7.0 .target sm_70 .address_size 64\n" + text);
}

/// A function whose body is `body`, with registers of every kind.
inline Function parse_body(const std::string& body) {
  Module module = parse_module(
      ".global .b32 word; .func callee(.param .b32 x); .func f() { .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 "
      "%rd<9>; "
      ".reg .f32 %f<9>; .reg .v4 .f32 %v; .shared .b32 tile[4];\n" +
      body + "\n}");
  for (Function& function : module.functions) {
    if (function.name == "f") return std::move(function);
  }
  throw std::logic_error("no function f");
}

inline Instruction parse_one(const std::string& text) {
  Function function = parse_body(text);
  REQUIRE(function.instructions.size() == 1);
  return std::move(function.instructions[0]);
}

template <class Value>
const Value& as(const Operand& operand) {
  const Value* const value = std::get_if<Value>(&operand.value);
  REQUIRE(value != nullptr);
  return *value;
}

/// The message of the ParseError that `parse` must throw, without its line.
template <class Parse>
std::string refusal(const Parse& parse_it, std::uint32_t* line = nullptr) {
  try {
    parse_it();
  } catch (const ParseError& error) {
    const std::string prefix = "PTX line " + std::to_string(error.line()) + ": ";
    const std::string text = error.what();
    REQUIRE(text.substr(0, prefix.size()) == prefix);
    REQUIRE(text.find('\n') == std::string::npos);
    if (line != nullptr) *line = error.line();
    return text.substr(prefix.size());
  }
  return "accepted";
}

inline std::string module_refusal(const std::string& text) {
  return refusal([&] { parse_module(text); });
}
inline std::string body_refusal(const std::string& text) {
  return refusal([&] { parse_body(text); });
}

}  // namespace cudalabs::vgpu::ptx
