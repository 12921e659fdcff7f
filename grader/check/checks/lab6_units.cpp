#include "check/checks/lab6_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "check/checks/lab6_clock_text.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs::lab6 {
namespace {

/// By the power of ten of how many of it a millisecond has.
constexpr std::array<std::pair<int, std::string_view>, 4> kNames{
    {{-3, "seconds"}, {0, "milliseconds"}, {3, "microseconds"}, {6, "nanoseconds"}}};
constexpr std::array<std::string_view, 3> kTimers{"launch_ms", "kernel_ms_host", "kernel_ms_events"};

/// Where something stands, for `function`: in it, in one whose times it does not share, in another one that measures,
/// or in what all of them may use.
enum class Owner : std::uint8_t { own, apart, other, shared };
Owner owner_of(std::string_view code, std::size_t at, std::string_view function) {
  const std::string_view around = defined_around(code, at);
  if (around == function) return Owner::own;
  if (std::ranges::find(kTimers, around) == kTimers.end()) return Owner::shared;
  return around == kTimers[2] || function == kTimers[2] ? Owner::apart : Owner::other;
}

template <typename Item>
struct Owned {
  Item item;
  Owner owner;
};

/// Those items for which `wanted`, but those that are apart; nothing: they are many.
template <typename Item, typename Wanted>
std::optional<std::vector<Owned<Item>>> owned_by(const std::vector<Item>& items, std::string_view code,
                                                 std::string_view function, const Wanted& wanted) {
  constexpr std::size_t kMost = 16;
  std::size_t count = 0;
  std::vector<Owned<Item>> owned;
  for (const Item& item : items) {
    if (!wanted(item)) continue;
    if (++count > kMost) return std::nullopt;
    const Owner owner = owner_of(code, item.at, function);
    if (owner != Owner::apart) owned.push_back({item, owner});
  }
  return owned;
}
using Readings = std::vector<Owned<Reading>>;
using Factors = std::vector<Owned<Factor>>;

/// The reading of that unit which the function makes, or else calls; null: others make them all.
const Owned<Reading>* reading_of(const Readings& readings, int power) {
  const Owned<Reading>* shared = nullptr;
  for (const auto& reading : readings) {
    if (reading.item.power != power || reading.owner == Owner::other) continue;
    if (reading.owner == Owner::own) return &reading;
    if (shared == nullptr) shared = &reading;
  }
  return shared;
}

/// The factor of that power which the function applies to a reading; null: there is none, or it may be any of several.
const Factor* only_factor(const Factors& factors, int power, const Owned<Reading>& reading, std::string_view code) {
  std::array<const Factor*, 4> found{};
  for (const auto& factor : factors) {
    if (factor.item.power != power) continue;
    const Factor*& first = found.at(static_cast<std::size_t>(factor.owner));
    if (first != nullptr && line_at(code, first->at) != line_at(code, factor.item.at)) return nullptr;
    first = &factor.item;
  }
  const auto& [own, apart, other, shared] = found;
  if (own != nullptr) return shared == nullptr || reading.owner == Owner::own ? own : nullptr;
  return other == nullptr ? shared : nullptr;
}

/// What turns a unit into milliseconds.
std::string_view cure_of(int power) {
  return power == 6   ? "milliseconds take `/ 1e6`"
         : power == 3 ? "milliseconds take `/ 1e3`"
                      : "milliseconds take `* 1e3`";
}

}  // namespace

std::string times_too_much(int power) {
  if (power == 3) return ": about a thousand times too much, as if these were microseconds";
  if (power == 6) return ": about a million times too much, as if these were nanoseconds";
  return power == -3 ? ": about a thousandth, as if these were seconds" : std::string();
}

std::string why_other_unit(int power, std::string_view source, std::string_view function) {
  const std::string code = without_comments(source);
  const ClockText text = clock_text(code);
  const bool by_events = function == kTimers[2];
  const auto readings = owned_by(text.readings, code, function,
                                 [&](const Reading& reading) { return (reading.by == kByEvents) == by_events; });
  const auto factors = owned_by(text.factors, code, function, [](const Factor&) { return true; });
  if (!readings || !factors) return {};
  const auto has_factor = [&](const auto& wanted) {
    return std::ranges::any_of(
        *factors, [&](const auto& factor) { return factor.owner != Owner::other && wanted(factor.item.power); });
  };
  struct Cause {
    Reading reading;
    std::string_view unit;
    const Factor* factor;  // null: nothing is multiplied
  };
  std::vector<Cause> causes;
  for (const auto& [unit, name] : kNames) {
    const Owned<Reading>* reading = reading_of(*readings, unit);
    const int right = -unit, wanted = power - unit;
    if (reading == nullptr || (right != 0 && has_factor([right](int there) { return there == right; }))) continue;
    const Factor* factor = wanted == 0 ? nullptr : only_factor(*factors, wanted, *reading, code);
    const bool explains = wanted == 0 ? !has_factor([](int) { return true; }) : factor != nullptr;
    if (explains) causes.push_back({reading->item, name, factor});
    if (!explains && has_factor([wanted](int there) { return there == wanted; })) return {};
  }
  if (causes.size() != 1) return {};
  const auto& [reading, unit, factor] = causes.front();
  const std::string counts = fmt::format(": `{}` in line {} counts {}", reading.by, line_at(code, reading.at), unit);
  if (factor == nullptr) return fmt::format("{}: {}", counts, cure_of(reading.power));
  const std::string has = fmt::format("{}, and line {} has `{}`", counts, line_at(code, factor->at),
                                      code.substr(factor->at, factor->end - factor->at));
  if (reading.power == 0) return has + ": leave that out";
  return fmt::format("{}: {}", has, cure_of(reading.power));
}

}  // namespace cudalabs::lab6
