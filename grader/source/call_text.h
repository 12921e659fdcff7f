// Calls of functions in a source, read as text: what becomes of their results, and where others come later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalabs {

enum class ResultUse : std::uint8_t { unknown, used, dropped };

/// What becomes of the result of `name` in the statement that begins in that line of `code`, which has no comments.
/// Unknown where the statement does not have the name, or has it several times.
ResultUse use_of_result(std::string_view code, std::uint32_t line, std::string_view name);

/// The place of the only call of `name` in the line; a name that is not called is none.
std::optional<std::size_t> only_call_in_line(std::string_view code, std::uint32_t line, std::string_view name);

/// The first line behind `line`, and in the same function, that calls `name`; with `argument`, where that is not empty.
/// 0: there is none.
std::uint32_t later_call(std::string_view code, std::uint32_t line, std::string_view name, std::string_view argument);

/// "d_sums" of "cudaMalloc(&d_sums, bytes)" in the statement that begins in that line: what the first argument points
/// to, a name or a member. Empty: it is something else.
std::string allocated_pointer(std::string_view code, std::uint32_t line, std::string_view name);

/// Likewise "buffers[0]" of "cudaMalloc(&buffers[0], bytes)": an element of an array whose number is written there.
std::string allocated_element(std::string_view code, std::uint32_t line, std::string_view name);

/// The line in the function of line `anchor` from which a call in line `own` is reached: that line itself, or `outer`,
/// where the function around `own` is called. 0: neither is known to be.
std::uint32_t line_in_function_of(std::string_view code, std::uint32_t anchor, std::uint32_t own, std::uint32_t outer);

/// "CHECK", and the line in its definition that calls `name`.
struct MacroCall {
  std::string macro;
  std::uint32_t line = 0;

  bool operator==(const MacroCall&) const = default;
};

/// Of a line that uses a macro whose definition calls `name`, and does not have the name itself.
std::optional<MacroCall> call_by_macro(std::string_view source, std::uint32_t line, std::string_view name);

}  // namespace cudalabs
