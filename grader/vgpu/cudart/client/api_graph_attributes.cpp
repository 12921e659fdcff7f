// The runtime API: attributes of kernel nodes, which are those of launches.
#include <stdlib.h>
#include <string.h>

#include "vgpu/cudart/client/graph_of_call.h"
#include "vgpu/cudart/client/launch.h"

namespace cudalabs::vgpu::client {
namespace {

/// Keeps an attribute, and does what it asks for.
cudaError_t set_attribute(KernelCommand& kernel, cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
  cudaLaunchAttribute attribute;
  memset(&attribute, 0, sizeof attribute);
  attribute.id = id;
  attribute.val = value;
  LaunchOrder order;
  cudaEvent_t completed = nullptr;
  const cudaError_t status = read_attributes(&attribute, 1, &order, &completed);
  if (status != cudaSuccess || completed != nullptr) return cudaErrorInvalidValue;
  if (kernel.attributes == nullptr)
    kernel.attributes =
        static_cast<cudaLaunchAttributeValue*>(calloc(kLaunchAttributes, sizeof(cudaLaunchAttributeValue)));
  if (kernel.attributes == nullptr) return cudaErrorMemoryAllocation;
  kernel.attributes[id] = value;
  if (id == cudaLaunchAttributeCooperative) kernel.cooperative = order.cooperative;
  if (id == cudaLaunchAttributeClusterDimension) kernel.cluster = order.cluster;
  return cudaSuccess;
}

}  // namespace

CUDALABS_API cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaKernelNodeAttrID attribute,
                                                         const cudaKernelNodeAttrValue* value) {
  return with_node(wire::call("cudaGraphKernelNodeSetAttribute"), call_site(), handle, cudaGraphNodeTypeKernel,
                   [&](Client&, Node& node) {
                     return value == nullptr ? cudaErrorInvalidValue
                                             : set_attribute(node.command.kernel, attribute, *value);
                   });
}

CUDALABS_API cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaKernelNodeAttrID attribute,
                                                         cudaKernelNodeAttrValue* value) {
  return with_node(wire::call("cudaGraphKernelNodeGetAttribute"), call_site(), handle, cudaGraphNodeTypeKernel,
                   [&](Client&, Node& node) {
                     if (value == nullptr || static_cast<unsigned>(attribute) >= kLaunchAttributes)
                       return cudaErrorInvalidValue;
                     const KernelCommand& kernel = node.command.kernel;
                     if (kernel.attributes != nullptr) {
                       *value = kernel.attributes[attribute];
                     } else {
                       memset(value, 0, sizeof *value);
                     }
                     if (attribute == cudaLaunchAttributeClusterDimension)
                       value->clusterDim = {kernel.cluster.x, kernel.cluster.y, kernel.cluster.z};
                     if (attribute == cudaLaunchAttributeCooperative) value->cooperative = kernel.cooperative ? 1 : 0;
                     return cudaSuccess;
                   });
}

CUDALABS_API cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return with_node(wire::call("cudaGraphKernelNodeCopyAttributes"), call_site(), to, cudaGraphNodeTypeKernel,
                   [&](Client&, Node& node) {
                     const Node* const other = node_of(from);
                     if (other == nullptr || other->command.type != cudaGraphNodeTypeKernel)
                       return cudaErrorInvalidValue;
                     KernelCommand& kernel = node.command.kernel;
                     const KernelCommand& source = other->command.kernel;
                     kernel.cooperative = source.cooperative;
                     kernel.cluster = source.cluster;
                     if (source.attributes == nullptr || &kernel == &source) return cudaSuccess;
                     const std::size_t bytes = kLaunchAttributes * sizeof(cudaLaunchAttributeValue);
                     if (kernel.attributes == nullptr)
                       kernel.attributes = static_cast<cudaLaunchAttributeValue*>(malloc(bytes));
                     if (kernel.attributes == nullptr) return cudaErrorMemoryAllocation;
                     memcpy(kernel.attributes, source.attributes, bytes);
                     return cudaSuccess;
                   });
}

}  // namespace cudalabs::vgpu::client
