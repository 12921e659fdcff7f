// Runs in which the device makes a call fail, and runs on arrays of other types and of no elements.
#include <algorithm>
#include <cstring>
#include <string>

#include "add_lab.h"
#include "catch.h"

namespace cudalabs {
namespace {

using testing::add_case;
using testing::AddLab;
using testing::is_poison;
using testing::is_right;
using testing::submission;

constexpr const char* kKernel =
    "__global__ void add_kernel(const float* a, const float* b, float* c, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) c[i] = a[i] + b[i];\n"
    "}\n";
constexpr const char* kLaunch = "add_kernel<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);\n";
constexpr const char* kLook = "if (cudaGetLastError() != cudaSuccess) std::puts(\"it failed\");\n";

bool has(const Observation& observed, const std::string& id) {
  return std::ranges::find(observed.findings, id, &Finding::id) != observed.findings.end();
}

TEST_CASE("a launch that is made to fail, and noticed, is no finding", "[run]") {
  AddLab lab;
  lab.test().spec.faults.launch = 1;
  const Observation observed = lab.run(submission(std::string(kLaunch) + kLook, kKernel));
  CAPTURE(observed.detail);
  REQUIRE(observed.end == RunEnd::finished);
  CHECK(observed.console.find("it failed") != std::string::npos);
  CHECK(observed.findings.empty());
  CHECK(is_poison(observed));
}

TEST_CASE("a launch that is made to fail, and not noticed, is one; the run goes on", "[run]") {
  AddLab lab;
  lab.test().spec.faults.launch = 1;
  const Observation observed = lab.run(submission(kLaunch, kKernel));
  CHECK(observed.end == RunEnd::finished);
  CHECK(has(observed, "unchecked-launch"));
  CHECK_FALSE(has(observed, "invalid-launch"));
  REQUIRE(observed.findings.size() == 1);
  CHECK_FALSE(observed.findings[0].other);
  const Observation early = lab.run(submission(kLook + std::string("\n") + kLaunch, kKernel));
  REQUIRE(early.findings.size() == 1);
  REQUIRE(early.findings[0].other);
  CHECK(early.findings[0].other->place.known());
  CHECK(early.findings[0].other->place.line < early.findings[0].where.line);
}

TEST_CASE("a kernel that is made to fail tells who waits for it, and the run comes to its end", "[run]") {
  AddLab lab;
  lab.test().spec.faults.kernel = 1;
  const std::string wait =
      "std::puts(cudaDeviceSynchronize() == cudaErrorLaunchFailure ? \"the kernel failed\" : \"nothing failed\");\n";
  const Observation observed = lab.run(submission(std::string(kLaunch) + kLook + wait, kKernel));
  CAPTURE(observed.detail);
  REQUIRE(observed.end == RunEnd::finished);
  CHECK(observed.console.find("the kernel failed") != std::string::npos);
  CHECK(observed.findings.empty());
  CHECK(is_poison(observed));
}

TEST_CASE("without a fault the same launch works, and is still one that nobody asked about", "[run]") {
  AddLab lab;
  const Observation observed = lab.run(submission(kLaunch, kKernel));
  REQUIRE(observed.end == RunEnd::finished);
  CHECK(is_right(observed, lab.test()));
  CHECK(has(observed, "unchecked-launch"));
  CHECK(lab.run(submission(std::string(kLaunch) + kLook, kKernel)).findings.empty());
}

TEST_CASE("a question that comes before the launch is shown beside it", "[run]") {
  AddLab lab;
  const auto unasked = [&](const std::string& body) {
    const Observation observed = lab.run(submission(body, kKernel));
    const auto found = std::ranges::find(observed.findings, "unchecked-launch", &Finding::id);
    REQUIRE(found != observed.findings.end());
    return *found;
  };
  const std::string look = kLook, launch = kLaunch;
  const Finding early = unasked(look + "\n" + launch);
  REQUIRE(early.other);
  CHECK(early.other->place.known());
  CHECK(early.other->place.line < early.where.line);
  const Finding second = unasked(launch + look + launch);
  REQUIRE(second.other);
  CHECK(second.other->place.line + 1 == second.where.line);
  // That question knows of the first launch alone, and nobody asks after the others.
  CHECK_FALSE(unasked(look + launch + launch).other);
  CHECK_FALSE(unasked(launch).other);
}

TEST_CASE("what a program calls after a failure is told, and not what the harness calls", "[run]") {
  AddLab lab;
  const auto names = [&](const std::vector<WatchedCall>& calls) {
    std::vector<std::string> found;
    for (const WatchedCall& call : calls) {
      found.push_back(call.name);
      CHECK(call.where.file == lab.source());
    }
    return found;
  };
  using Names = std::vector<std::string>;
  const std::string helper =
      "static bool finished() { return cudaDeviceSynchronize() == cudaSuccess; }\n" + std::string(kKernel);
  const std::string wait = std::string(kLaunch) + "if (!finished()) std::puts(\"it failed\");\n";
  SECTION("after a launch that nobody asks about") {
    const Observation waits = lab.run(submission(wait, helper));
    CHECK(names(waits.after_launch) == Names{"cudaLaunchKernel", "cudaDeviceSynchronize"});
    REQUIRE(waits.after_launch.size() == 2);
    CHECK(waits.after_launch[1].outer.line == waits.after_launch[0].where.line + 1);
    CHECK(waits.after_failure.empty());
    CHECK(names(lab.run(submission(kLaunch, kKernel)).after_launch) == Names{"cudaLaunchKernel"});
    CHECK(lab.run(submission(std::string(kLaunch) + kLook, kKernel)).after_launch.empty());
  }
  SECTION("after a launch that was made to fail") {
    lab.test().spec.faults.launch = 1;
    const Observation asks = lab.run(submission(std::string(kLaunch) + kLook + "\nreturn;\n" + kLaunch, kKernel));
    CHECK(names(asks.after_failure) == Names{"cudaLaunchKernel", "cudaGetLastError"});
    CHECK(asks.after_failure.back().status != 0);
    CHECK(asks.after_launch.empty());
  }
  SECTION("after an allocation that was made to fail") {
    lab.test().spec.faults.allocation = 4;  // behind a, b and c of the runner
    const Observation frees =
        lab.run(submission("float* more = nullptr;\nif (cudaMalloc(&more, 8) != cudaSuccess) cudaFree(more);\n"));
    CHECK(names(frees.after_failure) == Names{"cudaMalloc", "cudaFree"});
  }
}

TEST_CASE("an allocation that is made to fail leaves an error behind, which nobody minds", "[run]") {
  AddLab lab;
  lab.test().spec.faults.allocation = 4;  // behind a, b and c of the runner
  const Observation observed = lab.run(
      submission("void* more = nullptr;\nif (cudaMalloc(&more, 8) != cudaSuccess) std::puts(\"none left\");\n"));
  CAPTURE(observed.detail);
  REQUIRE(observed.end == RunEnd::finished);
  CHECK(observed.console.find("none left") != std::string::npos);
}

TEST_CASE("an error left behind without a fault is told", "[run]") {
  AddLab lab;
  const Observation observed = lab.run(submission("cudaMemcpy(nullptr, d_a, 4, cudaMemcpyDeviceToHost);\n"));
  CHECK(observed.end == RunEnd::runtime_error);
  CHECK(observed.detail.find("left behind") != std::string::npos);
  REQUIRE(observed.failed);
  CHECK(observed.failed->name == "cudaMemcpy");
  CHECK(observed.failed->where.file == lab.source());
  CHECK(observed.failed->where.line > 0);
}

TEST_CASE("arrays of no elements go in and come out", "[run]") {
  AddLab lab;
  lab.test() = add_case(0);
  const Observation observed = lab.run(submission("std::printf(\"%d\\n\", n);\n"));
  CAPTURE(observed.detail);
  REQUIRE(observed.end == RunEnd::finished);
  CHECK(observed.console == "0\n");
  REQUIRE(observed.outputs.size() == 1);
  CHECK(observed.outputs[0].data.empty());
}

}  // namespace
}  // namespace cudalabs
