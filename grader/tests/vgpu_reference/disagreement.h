// Two outputs of a random program held against each other.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "generator.h"

namespace cudalabs::reference {

/// Empty when the outputs are the same, bit for bit. Otherwise the first thread and register that differ, with both
/// values, and how many differ in all; `left` and `right` name the sides.
std::string disagreement(const Program& program, std::span<const std::byte> left_output, const std::string& left,
                         std::span<const std::byte> right_output, const std::string& right);

/// Leaves out as many lines of the program as it can while `differs` still holds, which may throw for a program that
/// makes no sense any more.
Program shrink(Program program, const std::function<bool(const Program&)>& differs);

/// What the reference machine makes of a program: the bytes of its output.
std::vector<std::byte> run_on_reference(const Program& program);

}  // namespace cudalabs::reference
