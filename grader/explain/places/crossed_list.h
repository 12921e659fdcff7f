// A braced list whose names fit the members of its structure crosswise: `return {blocks, threads}` for a structure that
// has `threads` first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

struct CrossedList {
  Setting first;           // the first of the two items
  std::string second;      // the other one
  std::string type;        // "LaunchShape"
  std::string own, other;  // the member that the first item sets, and the one that it is named like
  bool operator==(const CrossedList&) const = default;
};

/// The only list of a source, two of whose items have each the name of the member that the other one sets, and not of
/// its own. `code` has no comments.
std::optional<CrossedList> crossed_list(std::string_view code);

/// Shows it beside a launch that was refused, and that uses both members. `source` is the text of `file`.
void show_crossed_lists(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
