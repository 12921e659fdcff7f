// Device code that the virtual GPU cannot execute: what and where it is, and whether its author has to fix it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vgpu/finding.h"

namespace cudalabs::vgpu::ptx {

enum class Defect : std::uint8_t {
  not_executed,        // a GPU would do it
  malformed,           // no PTX: a compiler does not write such text, but inline assembly may hold it
  undefined_function,  // a call of a function that has no body anywhere
  undefined_variable,  // a use of a variable that is declared only
  textures             // a question about a texture or surface; parameters can answer it
};

struct Refusal {
  std::string kernel;  // demangled, without parameters; empty: the whole module
  std::string reason;  // one line, names the PTX line
  SourcePlace where;   // may be unknown
  Defect defect = Defect::not_executed;
  bool is_authors = false;  // no assembler would accept it either, or there is another way to write it

  bool operator==(const Refusal&) const = default;
};

/// Finds out from the module's text where the PTX line comes from. Malformed text is its author's only between the
/// comments that compilers put around inline assembly; anywhere else it is one that this parser should have known.
/// Where the text has no comments, it is the author's unless it is of a newer version of PTX than the parser knows.
Refusal refusal_of(std::string_view text, std::uint32_t line, std::string reason, Defect defect);

/// One line: kernel, reason, source place.
std::string describe(const Refusal& refusal);

/// The finding of a refusal that is its author's: "unsupported-call" of textures, else "build-failed".
Finding finding_of(const Refusal& refusal);

}  // namespace cudalabs::vgpu::ptx
