// Points in time.
#include "course/moment.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <ctime>

namespace cudalabs::course {
namespace {

/// Exactly `digits` digits from the front of `text`; nothing when there are others.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  int value = 0;
  if (text.size() < digits) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, value);
  if (error != std::errc() || end != text.data() + digits || value < 0) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

bool take_sign(std::string_view& text, std::string_view signs) {
  if (text.empty() || signs.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Seconds east of Greenwich.
std::optional<int> take_offset(std::string_view& text) {
  take_sign(text, " ");
  if (take_sign(text, "Zz")) return 0;
  if (text == "UTC") {
    text = {};
    return 0;
  }
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return std::nullopt;
  const int direction = text.front() == '-' ? -1 : 1;
  text.remove_prefix(1);
  const auto hours = take_number(text, 2);
  take_sign(text, ":");
  const auto minutes = take_number(text, 2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return direction * (*hours * 3600 + *minutes * 60);
}

}  // namespace

std::optional<std::int64_t> parse_moment(std::string_view text) {
  const auto year = take_number(text, 4);
  if (!year || !take_sign(text, "-")) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take_sign(text, "-")) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day || !take_sign(text, "Tt ")) return std::nullopt;
  const auto hour = take_number(text, 2);
  if (!hour || !take_sign(text, ":")) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute) return std::nullopt;
  std::optional<int> second = 0;
  if (take_sign(text, ":")) second = take_number(text, 2);
  if (!second) return std::nullopt;
  if (take_sign(text, ".")) text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
  const auto offset = take_offset(text);
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day))};
  if (!offset || !text.empty() || !date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const auto days = sys_days(date).time_since_epoch();
  return duration_cast<seconds>(days).count() + *hour * 3600 + *minute * 60 + *second - *offset;
}

std::string shown_moment(std::int64_t moment) {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(static_cast<std::time_t>(moment)));
}

std::string shown_day(std::int64_t days) {
  constexpr std::int64_t kDay = 86400;
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(days * kDay)));
}

std::string bare_moment(std::int64_t moment) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(moment)));
}

std::string shown_span(std::int64_t seconds) {
  constexpr std::int64_t kMinute = 60, kHour = 3600, kDay = 86400;
  const auto whole = [&](std::int64_t unit) { return (seconds + unit - 1) / unit; };
  if (seconds > 2 * kDay) return fmt::format("{} days", whole(kDay));
  if (seconds > 2 * kHour) return fmt::format("{} h", whole(kHour));
  return fmt::format("{} min", whole(kMinute));
}

}  // namespace cudalabs::course
