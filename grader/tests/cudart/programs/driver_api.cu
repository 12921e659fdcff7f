// The driver API: device code loaded at run time, as PTX that is a string here, and as a file.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"

namespace {

constexpr char kPtx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 factor = 3;
.visible .entry scale(.param .u64 values, .param .u32 count)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %d<4>;
  ld.param.u64 %d0, [values];
  ld.param.u32 %r0, [count];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  setp.ge.u32 %p, %r4, %r0;
  @%p bra done;
  cvta.to.global.u64 %d0, %d0;
  mul.wide.u32 %d1, %r4, 4;
  add.u64 %d2, %d0, %d1;
  ld.global.u32 %r5, [%d2];
  ld.global.u32 %r6, [factor];
  mul.lo.u32 %r5, %r5, %r6;
  st.global.u32 [%d2], %r5;
done:
  ret;
}
)";

constexpr unsigned kCount = 1000, kBlock = 128;

void check(const char* what, bool condition) {
  expect(condition, what);
}

bool is_scaled(const std::vector<unsigned>& values, unsigned factor) {
  for (unsigned i = 0; i < kCount; ++i)
    if (values[i] != i * factor) return false;
  return true;
}

std::vector<unsigned> counted() {
  std::vector<unsigned> values(kCount);
  for (unsigned i = 0; i < kCount; ++i) values[i] = i;
  return values;
}

/// Scales by the module's factor, and looks at the result.
bool scales(CUfunction kernel, CUstream stream, unsigned factor, bool packed) {
  std::vector<unsigned> values = counted();
  CUdeviceptr device = 0;
  if (cuMemAlloc(&device, kCount * sizeof(unsigned)) != CUDA_SUCCESS) return false;
  cuMemcpyHtoDAsync(device, values.data(), kCount * sizeof(unsigned), stream);
  unsigned count = kCount;
  void* arguments[] = {&device, &count};
  struct {
    CUdeviceptr values;
    unsigned count;
  } buffer{device, kCount};
  std::size_t bytes = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  const CUresult launched = cuLaunchKernel(kernel, (kCount + kBlock - 1) / kBlock, 1, 1, kBlock, 1, 1, 0, stream,
                                           packed ? nullptr : arguments, packed ? extra : nullptr);
  cuStreamSynchronize(stream);
  cuMemcpyDtoH(values.data(), device, kCount * sizeof(unsigned));
  return launched == CUDA_SUCCESS && cuMemFree(device) == CUDA_SUCCESS && is_scaled(values, factor);
}

__global__ void add_one(unsigned* values) {
  values[threadIdx.x] += 1;
}

}  // namespace

int main() {
  CUdevice device = -1;
  check("before cuInit", cuDeviceGet(&device, 0) == CUDA_ERROR_NOT_INITIALIZED);
  check("cuInit", cuInit(0) == CUDA_SUCCESS);
  int devices = 0, major = 0, minor = 0, warp = 0;
  char name[100] = "";
  std::size_t bytes = 0;
  cuDeviceGetCount(&devices);
  check("device", devices == 1 && cuDeviceGet(&device, 0) == CUDA_SUCCESS && device == 0 &&
                      cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  device = 0;
  cuDeviceGetName(name, sizeof name, device);
  cuDeviceTotalMem(&bytes, device);
  cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
  check("attributes", name[0] != 0 && bytes > 1u << 30 && major * 10 + minor >= 70 && warp == 32);

  CUdeviceptr early = 0;
  check("without a context", cuMemAlloc(&early, 4) == CUDA_ERROR_INVALID_CONTEXT);
  CUcontext context = nullptr, current = nullptr;
  check("context", cuCtxCreate(&context, nullptr, 0, device) == CUDA_SUCCESS &&
                       cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context &&
                       cuCtxGetDevice(&device) == CUDA_SUCCESS && device == 0);

  CUmodule module = nullptr;
  CUfunction kernel = nullptr, none = nullptr;
  CUdeviceptr factor = 0;
  check("a module of PTX", cuModuleLoadData(&module, kPtx) == CUDA_SUCCESS);
  check("its kernel", cuModuleGetFunction(&kernel, module, "scale") == CUDA_SUCCESS &&
                          cuModuleGetFunction(&none, module, "scales") == CUDA_ERROR_NOT_FOUND && none == nullptr);
  check("its variable", cuModuleGetGlobal(&factor, &bytes, module, "factor") == CUDA_SUCCESS &&
                            bytes == sizeof(unsigned) &&
                            cuModuleGetGlobal(&factor, nullptr, module, "factors") == CUDA_ERROR_NOT_FOUND);
  int threads = 0, blocks = 0, block = 0;
  check("its attributes",
        cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel) == CUDA_SUCCESS &&
            threads == 1024 &&
            cuOccupancyMaxPotentialBlockSize(&blocks, &block, kernel, nullptr, 0, 0) == CUDA_SUCCESS && blocks > 0 &&
            block > 0 && block % 32 == 0);
  check("a launch", scales(kernel, nullptr, 3, false));
  check("parameters in a buffer", scales(kernel, nullptr, 3, true));
  const unsigned five = 5;
  cuMemcpyHtoD(factor, &five, sizeof five);
  CUstream stream = nullptr;
  CUevent begin = nullptr, end = nullptr;
  cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  cuEventCreate(&begin, CU_EVENT_DEFAULT);
  cuEventCreate(&end, CU_EVENT_DEFAULT);
  cuEventRecord(begin, stream);
  check("in a stream", scales(kernel, stream, 5, false));
  cuEventRecord(end, stream);
  float milliseconds = -1;
  check("events", cuEventSynchronize(end) == CUDA_SUCCESS &&
                      cuEventElapsedTime(&milliseconds, begin, end) == CUDA_SUCCESS && milliseconds >= 0);
  cuEventDestroy(begin);
  cuEventDestroy(end);
  cuStreamDestroy(stream);

  // A file, and a second module of the same code: it has a variable of its own.
  const std::string file = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + "/driver_api.XXXXXX";
  std::vector<char> path(file.c_str(), file.c_str() + file.size() + 1);
  const int descriptor = mkstemp(path.data());
  FILE* const out = fdopen(descriptor, "w");
  fputs(kPtx, out);
  fclose(out);
  CUmodule of_file = nullptr;
  CUfunction kernel_of_file = nullptr;
  check("a module of a file", cuModuleLoad(&of_file, path.data()) == CUDA_SUCCESS &&
                                  cuModuleGetFunction(&kernel_of_file, of_file, "scale") == CUDA_SUCCESS &&
                                  scales(kernel_of_file, nullptr, 3, false) && scales(kernel, nullptr, 5, false));
  std::remove(path.data());
  check("no file", cuModuleLoad(&of_file, path.data()) == CUDA_ERROR_FILE_NOT_FOUND);

  // Fills and copies.
  CUdeviceptr words = 0;
  std::vector<unsigned> filled(64), wanted(64, 0x12345678);
  cuMemAlloc(&words, 64 * sizeof(unsigned));
  cuMemsetD32(words, 0x12345678, 64);
  cuMemcpyDtoH(filled.data(), words, 64 * sizeof(unsigned));
  check("words are filled", filled == wanted);
  cuMemsetD16(words, 0x0102, 2);
  cuMemsetD8(words + 4, 0xff, 4);
  cuMemcpyDtoH(filled.data(), words, 64 * sizeof(unsigned));
  wanted[0] = 0x01020102;
  wanted[1] = 0xffffffff;
  check("halves and bytes are filled", filled == wanted);
  CUDA_MEMCPY2D column{};
  column.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  column.srcDevice = words;
  column.srcPitch = 8 * sizeof(unsigned);
  unsigned first[8] = {};
  column.dstMemoryType = CU_MEMORYTYPE_HOST;
  column.dstHost = first;
  column.dstPitch = sizeof(unsigned);
  column.WidthInBytes = sizeof(unsigned);
  column.Height = 8;
  check("a column is copied", cuMemcpy2D(&column) == CUDA_SUCCESS && first[0] == 0x01020102 && first[1] == 0x12345678);
  unsigned type = 0;
  CUdeviceptr base = 0;
  check("what a pointer is",
        cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, words + 8) == CUDA_SUCCESS &&
            type == CU_MEMORYTYPE_DEVICE && cuMemGetAddressRange(&base, &bytes, words + 8) == CUDA_SUCCESS &&
            base == words && bytes == 64 * sizeof(unsigned));
  cuMemFree(words);

  // Beside the runtime, whose last error is its own affair.
  unsigned* values = nullptr;
  cudaMalloc(&values, 32 * sizeof(unsigned));
  cudaMemset(values, 0, 32 * sizeof(unsigned));
  add_one<<<1, 32>>>(values);
  check("beside the runtime", cuCtxSynchronize() == CUDA_SUCCESS && cuStreamQuery(nullptr) == CUDA_SUCCESS &&
                                  cuModuleGetFunction(&none, module, "none") == CUDA_ERROR_NOT_FOUND &&
                                  cudaGetLastError() == cudaSuccess);
  unsigned last = 0;
  cudaMemcpy(&last, values + 31, sizeof last, cudaMemcpyDeviceToHost);
  check("a kernel of the program's own", last == 1);
  cudaFree(values);

  const char* text = nullptr;
  check("names of errors", cuGetErrorName(CUDA_ERROR_NOT_FOUND, &text) == CUDA_SUCCESS &&
                               std::strcmp(text, "CUDA_ERROR_NOT_FOUND") == 0 &&
                               cuGetErrorName(static_cast<CUresult>(12345), &text) == CUDA_ERROR_INVALID_VALUE);
  void* entry = nullptr;
  CUdriverProcAddressQueryResult found;
  check("entry points", cuGetProcAddress("cuMemAlloc", &entry, 13000, 0, &found) == CUDA_SUCCESS &&
                            entry == reinterpret_cast<void*>(&cuMemAlloc) && found == CU_GET_PROC_ADDRESS_SUCCESS);
  check("the module goes",
        cuModuleUnload(module) == CUDA_SUCCESS && cuModuleUnload(module) == CUDA_ERROR_INVALID_HANDLE);
  check("the context goes", cuCtxDestroy(context) == CUDA_SUCCESS);
}
