// The call that the grader made fail, out of a log.
#include "catch.h"
#include "run/watched_calls.h"

namespace cudalabs::runner::of_made_to_fail {
namespace {

vgpu::ApiCall call(const std::string& name, int status, std::uint64_t origin) {
  vgpu::ApiCall made;
  made.name = name;
  made.status = status;
  made.origin = origin;
  return made;
}

vgpu::ServerReport log_of(std::vector<vgpu::ApiCall> calls) {
  vgpu::ServerReport report;
  report.call_count = calls.size();
  report.calls = std::move(calls);
  return report;
}

}  // namespace

TEST_CASE("a copy that failed gives its error back itself", "[run]") {
  const auto log = log_of({call("cudaMalloc", 0, 10), call("cudaMemcpy", 0, 20), call("cudaMemcpyAsync", 2, 30)});
  const auto found = copy_made_to_fail(log);
  REQUIRE(found);
  CHECK(found->call.origin == 30);
  REQUIRE(found->asked);
  CHECK(found->asked->origin == 30);
  CHECK_FALSE(launch_made_to_fail(log));
  CHECK(met_faults(log));
}

TEST_CASE("a launch that failed is asked about later, or never", "[run]") {
  std::vector<vgpu::ApiCall> calls{call("cudaLaunchKernel", 701, 10), call("cudaMemcpy", 0, 20)};
  auto found = launch_made_to_fail(log_of(calls));
  REQUIRE(found);
  CHECK(found->call.origin == 10);
  CHECK_FALSE(found->asked);
  calls.push_back(call("cudaPeekAtLastError", 701, 30));
  found = launch_made_to_fail(log_of(calls));
  REQUIRE(found);
  REQUIRE(found->asked);
  CHECK(found->asked->origin == 30);
}

TEST_CASE("calls that were refused for other reasons were not made to fail", "[run]") {
  const auto log = log_of({call("cudaMalloc", 1, 10), call("cudaMemcpy", 1, 20), call("cudaLaunchKernel", 9, 30)});
  CHECK_FALSE(copy_made_to_fail(log));
  CHECK_FALSE(launch_made_to_fail(log));
  CHECK_FALSE(met_faults(log));
}

TEST_CASE("an allocation that failed was met, and what was cut from a log may have been", "[run]") {
  CHECK(met_faults(log_of({call("cudaMalloc", 2, 10)})));
  CHECK(met_faults(log_of({call("cudaDeviceSynchronize", 719, 10)})));
  vgpu::ServerReport cut = log_of({call("cudaMalloc", 0, 10)});
  cut.call_count = 1000;
  CHECK(met_faults(cut));
}

}  // namespace cudalabs::runner::of_made_to_fail
