// A launch that is executed again with other values where it read what has none.
#include "vgpu/repeated_launch.h"

#include <utility>

namespace cudalabs::vgpu {

RepeatedLaunch::RepeatedLaunch(const exec::LaunchRequest& request, GlobalMemory& memory, exec::WorkerPool& pool)
    : request_(request), memory_(memory), pool_(pool) {}

RepeatedLaunch::Outcome RepeatedLaunch::run(const Change& change) {
  memory_.roll_back();
  exec::LaunchRequest request = request_;
  request.observers = {};
  request.abandoned = nullptr;
  request.one_at_a_time = true;
  change(request, memory_);
  exec::LaunchResult result = exec::run_launch(request, memory_, pool_);
  return {result.error, std::move(result.output), memory_.journal().changed_pages_of_written()};
}

bool RepeatedLaunch::begin(const Change& change) {
  first_ = run(change);
  return first_.error != exec::LaunchError::timed_out && first_.error != exec::LaunchError::too_many_instructions;
}

bool RepeatedLaunch::differs(const Change& change) {
  return run(change) != first_;
}

bool RepeatedLaunch::restore() {
  return differs([](exec::LaunchRequest&, GlobalMemory&) {});
}

}  // namespace cudalabs::vgpu
