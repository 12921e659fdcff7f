// The session's launches: from the request to what the kernel's end leaves behind.
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/server/launch_check.h"
#include "vgpu/cudart/server/session_types.h"

namespace cudalabs::vgpu {
namespace {

constexpr std::size_t kFixedStreams = 1;  // the default one

cudaError_t error_of(LaunchStatus status) {
  switch (status) {
    case LaunchStatus::ok:
      return cudaSuccess;
    case LaunchStatus::illegal_address:
      return cudaErrorIllegalAddress;
    case LaunchStatus::misaligned_address:
      return cudaErrorMisalignedAddress;
    case LaunchStatus::launch_failure:
      return cudaErrorLaunchFailure;
    case LaunchStatus::illegal_instruction:
      return cudaErrorIllegalInstruction;
    case LaunchStatus::assert_failed:
      return cudaErrorAssert;
    // A block that can never go on hangs a real GPU until its watchdog ends the kernel.
    case LaunchStatus::barrier_deadlock:
    case LaunchStatus::timed_out:
      return cudaErrorLaunchTimeout;
    case LaunchStatus::refused:
      return cudaErrorUnsupportedPtxVersion;
    case LaunchStatus::trap:
    case LaunchStatus::not_cooperative:
    // The rest was refused when it was issued.
    case LaunchStatus::unknown_kernel:
    case LaunchStatus::invalid_configuration:
      return cudaErrorLaunchFailure;
  }
  return cudaErrorUnknown;
}

}  // namespace

void Session::launch(Request& request) {
  const auto launch = request.as<wire::Launch>();
  const auto parameters = request.payload.subspan(sizeof launch);
  if (launch.parameter_bytes != parameters.size()) throw ProtocolViolation{"a launch with parameters cut short"};
  request.stream = launch.stream;
  request.status_dropped = launch.status_dropped != 0;
  const auto stream = stream_of(launch.stream);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  Kernel* kernel = find_kernel(launch.kernel);
  if (!kernel) return reply(request, cudaErrorInvalidDeviceFunction);
  if (parameters.size() != kernel->parameter_bytes) return reply(request, cudaErrorInvalidValue);
  const bool of_several = std::ranges::any_of(launch.cluster, [](std::uint32_t blocks) { return blocks > 1; });
  if (of_several && !has_clusters(model_)) {
    request.unsupported_part = "a launch in clusters of blocks";
    return reply(request, cudaErrorNotSupported);
  }
  if (launch_count_ >= limits_.launches) return reply(request, cudaErrorLaunchOutOfResources);

  LaunchConfig config;
  std::copy_n(launch.grid, 3, config.grid.begin());
  std::copy_n(launch.block, 3, config.block.begin());
  config.dynamic_shared_bytes = static_cast<std::uint32_t>(launch.shared_bytes);
  config.cooperative = launch.cooperative != 0;
  if (has_clusters(model_) && launch.cluster[0] != 0) {
    std::copy_n(launch.cluster, 3, config.cluster.begin());
    config.explicit_cluster = true;
  }
  auto refusal = check_launch(model_, kernel->description, launch, kernel->max_dynamic_shared_bytes);
  if (!refusal) refusal = check_cluster(kernel->description, launch, most_cluster_blocks(*kernel));
  if (!refusal && launch.cooperative != 0) refusal = check_cooperative_launch(model_, kernel->description, launch);
  if (refusal) {
    if (launch.captured != 0) refusal->status = cudaErrorInvalidValue;  // as a GPU answers of a node of a graph
    {
      const std::scoped_lock lock(mutex_);
      watch_.refused(kernel->display, request.origin(), *refusal, config, launch.status_dropped != 0);
    }
    return reply(request, refusal->status);
  }
  ++launch_count_;
  if (failing_calls_.fails_launch()) {
    {
      const std::scoped_lock lock(mutex_);
      watch_.made_to_fail(kernel->display, request.origin(), cudaErrorLaunchOutOfResources, launch.status_dropped != 0);
    }
    return reply(request, cudaErrorLaunchOutOfResources);
  }
  std::vector<std::byte> given(parameters.begin(), parameters.end());
  if (first_launches_.size() < limits_.first_launches)
    first_launches_.push_back({kernel->description.name, config, given, request.origin()});
  if (change_ && change_->number == launch_count_) {
    config = change_->config;
    given = change_->parameters;
  }
  if (transfers_ != nullptr) transfers_->launch(request.origin(), parameters);
  // The answer first: a launch takes the host no time, also where the device's threads take all of the processor.
  reply(request, cudaSuccess);
  const std::uint64_t number = order_.issue(*stream);
  // What a kernel touches is only of interest where a program has streams of its own, or touches the same itself.
  const bool watched = streams_.size() > kFixedStreams || *stream != StreamOrder::kDefault || has_managed_;
  const StreamRaces::Ticket ticket = watched ? watch(request, *stream, number, kernel->display) : 0;
  use_mapped();
  const IssuedLaunch issued{request.origin(), ticket, *stream, number, launch_count_, function_calls_};
  issue(*stream, [this, kernel, config, issued, fails = failing_calls_.fails_kernel(), given = std::move(given)] {
    run_kernel(*kernel, config, given, issued);
    if (fails) fail_after(*kernel, issued.origin);
  });
  last_launch_ = {{*stream, number}};
  merge(launched_, last_launch_);
  before_launch_ = order_.reach(*stream);
}

/// On the device's thread.
void Session::run_kernel(const Kernel& kernel, const LaunchConfig& config, std::span<const std::byte> parameters,
                         const IssuedLaunch& issued) {
  const CallOrigin& origin = issued.origin;
  LaunchOutcome outcome;
  bool writes_to_host = false;
  {
    const std::scoped_lock lock(mutex_);
    writes_to_host = !mapped_.empty();
  }
  gpu_.begin_call(issued.function_call);
  try {
    outcome = gpu_.launch(kernel.gpu_module, kernel.description.name, config, parameters,
                          issued.race_ticket != 0 || writes_to_host);
  } catch (const std::bad_alloc&) {
    const std::scoped_lock lock(mutex_);
    exhausted_ = fmt::format("the virtual GPU found no memory for the launch of `{}`", kernel.display);
    context_error_ = cudaErrorMemoryAllocation;
    return;
  } catch (const std::exception& error) {
    const std::scoped_lock lock(mutex_);
    internal_error_ = error.what();
    context_error_ = cudaErrorUnknown;
    return;
  }
  note_host_return(issued.stream, issued.in_stream, outcome.touched);
  const std::scoped_lock lock(mutex_);
  // What the kernel has started itself belongs to this call, too.
  const std::uint64_t executed = outcome.number == 0 ? 0 : outcome.launches;
  for (std::uint64_t i = 0; i < executed && executed_.size() < limits_.reported_launches; ++i)
    executed_.push_back({origin, issued.in_session, issued.function_call});
  for (std::size_t i = kept_values_.size(); i < gpu_.kept_variables().size(); ++i)
    kept_values_.push_back({gpu_.kept_variables()[i], origin});
  races_.done(issued.race_ticket, std::move(outcome.touched));
  kernel_seconds_ += outcome.seconds;
  for (std::uint64_t i = 0; i < outcome.launches && launch_seconds_.size() < limits_.reported_launches; ++i)
    launch_seconds_.push_back(i == 0 ? outcome.seconds : 0);
  launch_calls_.try_emplace(kernel.display, LaunchCalls{origin, origin}).first->second.last = origin;
  output_ += outcome.output;
  if (output_.size() > limits_.output_bytes) output_.erase(0, output_.size() - limits_.output_bytes);
  if (outcome.status == LaunchStatus::ok || ending_) return;
  context_error_ = error_of(outcome.status);
  if (outcome.status == LaunchStatus::refused) return;  // told with the reason
  watch_.failed(kernel.display, origin, context_error_);
  if (outcome.status == LaunchStatus::not_cooperative) {
    Finding finding;
    finding.id = finding_ids::kInvalidLaunch;
    finding.message =
        fmt::format("`{}` synchronises its grid, and this launch is not a cooperative one", kernel.display);
    finding.kernel = kernel.display;
    finding.note =
        "the kernel ended at `grid.sync()`: without a cooperative launch the blocks cannot wait for each other";
    finding.launch.refused_grid = config.grid;
    finding.help = "launch it by `cudaLaunchCooperativeKernel`, with no more blocks than run on the device at a time";
    early_ends_.push_back({std::move(finding), origin});
  }
  if (outcome.status == LaunchStatus::timed_out) {
    Finding finding;
    finding.id = finding_ids::kTimedOut;
    finding.message = fmt::format("`{}` was stopped after {:.1f} s", kernel.display, outcome.seconds);
    finding.kernel = kernel.display;
    finding.help = "look for a loop whose condition never becomes false";
    early_ends_.push_back({std::move(finding), origin});
  }
}

/// On the device's thread, of a kernel that was made to fail.
void Session::fail_after(const Kernel& kernel, const CallOrigin& origin) {
  const std::scoped_lock lock(mutex_);
  if (context_error_ != cudaSuccess || ending_) return;
  context_error_ = failing_calls_.kernel_error();
  watch_.failed(kernel.display, origin, context_error_);
}

}  // namespace cudalabs::vgpu
