// Blocks append to a list under a ticket lock. Right, because each ticket is given once, only its owner proceeds, and
// fences stand behind the wait and before the next ticket is called.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

constexpr int kBlocks = 6;

struct List {
  unsigned next_ticket, now_serving;
  int length;
  int values[kBlocks];
};

__global__ void append(List* list) {
  if (threadIdx.x != 0) return;
  const unsigned ticket = atomicAdd(&list->next_ticket, 1u);
  // MUTANT guard-dropped `atomicAdd(&list->now_serving, 0u) != ticket` -> `false` (race): nobody waits for the turn.
  while (atomicAdd(&list->now_serving, 0u) != ticket) {
  }
  // MUTANT fence-dropped (race): the length may be read before it is this block's turn.
  __threadfence();
  // MUTANT off-by-one `list->values[list->length]` -> `list->values[list->length + 1]` (bounds): the last block writes
  // behind the list.
  list->values[list->length] = blockIdx.x;
  ++list->length;
  // MUTANT fence-dropped (race): the next ticket may be called before the value is there.
  // MUTANT fence-weakened (race): a fence of the block orders nothing for other blocks.
  // MUTANT fence-duplicated (none): changes no order.
  __threadfence();
  // MUTANT atomic-narrowed (race): block scope does not reach the others, who wait for it.
  atomicAdd(&list->now_serving, 1u);
}

int main() {
  List* d_list = nullptr;
  List list = {};
  cudaMalloc(&d_list, sizeof(List));
  // MUTANT initialisation-skipped (uninitialised): tickets and length begin with what lay there.
  cudaMemset(d_list, 0, sizeof(List));
  append<<<kBlocks, 32>>>(d_list);
  const cudaError_t error = cudaMemcpy(&list, d_list, sizeof(List), cudaMemcpyDeviceToHost);
  // MUTANT free-forgotten (leak): nobody else frees it.
  cudaFree(d_list);
  if (error != cudaSuccess) return 2;
  std::sort(list.values, list.values + kBlocks);
  for (int i = 0; i < kBlocks; ++i) {
    if (list.values[i] != i) return 1;
  }
  return list.length == kBlocks ? 0 : 1;
}
