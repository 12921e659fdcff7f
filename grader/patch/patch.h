// One small change of a submission's text, which may be what it lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cudalabs::patch {

/// What is changed. The more likely a mistake of a kind is, and the less a change of that kind can help by chance, the
/// earlier it stands: in this order they are tried where nothing else tells them apart.
enum class PatchKind : std::uint8_t {
  quotient,     // whole numbers are divided, and no `float` is rounded
  connective,   // && and ||, and what is to be asked as well
  comparison,   // < and <=
  exchange,     // two neighbours in a list: arguments, members, names
  member,       // .x and .y
  arithmetic,   // + and -, * and /, = and +=
  call,         // what is done to one object is done to another of its type, too
  number,       // 0 and 0.0f, one more, one less
  condition,    // a flag, computed anew; not; one that is missing before an access, or asks for too much
  name,         // another variable of the same type
  loop,         // if and while
  assignment,   // the value of a call is kept or dropped
  release,      // what is freed later is freed at this way out, too
  order,        // two neighbouring statements
  place,        // a statement goes into the block after it or before it, or out of its own
  removal,      // a statement is left out
  declaration,  // static, by reference, another type
};

/// `length` letters of the text without comments, from `begin` on, become `replacement`. Lines keep their numbers.
struct Patch {
  PatchKind kind = PatchKind::connective;
  std::size_t begin = 0, length = 0;
  std::string replacement;
  std::string words;  // what the program then is with: "`||` in place of `&&`"; as code between backticks

  bool operator==(const Patch&) const = default;
};

/// As many letters of code as the words of a change have at most.
inline constexpr std::size_t kLongestCode = 40;

/// The text with the change.
std::string applied(std::string_view code, const Patch& patch);

}  // namespace cudalabs::patch
