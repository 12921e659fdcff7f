// Pointers that are freed and were declared without a value, where nothing was allocated for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "float *a, *b = NULL;", of `a`.
struct UnsetPointer {
  Setting pointer;
  std::string only_set, value;  // "b" and "NULL", where that one alone, the last, has an initial value; else empty

  bool operator==(const UnsetPointer&) const = default;
};

/// Of the pointer that the line frees: its declaration, in the same function and before. Nothing where the function
/// gives it a value, other than by its address. `code` has no comments.
std::optional<UnsetPointer> unset_pointer(std::string_view code, std::uint32_t line);

/// Shows it beside findings of a free of what was not allocated. `source` is the text of `file`.
void show_unset_pointers(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
