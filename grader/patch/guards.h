// What a kernel asks of its indices.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {

/// "row < height", or "row >= height" before a way out; the bound is a name or a member.
struct Guard {
  std::size_t at = 0;  // the token of its sign
  std::string_view name;
  TokenRange bound;
};

/// The first ones of a function.
std::vector<Guard> guards_of(const std::vector<Token>& tokens, const Function& function);

}  // namespace cudalabs::patch
