// Loops of a source, read as text: their heads, and what is in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/function_text.h"
#include "source/setting_text.h"

namespace cudalabs {

/// A `for` or `while` loop; of places in the text, without comments, that they were found in.
struct LoopText {
  std::uint32_t line = 0, column = 0;
  std::size_t begin = 0, body = 0, end = 0;  // of the loop, of what it repeats, and behind it
  std::string_view first, condition, step;   // of a `while` loop the second alone

  bool holds(const LoopText& other) const { return body <= other.begin && other.end <= end; }
};

/// All loops, in the order in which they begin; not `do`. `code` has no comments.
std::vector<LoopText> loops_of(std::string_view code);

/// The innermost one whose body has both places; null: there is none.
const LoopText* innermost_loop(const std::vector<LoopText>& loops, std::size_t place, std::size_t other);
inline const LoopText* innermost_loop(const std::vector<LoopText>& loops, std::size_t place) {
  return innermost_loop(loops, place, place);
}

/// "n" of "k < n" and "k != n", where a counter ends that goes up by ones; empty: the condition is another one.
std::string_view end_of_counting(std::string_view condition, std::string_view counter);

/// The names that some statement of the text sets or changes; of what stands in brackets, too.
std::vector<std::string_view> changed_names(std::string_view text);

/// The names that say in the line to which element it stores, and that a loop around it counts on: a thread does
/// several elements there. An index or a pointer that the loop computes from them, "at = y * width + x", is followed.
/// Empty: it does not, as far as the text says.
std::vector<std::string> counted_subscripts(std::string_view source, std::uint32_t line);

/// A loop within another one whose counter nothing sets back before the next round of that one.
struct UnresetCounter {
  Setting inner;                               // the loop, and its counter
  std::uint32_t outer = 0, last_of_outer = 0;  // the line of the loop around it, and its last one
  std::string body;                            // of the inner one
  bool operator==(const UnresetCounter&) const = default;
};

/// The only one in the function that `line` is in.
std::optional<UnresetCounter> unreset_counter_at(std::string_view source, std::uint32_t line);
/// Likewise, the only one in all these functions, which are in the order of `code`; that has no comments.
std::optional<UnresetCounter> unreset_counter_in_any(std::string_view code, const std::vector<FunctionBody>& functions);

/// A loop behind another one that has taken its counter to the end, with the same condition: it does nothing.
struct SpentLoop {
  Setting second;           // the loop, and its counter
  std::uint32_t first = 0;  // the line of the one before it
  std::string_view body;    // of the second, in the code
  bool operator==(const SpentLoop&) const = default;
};

/// The only one in the function that `line` is in; of `code`, which has no comments.
std::optional<SpentLoop> spent_loop_at(std::string_view code, std::uint32_t line);

}  // namespace cudalabs
