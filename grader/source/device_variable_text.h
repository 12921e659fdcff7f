// Lines of kernels that change a variable of the device, read as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalabs {

struct VariableChange {
  std::uint32_t line = 0, column = 0;  // of the variable's name
  std::string atomic;                  // "atomicInc"; empty: an assignment or the like
  std::string limit;                   // of such a call the second argument

  bool operator==(const VariableChange&) const = default;
};

/// The only place in device code that changes the variable `name`, which lies outside of all functions. Nothing where
/// there are several or none, where the name may mean something else, or where a pointer to the variable is passed on.
std::optional<VariableChange> only_change_of(std::string_view source, std::string_view name);

}  // namespace cudalabs
