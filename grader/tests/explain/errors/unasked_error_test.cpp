// A launch after which another call is asked.
#include "explain/errors/unasked_error.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_unasked_error {
namespace {

const std::string kSource = R"(void finish() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) puts("failed");
}
void f(int n) {
  k<<<1, n>>>(n);
  CHECK(cudaDeviceSynchronize());
}
void g(int n) {
  k<<<1, n>>>(n);
  finish();
}
void h(int n) {
  k<<<1, n>>>(n);
  cudaDeviceSynchronize();
  CHECK(cudaFree(d));
}
)";

MergedFinding unchecked(std::uint32_t line) {
  MergedFinding finding;
  finding.id = finding_ids::kUncheckedLaunch;
  finding.where = {"k.cu", line, 3};
  finding.message = "nobody asks whether this launch went well";
  finding.help = "as before";
  return finding;
}

WatchedCall call(const std::string& name, std::uint32_t line, int status = 0, std::uint32_t outer = 0) {
  WatchedCall made{name, status, {"k.cu", line, 0}};
  if (outer != 0) made.outer = {"k.cu", outer, 0};
  return made;
}

MergedFinding shown(MergedFinding finding, std::vector<WatchedCall> calls) {
  SubmissionRun run;
  run.case_runs.resize(1);
  run.case_runs.front().observed.after_launch = std::move(calls);
  std::vector<MergedFinding> findings{std::move(finding)};
  show_unasked_errors(findings, kSource, "k.cu", run);
  return findings.front();
}

}  // namespace

TEST_CASE("the call that is asked in place of `cudaGetLastError` is shown") {
  const MergedFinding made = shown(unchecked(6), {call("cudaLaunchKernel", 6), call("cudaDeviceSynchronize", 7)});
  CHECK(made.message ==
        "`cudaDeviceSynchronize` does not return the error of a launch that is refused, and nothing else asks for it");
  REQUIRE(made.other);
  CHECK(made.other->place.line == 7);
  CHECK(made.other->label == "its result does not tell whether the kernel was launched");
  CHECK(made.help == "call `cudaGetLastError()` right after the launch, and report what is not `cudaSuccess`");
}

TEST_CASE("in a helper its caller is told") {
  const MergedFinding made =
      shown(unchecked(10), {call("cudaLaunchKernel", 10), call("cudaDeviceSynchronize", 2, 0, 11)});
  REQUIRE(made.other);
  CHECK(made.other->place.line == 2);
  CHECK(made.other->label == "called in line 11: its result does not tell whether the kernel was launched");
  CHECK(made.help ==
        "call `cudaGetLastError()` right after the launch, or first of all in `finish`, and report what is not "
        "`cudaSuccess`");
}

TEST_CASE("a call whose result is dropped, or that is not about the kernel, asks for nothing") {
  const MergedFinding before = unchecked(14);
  CHECK(shown(before, {call("cudaLaunchKernel", 14), call("cudaDeviceSynchronize", 15), call("cudaFree", 16)}) ==
        before);
}

TEST_CASE("calls after another launch, of another function, or that told the error, are not shown") {
  const MergedFinding before = unchecked(6);
  CHECK(shown(before, {}) == before);
  CHECK(shown(before, {call("cudaLaunchKernel", 6)}) == before);
  CHECK(shown(before, {call("cudaLaunchKernel", 6), call("cudaLaunchKernel", 6), call("cudaDeviceSynchronize", 7)}) ==
        before);
  CHECK(shown(before, {call("cudaLaunchKernel", 6), call("cudaDeviceSynchronize", 2, 0, 11)}) == before);
  CHECK(shown(before, {call("cudaLaunchKernel", 6), call("cudaDeviceSynchronize", 7, 719)}) == before);
  CHECK(shown(before, {call("cudaLaunchKernel", 10), call("cudaDeviceSynchronize", 2, 0, 11)}) == before);
}

TEST_CASE("what the device says of a launch that failed is not about one that did not") {
  MergedFinding before = unchecked(6);
  before.kernel = "k";
  CHECK(shown(before, {call("cudaLaunchKernel", 6), call("cudaDeviceSynchronize", 7)}) == before);
  CHECK(shown(before, {call("cudaLaunchKernel", 6, 701), call("cudaDeviceSynchronize", 7)}).other);
}

TEST_CASE("a launch with another place beside it keeps that") {
  MergedFinding before = unchecked(6);
  before.other = OtherPlace{"this asks before the launch, and knows nothing of it", {"k.cu", 5, 0}, {}, {}};
  CHECK(shown(before, {call("cudaLaunchKernel", 6), call("cudaDeviceSynchronize", 7)}) == before);
}

TEST_CASE("a question before the launch in the same macro is shown in the macro") {
  const std::string source =
      "#define LAUNCH(...)                              \\\n"
      "  do {                                           \\\n"
      "    const cudaError_t error = cudaGetLastError(); \\\n"
      "    __VA_ARGS__;                                 \\\n"
      "    if (error != cudaSuccess) puts(\"failed\");    \\\n"
      "  } while (0)\n"
      "void f() {\n  LAUNCH(k<<<1, 1>>>());\n  k<<<1, 1>>>();\n}\n";
  const auto told = [&](std::uint32_t line, std::uint32_t asked) {
    MergedFinding before = unchecked(line);
    before.other = OtherPlace{"this asks before the launch, and knows nothing of it", {"k.cu", asked, 3}, {}, {}};
    std::vector<MergedFinding> findings{before};
    show_unasked_errors(findings, source, "k.cu", {});
    return findings.front();
  };
  CHECK(told(8, 8).other->place == SourcePlace{"k.cu", 3, 0});
  CHECK(told(8, 8).help ==
        "call `cudaGetLastError()` in `LAUNCH` right after the launch, and report what is not `cudaSuccess`");
  CHECK(told(8, 7).other->place.line == 7);
  CHECK(told(9, 9).other->place.line == 9);
  CHECK(told(9, 9).help == "as before");
}

}  // namespace cudalabs::test::of_unasked_error
