// Lines of a source that set variables, or ask for them: what other lines depend on. The source is read as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

/// Variables that one line of a source sets, or asks about in a condition; or a function, and what it returns; or an
/// array that it stores to.
struct Setting {
  enum class How : std::uint8_t { set, asked, returned, stored };

  std::vector<std::string> names;
  std::uint32_t line = 0, column = 0;  // of the first of them
  How how = How::set;

  bool operator==(const Setting&) const = default;
};

/// That of `name`, at a place in the text.
Setting setting_at_place(std::string_view code, std::size_t at, std::string_view name,
                         Setting::How how = Setting::How::set);

/// What of the statement matters.
enum class Part : std::uint8_t {
  value,             // what an assignment stores, but for the variables that say to which element
  subscript,         // the element that it stores to
  row,               // of that the part that is multiplied by the length of a row
  column,            // and the rest
  access,            // the elements that it reads or stores to
  launch,            // the grid and the block of a launch
  block_and_shared,  // all of a launch but its grid
  shared_size,       // what a launch says of shared memory
};

/// The last line before `line`, and in the same function, that sets variables of that part of the statement which
/// begins there. `column` is that of the assignment's `=`, or not known. `conditions`: the last line that asks for one
/// of them with `if` will do as well, and nothing where the line itself does. Of an access, the head of a loop counts
/// where it goes on up to and with its end, and a line that sets its subscripts where some `if` comes before the
/// access; of a launch, a line does not count that asks for 0. It is read as text: macros and references stay unseen.
std::optional<Setting> setting_of(std::string_view source, std::uint32_t line, std::uint32_t column, Part part,
                                  bool conditions = false);

/// The last line before `line`, and in the same function, that sets `name`.
std::optional<Setting> last_setting_of(std::string_view source, std::uint32_t line, std::string_view name);

/// Of a launch in that line: the only `return` of the function that its grid is computed by.
std::optional<Setting> grid_function_of(std::string_view source, std::uint32_t line);

/// The only line after `line`, before a kernel is launched or the runtime is called, that stores to the one array that
/// this line stores to.
std::optional<Setting> later_store_of(std::string_view source, std::uint32_t line);

/// "n == 0", "n <= 0" or "n < 1"
bool compares_with_zero(std::string_view condition);

/// The only line, outside of comments, that gives a value to `name`.
std::optional<Setting> only_setting_of(std::string_view source, std::string_view name);

/// The only line of host code that stores to an element of `name`, or to what it points to.
std::optional<Setting> only_host_store(std::string_view source, std::string_view name);

}  // namespace cudalabs
