// What stands before the name of a function's definition: the parameters of its template, and what it returns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/function_text.h"

namespace cudalabs {

/// "template <typename T, int N> __device__ const T& largest(...)"
struct FunctionHead {
  std::string result;                    // "const T&", without words such as `static` and `__device__`
  std::uint32_t line = 0, column = 0;    // where that begins
  std::vector<std::string> type_names;   // "T": the types that the template takes
  std::vector<std::string> value_names;  // "N": the numbers
  std::size_t name = 0;                  // the place of the function's name

  bool operator==(const FunctionHead&) const = default;
};

/// Of a definition in `code`, which has no comments. Nothing where it is long, or where no type stands before the name.
std::optional<FunctionHead> head_of(std::string_view code, const FunctionBody& function);

}  // namespace cudalabs
