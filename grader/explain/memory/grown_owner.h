// Memory that the destructor of an object has freed which a container has copied.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// How a container, or a loop over one, comes to copy objects.
enum class OwnerCopy : std::uint8_t {
  growth,  // `emplace_back` that is called again: a vector that grows copies what it has
  given,   // `push_back` and the like: the container keeps a copy of what it gets
  listed,  // "std::vector<Buffer> all{a, b}": a list in braces is copied
  filled,  // "std::vector<Buffer> all(3, Buffer(n))", `resize` with a value
  visited  // "for (Buffer b : all)", "for (auto b : all)"
};

struct GrownOwner {
  Setting where;          // the call, or the name in the declaration or in the loop; its name is the container's
  std::string container;  // "std::vector<Buffer>"
  std::string by;         // "emplace_back"; of a loop, the name of the copy
  OwnerCopy how = OwnerCopy::growth;

  bool operator==(const GrownOwner&) const = default;
};

/// The first of a source that copies objects of the type, whose destructor frees memory, in a container of the standard
/// library. Nothing where the type says itself how it is copied or moved. `code` has no comments.
std::optional<GrownOwner> grown_owner(std::string_view code, std::string_view type);

/// Places findings there that speak of memory which a destructor has freed. `source` is the text of `file`.
void show_grown_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
