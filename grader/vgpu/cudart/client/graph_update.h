// Updates of executable graphs by a graph that is made alike.
#pragma once

#include "vgpu/cudart/client/graph_exec.h"

namespace cudalabs::vgpu::client {

/// Takes what the graph's nodes do, unless something else differs; cudaErrorGraphExecUpdateFailure with the reason.
cudaError_t update(Executable& executable, const Graph& graph, cudaGraphExecUpdateResultInfo* result);

}  // namespace cudalabs::vgpu::client
