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
  std::string_view by;  // "duration_cast"
  std::string_view unit;
  std::uint32_t line = 0;
};

/// "duration_cast<std::chrono::milliseconds>(…)" and "time_point_cast<std::chrono::seconds>(…)", of the only line that
/// has one.
std::optional<WholeConversion> only_conversion(std::string_view code) {
  std::optional<WholeConversion> found;
  bool several = false;
  std::size_t end_of_line = 0;  // of the one that was found
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (several || (name != "duration_cast" && name != "time_point_cast")) return;
    const std::size_t open = past_spaces(code, at + name.size());
    if (open >= code.size() || code[open] != '<') return;
    const std::size_t close = code.find_first_of(">;", open);
    if (close == kNowhere || code[close] != '>') return;
    const auto unit = std::ranges::find(kWholeUnits, word_before(code, close));
    if (unit == kWholeUnits.end()) return;
    several = found && (at >= end_of_line || found->unit != *unit);
    if (found) return;
    found = WholeConversion{name, *unit, setting_at_place(code, at, name).line};
    end_of_line = std::min(code.find('\n', at), code.size());
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
                    "whose fraction was cut off by `{}` in line {}, which counts whole {}: use "
                    "`duration<double, std::milli>` there",
                    conversion->by, conversion->line, conversion->unit);
}

std::string why_the_same(double milliseconds, std::string_view source) {
  constexpr double kSecond = 1000;
  const std::string code = without_comments(source);
  const auto conversion = only_conversion(code);
  if (!conversion) return {};
  const double step = conversion->unit == "seconds" ? kSecond : 1;
  // Others than multiples of these have another reason.
  if (milliseconds < 0 || std::fmod(milliseconds, step) != 0) return {};
  return fmt::format(
      "returned {:.4g} ms, exactly as in all the others: `{}` in line {} counts whole {} and cuts off the fraction: "
      "use `duration<double, std::milli>` there, which keeps it",
      milliseconds, conversion->by, conversion->line, conversion->unit);
}

}  // namespace cudalabs::lab6
