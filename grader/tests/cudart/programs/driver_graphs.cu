// Graphs, memory pools, captures and copies of slices by the CUDA driver API. With an argument: two nodes without
// order.
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int kCount = 64;

void check(const char* what, bool holds) {
  std::printf("%s: %s\n", what, holds ? "right" : "WRONG");
}
bool fine(CUresult result) {
  return result == CUDA_SUCCESS;
}

__global__ void add(int* values, int more) {
  values[threadIdx.x] += more;
}

void count_call(void* calls) {
  ++*static_cast<int*>(calls);
}

CUfunction function_of(const void* kernel) {
  cudaFunction_t found = nullptr;
  cudaGetFuncBySymbol(&found, kernel);
  return found;
}

CUDA_KERNEL_NODE_PARAMS launch_of(CUfunction function, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS kernel{};
  kernel.func = function;
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = kCount;
  kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = arguments;
  return kernel;
}

CUDA_MEMSET_NODE_PARAMS fill_of(CUdeviceptr to, unsigned value) {
  CUDA_MEMSET_NODE_PARAMS fill{};
  fill.dst = to;
  fill.value = value;
  fill.elementSize = 4;
  fill.width = kCount;
  fill.height = 1;
  return fill;
}

CUDA_MEMCPY3D copy_of(CUdeviceptr from, int* to) {
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to;
  copy.WidthInBytes = kCount * sizeof(int);
  copy.Height = copy.Depth = 1;
  return copy;
}

bool all(const std::vector<int>& values, int value) {
  for (int each : values)
    if (each != value) return false;
  return true;
}

void graphs(CUcontext context) {
  CUdeviceptr array = 0;
  cuMemAlloc(&array, kCount * sizeof(int));
  std::vector<int> seen(kCount);
  int calls = 0, one = 1, ten = 10;
  CUfunction const function = function_of(reinterpret_cast<const void*>(&add));
  CUgraph graph = nullptr;
  check("a graph", fine(cuGraphCreate(&graph, 0)) && cuGraphCreate(&graph, 1) == CUDA_ERROR_INVALID_VALUE);

  CUgraphNode set = nullptr, first = nullptr, second = nullptr, back = nullptr, host = nullptr;
  const CUDA_MEMSET_NODE_PARAMS fill = fill_of(array, 5);
  check("a fill", fine(cuGraphAddMemsetNode(&set, graph, nullptr, 0, &fill, context)));
  void* arguments[] = {&array, &one};
  const CUDA_KERNEL_NODE_PARAMS kernel = launch_of(function, arguments);
  check("a kernel", fine(cuGraphAddKernelNode(&first, graph, &set, 1, &kernel)));
  // Its arguments in a buffer, and the kernel by the other handle.
  struct {
    CUdeviceptr values;
    int more;
  } buffer{array, ten};
  size_t bytes = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  CUDA_KERNEL_NODE_PARAMS packed = launch_of(nullptr, nullptr);
  packed.kern = reinterpret_cast<CUkernel>(function);
  packed.extra = extra;
  CUgraphNodeParams any{};
  any.type = CU_GRAPH_NODE_TYPE_KERNEL;
  std::memcpy(&any.kernel, &packed, sizeof packed);  // one layout, two types
  check("a node of any kind", fine(cuGraphAddNode(&second, graph, &first, nullptr, 1, &any)));
  any = {};
  any.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  any.memcpy.copyParams = copy_of(array, seen.data());
  check("a copy", fine(cuGraphAddNode(&back, graph, &second, nullptr, 1, &any)));
  const CUDA_HOST_NODE_PARAMS call{count_call, &calls};
  check("a host function", fine(cuGraphAddHostNode(&host, graph, &back, 1, &call)));

  CUDA_KERNEL_NODE_PARAMS told{};
  check("what a kernel's node is", fine(cuGraphKernelNodeGetParams(second, &told)) && told.func == function &&
                                       told.blockDimX == kCount && *static_cast<int*>(told.kernelParams[1]) == 10);
  CUDA_MEMCPY3D copied{}, asked = copy_of(array, seen.data());
  check("what a copy's node is", fine(cuGraphMemcpyNodeGetParams(back, &copied)) && copied.srcDevice == array &&
                                     copied.srcMemoryType == CU_MEMORYTYPE_DEVICE && copied.dstHost == seen.data() &&
                                     copied.dstMemoryType == CU_MEMORYTYPE_HOST &&
                                     copied.WidthInBytes == asked.WidthInBytes && copied.Depth == 1);
  CUgraphNodeType type;
  size_t nodes = 0, edges = 0;
  check("nodes and edges", fine(cuGraphNodeGetType(host, &type)) && type == CU_GRAPH_NODE_TYPE_HOST &&
                               fine(cuGraphGetNodes(graph, nullptr, &nodes)) && nodes == 5 &&
                               fine(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges)) && edges == 4);

  CUgraphExec executable = nullptr;
  CUstream stream = nullptr;
  cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  check("an executable graph", fine(cuGraphInstantiate(&executable, graph, 0)));
  check("launched",
        fine(cuGraphLaunch(executable, stream)) && fine(cuStreamSynchronize(stream)) && all(seen, 16) && calls == 1);
  int hundred = 100;
  void* others[] = {&array, &hundred};
  const CUDA_KERNEL_NODE_PARAMS changed = launch_of(function, others);
  check("changed", fine(cuGraphExecKernelNodeSetParams(executable, first, &changed)) &&
                       fine(cuGraphNodeSetEnabled(executable, second, 0)) && fine(cuGraphLaunch(executable, stream)) &&
                       fine(cuStreamSynchronize(stream)) && all(seen, 105) && calls == 2);
  CUgraphExecUpdateResultInfo updated{};
  check("updated", fine(cuGraphKernelNodeSetParams(first, &changed)) &&
                       fine(cuGraphExecUpdate(executable, graph, &updated)) &&
                       updated.result == CU_GRAPH_EXEC_UPDATE_SUCCESS && fine(cuGraphLaunch(executable, stream)) &&
                       fine(cuStreamSynchronize(stream)) && all(seen, 105));

  CUDA_KERNEL_NODE_PARAMS wrong = kernel;
  wrong.func = nullptr;
  check("no kernel", cuGraphAddKernelNode(&first, graph, nullptr, 0, &wrong) == CUDA_ERROR_INVALID_HANDLE);
  asked.srcLOD = 1;
  check("a level of what has none",
        cuGraphAddMemcpyNode(&back, graph, nullptr, 0, &asked, context) == CUDA_ERROR_INVALID_VALUE);
  check("not a node", cuGraphDestroyNode(reinterpret_cast<CUgraphNode>(&asked)) == CUDA_ERROR_INVALID_VALUE);
  any = {};
  any.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  check("memory operations",
        cuGraphAddNode(&back, graph, nullptr, nullptr, 0, &any) == CUDA_ERROR_NOT_SUPPORTED);  // no such node
  check("gone", fine(cuGraphExecDestroy(executable)) && fine(cuGraphDestroy(graph)) &&
                    cuGraphDestroy(graph) == CUDA_ERROR_INVALID_VALUE);
  cuStreamDestroy(stream);
  cuMemFree(array);
}

void captures() {
  CUdeviceptr array = 0;
  cuMemAlloc(&array, kCount * sizeof(int));
  CUstream stream = nullptr;
  cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  CUstreamCaptureStatus status;
  cuuint64_t id = 0;
  size_t behind = 0;
  std::vector<int> seen(kCount);
  const CUgraphNode* nodes = nullptr;
  CUgraph graph = nullptr, same = nullptr;
  int three = 3;
  void* arguments[] = {&array, &three};
  check("a capture", fine(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)));
  cuMemsetD32Async(array, 4, kCount, stream);
  cuLaunchKernel(function_of(reinterpret_cast<const void*>(&add)), 1, 1, 1, kCount, 1, 1, 0, stream, arguments,
                 nullptr);
  check("under way", fine(cuStreamIsCapturing(stream, &status)) && status == CU_STREAM_CAPTURE_STATUS_ACTIVE &&
                         fine(cuStreamGetCaptureInfo(stream, &status, &id, &same, &nodes, nullptr, &behind)) &&
                         id != 0 && behind == 1);
  check("waiting for it", cuStreamSynchronize(stream) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  check("spoilt", cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED && graph == nullptr);
  cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  cuMemsetD32Async(array, 4, kCount, stream);
  cuLaunchKernel(function_of(reinterpret_cast<const void*>(&add)), 1, 1, 1, kCount, 1, 1, 0, stream, arguments,
                 nullptr);
  CUgraphExec executable = nullptr;
  check("captured", fine(cuStreamEndCapture(stream, &graph)) && fine(cuGraphInstantiate(&executable, graph, 0)) &&
                        fine(cuGraphLaunch(executable, stream)) && fine(cuStreamSynchronize(stream)) &&
                        fine(cuMemcpyDtoH(seen.data(), array, kCount * sizeof(int))) && all(seen, 7));
  cuGraphExecDestroy(executable);
  cuGraphDestroy(graph);
  cuStreamDestroy(stream);
  cuMemFree(array);
}

void pools(CUdevice device) {
  CUmemoryPool own = nullptr, now = nullptr, made = nullptr;
  check("the device's pool",
        fine(cuDeviceGetDefaultMemPool(&own, device)) && fine(cuDeviceGetMemPool(&now, device)) && own == now);
  CUmemPoolProps wanted{};
  wanted.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  check("a pool", fine(cuMemPoolCreate(&made, &wanted)) && fine(cuDeviceSetMemPool(device, made)));
  CUdeviceptr memory = 0;
  cuuint64_t used = 0;
  CUmemoryPool of_memory = nullptr;
  check("memory of it",
        fine(cuMemAllocFromPoolAsync(&memory, 1000, made, nullptr)) &&
            fine(cuMemPoolGetAttribute(made, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used)) && used >= 1000 &&
            fine(cuPointerGetAttribute(&of_memory, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory)) && of_memory == made);
  check("freed", fine(cuMemFreeAsync(memory, nullptr)) && fine(cuDeviceSetMemPool(device, own)) &&
                     fine(cuMemPoolDestroy(made)) && cuMemPoolDestroy(own) == CUDA_ERROR_INVALID_VALUE &&
                     cuMemPoolTrimTo(made, 0) == CUDA_ERROR_INVALID_VALUE);
}

void copies(CUcontext context) {
  constexpr int kWidth = 4, kHeight = 3, kDepth = 2, kAll = kWidth * kHeight * kDepth;
  CUDA_ARRAY3D_DESCRIPTOR volume{};
  volume.Width = kWidth;
  volume.Height = kHeight;
  volume.Depth = kDepth;
  volume.Format = CU_AD_FORMAT_SIGNED_INT32;
  volume.NumChannels = 1;
  CUarray one = nullptr, other = nullptr;
  cuArray3DCreate(&one, &volume);
  cuArray3DCreate(&other, &volume);
  std::vector<int> values(kAll), seen(kAll);
  for (int i = 0; i < kAll; ++i) values[i] = i;
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = values.data();
  copy.srcPitch = kWidth * sizeof(int);
  copy.srcHeight = kHeight;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = one;
  copy.WidthInBytes = kWidth * sizeof(int);
  copy.Height = kHeight;
  copy.Depth = kDepth;
  check("into an array", fine(cuMemcpy3D(&copy)));
  CUDA_MEMCPY3D across{};
  across.srcMemoryType = across.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  across.srcArray = one;
  across.dstArray = other;
  across.WidthInBytes = kWidth * sizeof(int);
  across.Height = kHeight;
  across.Depth = kDepth;
  check("between arrays", fine(cuMemcpy3DAsync(&across, nullptr)));
  CUDA_MEMCPY3D part{};
  part.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  part.srcArray = other;
  part.srcXInBytes = sizeof(int);
  part.srcY = part.srcZ = 1;
  part.dstMemoryType = CU_MEMORYTYPE_HOST;
  part.dstHost = seen.data();
  part.WidthInBytes = 2 * sizeof(int);
  part.Height = 2;
  part.Depth = 1;
  check("a part of it", fine(cuMemcpy3D(&part)) && seen[0] == 17 && seen[1] == 18 && seen[2] == 21 && seen[3] == 22);
  part.srcXInBytes = 2;
  check("a part of an element", cuMemcpy3D(&part) == CUDA_ERROR_INVALID_VALUE);
  part.srcXInBytes = 0;
  part.dstPitch = sizeof(int);
  check("rows that overlap", cuMemcpy3D(&part) == CUDA_ERROR_INVALID_VALUE);
  cuArrayDestroy(one);
  check("an array that is gone", cuMemcpy3D(&copy) == CUDA_ERROR_INVALID_HANDLE);
  cuArrayDestroy(other);

  const CUDA_ARRAY_DESCRIPTOR row{8, 0, CU_AD_FORMAT_SIGNED_INT32, 1};
  cuArrayCreate(&one, &row);
  cuArrayCreate(&other, &row);
  CUdeviceptr memory = 0;
  cuMemAlloc(&memory, 8 * sizeof(int));
  cuMemsetD32(memory, 9, 8);
  check("a row from the host", fine(cuMemcpyHtoA(one, 0, values.data(), 8 * sizeof(int))));
  check("a row of the device", fine(cuMemcpyDtoA(one, 6 * sizeof(int), memory, 2 * sizeof(int))));
  check("from row to row", fine(cuMemcpyAtoA(other, 0, one, 4 * sizeof(int), 4 * sizeof(int))));
  check("back to the host", fine(cuMemcpyAtoH(seen.data(), other, 0, 4 * sizeof(int))) && seen[0] == 4 &&
                                seen[1] == 5 && seen[2] == 9 && seen[3] == 9);
  check("back to the device", fine(cuMemcpyAtoD(memory, one, 0, 8 * sizeof(int))) &&
                                  fine(cuMemcpyDtoH(seen.data(), memory, 8 * sizeof(int))) && seen[3] == 3);
  check("past the row", cuMemcpyHtoA(one, 28, values.data(), 8) == CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr copied = 0;
  cuMemAlloc(&copied, 8 * sizeof(int));
  check("from context to context", fine(cuMemcpyPeer(copied, context, memory, context, 8 * sizeof(int))) &&
                                       cuMemcpyPeer(copied, nullptr, memory, context, 4) == CUDA_ERROR_INVALID_CONTEXT);
  check("rows of a value", fine(cuMemsetD2D16Async(copied, 8, 0x0102, 2, 4, nullptr)) &&
                               fine(cuMemcpyDtoH(seen.data(), copied, 8 * sizeof(int))) && seen[0] == 0x01020102 &&
                               seen[1] == 1 && seen[6] == 0x01020102);
  cuMemFree(copied);
  cuMemFree(memory);
  cuArrayDestroy(one);
  cuArrayDestroy(other);
}

void questions(CUdevice device, CUcontext context) {
  CUdeviceptr memory = 0;
  cuMemAlloc(&memory, 256);
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                 CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
  CUdeviceptr begin = 1;
  size_t bytes = 1;
  unsigned type = 7;
  void* answers[] = {&begin, &bytes, &type};
  check("a pointer", fine(cuPointerGetAttributes(3, asked, answers, memory + 16)) && begin == memory && bytes == 256 &&
                         type == CU_MEMORYTYPE_DEVICE);
  int here = 0;
  check("a pointer of the host",
        fine(cuPointerGetAttributes(3, asked, answers, reinterpret_cast<CUdeviceptr>(&here))) && begin == 0 &&
            bytes == 0 && type == 0);
  cuMemFree(memory);
  void* host = nullptr;
  unsigned flags = 0;
  cuMemHostAlloc(&host, 64, CU_MEMHOSTALLOC_WRITECOMBINED);
  check("flags of the host's memory",
        fine(cuMemHostGetFlags(&flags, host)) && (flags & CU_MEMHOSTALLOC_WRITECOMBINED) != 0);
  cuMemFreeHost(host);
  char bus[32];
  CUdevice found = 7;
  check("by its bus", fine(cuDeviceGetPCIBusId(bus, sizeof bus, device)) && fine(cuDeviceGetByPCIBusId(&found, bus)) &&
                          found == device);
  CUdevprop old{};
  check("old properties", fine(cuDeviceGetProperties(&old, device)) && old.SIMDWidth == 32 &&
                              old.maxThreadsPerBlock == 1024 && old.clockRate > 0);
  CUfunction const function = function_of(reinterpret_cast<const void*>(&add));
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  CUfunctionLoadingState state;
  const char* name = nullptr;
  size_t offset = 0, size = 0;
  const auto kernel = reinterpret_cast<CUkernel>(function);
  check("a function", fine(cuFuncGetModule(&module, function)) && module != nullptr &&
                          fine(cuFuncIsLoaded(&state, function)) && state == CU_FUNCTION_LOADING_STATE_LOADED &&
                          fine(cuFuncLoad(function)) && cuFuncLoad(nullptr) == CUDA_ERROR_INVALID_HANDLE);
  check("a kernel's name and library", fine(cuKernelGetName(&name, kernel)) && std::strstr(name, "add") != nullptr &&
                                           fine(cuKernelGetLibrary(&library, kernel)) && library != nullptr);
  check("a kernel's parameter", fine(cuKernelGetParamInfo(kernel, 1, &offset, &size)) && offset == 8 && size == 4);
  unsigned long long one = 0, other = 0;
  CUcontext second = nullptr;
  check("contexts have numbers", fine(cuCtxGetId(context, &one)) && fine(cuCtxCreate(&second, nullptr, 0, device)) &&
                                     fine(cuCtxGetId(second, &other)) && one != other);
  check("peers that are none", cuCtxEnablePeerAccess(second, 0) == CUDA_ERROR_INVALID_CONTEXT &&
                                   cuCtxEnablePeerAccess(context, 0) == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED &&
                                   cuCtxDisablePeerAccess(context) == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
  cuCtxDestroy(second);
  check("a context that is gone", cuCtxGetId(second, &other) == CUDA_ERROR_INVALID_CONTEXT);
  CUstream stream = nullptr;
  cuStreamCreate(&stream, 0);
  CUevent event = nullptr;
  cuEventCreate(&event, 0);
  check("numbers of streams",
        fine(cuStreamGetId(stream, &one)) && fine(cuStreamGetId(nullptr, &other)) && one != other);
  check("an event with flags", fine(cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT)) &&
                                   fine(cuEventSynchronize(event)) &&
                                   cuEventRecordWithFlags(event, stream, 77) == CUDA_ERROR_INVALID_VALUE);
  cuEventDestroy(event);
  cuStreamDestroy(stream);
  void* address = nullptr;
  CUdriverProcAddressQueryResult result;
  check("an address by its version", fine(cuGetProcAddress("cuGraphInstantiate", &address, 13000, 0, &result)) &&
                                         address == reinterpret_cast<void*>(&cuGraphInstantiate));
}

/// A fill and a kernel of one array, with nothing between them.
void two_nodes() {
  CUdeviceptr array = 0;
  cuMemAlloc(&array, kCount * sizeof(int));
  cuMemsetD32(array, 0, kCount);
  int one = 1;
  void* arguments[] = {&array, &one};
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  CUgraphNode node = nullptr;
  cuGraphCreate(&graph, 0);
  const CUDA_MEMSET_NODE_PARAMS fill = fill_of(array, 5);
  cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, nullptr);  // the fill
  const CUDA_KERNEL_NODE_PARAMS kernel = launch_of(function_of(reinterpret_cast<const void*>(&add)), arguments);
  cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel);  // the kernel
  cuGraphInstantiate(&executable, graph, 0);
  cuGraphLaunch(executable, nullptr);
  cuCtxSynchronize();
  cuGraphExecDestroy(executable);
  cuGraphDestroy(graph);
  cuMemFree(array);
}

}  // namespace

int main(int argc, char**) {
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUgraph graph = nullptr;
  check("before cuInit", cuGraphCreate(&graph, 0) == CUDA_ERROR_NOT_INITIALIZED);
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  if (argc > 1) {
    two_nodes();
  } else {
    graphs(context);
    captures();
    pools(device);
    copies(context);
    questions(device, context);
  }
  cuDevicePrimaryCtxRelease(device);
}
