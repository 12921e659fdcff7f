// Runs in which copies between host and device are written down, and the device works on other values than the host
// sees.
#include <algorithm>
#include <cstring>
#include <string>

#include "add_lab.h"
#include "catch.h"

namespace cudalabs {
namespace {

using testing::AddLab;
using testing::honest_submission;
using testing::is_right;
using vgpu::Transfer;

/// The same case with inputs and sums of twice the size.
datasets::Case doubled(const datasets::Case& test) {
  datasets::Case twice = test;
  for (datasets::Array& input : twice.inputs) {
    std::vector<float> values(input.data.size() / sizeof(float));
    std::ranges::copy(input.data, std::as_writable_bytes(std::span(values)).begin());
    for (float& value : values) value *= 2;
    std::ranges::copy(std::as_bytes(std::span(values)), input.data.begin());
  }
  for (double& value : twice.expected.front().value) value *= 2;
  return twice;
}

struct Setting {
  AddLab lab;
  datasets::Case twice = doubled(lab.test());
  RunRequest request;
  vgpu::Replacements replacements;

  explicit Setting(const std::string& text) {
    request.program = &lab.lab();
    request.runner = lab.build(text).runner;
    request.source = lab.source();
    request.test = &lab.test();
    request.record_transfers = true;
    for (std::size_t i = 0; i < 2; ++i)
      replacements.arrays.push_back({lab.test().inputs[i].data, twice.inputs[i].data});
  }

  Observation run_replaced() {
    request.replacements = &replacements;
    request.checks = false;
    Observation observed = run(request);
    request.replacements = nullptr;
    return observed;
  }
};

TEST_CASE("copies come back with the observation, but only when asked for", "[run]") {
  Setting setting(honest_submission());
  const Observation observed = run(setting.request);
  CAPTURE(observed.detail, observed.console);
  REQUIRE(observed.end == RunEnd::finished);
  REQUIRE(observed.transfers.complete);
  REQUIRE(observed.transfers.transfers.size() == 4);  // the harness's own, and the launch between them
  for (std::size_t i = 0; i < 2; ++i) CHECK(observed.transfers.transfers[i].data == setting.lab.test().inputs[i].data);
  CHECK(observed.transfers.transfers[2].kind == Transfer::Kind::launch);
  CHECK(observed.transfers.transfers[3].kind == Transfer::Kind::to_host);
  CHECK(observed.transfers.transfers[3].data == observed.outputs.front().data);
  setting.request.record_transfers = false;
  CHECK(run(setting.request).transfers.transfers.empty());
}

TEST_CASE("kernels compute with the values that took the place of the host's", "[run]") {
  Setting setting(honest_submission());
  const Observation observed = setting.run_replaced();
  REQUIRE(observed.end == RunEnd::finished);
  CHECK(is_right(observed, setting.twice));
}

TEST_CASE("a host that reads what kernels print reads the old text", "[run]") {
  const std::string print =
      "__global__ void print(const float* a) { printf(\"%a \", *a); }\n"
      "__global__ void store(float* c, float value) { *c = value; }\n";
  // Its own standard output is a file for the while.
  const std::string body =
      "  char name[512];\n  std::snprintf(name, sizeof name, \"%s/XXXXXX\", std::getenv(\"TMPDIR\"));\n"
      "  std::fflush(stdout);\n  const int file = mkstemp(name), before = dup(1);\n  dup2(file, 1);\n"
      "  print<<<1, 1>>>(d_a + n - 1);\n  cudaDeviceSynchronize();\n  std::fflush(stdout);\n  dup2(before, 1);\n"
      "  char text[64] = {};\n  (void)!pread(file, text, sizeof text - 1, 0);\n"
      "  store<<<1, 1>>>(d_c, strtof(text, nullptr));\n  (void)d_b;";
  Setting setting(testing::submission(body, "#include <cstdlib>\n#include <unistd.h>\n" + print));
  const auto first_of = [](const Observation& observed) {
    float value = 0;
    REQUIRE(observed.end == RunEnd::finished);
    std::memcpy(&value, observed.outputs.front().data.data(), sizeof value);
    return value;
  };
  const Observation first = run(setting.request);
  const float value = first_of(first);
  CHECK(value != 0);
  CHECK(first_of(setting.run_replaced()) == 2 * value);
  const auto print_of = [](const Observation& observed) {
    return std::ranges::find(observed.transfers.transfers, Transfer::Kind::print, &Transfer::kind)->data;
  };
  setting.replacements.prints.emplace({print_of(first)});
  CHECK(first_of(setting.run_replaced()) == value);
}

TEST_CASE("a host that is shown the old values computes the old result", "[run]") {
  Setting setting(testing::submission(testing::host_body()));
  const Observation first = run(setting.request);
  REQUIRE(first.end == RunEnd::finished);
  REQUIRE(first.transfers.transfers.size() == 6);
  setting.replacements.answers = {first.transfers.transfers[2].data, first.transfers.transfers[3].data};
  const Observation second = setting.run_replaced();
  REQUIRE(second.end == RunEnd::finished);
  CHECK(is_right(second, setting.lab.test()));
  SECTION("and one that sees the device's own, the new one") {
    setting.replacements.answers.clear();
    CHECK(is_right(setting.run_replaced(), setting.twice));
  }
  SECTION("its copies are found in its source") {
    const Transfer& brought = second.transfers.transfers[4];
    REQUIRE(brought.kind == Transfer::Kind::to_device);
    Finding finding;
    finding.id = "computed-on-the-host";
    place_at_call(finding, brought.origin, setting.request);
    CHECK(finding.id == "computed-on-the-host");
    CHECK(finding.where.file == setting.lab.source());
    CHECK(finding.where.line > 0);
    CHECK(finding.where.line == [&] {
      Finding reads;
      place_at_call(reads, second.transfers.transfers[2].origin, setting.request);
      return reads.where.line + 3;
    }());
  }
}

}  // namespace
}  // namespace cudalabs
