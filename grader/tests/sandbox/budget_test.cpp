// What a grading may use, and who is charged for what.
#include "sandbox/budget.h"
#include "sandbox/machine_speed.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "catch.h"
#include "sandbox/sandbox.h"
#include "tree/tree_paths.h"

namespace cudalabs::sandbox {
namespace {

using Spent = Budget::Spent;

TEST_CASE("a budget lasts up to its limit and not beyond", "[sandbox]") {
  Budget budget({.cpu_seconds = 2, .idle_seconds = 1});
  CHECK(budget.spent() == Spent::nothing);
  budget.charge({.cpu_seconds = 2, .idle_seconds = 1});
  CHECK(budget.spent() == Spent::nothing);
  SECTION("of processor time") {
    budget.charge({.cpu_seconds = 0.001});
    CHECK(budget.spent() == Spent::processor_time);
  }
  SECTION("of time in which nothing happens") {
    budget.charge({.idle_seconds = 0.001});
    CHECK(budget.spent() == Spent::idle_time);
  }
  SECTION("of what is no number") {
    budget.charge({.cpu_seconds = std::numeric_limits<double>::quiet_NaN()});
    CHECK(budget.spent() == Spent::processor_time);
  }
}

TEST_CASE("a meter charges every second once, and the largest total", "[sandbox]") {
  Budget budget({.cpu_seconds = 10, .idle_seconds = 10});
  Meter first(&budget), second(&budget);
  first.note({.cpu_seconds = 1, .idle_seconds = 0.5});
  first.note({.cpu_seconds = 3, .idle_seconds = 0.5});
  first.note({.cpu_seconds = 2});  // something that had used a second is not seen any more
  second.note({.cpu_seconds = 4});
  CHECK(budget.used().cpu_seconds == Approx(7));
  CHECK(budget.used().idle_seconds == Approx(0.5));
  CHECK_FALSE(first.over());
  second.note({.cpu_seconds = 8});
  CHECK(first.over());
  CHECK(second.over());
}

TEST_CASE("without a budget there is no limit", "[sandbox]") {
  Meter meter(nullptr);
  meter.note({.cpu_seconds = 1e9, .idle_seconds = 1e9});
  CHECK_FALSE(meter.over());
}

TEST_CASE("several threads share a budget", "[sandbox]") {
  Budget budget({.cpu_seconds = 1e9, .idle_seconds = 1});
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int k = 0; k < 10'000; ++k) budget.charge({.cpu_seconds = 1});
      });
    }
  }
  CHECK(budget.used().cpu_seconds == 40'000);
}

TEST_CASE("what children use is counted, also when their parent does not want to know", "[sandbox]") {
  Job job;
  job.arguments = {"./attacker", "disown"};
  job.files.push_back({"attacker", open_file(build_path("grader/tests/sandbox/sandbox_attacker")), true});
  job.limits.cpu_seconds = 30;
  job.counted = true;
  const Outcome outcome = run(std::move(job));
  CHECK(outcome.end == End::exited);
  CHECK(outcome.status == 42);  // it was refused
  CHECK(outcome.cpu_seconds > 0.9);
}

TEST_CASE("nobody waits for a child as if for a disk where idle time is counted", "[sandbox]") {
  Job job;
  job.arguments = {"./attacker", "lend-memory"};
  job.files.push_back({"attacker", open_file(build_path("grader/tests/sandbox/sandbox_attacker")), true});
  job.limits.wall_seconds = 20;  // what ends it where it may
  job.counted = true;
  const Outcome outcome = run(std::move(job));
  CHECK(outcome.end == End::exited);
  CHECK(outcome.status == 42);  // it was refused
}

TEST_CASE("a budget limits both times together, too", "[sandbox]") {
  Budget budget({.cpu_seconds = 4, .idle_seconds = 3}, 5);
  budget.charge({.cpu_seconds = 2.5, .idle_seconds = 2.5});
  CHECK(budget.spent() == Budget::Spent::nothing);
  budget.charge({.cpu_seconds = 0.25});
  CHECK(budget.spent() == Budget::Spent::both_times);
  budget.charge({.idle_seconds = 0.75});
  CHECK(budget.spent() == Budget::Spent::idle_time);
  budget.charge({.cpu_seconds = 2});
  CHECK(budget.spent() == Budget::Spent::processor_time);
}

TEST_CASE("the machine's speed is measured once, and only makes limits longer", "[sandbox]") {
  const double slowness = slowness_of_machine();
  CHECK(slowness >= 1);
  CHECK(slowness <= 16);
  CHECK(slowness_of_machine() == slowness);
}

TEST_CASE("limits are a multiple of the usual ones where more time is allowed", "[sandbox]") {
  const double slowness = slowness_of_machine();
  allow_more_time(4);
  CHECK(slowness_of_machine() == 4 * slowness);
  allow_more_time(1);
  CHECK(slowness_of_machine() == slowness);
  CHECK_THROWS_AS(allow_more_time(0.5), std::invalid_argument);
  CHECK_THROWS_AS(allow_more_time(std::nan("")), std::invalid_argument);
  CHECK(slowness_of_machine() == slowness);
}

}  // namespace
}  // namespace cudalabs::sandbox
