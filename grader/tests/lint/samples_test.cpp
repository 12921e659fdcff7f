// The samples of a lab, and what is appended to which of them.
#include "lint/samples.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "tree/tree_paths.h"

using namespace cudalabs;
using namespace cudalabs::lint;
namespace fs = std::filesystem;

namespace {

const fs::path kRoot = source_path();

std::vector<Sample> samples_of_shipped(const std::string& slug) {
  return samples_of(read_lab(kRoot / "labs" / slug, kRoot / "solutions"));
}

}  // namespace

TEST_CASE("steps of a ladder get the rest of the contract, other samples nothing") {
  const std::vector<Sample> samples = samples_of_shipped("lab5_reduction");
  CHECK(std::ranges::count(samples, SampleKind::ladder, &Sample::kind) >= 3);
  for (const Sample& sample : samples) {
    CAPTURE(sample.file);
    CHECK(sample.file.extension() == ".cu");
    CHECK(sample.rest == (sample.kind == SampleKind::ladder ? sample.file.parent_path() / "rest.h" : fs::path()));
  }
}

TEST_CASE("steps that define the whole contract get nothing") {
  for (const Sample& sample : samples_of_shipped("lab4_tiled_matmul")) CHECK(sample.rest.empty());
}

TEST_CASE("the last step can stand for a whole ladder, and nothing else is left out") {
  std::vector<Sample> samples = samples_of_shipped("lab4_tiled_matmul");
  const auto steps = std::ranges::count(samples, SampleKind::ladder, &Sample::kind);
  const std::size_t before = samples.size();
  REQUIRE(steps > 1);
  keep_last_step(samples);
  CHECK(samples.size() == before - static_cast<std::size_t>(steps) + 1);
  const auto kept = std::ranges::find(samples, SampleKind::ladder, &Sample::kind);
  REQUIRE(kept != samples.end());
  CHECK(kept->file.stem() == "11_tile_by_size");

  std::vector<Sample> without = samples_of_shipped("lab6_timing");
  const std::size_t all = without.size();
  keep_last_step(without);
  CHECK(without.size() == all);
}

TEST_CASE("a few wrong samples stand for all: each finding and each failed check is expected by one") {
  std::vector<Sample> samples = samples_of_shipped("lab4_tiled_matmul");
  const auto expected_of_wrong = [&] {
    std::set<std::string> names;
    for (const Sample& sample : samples) {
      if (sample.kind == SampleKind::wrong) names.insert(sample.expected.names.begin(), sample.expected.names.end());
    }
    return names;
  };
  const auto count = [&](SampleKind kind) { return std::ranges::count(samples, kind, &Sample::kind); };
  const std::set<std::string> names = expected_of_wrong();
  const auto wrong = count(SampleKind::wrong), alternative = count(SampleKind::alternative);
  std::set<std::string> covered;
  keep_representatives(samples, covered);
  CHECK(expected_of_wrong() == names);
  CHECK(covered.contains("shared-race"));
  CHECK_FALSE(covered.contains("edges"));
  CHECK(2 * count(SampleKind::wrong) < wrong);
  CHECK(count(SampleKind::alternative) == alternative);
  CHECK(count(SampleKind::skeleton) == 1);
  CHECK(count(SampleKind::solution) == 1);

  const std::vector<Sample> kept = samples;
  std::set<std::string> nothing;
  keep_representatives(samples, nothing);
  CHECK(samples.size() == kept.size());
}

TEST_CASE("a finding that another lab's samples cover needs no sample more, a failed check does") {
  std::vector<Sample> samples = samples_of_shipped("lab4_tiled_matmul");
  std::set<std::string> findings, failed;
  for (const Sample& sample : samples) {
    if (sample.kind != SampleKind::wrong) continue;
    std::set<std::string>& names = sample.expected.kind == Expectation::Kind::failed_checks ? failed : findings;
    names.insert(sample.expected.names.begin(), sample.expected.names.end());
  }
  REQUIRE_FALSE(findings.empty());
  REQUIRE_FALSE(failed.empty());
  std::set<std::string> covered = findings;
  keep_representatives(samples, covered);
  std::set<std::string> left;
  for (const Sample& sample : samples) {
    if (sample.kind != SampleKind::wrong) continue;
    CHECK(sample.expected.kind == Expectation::Kind::failed_checks);
    left.insert(sample.expected.names.begin(), sample.expected.names.end());
  }
  CHECK(left == failed);
}

TEST_CASE("of right samples one stands for each device code, whatever the host does") {
  std::vector<Sample> samples = samples_of_shipped("lab1_vector_add");
  const auto has = [&](const std::string& name) {
    return std::ranges::any_of(samples, [&](const Sample& sample) { return sample.file.stem() == name; });
  };
  const auto count = [&](SampleKind kind) { return std::ranges::count(samples, kind, &Sample::kind); };
  const auto wrong = count(SampleKind::wrong), steps = count(SampleKind::ladder);
  REQUIRE(has("stream"));
  keep_device_codes(samples);
  CHECK(has("vector_add"));
  CHECK_FALSE(has("stream"));
  CHECK(has("grid_stride"));
  CHECK(count(SampleKind::skeleton) == 1);
  CHECK(count(SampleKind::solution) == 1);
  CHECK(count(SampleKind::wrong) == wrong);
  CHECK(count(SampleKind::ladder) == steps);
}
