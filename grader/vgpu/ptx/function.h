// Kernels and device functions: header, tuning directives, body.
#pragma once

#include <vector>

#include "vgpu/ptx/instruction.h"
#include "vgpu/ptx/lexer.h"
#include "vgpu/ptx/place_table.h"

namespace cudalabs::vgpu::ptx {

/// What a function needs to know of the module around it, and tells it.
struct ModuleContext {
  Lexer& lexer;
  ModuleNames names;                   // declared at module scope so far
  std::vector<SymbolUse> symbol_uses;  // names that must be declared there by the end
  std::vector<std::string> files;
  std::uint32_t highest_file = 0;  // of any .loc, with the line it stands in
  std::uint32_t highest_file_line = 0;
  std::uint64_t initial_budget = 0;  // bytes of initialised variables the module may still have
  PlaceTable places = {};
};

/// Parses a function, or the declaration of one, after ".entry" or ".func". Its name is declared in `context`.
Function parse_function(ModuleContext& context, bool is_entry);

/// Parses what follows ".file".
void parse_file(ModuleContext& context);
/// Parses what follows ".loc". Until the module ends, a place is its number in `context.places`, in Location::file.
Location parse_location(ModuleContext& context);
/// Parses what follows ".pragma"; the module keeps nothing of it.
void skip_pragma(Lexer& lexer);

}  // namespace cudalabs::vgpu::ptx
