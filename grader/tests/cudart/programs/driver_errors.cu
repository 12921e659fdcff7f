// Mistakes with the driver API: each is found at the line of the driver's call, under its name.
#include <cuda.h>

#include <cstdio>

namespace {

constexpr char kPtx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry store(.param .u64 to)
{
  .reg .b32 %r<2>;
  .reg .b64 %d<3>;
  ld.param.u64 %d0, [to];
  cvta.to.global.u64 %d0, %d0;
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d0, %d0, %d1;
  st.global.u32 [%d0], %r0;
  ret;
}
)";

void print(CUresult result) {
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::printf("%s\n", name ? name : "?");
}

}  // namespace

int main() {
  cuInit(0);
  CUcontext context = nullptr;
  cuCtxCreate(&context, nullptr, 0, 0);
  unsigned char cubin[] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0};
  CUmodule module = nullptr;
  CUlinkState link = nullptr;
  print(cuModuleLoadData(&module, cubin));  // machine code
  cuLinkCreate(0, nullptr, nullptr, &link);
  print(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, cubin, 4, "cubin", 0, nullptr, nullptr));  // no linker
  cuLinkDestroy(link);
  print(cuModuleLoadData(&module, kPtx));
  CUfunction store = nullptr;
  cuModuleGetFunction(&store, module, "store");
  print(cuMemFree(12345));  // never allocated
  CUdeviceptr array = 0;
  cuMemAlloc(&array, 32 * sizeof(int));
  CUstream one = nullptr, other = nullptr;
  cuStreamCreate(&one, CU_STREAM_NON_BLOCKING);
  cuStreamCreate(&other, CU_STREAM_NON_BLOCKING);
  void* arguments[] = {&array};
  print(cuLaunchKernel(store, 1, 1, 1, 32, 1, 1, 0, one, arguments, nullptr));  // in one stream
  print(cuMemsetD8Async(array, 0, 128, other));                                 // in the other
  cuCtxSynchronize();
  print(cuLaunchKernel(store, 1, 1, 1, 2048, 1, 1, 0, nullptr, arguments, nullptr));  // too many threads
  cuLaunchKernel(store, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);           // stores past the end
  print(cuCtxSynchronize());
}
