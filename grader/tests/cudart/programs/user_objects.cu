// Memory of the host that a graph keeps: its destructor runs when the last executable graph of it has gone.
#include "check.h"

struct Numbers {
  int sum = 0, count = 8;
};

static int deleted = 0;

static void delete_numbers(void* numbers) {
  delete static_cast<Numbers*>(numbers);
  ++deleted;
}

static void add(void* numbers) {
  Numbers& all = *static_cast<Numbers*>(numbers);
  for (int i = 0; i < all.count; ++i) all.sum += i;
}

static void print(void* numbers) {
  expect(static_cast<Numbers*>(numbers)->sum == 28, "the graph's own memory");
}

int main() {
  auto* const numbers = new Numbers;
  cudaUserObject_t object;
  CHECK(cudaUserObjectCreate(&object, numbers, delete_numbers, 1, cudaUserObjectNoDestructorSync));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaLaunchHostFunc(stream, add, numbers));
  CHECK(cudaLaunchHostFunc(stream, print, numbers));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaDeviceSynchronize());
  expect(deleted == 1, "deleted once");
  CHECK(cudaStreamDestroy(stream));
}
