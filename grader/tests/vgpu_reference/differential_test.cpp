// The virtual GPU against the reference machine: thousands of random programs, bit for bit.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <set>

#include "catch/catch.h"
#include "disagreement.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::reference;

namespace {

struct VirtualRun {
  vgpu::LaunchStatus status = vgpu::LaunchStatus::ok;
  std::vector<std::byte> output;
  std::vector<Finding> findings;
};

VirtualRun run_on_virtual_gpu(const Program& program, unsigned workers) {
  vgpu::VirtualGpuOptions options;
  options.model = vgpu::device_model("t4");
  options.workers = workers;
  options.instruction_limit = 1'000'000;
  vgpu::VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(program.ptx);
  const vgpu::DeviceAddress input = gpu.allocate(program.input.size());
  const vgpu::DeviceAddress output = gpu.allocate(program.output_bytes);
  REQUIRE(gpu.copy_in(input, program.input));
  REQUIRE(gpu.fill(output, 0, program.output_bytes));
  vgpu::LaunchConfig config;
  std::copy(program.launch.grid.begin(), program.launch.grid.end(), config.grid.begin());
  std::copy(program.launch.block.begin(), program.launch.block.end(), config.block.begin());
  VirtualRun run;
  run.status = gpu.launch(module, "program", config, program.parameters(input, output)).status;
  run.findings = gpu.findings();
  run.output.resize(program.output_bytes);
  REQUIRE(gpu.copy_out(run.output, output));
  return run;
}

// Runs a program on both; a difference is printed with the smallest program that still shows one.
void compare(std::uint64_t seed, const ProgramOptions& options, unsigned workers = 1) {
  const Program program = generate(seed, options);
  INFO("seed " << seed << ", form " << all_forms()[seed % all_forms().size()].instruction);
  const auto difference_of = [&](const Program& candidate, const VirtualRun& run) {
    return disagreement(candidate, run_on_reference(candidate), "reference", run.output, "virtual GPU");
  };
  const VirtualRun run = run_on_virtual_gpu(program, workers);
  CHECK(run.status == vgpu::LaunchStatus::ok);
  // The programs are free of races and uninitialised reads, so a finding is a false alarm.
  for (const Finding& finding : run.findings) FAIL_CHECK(finding.id << ": " << finding.message);
  const std::string difference = difference_of(program, run);
  if (difference.empty()) return;
  const Program small = shrink(program, [&](const Program& candidate) {
    return !difference_of(candidate, run_on_virtual_gpu(candidate, workers)).empty();
  });
  FAIL_CHECK(difference << "\n" << small.ptx);
}

}  // namespace

TEST_CASE("every form of instruction by itself") {
  ProgramOptions options;
  options.statements = 0;
  for (std::uint64_t seed = 0; seed < 2 * all_forms().size(); ++seed) compare(seed, options);
}

TEST_CASE("straight-line programs") {
  ProgramOptions options;
  options.control_flow = options.memory = options.together = false;
  options.statements = 100;
  for (std::uint64_t seed = 0; seed < 600; ++seed) compare(10000 + seed, options);
}

TEST_CASE("programs with divergent control flow") {
  ProgramOptions options;
  options.memory = options.together = false;
  for (std::uint64_t seed = 0; seed < 600; ++seed) compare(20000 + seed, options);
}

TEST_CASE("programs with memory, barriers and warp operations") {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) compare(30000 + seed, {});
}

TEST_CASE("results do not depend on the number of workers") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) compare(40000 + seed, {}, 4);
}

TEST_CASE("the comparison sees a difference of one bit") {
  const Program program = generate(7);
  const std::vector<std::byte> good = run_on_reference(program);
  std::vector<std::byte> bad = good;
  const OutputSlot& slot = program.slots.at(3);
  bad[program.output_stride + slot.offset] ^= std::byte{1};
  CHECK(disagreement(program, good, "good", good, "good").empty());
  const std::string difference = disagreement(program, good, "good", bad, "bad");
  CHECK(difference.find(fmt::format("thread 1, register {}: good has", slot.name)) == 0);
  CHECK(difference.find("(1 values differ)") != std::string::npos);
}
