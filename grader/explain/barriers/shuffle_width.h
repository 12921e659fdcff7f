// Shuffles of a warp whose distance reaches beyond the part that their width makes of it, or whose width makes no
// parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// A call whose lanes do not read what the distance says.
struct MisreadShuffle {
  enum class Why : std::uint8_t {
    width,  // it is no power of two up to 32
    own,    // the distance is at least the width: each lane reads itself
    part    // of exchanges: likewise, and lanes read other parts of the warp, or themselves
  };

  std::uint32_t line = 0, column = 0;
  std::string function;         // "__shfl_down_sync"
  std::string distance, width;  // as far as they are known numbers these, else as the source has them
  Why why = Why::own;

  bool operator==(const MisreadShuffle&) const = default;
};

/// The only one in the body of that kernel and of the functions that it calls; nothing: there is none, or there are
/// several.
std::optional<MisreadShuffle> misread_shuffle(std::string_view source, std::string_view kernel);

/// Blames such a call, in the kernel of the finding, for wrong values. True where there is one.
bool show_misread_shuffle(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
