// Copies to a variable of the device whose size or offset is a number of elements, where bytes are meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

struct SymbolCopy {
  enum class Mistake : std::uint8_t { size, offset };

  Mistake mistake = Mistake::size;
  std::string call, symbol, type, given;  // "cudaMemcpyToSymbol", "weights", "int", "3"
  bool array = false;
  std::uint32_t line = 0;  // of the call

  bool operator==(const SymbolCopy&) const = default;
};

/// The first of a source: its size is the extent of the array, or 1 for a variable of several bytes; or its offset is a
/// number that no element begins at.
std::optional<SymbolCopy> miscounted_copy(std::string_view source);

/// Of a wrong output as the first finding: leads it to such a copy.
void show_miscounted_copy(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
