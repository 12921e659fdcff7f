// The operators of an expression that no brackets keep together, read as text.
#pragma once

#include <string>
#include <string_view>

namespace cudalabs {

/// Of arithmetic outside of brackets.
struct Operators {
  bool arithmetic = false;  // the text has nothing else, but for what stands in brackets
  bool sums = false, divides = false, multiplies = false;

  bool any() const { return sums || divides || multiplies; }
};

Operators operators_of(std::string_view text);

/// Whether the operator before a value with these takes a part of it only.
bool splits_before(const Operators& operators, char sign);
/// Likewise, the one behind it.
bool splits_after(const Operators& operators, char sign);

/// The operators beside a value that take a part of it only: the one before it and the one behind, with a space, the
/// latter with the name or number that follows; empty: it takes all, or there is none.
struct SplittingSigns {
  std::string before, behind;

  bool any() const { return !before.empty() || !behind.empty(); }
};

/// Of what stands in the line from `begin` to `end`, for a value with these.
SplittingSigns splitting_signs(std::string_view line, std::size_t begin, std::size_t end, const Operators& own);

}  // namespace cudalabs
