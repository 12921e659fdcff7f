// Who watches one execution of a launch.
#include "vgpu/launch_observers.h"

#include <utility>

namespace cudalabs::vgpu {

LaunchObservers::LaunchObservers(const VirtualGpuOptions& options, const LoadedModule& module, const KernelInfo& kernel,
                                 GlobalMemory& memory, std::span<const InputArray> read_only,
                                 std::span<const ByteRange> written) {
  if (options.count && options.sampled_blocks == 0)
    counters.emplace(module.instructions, KernelInstructions(*module.program, kernel), options.count_accesses);
  if (options.count && options.sampled_blocks != 0) {
    DetailSources sources{&module.schedule, {}};
    for (const GlobalMemory::Range& range : memory.ranges()) sources.ranges.push_back({range.address, range.bytes});
    counters.emplace(module.instructions, KernelInstructions(*module.program, kernel), std::move(sources));
  }
  if (options.check_initialized)
    initialized.emplace(memory, InitializedChecker::Reads{module.pure_exchanges, module.object_copies});
  if (!read_only.empty()) inputs.emplace(read_only);
  if (options.check_initialized) writers.emplace(written);
  if (options.record_accesses) examples.emplace();
  if (options.record_work) work.emplace();
  if (options.record_reads) reads.emplace(read_only, ArrayReads::kMostElements);
}

std::vector<Observer*> LaunchObservers::list() {
  std::vector<Observer*> observers{&accesses, &barriers, &shuffles};
  if (filter) observers.push_back(&*filter);
  if (recorder) observers.push_back(&*recorder);
  if (initialized) observers.push_back(&*initialized);
  if (inputs) observers.push_back(&*inputs);
  if (writers) observers.push_back(&*writers);
  if (counters) observers.push_back(&*counters);
  if (examples) observers.push_back(&*examples);
  if (work) observers.push_back(&*work);
  if (reads) observers.push_back(&*reads);
  if (touches) observers.push_back(&*touches);
  return observers;
}

std::vector<Finding> LaunchObservers::findings(const LaunchNames& names) const {
  std::vector<Finding> all;
  const auto add = [&](std::vector<Finding> some) { all.insert(all.end(), some.begin(), some.end()); };
  add(accesses.findings(names));
  add(barriers.findings(names));
  add(shuffles.findings(names, shuffles_that_matter));
  if (recorder) add(recorder->findings(names));
  if (initialized) add(initialized->findings(names));
  if (inputs) add(inputs->findings(names));
  return all;
}

}  // namespace cudalabs::vgpu
