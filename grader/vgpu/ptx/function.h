// Kernels and device functions: header, tuning directives, body.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "vgpu/ptx/instruction.h"
#include "vgpu/ptx/lexer.h"

namespace cudalabs::vgpu::ptx {

struct LocationOrder {
  bool operator()(const Location& left, const Location& right) const {
    return std::tie(left.file, left.line, left.column) < std::tie(right.file, right.line, right.column);
  }
};
/// From the last .loc of each place that was inlined: where it was called.
using InlinedAt = std::map<Location, Location, LocationOrder>;

/// What a function needs to know of the module around it, and tells it.
struct ModuleContext {
  Lexer& lexer;
  ModuleNames names;                   // declared at module scope so far
  std::vector<SymbolUse> symbol_uses;  // names that must be declared there by the end
  std::vector<std::string> files;
  std::uint32_t highest_file = 0;  // of any .loc, with the line it stands in
  std::uint32_t highest_file_line = 0;
  std::uint64_t initial_budget = 0;  // bytes of initialised variables the module may still have
  InlinedAt inlined_at = {};
};

/// Parses a function, or the declaration of one, after ".entry" or ".func". Its name is declared in `context`.
Function parse_function(ModuleContext& context, bool is_entry);

/// Parses what follows ".file" and ".loc".
void parse_file(ModuleContext& context);
Location parse_location(ModuleContext& context);
/// Parses what follows ".pragma"; the module keeps nothing of it.
void skip_pragma(Lexer& lexer);

}  // namespace cudalabs::vgpu::ptx
