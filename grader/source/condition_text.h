// The `if` statements of a source, and the jumps that they lead to. Read as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cudalabs {

/// An `if`, an `if constexpr`, too; of places in the text, without comments, that it was found in.
struct ConditionText {
  std::uint32_t line = 0;
  std::size_t begin = 0, body = 0;       // of the statement, and of what it decides about
  std::size_t end_of_body = 0, end = 0;  // behind that, and behind each `else`
  std::string_view condition;            // without spaces around

  /// Whether it decides about what stands at the place, in its `else`, too.
  bool decides_about(std::size_t place) const { return body <= place && place < end; }
};

/// All of them, in the order in which they begin, but for those of the preprocessor. `code` has no comments.
std::vector<ConditionText> conditions_of(std::string_view code);

/// The parts of a condition between signs such as "&&" that are in no brackets; the whole where there is none.
std::vector<std::string_view> parts_of_condition(std::string_view condition, std::string_view sign);

/// "continue", "break" or "return".
struct JumpText {
  std::string_view word;
  std::uint32_t line = 0;
  std::size_t place = 0;

  bool operator==(const JumpText&) const = default;
};

/// The only jump that the condition leads to, out of all that it decides about: there is no other one, no inner loop or
/// `switch` that it could be of, and no lambda.
std::optional<JumpText> only_jump_of(std::string_view code, const ConditionText& condition);

}  // namespace cudalabs
