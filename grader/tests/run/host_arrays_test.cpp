// Host arrays of a case: what goes past them is found, with its line and the array's name.
#include <algorithm>
#include <string>

#include "add_lab.h"
#include "catch.h"

namespace cudalabs {
namespace {

using testing::add_case;
using testing::AddLab;
using testing::is_poison;
using testing::is_right;

/// Line of the body's first line in `host_submission(body)`.
constexpr std::uint32_t kBodyLine = 12;

/// Adds on the host, copies through the device: `d` has room for more than any case needs.
std::string host_submission(const std::string& body) {
  return "#include \"add.h\"\n#include <cuda_runtime.h>\n#include <cstdio>\n"
         "volatile float keep;\n"
         "void add(const float* a, const float* b, float* c, int n) {\n"
         "  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];\n"
         "  float* d = nullptr;\n"
         "  const std::size_t bytes = n * sizeof(float);\n"
         "  cudaMalloc(&d, bytes + (1 << 20));\n"
         "  cudaMemset(d, 0, bytes + (1 << 20));\n"
         "  cudaMemcpy(d, c, bytes, cudaMemcpyHostToDevice);\n" +
         body +
         "\n  cudaMemcpy(c, d, bytes, cudaMemcpyDeviceToHost);\n"
         "  cudaFree(d);\n}\n";
}

void expect_past_end(const Observation& observed, const AddLab& lab, const std::string& array) {
  CAPTURE(observed.detail, observed.console);
  CHECK(observed.end == RunEnd::crashed);
  CHECK(observed.outputs.empty());
  const auto crash = std::ranges::find(observed.findings, "runner-crashed", &Finding::id);
  REQUIRE(crash != observed.findings.end());
  CHECK(crash->message.starts_with("host code reads or writes past the end of `" + array + "`, which has "));
  CHECK(crash->where.file == lab.source());
  CHECK(crash->where.line == kBodyLine);
}

TEST_CASE("host arrays go in and come out", "[run]") {
  AddLab lab;
  lab.use_host_arrays();
  const BuildResult built = lab.build(host_submission(""));
  // Whole pages, more and less.
  for (const int n : {1000, 1, 1024, 1023, 1025, 100000}) {
    CAPTURE(n);
    lab.test() = add_case(n);
    const Observation observed = lab.run_built(built);
    CAPTURE(observed.detail, observed.console);
    CHECK(observed.end == RunEnd::finished);
    CHECK(observed.findings.empty());
    CHECK(is_right(observed, lab.test()));
  }
}

TEST_CASE("a host array nobody wrote comes back as poison", "[run]") {
  AddLab lab;
  lab.use_host_arrays();
  const Observation observed = lab.run("#include \"add.h\"\nvoid add(const float*, const float*, float*, int) {}\n");
  CHECK(observed.end == RunEnd::finished);
  CHECK(is_poison(observed));
}

TEST_CASE("plain accesses of the host past the end of an array are found", "[run]") {
  AddLab lab;
  lab.use_host_arrays();
  expect_past_end(lab.run(host_submission("  keep = a[n];")), lab, "a");
  expect_past_end(lab.run(host_submission("  keep = b[n + 1023];")), lab, "b");
  expect_past_end(lab.run(host_submission("  c[n] = 1;")), lab, "c");
}

TEST_CASE("an access before an array is found where a page begins with it", "[run]") {
  AddLab lab;
  lab.use_host_arrays();
  lab.test() = add_case(16384);
  const Observation observed = lab.run(host_submission("  keep = b[-1];"));
  CHECK(observed.end == RunEnd::crashed);
  const auto crash = std::ranges::find(observed.findings, "runner-crashed", &Finding::id);
  REQUIRE(crash != observed.findings.end());
  CHECK(crash->message == "host code reads or writes before the beginning of `b`");
  CHECK(crash->where.line == kBodyLine);
}

TEST_CASE("copies that go past the end of a host array are found in their line", "[run]") {
  AddLab lab;
  lab.use_host_arrays();
  const auto copy = [&](const std::string& arguments) {
    return lab.run(host_submission("  cudaMemcpy(" + arguments + ");"));
  };
  expect_past_end(copy("d, a, bytes + 4, cudaMemcpyHostToDevice"), lab, "a");
  expect_past_end(copy("d, b, bytes + (1 << 19), cudaMemcpyHostToDevice"), lab, "b");
  expect_past_end(copy("c, d, bytes + 4, cudaMemcpyDeviceToHost"), lab, "c");
  expect_past_end(copy("c, d, bytes + 1, cudaMemcpyDeviceToHost"), lab, "c");
  expect_past_end(copy("c, a, bytes + 4, cudaMemcpyHostToHost"), lab, "a");
  expect_past_end(lab.run(host_submission("  cudaMemcpyAsync(c + n - 1, d, 8, cudaMemcpyDeviceToHost);")), lab, "c");
  expect_past_end(lab.run(host_submission("  cudaMemcpy2D(d, 64, a, 64, 8, n / 16 + 2, cudaMemcpyHostToDevice);")), lab,
                  "a");
}

TEST_CASE("a host input cannot be written", "[run]") {
  AddLab lab;
  lab.use_host_arrays();
  CHECK(lab.run(host_submission("  const_cast<float*>(a)[0] = 1;")).end == RunEnd::crashed);
}

TEST_CASE("host arrays of no elements have a place, and nothing in it", "[run]") {
  AddLab lab;
  lab.use_host_arrays();
  lab.test() = add_case(0);
  const Observation observed =
      lab.run(host_submission("  std::printf(\"%d\\n\", a != nullptr && b != nullptr && c != nullptr);\n"
                              "  cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);"));
  CAPTURE(observed.detail, observed.console);
  CHECK(observed.end == RunEnd::finished);
  CHECK(observed.console == "1\n");
  expect_past_end(lab.run(host_submission("  keep = a[0];")), lab, "a");
  expect_past_end(lab.run(host_submission("  c[0] = 1;")), lab, "c");
  expect_past_end(lab.run(host_submission("  cudaMemcpy(d, b, 4, cudaMemcpyHostToDevice);")), lab, "b");
}

}  // namespace
}  // namespace cudalabs
