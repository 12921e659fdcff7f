// Distances in a graph by breadth-first search, a launch for each level. Right, because a node is claimed by
// compare-and-swap, so one thread appends it, places in the next list come from an atomic, and launches in one stream
// follow each other.
#include <cuda_runtime.h>

#include <vector>

constexpr int kNodes = 300, kDegree = 3;

__global__ void expand(const int* edges, const int* frontier, int size, int* distances, int* next, int* next_size,
                       int level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // MUTANT off-by-one `i >= size` -> `i > size` (uninitialised): the list's entry behind its last one has no value.
  // MUTANT guard-dropped (uninitialised|bounds): threads read entries that nobody has written.
  if (i >= size) return;
  for (int k = 0; k < kDegree; ++k) {
    // MUTANT index-swapped `frontier[i] * kDegree + k` -> `frontier[i] * kDegree + k + kDegree` (bounds): the edges of
    // node 300.
    const int node = edges[frontier[i] * kDegree + k];
    // MUTANT atomic-weakened `atomicCAS(&distances[node], -1, level) == -1` -> `distances[node] == -1 &&
    // (distances[node] = level) == level` (race): two threads may both find -1 and append the node.
    // MUTANT atomic-narrowed `atomicCAS` -> `atomicCAS_block` (race): several blocks claim nodes.
    if (atomicCAS(&distances[node], -1, level) == -1) {
      // MUTANT atomic-weakened `atomicAdd(next_size, 1)` -> `(*next_size)++` (race): two threads may get one place.
      next[atomicAdd(next_size, 1)] = node;
    }
  }
}

int main() {
  std::vector<int> edges(kNodes * kDegree), distances(kNodes, -1), expected(kNodes, -1);
  for (int i = 0; i < kNodes * kDegree; ++i)
    edges[i] = (i / kDegree * (2 + i % kDegree) + 1 + i % kDegree * 7) % kNodes;
  int *d_edges = nullptr, *d_distances = nullptr, *d_size = nullptr, *d_lists[2] = {};
  cudaMalloc(&d_edges, edges.size() * sizeof(int));
  cudaMalloc(&d_distances, kNodes * sizeof(int));
  cudaMalloc(&d_size, sizeof(int));
  for (int*& list : d_lists) cudaMalloc(&list, kNodes * sizeof(int));
  cudaMemcpy(d_edges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice);
  distances[0] = 0;
  // MUTANT initialisation-skipped (uninitialised): distances are compared with what lay there.
  cudaMemcpy(d_distances, distances.data(), kNodes * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_lists[0], 0, sizeof(int));
  int size = 1;
  for (int level = 1; size > 0; ++level) {
    // MUTANT initialisation-skipped (uninitialised|bounds): the first place in the next list is whatever lay there.
    cudaMemset(d_size, 0, sizeof(int));
    expand<<<(size + 31) / 32, 32>>>(d_edges, d_lists[(level + 1) % 2], size, d_distances, d_lists[level % 2], d_size,
                                     level);
    if (cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess || size > kNodes) return 2;
  }
  const cudaError_t error = cudaMemcpy(distances.data(), d_distances, kNodes * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_edges);
  cudaFree(d_distances);
  cudaFree(d_size);
  // MUTANT free-forgotten (leak): two lists stay allocated.
  for (int* list : d_lists) cudaFree(list);
  if (error != cudaSuccess) return 2;
  std::vector<int> queue = {0};
  expected[0] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (int k = 0; k < kDegree; ++k) {
      const int node = edges[queue[at] * kDegree + k];
      if (expected[node] == -1) expected[node] = expected[queue[at]] + 1, queue.push_back(node);
    }
  }
  return distances == expected ? 0 : 1;
}
