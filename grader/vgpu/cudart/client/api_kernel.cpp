// The runtime API: kernel launches, attributes and occupancy, and the configuration stack behind <<<>>>.
#include <string.h>

#include "vgpu/cudart/client/captured_calls.h"
#include "vgpu/cudart/client/launch.h"

namespace cudalabs::vgpu::client {
namespace {

struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  CallSite site;  // of the expression with <<<>>>
};

/// <<<>>> pushes, the kernel's stub pops. Arguments of a launch may launch, so it is a stack, though a shallow one.
constexpr unsigned kMaxConfigurations = 16;
thread_local constinit Configuration configurations[kMaxConfigurations];
thread_local constinit unsigned configuration_count = 0;
/// Set between a stub's pop and its launch: the call site to report, and that nobody sees the launch's status.
thread_local constinit CallSite stub_site;

}  // namespace

cudaError_t gather_parameters(const Function& function, void** arguments, std::byte* parameters) {
  if (function.parameter_bytes > wire::kMaxParameterBytes || (function.parameter_count > 0 && !arguments))
    return cudaErrorInvalidValue;
  memset(parameters, 0, function.parameter_bytes);  // padding between parameters
  for (std::uint32_t i = 0; i < function.parameter_count; ++i) {
    const wire::Parameter& parameter = function.parameters[i];
    if (parameter.offset > function.parameter_bytes || parameter.bytes > function.parameter_bytes - parameter.offset)
      return cudaErrorInvalidValue;
    memcpy(parameters + parameter.offset, arguments[i], parameter.bytes);
  }
  return cudaSuccess;
}

cudaError_t launch_gathered(Client& self, const Function& function, const LaunchOrder& order,
                            const std::byte* parameters, bool status_dropped) {
  struct {
    wire::Launch launch;
    std::byte parameters[wire::kMaxParameterBytes];
  } request;
  const dim3 grid = order.grid, block = order.block;
  request.launch = wire::Launch{};
  request.launch.kernel = {function.module->handle, function.index};
  request.launch.grid[0] = grid.x, request.launch.grid[1] = grid.y, request.launch.grid[2] = grid.z;
  request.launch.block[0] = block.x, request.launch.block[1] = block.y, request.launch.block[2] = block.z;
  request.launch.shared_bytes = order.shared_bytes;
  request.launch.stream = stream_id(order.stream);
  request.launch.parameter_bytes = function.parameter_bytes;
  request.launch.status_dropped = status_dropped;
  request.launch.cooperative = order.cooperative;
  request.launch.cluster[0] = order.cluster.x;
  request.launch.cluster[1] = order.cluster.y;
  request.launch.cluster[2] = order.cluster.z;
  request.launch.captured = order.captured;
  memcpy(request.parameters, parameters, function.parameter_bytes);
  // Page-locked memory that the kernel may use is the device's, too, from now on.
  cudaError_t mapped = self.mapped.map_named(self, request.parameters, function.parameter_bytes);
  for (const Range& range : self.page_locked)
    if (range.wanted && mapped == cudaSuccess) mapped = self.mapped.map(self, range);
  if (mapped != cudaSuccess) return mapped;
  Expected nothing;
  return self.exchange(wire::Op::launch, &request, sizeof(wire::Launch) + function.parameter_bytes, nullptr, nothing);
}

cudaError_t launch_now(Client& self, const void* host_function, const LaunchOrder& order, void** arguments,
                       bool status_dropped) {
  Function* function = nullptr;
  cudaError_t status = self.find_function(host_function, &function);
  if (status != cudaSuccess) {
    self.note(status, cudaSuccess, order.stream);
    return status;
  }
  std::byte parameters[wire::kMaxParameterBytes];
  status = gather_parameters(*function, arguments, parameters);
  return status == cudaSuccess ? launch_gathered(self, *function, order, parameters, status_dropped) : status;
}

bool can_be_launched(const Client& self, dim3 grid, dim3 block) {
  const auto fits = [](const dim3& size, const std::uint32_t* most) {
    return size.x - 1 < most[0] && size.y - 1 < most[1] && size.z - 1 < most[2];
  };
  return fits(grid, self.device.max_grid_dim) && fits(block, self.device.max_block_dim) &&
         std::uint64_t{block.x} * block.y * block.z <= self.device.max_threads_per_block;
}

namespace {

cudaError_t launch(Client& self, const void* host_function, const LaunchOrder& order, void** arguments,
                   bool status_dropped) {
  const Captured captured = capture_launch(self, host_function, order, arguments);
  return captured.done ? captured.status : launch_now(self, host_function, order, arguments, status_dropped);
}

cudaError_t launch(std::uint16_t call, CallSite site, const void* host_function, const LaunchOrder& order,
                   void** arguments) {
  const CallSite stub = stub_site;
  stub_site = {};
  const bool from_stub = stub.address != nullptr;
  return answer(call, from_stub ? stub : site,
                [&](Client& self) { return launch(self, host_function, order, arguments, from_stub); });
}

}  // namespace

cudaError_t read_attributes(const cudaLaunchAttribute* attributes, unsigned int count, LaunchOrder* order,
                            cudaEvent_t* completed) {
  if (count > 0 && !attributes) return cudaErrorInvalidValue;
  for (unsigned int i = 0; i < count; ++i) {
    const cudaLaunchAttribute& attribute = attributes[i];
    const cudaLaunchAttributeValue& value = attribute.val;
    switch (attribute.id) {
      case cudaLaunchAttributeCooperative:
        order->cooperative = value.cooperative != 0;
        break;
      case cudaLaunchAttributeClusterDimension: {
        if (value.clusterDim.x == 0 || value.clusterDim.y == 0 || value.clusterDim.z == 0)
          return cudaErrorInvalidClusterSize;
        order->cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
        break;
      }
      // A block reaches the event when it says so or ends: at the latest when the kernel is done, as it is here.
      case cudaLaunchAttributeProgrammaticEvent:
        *completed = value.programmaticEvent.event;
        break;
      case cudaLaunchAttributeLaunchCompletionEvent:
        *completed = value.launchCompletionEvent.event;
        break;
      // Hints about caches and scheduling, and leave to begin before the kernel in front has ended: kernels run one
      // after another here, which all of these allow.
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributeAccessPolicyWindow:
      case cudaLaunchAttributeSynchronizationPolicy:
      case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      case cudaLaunchAttributeProgrammaticStreamSerialization:
      case cudaLaunchAttributePriority:
      case cudaLaunchAttributeMemSyncDomainMap:
      case cudaLaunchAttributeMemSyncDomain:
      case cudaLaunchAttributePreferredClusterDimension:
      case cudaLaunchAttributePreferredSharedMemoryCarveout:
      case cudaLaunchAttributeNvlinkUtilCentricScheduling:
        break;
      default:
        return cudaErrorInvalidValue;
    }
  }
  return cudaSuccess;
}

namespace {

/// cudaLaunchKernelEx of nvcc's header, and a lambda in it.
constexpr unsigned kLaunchWrappers = 2;

cudaError_t launch_as_configured(CallSite site, const cudaLaunchConfig_t* config, const void* function,
                                 void** arguments) {
  return answer(wire::call("cudaLaunchKernelExC"), site, [&](Client& self) {
    LaunchOrder order;
    cudaEvent_t completed = nullptr;
    cudaError_t status = cudaErrorInvalidValue;
    if (config) {
      order = {config->gridDim, config->blockDim, config->dynamicSmemBytes,
               config->stream ? config->stream : default_stream()};
      status = read_attributes(config->attrs, config->numAttrs, &order, &completed);
    }
    if (status != cudaSuccess) {
      self.note(status, cudaSuccess, order.stream);
      return status;
    }
    status = launch(self, function, order, arguments, false);
    if (status != cudaSuccess || !completed) return status;
    if (const Captured recorded = capture_record(self, order.stream, completed, false); recorded.done)
      return recorded.status;
    return self.ask(wire::Op::event_record, wire::StreamEvent{stream_id(order.stream), event_id(completed)});
  });
}

/// Runs `body(function)` for a registered kernel.
template <class Body>
cudaError_t with_kernel(std::uint16_t call, CallSite site, const void* host_function, Body&& body) {
  return answer(call, site, [&](Client& self) {
    Function* function = nullptr;
    const cudaError_t status = self.find_function(host_function, &function);
    if (status != cudaSuccess) {
      self.note(status, cudaSuccess, nullptr);
      return status;
    }
    return body(self, wire::KernelHandle{function->module->handle, function->index}, *function);
  });
}

cudaError_t kernel_of(cudaKernel_t* kernel, const void* function) {
  Lock lock;
  for (const Function& known : client().functions) {
    if (known.host != function) continue;
    *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
    return cudaSuccess;
  }
  return cudaErrorInvalidDeviceFunction;
}

cudaError_t max_active_blocks(std::uint16_t call, CallSite site, int* blocks, const void* function, int block_size,
                              std::size_t dynamic_shared_bytes, unsigned int flags) {
  return with_kernel(call, site, function, [&](Client& self, wire::KernelHandle kernel, Function&) {
    if (!blocks || block_size <= 0 || flags > cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
    wire::OccupancyResult result;
    const cudaError_t status =
        self.ask(wire::Op::occupancy,
                 wire::Occupancy{kernel, static_cast<std::uint32_t>(block_size), 0, dynamic_shared_bytes}, &result);
    if (status == cudaSuccess) *blocks = static_cast<int>(result.blocks);
    return status;
  });
}

}  // namespace

CUDALABS_API unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void* stream) {
  if (configuration_count == kMaxConfigurations) return 1;
  configurations[configuration_count++] = {grid, block, shared_bytes, static_cast<cudaStream_t>(stream), call_site()};
  return 0;
}

CUDALABS_API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  if (configuration_count == 0) return remember(cudaErrorMissingConfiguration);
  const Configuration& configuration = configurations[--configuration_count];
  *grid = configuration.grid;
  *block = configuration.block;
  *shared_bytes = configuration.shared_bytes;
  memcpy(stream, &configuration.stream, sizeof configuration.stream);
  stub_site = {configuration.site.address, nullptr};  // its frame is gone by the time of the launch
  return cudaSuccess;
}

CUDALABS_API cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                          size_t shared_bytes, cudaStream_t stream) {
  return launch(wire::call("cudaLaunchKernel"), call_site(), function, {grid, block, shared_bytes, stream}, arguments);
}

CUDALABS_API cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                                     size_t shared_bytes, cudaStream_t stream) {
  return launch(wire::call("cudaLaunchCooperativeKernel"), call_site(), function,
                {grid, block, shared_bytes, stream, true}, arguments);
}

CUDALABS_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  return launch_as_configured(call_site(kLaunchWrappers), config, function, arguments);
}

// nvcc 13 asks once for a kernel's handle and launches by it; the handle is the stub's address.
CUDALABS_API cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  return kernel_of(kernel, function);
}

CUDALABS_API cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  return remember(kernel ? kernel_of(kernel, function) : cudaErrorInvalidValue);
}

CUDALABS_API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                            size_t shared_bytes, cudaStream_t stream) {
  return launch(wire::call("cudaLaunchKernel"), call_site(), kernel, {grid, block, shared_bytes, stream}, arguments);
}

CUDALABS_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return with_kernel(wire::call("cudaFuncGetAttributes"), call_site(), function,
                     [&](Client& self, wire::KernelHandle kernel, Function&) {
                       if (!attributes) return cudaErrorInvalidValue;
                       wire::KernelAttributes info;
                       const cudaError_t status = self.ask(wire::Op::kernel_attributes, kernel, &info);
                       if (status != cudaSuccess) return status;
                       *attributes = cudaFuncAttributes{};
                       attributes->sharedSizeBytes = info.static_shared_bytes;
                       attributes->constSizeBytes = info.constant_bytes;
                       attributes->localSizeBytes = info.local_bytes;
                       attributes->maxThreadsPerBlock = static_cast<int>(info.max_threads);
                       attributes->numRegs = static_cast<int>(info.registers);
                       attributes->ptxVersion = static_cast<int>(info.ptx_version);
                       attributes->binaryVersion =
                           static_cast<int>(self.device.compute_major * 10 + self.device.compute_minor);
                       attributes->maxDynamicSharedSizeBytes = static_cast<int>(info.max_dynamic_shared_bytes);
                       attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
                       attributes->clusterDimMustBeSet = static_cast<int>(info.cluster_must_be_set);
                       attributes->requiredClusterWidth = static_cast<int>(info.required_cluster[0]);
                       attributes->requiredClusterHeight = static_cast<int>(info.required_cluster[1]);
                       attributes->requiredClusterDepth = static_cast<int>(info.required_cluster[2]);
                       attributes->nonPortableClusterSizeAllowed = static_cast<int>(info.large_clusters);
                       return cudaSuccess;
                     });
}

CUDALABS_API cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return with_kernel(wire::call("cudaFuncSetAttribute"), call_site(), function,
                     [&](Client& self, wire::KernelHandle kernel, Function&) {
                       return self.ask(wire::Op::set_attribute, wire::SetAttribute{kernel, attribute, value});
                     });
}

CUDALABS_API cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return with_kernel(wire::call("cudaFuncSetCacheConfig"), call_site(), function,
                     [](Client& self, wire::KernelHandle, Function&) {
                       self.note(cudaSuccess, cudaSuccess, nullptr);
                       return cudaSuccess;
                     });
}

CUDALABS_API cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return with_kernel(wire::call("cudaFuncSetSharedMemConfig"), call_site(), function,
                     [](Client& self, wire::KernelHandle, Function&) {
                       self.note(cudaSuccess, cudaSuccess, nullptr);
                       return cudaSuccess;
                     });
}

CUDALABS_API cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return with_kernel(wire::call("cudaFuncGetName"), call_site(), function,
                     [&](Client& self, wire::KernelHandle, Function& found) {
                       const cudaError_t status = name ? cudaSuccess : cudaErrorInvalidValue;
                       if (name) *name = found.name;
                       self.note(status, cudaSuccess, nullptr);
                       return status;
                     });
}

CUDALABS_API cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* size) {
  return with_kernel(wire::call("cudaFuncGetParamInfo"), call_site(), function,
                     [&](Client& self, wire::KernelHandle, Function& found) {
                       const bool valid = offset && index < found.parameter_count;
                       const cudaError_t status = valid ? cudaSuccess : cudaErrorInvalidValue;
                       if (valid) *offset = found.parameters[index].offset;
                       if (valid && size) *size = found.parameters[index].bytes;
                       self.note(status, cudaSuccess, nullptr);
                       return status;
                     });
}

CUDALABS_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                                       int block_size, size_t dynamic_shared_bytes) {
  return max_active_blocks(wire::call("cudaOccupancyMaxActiveBlocksPerMultiprocessor"), call_site(), blocks, function,
                           block_size, dynamic_shared_bytes, cudaOccupancyDefault);
}

CUDALABS_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                                int block_size,
                                                                                size_t dynamic_shared_bytes,
                                                                                unsigned int flags) {
  return max_active_blocks(wire::call("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"), call_site(), blocks,
                           function, block_size, dynamic_shared_bytes, flags);
}

CUDALABS_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamic_shared_bytes, const void* function,
                                                                   int blocks, int block_size) {
  return with_kernel(
      wire::call("cudaOccupancyAvailableDynamicSMemPerBlock"), call_site(), function,
      [&](Client& self, wire::KernelHandle kernel, Function&) {
        if (!dynamic_shared_bytes || blocks <= 0 || block_size <= 0) return cudaErrorInvalidValue;
        wire::OccupancyResult result;
        const cudaError_t status = self.ask(
            wire::Op::occupancy,
            wire::Occupancy{kernel, static_cast<std::uint32_t>(block_size), static_cast<std::uint32_t>(blocks), 0},
            &result);
        if (status == cudaSuccess) *dynamic_shared_bytes = result.dynamic_shared_bytes;
        return status;
      });
}

}  // namespace cudalabs::vgpu::client
