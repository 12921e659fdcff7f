// "Did you mean": the known name closest to a mistyped one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cudalabs {

/// Fewest insertions, deletions, substitutions and swaps of neighbours (each of one byte, no byte edited twice) that
/// make `a` into `b`: the optimal string alignment distance.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate with the least edit distance to `name`, the first of equals; nothing when even that one differs in
/// more than a third of the longer name's bytes (at least one edit is always forgiven).
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

/// `; did you mean "square"?` or, when nothing is near, `; known: "square", "edges"` (empty when there are none).
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace cudalabs
