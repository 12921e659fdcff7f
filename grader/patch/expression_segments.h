// The parts of expressions between signs that are no arithmetic.
#pragma once

#include <string>
#include <vector>

#include "patch/token_roles.h"

namespace cudalabs::patch {

/// Of "if (row < m && f(a + 1, b))": "row", "m", "a + 1" and "b"; brackets without partners in it are left out.
struct ExpressionSegment {
  TokenRange tokens;
  std::size_t body = kNoToken;  // of the function
  std::size_t open = kNoToken;  // the innermost bracket around
};

/// Those in bodies of functions, in their order.
std::vector<ExpressionSegment> expression_segments(const TokenRoles& roles, const std::vector<Token>& tokens);

/// Without blanks.
std::string text_of(const TokenRange& range, const std::vector<Token>& tokens);

}  // namespace cudalabs::patch
