// The driver API with a default stream of each thread, and a race between those of two threads.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#define DRIVER(call)                                        \
  do {                                                      \
    const CUresult status = (call);                         \
    if (status != CUDA_SUCCESS) {                           \
      std::printf("%d: %s: %d\n", __LINE__, #call, status); \
      std::exit(1);                                         \
    }                                                       \
  } while (0)

static void expect(bool condition, const char* what) {
  std::printf("%s: %s\n", what, condition ? "right" : "WRONG");
}

int main() {
  constexpr size_t kBytes = 1024;
  CUdevice device;
  CUcontext context;
  CUdeviceptr a;
  DRIVER(cuInit(0));
  DRIVER(cuDeviceGet(&device, 0));
  DRIVER(cuDevicePrimaryCtxRetain(&context, device));
  DRIVER(cuCtxSetCurrent(context));
  DRIVER(cuMemAlloc(&a, kBytes));

  unsigned char host[kBytes];
  DRIVER(cuMemsetD8(a, 1, kBytes));
  DRIVER(cuMemsetD8Async(a, 2, kBytes, 0));
  DRIVER(cuMemcpyDtoH(host, a, kBytes));
  expect(host[0] == 2 && host[kBytes - 1] == 2, "in order");

  void *plain, *own;
  DRIVER(cuGetProcAddress("cuStreamSynchronize", &plain, CUDA_VERSION, CU_GET_PROC_ADDRESS_LEGACY_STREAM, nullptr));
  DRIVER(cuGetProcAddress("cuStreamSynchronize", &own, CUDA_VERSION, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
                          nullptr));
  expect(plain != own && own == reinterpret_cast<void*>(cuStreamSynchronize), "an address for such programs");

  DRIVER(cuMemsetD8Async(a, 3, kBytes, 0));
  std::thread([=] {
    DRIVER(cuCtxSetCurrent(context));
    DRIVER(cuMemsetD8Async(a, 3, kBytes, 0));  // second thread
    DRIVER(cuStreamSynchronize(0));
  }).join();
  DRIVER(cuCtxSynchronize());
  DRIVER(cuMemcpyDtoH(host, a, kBytes));
  expect(host[0] == 3, "in two threads");
  DRIVER(cuMemFree(a));
  DRIVER(cuDevicePrimaryCtxRelease(device));
}
