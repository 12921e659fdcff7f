// The driver API: writes of words, and waits for values of words, in the order of a stream.
#include <string.h>

#include "vgpu/cudart/client/captured_calls.h"
#include "vgpu/cudart/client/driver/driver_context.h"
#include "vgpu/cudart/client/per_thread.h"

namespace cudalabs::vgpu::client::driver {
namespace {

using Operation = wire::MemoryOperation;
using Kind = Operation::Kind;

// CUstreamWaitValue_flags: the condition, and that writes of other devices are to be seen after the wait. That takes a
// platform of its own.
constexpr unsigned int kConditions = 4, kFlush = 1u << 30;
// CUstreamBatchMemOpType.
constexpr unsigned int kWait32 = 1, kWrite32 = 2, kFlushWrites = 3, kWait64 = 4, kWrite64 = 5, kBarrier = 6;
constexpr unsigned int kBarrierTypes = 2;  // of CUstreamMemoryBarrier_flags

/// CUstreamBatchMemOpParams_v1, whichever member of it.
union Parameters {
  unsigned int operation;
  struct {
    unsigned int operation;
    std::uint64_t address;
    union {
      std::uint32_t value;
      std::uint64_t value64;
    };
    unsigned int flags;
    std::uint64_t alias;
  } word;
  struct {
    unsigned int operation;
    unsigned int flags;
  } barrier;
  std::uint64_t pad[6];
};
static_assert(sizeof(Parameters) == 48);

bool write_of(std::uint64_t address, std::uint64_t value, unsigned int flags, std::uint32_t bytes, Operation& to) {
  to = {address, value, bytes, Kind::write};
  return flags == 0 && address % bytes == 0;
}

bool wait_of(std::uint64_t address, std::uint64_t value, unsigned int flags, std::uint32_t bytes, Operation& to) {
  const unsigned int condition = flags & ~kFlush;
  to = {address, value, bytes, static_cast<Kind>(static_cast<unsigned int>(Kind::wait_at_least) + condition)};
  return condition < kConditions && address % bytes == 0;
}

struct Batch {
  wire::MemoryOperations head;
  Operation operations[wire::kMostMemoryOperations];

  std::size_t bytes() const { return sizeof head + head.count * sizeof(Operation); }
};

/// Page-locked memory goes by the device's address; memory that is no device's has none.
cudaError_t go_by_device(Client& self, Operation& operation) {
  if (const Range* const range = self.page_locked.holding(operation.address)) {
    if (const cudaError_t status = self.mapped.map(self, *range); status != cudaSuccess) return status;
  }
  if (self.mapped.holds(operation.address)) operation.address = self.mapped.device_of(operation.address);
  return cudaSuccess;
}

cudaError_t send(Client& self, cudaStream_t stream, Batch& batch) {
  if (const Captured captured = refuse_capture(stream); captured.done) {
    if (captured.status != cudaErrorStreamCaptureUnsupported) return captured.status;
    return refuse_part(self, wire::UnsupportedPart::memory_operations_node);
  }
  batch.head.stream = stream_id(stream);
  for (std::uint32_t i = 0; i < batch.head.count; ++i) {
    Operation& operation = batch.operations[i];
    if (const cudaError_t status = go_by_device(self, operation); status != cudaSuccess) return status;
    self.waits_for_values = self.waits_for_values || operation.kind != Kind::write;
  }
  Expected nothing;
  return self.exchange(wire::Op::memory_operations, &batch, batch.bytes(), nullptr, nothing);
}

/// `flushes`: what other devices have written is to be seen.
int issue_one(cudaStream_t stream, bool valid, const Operation& operation, bool flushes = false) {
  return in_context([&] {
    return answer_and_tell(wire::call("cudaGetDriverEntryPoint"), {}, [&](Client& self) {
      if (!valid) return cudaErrorInvalidValue;
      if (flushes) return refuse_part(self, wire::UnsupportedPart::remote_flush);
      Batch batch;
      batch.head.count = 1;
      batch.operations[0] = operation;
      return send(self, stream, batch);
    });
  });
}

bool flushes(const Parameters& asked) {
  const bool waits = asked.operation == kWait32 || asked.operation == kWait64;
  return asked.operation == kFlushWrites || (waits && (asked.word.flags & kFlush) != 0);
}

/// A barrier is of no effect here, and takes no room.
bool add_to(Batch& batch, const Parameters& asked) {
  Operation& next = batch.operations[batch.head.count];
  const auto& word = asked.word;
  switch (asked.operation) {
    case kWait32:
    case kWait64: {
      const bool wide = asked.operation == kWait64;
      ++batch.head.count;
      return wait_of(word.address, wide ? word.value64 : word.value, word.flags, wide ? 8 : 4, next);
    }
    case kWrite32:
    case kWrite64: {
      const bool wide = asked.operation == kWrite64;
      ++batch.head.count;
      return write_of(word.address, wide ? word.value64 : word.value, word.flags, wide ? 8 : 4, next);
    }
    case kBarrier:
      return asked.barrier.flags < kBarrierTypes;
    case kFlushWrites:
      return asked.barrier.flags == 0;
    default:
      return false;
  }
}

}  // namespace

CUDALABS_API int cuStreamWriteValue32_v2(cudaStream_t stream, std::uint64_t address, std::uint32_t value,
                                         unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuStreamWriteValue32_v2");
  Operation operation;
  return issue_one(stream, write_of(address, value, flags, 4, operation), operation);
}

CUDALABS_API int cuStreamWriteValue64_v2(cudaStream_t stream, std::uint64_t address, std::uint64_t value,
                                         unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuStreamWriteValue64_v2");
  Operation operation;
  return issue_one(stream, write_of(address, value, flags, 8, operation), operation);
}

CUDALABS_API int cuStreamWaitValue32_v2(cudaStream_t stream, std::uint64_t address, std::uint32_t value,
                                        unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuStreamWaitValue32_v2");
  Operation operation;
  return issue_one(stream, wait_of(address, value, flags, 4, operation), operation, (flags & kFlush) != 0);
}

CUDALABS_API int cuStreamWaitValue64_v2(cudaStream_t stream, std::uint64_t address, std::uint64_t value,
                                        unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuStreamWaitValue64_v2");
  Operation operation;
  return issue_one(stream, wait_of(address, value, flags, 8, operation), operation, (flags & kFlush) != 0);
}

/// All of them, or none.
CUDALABS_API int cuStreamBatchMemOp_v2(cudaStream_t stream, unsigned int count, Parameters* asked, unsigned int flags) {
  CUDALABS_DRIVER_CALL("cuStreamBatchMemOp_v2");
  return in_context([&] {
    return answer_and_tell(wire::call("cudaGetDriverEntryPoint"), {}, [&](Client& self) {
      if (flags != 0 || count > wire::kMostMemoryOperations || (count != 0 && !asked)) return cudaErrorInvalidValue;
      Batch batch;
      bool any_flushes = false;
      for (unsigned int i = 0; i < count; ++i) {
        if (!add_to(batch, asked[i])) return cudaErrorInvalidValue;
        any_flushes = any_flushes || flushes(asked[i]);
      }
      if (any_flushes) return refuse_part(self, wire::UnsupportedPart::remote_flush);
      return send(self, stream, batch);
    });
  });
}

CUDALABS_PER_THREAD(cuStreamBatchMemOp_v2, _ptsz, 4)
CUDALABS_PER_THREAD(cuStreamWaitValue32_v2, _ptsz, 4)
CUDALABS_PER_THREAD(cuStreamWaitValue64_v2, _ptsz, 4)
CUDALABS_PER_THREAD(cuStreamWriteValue32_v2, _ptsz, 4)
CUDALABS_PER_THREAD(cuStreamWriteValue64_v2, _ptsz, 4)

}  // namespace cudalabs::vgpu::client::driver
