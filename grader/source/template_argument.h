// The numbers that an instance of a template was made with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalabs {

/// 128 of "add<128>" for `THREADS`, where `code`, which has no comments, defines "template <int THREADS> ... add("
/// once. Nothing: the template has no such parameter, or the argument is no whole number.
std::optional<std::int64_t> template_argument(std::string_view code, const std::string& instance,
                                              std::string_view parameter);

}  // namespace cudalabs
