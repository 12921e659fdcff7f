// A source that differs in one place from another one.
#pragma once

#include <string>

namespace cudalabs::test {

/// `text` with `by` in the place of `part`, the first there is. Throws std::out_of_range where there is none.
inline std::string replaced(std::string text, const std::string& part, const std::string& by) {
  return text.replace(text.find(part), part.size(), by);
}

}  // namespace cudalabs::test
