// Reserved addresses and memory that is mapped there, by the CUDA driver API. With a letter: a mistake.
#include <cuda.h>

#include <cstdio>
#include <vector>

namespace {

constexpr size_t kPiece = 2 << 20;
constexpr int kCount = kPiece / sizeof(int);

void check(const char* what, bool holds) {
  std::printf("%s: %s\n", what, holds ? "right" : "WRONG");
}
bool fine(CUresult result) {
  return result == CUDA_SUCCESS;
}

__global__ void number(int* values, size_t first, size_t count) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < count) values[first + i] = static_cast<int>(first + i);  // stores
}

__global__ void sum(const int* values, size_t count, unsigned long long* result) {
  unsigned long long own = 0;
  for (size_t i = threadIdx.x; i < count; i += blockDim.x) own += values[i];  // loads
  atomicAdd(result, own);
}

CUmemAllocationProp of_device() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  return properties;
}

CUmemGenericAllocationHandle create(size_t bytes) {
  const CUmemAllocationProp properties = of_device();
  CUmemGenericAllocationHandle handle = 0;
  cuMemCreate(&handle, bytes, &properties, 0);  // created
  return handle;
}

CUresult allow(CUdeviceptr address, size_t bytes, CUmemAccess_flags flags) {
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, flags};
  return cuMemSetAccess(address, bytes, &access, 1);
}
constexpr CUmemAccess_flags kAll = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;

int* pointer(CUdeviceptr address) {
  return reinterpret_cast<int*>(address);
}

unsigned long long sum_of(CUdeviceptr address, size_t count) {
  unsigned long long *result, host = 0;
  cudaMalloc(&result, sizeof *result);
  cudaMemset(result, 0, sizeof *result);
  sum<<<1, 256>>>(pointer(address), count, result);
  cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(result);
  return host;
}
constexpr unsigned long long sum_below(unsigned long long count) {
  return count * (count - 1) / 2;
}

/// A vector whose elements never move: it reserves addresses, and maps memory behind what it has.
class Vector {
 public:
  explicit Vector(size_t pieces) : reserved_(pieces * kPiece) {
    check("addresses", fine(cuMemAddressReserve(&address_, reserved_, 0, 0, 0)) && address_ % kPiece == 0);
  }
  bool grow() {
    const CUmemGenericAllocationHandle handle = create(kPiece);
    const CUdeviceptr end = address_ + mapped();
    if (!fine(cuMemMap(end, kPiece, 0, handle, 0)) || !fine(allow(end, kPiece, kAll))) return false;
    handles_.push_back(handle);
    return true;
  }
  /// To other addresses, of which there are more.
  bool move(size_t pieces) {
    CUdeviceptr other = 0;
    bool good = fine(cuMemAddressReserve(&other, pieces * kPiece, kPiece, 0, 0)) &&
                fine(cuMemUnmap(address_, mapped())) && fine(cuMemAddressFree(address_, reserved_));
    for (size_t i = 0; i < handles_.size(); ++i)
      good = good && fine(cuMemMap(other + i * kPiece, kPiece, 0, handles_[i], 0));
    address_ = other;
    reserved_ = pieces * kPiece;
    return good && fine(allow(address_, mapped(), kAll));
  }
  bool clear() {
    bool good = fine(cuMemUnmap(address_, mapped()));
    for (const CUmemGenericAllocationHandle handle : handles_) good = good && fine(cuMemRelease(handle));
    return good && fine(cuMemAddressFree(address_, reserved_));
  }
  size_t mapped() const { return handles_.size() * kPiece; }
  size_t count() const { return handles_.size() * kCount; }
  CUdeviceptr address() const { return address_; }

 private:
  CUdeviceptr address_ = 0;
  size_t reserved_;
  std::vector<CUmemGenericAllocationHandle> handles_;
};

void grows() {
  Vector vector(4);
  check("a piece", vector.grow());
  number<<<kCount / 256, 256>>>(pointer(vector.address()), 0, kCount);
  check("a piece behind it", vector.grow());
  number<<<kCount / 256, 256>>>(pointer(vector.address()), kCount, kCount);
  check("both as one", sum_of(vector.address(), vector.count()) == sum_below(2 * kCount));
  std::vector<int> host(8);
  check("a copy across both", fine(cuMemcpyDtoH(host.data(), vector.address() + kPiece - 16, 32)) &&
                                  host[0] == kCount - 4 && host[7] == kCount + 3);
  check("moved", vector.move(8) && sum_of(vector.address(), vector.count()) == sum_below(2 * kCount));
  check("grown there", vector.grow() && fine(cuMemsetD32(vector.address() + 2 * kPiece, 1, kCount)) &&
                           sum_of(vector.address(), vector.count()) == sum_below(2 * kCount) + kCount);
  check("cleared", vector.clear());
}

void answers() {
  CUmemAllocationProp properties = of_device(), told{};
  size_t granularity = 0;
  check("granularity",
        fine(cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM)) &&
            granularity == kPiece);
  CUdeviceptr range = 0;
  cuMemAddressReserve(&range, 4 * kPiece, 0, 0, 0);
  CUmemGenericAllocationHandle handle = create(2 * kPiece), again = 0;
  check("properties", fine(cuMemGetAllocationPropertiesFromHandle(&told, handle)) && told.type == properties.type &&
                          told.location.type == properties.location.type);
  check("mapped", fine(cuMemMap(range, 2 * kPiece, 0, handle, 0)));
  const CUmemLocation device{CU_MEM_LOCATION_TYPE_DEVICE, 0};
  unsigned long long flags = 9;
  check("no access yet", fine(cuMemGetAccess(&flags, &device, range + 100)) && flags == 0);
  int value = 5;
  check("no copy yet", cuMemcpyHtoD(range, &value, sizeof value) == CUDA_ERROR_INVALID_VALUE);
  check("all access", fine(allow(range, 2 * kPiece, kAll)) && fine(cuMemGetAccess(&flags, &device, range)) &&
                          flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE && fine(cuMemsetD32(range, 3, 2 * kCount)));
  check("only reads", fine(allow(range, 2 * kPiece, CU_MEM_ACCESS_FLAGS_PROT_READ)) &&
                          fine(cuMemGetAccess(&flags, &device, range)) && flags == CU_MEM_ACCESS_FLAGS_PROT_READ &&
                          sum_of(range, 2 * kCount) == 6ull * kCount &&
                          cuMemcpyHtoD(range, &value, sizeof value) == CUDA_ERROR_INVALID_VALUE);
  check("a handle of an address", fine(cuMemRetainAllocationHandle(&again, pointer(range + kPiece))) &&
                                      again == handle && fine(cuMemRelease(again)));
  bool mapped = false;
  check("what is mapped", fine(cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, range)) && mapped &&
                              fine(cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, range + 3 * kPiece)) &&
                              !mapped);

  const auto refused = [](CUresult result) { return result == CUDA_ERROR_INVALID_VALUE; };
  CUmemGenericAllocationHandle other = create(kPiece);
  check("mapped over it", refused(cuMemMap(range + kPiece, kPiece, 0, other, 0)));
  check("past the range", refused(cuMemMap(range + 3 * kPiece, 2 * kPiece, 0, other, 0)));
  check("more than there is", refused(cuMemMap(range + 2 * kPiece, 2 * kPiece, 0, other, 0)));
  check("not a whole piece", refused(cuMemMap(range + 2 * kPiece + 4096, kPiece, 0, other, 0)) &&
                                 refused(cuMemMap(range + 2 * kPiece, 4096, 0, other, 0)) &&
                                 refused(cuMemMap(range + 2 * kPiece, kPiece, 4096, other, 0)));
  check("no handle", refused(cuMemMap(range + 2 * kPiece, kPiece, 0, 12345, 0)) && refused(cuMemRelease(12345)));
  check("access to a part", refused(allow(range, kPiece, kAll)) && refused(allow(range, 3 * kPiece, kAll)));
  const CUmemAccessDesc host{{CU_MEM_LOCATION_TYPE_HOST, 0}, kAll};
  check("access of the host",
        refused(cuMemSetAccess(range, 2 * kPiece, &host, 1)) && refused(cuMemSetAccess(range, 2 * kPiece, nullptr, 0)));
  check("unmapped in part", refused(cuMemUnmap(range, kPiece)) && refused(cuMemUnmap(range, 3 * kPiece)));
  check("freed while mapped", refused(cuMemAddressFree(range, 4 * kPiece)));
  check("freed in part", refused(cuMemAddressFree(range, kPiece)) && refused(cuMemAddressFree(range + kPiece, kPiece)));
  check("created in part", refused(cuMemCreate(&again, 4096, &properties, 0)) &&
                               refused(cuMemCreate(&again, kPiece, nullptr, 0)) &&
                               refused(cuMemCreate(&again, kPiece, &properties, 1)));
  properties.location.id = 7;
  check("of another device", cuMemCreate(&again, kPiece, &properties, 0) == CUDA_ERROR_INVALID_DEVICE);
  check("more than the device has", [] {
    const CUmemAllocationProp all = of_device();
    CUmemGenericAllocationHandle none = 0;
    return cuMemCreate(&none, kPiece << 20, &all, 0) == CUDA_ERROR_OUT_OF_MEMORY;
  }());
  // Memory stays as long as it is mapped, and is free then.
  size_t before = 0, after = 0, total = 0;
  check("released", fine(cuMemRelease(handle)) && refused(cuMemRelease(handle)) && sum_of(range, 4) == 12);
  cuMemGetInfo(&before, &total);
  check("unmapped", fine(cuMemUnmap(range, 2 * kPiece)) && refused(cuMemUnmap(range, 2 * kPiece)) &&
                        fine(cuMemGetInfo(&after, &total)) && after - before == 2 * kPiece);
  check("all is gone", fine(cuMemRelease(other)) && fine(cuMemAddressFree(range, 4 * kPiece)) &&
                           refused(cuMemAddressFree(range, 4 * kPiece)));
}

void mistake(char which) {
  CUdeviceptr range = 0, second = 0;
  cuMemAddressReserve(&range, 2 * kPiece, 0, 0, 0);  // reserved
  const CUmemGenericAllocationHandle handle = create(kPiece);
  cuMemMap(range, kPiece, 0, handle, 0);  // mapped
  if (which != 'n') allow(range, kPiece, which == 'r' ? CU_MEM_ACCESS_FLAGS_PROT_READ : kAll);
  switch (which) {
    case 'u':  // behind what is mapped
      number<<<1, 32>>>(pointer(range), kCount, 32);
      break;
    case 'n':  // without cuMemSetAccess
    case 'r':  // that may only be read
      number<<<1, 32>>>(pointer(range), 0, 32);
      break;
    case 'g':                     // after it was unmapped
      cuMemUnmap(range, kPiece);  // unmapped
      number<<<1, 32>>>(pointer(range), 0, 32);
      break;
    case 'w':  // before it was written
      sum_of(range, 32);
      break;
    case 'a':  // the same memory twice
      cuMemAddressReserve(&second, kPiece, 0, 0, 0);
      check("twice", cuMemMap(second, kPiece, 0, handle, 0) == CUDA_ERROR_NOT_SUPPORTED);  // again
      cuMemAddressFree(second, kPiece);
      break;
    case 'f':                                                        // as other memory
      check("freed", cuMemFree(range) == CUDA_ERROR_INVALID_VALUE);  // by cuMemFree
      break;
    default:
      break;
  }
  cuCtxSynchronize();
  if (which == 'l') return;  // nothing is given back
  cuMemUnmap(range, kPiece);
  cuMemRelease(handle);
  cuMemAddressFree(range, 2 * kPiece);
}

}  // namespace

int main(int argc, char** argv) {
  CUdeviceptr range = 0;
  if (argc == 1) check("before cuInit", cuMemAddressReserve(&range, kPiece, 0, 0, 0) == CUDA_ERROR_NOT_INITIALIZED);
  cuInit(0);
  CUcontext context = nullptr;
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  if (argc > 1) {
    mistake(argv[1][0]);
  } else {
    grows();
    answers();
  }
  cuDevicePrimaryCtxRelease(0);
}
