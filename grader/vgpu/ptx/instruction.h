// Instructions and their operands.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/ptx/lexer.h"
#include "vgpu/ptx/scope.h"

namespace cudalabs::vgpu::ptx {

/// A name that must turn out to be declared at module scope.
struct SymbolUse {
  std::string_view name;
  std::uint32_t line = 0;
};

using ModuleNames = std::set<std::string, std::less<>>;

/// Parses the instructions of one function into it.
class InstructionParser {
 public:
  /// `module_names`: declared so far; `symbol_uses` gets every name that is not the function's own.
  InstructionParser(Lexer& lexer, Function& function, FunctionScope& scope, const ModuleNames& module_names,
                    std::vector<SymbolUse>& symbol_uses);

  /// Parses "@%p" or "@!%p"; the "@" is next.
  Guard parse_guard();
  /// Parses what follows the opcode, semicolon included, and appends the instruction.
  void parse(const Token& opcode, std::optional<Guard> guard, Location location);

 private:
  void parse_operands();
  void parse_operand();
  void parse_call();
  void parse_label();
  Operand parse_scalar();
  Operand parse_word();
  Operand parse_pair(std::optional<std::uint32_t> first);
  void parse_address();
  Operand parse_real(bool negative);
  Operand parse_negated_predicate();
  VectorOperand parse_vector();
  ListOperand parse_list();
  SymbolRef symbol(std::string_view name, std::uint32_t line);
  std::uint32_t parse_register(const char* what);

  Lexer& lexer_;
  Function& function_;
  FunctionScope& scope_;
  const ModuleNames& module_names_;
  std::vector<SymbolUse>& symbol_uses_;
  Instruction instruction_;  // the one being parsed
};

}  // namespace cudalabs::vgpu::ptx
