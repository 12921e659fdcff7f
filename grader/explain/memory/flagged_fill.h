// Memory that is cleared only where the program asks for it, by an argument of what allocates it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "Padded b(n, p, Fill::none)", where `Padded` clears its memory "if (fill == Fill::zeros)".
struct FlaggedFill {
  Setting made;             // the name of the object, or of the pointer
  std::string maker;        // "Padded": the class, or the function
  std::string given;        // "Fill::none": what the argument is, or is by default
  std::string wanted;       // "Fill::zeros"
  std::uint32_t asked = 0;  // the line that asks for it
  std::string filled;       // another object, for which it is so; empty: there is none
  bool omitted = false;     // the argument is left out

  bool operator==(const FlaggedFill&) const = default;
};

/// Of that parameter, from 0 on, of the kernel that is launched in that line: what made the memory that it gets, where
/// that has a `cudaMemset` which only an argument keeps from being made. `code` has no comments.
std::optional<FlaggedFill> flagged_fill(std::string_view code, std::uint32_t launch, std::size_t parameter);

/// Of reads of global memory that nothing has written: shows where such memory is made, and what to give there.
/// `source` is the text of `file`.
void show_flagged_fills(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
