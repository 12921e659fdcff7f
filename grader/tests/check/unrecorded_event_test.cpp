// What is said of a time between events of which one was never recorded.
#include "check/unrecorded_event.h"

#include "catch.h"

namespace cudalabs::test::of_unrecorded_event {
namespace {

constexpr std::uint64_t kFirst = 11, kSecond = 12;

WatchedCall call(const std::string& name, std::uint32_t line, std::uint64_t event, std::uint64_t second = 0) {
  WatchedCall made;
  made.name = name;
  made.where = {"timing.cu", line, 3};
  made.event = event;
  made.second_event = second;
  return made;
}

Finding told(std::vector<WatchedCall> calls, int status = 400) {
  calls.insert(calls.begin(), {call("cudaEventCreate", 1, kFirst), call("cudaEventCreateWithFlags", 2, kSecond)});
  calls.push_back(call("cudaEventElapsedTime", 9, kFirst, kSecond));
  calls.back().status = status;
  Finding finding;
  finding.message = "it failed";
  name_unrecorded_event(finding, calls.back(), calls);
  return finding;
}

}  // namespace

TEST_CASE("an event that another one was recorded in the place of is told with both lines") {
  const Finding finding = told({call("cudaEventRecord", 3, kFirst), call("cudaEventRecord", 5, kFirst)});
  CHECK(finding.message == "it failed: its second event was never recorded");
  CHECK(finding.help == "lines 3 and 5 record the same event: record the second one in one of them");
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 5);
}

TEST_CASE("an event that is just not recorded is told without another line") {
  const Finding first = told({call("cudaEventRecord", 5, kSecond)});
  CHECK(first.message == "it failed: its first event was never recorded");
  CHECK_FALSE(first.other);
  CHECK(told({}).message == "it failed: none of its two events was recorded");
}

TEST_CASE("where both were recorded, another error came, or the event is not known, nothing is said") {
  const auto both = {call("cudaEventRecord", 3, kFirst), call("cudaEventRecord", 5, kSecond)};
  CHECK(told(both).message == "it failed");
  CHECK(told({}, 700).message == "it failed");
  const std::vector<WatchedCall> of_earlier{call("cudaEventElapsedTime", 9, 77, 78)};
  Finding finding;
  name_unrecorded_event(finding, of_earlier[0], of_earlier);
  CHECK(finding.message.empty());
}

}  // namespace cudalabs::test::of_unrecorded_event
