// The driver's functions by the runtime, without a library that has them being linked.
#include <cuda.h>

#include "check.h"

template <class Function>
static Function* entry(const char* name, unsigned int version = 13000) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
  CHECK(cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &result));
  return result == cudaDriverEntryPointSuccess ? reinterpret_cast<Function*>(found) : nullptr;
}

int main() {
  int* memory;
  CHECK(cudaMalloc(&memory, 64));
  CHECK(cudaMemset(memory, 0, 64));
  auto* const range = entry<CUresult(CUdeviceptr*, size_t*, CUdeviceptr)>("cuMemGetAddressRange");
  CUdeviceptr base = 0;
  size_t bytes = 0;
  expect(range != nullptr && range(&base, &bytes, reinterpret_cast<CUdeviceptr>(memory + 3)) == CUDA_SUCCESS &&
             base == reinterpret_cast<CUdeviceptr>(memory) && bytes == 64,
         "a function of the driver");
  expect(entry<void()>("cuNobody") == nullptr, "no such function");
  expect(entry<void()>("cuCtxCreate", 12000) != entry<void()>("cuCtxCreate", 13000), "an older form");
  void* function = memory;
  expect(cudaGetDriverEntryPointByVersion("cuInit", &function, 13000, 7, nullptr) == cudaErrorInvalidValue,
         "flags that are none");
  auto* const discard = entry<CUresult(CUarray*, CUarray, unsigned int)>("cuArrayGetPlane");
  CUarray plane;
  expect(discard != nullptr && discard(&plane, nullptr, 0) == CUDA_ERROR_NOT_SUPPORTED, "one that is not offered");
  CHECK(cudaFree(memory));
}
