#include "check/checks/lab6_fractions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "check/checks/lab6_times.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs::lab6 {
namespace {

constexpr std::array<std::string_view, 2> kWholeUnits{"milliseconds", "seconds"};

struct WholeConversion {
  std::string_view unit;
  std::uint32_t line = 0;
};

/// "duration_cast<std::chrono::milliseconds>(…)", the only one.
std::optional<WholeConversion> only_conversion(std::string_view code) {
  std::optional<WholeConversion> found;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (name != "duration_cast") return;
    const std::size_t open = past_spaces(code, at + name.size());
    if (open >= code.size() || code[open] != '<') return;
    const std::size_t close = code.find_first_of(">;", open);
    if (close == kNowhere || code[close] != '>') return;
    const auto unit = std::ranges::find(kWholeUnits, word_before(code, close));
    if (unit == kWholeUnits.end()) return;
    several = several || found.has_value();
    found = WholeConversion{*unit, setting_at_place(code, at, name).line};
  });
  return several ? std::nullopt : found;
}

}  // namespace

bool all_are_whole(const std::vector<const CaseRun*>& cases) {
  return cases.size() >= 2 && std::ranges::all_of(cases, [](const CaseRun* case_run) {
           if (case_run->observed.end != RunEnd::finished) return false;
           const double milliseconds = returned_by(*case_run);
           return milliseconds > 0 && milliseconds == std::floor(milliseconds);
         });
}

std::string why_whole(double milliseconds, std::string_view source) {
  const std::string code = without_comments(source);
  const auto conversion = only_conversion(code);
  const std::string text = fmt::format("returned {:.4g} ms, a whole number like all the others, ", milliseconds);
  if (!conversion) return text + "whose fraction was cut off: convert no time to an integer";
  return text + fmt::format(
                    "whose fraction was cut off by `duration_cast` in line {}, which counts whole {}: use "
                    "`duration<double, std::milli>` there",
                    conversion->line, conversion->unit);
}

}  // namespace cudalabs::lab6
