// A message about an error that is made, and never printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "snprintf(text, sizeof text, "%s", cudaGetErrorString(e));": the call that makes the words, and what holds them.
struct UnprintedMessage {
  Setting call;      // the name of the call, and its place
  std::string text;  // "text"; or, where it is not clear what holds them, the call, "cudaGetErrorString(e)"

  bool operator==(const UnprintedMessage&) const = default;
};

/// In a source that prints nothing at all: the first call of `cudaGetErrorString` or `cudaGetErrorName` behind `line`
/// in the function of that line, or else the only one of the source. `code` has no comments.
std::optional<UnprintedMessage> unprinted_message(std::string_view code, std::uint32_t line);

/// Places findings there that say that an error which the program was given is not reported. `source` is the text of
/// `file`.
void show_unprinted_messages(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
