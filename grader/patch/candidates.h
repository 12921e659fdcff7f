// Which changes are tried, and in which order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "patch/patch.h"

namespace cudalabs::patch {

/// What is known to have to do with the mistake.
struct Suspects {
  std::vector<std::uint32_t> lines = {};
  std::string words = {};   // in which functions are named between backticks
  bool only_leaks = false;  // the program works, but does not free all that it has made
};

/// At most `most` of the changes that all operators make of `code`, which has no comments. First come those that are
/// likely and near: in one of the lines; in a line that sets what these use; in a function that has one of them, or is
/// named; anywhere else. Where only something leaks, no condition is changed that decides whether work is done: another
/// way through the program may not leak, and is right only where the cases happen to be.
std::vector<Patch> candidates(std::string_view code, const Suspects& suspects, std::size_t most);

}  // namespace cudalabs::patch
