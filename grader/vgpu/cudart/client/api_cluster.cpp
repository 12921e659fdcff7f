// The runtime API: how many clusters of blocks a device executes at a time, and how large they may be.
#include "vgpu/cudart/client/launch.h"

namespace cudalabs::vgpu::client {
namespace {

cudaError_t ask_for_clusters(std::uint16_t call, CallSite site, int* answer_to, const void* host_function,
                             const cudaLaunchConfig_t* config, std::uint32_t wire::ClusterOccupancyResult::*part) {
  return answer(call, site, [&](Client& self) {
    Function* function = nullptr;
    LaunchOrder order;
    cudaEvent_t completed = nullptr;
    cudaError_t status = self.find_function(host_function, &function);
    if (status == cudaSuccess && (!answer_to || !config)) status = cudaErrorInvalidValue;
    if (status == cudaSuccess) status = read_attributes(config->attrs, config->numAttrs, &order, &completed);
    if (status != cudaSuccess) {
      self.note(status, cudaSuccess, nullptr);
      return status;
    }
    wire::ClusterOccupancy question;
    question.kernel = {function->module->handle, function->index};
    question.cluster[0] = order.cluster.x, question.cluster[1] = order.cluster.y, question.cluster[2] = order.cluster.z;
    question.block[0] = config->blockDim.x, question.block[1] = config->blockDim.y,
    question.block[2] = config->blockDim.z;
    question.dynamic_shared_bytes = config->dynamicSmemBytes;
    wire::ClusterOccupancyResult result;
    status = self.ask(wire::Op::cluster_occupancy, question, &result);
    if (status == cudaSuccess) *answer_to = static_cast<int>(result.*part);
    return status;
  });
}

}  // namespace

CUDALABS_API cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                                        const cudaLaunchConfig_t* config) {
  return ask_for_clusters(wire::call("cudaOccupancyMaxActiveClusters"), call_site(), clusters, function, config,
                          &wire::ClusterOccupancyResult::clusters);
}

CUDALABS_API cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                              const cudaLaunchConfig_t* config) {
  return ask_for_clusters(wire::call("cudaOccupancyMaxPotentialClusterSize"), call_site(), blocks, function, config,
                          &wire::ClusterOccupancyResult::most_blocks);
}

}  // namespace cudalabs::vgpu::client
