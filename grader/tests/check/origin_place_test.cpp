// Where a wrong value is looked for, by what the value shows.
#include "check/origin_place.h"

#include <limits>

#include "catch.h"
#include "make.h"

namespace cudalabs::test {
namespace {

using vgpu::OriginKind;

const SourcePlace kStore{"a.cu", 30, 5};

Mismatch mismatch_with(ValueKind kind, const std::string& detector = {}) {
  Mismatch made;
  made.output = "c";
  made.fault = Fault::wrong;
  made.finding.where = kStore;
  made.finding.kernel = "add";
  made.pattern = ValuePattern{kind, {}, {}, true, detector};
  return made;
}

Observation observed_with(std::vector<vgpu::OriginPlace> origins) {
  Observation observed;
  observed.on_device = {"c"};
  observed.writers = {{"c", "add", kStore, std::move(origins)}};
  return observed;
}

SourcePlace line(std::uint32_t number) {
  return {"a.cu", number, 1};
}

Finding named(Mismatch mismatch, const Observation& observed, const Comparison& comparison = {}) {
  name_origin(mismatch, comparison, observed);
  return mismatch.finding;
}

}  // namespace

TEST_CASE("values that lost digits lead to the line that loses them") {
  const Observation observed = observed_with({{OriginKind::integer, line(11), {}}, {OriginKind::half, line(12), {}}});
  const Finding coarse = named(mismatch_with(ValueKind::low_precision), observed);
  CHECK(coarse.where == line(12));
  REQUIRE(coarse.other);
  CHECK(coarse.other->place == kStore);
  CHECK(named(mismatch_with(ValueKind::whole_numbers), observed).where == line(11));
  CHECK(named(mismatch_with(ValueKind::one_off), observed).where == kStore);
}

TEST_CASE("sums that stop lead to the end of the loop, or to the way out of it") {
  const Observation observed = observed_with(
      {{OriginKind::loop, line(20), {}}, {OriginKind::loop_end, line(18), {}}, {OriginKind::early_exit, line(22), {}}});
  const auto at = [&](const std::string& detector) {
    return named(mismatch_with(ValueKind::known_to_the_lab, detector), observed).where.line;
  };
  CHECK(at("product_stops_early") == 18);
  CHECK(at("product_sums_rows") == 18);
  CHECK(at("product_misses_first") == 20);
  CHECK(at("product_stops_at_data") == 22);
  CHECK(at("product_row_of_a") == 30);
  CHECK(named(mismatch_with(ValueKind::known_to_the_lab, "product_stops_early"), observed_with({})).where == kStore);
}

TEST_CASE("a transposed tile leads to its own fill, and to where that is read") {
  const Mismatch mismatch = mismatch_with(ValueKind::known_to_the_lab, "product_tile_of_b_transposed");
  std::vector<vgpu::OriginPlace> origins{
      {OriginKind::fill, line(20), "a"}, {OriginKind::fill, line(21), "b"}, {OriginKind::fill_read, line(24), "b"}};
  const Finding finding = named(mismatch, observed_with(origins));
  CHECK(finding.where == line(21));
  REQUIRE(finding.other);
  CHECK(finding.other->place == line(24));
  // Of two lines nobody knows which one it is.
  origins.push_back({OriginKind::fill, line(22), "b"});
  CHECK(named(mismatch, observed_with(origins)).where == kStore);
}

TEST_CASE("NaN leads to an array of the thread, infinity to a loss of digits") {
  const Observation observed = observed_with({{OriginKind::half, line(12), {}}, {OriginKind::own_array, line(13), {}}});
  const auto at = [&](float value) {
    const auto expected = expected_matrix(1, 1, [](auto, auto) { return 1.0; });
    const Comparison comparison = compare(float_matrix("c", 1, 1, [&](auto, auto) { return value; }), expected);
    Mismatch mismatch = mismatch_with(ValueKind::zero);
    mismatch.fault = Fault::nonfinite;
    mismatch.pattern.reset();
    return named(mismatch, observed, comparison).where.line;
  };
  CHECK(at(std::numeric_limits<float>::infinity()) == 12);
  CHECK(at(std::numeric_limits<float>::quiet_NaN()) == 13);
}

TEST_CASE("elements taken at wrong places show where they are read, an array taken for another the launch") {
  Observation observed = observed_with({{OriginKind::block_read, line(11), {}}});
  observed.launch_places = {{"add", line(43), line(41)}};
  const Finding index = named(mismatch_with(ValueKind::known_to_the_lab, "sum_of_overlapping_blocks"), observed);
  CHECK(index.where == kStore);
  REQUIRE(index.other);
  CHECK(index.other->role == PlaceRole::reading);
  CHECK(index.other->place == line(11));
  const Finding launch = named(mismatch_with(ValueKind::known_to_the_lab, "second_stage_reads_input"), observed);
  CHECK(launch.where == line(43));
  REQUIRE(launch.other);
  CHECK(launch.other->place == kStore);
}

TEST_CASE("a sum of too few blocks leads to the launch, one of blocks that cannot be halved to the halving") {
  Observation observed = observed_with({{OriginKind::halving, line(20), {}}});
  observed.launches.emplace_back().config = {{1, 1, 1}, {256, 1, 1}};
  observed.launch_places = {{"add", line(43), line(41)}};
  const auto at = [&](const std::string& detector) {
    return named(mismatch_with(ValueKind::known_to_the_lab, detector), observed).where.line;
  };
  CHECK(at("sum_of_whole_blocks") == 41);
  CHECK(at("sum_of_one_block") == 41);
  CHECK(at("sum_of_a_block_of_blocks") == 43);
  CHECK(at("sum_without_the_last") == 30);
  observed.launches.back().config.block = {200, 1, 1};
  CHECK(at("sum_without_the_last") == 20);
}

}  // namespace cudalabs::test
