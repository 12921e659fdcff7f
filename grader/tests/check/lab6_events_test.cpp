// Which event of a pair is said to be wrong.
#include "check/checks/lab6_events.h"

#include "catch.h"

namespace cudalabs::test::of_event_pair {
namespace {

constexpr std::uint64_t kFirst = 11, kSecond = 12;

WatchedCall call(const std::string& name, std::uint32_t line, std::uint64_t event = 0, std::uint64_t stream = 0) {
  WatchedCall made;
  made.name = name;
  made.where = {"folder/timing.cu", line, 3};
  made.event = event;
  made.stream = stream;
  return made;
}

WatchedCall record(std::uint32_t line, std::uint64_t event, std::uint64_t stream = 0) {
  return call("cudaEventRecord", line, event, stream);
}

WatchedCall launch() {
  return call("cudaLaunchKernel", 5);
}

/// In line 9; with facts as the server of the virtual GPU has them.
WatchedCall time(bool begins_before, bool ends_after, std::uint64_t first = kFirst, std::uint64_t second = kSecond) {
  WatchedCall asked = call("cudaEventElapsedTime", 9, first);
  asked.second_event = second;
  asked.begins_before = begins_before;
  asked.ends_after = ends_after;
  return asked;
}

}  // namespace

TEST_CASE("an event that is recorded on the wrong side of the launch is named with its line") {
  CHECK(lab6::trouble_with_events({launch(), record(3, kFirst), record(7, kSecond), time(false, true)}) ==
        "`cudaEventRecord` (timing.cu:3) records the first event after the launch: record it before `launch()`; the "
        "second is right");
  CHECK(lab6::trouble_with_events({record(3, kFirst), record(4, kSecond), launch(), time(true, false)}) ==
        "`cudaEventRecord` (timing.cu:4) records the second event before the launch, as `cudaEventRecord` "
        "(timing.cu:3) does the first: record the second after `launch()`");
  CHECK_THAT(lab6::trouble_with_events({record(3, kSecond), launch(), record(7, kFirst), time(false, false)}),
             contains_text("is given the later event first") && contains_text("after the launch, by `cudaEventRecord` "
                                                                              "(timing.cu:7)"));
}

TEST_CASE("the same event twice is told, in the question and in the records") {
  CHECK_THAT(lab6::trouble_with_events({record(3, kFirst), launch(), record(7, kSecond), time(true, false, 11, 11)}),
             contains_text("`cudaEventElapsedTime` (timing.cu:9) is given the same event twice"));
  WatchedCall refused = time(false, false);
  refused.status = 400;
  const std::string twice = lab6::trouble_with_events({record(3, kFirst), launch(), record(7, kFirst), refused});
  CHECK_THAT(twice, contains_text("the second event that `cudaEventElapsedTime` (timing.cu:9) is given was never "
                                  "recorded"));
  CHECK_THAT(twice, contains_text("record the same event; record the other one after the launch"));
  CHECK_THAT(lab6::trouble_with_events({launch(), record(7, kSecond), refused}),
             contains_text("the first event") && !contains_text("the same event"));
  CHECK_THAT(lab6::trouble_with_events({launch(), refused}), contains_text("none of the two events"));
}

TEST_CASE("events without a time are told, with the line that creates them") {
  WatchedCall refused = time(false, false);
  refused.status = 400;
  const std::vector<WatchedCall> calls{call("cudaEventCreateWithFlags", 2), record(3, kFirst), launch(),
                                       record(7, kSecond), refused};
  CHECK(lab6::trouble_with_events(calls) ==
        "`cudaEventElapsedTime` (timing.cu:9) failed, although both events were recorded: events that are created with "
        "`cudaEventDisableTiming` (timing.cu:2) have no time; create both with `cudaEventCreate`");
  refused.status = 600;
  CHECK_THAT(lab6::trouble_with_events({calls[1], calls[2], calls[3], refused}), !contains_text("DisableTiming"));
}

TEST_CASE("an event in a stream that the kernel does not wait for is told, and no other") {
  constexpr std::uint64_t kOther = 5, kLegacyDefault = 1;
  const auto trouble = [&](std::uint64_t of_first, std::uint64_t of_second, bool begins, bool ends) {
    return lab6::trouble_with_events(
        {record(3, kFirst, of_first), launch(), record(7, kSecond, of_second), time(begins, ends)});
  };
  CHECK_THAT(trouble(kOther, kOther, false, false), contains_text("record both events in another stream"));
  CHECK_THAT(trouble(kOther, 0, false, true), contains_text("(timing.cu:3) records the first event in another stream"));
  CHECK_THAT(trouble(0, kOther, true, false), contains_text("(timing.cu:7) records the second event in another"));
  // A stream that waits for the default one.
  CHECK_THAT(trouble(kOther, kOther, true, true), contains_text("before anything has waited for the second event"));
  CHECK(trouble(kLegacyDefault, kLegacyDefault, false, false).empty());
}

TEST_CASE("of a pair that stands right it is told what waits, and of one that was waited for nothing") {
  std::vector<WatchedCall> calls{record(3, kFirst), launch(), record(7, kSecond),
                                 call("cudaEventSynchronize", 8, kFirst), time(true, true)};
  CHECK(lab6::trouble_with_events(calls) ==
        "`cudaEventElapsedTime` (timing.cu:9) is asked before anything has waited for the second event: "
        "`cudaEventSynchronize` (timing.cu:8) waits for the first one; wait for the second");
  calls[3].event = kSecond;
  CHECK_THAT(lab6::trouble_with_events(calls), !contains_text("waits for the first"));
  calls.back().encloses = true;
  CHECK(lab6::trouble_with_events(calls).empty());
}

TEST_CASE("where calls do not tell what is wrong with events, nothing is said") {
  CHECK(lab6::trouble_with_events({}).empty());
  CHECK(lab6::trouble_with_events({record(3, kFirst), launch(), record(7, kSecond)}).empty());
  CHECK(lab6::trouble_with_events({record(3, kFirst), record(4, kSecond), time(false, false), launch()}).empty());
  // Recorded in an earlier call of the function, which was not looked at.
  CHECK(lab6::trouble_with_events({launch(), record(7, kSecond), time(false, true)}).empty());
}

}  // namespace cudalabs::test::of_event_pair
