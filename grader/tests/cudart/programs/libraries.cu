// Device code that the program loads itself, by the runtime: libraries.ptx, which this file is compiled to as well.
#include <cstring>
#include <fstream>
#include <sstream>

#include "check.h"

constexpr int kCount = 64;

__device__ int factor = 3;
__managed__ int total;

extern "C" __global__ void scale(int* a) {
  a[threadIdx.x] *= factor;
}

extern "C" __global__ void add(int* a, int value) {
  a[threadIdx.x] += value;
  if (threadIdx.x == 0) total += value;
}

extern "C" __global__ void too_far(int* a) {
  a[threadIdx.x + 1] = 0;  // outside
}

static std::string text_of(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

static bool holds(const int* device, int value) {
  int host[kCount];
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  for (const int each : host)
    if (each != value) return false;
  return true;
}

static void launch(cudaKernel_t kernel, void** arguments) {
  CHECK(cudaLaunchKernel(reinterpret_cast<void*>(kernel), dim3(1), dim3(kCount), arguments, 0, nullptr));
}

static void use(cudaLibrary_t library, int* a) {
  cudaKernel_t multiply, plus;
  CHECK(cudaLibraryGetKernel(&multiply, library, "scale"));
  CHECK(cudaLibraryGetKernel(&plus, library, "add"));
  int value = 2;
  void* arguments[] = {&a, &value};
  CHECK(cudaMemset(a, 0, kCount * sizeof(int)));
  launch(plus, arguments);
  launch(multiply, arguments);
  expect(holds(a, 6), "kernels");

  void* address = nullptr;
  size_t bytes = 0;
  const int four = 4;
  CHECK(cudaLibraryGetGlobal(&address, &bytes, library, "factor"));
  CHECK(cudaMemcpy(address, &four, sizeof four, cudaMemcpyHostToDevice));
  launch(multiply, arguments);
  expect(holds(a, 24) && bytes == sizeof four, "a variable");
  CHECK(cudaLibraryGetManaged(&address, &bytes, library, "total"));
  CHECK(cudaDeviceSynchronize());
  expect(*static_cast<int*>(address) == 2 && bytes == sizeof(int), "unified memory");
  *static_cast<int*>(address) = 40;
  launch(plus, arguments);
  CHECK(cudaDeviceSynchronize());
  expect(*static_cast<int*>(address) == 42 && total == 0, "unified memory that the host wrote");
  CHECK(cudaKernelSetAttributeForDevice(plus, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));
  expect(cudaLibraryGetManaged(&address, &bytes, library, "factor") == cudaErrorSymbolNotFound, "of another kind");
  cudaGetLastError();
}

static void list(cudaLibrary_t library) {
  unsigned int count = 0;
  cudaKernel_t kernels[8] = {};
  CHECK(cudaLibraryGetKernelCount(&count, library));
  CHECK(cudaLibraryEnumerateKernels(kernels, 8, library));
  bool found = false;
  for (unsigned int i = 0; i < count; ++i) {
    const char* name = nullptr;
    CHECK(cudaFuncGetName(&name, reinterpret_cast<const void*>(kernels[i])));
    found = found || std::strcmp(name, "add") == 0;
  }
  expect(count == 3 && found && kernels[3] == nullptr, "all kernels");
}

static void refuse(cudaLibrary_t library, const char* path) {
  cudaLibrary_t other = nullptr;
  cudaKernel_t kernel;
  void* function = nullptr;
  unsigned int count = 0;
  expect(cudaLibraryGetKernel(&kernel, library, "nobody") == cudaErrorSymbolNotFound, "no such kernel");
  expect(cudaLibraryGetUnifiedFunction(&function, library, "add") == cudaErrorSymbolNotFound, "no such function");
  expect(cudaLibraryGetKernel(nullptr, library, "add") == cudaErrorInvalidValue, "nowhere to go");
  expect(
      cudaLibraryLoadFromFile(&other, "nowhere.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0) == cudaErrorFileNotFound,
      "no such file");
  expect(cudaLibraryLoadData(nullptr, path, nullptr, nullptr, 0, nullptr, nullptr, 0) == cudaErrorInvalidValue,
         "no library");
  CHECK(cudaLibraryUnload(library));
  expect(cudaLibraryUnload(library) == cudaErrorInvalidResourceHandle, "unloaded twice");
  expect(cudaLibraryGetKernelCount(&count, library) == cudaErrorInvalidResourceHandle, "unloaded");
  cudaGetLastError();
}

int main(int, char** words) {
  int* a;
  CHECK(cudaMalloc(&a, kCount * sizeof(int)));
  const std::string path = std::string(words[0]) + ".ptx", text = text_of(path.c_str());
  cudaLibrary_t library, again;
  CHECK(cudaLibraryLoadFromFile(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  cudaJitOption options[] = {cudaJitInfoLogBuffer, cudaJitInfoLogBufferSizeBytes};
  char log[16] = "not empty";
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  cudaLibraryOption preserved[] = {cudaLibraryBinaryIsPreserved};
  CHECK(cudaLibraryLoadData(&again, text.c_str(), options, values, 2, preserved, nullptr, 1));
  expect(log[0] == 0 && values[1] == nullptr, "an empty log");
  use(again, a);
  use(library, a);  // has variables of its own
  list(library);
  cudaFunction_t function = nullptr;
  CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(add)));
  expect(function != nullptr, "the function of a symbol");
  refuse(library, path.c_str());

  const char cubin[] =
      "\x7f"
      "ELF";
  const cudaError_t refused =  // a cubin
      cudaLibraryLoadData(&library, cubin, nullptr, nullptr, 0, nullptr, nullptr, 0);
  std::printf("%s\n", cudaGetErrorName(refused));
  cudaKernel_t outside;
  CHECK(cudaLibraryGetKernel(&outside, again, "too_far"));
  void* arguments[] = {&a};
  launch(outside, arguments);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
