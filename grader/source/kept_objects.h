// Objects of a source's classes that outlive the functions which use them. Read as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

/// The class, or structure, that the place is in the body of, or in that of a member function which is defined outside;
/// the innermost one. Empty: there is none. `code` has no comments, here and below.
std::string_view class_around(std::string_view code, std::size_t place);

/// Its body has the name, outside of functions.
bool has_member(std::string_view code, std::string_view type, std::string_view name);

struct KeptObject {
  std::string_view name;
  std::uint32_t line = 0, column = 0;
  bool is_static = false;  // declared as such, in a function or a class; else outside of all

  bool operator==(const KeptObject&) const = default;
};

/// All objects of the class, where each of them exists until the program ends; of a class that others have as a member,
/// theirs. Empty: there are none, some do not last as long, or the text does not say so plainly: it makes some by
/// `new`, returns one, or has them in a template's arguments.
std::vector<KeptObject> kept_objects(std::string_view code, std::string_view type);

}  // namespace cudalabs
