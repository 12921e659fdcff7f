// What is said of a host that asked, or called, again and again until its time was up.
#include "check/endless_host_loop.h"

#include "catch.h"
#include "check/run_end.h"

namespace cudalabs::test::of_endless_host_loop {
namespace {

constexpr int kInvalidHandle = 400, kNotReady = 600;

Observation out_of_time(const std::string& name, int status) {
  Observation observed;
  observed.end = RunEnd::cpu_limit;
  WatchedCall call;
  call.name = name;
  call.status = status;
  call.where = {"timing.cu", 48, 3};
  observed.repeated = {call, 120'000, true, {"timing.cu", 46, 3}, {}};
  return observed;
}

Finding told(const Observation& observed) {
  const auto finding = ending_of(observed);
  REQUIRE(finding);
  return *finding;
}

}  // namespace

TEST_CASE("a question whose handle is of a destroyed event is told with both lines") {
  Observation observed = out_of_time("cudaEventQuery", kInvalidHandle);
  observed.repeated->destroyed = {"timing.cu", 47, 3};
  const Finding finding = told(observed);
  CHECK(finding.id == "timed-out");
  CHECK(finding.where.line == 48);
  CHECK(finding.note ==
        "the event was destroyed before\n`cudaEventQuery` was asked here more than 100000 times, and returned "
        "cudaErrorInvalidResourceHandle");
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 47);
  CHECK_THAT(finding.help, contains_text("destroy the event after the last question"));
}

TEST_CASE("a handle of nothing, an event that was not recorded, and work that is done are told apart") {
  Observation unknown = out_of_time("cudaStreamQuery", kInvalidHandle);
  CHECK_THAT(told(unknown).note, contains_text("what this is given is no stream of the program"));
  CHECK_THAT(told(unknown).help, contains_text("`cudaStreamCreate`"));
  Observation done = out_of_time("cudaEventQuery", 0);
  CHECK_THAT(told(done).note, contains_text("what this asks for is done") && contains_text("returned cudaSuccess"));
  done.repeated->recorded = {};
  CHECK_THAT(told(done).note, contains_text("the event was never recorded, and counts as done"));
  done.repeated->created = false;  // by a call that is not known
  CHECK_THAT(told(done).note, !contains_text("never recorded"));
  const Finding waits = told(out_of_time("cudaEventQuery", kNotReady));
  CHECK_THAT(waits.note, contains_text("the work before the event had not ended"));
  REQUIRE(waits.other);
  CHECK(waits.other->place.line == 46);
}

TEST_CASE("another call of a loop is counted, and a loop without calls has the line that was executed") {
  const Finding copies = told(out_of_time("cudaMemcpy", 0));
  CHECK(copies.where.line == 48);
  CHECK_THAT(copies.note, contains_text("`cudaMemcpy` was called here more than 100000 times"));
  Observation spins;
  spins.end = RunEnd::cpu_limit;
  spins.ended_at = {"sum.cu", 30, 0};
  CHECK(told(spins).where.line == 30);
  CHECK_THAT(told(spins).note, contains_text("the host was at this line when its time was up"));
}

TEST_CASE("of another end, and where nothing is known, nothing is added") {
  Observation asleep;
  asleep.end = RunEnd::wall_limit;
  CHECK(told(asleep).note.empty());
  Observation left;
  left.end = RunEnd::exited_early;
  left.ended_at = {"sum.cu", 30, 0};
  CHECK(told(left).note.empty());
}

}  // namespace cudalabs::test::of_endless_host_loop
