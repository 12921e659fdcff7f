// Text from a job made fit to show and to store: valid UTF-8, nothing that drives a terminal.
#pragma once

#include <string>
#include <string_view>

namespace cudalabs::sandbox {

/// Control characters other than newline and tab become `\x1b`-like escapes, bytes that are no UTF-8 become U+FFFD; a
/// carriage return before a newline is dropped.
std::string printable(std::string_view bytes);

}  // namespace cudalabs::sandbox
