// A lambda that keeps what a variable was when the lambda was made, though the variable changes later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// "const auto term = [=]() { return a[k]; };" before "for (; k < n; ++k) sum += term();"
struct CapturedValue {
  std::string lambda, variable;        // "term", "k"
  std::uint32_t line = 0, column = 0;  // of the capture's bracket
  std::uint32_t changed = 0;           // the first line behind the lambda that changes the variable, and has a call of
                                       // the lambda after it, or in the same loop

  bool operator==(const CapturedValue&) const = default;
};

/// The only one in the function that has `line`. `code` has no comments.
std::optional<CapturedValue> captured_value_at(std::string_view code, std::uint32_t line);

/// Beside wrong values that are stored in the same function. `source` is the text of `file`.
void show_captured_values(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
