#include "sanitizer/unplaced_words.h"

namespace cudalabs::sanitizer {
namespace {

constexpr std::string_view kHere = " here", kIsHere = " is here";

bool ends_word(std::string_view text, std::size_t at) {
  return at == text.size() || std::string_view(" ,;:.\n").find(text[at]) != std::string_view::npos;
}

}  // namespace

std::string without_here(std::string_view text) {
  std::string kept;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto skips = [&](std::string_view words) {
      return !quoted && text.substr(at).starts_with(words) && ends_word(text, at + words.size());
    };
    // What is somewhere is nowhere else told to be anything.
    if (skips(kIsHere) && (at + kIsHere.size() == text.size() || text[at + kIsHere.size()] != ' ')) {
      at += kIsHere.size();
    } else if (skips(kHere)) {
      at += kHere.size();
    } else {
      if (text[at] == '`') quoted = !quoted;
      kept += text[at++];
    }
  }
  return kept;
}

void leave_out_here(Finding& finding) {
  if (!finding.where.known()) {
    finding.message = without_here(finding.message);
    finding.note = without_here(finding.note);
  }
  if (finding.other && !finding.other->place.known()) finding.other->label = without_here(finding.other->label);
}

}  // namespace cudalabs::sanitizer
