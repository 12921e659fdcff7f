// The parts of expressions between signs that are no arithmetic.
#pragma once

#include <string>
#include <vector>

#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Of "if (row < m && f(a + 1, b))": "row", "m", "a + 1" and "b"; brackets without partners in it are left out.
struct ExpressionSegment {
  TokenRange tokens;
  std::size_t body = kNoToken;  // of the function
  std::size_t open = kNoToken;  // the innermost bracket around
};

/// Those in bodies of functions, in their order.
std::vector<ExpressionSegment> expression_segments(const PatchedSource& source);

/// Without blanks.
std::string compact_text(const TokenRange& range, const std::vector<Token>& tokens);

}  // namespace cudalabs::patch
