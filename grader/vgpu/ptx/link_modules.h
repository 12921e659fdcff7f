// Makes one module of several, as a linker does for device code in several files.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "vgpu/ptx/module.h"
#include "vgpu/ptx/refusal.h"
#include "vgpu/ptx/variable_types.h"

namespace cudalabs::vgpu::ptx {

/// A module, and what its variables are made of.
struct TypedModule {
  Module module;
  VariableTypes types;
};

/// Definitions that contradict each other. `what()` names them.
class LinkError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A name that modules share is one variable or function: declarations get the definition, a visible one before a weak
/// one, and of weak ones the first. Names that a module has for itself are kept apart: where another has the same, they
/// get a suffix (`kApart` and a number). What no module defines stays a declaration. Files of equal names become one.
/// Lines of the PTX text count on from each module to the next, by `texts`, which are those of the modules. Throws
/// LinkError.
TypedModule link_modules(std::vector<TypedModule> modules, std::span<const std::string> texts);

/// The first line of each text, where lines are counted on from one to the next.
std::vector<std::uint32_t> first_lines(std::span<const std::string> texts);

/// As refusal_of() of one text.
Refusal refusal_of(std::span<const std::string> texts, std::uint32_t line, std::string reason, Defect defect);

}  // namespace cudalabs::vgpu::ptx
