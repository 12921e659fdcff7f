// The pinned baselines do the work that they are timed at: run on the virtual GPU, at a small size.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "build/builder.h"
#include "catch.h"
#include "datasets/timed_work.h"
#include "run/run.h"
#include "sandbox/temporary_folder.h"
#include "speed/baseline.h"

namespace cudalabs::speed {
namespace {

using Parameters = std::map<std::string, std::int64_t>;

/// Builds a baseline with clang, in a cache of its own, and runs it.
class Pinned {
 public:
  explicit Pinned(const std::string& name) : baseline_(read_baseline(name)) {
    setenv("CUDALABS_CACHE", folder_.path().c_str(), 1);
    const auto toolchain = find_toolchain(Frontend::clang);
    if (!toolchain) throw std::runtime_error("the compiler is not installed");
    runner_ = built_baseline(baseline_, *toolchain, Device::virtual_gpu);
  }

  Observation run(const datasets::Case& test) const {
    RunRequest request;
    request.program = &baseline_.program;
    request.runner = runner_;
    request.test = &test;
    return cudalabs::run(request);
  }

 private:
  sandbox::TemporaryFolder folder_;
  Baseline baseline_;
  std::filesystem::path runner_;
};

datasets::Case case_of(const Parameters& parameters) {
  datasets::Case made;
  made.spec.name = "small";
  made.spec.parameters = parameters;
  return made;
}

/// Runs a baseline on windows that fill their pools; every element has to be as expected.
void check_right(const std::string& name, const Parameters& parameters) {
  CAPTURE(name);
  const auto work = datasets::timed_work_for(read_baseline(name).work)(parameters);
  datasets::Case test = case_of(parameters);
  for (const datasets::PoolShape& pool : work->pools()) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(pool.window) * datasets::size_in_bytes(pool.type));
    work->fill(test.inputs.size(), bytes, 40 + test.inputs.size());
    test.inputs.push_back({pool.name, pool.type, {pool.window}, std::move(bytes)});
  }
  std::vector<std::span<const std::byte>> attached;
  for (const datasets::Array& input : test.inputs) attached.emplace_back(input.data);
  work->attach(attached);
  const datasets::OutputShape output = work->outputs().at(0);
  const auto elements = static_cast<std::size_t>(output.elements);
  test.expected = {{output.name, output.type, {output.elements}, {}, {}}};

  const Observation observed = Pinned(name).run(test);
  CAPTURE(observed.detail, observed.console);
  REQUIRE(observed.end == RunEnd::finished);
  for (const Finding& finding : observed.findings) {
    CAPTURE(finding.id, finding.message);
    CHECK(finding.severity != Severity::error);
  }
  REQUIRE(observed.outputs.size() == 1);
  std::vector<float> got(elements);
  REQUIRE(observed.outputs[0].data.size() == elements * sizeof(float));
  std::memcpy(got.data(), observed.outputs[0].data.data(), elements * sizeof(float));
  std::vector<double> value(elements), bound(elements);
  const std::vector<std::int64_t> windows(test.inputs.size(), 0);
  work->expect(windows, 0, 0, value, bound);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < elements; ++i) wrong += std::abs(got[i] - value[i]) <= bound[i] ? 0 : 1;
  CHECK(wrong == 0);
}

TEST_CASE("the pinned products are products, on the device and on the host", "[speed]") {
  for (const char* name : {"coalesced_product", "uncoalesced_product", "host_product"}) {
    check_right(name, {{"m", 32}, {"n", 64}, {"p", 48}});
  }
}

TEST_CASE("the copy is a copy", "[speed]") {
  check_right("copy", {{"n", 10007}});
}

TEST_CASE("the copy's program tells what the device is", "[speed]") {
  datasets::Case ask = case_of({{"n", 0}});
  ask.expected = {{"facts", datasets::ElementType::i32, {4}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
  const Observation observed = Pinned("copy").run(ask);
  CAPTURE(observed.detail, observed.console);
  REQUIRE(observed.end == RunEnd::finished);
  int facts[4];
  std::memcpy(facts, observed.outputs.at(0).data.data(), sizeof facts);
  CHECK(facts[0] == 40);  // the lab's model is a T4
  CHECK(facts[1] == 1590000);
  CHECK(facts[2] == 75);
  CHECK(facts[3] == 4 << 20);
}

}  // namespace
}  // namespace cudalabs::speed
