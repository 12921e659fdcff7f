// Every form of arithmetic instruction that random programs are made of.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cudalabs::reference {

/// An instruction with its suffixes, and a letter for each operand, the result first: h, r, d for integers of 16, 32
/// and 64 bits, f and e for f32 and f64, p for a predicate, P for a predicate that may be negated, q for a pair of
/// predicates, n for a shift amount, m for a
/// position or length of at most 255, t for a look-up table of lop3.
struct Form {
  std::string instruction;
  std::string operands;
  bool approximate = false;  // its result is not the same on every GPU
  bool open_nan = false;     // which NaN it makes, the ISA leaves open
};

const std::vector<Form>& all_forms();
/// Portable programs are made of so many of them, from the first one on. The answers of GPUs to such programs are
/// recorded: with another number each seed would be another program, so a new form stands behind these.
std::size_t portable_forms();

}  // namespace cudalabs::reference
