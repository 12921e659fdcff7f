// Objects that own memory and end with the statement that makes them, while a pointer keeps the memory's address.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "float* d_in = Buffer<float>(n).get();"
struct TemporaryOwner {
  Setting pointer;        // "d_in", and where the object is made
  std::string type;       // "Buffer<float>"
  std::string arguments;  // "n"
  std::string taken;      // ".get()"; empty: it is converted to a pointer
};

/// The first statement of the source that sets a pointer to what it takes from an object of the type that has no name.
/// The type's destructor frees a member, and what is taken is that. `code` has no comments.
std::optional<TemporaryOwner> temporary_owner(std::string_view code, std::string_view type);

/// Of findings of memory that a destructor has freed: shows that statement, where there is one. `source` is the text of
/// `file`.
void show_temporary_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
