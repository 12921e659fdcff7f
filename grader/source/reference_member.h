// Members of structures that are references, read as text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

/// "const int& width;" in "struct Canvas".
struct ReferenceMember {
  std::string structure, type, name;  // "Canvas", "int", "width": the type without `const` and without the reference
  std::size_t place = 0;              // of the name in the text

  bool operator==(const ReferenceMember&) const = default;
};

/// All of the text, in their order. `code` has no comments.
std::vector<ReferenceMember> reference_members(std::string_view code);

/// "int" of "const int": what a copy is declared as.
std::string type_of_copy(std::string_view type);

}  // namespace cudalabs
