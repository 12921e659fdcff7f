// Macros that make a runtime call of their argument more than once. Read as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalabs {

/// "TRY" of "#define TRY(call) if ((call) != cudaSuccess) return (call)", and "cudaGetLastError" of
/// "TRY(cudaGetLastError())".
struct RepeatedArgument {
  std::string macro, parameter, call;
  std::size_t times = 0;   // the macro's value has the parameter
  std::uint32_t line = 0;  // of the definition

  bool operator==(const RepeatedArgument&) const = default;
};

/// Of the line: the only macro that it uses in such a way. `code` has no comments.
std::optional<RepeatedArgument> repeated_argument_in(std::string_view code, std::uint32_t used);

}  // namespace cudalabs
