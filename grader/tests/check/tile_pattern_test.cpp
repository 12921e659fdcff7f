// Wrong products whose tiles tell what happened.
#include "check/detectors/tile_pattern.h"

#include "catch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

constexpr std::int64_t kRows = 20, kInner = 37, kColumns = 18, kTile = 16;

double a_at(std::int64_t row, std::int64_t k) {
  return row < kRows && k < kInner ? 0.5 + static_cast<double>((row * 13 + k * 7) % 11) : 0.0;
}
double b_at(std::int64_t k, std::int64_t column) {
  return k < kInner && column < kColumns ? static_cast<double>((k * 5 + column * 3) % 13) - 4.25 : 0.0;
}

template <typename Value>
Comparison computed(const Value& value) {
  const auto right = [](std::int64_t row, std::int64_t column) {
    double sum = 0;
    for (std::int64_t k = 0; k < kInner; ++k) sum += a_at(row, k) * b_at(k, column);
    return sum;
  };
  return compare(float_matrix("c", kRows, kColumns, value), expected_matrix(kRows, kColumns, right));
}

datasets::Case product_case() {
  datasets::Case test;
  test.inputs.push_back(float_matrix("a", kRows, kInner, a_at));
  test.inputs.push_back(float_matrix("b", kInner, kColumns, b_at));
  return test;
}

template <typename Value>
std::optional<Detected> found_in(const Value& value) {
  const datasets::Case test = product_case();
  const Comparison comparison = computed(value);
  const auto product = product_of(test, comparison);
  REQUIRE(product);
  if (auto found = tile_index_mistaken(*product, comparison)) return found;
  if (auto found = old_tile_kept(*product, comparison)) return found;
  if (auto found = first_tile_again(*product, comparison)) return found;
  return stops_at_data(*product, comparison);
}

}  // namespace

TEST_CASE("a tile with rows and columns exchanged is recognised") {
  const auto of_b = [](std::int64_t row, std::int64_t column) {
    double sum = 0;
    for (std::int64_t phase = 0; phase < kInner; phase += kTile)
      for (std::int64_t k = 0; k < kTile; ++k)
        sum += a_at(row, phase + k) * b_at(phase + column % kTile, column / kTile * kTile + k);
    return sum;
  };
  const auto of_a = [](std::int64_t row, std::int64_t column) {
    double sum = 0;
    for (std::int64_t phase = 0; phase < kInner; phase += kTile)
      for (std::int64_t k = 0; k < kTile; ++k)
        sum += a_at(row / kTile * kTile + k, phase + row % kTile) * b_at(phase + k, column);
    return sum;
  };
  REQUIRE(found_in(of_b));
  CHECK(found_in(of_b)->name == "product_tile_of_b_transposed");
  REQUIRE(found_in(of_a));
  CHECK(found_in(of_a)->name == "product_tile_of_a_transposed");
}

TEST_CASE("tiles with rows and columns exchanged are named only where no other wrong output contradicts") {
  const datasets::Case test = product_case();
  const auto agree = [&](std::string_view name, const Comparison& comparison) {
    const CaseOutput output{&comparison, &test};
    return agrees_with(name, std::span(&output, 1));
  };
  const Comparison exchanged = computed([](std::int64_t row, std::int64_t column) {
    double sum = 0;
    for (std::int64_t k = 0; k < 48; ++k)
      sum += a_at(row, k) * b_at(k / kTile * kTile + column % kTile, column / kTile * kTile + k % kTile);
    return sum;
  });
  // The load of `a` leaves out what the last columns have no thread for.
  const Comparison guarded = computed([](std::int64_t row, std::int64_t column) {
    double sum = 0;
    for (std::int64_t k = 0; k < 48; ++k)
      if (column / kTile * kTile + k % kTile < kColumns) sum += a_at(row, k) * b_at(k, column);
    return sum;
  });
  CHECK(agree("product_tile_of_b_transposed", exchanged));
  CHECK_FALSE(agree("product_tile_of_b_transposed", guarded));
  CHECK_FALSE(agree("product_tile_of_a_transposed", exchanged));
  CHECK(agree("product_keeps_old_tile", guarded));  // it speaks of one output alone
}

TEST_CASE("a tile that takes another of its indices is recognised, and where that can be") {
  enum class Use { y, x, k };
  using enum Use;
  const auto name_of = [](Use a_row, Use a_inner, Use b_inner, Use b_column) {
    const auto found = found_in([=](std::int64_t row, std::int64_t column) {
      double sum = 0;
      for (std::int64_t k = 0; k < 48; ++k) {
        const auto of = [&](Use use) { return use == y ? row % kTile : use == x ? column % kTile : k % kTile; };
        sum += a_at(row / kTile * kTile + of(a_row), k / kTile * kTile + of(a_inner)) *
               b_at(k / kTile * kTile + of(b_inner), column / kTile * kTile + of(b_column));
      }
      return sum;
    });
    return found ? std::string(found->name) : std::string();
  };
  CHECK(name_of(y, k, x, x) == "product_tile_of_b_filled");
  CHECK(name_of(y, k, k, k) == "product_tile_of_b_filled");
  CHECK(name_of(y, k, y, k) == "product_tile_of_b_read");
  CHECK(name_of(y, y, k, x) == "product_tile_of_a_filled");
  CHECK(name_of(k, x, k, x) == "product_tile_of_a_read");
  CHECK(name_of(k, x, y, k) == "product_tiles_read");
}

TEST_CASE("values of the phase before are recognised") {
  const auto found = found_in([](std::int64_t row, std::int64_t column) {
    double sum = 0;
    for (std::int64_t k = 0; k < 48; ++k) {
      const std::int64_t held = k < kInner ? k : k - kTile;
      sum += a_at(row, held) * b_at(held, column);
    }
    return sum;
  });
  REQUIRE(found);
  CHECK(found->name == "product_keeps_old_tile");
  CHECK(found->numbers.at("more") == 11);
}

TEST_CASE("sums that stop after different numbers of products are recognised, equally short ones are not") {
  const auto stops = [](auto end_of) {
    return found_in([=](std::int64_t row, std::int64_t column) {
      double sum = 0;
      for (std::int64_t k = 0; k < end_of(row); ++k) sum += a_at(row, k) * b_at(k, column);
      return sum;
    });
  };
  const auto found = stops([](std::int64_t row) { return 3 + row; });
  REQUIRE(found);
  CHECK(found->name == "product_stops_at_data");
  CHECK_FALSE(stops([](std::int64_t) { return 21; }));
  CHECK_FALSE(
      found_in([](std::int64_t row, std::int64_t column) { return static_cast<double>(row + column) + 0.125; }));
}

TEST_CASE("tiles that are loaded from the same place in each phase are recognised") {
  const auto sums = [](bool a_again, bool b_again, bool zeros, double more = 0) {
    return found_in([=](std::int64_t row, std::int64_t column) {
      double sum = more * static_cast<double>(row);
      for (std::int64_t phase = 0; phase < kInner; phase += kTile)
        for (std::int64_t k = 0; k < kTile && (!zeros || phase + k < kInner); ++k)
          sum += a_at(row, a_again ? k : phase + k) * b_at(b_again ? k : phase + k, column);
      return sum;
    });
  };
  REQUIRE(sums(true, true, false));
  CHECK(sums(true, true, false)->name == "product_first_tiles");
  CHECK(sums(true, true, true)->name == "product_first_tiles");
  CHECK(sums(true, false, true)->name == "product_first_tile_of_a");
  CHECK(sums(false, true, true)->name == "product_first_tile_of_b");
  CHECK_FALSE(sums(true, true, false, 0.5));
}
