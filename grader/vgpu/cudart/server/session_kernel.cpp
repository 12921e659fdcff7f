// The session's modules and kernels: loading, launching, attributes, occupancy.
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/server/device_library.h"
#include "vgpu/cudart/server/launch_check.h"
#include "vgpu/cudart/server/module_image.h"
#include "vgpu/cudart/server/session_types.h"
#include "vgpu/exec/program.h"
#include "vgpu/launch_limits.h"
#include "vgpu/model/occupancy.h"
#include "vgpu/ptx/link_modules.h"
#include "vgpu/ptx/module.h"

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

std::uint32_t parameter_bytes(const KernelDescription& kernel) {
  std::uint64_t bytes = 0;
  for (const KernelParameter& parameter : kernel.parameters)
    bytes = std::max(bytes, std::uint64_t{parameter.offset} + parameter.size);
  if (bytes > wire::kMaxParameterBytes) {
    throw ImageError(cudaErrorInvalidPtx, fmt::format("the parameters of `{}` take {} bytes; at most {}",
                                                      display_name(kernel.name), bytes, wire::kMaxParameterBytes));
  }
  return static_cast<std::uint32_t>(bytes);
}

/// Builds the answer to load_module.
class Records {
 public:
  template <class T>
  void add(const T& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    data_.insert(data_.end(), bytes.begin(), bytes.end());
  }
  void add_name(const std::string& name) {
    const auto bytes = std::as_bytes(std::span(name.data(), name.size()));
    data_.insert(data_.end(), bytes.begin(), bytes.end());
    data_.resize((data_.size() + 7) / 8 * 8);
  }
  static std::uint32_t name_bytes(const std::string& name) {
    if (name.size() > wire::kMaxNameBytes)
      throw ImageError(cudaErrorInvalidPtx, fmt::format("a name of {} characters", name.size()));
    return static_cast<std::uint32_t>(name.size());
  }
  const std::vector<std::byte>& data() const { return data_; }

 private:
  std::vector<std::byte> data_;
};

}  // namespace

std::vector<std::byte> Session::receive_image(std::uint64_t bytes) {
  std::vector<std::byte> image;
  while (image.size() < bytes) {  // memory is taken as data comes, not as it is promised
    const std::size_t begin = image.size();
    image.resize(begin + std::min<std::uint64_t>(bytes - begin, buffer_.size()));
    receive(std::span(image).subspan(begin));
  }
  return image;
}

void Session::load_module(Request& request) {
  const auto bytes = request.as<wire::LoadModule>().image_bytes;
  if (bytes > wire::kMaxImageBytes) throw ProtocolViolation{fmt::format("device code of {} bytes", bytes)};
  std::vector<std::byte> image = receive_image(bytes);
  drain();
  if (told_error_ != cudaSuccess) return reply(request, told_error_);

  const auto refuse = [&](cudaError_t status, const std::string& whole_message) {
    const std::string message = whole_message.substr(0, limits_.message_bytes);
    if (module_errors_.size() < limits_.modules) module_errors_.push_back(message);
    const std::string text = fmt::format("cudalabs: device code cannot be loaded: {}\n", message);
    send_frame(wire::FrameKind::diagnostic, cudaSuccess, {}, std::as_bytes(std::span(text.data(), text.size())));
    reply(request, status);
  };
  if (!device_code_.empty()) image = std::exchange(device_code_, {});
  if (modules_.size() >= limits_.modules)
    return refuse(cudaErrorMemoryAllocation, fmt::format("more than {} modules", limits_.modules));

  if (image.size() > image_bytes_left_) {
    return refuse(cudaErrorMemoryAllocation, fmt::format("more than {} MiB of device code", limits_.image_bytes >> 20));
  }
  image_bytes_left_ -= image.size();

  auto module = std::make_unique<Module>();
  Records records;
  std::vector<VariableDescription> variables;
  bool loaded = false;
  const auto note_refusal = [&](ptx::Refusal refusal) {
    if (refusals_.size() < limits_.modules) refusals_.push_back(std::move(refusal));
  };
  std::vector<std::string> ptx;
  try {
    ptx = find_ptx(image, model_.compute_major, model_.compute_minor, image_bytes_left_);
    if (auto library = device_library(ptx)) ptx.push_back(std::move(*library));
    module->gpu_module = gpu_.load_module(ptx);
    loaded = true;
    optimised_ = optimised_ || std::ranges::any_of(ptx, is_optimised_by_nvcc);
    wide_accesses_ = wide_accesses_ || std::ranges::any_of(ptx, has_wide_accesses);
    std::uint32_t target = 0;
    for (const std::string& text : ptx) target = std::max(target, ptx_target(text));
    const auto kernels = gpu_.kernels(module->gpu_module);
    variables = gpu_.variables(module->gpu_module);
    records.add(wire::ModuleInfo{static_cast<std::uint32_t>(modules_.size()),
                                 static_cast<std::uint32_t>(kernels.size()),
                                 static_cast<std::uint32_t>(variables.size()), 0});
    for (const KernelDescription& description : kernels) {
      Kernel kernel;
      kernel.description = description;
      kernel.description.max_threads = std::min(description.max_threads, model_.max_threads_per_block);
      kernel.display = display_name(description.name);
      kernel.gpu_module = module->gpu_module;
      kernel.parameter_bytes = parameter_bytes(description);
      kernel.ptx_version = target;
      kernel.max_dynamic_shared_bytes =
          model_.shared_bytes_per_block - std::min(model_.shared_bytes_per_block, description.static_shared_bytes);
      records.add(wire::KernelRecord{static_cast<std::uint32_t>(description.parameters.size()), kernel.parameter_bytes,
                                     Records::name_bytes(description.name), 0});
      for (const KernelParameter& parameter : description.parameters)
        records.add(wire::Parameter{parameter.offset, parameter.size});
      records.add_name(description.name);
      module->kernels.push_back(std::move(kernel));
    }
    for (const VariableDescription& variable : variables) {
      records.add(wire::VariableRecord{variable.address, variable.size, Records::name_bytes(variable.name),
                                       variable.constant, variable.managed});
      records.add_name(variable.name);
    }
  } catch (const ImageError& error) {
    if (loaded) gpu_.unload_module(module->gpu_module);
    return refuse(error.status(), error.what());
  } catch (const ptx::LinkError& error) {
    return refuse(cudaErrorInvalidPtx, error.what());
  } catch (const ptx::ParseError& error) {
    note_refusal(ptx::refusal_of(ptx, error.line(), error.what(), ptx::Defect::malformed));
    return refuse(cudaErrorInvalidPtx, error.what());
  } catch (const UnsupportedPtx& error) {
    note_refusal(ptx::refusal_of(ptx, error.line(), error.what(), error.defect()));
    return refuse(cudaErrorUnsupportedPtxVersion, error.what());
  }
  const auto handle = static_cast<std::uint32_t>(modules_.size());
  for (const VariableDescription& variable : variables) {
    addresses_.add(variable.address, {variable.size, {}, handle, variable.managed});
    has_managed_ = has_managed_ || variable.managed;
  }
  if (modules_.empty()) first_device_code_ = std::move(ptx);
  modules_.push_back(std::move(module));
  reply_bytes(request, cudaSuccess, records.data());
}

Session::Kernel* Session::find_kernel(const wire::KernelHandle& handle) {
  if (handle.module >= modules_.size() || !modules_[handle.module]) return nullptr;
  auto& kernels = modules_[handle.module]->kernels;
  return handle.kernel < kernels.size() ? &kernels[handle.kernel] : nullptr;
}

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
  context_error_ = cudaErrorLaunchFailure;
  watch_.failed(kernel.display, origin, context_error_);
}

void Session::kernel_attributes(Request& request) {
  const Kernel* kernel = find_kernel(request.as<wire::KernelHandle>());
  if (!kernel) return reply(request, cudaErrorInvalidDeviceFunction);
  wire::KernelAttributes attributes;
  attributes.static_shared_bytes = kernel->description.static_shared_bytes;
  attributes.local_bytes = kernel->description.local_bytes;
  attributes.registers = kernel->description.registers;
  attributes.max_threads = kernel->description.max_threads;
  attributes.max_dynamic_shared_bytes = kernel->max_dynamic_shared_bytes;
  attributes.ptx_version = kernel->ptx_version;
  if (const auto& cluster = kernel->description.required_cluster)
    std::ranges::copy(*cluster, attributes.required_cluster);
  attributes.cluster_must_be_set = kernel->description.explicit_cluster;
  attributes.large_clusters = kernel->large_clusters;
  reply(request, cudaSuccess, attributes);
}

void Session::set_attribute(Request& request) {
  const auto set = request.as<wire::SetAttribute>();
  Kernel* kernel = find_kernel(set.kernel);
  if (!kernel) return reply(request, cudaErrorInvalidDeviceFunction);
  if (set.attribute == cudaFuncAttributePreferredSharedMemoryCarveout)  // a hint
    return reply(request, set.value >= -1 && set.value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
  if (set.attribute == cudaFuncAttributeNonPortableClusterSizeAllowed && has_clusters(model_)) {
    if (set.value != 0 && set.value != 1) return reply(request, cudaErrorInvalidValue);
    kernel->large_clusters = set.value != 0;
    return reply(request, cudaSuccess);
  }
  if (set.attribute == cudaFuncAttributeClusterSchedulingPolicyPreference && has_clusters(model_))  // a hint
    return reply(request, set.value >= 0 && set.value <= cudaClusterSchedulingPolicyLoadBalancing
                              ? cudaSuccess
                              : cudaErrorInvalidValue);
  if (set.attribute >= cudaFuncAttributeClusterDimMustBeSet && set.attribute <= cudaFuncAttributeRequiredClusterDepth) {
    request.unsupported_part = "a cluster size that is an attribute of the kernel";
    return reply(request, cudaErrorNotSupported);
  }
  if (set.attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || set.value < 0)
    return reply(request, cudaErrorInvalidValue);
  const std::uint64_t total =
      std::uint64_t{kernel->description.static_shared_bytes} + static_cast<std::uint32_t>(set.value);
  if (total > model_.shared_bytes_per_block_optin) return reply(request, cudaErrorInvalidValue);
  kernel->max_dynamic_shared_bytes = static_cast<std::uint32_t>(set.value);
  reply(request, cudaSuccess);
}

void Session::occupancy(Request& request) {
  const auto question = request.as<wire::Occupancy>();
  const Kernel* kernel = find_kernel(question.kernel);
  if (!kernel) return reply(request, cudaErrorInvalidDeviceFunction);
  const KernelDescription& description = kernel->description;
  wire::OccupancyResult result;
  if (question.blocks == 0) {
    const std::uint64_t dynamic = std::min<std::uint64_t>(question.dynamic_shared_bytes, model_.global_bytes);
    result.blocks = question.block_threads > description.max_threads
                        ? 0
                        : resident_blocks(model_, {question.block_threads, description.registers,
                                                   description.static_shared_bytes + dynamic});
  } else {
    const std::uint64_t shared = shared_bytes_with(model_, question.blocks, question.block_threads);
    if (shared == 0) return reply(request, cudaErrorInvalidValue);
    result.dynamic_shared_bytes = shared - std::min<std::uint64_t>(shared, description.static_shared_bytes);
  }
  reply(request, cudaSuccess, result);
}

std::uint32_t Session::most_cluster_blocks(const Kernel& kernel) {
  return kernel.large_clusters ? kMostClusterBlocks : kPortableClusterBlocks;
}

/// As an H200 answers, but that the multiprocessors of a device are not told apart: there a cluster's blocks are in one
/// group of them, so that a few clusters less may fit.
void Session::cluster_occupancy(Request& request) {
  const auto question = request.as<wire::ClusterOccupancy>();
  const Kernel* kernel = find_kernel(question.kernel);
  if (!kernel) return reply(request, cudaErrorInvalidDeviceFunction);
  if (!has_clusters(model_)) {
    request.unsupported_part = "a question of clusters to a device that has none";
    return reply(request, cudaErrorNotSupported);
  }
  const KernelDescription& description = kernel->description;
  const Index3 cluster = cluster_asked_for(description, question.cluster);
  const bool mismatch = description.required_cluster && cluster != *description.required_cluster;
  wire::ClusterOccupancyResult result;
  result.most_blocks =
      std::min(most_cluster_blocks(*kernel), description.most_cluster_blocks.value_or(kMostClusterBlocks));
  const bool none = cluster == Index3{};
  const bool huge =
      !none && std::ranges::any_of(cluster, [](std::uint32_t blocks) { return blocks > kMostClusterBlocks; });
  const std::uint64_t blocks = huge ? kMostClusterBlocks + 1 : std::uint64_t{cluster[0]} * cluster[1] * cluster[2];
  const bool too_large = blocks > result.most_blocks;
  if (!none && (mismatch || blocks == 0 || (too_large && !kernel->large_clusters)))
    return reply(request, cudaErrorInvalidClusterSize);
  std::uint64_t threads = 1;
  for (const std::uint32_t extent : question.block) threads *= std::min(extent, 2 * model_.max_threads_per_block);
  if (threads == 0) return reply(request, cudaErrorInvalidValue);
  if (!none && !too_large && threads <= description.max_threads) {
    const std::uint64_t dynamic = std::min<std::uint64_t>(question.dynamic_shared_bytes, model_.global_bytes);
    const std::uint64_t on_each = resident_blocks(model_, {static_cast<std::uint32_t>(threads), description.registers,
                                                           description.static_shared_bytes + dynamic});
    result.clusters = static_cast<std::uint32_t>(on_each * model_.multiprocessors / blocks);
  }
  reply(request, cudaSuccess, result);
}

}  // namespace cudalabs::vgpu
