// A launch of a kernel, read as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cudalabs {

struct LaunchText {
  std::uint32_t line = 0, column = 0;  // of the kernel's name
  std::string_view configuration;      // between "<<<" and ">>>"
  std::vector<std::string_view> arguments;
};

/// The only one in `code`, which has no comments; nothing: there are several, or none. `kernel`: its name, without the
/// arguments of a template.
std::optional<LaunchText> only_launch(std::string_view code, std::string_view kernel);

/// The only one whose "<<<" stands in that line; nothing: there are several, or none.
std::optional<LaunchText> launch_in_line(std::string_view code, std::uint32_t line);

}  // namespace cudalabs
