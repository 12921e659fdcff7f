// What a kernel has asked for is done when its grid has ended: launches, copies and fills, in the order of its blocks.
// Each launch is complete with all that it has asked for before the next one begins.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "vgpu/check/finding_ids.h"
#include "vgpu/check/finding_log.h"
#include "vgpu/launch_findings.h"
#include "vgpu/virtual_gpu_state.h"

namespace cudalabs::vgpu {

namespace {

Finding refused_launch(const Program& program, const KernelInfo& kernel, const exec::DeviceLaunch& asked,
                       const KernelInfo& parent, const LaunchConfig& parent_config) {
  Finding finding;
  finding.id = finding_ids::kInvalidLaunch;
  finding.message = fmt::format(
      "launch of `{}` by a kernel refused: {} x {} x {} blocks of {} x {} x {} threads with {} "
      "bytes of dynamic shared memory",
      kernel.display, asked.grid[0], asked.grid[1], asked.grid[2], asked.block[0], asked.block[1], asked.block[2],
      asked.dynamic_shared_bytes);
  finding.where = place_near(program, asked.instruction);
  finding.kernel = parent.display;
  finding.block = coordinates(asked.by_block, parent_config.grid);
  finding.thread = coordinates(asked.by_thread, parent_config.block);
  finding.note = "the device cannot execute such a launch: this one did not take place";
  finding.help =
      "give the launch sizes that are not 0 and within the device's limits, and look at `cudaGetLastError` in "
      "the kernel";
  return finding;
}

void add_ranges(std::vector<ByteRange>& into, const std::vector<ByteRange>& from) {
  std::vector<ByteRange> all;
  std::ranges::merge(into, from, std::back_inserter(all), {}, &ByteRange::begin, &ByteRange::begin);
  into.clear();
  for (const ByteRange& range : all) {
    if (!into.empty() && range.begin <= into.back().end) {
      into.back().end = std::max(into.back().end, range.end);
    } else {
      into.push_back(range);
    }
  }
}

void add_touched(TouchedBytes& into, const TouchedBytes& from) {
  for (const auto list : {&TouchedBytes::reads, &TouchedBytes::writes, &TouchedBytes::shared, &TouchedBytes::system})
    add_ranges(into.*list, from.*list);
}

}  // namespace

void VirtualGpu::State::run_device_launches(const DeviceLaunches& asked, LaunchOutcome& outcome) {
  // Their buffers go first: a launch takes the longer, the more there is in memory.
  std::vector<std::vector<std::byte>> parameters(asked.launches.size());
  for (std::size_t i = 0; i < asked.launches.size(); ++i) {
    const exec::DeviceLaunch& each = asked.launches[i];
    if (each.work != exec::DeviceWork::launch) continue;
    parameters[i].resize(asked.module.program->kernel_of(each.function)->parameter_bytes);
    const std::optional<Allocation> buffer = memory.find(each.parameters);
    const bool has_parameters = !parameters[i].empty();
    if (!buffer || (has_parameters && !memory.copy_out(parameters[i], each.parameters)))
      outcome.status = LaunchStatus::illegal_address;
    if (memory.free(each.parameters, each.instruction, AllocationKind::device_heap) && buffer && shadow)
      shadow->release(buffer->address, buffer->bytes);
  }
  const auto in_order = [&](bool tail) {
    for (std::size_t i = 0; i < asked.launches.size(); ++i) {
      const exec::DeviceLaunch& each = asked.launches[i];
      if (each.tail == tail && outcome.status == LaunchStatus::ok)
        run_device_launch(asked, each, parameters[i], outcome);
    }
  };
  in_order(false);
  in_order(true);
}

void VirtualGpu::State::run_device_launch(const DeviceLaunches& asked, const exec::DeviceLaunch& each,
                                          std::span<const std::byte> parameters, LaunchOutcome& outcome) {
  if (each.work != exec::DeviceWork::launch) {
    writers.forget({each.to, each.to + each.bytes});
    const bool done = each.work == exec::DeviceWork::copy
                          ? memory.copy(each.to, each.from, each.bytes)
                          : memory.fill(each.to, static_cast<std::uint8_t>(each.from), each.bytes);
    if (!done) outcome.status = LaunchStatus::illegal_address;
    return;
  }
  const Program& program = *asked.module.program;
  const KernelInfo& kernel = *program.kernel_of(each.function);
  LaunchConfig config;
  config.grid = each.grid;
  config.block = each.block;
  config.dynamic_shared_bytes = each.dynamic_shared_bytes;
  if (each.refused) {
    // Of one place one is told, with how often it was.
    findings.push_back(refused_launch(program, kernel, each, asked.kernel, asked.config));
    findings = merge_findings(std::move(findings));
    return;
  }
  if (const auto refusal = asked.module.refusals.find(kernel.name); refusal != asked.module.refusals.end()) {
    if (std::ranges::find(refusals, refusal->second) == refusals.end()) refusals.push_back(refusal->second);
    outcome.status = LaunchStatus::refused;
    return;
  }
  const LaunchOutcome done =
      launch(asked.handle, asked.module, kernel, config, parameters, asked.record_touched, asked.depth + 1);
  outcome.status = done.status;
  outcome.launches += done.launches;
  outcome.output += done.output;
  add_touched(outcome.touched, done.touched);
}

}  // namespace cudalabs::vgpu
