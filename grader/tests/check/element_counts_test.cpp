// How often each element is in a wrong sum, and what is said of it.
#include "check/element_counts.h"

#include <functional>
#include <vector>

#include "catch.h"
#include "datasets/array.h"

namespace cudalabs {
namespace {

using Counts = std::vector<std::int64_t>;

Counts counts_of(std::int64_t n, const std::function<std::int64_t(std::int64_t)>& count) {
  Counts counts;
  for (std::int64_t i = 0; i < n; ++i) counts.push_back(count(i));
  return counts;
}

std::string name_of(const Counts& counts, std::int64_t threads) {
  const auto detected = what_counts_say(counts, threads);
  return detected ? std::string(detected->name) : std::string();
}

TEST_CASE("nothing is said where each element is in the sum once, or none is") {
  CHECK(name_of(Counts(100, 1), 256).empty());
  CHECK(name_of(Counts(100, 0), 256).empty());
}

TEST_CASE("elements that whole warps of a block should have brought") {
  const auto lost = [](std::int64_t i) { return i % 192 / 32 == 2 || i % 192 / 32 == 5 ? 0 : 1; };
  const auto detected = what_counts_say(counts_of(1000, lost), 192);
  REQUIRE(detected);
  CHECK(detected->name == "sum_without_warps");
  CHECK(detected->numbers.at("warp") == 2);
  CHECK(detected->numbers.at("warps") == 2);
  CHECK(detected->numbers.at("all_warps") == 6);
  CHECK(detected->numbers.at("first") == 64);
  CHECK(detected->numbers.at("last") == 95);
  // Of blocks of another size they are no whole warps.
  CHECK(name_of(counts_of(1000, lost), 256) == "sum_without_some");
  CHECK(name_of(counts_of(1000, lost), 0) == "sum_without_some");
}

TEST_CASE("elements of the same lanes of each warp") {
  const auto detected = what_counts_say(counts_of(500, [](std::int64_t i) { return i % 32 >= 30 ? 0 : 1; }), 256);
  REQUIRE(detected);
  CHECK(detected->name == "sum_without_lanes");
  CHECK(detected->numbers.at("lane") == 30);
  CHECK(detected->numbers.at("lanes") == 2);
  CHECK(detected->numbers.at("missing") == 30);
  // One warp shows no such thing.
  CHECK(name_of(counts_of(32, [](std::int64_t i) { return i >= 30 ? 0 : 1; }), 256) == "sum_without_a_run");
}

TEST_CASE("neighbours, and elements that have nothing in common") {
  const auto detected = what_counts_say(counts_of(100, [](std::int64_t i) { return i >= 97 ? 0 : 1; }), 256);
  REQUIRE(detected);
  CHECK(detected->name == "sum_without_a_run");
  CHECK(detected->numbers.at("first") == 97);
  CHECK(detected->numbers.at("last") == 99);
  CHECK(detected->numbers.at("missing") == 3);
  CHECK(name_of(counts_of(100, [](std::int64_t i) { return i == 3 || i == 50 ? 0 : 1; }), 256) == "sum_without_some");
}

TEST_CASE("elements that are there several times") {
  CHECK(name_of(Counts(100, 3), 256) == "sum_many_times");
  const auto run = what_counts_say(counts_of(100, [](std::int64_t i) { return i >= 32 && i < 40 ? 2 : 1; }), 256);
  REQUIRE(run);
  CHECK(run->name == "sum_with_a_run_again");
  CHECK(run->numbers.at("first") == 32);
  CHECK(run->numbers.at("last") == 39);
  CHECK(run->numbers.at("times") == 2);
  CHECK(name_of(counts_of(100, [](std::int64_t i) { return 1 + i % 2; }), 256) == "sum_with_some_again");
  const auto both = what_counts_say(counts_of(100, [](std::int64_t i) { return i == 7 ? 0 : i == 8 ? 2 : 1; }), 256);
  REQUIRE(both);
  CHECK(both->name == "sum_with_others_again");
  CHECK(both->numbers.at("first_missing") == 7);
  CHECK(both->numbers.at("first") == 8);
}

TEST_CASE("the input whose exact sum an output should be") {
  const std::vector<float> values{1, 2, 3, 4};
  const std::vector<std::int32_t> others{5, 6};
  datasets::Case test;
  test.inputs = {datasets::make_array<std::int32_t>("others", {2}, others),
                 datasets::make_array<float>("values", {4}, values)};
  Comparison comparison;
  comparison.type = datasets::ElementType::f32;
  comparison.shape = {1};
  comparison.got = {9};
  comparison.expected = {10};
  comparison.bound = {0};
  comparison.fault = {Fault::wrong};
  const std::vector<SummedInput> inputs = summed_inputs(comparison, test);
  REQUIRE(inputs.size() == 1);
  CHECK(inputs.front().number == 1);
  CHECK(inputs.front().values == std::vector<double>{1, 2, 3, 4});
  comparison.bound = {0.1};
  CHECK(summed_inputs(comparison, test).empty());
  comparison.bound = {0};
  comparison.expected = {11};
  CHECK(summed_inputs(comparison, test).empty());
}

}  // namespace
}  // namespace cudalabs
