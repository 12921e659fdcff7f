// Integer types of 8 and 16 bits, as a source spells them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cudalabs {

struct NarrowType {
  std::string_view spelling;
  std::int64_t least = 0, most = 0;

  std::int64_t values() const { return most - least + 1; }
  bool holds(std::int64_t value) const { return value >= least && value <= most; }
  /// What is left of a value that is stored in a variable of the type.
  std::int64_t wrapped(std::int64_t value) const;
};

/// Where a text has such a type, and what is behind its last word.
struct NarrowTypePlace {
  NarrowType type;
  std::size_t begin = 0, end = 0;
};

/// The type that a word at `at` begins; nothing where another one does.
std::optional<NarrowTypePlace> narrow_type_at(std::string_view text, std::size_t at);

/// The first at `at` or behind that a name follows: a cast, a pointer, a parameter of a template has none.
std::optional<NarrowTypePlace> narrow_type_from(std::string_view text, std::size_t at);

}  // namespace cudalabs
