#include "sanitizer/calls_note.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

namespace cudalabs::sanitizer {
namespace {

/// "reduce.cu:41 or reduce.cu:43"; empty: there is none.
std::string calls_text(std::span<const SourcePlace> calls) {
  constexpr std::size_t kMostTold = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(calls.size(), kMostTold); ++i) {
    const std::string& file = calls[i].file;
    text += fmt::format("{}{}:{}", i == 0 ? "" : " or ", file.substr(file.rfind('/') + 1), calls[i].line);
  }
  return calls.size() > kMostTold ? text + " or another line" : text;
}

}  // namespace

void note_calls(Finding& finding) {
  if (finding.kernel.empty()) return;
  const auto add = [&](std::string_view start, const std::string& calls) {
    if (calls.empty()) return;
    if (!finding.note.empty()) finding.note += '\n';
    finding.note += fmt::format("{}{} in `{}`", start, calls, finding.kernel);
  };
  const bool is_shown = finding.other && finding.other->role == PlaceRole::call;
  const std::string own = is_shown || !finding.where.known() ? std::string() : calls_text(finding.called_from);
  const std::string others =
      finding.other && finding.other->place.known() ? calls_text(finding.other_called_from) : std::string();
  add("called from ", own);
  if (own.empty() || others != own) {
    add("the other place is called from ", others);
  } else {
    finding.note += ", as the other place is";
  }
}

}  // namespace cudalabs::sanitizer
