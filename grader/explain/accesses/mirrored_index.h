// An index that is counted from the end of an array, and begins one behind its last element.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "n - i", where `i` comes from numbers of the thread.
struct MirroredIndex {
  Setting where;             // where it is computed: the name that gets it, or its first word
  std::string text;          // "n - i"
  std::string size, back;    // "n", "i"
  std::uint32_t column = 0;  // of the text, in its line

  bool operator==(const MirroredIndex&) const = default;
};

/// What the element at that place is counted by, in the subscript or in the variable that is its subscript: the whole
/// of it is `size` minus something that is 0 for the first thread, and is never less. `code` has no comments.
std::optional<MirroredIndex> mirrored_index(std::string_view code, const SourcePlace& where, std::string_view size);

/// Of an access past the end of an array, with as many elements as a number that the launch gave: shows where such an
/// index is computed. `source` is the text of `file`.
void show_mirrored_indices(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
