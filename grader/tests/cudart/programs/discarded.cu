// Unified memory that is discarded, and advice about it that is asked for. With an argument: a read of what is lost.
#include <cuda.h>

#include "check.h"

constexpr int kCount = 4096;

__global__ void fill(int* values, int count, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = value;
}

__global__ void add(const int* values, int count, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(sum, values[i]);  // reads
}

static int number_of(const void* values, size_t bytes, cudaMemRangeAttribute attribute) {
  int number = 77;
  CHECK(cudaMemRangeGetAttribute(&number, sizeof number, attribute, values, bytes));
  return number;
}

static void advice() {
  int* values;
  const size_t bytes = 4 * kCount * sizeof(int), half = bytes / 2;
  CHECK(cudaMallocManaged(&values, bytes));
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
  expect(number_of(values, bytes, cudaMemRangeAttributeReadMostly) == 0 &&
             number_of(values, bytes, cudaMemRangeAttributePreferredLocation) == cudaInvalidDeviceId &&
             number_of(values, bytes, cudaMemRangeAttributeLastPrefetchLocation) == cudaInvalidDeviceId,
         "no advice");
  CHECK(cudaMemAdvise(values, half, cudaMemAdviseSetReadMostly, device));
  expect(number_of(values, half, cudaMemRangeAttributeReadMostly) == 1 &&
             number_of(values, bytes, cudaMemRangeAttributeReadMostly) == 0,
         "of the first half");
  CHECK(cudaMemAdvise(values, bytes, cudaMemAdviseSetPreferredLocation, host));
  expect(number_of(values, bytes, cudaMemRangeAttributePreferredLocation) == cudaCpuDeviceId &&
             number_of(values, bytes, cudaMemRangeAttributePreferredLocationType) == cudaMemLocationTypeHost,
         "of all");
  CHECK(cudaMemAdvise(values, half, cudaMemAdviseSetPreferredLocation, device));
  expect(number_of(values, half, cudaMemRangeAttributePreferredLocation) == 0 &&
             number_of(values, bytes, cudaMemRangeAttributePreferredLocation) == cudaInvalidDeviceId &&
             number_of(values, bytes, cudaMemRangeAttributePreferredLocationType) == cudaMemLocationTypeInvalid,
         "of two kinds");
  CHECK(cudaMemAdvise(values, bytes, cudaMemAdviseUnsetPreferredLocation, device));
  CHECK(cudaMemAdvise(values, bytes, cudaMemAdviseSetAccessedBy, device));
  int accessing[3];
  CHECK(cudaMemRangeGetAttribute(accessing, sizeof accessing, cudaMemRangeAttributeAccessedBy, values, bytes));
  expect(accessing[0] == 0 && accessing[1] == cudaInvalidDeviceId && accessing[2] == cudaInvalidDeviceId,
         "who accesses it");
  CHECK(cudaMemPrefetchAsync(values, bytes, device, 0, nullptr));
  CHECK(cudaMemPrefetchAsync(values + 2 * kCount, half, host, 0, nullptr));
  expect(number_of(values, half, cudaMemRangeAttributeLastPrefetchLocation) == 0 &&
             number_of(values + 2 * kCount, half, cudaMemRangeAttributeLastPrefetchLocation) == cudaCpuDeviceId &&
             number_of(values, bytes, cudaMemRangeAttributeLastPrefetchLocation) == cudaInvalidDeviceId,
         "fetched in advance");
  int read_mostly = 7, preferred = 7;
  void* data[] = {&read_mostly, &preferred};
  size_t sizes[] = {sizeof read_mostly, sizeof preferred};
  cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation};
  CHECK(cudaMemRangeGetAttributes(data, sizes, attributes, 2, values, half));
  expect(read_mostly == 1 && preferred == cudaInvalidDeviceId, "several at once");
  int by_driver = 7;
  expect(cuMemAdvise(reinterpret_cast<CUdeviceptr>(values), bytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
                     {CU_MEM_LOCATION_TYPE_DEVICE, 0}) == CUDA_SUCCESS &&
             cuMemRangeGetAttribute(&by_driver, sizeof by_driver, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
                                    reinterpret_cast<CUdeviceptr>(values), bytes) == CUDA_SUCCESS &&
             by_driver == 0,
         "the driver's");
  const auto refused = [](cudaError_t status) { return status == cudaErrorInvalidValue; };
  expect(refused(cudaMemRangeGetAttribute(&read_mostly, 8, cudaMemRangeAttributeReadMostly, values, bytes)) &&
             refused(cudaMemRangeGetAttribute(nullptr, 4, cudaMemRangeAttributeReadMostly, values, bytes)) &&
             refused(cudaMemRangeGetAttribute(&read_mostly, 4, cudaMemRangeAttributeReadMostly, values, bytes + 4)) &&
             refused(cudaMemRangeGetAttribute(&read_mostly, 4, static_cast<cudaMemRangeAttribute>(9), values, bytes)) &&
             refused(cudaMemRangeGetAttribute(&read_mostly, 4, cudaMemRangeAttributeReadMostly, &read_mostly, 4)) &&
             refused(cudaMemRangeGetAttribute(accessing, 6, cudaMemRangeAttributeAccessedBy, values, bytes)),
         "questions that are none");
  expect(cudaMemAdvise(values, bytes, cudaMemAdviseSetPreferredLocation, {cudaMemLocationTypeDevice, 3}) ==
             cudaErrorInvalidDevice,
         "no such device");
  CHECK(cudaFree(values));
  CHECK(cudaMallocManaged(&values, bytes));
  expect(number_of(values, half, cudaMemRangeAttributeReadMostly) == 0, "of other memory");
  CHECK(cudaFree(values));
}

static int total(int* values, int* sum, cudaStream_t stream) {
  CHECK(cudaMemsetAsync(sum, 0, sizeof *sum, stream));
  add<<<kCount / 256, 256, 0, stream>>>(values, kCount, sum);
  CHECK(cudaStreamSynchronize(stream));
  int host = 0;
  CHECK(cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost));
  return host;
}

static void discard(bool reads_lost) {
  int *values, *sum, *plain;
  size_t bytes = kCount * sizeof(int), first = 0;
  CHECK(cudaMallocManaged(&values, bytes));
  CHECK(cudaMalloc(&sum, sizeof *sum));
  CHECK(cudaMalloc(&plain, bytes));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  for (int i = 0; i < kCount; ++i) values[i] = 1;
  void* range = values;
  expect(total(values, sum, stream) == kCount, "written by the host");
  CHECK(cudaMemDiscardBatchAsync(&range, &bytes, 1, 0, stream));
  if (!reads_lost) fill<<<kCount / 256, 256, 0, stream>>>(values, kCount, 2);
  const int found = total(values, sum, stream);
  if (reads_lost) {
    CHECK(cudaFree(plain));
    CHECK(cudaFree(sum));
    CHECK(cudaFree(values));
    return;
  }
  expect(found == 2 * kCount, "written again by a kernel");
  cudaMemLocation device{cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemDiscardAndPrefetchBatchAsync(&range, &bytes, 1, &device, &first, 1, 0, stream));
  expect(number_of(values, bytes, cudaMemRangeAttributeLastPrefetchLocation) == 0, "discarded and fetched");
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < kCount; ++i) values[i] = 3;
  expect(total(values, sum, stream) == 3 * kCount, "written again by the host");
  const auto refused = [](cudaError_t status) { return status == cudaErrorInvalidValue; };
  void* of_device = plain;
  expect(refused(cudaMemDiscardBatchAsync(&of_device, &bytes, 1, 0, stream)) &&
             refused(cudaMemDiscardBatchAsync(&range, &bytes, 1, 1, stream)) &&
             refused(cudaMemDiscardBatchAsync(&range, &bytes, 0, 0, stream)) &&
             refused(cudaMemDiscardBatchAsync(&range, &bytes, 1, 0, nullptr)) &&
             refused(cudaMemDiscardAndPrefetchBatchAsync(&range, &bytes, 1, &device, &first, 0, 0, stream)),
         "what cannot be discarded");
  expect(total(values, sum, stream) == 3 * kCount, "what is still there");
  cudaGetLastError();
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(plain));
  CHECK(cudaFree(sum));
  CHECK(cudaFree(values));
}

int main(int argc, char**) {
  if (argc == 1) advice();
  discard(argc > 1);
}
