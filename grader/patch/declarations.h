// What a declaration declares, from its tokens.
#pragma once

#include <cstddef>
#include <vector>

#include "patch/tokens.h"

namespace cudalabs::patch {

/// A variable; all of it as indices of tokens.
struct Variable {
  std::size_t name = 0;
  std::size_t type = 0;      // where its declaration begins, "static" and the like included
  std::size_t type_end = 0;  // past the type; for the first of a list this is the name, or a "*" or "&" before it
};

/// Of the tokens from `first` on, up to and without `end`: the names that are declared, also those of a structured
/// binding and that of a loop over a range. Empty: it is no declaration.
std::vector<Variable> variables_of_declaration(const std::vector<Token>& tokens, std::size_t first, std::size_t end);

}  // namespace cudalabs::patch
