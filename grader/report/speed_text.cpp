#include "report/speed_text.h"

#include <fmt/format.h>

namespace cudalabs {
namespace {

/// In three digits, or as many more as tell it from the threshold that it does not reach.
std::string shown_ratio(const SpeedResult& result) {
  constexpr int kFewest = 3, kMost = 17;
  const std::string full = fmt::format("{:.{}g}", result.full, kFewest);
  std::string ratio = fmt::format("{:.{}g}", result.ratio, kFewest);
  for (int digits = kFewest; result.ratio < result.full && ratio == full && digits < kMost;) {
    ratio = fmt::format("{:.{}g}", result.ratio, ++digits);
  }
  return ratio;
}

std::string compared(const SpeedResult& result) {
  std::string text = fmt::format("{} times the speed of {} ({})", shown_ratio(result), result.baseline, result.size);
  if (result.honours > 0 && result.ratio >= result.honours) text += ", far beyond what the lab asks";
  return text;
}

std::string measured(const SpeedResult& result) {
  if (result.pairs == 0) return fmt::format("no time was measured on the {}", result.device);
  std::string text = fmt::format(
      "measured on the {}: {}; {:.4g} ms ({:.4g} ms by CUDA events), ratio from {:.3g} to {:.3g} with 95 % certainty, "
      "{} pairs of runs",
      result.device, compared(result), result.seconds * 1e3, result.event_seconds * 1e3, result.low, result.high,
      result.pairs);
  if (!result.decided) {
    text += "; undecided: the times vary too much on this machine now, and the points are for their median";
  }
  return text;
}

std::string modelled(const SpeedResult& result) {
  const bool at_most = result.low < result.high;
  std::string text = fmt::format("modelled, not measured, for the {}: {}{}", result.device, at_most ? "at most " : "",
                                 compared(result));
  if (!result.bound.empty()) text += fmt::format("; most of its time goes into {}", result.bound);
  if (!result.doubt.empty()) text += "; " + result.doubt;
  return text;
}

}  // namespace

std::string_view name_of(SpeedResult::Kind kind) {
  switch (kind) {
    case SpeedResult::Kind::measured:
      return "measured";
    case SpeedResult::Kind::modelled:
      return "modelled";
    case SpeedResult::Kind::unknown:
      break;
  }
  return "unknown";
}

std::string speed_text(const SpeedResult& result) {
  switch (result.kind) {
    case SpeedResult::Kind::measured:
      return measured(result);
    case SpeedResult::Kind::modelled:
      return modelled(result);
    case SpeedResult::Kind::unknown:
      break;
  }
  return "not known, so it costs no points: " + result.doubt;
}

}  // namespace cudalabs
