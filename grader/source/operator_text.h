// The operators of an expression that no brackets keep together, read as text.
#pragma once

#include <string_view>

namespace cudalabs {

/// Of arithmetic outside of brackets.
struct Operators {
  bool arithmetic = false;  // the text has nothing else
  bool sums = false, divides = false, multiplies = false;

  bool any() const { return sums || divides || multiplies; }
};

Operators operators_of(std::string_view text);

/// Whether the operator before a value with these takes a part of it only.
bool splits_before(const Operators& operators, char sign);
/// Likewise, the one behind it.
bool splits_after(const Operators& operators, char sign);

/// Without spaces at both ends.
std::string_view without_outer_spaces(std::string_view text);

}  // namespace cudalabs
