// The device a program sees: count, properties, attributes, limits, versions.
#include <cstring>

#include "catch/catch.h"
#include "device.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

TEST_CASE("there is one device") {
  Device device;
  int value = 7;
  CHECK(cudaGetDeviceCount(&value) == cudaSuccess);
  CHECK(value == 1);
  CHECK(cudaGetDevice(&value) == cudaSuccess);
  CHECK(value == 0);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  CHECK(cudaInitDevice(0, 0, 0) == cudaSuccess);
  CHECK(cudaInitDevice(1, 0, 0) == cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceCount(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGetDevice(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaDeviceCanAccessPeer(&value, 0, 0) == cudaSuccess);
  CHECK(value == 0);
  CHECK(cudaDeviceCanAccessPeer(&value, 0, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceDisablePeerAccess(1) == cudaErrorInvalidDevice);
  int wanted[] = {0}, other[] = {0, 1};
  CHECK(cudaSetValidDevices(wanted, 1) == cudaSuccess);
  CHECK(cudaSetValidDevices(other, 2) == cudaErrorInvalidDevice);
}

TEST_CASE("properties are the model's") {
  const std::string name = GENERATE("t4", "rtx3060", "a100", "h200");
  const DeviceModel model = device_model(name);
  Device device(model);
  cudaDeviceProp p;
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  CHECK(std::string(p.name) == model.name);
  CHECK(p.totalGlobalMem == model.global_bytes);
  CHECK(p.major == static_cast<int>(model.compute_major));
  CHECK(p.minor == static_cast<int>(model.compute_minor));
  CHECK(p.multiProcessorCount == static_cast<int>(model.multiprocessors));
  CHECK(p.warpSize == 32);
  CHECK(p.maxThreadsPerBlock == 1024);
  CHECK(p.maxThreadsDim[2] == 64);
  CHECK(p.maxGridSize[0] == 2147483647);
  CHECK(p.sharedMemPerBlock == model.shared_bytes_per_block);
  CHECK(p.clockRate == static_cast<int>(model.clock_khz));
  CHECK(p.memoryBusWidth == static_cast<int>(model.memory_bus_bits));
  CHECK(p.managedMemory == 1);
  CHECK(p.concurrentManagedAccess == 1);

  const auto attribute = [](cudaDeviceAttr which) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess);
    return value;
  };
  CHECK(attribute(cudaDevAttrMaxThreadsPerBlock) == p.maxThreadsPerBlock);
  CHECK(attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount);
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == p.major);
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) == static_cast<int>(p.sharedMemPerBlockOptin));
  CHECK(attribute(cudaDevAttrWarpSize) == 32);
  for (const cudaDeviceAttr attribute_of_host :
       {cudaDevAttrCanMapHostMemory, cudaDevAttrUnifiedAddressing, cudaDevAttrHostRegisterSupported,
        cudaDevAttrCanUseHostPointerForRegisteredMem})
    CHECK(attribute(attribute_of_host) == 1);
  CHECK(p.canMapHostMemory == 1);
  CHECK(p.canUseHostPointerForRegisteredMem == 1);

  CHECK(cudaGetDeviceProperties(&p, 1) == cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceProperties(nullptr, 0) == cudaErrorInvalidValue);
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0) == cudaErrorInvalidValue);
  CHECK(attribute(static_cast<cudaDeviceAttr>(23)) == 65'536);  // rows of a texture
  CHECK(p.maxTexture2D[1] == 65'536);
  CHECK(p.maxSurface2DLayered[2] == 2'048);
  CHECK(attribute(static_cast<cudaDeviceAttr>(102)) == 0);  // memory that is mapped page by page
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1) == cudaErrorInvalidDevice);
  CHECK(cudaChooseDevice(&value, &p) == cudaSuccess);
  CHECK(cudaChooseDevice(nullptr, &p) == cudaErrorInvalidValue);
}

TEST_CASE("settings are read back") {
  Device device;
  size_t limit = 0;
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize) == cudaSuccess);
  CHECK(limit == 1 << 20);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize) == cudaSuccess);
  CHECK(limit == 4096);
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess);
  CHECK(limit == 2048);
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20) == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize) == cudaSuccess);
  CHECK(limit == 16 << 20);
  CHECK(cudaDeviceSetLimit(static_cast<cudaLimit>(7), 1) == cudaErrorUnsupportedLimit);
  CHECK(cudaDeviceGetLimit(&limit, static_cast<cudaLimit>(-1)) == cudaErrorUnsupportedLimit);
  CHECK(cudaDeviceGetLimit(nullptr, cudaLimitStackSize) == cudaErrorInvalidValue);
  cudaFuncCache config = cudaFuncCachePreferNone;
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess);
  CHECK(cudaDeviceGetCacheConfig(&config) == cudaSuccess);
  CHECK(config == cudaFuncCachePreferL1);
  unsigned int flags = 0;
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync) == cudaSuccess);
  CHECK(cudaGetDeviceFlags(&flags) == cudaSuccess);
  CHECK(flags == cudaDeviceScheduleBlockingSync);
  CHECK(cudaSetDeviceFlags(0x1000) == cudaErrorInvalidValue);
  char bus_id[16];
  int found = -1;
  CHECK(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, 0) == cudaSuccess);
  CHECK(cudaDeviceGetByPCIBusId(&found, bus_id) == cudaSuccess);
  CHECK(found == 0);
  CHECK(cudaDeviceGetByPCIBusId(&found, "0000:99:00.0") == cudaErrorInvalidDevice);
  CHECK(cudaProfilerStart() == cudaSuccess);
  CHECK(cudaProfilerStop() == cudaSuccess);
}

TEST_CASE("versions") {
  int version = 0;
  CHECK(cudaRuntimeGetVersion(&version) == cudaSuccess);
  CHECK(version == CUDART_VERSION);
  CHECK(cudaRuntimeGetVersion(nullptr) == cudaErrorInvalidValue);
  {
    Device device;
    CHECK(cudaDriverGetVersion(&version) == cudaSuccess);
    CHECK(version >= CUDART_VERSION);
  }
  CHECK(cudaDriverGetVersion(&version) == cudaSuccess);
  CHECK(version == 0);  // no driver
}

TEST_CASE("without a server there is no device") {
  const char* value = GENERATE("", "12x", "-3", "99999", "1048577");
  ::setenv(wire::kConnectionVariable, value, 1);
  int count = 7;
  void* a = nullptr;
  CHECK(cudaGetDeviceCount(&count) == cudaErrorNoDevice);
  CHECK(count == 0);
  CHECK(cudaMalloc(&a, 1) == cudaErrorNoDevice);
  CHECK(cudaDeviceSynchronize() == cudaErrorNoDevice);
  launch_as_compiled(kernel("empty"), 1, 1);
  CHECK(cudaGetLastError() == cudaErrorNoDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
  ::unsetenv(wire::kConnectionVariable);
  // A later test connects anew.
  Device device;
  device.finish();
}
