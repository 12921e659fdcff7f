// Memory that the destructor of a copy has freed, while the object that was copied still has its address.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "bool add(Buffer x)", called with a variable: `x`, and `add`; the place is that of the first where the function has
/// several such parameters. A lambda with a name, "add = [](Buffer x) { ... }", is a function, too. Of what a lambda
/// captures, "[x] { ... }": the function is empty.
struct CopiedOwner {
  Setting copy;
  std::string function;
  std::string generic = {};  // "auto", or "T" of a template, where the parameter has that as its type

  bool operator==(const CopiedOwner&) const = default;
};

/// "Buffer(const Buffer&)", "Buffer(Buffer&& other)": what is written of it, even to delete it.
bool says_how_to_copy(std::string_view code, std::string_view type);

/// The first of a source that copies an object of the type, whose destructor frees memory. Nothing where the type says
/// itself how it is copied or moved. `code` has no comments.
std::optional<CopiedOwner> copied_owner(std::string_view code, std::string_view type);

/// Places findings there that speak of memory which a destructor has freed. `source` is the text of `file`.
void show_copied_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
