// Sessions of many cases and measurements in one process, on the virtual GPU, which takes the place of a real one:
// real_gpu_test.cpp has that.
#include "run/gpu_session.h"

#include <stdexcept>

#include "add_lab.h"
#include "add_work.h"
#include "catch.h"
#include "run/plan.h"
#include "run/pools.h"

namespace cudalabs {
namespace {

using testing::AddLab;
using testing::AddWork;
using testing::host_body;
using testing::is_poison;
using testing::is_right;
using testing::submission;

GpuSession session(AddLab& lab, const std::string& text) {
  return {lab.lab(), lab.build(text).runner, Device::virtual_gpu};
}

/// Ends its process in its call number `call` of each process.
std::string ends_in(int call, const std::string& how) {
  return submission("  static int calls = 0;\n  if (++calls == " + std::to_string(call) + ") " + how + ";\n" +
                    host_body());
}

TEST_CASE("one process runs case after case", "[run]") {
  AddLab lab;
  // Right only in the second and third calls of a process.
  GpuSession two = session(lab, submission("  static int calls = 0;\n  if (++calls == 1) return;\n" + host_body()));
  CHECK(is_poison(two.run(lab.test())));
  for (int i = 0; i < 2; ++i) {
    const Observation observed = two.run(lab.test());
    CAPTURE(observed.detail, observed.console);
    CHECK(observed.end == RunEnd::finished);
    CHECK(observed.wall_seconds > 0);
    CHECK(is_right(observed, lab.test()));
  }
  const datasets::Case other = testing::add_case(77);
  CHECK(is_right(two.run(other), other));
}

TEST_CASE("a case that fails where others ran before is tried again in a fresh process", "[run]") {
  AddLab lab;
  for (const char* how : {"__builtin_trap()", "cudaSetDevice(7)"}) {
    CAPTURE(how);
    GpuSession fragile = session(lab, ends_in(2, how));
    for (int i = 0; i < 3; ++i) {
      const Observation observed = fragile.run(lab.test());
      CAPTURE(observed.detail, observed.console);
      CHECK(observed.end == RunEnd::finished);
      CHECK(is_right(observed, lab.test()));
    }
  }
}

TEST_CASE("a case can be run in a process of its own, where nothing is left of others", "[run]") {
  AddLab lab;
  // Right in the first call of a process only.
  GpuSession first_only =
      session(lab, submission("  static int calls = 0;\n  if (++calls > 1) return;\n" + host_body()));
  CHECK(is_right(first_only.run(lab.test()), lab.test()));
  CHECK(first_only.was_first());
  CHECK(is_poison(first_only.run(lab.test())));
  CHECK_FALSE(first_only.was_first());
  CHECK(is_right(first_only.run_first(lab.test()), lab.test()));
  CHECK(first_only.was_first());
}

TEST_CASE("a case that fails in a fresh process has failed", "[run]") {
  AddLab lab;
  GpuSession crashing = session(lab, ends_in(1, "__builtin_trap()"));
  for (int i = 0; i < 2; ++i) {
    const Observation observed = crashing.run(lab.test());
    CHECK(observed.end == RunEnd::crashed);
    CHECK(observed.outputs.empty());
  }
  GpuSession speaking = session(lab, ends_in(1, "{ std::puts(\"farewell\"); _exit(3); }"));
  const Observation observed = speaking.run(lab.test());
  CHECK(observed.end == RunEnd::exited_early);
  CHECK(observed.console == "farewell\n");
}

TEST_CASE("a program that ends before it is ready says nothing about the submission", "[run]") {
  AddLab lab;
  GpuSession never = session(lab, submission(host_body(), "struct Early { Early() { _exit(0); } } early;"));
  CHECK_THROWS_AS(never.run(lab.test()), GpuUnfit);
}

TEST_CASE("what a session cannot do is refused", "[run]") {
  AddLab lab;
  GpuSession honest = session(lab, submission(host_body()));
  const Plan plan;
  CHECK_THROWS_AS(honest.measure(plan_file(plan), samples_file(plan)), std::logic_error);
  lab.test().spec.faults.launch = 1;
  CHECK_THROWS_AS(honest.run(lab.test()), std::logic_error);
}

TEST_CASE("a plan that the harness has no room or no pools for ends the process, not the session", "[run]") {
  AddLab lab;
  GpuSession honest = session(lab, submission(host_body()));
  CHECK(honest.run(lab.test()).end == RunEnd::finished);
  Plan plan;
  plan.calls = {{{0, 0}, {}, {{0, 0, 4}}}};
  const auto without_pools = honest.measure(plan_file(plan), samples_file(plan));
  REQUIRE(without_pools.failure);
  CHECK(without_pools.failure->detail == "there are no pools");

  const Pools pools(AddWork(100, 200), {{"n", 100}}, 1);
  CHECK_FALSE(honest.keep_pools(pools.file()));
  // A patch for what has not been put on the device.
  plan.calls[0].patches = {{0, 0, std::vector<std::byte>(4)}};
  const auto too_soon = honest.measure(plan_file(plan), samples_file(plan));
  REQUIRE(too_soon.failure);
  CHECK(too_soon.failure->detail == "a patch for an input that is not on the device");

  CHECK_FALSE(honest.keep_pools(pools.file()));
  plan.calls[0].patches.clear();
  const sandbox::Fd samples = samples_file(plan);
  const auto timing = honest.measure(plan_file(plan), samples);
  CHECK_FALSE(timing.failure);
  CHECK(timing.seconds > 0);
  CHECK(copy_samples(plan, samples) != copy_samples(plan, samples_file(plan)));
}

}  // namespace
}  // namespace cudalabs
