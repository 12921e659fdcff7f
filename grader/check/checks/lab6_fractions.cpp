#include "check/checks/lab6_fractions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "check/checks/lab6_times.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs::lab6 {
namespace {

constexpr std::array<std::string_view, 2> kWholeUnits{"milliseconds", "seconds"};

/// What of a program makes times whole, and what to write in its place.
struct WholeTime {
  std::string reason, cure;
  double step = 1;  // milliseconds: times are multiples of it
};

/// Uses of one kind: of one line, or of any where the first one says enough.
struct Uses {
  std::string_view by, unit;  // "duration_cast", "milliseconds"
  std::uint32_t line = 0;     // 0: there is none
  std::size_t end_of_line = 0;
  bool differ = false;  // other lines, or other units
};

class WholeTimes {
 public:
  explicit WholeTimes(std::string_view code) : code_(code) {
    for_each_name(code, [&](std::size_t at, std::string_view name) {
      if (name == "duration_cast" || name == "time_point_cast") read_cast(at, name);
      if (name == "time") read_time(at);
      if (name == "CLOCKS_PER_SEC") read_division(at);
    });
  }

  /// The only one; nothing where there are several, of which any may be to blame.
  std::optional<WholeTime> only() const {
    const int kinds = (casts_.line != 0 ? 1 : 0) + (times_.line != 0 ? 1 : 0) + (divisions_.line != 0 ? 1 : 0);
    if (kinds != 1 || casts_.differ || divisions_.differ) return std::nullopt;
    if (casts_.line != 0)
      return WholeTime{
          fmt::format("`{}` in line {} counts whole {} and cuts off the fraction", casts_.by, casts_.line, casts_.unit),
          "use `duration<double, std::milli>` there, which keeps it", casts_.unit == "seconds" ? kSecond : 1};
    if (times_.line != 0)
      return WholeTime{fmt::format("`time` in line {} counts whole seconds", times_.line),
                       "read `std::chrono::steady_clock::now()` in its place, which counts nanoseconds", kSecond};
    return WholeTime{
        fmt::format("the division by `CLOCKS_PER_SEC` in line {} is one of whole numbers and cuts off the fraction",
                    divisions_.line),
        "read `std::chrono::steady_clock::now()` in place of `clock()`, which counts the processor's time", 1};
  }

 private:
  static constexpr double kSecond = 1000;

  /// "duration_cast<std::chrono::milliseconds>(…)" and "time_point_cast<std::chrono::seconds>(…)".
  void read_cast(std::size_t at, std::string_view name) {
    const std::size_t open = past_spaces(code_, at + name.size());
    if (open >= code_.size() || code_[open] != '<') return;
    const std::size_t close = code_.find_first_of(">;", open);
    if (close == kNowhere || code_[close] != '>') return;
    const auto unit = std::ranges::find(kWholeUnits, word_before(code_, close));
    if (unit != kWholeUnits.end()) add(casts_, at, name, *unit);
  }

  /// "time(nullptr)", the C library's, not a member and not a function that is defined here.
  void read_time(std::size_t at) {
    const std::size_t open = past_spaces(code_, at + 4), end = open < code_.size() ? code_.find(')', open) : kNowhere;
    if (end == kNowhere || code_[open] != '(') return;
    const std::string argument = without_blanks(code_.substr(open + 1, end - open - 1));
    const std::size_t before = before_spaces(code_, at);
    const bool is_member = before != kNowhere && (code_[before] == '.' || code_[before] == '>');
    const bool is_asked = argument == "nullptr" || argument == "NULL" || argument == "0" || argument.starts_with('&');
    if (is_asked && !is_member) add(times_, at, "time", "seconds");
  }

  /// "(end - begin) / CLOCKS_PER_SEC" of whole numbers alone.
  void read_division(std::size_t at) {
    const std::size_t before = before_spaces(code_, at);
    const std::string_view statement = statement_around(code_, at);
    const auto has = [&](std::string_view text) { return statement.find(text) != kNowhere; };
    const bool is_exact = statement.empty() || has(".") || has("double") || has("float") || has("e3") || has("e-");
    if (before != kNowhere && code_[before] == '/' && !is_exact) add(divisions_, at, "CLOCKS_PER_SEC", "");
  }

  void add(Uses& uses, std::size_t at, std::string_view by, std::string_view unit) const {
    if (uses.line != 0) {
      uses.differ = uses.differ || at >= uses.end_of_line || uses.unit != unit;
      return;
    }
    uses = {by, unit, setting_at_place(code_, at, by).line, std::min(code_.find('\n', at), code_.size()), false};
  }

  std::string_view code_;
  Uses casts_, times_, divisions_;
};

}  // namespace

bool all_are_whole(const std::vector<const CaseRun*>& cases) {
  return cases.size() >= 2 && std::ranges::all_of(cases, [](const CaseRun* case_run) {
           if (case_run->observed.end != RunEnd::finished) return false;
           const double milliseconds = returned_by(*case_run);
           return milliseconds > 0 && milliseconds == std::floor(milliseconds);
         });
}

std::string why_whole(double milliseconds, std::string_view source) {
  const auto whole = WholeTimes(without_comments(source)).only();
  const std::string text = fmt::format("returned {:.4g} ms, a whole number like all the others", milliseconds);
  if (!whole) return text + ", whose fraction was cut off: convert no time to an integer";
  return fmt::format("{}: {}: {}", text, whole->reason, whole->cure);
}

std::string why_the_same(double milliseconds, std::string_view source) {
  const auto whole = WholeTimes(without_comments(source)).only();
  // Others than multiples of the step have another reason.
  if (!whole || milliseconds < 0 || std::fmod(milliseconds, whole->step) != 0) return {};
  return fmt::format("returned {:.4g} ms, exactly as in all the others: {}: {}", milliseconds, whole->reason,
                     whole->cure);
}

}  // namespace cudalabs::lab6
