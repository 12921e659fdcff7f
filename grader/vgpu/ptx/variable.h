// Declarations of variables, parameters and registers: ".shared .align 4 .b8 tile[16][16]".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vgpu/ptx/lexer.h"

namespace cudalabs::vgpu::ptx {

/// What stands before the names: state space, type, alignment.
struct DeclarationHead {
  Space space = Space::generic;
  Type type = Type::none;
  std::uint32_t vector_size = 1;
  std::uint32_t alignment = 0;  // 0: none given
  Linkage linkage = Linkage::local;
  bool is_extern = false;
  bool is_managed = false;
};

/// The state space a directive names (".const" -> constant), for those that hold variables or registers.
std::optional<Space> space_from_name(std::string_view name);

/// Parses what follows the state space up to the first name.
DeclarationHead parse_declaration_head(Lexer& lexer, Space space);

/// Parses "name[4][5] = {1, 2}" into a variable that still has its own, maybe not unique name. `initial_budget`: how
/// many bytes of initialised variables the module may still have; taken from.
Variable parse_variable(Lexer& lexer, const DeclarationHead& head, std::uint64_t& initial_budget);

/// Parses "(.param .b32 a, .reg .f64 b)"; a missing name is "_".
std::vector<Variable> parse_parameters(Lexer& lexer);

}  // namespace cudalabs::vgpu::ptx
