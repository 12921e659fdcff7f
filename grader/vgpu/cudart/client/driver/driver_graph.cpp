// The driver API: nodes of graphs where it describes them in another way than the runtime: kernels, which may be named
// by two handles and have their arguments in a buffer, copies, and what names a context.
#include "vgpu/cudart/client/driver/driver_copy.h"
#include "vgpu/cudart/client/driver/driver_launch.h"

namespace cudalabs::vgpu::client::driver {
namespace {

/// CUDA_KERNEL_NODE_PARAMS.
struct KernelNode {
  KernelHandle function;
  unsigned int grid[3], block[3], shared_bytes;
  void** arguments;
  void** extra;
  KernelHandle kernel;  // counts where there is no function
  Context* context;
};

/// CUDA_MEMCPY_NODE_PARAMS.
struct CopyNode {
  int flags, reserved;
  Context* context;
  Copy3D copy;
};

/// CUgraphNodeParams: what other nodes have is as the runtime has it.
struct AnyNode {
  cudaGraphNodeType type;
  int reserved[3];
  union {
    KernelNode kernel;
    CopyNode copy;
    long long room[29];
  } of;
  long long end;
};
static_assert(sizeof(KernelNode) == 72 && sizeof(AnyNode) == sizeof(cudaGraphNodeParams));
constexpr int kBatchOfMemoryOperations = 12;

/// `set(parameters)` with the runtime's for this kernel.
template <class Set>
int with_kernel_node(const KernelNode* node, Set&& set) {
  if (!node) return kInvalidValue;
  if (const Result known = check_context(node->context); known != kSuccess) return known;
  const KernelHandle kernel = node->function ? node->function : node->kernel;
  return with_arguments(kernel, node->arguments, node->extra, [&](void** arguments) {
    const cudaKernelNodeParams parameters{const_cast<void*>(kernel),
                                          dim3(node->grid[0], node->grid[1], node->grid[2]),
                                          dim3(node->block[0], node->block[1], node->block[2]),
                                          node->shared_bytes,
                                          arguments,
                                          nullptr};
    return set(&parameters);
  });
}

/// The same for a copy, and the context that it is to run in.
template <class Set>
int with_copy_node(const Copy3D* copy, const Context* context, Set&& set) {
  return in_context([&]() -> int {
    cudaMemcpy3DParms parameters;
    Result known = check_context(context);
    if (known == kSuccess) known = copy == nullptr ? kInvalidValue : of_runtime(*copy, false, &parameters);
    return known == kSuccess ? result_of(set(&parameters)) : known;
  });
}

/// `set(parameters)` with the runtime's for a node of any kind.
template <class Set>
int with_any_node(AnyNode* node, Set&& set) {
  return in_context([&]() -> int {
    if (!node) return kInvalidValue;
    alignas(cudaGraphNodeParams) unsigned char room[sizeof(cudaGraphNodeParams)] = {};
    auto& asked = reinterpret_cast<cudaGraphNodeParams&>(room);
    asked.type = node->type;
    switch (static_cast<int>(node->type)) {
      case cudaGraphNodeTypeKernel:
        return with_kernel_node(&node->of.kernel, [&](const cudaKernelNodeParams* kernel) {
          asked.kernel = {kernel->func,           kernel->gridDim,      kernel->blockDim,
                          kernel->sharedMemBytes, kernel->kernelParams, nullptr};
          return set(&asked);
        });
      case cudaGraphNodeTypeMemcpy:
        if (node->of.copy.flags != 0 || node->of.copy.reserved != 0) return kInvalidValue;
        return with_copy_node(&node->of.copy.copy, node->of.copy.context, [&](const cudaMemcpy3DParms* copy) {
          asked.memcpy.copyParams = *copy;
          return set(&asked);
        });
      case kBatchOfMemoryOperations:
        return result_of(answer_here(wire::call("cudaGraphAddNode"), {}, [](Client& self) {
          return refuse_part(self, wire::UnsupportedPart::memory_operations_node);
        }));
      default:
        return result_of(set(reinterpret_cast<cudaGraphNodeParams*>(node)));
    }
  });
}

/// `call(context is one)` for a function whose last argument is a context.
template <class Call>
int with_context_argument(const Context* context, Call&& call) {
  return in_context([&]() -> int {
    const Result known = check_context(context);
    return known == kSuccess ? result_of(call()) : known;
  });
}

}  // namespace

CUDALABS_API int cuGraphAddKernelNode_v2(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                         std::size_t count, const KernelNode* parameters) {
  CUDALABS_DRIVER_CALL("cuGraphAddKernelNode_v2");
  return with_kernel_node(parameters, [&](const cudaKernelNodeParams* kernel) {
    return cudaGraphAddKernelNode(node, graph, dependencies, count, kernel);
  });
}

CUDALABS_API int cuGraphKernelNodeGetParams_v2(cudaGraphNode_t node, KernelNode* parameters) {
  CUDALABS_DRIVER_CALL("cuGraphKernelNodeGetParams_v2");
  return in_context([&] {
    cudaKernelNodeParams known{};
    const Result result = result_of(cudaGraphKernelNodeGetParams(node, parameters ? &known : nullptr));
    if (result != kSuccess) return result;
    *parameters = {known.func,
                   {known.gridDim.x, known.gridDim.y, known.gridDim.z},
                   {known.blockDim.x, known.blockDim.y, known.blockDim.z},
                   known.sharedMemBytes,
                   known.kernelParams,
                   nullptr,
                   nullptr,
                   current_context()};
    return kSuccess;
  });
}

CUDALABS_API int cuGraphKernelNodeSetParams_v2(cudaGraphNode_t node, const KernelNode* parameters) {
  CUDALABS_DRIVER_CALL("cuGraphKernelNodeSetParams_v2");
  return with_kernel_node(
      parameters, [&](const cudaKernelNodeParams* kernel) { return cudaGraphKernelNodeSetParams(node, kernel); });
}

CUDALABS_API int cuGraphExecKernelNodeSetParams_v2(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                   const KernelNode* parameters) {
  CUDALABS_DRIVER_CALL("cuGraphExecKernelNodeSetParams_v2");
  return with_kernel_node(parameters, [&](const cudaKernelNodeParams* kernel) {
    return cudaGraphExecKernelNodeSetParams(executable, node, kernel);
  });
}

CUDALABS_API int cuGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                      std::size_t count, const Copy3D* copy, const Context* context) {
  CUDALABS_DRIVER_CALL("cuGraphAddMemcpyNode");
  return with_copy_node(copy, context, [&](const cudaMemcpy3DParms* parameters) {
    return cudaGraphAddMemcpyNode(node, graph, dependencies, count, parameters);
  });
}

CUDALABS_API int cuGraphMemcpyNodeGetParams(cudaGraphNode_t node, Copy3D* copy) {
  CUDALABS_DRIVER_CALL("cuGraphMemcpyNodeGetParams");
  return in_context([&] {
    cudaMemcpy3DParms known{};
    const Result result = result_of(cudaGraphMemcpyNodeGetParams(node, copy ? &known : nullptr));
    return result == kSuccess ? of_driver(known, copy) : result;
  });
}

CUDALABS_API int cuGraphMemcpyNodeSetParams(cudaGraphNode_t node, const Copy3D* copy) {
  CUDALABS_DRIVER_CALL("cuGraphMemcpyNodeSetParams");
  return with_copy_node(copy, nullptr, [&](const cudaMemcpy3DParms* parameters) {
    return cudaGraphMemcpyNodeSetParams(node, parameters);
  });
}

CUDALABS_API int cuGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, const Copy3D* copy,
                                                const Context* context) {
  CUDALABS_DRIVER_CALL("cuGraphExecMemcpyNodeSetParams");
  return with_copy_node(copy, context, [&](const cudaMemcpy3DParms* parameters) {
    return cudaGraphExecMemcpyNodeSetParams(executable, node, parameters);
  });
}

CUDALABS_API int cuGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                      std::size_t count, const cudaMemsetParams* fill, const Context* context) {
  CUDALABS_DRIVER_CALL("cuGraphAddMemsetNode");
  return with_context_argument(context, [&] { return cudaGraphAddMemsetNode(node, graph, dependencies, count, fill); });
}

CUDALABS_API int cuGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                const cudaMemsetParams* fill, const Context* context) {
  CUDALABS_DRIVER_CALL("cuGraphExecMemsetNodeSetParams");
  return with_context_argument(context, [&] { return cudaGraphExecMemsetNodeSetParams(executable, node, fill); });
}

CUDALABS_API int cuGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                                const Context* context, unsigned int value, unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuGraphConditionalHandleCreate");
  return with_context_argument(context, [&] { return cudaGraphConditionalHandleCreate(handle, graph, value, flags); });
}

CUDALABS_API int cuGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   const cudaGraphEdgeData* edges, std::size_t count, AnyNode* parameters) {
  CUDALABS_DRIVER_CALL("cuGraphAddNode_v2");
  return with_any_node(parameters, [&](cudaGraphNodeParams* asked) {
    return cudaGraphAddNode(node, graph, dependencies, edges, count, asked);
  });
}

CUDALABS_API int cuGraphNodeSetParams(cudaGraphNode_t node, AnyNode* parameters) {
  CUDALABS_DRIVER_CALL("cuGraphNodeSetParams");
  return with_any_node(parameters, [&](cudaGraphNodeParams* asked) { return cudaGraphNodeSetParams(node, asked); });
}

CUDALABS_API int cuGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, AnyNode* parameters) {
  CUDALABS_DRIVER_CALL("cuGraphExecNodeSetParams");
  return with_any_node(parameters,
                       [&](cudaGraphNodeParams* asked) { return cudaGraphExecNodeSetParams(executable, node, asked); });
}

}  // namespace cudalabs::vgpu::client::driver
