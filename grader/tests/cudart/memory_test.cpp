// Allocation, page-locked memory and questions about pointers, through the runtime API.
#include <cstring>

#include "catch/catch.h"
#include "device.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

TEST_CASE("cudaMalloc and cudaFree") {
  Device device;
  void* a = nullptr;
  REQUIRE(cudaMalloc(&a, 1000) == cudaSuccess);
  CHECK(a != nullptr);
  CHECK(cudaFree(a) == cudaSuccess);

  SECTION("a size of zero gives a null pointer and success") {
    void* b = &device;
    CHECK(cudaMalloc(&b, 0) == cudaSuccess);
    CHECK(b == nullptr);
    CHECK(cudaFree(b) == cudaSuccess);
  }
  SECTION("nowhere to put the pointer") {
    CHECK(cudaMalloc(nullptr, 10) == cudaErrorInvalidValue);
  }
  SECTION("more than there is") {
    void* b = &device;
    CHECK(cudaMalloc(&b, 17ull << 30) == cudaErrorMemoryAllocation);
    CHECK(b == nullptr);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&b, SIZE_MAX) == cudaErrorMemoryAllocation);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(cudaGetLastError() == cudaSuccess);
  }
  SECTION("freed twice") {
    CHECK(cudaFree(a) == cudaErrorInvalidValue);
  }
  SECTION("freed in the middle") {
    REQUIRE(cudaMalloc(&a, 1000) == cudaSuccess);
    CHECK(cudaFree(static_cast<char*>(a) + 8) == cudaErrorInvalidValue);
    CHECK(cudaFree(a) == cudaSuccess);
  }
  SECTION("host memory freed as device memory") {
    int host = 0;
    CHECK(cudaFree(&host) == cudaErrorInvalidValue);
  }
  SECTION("a variable of a module is nobody's to free") {
    void* address = nullptr;
    REQUIRE(cudaGetSymbolAddress(&address, symbol("counter")) == cudaSuccess);
    CHECK(cudaFree(address) == cudaErrorInvalidValue);
  }
}

TEST_CASE("cudaMallocPitch") {
  Device device;
  void* a = nullptr;
  size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&a, &pitch, 100, 10) == cudaSuccess);
  CHECK(pitch == 512);
  CHECK(cudaFree(a) == cudaSuccess);
  REQUIRE(cudaMallocPitch(&a, &pitch, 512, 1) == cudaSuccess);
  CHECK(pitch == 512);
  CHECK(cudaFree(a) == cudaSuccess);
  CHECK(cudaMallocPitch(&a, nullptr, 100, 10) == cudaErrorInvalidValue);
  CHECK(cudaMallocPitch(&a, &pitch, SIZE_MAX - 5, 10) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocPitch(&a, &pitch, 1ull << 40, 1ull << 40) == cudaErrorMemoryAllocation);
}

TEST_CASE("stream-ordered allocation") {
  Device device;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  void* a = nullptr;
  REQUIRE(cudaMallocAsync(&a, 100, stream) == cudaSuccess);
  CHECK(cudaFreeAsync(a, stream) == cudaSuccess);
  CHECK(cudaFreeAsync(a, stream) == cudaErrorInvalidValue);
}

TEST_CASE("cudaMemGetInfo follows allocations") {
  DeviceModel model = device_model("t4");
  model.global_bytes = 1 << 20;
  Device device(model);
  size_t free_before = 0, free_after = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&free_before, &total) == cudaSuccess);
  CHECK(total == 1 << 20);
  CHECK(free_before == total);
  void* a = nullptr;
  REQUIRE(cudaMalloc(&a, 4096) == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&free_after, &total) == cudaSuccess);
  CHECK(free_before - free_after == 4096);
  CHECK(cudaMemGetInfo(nullptr, &total) == cudaErrorInvalidValue);
}

TEST_CASE("page-locked memory") {
  Device device;
  void* a = nullptr;
  REQUIRE(cudaMallocHost(&a, 100) == cudaSuccess);
  std::memset(a, 1, 100);
  unsigned int flags = 77;
  CHECK(cudaHostGetFlags(&flags, static_cast<char*>(a) + 50) == cudaSuccess);
  CHECK(flags == cudaHostAllocMapped);  // as a GPU says of all of it
  CHECK(cudaHostUnregister(a) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaFreeHost(a) == cudaSuccess);
  CHECK(cudaFreeHost(a) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(nullptr) == cudaSuccess);
  CHECK(cudaHostGetFlags(&flags, a) == cudaErrorInvalidValue);

  REQUIRE(cudaHostAlloc(&a, 100, cudaHostAllocWriteCombined | cudaHostAllocPortable) == cudaSuccess);
  CHECK(cudaHostGetFlags(&flags, a) == cudaSuccess);
  CHECK(flags == (cudaHostAllocWriteCombined | cudaHostAllocMapped));
  void* mapped = &device;
  CHECK(cudaHostGetDevicePointer(&mapped, a, 0) == cudaSuccess);
  CHECK(mapped == a);
  CHECK(cudaHostGetDevicePointer(&mapped, static_cast<char*>(a) + 8, 0) == cudaSuccess);
  CHECK(mapped == static_cast<char*>(a) + 8);
  CHECK(cudaHostGetDevicePointer(&mapped, a, 1) == cudaErrorInvalidValue);
  CHECK(cudaHostGetDevicePointer(&mapped, &device, 0) == cudaErrorInvalidValue);
  CHECK(mapped == nullptr);
  CHECK(cudaFreeHost(a) == cudaSuccess);
  CHECK(cudaHostAlloc(&a, 100, 0x100) == cudaErrorInvalidValue);
  CHECK(cudaMallocHost(&a, SIZE_MAX) == cudaErrorMemoryAllocation);

  int own[10] = {};
  CHECK(cudaHostRegister(own, sizeof own, cudaHostRegisterDefault) == cudaSuccess);
  CHECK(cudaHostRegister(own, sizeof own, cudaHostRegisterDefault) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaFreeHost(own) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(own) == cudaSuccess);
  CHECK(cudaHostUnregister(own) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaHostRegister(nullptr, 8, 0) == cudaErrorInvalidValue);
}

TEST_CASE("memory pools") {
  Device device;
  cudaMemPool_t own = nullptr, current = nullptr, pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&own, 0) == cudaSuccess);
  REQUIRE(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(own == current);
  CHECK(cudaDeviceGetDefaultMemPool(&own, 1) == cudaErrorInvalidDevice);
  CHECK(cudaMemPoolDestroy(own) == cudaErrorInvalidValue);
  cudaMemPoolProps properties = {};
  CHECK(cudaMemPoolCreate(&pool, &properties) == cudaErrorInvalidValue);
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.maxSize = 4096;
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  CHECK(pool != own);
  void *first = nullptr, *second = nullptr;
  REQUIRE(cudaMallocFromPoolAsync(&first, 1000, pool, nullptr) == cudaSuccess);
  CHECK(cudaMallocFromPoolAsync(&second, 4000, pool, nullptr) == cudaErrorMemoryAllocation);
  const auto number = [&](cudaMemPoolAttr attribute) {
    std::uint64_t value = 0;
    CHECK(cudaMemPoolGetAttribute(pool, attribute, &value) == cudaSuccess);
    return value;
  };
  CHECK(number(cudaMemPoolAttrUsedMemCurrent) == 1000);
  CHECK(cudaDeviceSetMemPool(0, pool) == cudaSuccess);
  REQUIRE(cudaMallocAsync(&second, 500, nullptr) == cudaSuccess);
  CHECK(number(cudaMemPoolAttrUsedMemCurrent) == 1500);
  CHECK(cudaFreeAsync(second, nullptr) == cudaSuccess);
  CHECK(number(cudaMemPoolAttrUsedMemCurrent) == 1000);
  CHECK(number(cudaMemPoolAttrUsedMemHigh) == 1500);
  std::uint64_t value = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value) == cudaSuccess);
  CHECK(number(cudaMemPoolAttrUsedMemHigh) == 1000);
  value = 1 << 20;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value) == cudaSuccess);
  CHECK(number(cudaMemPoolAttrReleaseThreshold) == value);
  int flag = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &flag) == cudaSuccess);
  flag = 7;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &flag) == cudaSuccess);
  CHECK(flag == 0);
  CHECK(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  CHECK(cudaMemPoolTrimTo(pool, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(current == own);
  CHECK(cudaFree(first) == cudaSuccess);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("cudaPointerGetAttributes tells memories apart") {
  Device device;
  cudaPointerAttributes attributes;
  void* a = nullptr;
  REQUIRE(cudaMalloc(&a, 64) == cudaSuccess);
  char* inside = static_cast<char*>(a) + 63;
  REQUIRE(cudaPointerGetAttributes(&attributes, inside) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeDevice);
  CHECK(attributes.device == 0);
  CHECK(attributes.devicePointer == inside);
  CHECK(attributes.hostPointer == nullptr);
  REQUIRE(cudaPointerGetAttributes(&attributes, inside + 1) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeUnregistered);
  CHECK(cudaFree(a) == cudaSuccess);
  REQUIRE(cudaPointerGetAttributes(&attributes, a) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeUnregistered);

  REQUIRE(cudaMallocHost(&a, 64) == cudaSuccess);
  REQUIRE(cudaPointerGetAttributes(&attributes, a) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeHost);
  CHECK(attributes.hostPointer == a);
  CHECK(attributes.devicePointer == a);
  CHECK(attributes.device == 0);
  CHECK(cudaFreeHost(a) == cudaSuccess);
  CHECK(cudaPointerGetAttributes(nullptr, a) == cudaErrorInvalidValue);
}

TEST_CASE("memory nobody freed is found, with its size") {
  Device device;
  void* kept[3] = {};
  for (void*& a : kept) REQUIRE(cudaMalloc(&a, 100) == cudaSuccess);
  void* freed = nullptr;
  REQUIRE(cudaMalloc(&freed, 5000) == cudaSuccess);
  REQUIRE(cudaFree(freed) == cudaSuccess);
  SECTION("at the end") {}
  SECTION("at a reset, which is no way to free") {
    REQUIRE(cudaDeviceReset() == cudaSuccess);
    REQUIRE(cudaMalloc(&freed, 10) == cudaSuccess);
    REQUIRE(cudaFree(freed) == cudaSuccess);
  }
  const ServerReport report = device.finish();
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "memory-leak");
  CHECK(report.findings[0].severity == cudalabs::Severity::warning);
  CHECK(report.findings[0].count == 3);
  CHECK(report.findings[0].message.find("300 bytes") != std::string::npos);
  REQUIRE(report.origins.size() == 1);
  CHECK(report.origins[0].finding == 0);
  CHECK(report.origins[0].origin.address != 0);
}

TEST_CASE("memory that was freed is no leak") {
  Device device;
  void* a = nullptr;
  REQUIRE(cudaMalloc(&a, 100) == cudaSuccess);
  REQUIRE(cudaFree(a) == cudaSuccess);
  CHECK(device.finish().findings.empty());
}

TEST_CASE("the number of allocations is limited") {
  SessionLimits limits;
  limits.allocations = 3;
  Device device(device_model("t4"), limits);
  void* a = nullptr;
  for (int i = 0; i < 3; ++i) REQUIRE(cudaMalloc(&a, 1) == cudaSuccess);
  CHECK(cudaMalloc(&a, 1) == cudaErrorMemoryAllocation);
}
