// What of a program's text decides whether a launch is made, or a line of a function executed. Read as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "source/function_text.h"

namespace cudalabs {

/// A condition on the way to a launch.
struct AskedCondition {
  std::string text;        // with a loop's counter replaced by what it begins with
  std::string_view shown;  // as it stands in the source
  std::uint32_t line = 0;
  bool wanted = true;  // what follows is executed where it holds; else where it does not
};

/// The launch is executed only where what is asked comes out as wanted; or, of a jump, only where something of it does
/// not.
struct LaunchGate {
  std::vector<AskedCondition> asked;  // of a jump all conditions around it, the innermost one last
  bool is_loop = false;
  std::uint32_t jump_line = 0;  // of the `return` or the like before the launch; 0: the launch is under the condition
};

struct LaunchGates {
  std::uint32_t line = 0;  // of the launch
  std::string_view kernel;
  std::size_t place = 0;          // of "<<<"
  std::vector<LaunchGate> gates;  // in the order in which they are executed
  bool clear = true;              // the text has nothing else in the launch's function that could keep it
};

/// Likewise, of any place of a function; `kernel` is empty.
LaunchGates gates_before(std::string_view code, const FunctionBody& function, std::size_t place);

/// The preprocessor may leave out a part of the text.
bool has_conditional_parts(std::string_view code);

/// Of each launch in the host's functions, within its own function. Empty where the source has too many, or parts that
/// the preprocessor may leave out. `code` has no comments.
std::vector<LaunchGates> launch_gates_of(std::string_view code);

}  // namespace cudalabs
