// Copies in batches, copies between arrays, and what a program may ask about pools, textures and arrays.
#include "check.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // copies from array to array by bytes

constexpr int kCount = 64;

static bool is(const int* values, int first, int count) {
  for (int i = 0; i < count; ++i)
    if (values[i] != first + i) return false;
  return true;
}

static cudaMemcpyAttributes in_order(cudaMemcpySrcAccessOrder order) {
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = order;
  return attributes;
}

static void linear(cudaStream_t stream) {
  int *device[3], host[3][kCount], back[3][kCount] = {};
  void *to[3], *results[3];
  const void *from[3], *copies[3];
  size_t sizes[3];
  for (int i = 0; i < 3; ++i) {
    CHECK(cudaMalloc(&device[i], sizeof host[i]));
    for (int j = 0; j < kCount; ++j) host[i][j] = 100 * i + j;
    to[i] = device[i];
    from[i] = host[i];
    copies[i] = device[i];
    results[i] = back[i];
    sizes[i] = sizeof host[i];
  }
  cudaMemcpyAttributes attributes[] = {in_order(cudaMemcpySrcAccessOrderDuringApiCall),
                                       in_order(cudaMemcpySrcAccessOrderStream)};
  size_t first[] = {0, 2};
  CHECK(cudaMemcpyBatchAsync(to, from, sizes, 3, attributes, first, 2, stream));
  CHECK(cudaMemcpyBatchAsync(results, copies, sizes, 3, attributes + 1, first, 1, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(is(back[0], 0, kCount) && is(back[1], 100, kCount) && is(back[2], 200, kCount), "a batch of copies");

  // Its source may be used again at once.
  int* locked;
  CHECK(cudaMallocHost(&locked, sizeof host[0]));
  for (int j = 0; j < kCount; ++j) locked[j] = j;
  from[0] = locked;
  CHECK(cudaMemcpyBatchAsync(to, from, sizes, 1, attributes, first, 1, stream));
  for (int j = 0; j < kCount; ++j) locked[j] = -1;
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(back[0], device[0], sizeof back[0], cudaMemcpyDeviceToHost));
  expect(is(back[0], 0, kCount), "a source that is read during the call");

  const auto refused = [&](size_t count, size_t kinds, cudaStream_t in) {
    const bool same =
        cudaMemcpyBatchAsync(to, from, sizes, count, attributes, first, kinds, in) == cudaErrorInvalidValue;
    return cudaGetLastError() == cudaErrorInvalidValue && same;
  };
  bool all =
      refused(3, 1, nullptr) && refused(3, 1, cudaStreamLegacy) && refused(3, 0, stream) && refused(2, 2, stream);
  first[0] = 1;
  all = all && refused(3, 1, stream);
  first[0] = 0;
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  expect(all && refused(3, 1, stream), "what a batch must not be");
  CHECK(cudaFreeHost(locked));
  for (int* each : device) CHECK(cudaFree(each));
}

static void volumes(cudaStream_t stream) {
  int host[4][kCount], back[4][8] = {};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < kCount; ++j) host[i][j] = 1000 * i + j;
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
  cudaArray_t array, other;
  CHECK(cudaMallocArray(&array, &channels, kCount, 4));
  CHECK(cudaMallocArray(&other, &channels, kCount, 4));
  cudaMemcpy3DBatchOp copies[2] = {};
  copies[0].src.type = cudaMemcpyOperandTypePointer;
  copies[0].src.op.ptr.ptr = host;
  copies[0].src.op.ptr.rowLength = kCount;
  copies[0].dst.type = cudaMemcpyOperandTypeArray;
  copies[0].dst.op.array.array = array;
  copies[0].extent = make_cudaExtent(kCount, 4, 1);
  copies[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CHECK(cudaMemcpy3DBatchAsync(1, copies, 0, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, kCount * sizeof(int), 4, cudaMemcpyDeviceToDevice));
  copies[1].src.type = cudaMemcpyOperandTypeArray;
  copies[1].src.op.array.array = other;
  copies[1].src.op.array.offset.x = 8;
  copies[1].dst.type = cudaMemcpyOperandTypePointer;
  copies[1].dst.op.ptr.ptr = back;
  copies[1].extent = make_cudaExtent(8, 4, 1);
  copies[1].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CHECK(cudaMemcpy3DBatchAsync(1, copies + 1, 0, stream));
  CHECK(cudaStreamSynchronize(stream));
  bool right = true;
  for (int i = 0; i < 4; ++i) right = right && is(back[i], 1000 * i + 8, 8);
  expect(right, "a batch with arrays");

  int row[2 * kCount] = {};
  CHECK(cudaMemcpyArrayToArray(other, 0, 2, array, 0, 1, 2 * kCount * sizeof(int), cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy2DFromArray(row, sizeof row / 2, other, 0, 2, sizeof row / 2, 2, cudaMemcpyDeviceToHost));
  expect(is(row, 1000, kCount) && is(row + kCount, 2000, kCount), "from array to array");
  expect(cudaMemcpyArrayToArray(other, 0, 3, array, 0, 0, 2 * kCount * sizeof(int), cudaMemcpyDeviceToDevice) ==
             cudaErrorInvalidValue,
         "behind the end of an array");
  copies[1].extent.depth = 0;
  expect(cudaMemcpy3DBatchAsync(1, copies + 1, 0, stream) == cudaErrorInvalidValue, "a copy of nothing");

  cudaArray_t plane;
  cudaArrayMemoryRequirements requirements;
  expect(cudaArrayGetPlane(&plane, array, 0) == cudaErrorInvalidValue &&
             cudaArrayGetMemoryRequirements(&requirements, array, 0) == cudaErrorInvalidValue,
         "an array like any other");
  CHECK(cudaFreeArray(array));
  CHECK(cudaFreeArray(other));
  cudaGetLastError();
}

static void places() {
  cudaMemLocation device = {}, host = {};
  device.type = cudaMemLocationTypeDevice;
  host.type = cudaMemLocationTypeHost;
  cudaMemPool_t pool, same;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK(cudaMemGetDefaultMemPool(&same, &device, cudaMemAllocationTypePinned));
  CHECK(cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, pool));
  expect(pool == same && cudaMemGetMemPool(&same, &device, cudaMemAllocationTypePinned) == cudaSuccess && pool == same,
         "the device's pool");
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  CHECK(cudaMemPoolGetAccess(&flags, pool, &device));
  cudaMemAccessDesc access = {};
  access.location = device;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  CHECK(cudaMemPoolSetAccess(pool, &access, 1));
  access.flags = cudaMemAccessFlagsProtNone;
  expect(flags == cudaMemAccessFlagsProtReadWrite && cudaMemPoolSetAccess(pool, &access, 1) == cudaErrorInvalidValue,
         "access to a pool");

  int value = 0;
  size_t texels = 0;
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&texels, &channels, 0));
  expect(texels == size_t{1} << 28 &&
             cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) == cudaErrorInvalidDevice,
         "numbers of the device");

  int advised = 7, *fresh;
  const size_t fresh_bytes = 4096;
  CHECK(cudaMallocManaged(&fresh, fresh_bytes));
  CHECK(cudaMemAdvise(fresh, fresh_bytes, cudaMemAdviseSetPreferredLocation, host));
  CHECK(cudaMemRangeGetAttribute(&advised, sizeof advised, cudaMemRangeAttributePreferredLocation, fresh, fresh_bytes));
  void* discarded = fresh;
  size_t discarded_bytes = fresh_bytes;
  *fresh = 1;
  CHECK(cudaMemDiscardBatchAsync(&discarded, &discarded_bytes, 1, 0, cudaStreamPerThread));
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  expect(advised == cudaCpuDeviceId && *fresh != 1, "advice, and what is discarded");
  CHECK(cudaFree(fresh));

  void* unified;
  CHECK(cudaMallocManaged(&unified, 4096));
  size_t bytes = 4096, first = 0;
  CHECK(cudaMemPrefetchBatchAsync(&unified, &bytes, 1, &device, &first, 1, 0, cudaStreamPerThread));
  bytes = 8192;
  expect(
      cudaMemPrefetchBatchAsync(&unified, &bytes, 1, &host, &first, 1, 0, cudaStreamPerThread) == cudaErrorInvalidValue,
      "too much to prefetch");
  CHECK(cudaFree(unified));
  cudaGetLastError();
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  linear(stream);
  volumes(stream);
  places();
  CHECK(cudaStreamDestroy(stream));
}
