// Memory that a copy has filled in part, and that nothing has cleared before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// The object whose member function copies into memory of its own.
struct UnclearedObject {
  Setting call;         // of that function; its name is the object's
  std::string copies;   // "copyFrom"
  std::string clears;   // "clear": a member function that fills such memory; empty: there is none
  std::string cleared;  // another object, for which it is called; empty: there is none

  bool operator==(const UnclearedObject&) const = default;
};

/// Of a copy in that line, in a member function: the only object for which that is called, and no function that fills
/// memory. Nothing where there are several. `code` has no comments.
std::optional<UnclearedObject> uncleared_object(std::string_view code, std::uint32_t copy);

/// Of reads of what nothing has written, behind a copy that is the only one to fill the allocation: says that the rest
/// is to be cleared, and shows where the copy is called from. `source` is the text of `file`.
void show_partly_filled(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
