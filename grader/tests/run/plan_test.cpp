// The memory files of a plan: as the harness reads them, or refused.
#include "run/plan.h"

#include <algorithm>
#include <stdexcept>

#include "catch.h"
#include "file_bytes.h"
#include "run/harness/runner_protocol.h"

namespace cudalabs {
namespace {

using testing::check_sealed;
using testing::record_at;

constexpr std::size_t kMost = 1 << 20;

std::vector<std::byte> bytes(std::size_t count, int value) {
  return std::vector<std::byte>(count, static_cast<std::byte>(value));
}

/// Two calls of two inputs, with one patch and two samples each.
Plan small_plan() {
  Plan plan;
  plan.launch_repeats = 3;
  plan.calls = {{{256, 512}, {{1, 520, bytes(8, 0x11)}}, {{0, 40, 24}, {1, 0, 4}}},
                {{0, 1024}, {{0, 12, bytes(Plan::kPatchBytes, 0x22)}}, {{0, 48, Plan::kSampleBytes}, {1, 8, 4}}}};
  return plan;
}

TEST_CASE("a plan is laid out as the harness reads it", "[run]") {
  const Plan plan = small_plan();
  const std::string file = sandbox::read_all(plan_file(plan).get(), kMost);
  const auto header = record_at<harness::PlanHeader>(file, 0);
  CHECK(header.magic == harness::kMagic);
  CHECK(header.calls == 2);
  CHECK(header.launch_repeats == 3);
  CHECK(header.patches == 1);
  CHECK(header.samples == 2);
  CHECK(header.patch_bytes == Plan::kPatchBytes);
  CHECK(header.sample_bytes == Plan::kSampleBytes);

  std::size_t at = sizeof header;
  for (const Plan::Call& call : plan.calls) {
    for (const std::uint64_t window : call.windows) {
      CHECK(record_at<harness::PlanWindow>(file, at).offset == window);
      at += sizeof(harness::PlanWindow);
    }
  }
  const auto check_place = [&](std::uint32_t array, std::size_t size, std::uint64_t offset) {
    const auto place = record_at<harness::PlanPlace>(file, at);
    CHECK(place.array == array);
    CHECK(place.bytes == size);
    CHECK(place.offset == offset);
    at += sizeof place;
  };
  for (const Plan::Call& call : plan.calls) {
    for (const Plan::Patch& patch : call.patches) check_place(patch.pool, patch.bytes.size(), patch.offset);
  }
  for (const Plan::Call& call : plan.calls) {
    for (const Plan::Sample& sample : call.samples) check_place(sample.output, sample.bytes, sample.offset);
  }
  CHECK(file.substr(at, 9) == std::string(8, '\x11') + '\0');
  CHECK(file.substr(at + Plan::kPatchBytes) == std::string(Plan::kPatchBytes, '\x22'));
}

TEST_CASE("nobody can change a plan, and samples have their size", "[run]") {
  const Plan plan = small_plan();
  const sandbox::Fd file = plan_file(plan);
  check_sealed(file, sandbox::read_all(file.get(), kMost).size());
  const sandbox::Fd samples = samples_file(plan);
  CHECK(pwrite(samples.get(), "x", 1, 0) == 1);
  CHECK(ftruncate(samples.get(), 0) == -1);
  CHECK(ftruncate(samples.get(), kMost) == -1);
}

TEST_CASE("samples are poison until they are written", "[run]") {
  const Plan plan = small_plan();
  const sandbox::Fd file = samples_file(plan);
  std::vector<std::byte> expected = bytes(4 * Plan::kSampleBytes, 0xff);
  CHECK(copy_samples(plan, file) == expected);
  REQUIRE(pwrite(file.get(), "abc", 3, 2 * Plan::kSampleBytes) == 3);
  std::ranges::copy(sandbox::bytes_of("abc"), expected.begin() + 2 * Plan::kSampleBytes);
  CHECK(copy_samples(plan, file) == expected);
}

TEST_CASE("calls that are not alike make no plan", "[run]") {
  Plan plan = small_plan();
  plan.calls[1].windows.pop_back();
  CHECK_THROWS_AS(plan_file(plan), std::logic_error);
  plan = small_plan();
  plan.calls[1].patches.clear();
  CHECK_THROWS_AS(plan_file(plan), std::logic_error);
  plan = small_plan();
  plan.calls[0].samples.pop_back();
  CHECK_THROWS_AS(plan_file(plan), std::logic_error);
}

TEST_CASE("a plan has as many patches and samples as the harness has room for, and no more", "[run]") {
  Plan plan;
  plan.calls.assign(harness::kMostPlaces / 2, {{0}, {}, {{0, 0, 4}, {0, 4, 4}}});
  CHECK_NOTHROW(plan_file(plan));
  plan.calls.push_back(plan.calls.front());
  CHECK_THROWS_AS(plan_file(plan), std::logic_error);
  plan.calls.assign(harness::kMostPlaces, {{0}, {{0, 0, bytes(4, 0)}}, {}});
  CHECK_NOTHROW(plan_file(plan));
  plan.calls.push_back(plan.calls.front());
  CHECK_THROWS_AS(plan_file(plan), std::logic_error);
}

TEST_CASE("a patch or a sample is no longer than its room", "[run]") {
  Plan plan = small_plan();
  plan.calls[0].patches[0].bytes = bytes(Plan::kPatchBytes + 1, 0);
  CHECK_THROWS_AS(plan_file(plan), std::logic_error);
  plan = small_plan();
  plan.calls[1].samples[0].bytes = Plan::kSampleBytes + 1;
  CHECK_THROWS_AS(plan_file(plan), std::logic_error);
}

TEST_CASE("a plan of no calls is a plan", "[run]") {
  const Plan plan;
  const std::string file = sandbox::read_all(plan_file(plan).get(), kMost);
  CHECK(file.size() == sizeof(harness::PlanHeader));
  CHECK(record_at<harness::PlanHeader>(file, 0).calls == 0);
  CHECK(copy_samples(plan, samples_file(plan)).empty());
}

}  // namespace
}  // namespace cudalabs
