// Streams that write values to memory and wait for them (`cuStreamWriteValue32`, `cuStreamWaitValue32` and their kin):
// what they are for, and with an argument the mistakes that people make with them. Linked with -lcuda.
//
// Why each of them is one: a wait orders what comes behind it in its stream after the write that ended it, and after
// nothing else. A write that does not come after the data (`early_write`), a wait for an older value (`low_value`), or
// none at all (`no_wait`) leaves readers without an order. A wait that nobody ends holds its stream for ever: because
// no write is there (`no_write`), because it comes after the wait itself (`own_stream`), because two streams wait for
// each other (`both_wait`), or because nothing sets the bit (`wrong_bit`).
#include <cuda.h>

#include <thread>
#include <vector>

#include "check.h"

enum class Mistake { none, early_write, low_value, no_wait, no_write, own_stream, both_wait, wrong_bit };

constexpr int kCount = 256;

#define DRIVE(call)                                                                       \
  do {                                                                                    \
    const CUresult result = (call);                                                       \
    if (result != CUDA_SUCCESS) std::printf("%s: %d\n", #call, static_cast<int>(result)); \
  } while (0)

__global__ void produce(int* data, int factor) {
  data[threadIdx.x] = threadIdx.x * factor;
}

__global__ void consume(const int* data, int* out) {
  out[threadIdx.x] = data[threadIdx.x] + 1;
}

__global__ void raise_flag(unsigned* flag, unsigned value) {
  __threadfence_system();
  *reinterpret_cast<volatile unsigned*>(flag) = value;
}

static cudaStream_t first, second;
static int *data, *out;
static CUdeviceptr flags;

CUdeviceptr flag(int i) {
  return flags + 8 * i;
}

void begin() {
  CHECK(cudaMemset(reinterpret_cast<void*>(flags), 0, 64));
  CHECK(cudaMemset(data, 0, kCount * sizeof(int)));
  CHECK(cudaDeviceSynchronize());
}

bool has(int factor) {
  std::vector<int> values(kCount);
  CHECK(cudaMemcpy(values.data(), out, kCount * sizeof(int), cudaMemcpyDefault));
  for (int i = 0; i < kCount; ++i)
    if (values[i] != i * factor + 1) return false;
  return true;
}

// The wait comes first, and the stream goes on when another one has written.
void handed_over(Mistake mistake) {
  begin();
  if (mistake != Mistake::no_wait) DRIVE(cuStreamWaitValue32(second, flag(0), 1, CU_STREAM_WAIT_VALUE_GEQ));  // waits
  consume<<<1, kCount, 0, second>>>(data, out);                                                               // reads
  CHECK(cudaMemcpyAsync(data + kCount, out, kCount * sizeof(int), cudaMemcpyDefault, second));
  expect(mistake != Mistake::none || cuStreamQuery(second) == CUDA_ERROR_NOT_READY, "not yet");
  const auto write = [&](cudaStream_t stream) { DRIVE(cuStreamWriteValue32(stream, flag(0), 1, 0)); };
  if (mistake == Mistake::early_write) write(first);
  produce<<<1, kCount, 0, first>>>(data, 3);  // writes
  if (mistake == Mistake::own_stream) write(second);
  if (mistake != Mistake::early_write && mistake != Mistake::own_stream && mistake != Mistake::no_write) write(first);
  const CUresult result = cuStreamSynchronize(second);
  if (mistake == Mistake::none) expect(result == CUDA_SUCCESS && has(3), "handed over");
}

// The values count rounds, and wrap. The writes come first.
void rounds(Mistake mistake) {
  begin();
  bool right = true;
  for (unsigned i = 1; i <= 4; ++i) {
    const unsigned value = 0xFFFFFFFE + i, awaited = mistake == Mistake::low_value && i == 3 ? value - 1 : value;
    if (i == 1) DRIVE(cuStreamWriteValue32(first, flag(1), value - 1, 0));
    produce<<<1, kCount, 0, first>>>(data, i);  // makes a round
    DRIVE(cuStreamWriteValue32(first, flag(1), value, 0));
    DRIVE(cuStreamWaitValue32(second, flag(1), awaited, CU_STREAM_WAIT_VALUE_GEQ));
    consume<<<1, kCount, 0, second>>>(data, out);  // takes a round
    DRIVE(cuStreamWriteValue32(second, flag(2), i, 0));
    DRIVE(cuStreamWaitValue32(first, flag(2), i, CU_STREAM_WAIT_VALUE_EQ));
    DRIVE(cuStreamSynchronize(second));
    right = right && has(i);
    if (mistake == Mistake::low_value && i == 3) break;
  }
  DRIVE(cuStreamSynchronize(first));
  if (mistake == Mistake::none) expect(right, "rounds");
}

// A kernel raises the flag, and a wait for bits sees it.
void by_kernel(Mistake mistake) {
  begin();
  const unsigned bits = mistake == Mistake::wrong_bit ? 8 : 4;
  DRIVE(cuStreamWaitValue32(second, flag(3), bits, CU_STREAM_WAIT_VALUE_AND));
  consume<<<1, kCount, 0, second>>>(data, out);
  produce<<<1, kCount, 0, first>>>(data, 5);
  raise_flag<<<1, 1, 0, first>>>(reinterpret_cast<unsigned*>(flag(3)), 6);
  const CUresult result = cuStreamSynchronize(second);
  if (mistake == Mistake::none) expect(result == CUDA_SUCCESS && has(5), "by a kernel");
}

void all_conditions() {
  begin();
  CUstreamBatchMemOpParams batch[6] = {};
  batch[0].operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  batch[0].writeValue.address = flag(4);
  batch[0].writeValue.value64 = 0xFFFFFFFF00000001ull;
  batch[1].operation = CU_STREAM_MEM_OP_BARRIER;
  batch[1].memoryBarrier.flags = CU_STREAM_MEMORY_BARRIER_TYPE_GPU;
  for (int i = 2; i < 6; ++i) {
    batch[i].operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
    batch[i].waitValue.address = flag(4);
  }
  batch[2].waitValue.value64 = 0x7FFFFFFF00000002ull;  // by the sign of the difference
  batch[2].waitValue.flags = CU_STREAM_WAIT_VALUE_GEQ;
  batch[3].waitValue.value64 = 0xFFFFFFFF00000001ull;
  batch[3].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  batch[4].waitValue.value64 = 1ull << 40;
  batch[4].waitValue.flags = CU_STREAM_WAIT_VALUE_AND;
  batch[5].waitValue.value64 = ~0ull << 2;
  batch[5].waitValue.flags = CU_STREAM_WAIT_VALUE_NOR;
  DRIVE(cuStreamBatchMemOp(first, 6, batch, 0));
  unsigned long long value = 0;
  CHECK(cudaMemcpyAsync(&value, reinterpret_cast<void*>(flag(4)), 8, cudaMemcpyDefault, first));
  expect(cuStreamSynchronize(first) == CUDA_SUCCESS && value == 0xFFFFFFFF00000001ull, "all conditions");
}

// The host and a stream tell each other in page-locked memory, before and while the stream waits.
void with_host() {
  begin();
  unsigned* words = nullptr;
  CHECK(cudaMallocHost(&words, 4096));
  words[0] = words[1] = 0;
  const auto address = reinterpret_cast<CUdeviceptr>(words);
  produce<<<1, kCount, 0, second>>>(data, 7);
  DRIVE(cuStreamWaitValue32(second, address, 1, CU_STREAM_WAIT_VALUE_EQ));
  consume<<<1, kCount, 0, second>>>(data, out);
  DRIVE(cuStreamWriteValue32(second, address + 4, 2, 0));
  expect(cuStreamQuery(second) == CUDA_ERROR_NOT_READY, "it waits for the host");
  reinterpret_cast<volatile unsigned*>(words)[0] = 1;
  DRIVE(cuStreamSynchronize(second));
  expect(words[1] == 2 && has(7), "the host has written");

  DRIVE(cuStreamWaitValue32(second, address, 9, CU_STREAM_WAIT_VALUE_EQ));
  std::thread other([&] {
    CHECK(cudaSetDevice(0));
    reinterpret_cast<volatile unsigned*>(words)[0] = 9;
  });
  DRIVE(cuStreamSynchronize(second));
  other.join();
  DRIVE(cuStreamWaitValue32(second, flag(5), 4, CU_STREAM_WAIT_VALUE_EQ));
  std::thread writer([] {
    CHECK(cudaSetDevice(0));
    DRIVE(cuStreamWriteValue32(first, flag(5), 4, 0));
  });
  expect(cuStreamSynchronize(second) == CUDA_SUCCESS, "another thread has written");
  writer.join();
  CHECK(cudaFreeHost(words));
}

// Events, frees and the default stream come after a wait as all else does.
void what_comes_after() {
  begin();
  cudaEvent_t event;
  cudaStream_t third;
  int* short_lived = nullptr;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CHECK(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
  CHECK(cudaMallocAsync(&short_lived, kCount * sizeof(int), second));
  DRIVE(cuStreamWaitValue32(second, flag(6), 1, CU_STREAM_WAIT_VALUE_GEQ));
  consume<<<1, kCount, 0, second>>>(data, short_lived);
  CHECK(cudaEventRecord(event, second));
  CHECK(cudaStreamWaitEvent(third, event, 0));
  CHECK(cudaMemcpyAsync(out, short_lived, kCount * sizeof(int), cudaMemcpyDefault, third));
  CHECK(cudaEventRecord(event, third));
  CHECK(cudaStreamWaitEvent(second, event, 0));
  CHECK(cudaFreeAsync(short_lived, second));
  expect(cudaEventQuery(event) == cudaErrorNotReady, "an event waits");
  produce<<<1, kCount, 0, first>>>(data, 9);
  DRIVE(cuStreamWriteValue32(first, flag(6), 1, 0));
  CHECK(cudaEventSynchronize(event));
  expect(has(9), "what comes after");
  CHECK(cudaStreamDestroy(third));
  CHECK(cudaEventDestroy(event));
}

void both_wait(Mistake mistake) {
  if (mistake != Mistake::both_wait) return;
  begin();
  DRIVE(cuStreamWaitValue32(first, flag(7), 1, CU_STREAM_WAIT_VALUE_GEQ));  // the first one
  DRIVE(cuStreamWriteValue32(first, flag(6), 1, 0));
  DRIVE(cuStreamWaitValue32(second, flag(6), 1, CU_STREAM_WAIT_VALUE_GEQ));  // the second one
  DRIVE(cuStreamWriteValue32(second, flag(7), 1, 0));
  std::printf("%d\n", static_cast<int>(cuCtxSynchronize()));
}

void answers() {
  int *managed = nullptr, plain = 0;
  CHECK(cudaMallocManaged(&managed, 4096));
  constexpr CUresult kWrong = CUDA_ERROR_INVALID_VALUE;
  expect(cuStreamWriteValue32(first, flag(0) + 2, 1, 0) == kWrong, "a misaligned word");
  expect(cuStreamWriteValue64(first, flag(0) + 4, 1, 0) == kWrong, "a misaligned pair");
  expect(cuStreamWriteValue32(first, 0, 1, 0) == kWrong, "no address");
  expect(cuStreamWriteValue32(first, flag(0), 1, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) == kWrong, "a flag of old");
  expect(cuStreamWaitValue32(first, flag(0), 1, 4) == kWrong, "no condition");
  expect(cuStreamWriteValue32(first, reinterpret_cast<CUdeviceptr>(managed), 1, 0) == kWrong, "unified memory");
  expect(cuStreamWriteValue32(first, reinterpret_cast<CUdeviceptr>(&plain), 1, 0) == kWrong, "memory of the host");
  CUstreamBatchMemOpParams batch[300] = {};
  for (CUstreamBatchMemOpParams& one : batch) {
    one.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    one.writeValue.address = flag(0);
    one.writeValue.value = 3;
  }
  expect(cuStreamBatchMemOp(first, 255, batch, 0) == CUDA_SUCCESS, "a batch");
  expect(cuStreamBatchMemOp(first, 256, batch, 0) == kWrong, "a batch too large");
  expect(cuStreamBatchMemOp(first, 1, nullptr, 0) == kWrong && cuStreamBatchMemOp(first, 1, batch, 1) == kWrong,
         "a batch that is none");
  batch[0].writeValue.value = 4;
  batch[1].operation = static_cast<CUstreamBatchMemOpType>(7);
  expect(cuStreamBatchMemOp(first, 2, batch, 0) == kWrong, "an operation that is none");
  DRIVE(cuStreamSynchronize(first));
  int value = 0;
  CHECK(cudaMemcpy(&value, reinterpret_cast<void*>(flag(0)), 4, cudaMemcpyDefault));
  expect(value == 3, "none of its operations is made");
  int wide = 0, clear = 0;
  DRIVE(cuDeviceGetAttribute(&wide, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 0));
  DRIVE(cuDeviceGetAttribute(&clear, CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 0));
  int flush = 1, old_names = 1;
  DRIVE(cuDeviceGetAttribute(&flush, CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, 0));
  DRIVE(cuDeviceGetAttribute(&old_names, CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1, 0));
  expect(wide == 1 && clear == 1 && flush == 0 && old_names == 0, "attributes");
  CHECK(cudaFree(managed));
}

int main(int argc, char** argv) {
  const char only = argc > 1 ? argv[1][0] : 'a';
  const Mistake mistake = argc > 2 ? static_cast<Mistake>(std::atoi(argv[2])) : Mistake::none;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&data, 2 * kCount * sizeof(int)));
  CHECK(cudaMalloc(&out, kCount * sizeof(int)));
  CHECK(cudaMalloc(reinterpret_cast<void**>(&flags), 64));
  if (only == 'a' || only == 'h') handed_over(mistake);
  if (only == 'a' || only == 'r') rounds(mistake);
  if (only == 'a' || only == 'k') by_kernel(mistake);
  if (only == 'a' || only == 'b') both_wait(mistake);
  if (only == 'a') {
    all_conditions();
    with_host();
    what_comes_after();
    answers();
  }
  if (only == 'e') {  // the program ends, and nobody has waited for the stream
    begin();
    DRIVE(cuStreamWaitValue32(second, flag(0), 1, CU_STREAM_WAIT_VALUE_GEQ));  // for ever
    consume<<<1, kCount, 0, second>>>(data, out);
  }
  if (only == 'p') {  // a capture has no such nodes here
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    std::printf("%d\n", static_cast<int>(cuStreamWriteValue32(first, flag(0), 1, 0)));  // captures
    std::printf("%d\n", static_cast<int>(cudaStreamEndCapture(first, &graph)));
  }
  if (only == 'f') {                                                                          // as on most platforms
    const CUresult one = cuStreamWaitValue32(first, flag(0), 0, CU_STREAM_WAIT_VALUE_FLUSH);  // flushes
    CUstreamBatchMemOpParams batch{};
    batch.operation = CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES;
    std::printf("%d %d\n", static_cast<int>(one), static_cast<int>(cuStreamBatchMemOp(first, 1, &batch, 0)));
  }
  if (mistake != Mistake::none || only == 'e') return 0;
  CHECK(cudaFree(data));
  CHECK(cudaFree(out));
  CHECK(cudaFree(reinterpret_cast<void*>(flags)));
}
