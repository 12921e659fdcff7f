// Objects that were moved from and still have the address, so that two destructors free it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "Buffer(Buffer&& other) : data_(other.data_) {}".
struct MovedOwner {
  Setting copied;        // the member that is copied, and where
  std::string from;      // "other.data_"
  bool assigns = false;  // it is the assignment, and not the constructor

  bool operator==(const MovedOwner&) const = default;
};

/// The first of a type whose destructor frees that member. Nothing where what is moved from may be told in another way
/// that it has nothing to free, or where the type can be copied, too. `code` has no comments.
std::optional<MovedOwner> moved_owner(std::string_view code, std::string_view type);

/// Places findings there that speak of memory which a destructor has freed. `source` is the text of `file`.
void show_moved_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
