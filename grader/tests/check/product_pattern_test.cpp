// Explaining a wrong matrix product from its inputs.
#include "check/detectors/product_pattern.h"

#include "catch.h"
#include "check/mismatch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

using Numbers = std::map<std::string_view, std::int64_t>;

double a_value(std::int64_t row, std::int64_t k) {
  return 0.5 + static_cast<double>((row * 13 + k * 7) % 11);
}
double b_value(std::int64_t k, std::int64_t column) {
  return static_cast<double>((k * 5 + column * 3) % 13) - 4.25;
}

struct Sizes {
  std::int64_t m, n, p;
};

datasets::Case product_case(Sizes sizes) {
  datasets::Case test;
  test.inputs.push_back(float_matrix("a", sizes.m, sizes.n, a_value));
  test.inputs.push_back(float_matrix("b", sizes.n, sizes.p, b_value));
  test.expected.push_back(expected_matrix(sizes.m, sizes.p, [=](auto row, auto column) {
    double sum = 0;
    for (std::int64_t k = 0; k < sizes.n; ++k) sum += a_value(row, k) * b_value(k, column);
    return sum;
  }));
  return test;
}

/// What a submission would compute that sums `terms` products and takes these for the lengths of the rows.
Comparison computed(const datasets::Case& test, Sizes sizes, std::int64_t terms, std::int64_t a_row, std::int64_t b_row,
                    std::int64_t first = 0) {
  const auto flat = [](const datasets::Array& array, std::int64_t index) {
    float value = 1e6f;  // what lies behind the array
    if (index < array.elements()) std::memcpy(&value, array.data.data() + index * 4, 4);
    return static_cast<double>(value);
  };
  const auto got = float_matrix("c", sizes.m, sizes.p, [&](auto row, auto column) {
    double sum = 0;
    for (std::int64_t k = first; k < first + terms; ++k) {
      sum += flat(test.inputs[0], row * a_row + k) * flat(test.inputs[1], k * b_row + column);
    }
    return sum;
  });
  return compare(got, test.expected[0]);
}

}  // namespace

TEST_CASE("a sum without its last or its first product is recognised") {
  const Sizes sizes{20, 50, 12};
  const datasets::Case test = product_case(sizes);
  const Comparison last = computed(test, sizes, 49, 50, 12), first = computed(test, sizes, 49, 50, 12, 1);
  const auto found = end_missing(*product_of(test, last), last);
  REQUIRE(found);
  CHECK(found->name == "product_misses_last");
  CHECK(found->numbers == Numbers{{"n", 50}});
  REQUIRE(end_missing(*product_of(test, first), first));
  CHECK(end_missing(*product_of(test, first), first)->name == "product_misses_first");
  const Comparison two = computed(test, sizes, 48, 50, 12);
  CHECK_FALSE(end_missing(*product_of(test, two), two));
}

TEST_CASE("a sum that begins anew with every tile is recognised") {
  const Sizes sizes{20, 50, 12};
  const datasets::Case test = product_case(sizes);
  const Comparison tile = computed(test, sizes, 2, 50, 12, 48), other = computed(test, sizes, 3, 50, 12, 47);
  const auto found = last_tile_only(*product_of(test, tile), tile);
  REQUIRE(found);
  CHECK(found->numbers == Numbers{{"terms", 2}, {"n", 50}});
  CHECK_FALSE(last_tile_only(*product_of(test, other), other));
}

TEST_CASE("what keeps the last product only is recognised") {
  const Sizes sizes{20, 50, 12};
  const datasets::Case test = product_case(sizes);
  const Comparison last = computed(test, sizes, 1, 50, 12, 49), two = computed(test, sizes, 2, 50, 12, 48);
  const auto found = last_product_only(*product_of(test, last), last);
  REQUIRE(found);
  CHECK(found->name == "product_keeps_last");
  CHECK(found->numbers == Numbers{{"n", 50}});
  CHECK_FALSE(last_product_only(*product_of(test, two), two));
}

TEST_CASE("what the last lane of a warp has after the lanes' sums were shifted down is recognised") {
  const Sizes sizes{20, 50, 12};
  const datasets::Case test = product_case(sizes);
  // Lane 31 has k = 31 alone, and 19 lanes have a second product.
  const auto of_lane = [&](std::int64_t lane, double factor) {
    const auto got = float_matrix("c", sizes.m, sizes.p, [&](auto row, auto column) {
      double sum = 0;
      for (std::int64_t k = lane; k < sizes.n; k += 32) sum += a_value(row, k) * b_value(k, column);
      return factor * sum;
    });
    return compare(got, test.expected[0]);
  };
  const Comparison last = of_lane(31, 32), other = of_lane(30, 32), plain = of_lane(31, 1);
  const auto found = last_lane_only(*product_of(test, last), last);
  REQUIRE(found);
  CHECK(found->name == "product_of_last_lane");
  CHECK(found->numbers == Numbers{{"lane", 31}});
  CHECK_FALSE(last_lane_only(*product_of(test, other), other));
  CHECK_FALSE(last_lane_only(*product_of(test, plain), plain));
  // Where a row has fewer products than a warp has lanes, all is 0.
  const Sizes few{20, 30, 12};
  const datasets::Case small = product_case(few);
  const Comparison zeros = compare(float_matrix("c", 20, 12, [](auto, auto) { return 0.0; }), small.expected[0]);
  CHECK_FALSE(last_lane_only(*product_of(small, zeros), zeros));
}

TEST_CASE("a sum that stops at the last whole tile is recognised") {
  const Sizes sizes{20, 50, 12};
  const datasets::Case test = product_case(sizes);
  const Comparison comparison = computed(test, sizes, 48, 50, 12);
  const auto product = product_of(test, comparison);
  REQUIRE(product);
  const auto pattern = remainder_dropped(*product, comparison);
  REQUIRE(pattern);
  CHECK(pattern->name == "product_stops_early");
  CHECK(pattern->numbers == Numbers{{"terms", 48}, {"missing", 2}, {"n", 50}});
  CHECK_FALSE(wrong_stride(*product, comparison));
}

TEST_CASE("a sum that stops elsewhere, or one wrong element, is no dropped remainder") {
  const Sizes sizes{20, 50, 12};
  const datasets::Case test = product_case(sizes);
  const Comparison early = computed(test, sizes, 45, 50, 12);
  CHECK_FALSE(remainder_dropped(*product_of(test, early), early));
  Comparison flawed = computed(test, sizes, 48, 50, 12);
  flawed.got[100] += 1;
  CHECK_FALSE(remainder_dropped(*product_of(test, flawed), flawed));
}

TEST_CASE("a sum without a whole tile at its end is recognised where there is no part of one") {
  const auto found = [](std::int64_t n, std::int64_t terms) {
    const Sizes sizes{20, n, 12};
    const datasets::Case test = product_case(sizes);
    const Comparison comparison = computed(test, sizes, terms, n, 12);
    const CaseOutput output{&comparison, &test};
    const auto detected = last_tile_missing(*product_of(test, comparison), comparison);
    CHECK(agrees_with("product_misses_last_tile", std::span(&output, 1)) == detected.has_value());
    return detected;
  };
  REQUIRE(found(64, 48));
  CHECK(found(64, 48)->numbers == Numbers{{"missing", 16}, {"n", 64}});
  CHECK(found(160, 128)->numbers.at("missing") == 32);
  CHECK_FALSE(found(51, 48));
  CHECK_FALSE(found(64, 40));
}

TEST_CASE("a sum over another size than the inner dimension is recognised, whole tiles of it as well") {
  const Sizes sizes{20, 50, 12};
  const datasets::Case test = product_case(sizes);
  const auto detected = [&](std::int64_t terms) {
    const Comparison comparison = computed(test, sizes, terms, 50, 12);
    return wrong_dimension(*product_of(test, comparison), comparison);
  };
  const auto rows = detected(20);
  REQUIRE(rows);
  CHECK(rows->name == "product_sums_rows");
  CHECK(rows->numbers == Numbers{{"terms", 20}, {"taken", 20}, {"n", 50}});
  const auto tiles = detected(32);  // one tile for 20 rows, and for 12 columns
  REQUIRE(tiles);
  CHECK(tiles->name == "product_sums_rows");
  CHECK(tiles->numbers == Numbers{{"terms", 32}, {"taken", 20}, {"n", 50}});
  const auto columns = detected(12);
  REQUIRE(columns);
  CHECK(columns->name == "product_sums_columns");
  CHECK_FALSE(detected(45));
}

TEST_CASE("where a dropped remainder explains the sums as well, no other size is named, and a clearer case speaks") {
  const std::vector<Explanation> explanations{{"product_sums_rows", "{taken} for {n}", ""},
                                              {"product_stops_early", "{missing} missing", ""}};
  const auto mismatch = [&](const Sizes& sizes, std::int64_t terms) {
    const datasets::Case test = product_case(sizes);
    const auto found = mismatches_of(computed(test, sizes, terms, sizes.n, sizes.p), test, std::nullopt, explanations);
    REQUIRE(found.size() == 1);
    return found[0];
  };
  const Mismatch both = mismatch({6, 9, 12}, 8);  // eight of nine, in tiles of four: two tiles hold six rows, too
  CHECK_THAT(both.finding.message, contains_text("1 missing"));
  CHECK(both.clarity == Clarity::guess);
  CHECK_FALSE(both.cause);
  const Mismatch rows = mismatch({21, 50, 12}, 21);
  CHECK_THAT(rows.finding.message, contains_text("21 for 50"));
  CHECK(rows.clarity == Clarity::values);
  CHECK(rows.cause);
  CHECK(mismatch({12, 50, 12}, 12).clarity == Clarity::guess);  // as many rows as columns
}

TEST_CASE("another inner dimension is named only where no other output of the submission contradicts") {
  struct Output {
    datasets::Case test;
    Comparison comparison;
  };
  // Of m, n and p, and how many products the sums have.
  const auto output = [](const Sizes& sizes, std::int64_t terms) {
    datasets::Case test = product_case(sizes);
    Comparison comparison = computed(test, sizes, terms, sizes.n, sizes.p);
    return Output{std::move(test), std::move(comparison)};
  };
  const auto agree = [](const std::vector<Output>& outputs, std::string_view name = "product_sums_rows") {
    std::vector<CaseOutput> all;
    for (const Output& each : outputs) all.push_back({&each.comparison, &each.test});
    return agrees_with(name, all);
  };
  const Output rows = output({32, 64, 96}, 32);
  CHECK(agree({rows}));
  CHECK(agree({rows, output({16, 50, 12}, 16), output({40, 40, 12}, 40), output({40, 20, 12}, 20)}));
  CHECK(agree({rows, output({20, 50, 12}, 32)}));  // whole tiles
  CHECK_FALSE(agree({rows, output({32, 32, 32}, 0)}));
  CHECK_FALSE(agree({rows, output({32, 160, 64}, 128)}));
  CHECK_FALSE(agree({rows, output({32, 160, 64}, 160)}));  // it is right
  CHECK(speaks_of_others("product_sums_rows"));
  // A remainder is one of the same tile everywhere.
  const Output early = output({20, 50, 12}, 48);
  CHECK(agree({early, output({20, 65, 12}, 64), output({20, 64, 12}, 64)}, "product_stops_early"));
  CHECK_FALSE(agree({early, output({20, 64, 12}, 32)}, "product_stops_early"));
  CHECK_FALSE(agree({early, output({20, 66, 12}, 60)}, "product_stops_early"));
  CHECK(agree({early, output({20, 66, 12}, 60)}, "product_misses_last"));  // it speaks of one output alone
}

TEST_CASE("a row read with another matrix's length is recognised") {
  const Sizes sizes{20, 9, 12};
  const datasets::Case test = product_case(sizes);
  const Comparison a_wrong = computed(test, sizes, 9, 12, 12);
  const auto of_a = wrong_stride(*product_of(test, a_wrong), a_wrong);
  REQUIRE(of_a);
  CHECK(of_a->name == "product_row_of_a");
  CHECK(of_a->numbers == Numbers{{"taken", 12}, {"right", 9}});
  const Comparison b_wrong = computed(test, sizes, 9, 9, 9);
  const auto of_b = wrong_stride(*product_of(test, b_wrong), b_wrong);
  REQUIRE(of_b);
  CHECK(of_b->name == "product_row_of_b");
  CHECK(of_b->numbers == Numbers{{"taken", 9}, {"right", 12}});
}

TEST_CASE("products that are added twice are recognised") {
  const Sizes sizes{20, 50, 12};
  const datasets::Case test = product_case(sizes);
  const auto numbers_of = [&](std::int64_t first, std::int64_t last, double times) {
    Comparison comparison = compare(float_matrix("c", 20, 12), test.expected[0]);
    for (std::int64_t i = 0; i < comparison.elements(); ++i) {
      double more = 0;
      for (std::int64_t k = first; k < last; ++k) more += a_value(i / 12, k) * b_value(k, i % 12);
      const auto at = static_cast<std::size_t>(i);
      comparison.got[at] = comparison.expected[at] + times * more;
      comparison.fault[at] = Fault::wrong;
    }
    const auto found = added_twice(*product_of(test, comparison), comparison);
    return found ? found->numbers : Numbers{};
  };
  // The loop for the rest begins at 50 / 4 = 12.
  CHECK(numbers_of(12, 48, 1) == Numbers{{"first", 12}, {"last", 47}, {"n", 50}});
  CHECK(numbers_of(0, 50, 1).empty());  // all of them: a factor
  CHECK(numbers_of(12, 48, 2).empty());
  CHECK(numbers_of(12, 45, 1).empty());  // no group ends there
}

TEST_CASE("a product that stays in one row of an operand is recognised") {
  const Sizes sizes{20, 9, 12};
  const datasets::Case test = product_case(sizes);
  const auto name_of = [&](std::int64_t terms, std::int64_t a_stride, std::int64_t b_stride) {
    const Comparison comparison = computed(test, sizes, terms, a_stride, b_stride);
    const auto found = row_stays(*product_of(test, comparison), comparison);
    return found ? std::string(found->name) : "";
  };
  CHECK(name_of(9, 9, 0) == "product_one_row_of_b");
  CHECK(name_of(9, 0, 12) == "product_one_row_of_a");
  CHECK(name_of(9, 0, 0).empty());
  CHECK(name_of(9, 9, 1).empty());
  CHECK(name_of(8, 9, 0).empty());
}

TEST_CASE("both rows wrong at once, or a length that is no size of the case, is not claimed to be known") {
  const Sizes sizes{20, 9, 12};
  const datasets::Case test = product_case(sizes);
  const Comparison odd = computed(test, sizes, 9, 10, 12);
  CHECK_FALSE(wrong_stride(*product_of(test, odd), odd));
}

TEST_CASE("only a case whose shapes form a product is taken for one") {
  const Sizes sizes{5, 6, 7};
  datasets::Case test = product_case(sizes);
  const Comparison comparison = computed(test, sizes, 5, 6, 7);
  REQUIRE(product_of(test, comparison));
  test.inputs[1].name = "other";
  CHECK_FALSE(product_of(test, comparison));
  test.inputs[1] = float_matrix("b", 7, 6);
  CHECK_FALSE(product_of(test, comparison));
  test.inputs[1] = array_of<double>("b", datasets::ElementType::f64, {6, 7}, std::vector<double>(42));
  CHECK_FALSE(product_of(test, comparison));
  test.inputs.pop_back();
  CHECK_FALSE(product_of(test, comparison));
}
