// Results at the size that a time is modelled at.
#include "speed/full_size.h"

#include <cstring>

#include "catch.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::speed;

namespace {

constexpr std::int64_t kElements = 100'000;

const ModelCase& vectors() {
  return model_case("vector_add", {{"n", kElements}});
}

/// A run that gives every element that is looked at its value; the others are unwritten.
Observation right_run() {
  Observation observed;
  observed.end = RunEnd::finished;
  datasets::Array output{"c", datasets::ElementType::f32, {kElements}, {}};
  output.data.assign(kElements * sizeof(float), std::byte{runner::kPoison});
  for (const ModelCase::Sample& sample : vectors().samples) {
    for (std::size_t i = 0; i < sample.value.size(); ++i) {
      const auto value = static_cast<float>(sample.value[i]);
      std::memcpy(output.data.data() + (static_cast<std::size_t>(sample.first) + i) * sizeof value, &value,
                  sizeof value);
    }
  }
  observed.outputs.push_back(std::move(output));
  return observed;
}

std::byte* last_element(Observation& observed) {
  return observed.outputs[0].data.data() + (kElements - 1) * sizeof(float);
}

}  // namespace

TEST_CASE("the first and the last elements of an output are looked at") {
  const auto& samples = vectors().samples;
  REQUIRE_FALSE(samples.empty());
  CHECK(samples.front().first == 0);
  CHECK(samples.back().first + static_cast<std::int64_t>(samples.back().value.size()) == kElements);
  CHECK_FALSE(wrong_at_full_size(vectors(), right_run(), "n = 100000"));
}

TEST_CASE("an element that is not written, or wrong, is told with the size and the last launch") {
  Observation observed = right_run();
  observed.launch_places = {{"add", {"vector_add.cu", 12, 3}}};
  std::memset(last_element(observed), runner::kPoison, sizeof(float));
  const auto unwritten = wrong_at_full_size(vectors(), observed, "n = 100000");
  REQUIRE(unwritten);
  CHECK(unwritten->id == finding_ids::kWrongWhenTimed);
  CHECK(unwritten->message == "with n = 100000, nothing is written to element 99999 of `c`");
  CHECK(unwritten->where == SourcePlace{"vector_add.cu", 12, 3});
  REQUIRE(unwritten->missing);
  CHECK(unwritten->missing->element == 99999);
  std::memset(last_element(observed), 0, sizeof(float));
  const auto wrong = wrong_at_full_size(vectors(), observed, "n = 100000");
  REQUIRE(wrong);
  CHECK_FALSE(wrong->missing);
  CHECK_THAT(wrong->message, contains_text("with n = 100000, `c` is wrong: element 99999 is 0, expected "));
}

TEST_CASE("what the device saw explains better, and a run without an end tells nothing") {
  Observation observed;
  observed.end = RunEnd::runtime_error;
  Finding out_of_bounds;
  out_of_bounds.id = finding_ids::kGlobalOutOfBounds;
  out_of_bounds.note = "just past the end";
  observed.findings = {out_of_bounds};
  const auto found = wrong_at_full_size(vectors(), observed, "n = 100000");
  REQUIRE(found);
  CHECK(found->id == finding_ids::kGlobalOutOfBounds);
  CHECK(found->note == "with n = 100000: just past the end");
  observed.findings.clear();
  observed.end = RunEnd::over_budget;
  CHECK_FALSE(wrong_at_full_size(vectors(), observed, "n = 100000"));
}
