// What is said of calls that are given an event that was destroyed before.
#include "check/destroyed_event.h"

#include "catch.h"

namespace cudalabs::test::of_destroyed_event {
namespace {

constexpr std::uint64_t kEvent = 11, kOther = 12;
constexpr int kInvalidHandle = 400;

WatchedCall call(const std::string& name, std::uint32_t line, std::uint64_t event, int status = 0) {
  WatchedCall made;
  made.name = name;
  made.status = status;
  made.where = {"timing.cu", line, 3};
  made.event = event;
  return made;
}

/// Of the last call.
Finding told(const std::vector<WatchedCall>& calls) {
  Finding finding;
  finding.note = "as before";
  name_destroyed_event(finding, calls.back(), calls);
  return finding;
}

}  // namespace

TEST_CASE("an event that was destroyed before it is used is shown where that was") {
  std::vector<WatchedCall> calls{call("cudaEventCreate", 1, kEvent), call("cudaEventDestroy", 3, kEvent),
                                 call("cudaEventSynchronize", 9, kEvent, kInvalidHandle)};
  const Finding finding = told(calls);
  CHECK(finding.note.starts_with("the event was destroyed before\n"));
  CHECK(finding.help == "destroy an event after the last call that uses it");
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 3);
  // By a destructor.
  calls[1].outer = {"timing.cu", 7, 1};
  CHECK(told(calls).note.starts_with("the event was destroyed before, by what line 7 calls\n"));
  CHECK(told(calls).help.ends_with("pass it by reference, and never copy it"));
}

TEST_CASE("the second event of an elapsed time may be the one") {
  WatchedCall elapsed = call("cudaEventElapsedTime", 9, kEvent, kInvalidHandle);
  elapsed.second_event = kOther;
  const Finding finding = told({call("cudaEventDestroy", 4, kOther), elapsed});
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 4);
}

TEST_CASE("where no call destroyed that event, or the call was refused for another reason, nothing is said") {
  const auto is_told = [](const std::vector<WatchedCall>& calls) { return told(calls).note != "as before"; };
  const WatchedCall refused = call("cudaEventSynchronize", 9, kEvent, kInvalidHandle);
  CHECK_FALSE(is_told({call("cudaEventDestroy", 3, kOther), refused}));
  CHECK_FALSE(is_told({call("cudaEventDestroy", 3, kEvent, 1), refused}));
  CHECK_FALSE(is_told({call("cudaEventDestroy", 3, kEvent), call("cudaEventSynchronize", 9, kEvent, 700)}));
  CHECK_FALSE(is_told({call("cudaEventDestroy", 3, 0), call("cudaEventSynchronize", 9, 0, kInvalidHandle)}));
  std::vector<WatchedCall> later{refused, call("cudaEventDestroy", 12, kEvent)};
  Finding finding;
  name_destroyed_event(finding, refused, later);
  CHECK_FALSE(finding.other);
}

TEST_CASE("of an event that is destroyed twice the numbers of events tell what is left") {
  const Finding finding =
      told({call("cudaEventCreate", 1, kEvent), call("cudaEventCreate", 2, kOther), call("cudaEventDestroy", 3, kEvent),
            call("cudaEventDestroy", 4, kEvent, kInvalidHandle)});
  CHECK(finding.help.starts_with("of 2 events that were created, 1 was destroyed before"));
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 3);
}

}  // namespace cudalabs::test::of_destroyed_event
