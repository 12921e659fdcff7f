// Which braces of a source begin the bodies of functions.
#pragma once

#include <cstddef>
#include <vector>

#include "patch/tokens.h"

namespace cudalabs::patch {

class TokenRoles;

struct FoundBody {
  std::size_t open = 0;        // its brace
  std::size_t parameters = 0;  // the bracket before them; kNoToken: a lambda has none
};

/// Of functions, of members and of lambdas, in their order; the angle brackets of `roles` are paired.
std::vector<FoundBody> bodies_in(const TokenRoles& roles, const std::vector<Token>& tokens);

}  // namespace cudalabs::patch
