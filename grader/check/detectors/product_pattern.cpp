// Mistakes of a matrix product that only its inputs can tell.
#include "check/detectors/product_pattern.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <set>
#include <string_view>
#include <vector>

#include "check/detectors/product_walk.h"
#include "check/tolerance.h"

namespace cudalabs {
namespace {

/// Elements looked at: a pattern that fits 256 wrong elements spread over the output fits by no accident, and the sums
/// of a large product would cost seconds.
constexpr std::int64_t kSample = 256;

/// In longer sums nobody looks for a part that was added twice.
constexpr std::int64_t kMostTerms = 4096;

constexpr std::string_view kStopsEarly = "product_stops_early", kMissesLastTile = "product_misses_last_tile";
/// Widest first: n = 50 leaves the same 2 to tiles of 16 as to tiles of 8 and 4, and nobody uses the narrow ones.
constexpr std::array<std::int64_t, 6> kRemainderTiles{32, 16, 64, 8, 4, 2};

bool has_shape(const datasets::Array& array, std::int64_t rows, std::int64_t columns) {
  return array.type == datasets::ElementType::f32 && array.shape == std::vector{rows, columns} &&
         array.data.size() == static_cast<std::size_t>(rows * columns) * sizeof(float);
}

}  // namespace

float operand_value(const datasets::Array& array, std::int64_t index) {
  float value;
  std::memcpy(&value, array.data.data() + static_cast<std::size_t>(index) * sizeof value, sizeof value);
  return value;
}

namespace {

std::vector<std::int64_t> sample_of(const std::vector<std::int64_t>& elements) {
  const auto count = static_cast<std::int64_t>(elements.size());
  if (count <= kSample) return elements;
  std::vector<std::int64_t> sample;
  for (std::int64_t s = 0; s < kSample; ++s) sample.push_back(elements[static_cast<std::size_t>(s * count / kSample)]);
  return sample;
}

}  // namespace

std::vector<std::int64_t> sample_of_wrong(const Comparison& comparison) {
  std::vector<std::int64_t> wrong;
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    if (comparison.fault[static_cast<std::size_t>(i)] == Fault::wrong) wrong.push_back(i);
  }
  return sample_of(wrong);
}

std::vector<std::int64_t> sample_of_all(const Comparison& comparison) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(comparison.elements()));
  std::iota(all.begin(), all.end(), 0);
  return sample_of(all);
}

std::optional<Product> product_of(const datasets::Case& test, const Comparison& comparison) {
  if (comparison.misfit || comparison.shape.size() != 2) return std::nullopt;
  const auto input = [&](std::string_view name) {
    const auto found = std::ranges::find(test.inputs, name, &datasets::Array::name);
    return found == test.inputs.end() ? nullptr : &*found;
  };
  Product product{input("a"), input("b"), comparison.shape[0], 0, comparison.shape[1]};
  if (product.a == nullptr || product.b == nullptr || product.a->shape.size() != 2) return std::nullopt;
  product.n = product.a->shape[1];
  if (!has_shape(*product.a, product.m, product.n) || !has_shape(*product.b, product.n, product.p)) return std::nullopt;
  return product;
}

std::optional<Detected> remainder_dropped(const Product& product, const Comparison& comparison) {
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  for (const std::int64_t tile : kRemainderTiles) {
    const std::int64_t terms = product.n / tile * tile;
    if (terms == product.n || terms == 0) continue;
    if (!walk_explains(product, {terms, product.n, product.p}, comparison, sample)) continue;
    return Detected{kStopsEarly, {{"terms", terms}, {"missing", product.n - terms}, {"n", product.n}}};
  }
  return std::nullopt;
}

std::optional<Detected> end_missing(const Product& product, const Comparison& comparison) {
  if (product.n < 2) return std::nullopt;
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  const std::pair<std::string_view, std::int64_t> ends[] = {{"product_misses_last", 0}, {"product_misses_first", 1}};
  for (const auto& [name, first] : ends) {
    if (walk_explains(product, {product.n - 1, product.n, product.p, first}, comparison, sample))
      return Detected{name, {{"n", product.n}}};
  }
  return std::nullopt;
}

std::optional<Detected> last_tile_missing(const Product& product, const Comparison& comparison) {
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  for (const std::int64_t tile : kRemainderTiles) {
    const std::int64_t terms = product.n - tile;
    if (product.n % tile != 0 || terms <= 0) continue;
    if (!walk_explains(product, {terms, product.n, product.p}, comparison, sample)) continue;
    return Detected{kMissesLastTile, {{"missing", tile}, {"n", product.n}}};
  }
  return std::nullopt;
}

std::optional<Detected> last_tile_only(const Product& product, const Comparison& comparison) {
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  for (const std::int64_t tile : {32, 16, 64, 8, 4, 2}) {
    const std::int64_t first = product.n == 0 ? 0 : (product.n - 1) / tile * tile, terms = product.n - first;
    if (first == 0 || !walk_explains(product, {terms, product.n, product.p, first}, comparison, sample)) continue;
    return Detected{"product_sums_last_tile", {{"terms", terms}, {"n", product.n}}};
  }
  return std::nullopt;
}

std::optional<Detected> last_product_only(const Product& product, const Comparison& comparison) {
  if (product.n < 2) return std::nullopt;
  if (!walk_explains(product, {1, product.n, product.p, product.n - 1}, comparison, sample_of_wrong(comparison)))
    return std::nullopt;
  return Detected{"product_keeps_last", {{"n", product.n}}};
}

std::optional<Detected> last_lane_only(const Product& product, const Comparison& comparison) {
  constexpr std::int64_t kLanes = 32, kLast = kLanes - 1;
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  if (product.n <= kLast || static_cast<std::int64_t>(sample.size()) < kEnough) return std::nullopt;
  const bool fits = std::ranges::all_of(sample, [&](std::int64_t index) {
    double sum = 0;
    for (std::int64_t k = kLast; k < product.n; k += kLanes) {
      sum += static_cast<double>(operand_value(*product.a, index / product.p * product.n + k)) *
             operand_value(*product.b, k * product.p + index % product.p);
    }
    const Element element = comparison.at(index);
    return within(element.got, kLanes * sum, kLanes * element.bound);
  });
  return fits ? std::optional(Detected{"product_of_last_lane", {{"lane", kLast}}}) : std::nullopt;
}

std::optional<Detected> added_twice(const Product& product, const Comparison& comparison) {
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  if (static_cast<std::int64_t>(sample.size()) < kEnough || product.n < 2 || product.n > kMostTerms)
    return std::nullopt;
  const auto range_sum = [&](std::int64_t index, std::int64_t first, std::int64_t last) {
    return sum_of(product, {last - first, product.n, product.p, first}, index / product.p, index % product.p)
        .value_or(0);
  };
  const auto fits = [&](std::int64_t index, std::int64_t first, std::int64_t last) {
    const Element element = comparison.at(index);
    return within(element.got, element.expected + range_sum(index, first, last), 2 * element.bound);
  };
  std::optional<std::pair<std::int64_t, std::int64_t>> found;
  // A loop over groups ends at a whole number of them; what comes after it begins anywhere.
  std::set<std::int64_t> ends{product.n};
  for (const std::int64_t group : {2, 4, 8, 16, 32, 64}) ends.insert(product.n / group * group);
  for (const std::int64_t last : ends) {
    for (std::int64_t first = 0; first < last; ++first) {
      // Twice as much as it should be has other names.
      const bool all = first == 0 && last == product.n;
      const auto fits_here = [&](std::int64_t index) { return fits(index, first, last); };
      if (all || !fits_here(sample.front()) || !std::ranges::all_of(sample, fits_here)) continue;
      if (found) return std::nullopt;
      found = {first, last};
    }
  }
  if (!found) return std::nullopt;
  return Detected{"product_adds_twice", {{"first", found->first}, {"last", found->second - 1}, {"n", product.n}}};
}

std::optional<Detected> wrong_stride(const Product& product, const Comparison& comparison) {
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  const std::set<std::int64_t> sizes{product.m, product.n, product.p};
  for (const std::int64_t a_stride : sizes) {
    for (const std::int64_t b_stride : sizes) {
      const bool a_wrong = a_stride != product.n, b_wrong = b_stride != product.p;
      if (a_wrong == b_wrong) continue;
      if (!walk_explains(product, {product.n, a_stride, b_stride}, comparison, sample)) continue;
      if (a_wrong) return Detected{"product_row_of_a", {{"taken", a_stride}, {"right", product.n}}};
      return Detected{"product_row_of_b", {{"taken", b_stride}, {"right", product.p}}};
    }
  }
  return std::nullopt;
}

std::optional<Detected> row_stays(const Product& product, const Comparison& comparison) {
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  if (product.n > 1 && walk_explains(product, {product.n, product.n, 0}, comparison, sample))
    return Detected{"product_one_row_of_b", {{"n", product.n}}};
  if (product.m > 1 && walk_explains(product, {product.n, 0, product.p}, comparison, sample))
    return Detected{"product_one_row_of_a", {{"n", product.n}}};
  return std::nullopt;
}

namespace {

std::optional<Detected> detect(const Comparison& comparison, const datasets::Case& test, std::optional<BlockShape>) {
  const auto product = product_of(test, comparison);
  if (!product) return std::nullopt;
  if (auto remainder = remainder_dropped(*product, comparison)) {
    // Where both fit, only how many products are missing is certain.
    if (wrong_dimension(*product, comparison)) remainder->sure = false;
    return remainder;
  }
  if (auto end = end_missing(*product, comparison)) return end;
  if (auto last = last_product_only(*product, comparison)) return last;
  if (auto tile = last_tile_only(*product, comparison)) return tile;
  if (auto lane = last_lane_only(*product, comparison)) return lane;
  if (auto row = row_stays(*product, comparison)) return row;
  if (auto twice = added_twice(*product, comparison)) return twice;
  return wrong_stride(*product, comparison);
}

/// A wrong output of a case in which no remainder of that tile is left, or the sums miss something else.
bool contradicts_remainder(const CaseOutput& output, std::int64_t tile) {
  const Comparison& comparison = *output.comparison;
  const auto product = product_of(*output.test, comparison);
  if (!product || comparison.count(Fault::wrong) == 0) return false;
  const Walk walk{product->n / tile * tile, product->n, product->p};
  return !confirmed_by(*product, walk, comparison, sample_of_wrong(comparison));
}

bool agrees_with_remainder(std::string_view name, std::span<const CaseOutput> outputs) {
  return name != kStopsEarly || std::ranges::any_of(kRemainderTiles, [&](std::int64_t tile) {
           return std::ranges::none_of(outputs,
                                       [&](const CaseOutput& output) { return contradicts_remainder(output, tile); });
         });
}

std::optional<Detected> detect_last_tile(const Comparison& comparison, const datasets::Case& test,
                                         std::optional<BlockShape>) {
  const auto product = product_of(test, comparison);
  return product ? last_tile_missing(*product, comparison) : std::nullopt;
}

/// A wrong output of a case with a part of that tile at its end, or whose sums miss something else.
bool contradicts_last_tile(const CaseOutput& output, std::int64_t tile) {
  const Comparison& comparison = *output.comparison;
  const auto product = product_of(*output.test, comparison);
  if (!product || comparison.count(Fault::wrong) == 0) return false;
  const Walk walk{product->n - tile, product->n, product->p};
  return product->n % tile != 0 || !confirmed_by(*product, walk, comparison, sample_of_wrong(comparison));
}

bool agrees_with_last_tile(std::string_view, std::span<const CaseOutput> outputs) {
  return std::ranges::any_of(kRemainderTiles, [&](std::int64_t tile) {
    return std::ranges::none_of(outputs, [&](const CaseOutput& output) { return contradicts_last_tile(output, tile); });
  });
}

using vgpu::OriginKind;

const CauseLine kLoop{CauseLine::Kind::origin, OriginKind::loop},
    kLoopEnd{CauseLine::Kind::origin, OriginKind::loop_end};

const RegisterDetector kProduct(
    {{kStopsEarly, {"terms", "missing", "n"}, {kLoopEnd}},
     {"product_misses_last", {"n"}, {kLoopEnd, kLoop}},
     {"product_misses_first", {"n"}, {kLoop}},
     {"product_sums_last_tile", {"terms", "n"}, {{CauseLine::Kind::restart}}},
     {"product_keeps_last", {"n"}, {{CauseLine::Kind::overwrite}}},
     {"product_of_last_lane", {"lane"}},
     {"product_adds_twice", {"first", "last", "n"}, {{CauseLine::Kind::last_origin, OriginKind::loop}}},
     {"product_one_row_of_a", {"n"}},
     {"product_one_row_of_b", {"n"}},
     {"product_row_of_a", {"taken", "right"}},
     {"product_row_of_b", {"taken", "right"}}},
    detect, agrees_with_remainder);
const RegisterDetector kLastTile({{kMissesLastTile, {"missing", "n"}, {kLoopEnd, kLoop}}}, detect_last_tile,
                                 agrees_with_last_tile);

}  // namespace

}  // namespace cudalabs
