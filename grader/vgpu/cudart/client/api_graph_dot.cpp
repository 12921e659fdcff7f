// The runtime API: a graph as text for Graphviz.
#include <stdio.h>

#include "vgpu/cudart/client/graph_of_call.h"

namespace cudalabs::vgpu::client {
namespace {

const char* name_of(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "kernel";
    case cudaGraphNodeTypeMemcpy:
      return "memcpy";
    case cudaGraphNodeTypeMemset:
      return "memset";
    case cudaGraphNodeTypeHost:
      return "host function";
    case cudaGraphNodeTypeGraph:
      return "child graph";
    case cudaGraphNodeTypeWaitEvent:
      return "event wait";
    case cudaGraphNodeTypeEventRecord:
      return "event record";
    case cudaGraphNodeTypeMemAlloc:
      return "allocation";
    case cudaGraphNodeTypeMemFree:
      return "free";
    case cudaGraphNodeTypeConditional:
      return "conditional";
    default:
      return "empty";
  }
}

const char* kernel_name(const Client& self, const void* host) {
  for (const Function& function : self.functions)
    if (function.host == host) return function.name;
  return "?";
}

void print(const Client& self, const Graph& graph, FILE* to);

void print_inner(const Client& self, const Graph& graph, FILE* to) {
  fprintf(to, "  subgraph cluster%llu {\n", graph.id);
  print(self, graph, to);
  fputs("  }\n", to);
}

void print(const Client& self, const Graph& graph, FILE* to) {
  for (const Node* node : graph.nodes) {
    const Command& command = node->command;
    if (command.type == cudaGraphNodeTypeKernel) {
      const dim3 &grid = command.kernel.grid, &block = command.kernel.block;
      fprintf(to, "  n%llu [label=\"%s\\ngrid %ux%ux%u block %ux%ux%u\"];\n", node->id,
              kernel_name(self, command.kernel.function), grid.x, grid.y, grid.z, block.x, block.y, block.z);
    } else {
      fprintf(to, "  n%llu [label=\"%s\"];\n", node->id, name_of(command.type));
    }
    for (const Node* after : node->after) fprintf(to, "  n%llu -> n%llu;\n", node->id, after->id);
    if (command.child != nullptr) print_inner(self, *command.child, to);
    for (unsigned i = 0; i < command.conditional.count; ++i) print_inner(self, *command.conditional.bodies[i], to);
  }
}

}  // namespace

CUDALABS_API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned int) {
  return with_graph(wire::call("cudaGraphDebugDotPrint"), call_site(), handle, [&](Client& self, Graph& graph) {
    FILE* const to = path == nullptr ? nullptr : fopen(path, "w");
    if (to == nullptr) return cudaErrorOperatingSystem;
    fprintf(to, "digraph graph_%llu {\n", graph.id);
    print(self, graph, to);
    fputs("}\n", to);
    return fclose(to) == 0 ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

}  // namespace cudalabs::vgpu::client
