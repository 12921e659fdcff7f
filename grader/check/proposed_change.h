// A change of the submission's text that the help of a finding asks for.
#pragma once

#include <cstdint>
#include <string>

namespace cudalabs {

/// Exact enough to be tried before it is believed: in the text without comments, at this place, `before` becomes
/// `after`.
struct ProposedChange {
  std::uint32_t line = 0, column = 0;  // from 1
  std::string before, after;

  bool operator==(const ProposedChange&) const = default;
};

}  // namespace cudalabs
