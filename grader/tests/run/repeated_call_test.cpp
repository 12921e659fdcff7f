// The call that a program made again and again, out of a log.
#include "run/repeated_call.h"

#include "catch.h"

namespace cudalabs::runner::of_repeated_call {
namespace {

vgpu::ApiCall call(const std::string& name, std::uint64_t origin, std::uint64_t times = 1, std::uint64_t event = 0) {
  vgpu::ApiCall made;
  made.name = name;
  made.origin = origin;
  made.times = times;
  made.event = event;
  return made;
}

vgpu::ServerReport log_of(std::vector<vgpu::ApiCall> calls) {
  vgpu::ServerReport report;
  report.calls = std::move(calls);
  return report;
}

}  // namespace

TEST_CASE("a question that was asked very often is told with what became of its event", "[run]") {
  constexpr std::uint64_t kEvent = 7;
  vgpu::ApiCall refused = call("cudaEventQuery", 50, 9000, kEvent);
  refused.status = 400;
  const auto found =
      repeated_call(log_of({call("cudaEventCreate", 10, 1, kEvent), call("cudaEventRecord", 20, 1, kEvent),
                            call("cudaEventDestroy", 30, 1, kEvent), refused}));
  REQUIRE(found);
  CHECK(found->call.name == "cudaEventQuery");
  CHECK(found->times == 9000);
  CHECK(found->created);
  CHECK(found->recorded.address == 20);
  CHECK(found->destroyed.address == 30);
}

TEST_CASE("in a loop of several calls the question comes first, else the most frequent", "[run]") {
  std::vector<vgpu::ApiCall> calls{call("cudaLaunchKernel", 5)};
  for (int round = 0; round < 2000; ++round) {
    calls.push_back(call("cudaStreamQuery", 10));
    calls.push_back(call("cudaGetLastError", 20));
    calls.push_back(call("cudaGetLastError", 21));
  }
  const auto found = repeated_call(log_of(calls));
  REQUIRE(found);
  CHECK(found->call.name == "cudaStreamQuery");
  CHECK(found->times == 2000);
  for (vgpu::ApiCall& made : calls) made.name = "cudaMemcpy";
  CHECK(repeated_call(log_of(calls)));
}

TEST_CASE("few calls, and many different ones, are no loop", "[run]") {
  CHECK_FALSE(repeated_call(log_of({})));
  CHECK_FALSE(repeated_call(log_of({call("cudaEventQuery", 10, 30)})));
  std::vector<vgpu::ApiCall> calls(3000, call("cudaEventQuery", 10));
  for (std::uint64_t i = 0; i < 8; ++i) calls.push_back(call("cudaFree", 100 + i));
  CHECK_FALSE(repeated_call(log_of(calls)));
}

}  // namespace cudalabs::runner::of_repeated_call
