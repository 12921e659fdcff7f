// Types of bytes of which those from 128 on are negative.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// The only line of the device's functions with a `char` that is not `unsigned`.
std::optional<Setting> only_signed_char(std::string_view source);

/// "char3" in "operator()(char3 color)" and "reinterpret_cast<const char3*>(d_rgb)".
struct SignedType {
  std::string spelling, instead;  // "char3", "uchar3"
  Setting first;                  // in a function of the device or in its head, if it is in one
  std::uint32_t other = 0;        // another line that has it; 0: there is none

  bool operator==(const SignedType&) const = default;
};

/// Of a source in whose device functions no other line has such a type: the only type of signed bytes that it has, on
/// one line, or on two. A `char` of the host's functions is text, and counts where it is cast to.
std::optional<SignedType> only_signed_type(std::string_view source);

/// Of values as if bytes from 128 on were negative: shows where they get such a type. `source` is the text of the
/// finding's file.
void show_signed_type(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
