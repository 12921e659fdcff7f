// The only variable of 16 bits of a program whose results are wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/narrow_type.h"

namespace cudalabs {

struct NarrowDeclaration {
  NarrowType type;
  std::uint32_t line = 0, column = 0;  // of the type
  bool returned = false;               // by a function that is defined there
};

/// The only declaration of a variable, a member, a parameter or a returned value of 16 bits; nothing where there are
/// several. Of a pointer it is the data that has 16 bits.
std::optional<NarrowDeclaration> only_declaration_of_16_bits(std::string_view source);

/// Of a wrong or unwritten output as the first finding, of which nothing proves another cause and the lab is sure of
/// none: shows that declaration, and asks whether its values fit. False where there is none, or the finding shows
/// something that says more.
bool show_narrow_variable(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
