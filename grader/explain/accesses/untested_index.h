// Accesses past an array whose index has a part that no condition before the access asks for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// A part of an index.
struct UntestedPart {
  std::string text;        // "ty", "row + TILE", "row + i * LINES"
  std::string tested;      // "row", which is asked for without what is added; empty: no condition has the part
  std::uint32_t line = 0;  // of the condition: of the one that asks for that, or the one next to the access
  std::string name = {};   // "i", where the index has a variable that is this sum; else empty
  std::string bound = {};  // "n", which `tested` is held against
  std::string own = {};    // the condition of the choice that the access stands in, where it is that one

  bool operator==(const UntestedPart&) const = default;
};

/// Names such parts in the help of findings of accesses that conditions stand before, in the place of the question for
/// the array's sizes. `source` is the submission's text, `file` its name.
void show_untested_indices(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
