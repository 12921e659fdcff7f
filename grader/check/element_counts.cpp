// How often each element of an input is in a sum that came out wrong.
#include "check/element_counts.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "check/origin_place.h"
#include "datasets/array.h"

namespace cudalabs {
namespace {

constexpr std::int64_t kWarp = 32;

std::vector<double> values_of_any(const datasets::Array& array) {
  const auto widened = [](const auto& values) { return std::vector<double>(values.begin(), values.end()); };
  switch (array.type) {
    case datasets::ElementType::f32:
      return widened(datasets::values_of<float>(array));
    case datasets::ElementType::f64:
      return datasets::values_of<double>(array);
    case datasets::ElementType::i32:
      return widened(datasets::values_of<std::int32_t>(array));
    case datasets::ElementType::u8:
      return widened(datasets::values_of<std::uint8_t>(array));
  }
  return {};
}

/// Elements in their order, of which some are special.
struct Some {
  std::vector<std::int64_t> places;  // ascending

  std::int64_t first() const { return places.front(); }
  std::int64_t count() const { return std::ssize(places); }
  /// The last one of those that follow the first one without a gap.
  std::int64_t end_of_first_run() const {
    const auto gap = std::ranges::adjacent_find(places, [](auto a, auto b) { return b != a + 1; });
    return gap == places.end() ? places.back() : *gap;
  }
  bool is_one_run() const { return end_of_first_run() == places.back(); }
};

Some places_where(std::span<const std::int64_t> counts, const std::function<bool(std::int64_t)>& special) {
  Some some;
  for (std::int64_t i = 0; i < std::ssize(counts); ++i) {
    if (special(counts[static_cast<std::size_t>(i)])) some.places.push_back(i);
  }
  return some;
}

/// The values of `part` at the places, where all elements with such a value are among them, and some have another one.
template <typename Part>
std::set<std::int64_t> parts_of(const Some& some, std::int64_t n, Part part) {
  std::set<std::int64_t> parts, others;
  for (const std::int64_t place : some.places) parts.insert(part(place));
  std::int64_t with_such = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (parts.contains(part(i)))
      ++with_such;
    else
      others.insert(part(i));
  }
  return with_such == some.count() && !others.empty() ? parts : std::set<std::int64_t>();
}

Detected left_out(const Some& missing, std::int64_t n, std::int64_t threads) {
  std::map<std::string_view, std::int64_t> numbers{
      {"first", missing.first()}, {"last", missing.end_of_first_run()}, {"missing", missing.count()}, {"n", n}};
  if (threads > kWarp) {
    const auto warps = parts_of(missing, n, [&](std::int64_t place) { return place % threads / kWarp; });
    const bool rest_is_whole = missing.end_of_first_run() % kWarp == kWarp - 1;
    if (!warps.empty() && rest_is_whole) {
      numbers.insert(
          {{"warp", *warps.begin()}, {"warps", std::ssize(warps)}, {"all_warps", (threads + kWarp - 1) / kWarp}});
      return {"sum_without_warps", std::move(numbers)};
    }
  }
  if (n >= 2 * kWarp) {
    const auto lanes = parts_of(missing, n, [](std::int64_t place) { return place % kWarp; });
    if (!lanes.empty()) {
      numbers.insert({{"lane", *lanes.begin()}, {"lanes", std::ssize(lanes)}});
      return {"sum_without_lanes", std::move(numbers)};
    }
  }
  return {missing.is_one_run() ? "sum_without_a_run" : "sum_without_some", std::move(numbers)};
}

}  // namespace

std::vector<SummedInput> summed_inputs(const Comparison& comparison, const datasets::Case& test) {
  std::vector<SummedInput> found;
  if (comparison.elements() != 1 || comparison.bound[0] != 0) return found;
  for (std::size_t number = 0; number < test.inputs.size(); ++number) {
    const datasets::Array& input = test.inputs[number];
    if (input.type != comparison.type || input.elements() < 2) continue;
    std::vector<double> values = values_of_any(input);
    if (std::accumulate(values.begin(), values.end(), 0.0) == comparison.expected[0])
      found.push_back({number, std::move(values)});
  }
  return found;
}

std::optional<Detected> what_counts_say(std::span<const std::int64_t> counts, std::int64_t threads) {
  const std::int64_t n = std::ssize(counts);
  const Some missing = places_where(counts, [](std::int64_t count) { return count == 0; });
  const Some again = places_where(counts, [](std::int64_t count) { return count > 1; });
  // Of a sum without any element the lab's other words say more.
  if (missing.count() + again.count() == 0 || missing.count() == n) return std::nullopt;
  if (again.count() == 0) return left_out(missing, n, threads);
  const std::int64_t times = counts[static_cast<std::size_t>(again.first())];
  const bool alike = std::ranges::all_of(
      again.places, [&](std::int64_t place) { return counts[static_cast<std::size_t>(place)] == times; });
  if (again.count() == n && alike) return Detected{"sum_many_times", {{"times", times}}};
  std::map<std::string_view, std::int64_t> numbers{{"first", again.first()},
                                                   {"last", again.end_of_first_run()},
                                                   {"again", again.count()},
                                                   {"times", times},
                                                   {"n", n}};
  if (missing.count() == 0)
    return Detected{alike && again.is_one_run() ? "sum_with_a_run_again" : "sum_with_some_again", std::move(numbers)};
  numbers.insert({{"missing", missing.count()}, {"first_missing", missing.first()}});
  return Detected{"sum_with_others_again", std::move(numbers)};
}

void name_counts(Mismatch& mismatch, std::span<const std::int64_t> counts, const Comparison& comparison,
                 const Observation& observed, std::span<const Explanation> explanations) {
  const std::int64_t threads =
      observed.launches.empty() ? 0 : std::int64_t{observed.launches.back().config.threads_per_block()};
  const auto detected = what_counts_say(counts, threads);
  if (!detected) return;
  const auto pattern = words_for(*detected, explanations);
  if (!pattern) return;
  mismatch.finding.message += "; " + pattern->what;
  mismatch.finding.help = pattern->help;
  mismatch.cause = mismatch.pattern = pattern;
  mismatch.clarity = Clarity::values;
  name_origin(mismatch, comparison, observed);
}

}  // namespace cudalabs
