// Compiles a kernel by NVRTC for a real architecture, loads the machine code and runs it, beside an array of 4
// elements.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <vector>

namespace {

const char* const kCode =
    "extern \"C\" __global__ void numbers(int* result) {\n"
    "  result[threadIdx.x] = threadIdx.x;\n"
    "}\n";

/// The bytes of machine code for an architecture; none where there is no such code.
std::vector<char> machine_code(const char* architecture) {
  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, kCode, "numbers.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS) return {};
  std::vector<char> code;
  size_t bytes = 0;
  if (nvrtcCompileProgram(program, 1, &architecture) == NVRTC_SUCCESS &&
      nvrtcGetCUBINSize(program, &bytes) == NVRTC_SUCCESS && bytes != 0) {
    code.resize(bytes);
    if (nvrtcGetCUBIN(program, code.data()) != NVRTC_SUCCESS) code.clear();
  }
  nvrtcDestroyProgram(&program);
  return code;
}

}  // namespace

int main() {
  const std::vector<char> code = machine_code("--gpu-architecture=sm_75");
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction numbers;
  if (code.empty() || cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS ||
      cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS || cuCtxSetCurrent(context) != CUDA_SUCCESS ||
      cuModuleLoadData(&module, code.data()) != CUDA_SUCCESS ||
      cuModuleGetFunction(&numbers, module, "numbers") != CUDA_SUCCESS) {
    return 2;
  }
  int host[4] = {};
  CUdeviceptr memory;
  cuMemAlloc(&memory, sizeof host);
  void* arguments[] = {&memory};
  cuLaunchKernel(numbers, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr);
  cuMemcpyDtoH(host, memory, sizeof host);
  for (const int value : host) std::printf("%d ", value);
  const bool none = machine_code("--gpu-architecture=compute_75").empty();
  std::printf("virtual: %s\n", none ? "no machine code" : "machine code");
  cuLaunchKernel(numbers, 1, 1, 1, 5, 1, 1, 0, nullptr, arguments, nullptr);  // one thread too many
  cuCtxSynchronize();
  cuMemFree(memory);
}
