// The runtime API: copies and prefetches in batches. A batch is in the order of its stream.
#include "vgpu/cudart/client/captured_calls.h"
#include "vgpu/cudart/client/device_array.h"
#include "vgpu/cudart/client/memory_advice.h"

namespace cudalabs::vgpu::client {
namespace {

bool is_order(cudaMemcpySrcAccessOrder order) {
  return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

/// `first` says for each of `kinds` things which entry of a batch is the first that it is about.
bool covers(const std::size_t* first, std::size_t kinds, std::size_t count) {
  if (first == nullptr || kinds == 0 || kinds > count || first[0] != 0) return false;
  for (std::size_t i = 1; i < kinds; ++i)
    if (first[i] <= first[i - 1]) return false;
  return first[kinds - 1] < count;
}

/// What a batch may not be given to: the default stream of all threads, and a stream that captures.
cudaError_t check_stream(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy) return cudaErrorInvalidValue;
  return refuse_capture(stream).status;
}

Order order_of(cudaStream_t stream, cudaMemcpySrcAccessOrder source) {
  return {stream, true, source == cudaMemcpySrcAccessOrderDuringApiCall};
}

cudaError_t copy_all(Client& self, void* const* to, const void* const* from, const std::size_t* bytes,
                     std::size_t count, const cudaMemcpyAttributes* attributes, const std::size_t* first,
                     std::size_t kinds, cudaStream_t stream) {
  if (to == nullptr || from == nullptr || bytes == nullptr || attributes == nullptr || !covers(first, kinds, count))
    return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < kinds; ++i) {
    if (!is_order(attributes[i].srcAccessOrder) || attributes[i].flags > cudaMemcpyFlagPreferOverlapWithCompute)
      return cudaErrorInvalidValue;
  }
  cudaError_t status = check_stream(stream);
  std::size_t kind = 0;
  for (std::size_t i = 0; i < count && status == cudaSuccess; ++i) {
    if (kind + 1 < kinds && first[kind + 1] == i) ++kind;
    status = copy_pitched(self, {address_of(to[i]), bytes[i]}, {address_of(from[i]), bytes[i]}, {bytes[i], 1},
                          cudaMemcpyDefault, order_of(stream, attributes[kind].srcAccessOrder));
  }
  return status;
}

/// Bytes of an element: of the arrays among the two, else 1. 0: they do not go together.
std::size_t element_bytes(Client& self, const cudaMemcpy3DBatchOp& copy) {
  std::size_t bytes = 0;
  const cudaMemcpy3DOperand* const sides[] = {&copy.src, &copy.dst};
  for (const cudaMemcpy3DOperand* side : sides) {
    if (side->type != cudaMemcpyOperandTypeArray) continue;
    const cudaArray* const array = live_array(self, side->op.array.array);
    if (array == nullptr || (bytes != 0 && bytes != array->texel_bytes)) return 0;
    bytes = array->texel_bytes;
  }
  return bytes == 0 ? 1 : bytes;
}

bool read_side(const cudaMemcpy3DOperand& side, const cudaExtent& extent, std::size_t element, cudaArray_t* array,
               cudaPos* position, cudaPitchedPtr* memory) {
  if (side.type == cudaMemcpyOperandTypeArray) {
    *array = side.op.array.array;
    *position = {side.op.array.offset.x, side.op.array.offset.y, side.op.array.offset.z};
    return true;
  }
  if (side.type != cudaMemcpyOperandTypePointer) return false;
  const auto& pointer = side.op.ptr;
  const std::size_t row = pointer.rowLength == 0 ? extent.width : pointer.rowLength;
  const std::size_t rows = pointer.layerHeight == 0 ? extent.height : pointer.layerHeight;
  *memory = {pointer.ptr, 0, extent.width * element, rows};
  return row >= extent.width && rows >= extent.height && !__builtin_mul_overflow(row, element, &memory->pitch);
}

cudaError_t read_copy(Client& self, const cudaMemcpy3DBatchOp& copy, cudaMemcpy3DParms* read) {
  const cudaExtent& extent = copy.extent;
  const std::size_t element = element_bytes(self, copy);
  if (element == 0 || extent.width == 0 || extent.height == 0 || extent.depth == 0 || !is_order(copy.srcAccessOrder) ||
      copy.flags > cudaMemcpyFlagPreferOverlapWithCompute)
    return cudaErrorInvalidValue;
  *read = cudaMemcpy3DParms{};
  read->extent = extent;
  read->kind = cudaMemcpyDefault;
  const bool is_read = read_side(copy.src, extent, element, &read->srcArray, &read->srcPos, &read->srcPtr) &&
                       read_side(copy.dst, extent, element, &read->dstArray, &read->dstPos, &read->dstPtr);
  return is_read ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t copy_volumes(Client& self, std::size_t count, const cudaMemcpy3DBatchOp* copies, unsigned long long flags,
                         cudaStream_t stream) {
  if (copies == nullptr || count == 0 || flags != 0) return cudaErrorInvalidValue;
  cudaMemcpy3DParms copy;
  cudaError_t status = check_stream(stream);
  for (std::size_t i = 0; i < count && status == cudaSuccess; ++i) status = read_copy(self, copies[i], &copy);
  for (std::size_t i = 0; i < count && status == cudaSuccess; ++i) {
    status = read_copy(self, copies[i], &copy);
    if (status == cudaSuccess) status = copy_volume(self, &copy, order_of(stream, copies[i].srcAccessOrder));
  }
  return status;
}

/// Ranges of a batch are unified memory, each of one allocation.
cudaError_t check_ranges(const Client& self, void* const* pointers, const std::size_t* bytes, std::size_t count,
                         unsigned long long flags) {
  if (pointers == nullptr || bytes == nullptr || count == 0 || flags != 0) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i)
    if (!is_managed_range(self, pointers[i], bytes[i])) return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t check_places(const cudaMemLocation* places, const std::size_t* first, std::size_t place_count,
                         std::size_t count) {
  if (places == nullptr || !covers(first, place_count, count)) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < place_count; ++i)
    if (const cudaError_t status = check_place(places[i]); status != cudaSuccess) return status;
  return cudaSuccess;
}

cudaError_t prefetch_all(Client& self, void* const* pointers, const std::size_t* bytes, std::size_t count,
                         const cudaMemLocation* places, const std::size_t* first, std::size_t place_count) {
  cudaError_t status = cudaSuccess;
  std::size_t place = 0;
  for (std::size_t i = 0; i < count && status == cudaSuccess; ++i) {
    if (place + 1 < place_count && first[place + 1] == i) ++place;
    status = prefetch(self, pointers[i], bytes[i], places[place], 0);
  }
  return status;
}

cudaError_t discard_all(Client& self, void* const* pointers, const std::size_t* bytes, std::size_t count,
                        cudaStream_t stream) {
  cudaError_t status = cudaSuccess;
  for (std::size_t i = 0; i < count && status == cudaSuccess; ++i) {
    const wire::Rows range{address_of(pointers[i]), bytes[i], bytes[i], 1};
    status = self.ask(wire::Op::fill, wire::Fill{range, stream_id(stream), wire::Fill::kDiscard, 1});
  }
  return status;
}

}  // namespace

// A batch is one call: it succeeds or fails as a whole.
CUDALABS_API cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* bytes,
                                              size_t count, cudaMemcpyAttributes* attributes, size_t* first,
                                              size_t attribute_count, cudaStream_t stream) {
  return answer_and_tell(wire::call("cudaMemcpyBatchAsync"), call_site(), [&](Client& self) {
    return copy_all(self, to, from, bytes, count, attributes, first, attribute_count, stream);
  });
}

CUDALABS_API cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* copies, unsigned long long flags,
                                                cudaStream_t stream) {
  return answer_and_tell(wire::call("cudaMemcpy3DBatchAsync"), call_site(),
                         [&](Client& self) { return copy_volumes(self, count, copies, flags, stream); });
}

CUDALABS_API cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* bytes, size_t count,
                                                   cudaMemLocation* places, size_t* first, size_t place_count,
                                                   unsigned long long flags, cudaStream_t stream) {
  return answer_here(wire::call("cudaMemPrefetchBatchAsync"), call_site(), [&](Client& self) {
    cudaError_t status = check_ranges(self, pointers, bytes, count, flags);
    if (status == cudaSuccess) status = check_places(places, first, place_count, count);
    if (status != cudaSuccess) return status;
    if (const Captured refused = refuse_capture(stream); refused.done) return refused.status;
    return prefetch_all(self, pointers, bytes, count, places, first, place_count);
  });
}

CUDALABS_API cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* bytes, size_t count,
                                                  unsigned long long flags, cudaStream_t stream) {
  return answer_and_tell(wire::call("cudaMemDiscardBatchAsync"), call_site(), [&](Client& self) {
    cudaError_t status = check_ranges(self, pointers, bytes, count, flags);
    if (status == cudaSuccess) status = check_stream(stream);
    return status == cudaSuccess ? discard_all(self, pointers, bytes, count, stream) : status;
  });
}

CUDALABS_API cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* bytes, size_t count,
                                                             cudaMemLocation* places, size_t* first, size_t place_count,
                                                             unsigned long long flags, cudaStream_t stream) {
  return answer_and_tell(wire::call("cudaMemDiscardAndPrefetchBatchAsync"), call_site(), [&](Client& self) {
    cudaError_t status = check_ranges(self, pointers, bytes, count, flags);
    if (status == cudaSuccess) status = check_places(places, first, place_count, count);
    if (status == cudaSuccess) status = check_stream(stream);
    if (status == cudaSuccess) status = discard_all(self, pointers, bytes, count, stream);
    return status == cudaSuccess ? prefetch_all(self, pointers, bytes, count, places, first, place_count) : status;
  });
}

}  // namespace cudalabs::vgpu::client
