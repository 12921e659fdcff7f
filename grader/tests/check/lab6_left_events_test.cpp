// Which event is said to be left, and why.
#include "check/checks/lab6_left_events.h"

#include "catch.h"

namespace cudalabs::test::of_left_events {
namespace {

WatchedCall call(const std::string& name, std::uint32_t line, std::uint64_t event) {
  WatchedCall made;
  made.name = name;
  made.where = {"folder/timing.cu", line, 3};
  made.event = event;
  return made;
}

WatchedCall create(std::uint32_t line, std::uint64_t event) {
  return call("cudaEventCreate", line, event);
}

WatchedCall destroy(std::uint64_t event) {
  return call("cudaEventDestroy", 9, event);
}

const std::string kFunction = R"(double time() {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventCreate(&start);
}
double again() {
  cudaEventCreate(&start);
}
)";

const std::string kClass = R"(struct Event {
  Event() { cudaEventCreate(&handle); }
  ~Event() { cudaEventDestroy(handle); }
  Event& operator=(Event&& other) {
    handle = std::exchange(other.handle, nullptr);
    return *this;
  }
  cudaEvent_t handle;
};
)";

std::string left(std::vector<WatchedCall> calls, const std::string& code = kFunction, bool lost = false) {
  return lab6::left_event(calls, code, lost);
}

}  // namespace

TEST_CASE("the event that nobody destroys is told with its line") {
  CHECK(left({create(3, 1), create(4, 2), destroy(1)}) == ": nobody destroys that of `cudaEventCreate` (timing.cu:4)");
  CHECK(left({create(3, 1), create(4, 2), destroy(2), destroy(1)}).empty());
  CHECK(left({}).empty());
  WatchedCall failed = destroy(1);
  failed.status = 700;
  CHECK(left({create(3, 1), failed}) != "");
  CHECK(left({create(3, 1), failed}, kFunction, true).empty());
  failed = create(3, 1);
  failed.status = 2;
  CHECK(left({failed}).empty());
}

TEST_CASE("a second event in the same variable is told") {
  CHECK(left({create(3, 1), create(5, 2), destroy(2)}) ==
        ": nobody destroys that of `cudaEventCreate` (timing.cu:3), and line 5 stores another one in `start`");
  // By a helper that is called twice, of another function, and where the first one is destroyed.
  CHECK(left({create(4, 1), create(4, 2), destroy(2)}) == ": nobody destroys that of `cudaEventCreate` (timing.cu:4)");
  CHECK(left({create(3, 1), create(8, 2), destroy(2)}) == ": nobody destroys that of `cudaEventCreate` (timing.cu:3)");
  CHECK(left({create(3, 1), destroy(1), create(5, 2)}) == ": nobody destroys that of `cudaEventCreate` (timing.cu:5)");
}

TEST_CASE("a move assignment that overwrites the event is told") {
  CHECK(left({create(2, 1), create(2, 2), destroy(2)}, kClass) ==
        ": nobody destroys that of `cudaEventCreate` (timing.cu:2); line 5 gives `handle` another value and does not "
        "destroy the event in it");
}

}  // namespace cudalabs::test::of_left_events
