// What a program called from a failure on, out of a log.
#include "run/call_trail.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::runner::of_call_trail {
namespace {

constexpr int kRefused = 701, kNoMemory = 2;

vgpu::ApiCall call(const std::string& name, std::uint64_t origin, int status = 0) {
  vgpu::ApiCall made;
  made.name = name;
  made.origin = origin;
  made.status = status;
  made.dropped = name == "cudaLaunchKernel";
  return made;
}

vgpu::ServerReport log_of(std::vector<vgpu::ApiCall> calls) {
  vgpu::ServerReport report;
  report.call_count = calls.size();
  report.calls = std::move(calls);
  return report;
}

vgpu::ServerReport unchecked(std::vector<vgpu::ApiCall> calls, std::uint64_t launch) {
  vgpu::ServerReport report = log_of(std::move(calls));
  report.findings.resize(1);
  report.findings.front().id = finding_ids::kUncheckedLaunch;
  report.origins.push_back({0, {launch, 0}});
  return report;
}

std::vector<std::string> names(std::span<const vgpu::ApiCall> calls) {
  std::vector<std::string> names;
  for (const vgpu::ApiCall& one : calls) names.push_back(one.name);
  return names;
}

std::size_t own_calls(std::vector<WatchedCall> calls) {
  keep_own_calls(calls, [](const SourcePlace& where) { return where.file == "k.cu"; });
  return calls.size();
}

WatchedCall made(const std::string& name, const std::string& file) {
  return {name, 0, {file, 3, 0}};
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a trail begins with the call that was made to fail", "[run]") {
  datasets::Faults launch, memory, copy;
  launch.launch = 1;
  memory.allocation = 2;
  copy.copy = 1;
  const vgpu::ServerReport report = log_of({call("cudaMalloc", 1), call("cudaMalloc", 2, kNoMemory),
                                            call("cudaLaunchKernel", 3, kRefused), call("cudaFree", 4)});
  CHECK(names(calls_from_failure(report, launch)) == Names{"cudaLaunchKernel", "cudaFree"});
  CHECK(names(calls_from_failure(report, memory)) == Names{"cudaMalloc", "cudaLaunchKernel", "cudaFree"});
  CHECK(names(calls_from_failure(log_of({call("cudaMemcpy", 1, kNoMemory), call("cudaFree", 2)}), copy)) ==
        Names{"cudaMemcpy", "cudaFree"});
  CHECK(calls_from_failure(report, {}).empty());
  CHECK(calls_from_failure(log_of({call("cudaFree", 4)}), launch).empty());
}

TEST_CASE("a trail ends where the caller goes on to its next function", "[run]") {
  datasets::Faults launch;
  launch.launch = 1;
  vgpu::ServerReport report =
      log_of({call("cudaLaunchKernel", 3, kRefused), call("cudaGetLastError", 4, kRefused), call("cudaMalloc", 5)});
  report.calls.back().first_of_function = true;
  CHECK(calls_from_failure(report, launch).size() == 2);
}

TEST_CASE("of a launch that nobody asks about the trail begins with the last, or the first that failed", "[run]") {
  const std::vector<vgpu::ApiCall> calls{call("cudaLaunchKernel", 3), call("cudaDeviceSynchronize", 4),
                                         call("cudaLaunchKernel", 3), call("cudaFree", 5)};
  CHECK(names(calls_from_unchecked_launch(unchecked(calls, 3))) == Names{"cudaLaunchKernel", "cudaFree"});
  std::vector<vgpu::ApiCall> failed = calls;
  failed.front().status = kRefused;
  CHECK(calls_from_unchecked_launch(unchecked(failed, 3)).size() == 4);
  CHECK(calls_from_unchecked_launch(unchecked(calls, 9)).empty());
  CHECK(calls_from_unchecked_launch(log_of(calls)).empty());
  vgpu::ServerReport cut = unchecked(calls, 3);
  ++cut.call_count;
  CHECK(calls_from_unchecked_launch(cut).empty());
}

TEST_CASE("only the program's own calls are of its trail, and launches by what it was given", "[run]") {
  CHECK(own_calls({}) == 0);
  CHECK(own_calls({made("cudaLaunchKernel", "runner.cpp"), made("cudaGetLastError", "k.cu"),
                   made("cudaLaunchKernel", "runner.cpp"), made("cudaFree", "k.cu"),
                   made("cudaDeviceSynchronize", "call.cpp"), made("cudaFree", "k.cu")}) == 4);
  CHECK(own_calls({made("cudaMalloc", "k.cu"), made("cudaFree", "")}) == 1);
}

TEST_CASE("a trail without an end is not told", "[run]") {
  CHECK(own_calls(std::vector<WatchedCall>(kMostInTrail, made("cudaFree", "k.cu"))) == kMostInTrail);
  CHECK(own_calls(std::vector<WatchedCall>(kMostInTrail + 1, made("cudaFree", "k.cu"))) == 0);
}

}  // namespace cudalabs::runner::of_call_trail
