// The session's kernels: attributes and occupancy.
#include <algorithm>

#include "vgpu/cudart/server/launch_check.h"
#include "vgpu/cudart/server/session_types.h"
#include "vgpu/launch_limits.h"
#include "vgpu/model/occupancy.h"

namespace cudalabs::vgpu {

Session::Kernel* Session::find_kernel(const wire::KernelHandle& handle) {
  if (handle.module >= modules_.size() || !modules_[handle.module]) return nullptr;
  auto& kernels = modules_[handle.module]->kernels;
  return handle.kernel < kernels.size() ? &kernels[handle.kernel] : nullptr;
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
