// What a whole number of a source is worth: expressions of constants, and of what a launch says of itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/exec/observer.h"

namespace cudalabs {

/// The numbers of a source, read as text, in the threads of a launch. A name is worth what the last line before sets it
/// to in the same function, or else the only constant, macro or member of that name in the source. What is set twice,
/// or changed, a parameter, and what differs from thread to thread, is worth nothing.
class SourceNumbers {
 public:
  /// `code` has no comments, and must outlive it.
  explicit SourceNumbers(std::string_view code);

  /// Of an expression that stands in that line, from 1. Without `launch` the extents of block and grid are unknown.
  std::optional<std::int64_t> value(std::string_view expression, std::uint32_t line,
                                    const vgpu::LaunchConfig* launch) const;
  /// Where the name is set that an expression of one name consists of, members included: "walk.step". Nothing: there is
  /// more in it, or it is not clear which line is meant.
  struct Place {
    std::string_view name, value;
    std::uint32_t line = 0, column = 0;  // of the name
  };
  std::optional<Place> setting_of(std::string_view expression, std::uint32_t line) const;

 private:
  friend class SourceNumberReader;
  struct Assignment {
    Place place;
    std::uint32_t function = 0;  // the line that ends the function before
    bool everywhere = false;     // a constant of the source, a macro or a member
  };
  const Assignment* find(std::string_view name, std::uint32_t line) const;

  std::map<std::string_view, std::vector<Assignment>> assignments_;  // by name
  std::map<std::string_view, std::vector<std::uint32_t>> changes_;   // the functions in which a name is changed
  std::vector<std::uint32_t> function_of_line_;                      // from 1
};

}  // namespace cudalabs
