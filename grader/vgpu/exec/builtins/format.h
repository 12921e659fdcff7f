// What device-side printf writes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace cudalabs::vgpu::exec {

/// How the formatter reads the device's memory; nullopt where it may not.
using ReadBytes = std::function<bool(std::uint64_t address, void* to, std::size_t bytes)>;

/// Appends the text of printf(format, …) to `out` and returns what printf returns: the number of arguments formatted,
/// -1 when the format is not readable. `arguments`: the buffer of vprintf, each argument at its natural alignment.
std::int32_t format_text(std::string& out, std::uint64_t format, std::uint64_t arguments, const ReadBytes& read);

}  // namespace cudalabs::vgpu::exec
