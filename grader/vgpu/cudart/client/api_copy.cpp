// The runtime API: copies and fills, linear and pitched, blocking and asynchronous, by address and by symbol.
#include <string.h>

#include "vgpu/cudart/client/awaited_pages.h"
#include "vgpu/cudart/client/captured_calls.h"
#include "vgpu/cudart/client/copy.h"

namespace cudalabs::vgpu::client {
namespace {

wire::Rows device_rows(Side side, Shape shape) {
  return {side.address, side.pitch, shape.width, shape.height};
}
HostRows host_rows(Side side, Shape shape) {
  return {reinterpret_cast<std::byte*>(side.address), side.pitch, shape.width, shape.height};
}
const void* pointer(Side side) {
  return reinterpret_cast<const void*>(side.address);
}

cudaError_t copy_in(Client& self, Side to, Side from, Shape shape, Order order) {
  const std::uint64_t span = from.pitch * (shape.height - 1) + shape.width;
  // Kernels may find pointers in it.
  if (const cudaError_t mapped = self.mapped.map_named(self, pointer(from), span); mapped != cudaSuccess) return mapped;
  const bool page_locked = order.asynchronous && !order.reads_at_once && self.is_page_locked(pointer(from), span);
  // Code is loaded when first needed, which waits: not between this copy and the first launch.
  if (page_locked && self.modules.size() > 0) self.load(*self.modules[0]);
  // Bytes on their way into the source come first.
  cudaError_t status = page_locked ? self.arrive(address_of(pointer(from)), span) : cudaSuccess;
  if (status == cudaSuccess && !order.asynchronous) status = self.send_sources();
  if (status != cudaSuccess) return status;
  const wire::Copy request{device_rows(to, shape), stream_id(order.stream), order.asynchronous, page_locked};
  const HostRows data = host_rows(from, shape);
  wire::Delivery delivery;
  Expected expected;
  if (page_locked) {
    expected.result = &delivery;
    expected.result_bytes = sizeof delivery;
  }
  status = self.exchange(wire::Op::copy_in, &request, sizeof request, &data, expected);
  if (status != cudaSuccess || delivery.id == 0) return status;
  const PendingSource source{delivery.id, data, digest(data)};
  return self.pending_sources.push(source) ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t copy_out(Client& self, Side to, Side from, Shape shape, Order order) {
  const HostRows rows = host_rows(to, shape);
  // Only page-locked memory can be written behind the program's back; other copies end before the call does.
  const bool deferred =
      order.asynchronous && self.is_page_locked(pointer(to), to.pitch * (shape.height - 1) + shape.width);
  if (!deferred) {
    const cudaError_t status = self.send_sources();
    if (status != cudaSuccess) return status;
  }
  const wire::Copy request{device_rows(from, shape), stream_id(order.stream), deferred, 0};
  wire::Delivery delivery;
  Expected expected;
  if (deferred) {
    expected.result = &delivery;
    expected.result_bytes = sizeof delivery;
  } else {
    expected.rows = &rows;
  }
  const cudaError_t status = self.exchange(wire::Op::copy_out, &request, sizeof request, nullptr, expected);
  if (status != cudaSuccess || !deferred) return status;
  PendingCopy pending{delivery.id, rows};
  take_pages(self, pending);
  if (self.pending_copies.push(pending)) return cudaSuccess;
  give_pages_back(pending);
  return cudaErrorMemoryAllocation;
}

cudaError_t copy_within(Client& self, Side to, Side from, Shape shape, Order order) {
  return self.ask(wire::Op::copy_within, wire::CopyWithin{device_rows(to, shape), device_rows(from, shape),
                                                          stream_id(order.stream), order.asynchronous, 0});
}

cudaError_t copy_host(Client& self, Side to, Side from, Shape shape, Order order) {
  const cudaError_t status = self.ask(wire::Op::stream_synchronize, wire::Handle{stream_id(order.stream)});
  if (status != cudaSuccess) return status;
  for (std::uint64_t row = 0; row < shape.height; ++row)
    memmove(reinterpret_cast<void*>(to.address + row * to.pitch),
            reinterpret_cast<const void*>(from.address + row * from.pitch), shape.width);
  return cudaSuccess;
}

}  // namespace

cudaError_t end_here(Client& self, cudaError_t status, Order order, CallPointers pointers, std::uint64_t stray) {
  if (self.dead_context != cudaSuccess) {
    status = self.dead_context;
    pointers = {};
  }
  self.note(status, cudaSuccess, order.stream, pointers, wire::UnsupportedPart::all, stray);
  return status;
}

namespace {

/// A call that these pointers do not fit. The server knows what a stray one pointed to before.
cudaError_t refuse(Client& self, Order order, CallPointers pointers, Side first, Side second = {}) {
  const bool to_stray = pointers.first == PointerKind::stray, from_stray = pointers.second == PointerKind::stray;
  const std::uint64_t stray = to_stray ? first.address : from_stray ? second.address : 0;
  return end_here(self, cudaErrorInvalidValue, order, pointers, stray);
}

/// Page-locked memory that stands where the device's is meant.
cudaError_t map_if_page_locked(Client& self, Side side) {
  const Range* const range = self.page_locked.holding(side.address);
  return range == nullptr ? cudaSuccess : self.mapped.map(self, *range);
}

void go_by_device(const Client& self, Side& side) {
  if (self.mapped.holds(side.address)) side.address = self.mapped.device_of(side.address);
}

/// Whether rows from there end where no address of a program is.
bool ends_beyond_memory(Side side, Shape shape) {
  constexpr std::uint64_t kAddresses = 1ull << 57;  // of a processor with page tables of five levels
  std::uint64_t span = 0;
  return __builtin_mul_overflow(side.pitch, shape.height - 1, &span) ||
         __builtin_add_overflow(span, shape.width, &span) || __builtin_add_overflow(span, side.address, &span) ||
         span > kAddresses;
}

/// Copies as `kind` says. A pointer on the wrong side of it is refused before anything is touched.
cudaError_t copy(Client& self, Side to, Side from, Shape shape, cudaMemcpyKind kind, Order order) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return end_here(self, cudaErrorInvalidMemcpyDirection, order);
  if (shape.width == 0 || shape.height == 0) return end_here(self, cudaSuccess, order);
  if (is_capturing()) {
    const Captured captured = capture_copy(self,
                                           copy_of_rows(reinterpret_cast<void*>(to.address), to.pitch, pointer(from),
                                                        from.pitch, shape.width, shape.height, kind),
                                           order);
    if (captured.done) return captured.status;
  }
  const CallPointers pointers{self.kind_of(pointer(to)), self.kind_of(pointer(from)),
                              static_cast<std::uint8_t>(kind + 1)};
  if (to.address == 0 || from.address == 0) return end_here(self, cudaErrorInvalidValue, order, pointers);
  if (ends_beyond_memory(to, shape) || ends_beyond_memory(from, shape))
    return end_here(self, cudaErrorInvalidValue, order);
  cudaError_t mapped = cudaSuccess;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) mapped = map_if_page_locked(self, to);
  if ((kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice) && mapped == cudaSuccess)
    mapped = map_if_page_locked(self, from);
  if (mapped != cudaSuccess) return end_here(self, mapped, order);
  const bool to_device = self.is_device(pointer(to)), from_device = self.is_device(pointer(from));
  if (kind == cudaMemcpyDefault) {
    kind = to_device ? (from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                     : (from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
  }
  const bool to_managed = self.is_shared(pointer(to)), from_managed = self.is_shared(pointer(from));
  const bool wants_to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool wants_from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const auto fits = [&](Side side, bool is_device, bool is_managed, bool wants_device) {
    return is_managed || is_device == wants_device || (wants_device && self.was_meant_for_device(pointer(side)));
  };
  if (!fits(to, to_device, to_managed, wants_to_device) || !fits(from, from_device, from_managed, wants_from_device))
    return refuse(self, order, pointers, to, from);
  // Unified and mapped memory is both: the copy is made on the device.
  go_by_device(self, to);
  go_by_device(self, from);
  if (to_managed || from_managed) {
    kind = to_managed || wants_to_device
               ? (from_managed || wants_from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
               : cudaMemcpyDeviceToHost;
  }
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return copy_in(self, to, from, shape, order);
    case cudaMemcpyDeviceToHost:
      return copy_out(self, to, from, shape, order);
    case cudaMemcpyDeviceToDevice:
      return copy_within(self, to, from, shape, order);
    default:
      return copy_host(self, to, from, shape, order);
  }
}

cudaError_t copy_linear(Client& self, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Order order) {
  return copy(self, {address_of(to), bytes}, {address_of(from), bytes}, {bytes, 1}, kind, order);
}

}  // namespace

cudaError_t copy_pitched(Client& self, Side to, Side from, Shape shape, cudaMemcpyKind kind, Order order) {
  if (shape.width > to.pitch || shape.width > from.pitch) return end_here(self, cudaErrorInvalidPitchValue, order);
  if (shape.width == to.pitch && shape.width == from.pitch &&
      !__builtin_mul_overflow(shape.width, shape.height, &shape.width))
    shape.height = 1;  // no gaps: one long row
  return copy(self, to, from, shape, kind, order);
}

cudaError_t symbol_address(Client& self, const void* symbol, std::size_t offset, std::size_t bytes,
                           std::uint64_t* address) {
  Variable* variable = nullptr;
  const cudaError_t status = self.find_variable(symbol, &variable);
  if (status != cudaSuccess) return status;
  if (offset > variable->bytes || bytes > variable->bytes - offset) return cudaErrorInvalidValue;
  *address = variable->address + offset;
  return cudaSuccess;
}

namespace {

cudaError_t copy_to_symbol(Client& self, const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                           cudaMemcpyKind kind, Order order) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return end_here(self, cudaErrorInvalidMemcpyDirection, order);
  std::uint64_t to = 0;
  const cudaError_t status = symbol_address(self, symbol, offset, bytes, &to);
  if (status != cudaSuccess) return end_here(self, status, order);
  return copy_linear(self, reinterpret_cast<void*>(to), from, bytes, kind, order);
}

cudaError_t copy_from_symbol(Client& self, void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                             cudaMemcpyKind kind, Order order) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return end_here(self, cudaErrorInvalidMemcpyDirection, order);
  std::uint64_t from = 0;
  const cudaError_t status = symbol_address(self, symbol, offset, bytes, &from);
  if (status != cudaSuccess) return end_here(self, status, order);
  return copy_linear(self, to, reinterpret_cast<const void*>(from), bytes, kind, order);
}

}  // namespace

cudaError_t fill(Client& self, Side to, Shape shape, int value, Order order) {
  if (shape.width == 0 || shape.height == 0) return end_here(self, cudaSuccess, order);
  if (is_capturing()) {
    const Captured captured = capture_fill(self,
                                           {reinterpret_cast<void*>(to.address), to.pitch,
                                            static_cast<unsigned int>(value & 0xff), 1, shape.width, shape.height},
                                           order);
    if (captured.done) return captured.status;
  }
  if (const cudaError_t status = map_if_page_locked(self, to); status != cudaSuccess)
    return end_here(self, status, order);
  const bool is_mapped = self.mapped.holds(to.address);
  go_by_device(self, to);
  if (!is_mapped && !self.was_meant_for_device(pointer(to)))
    return refuse(self, order, {.first = self.kind_of(pointer(to))}, to);
  return self.ask(wire::Op::fill, wire::Fill{device_rows(to, shape), stream_id(order.stream),
                                             static_cast<std::uint32_t>(value & 0xff), order.asynchronous});
}

cudaError_t fill_with_row(Client& self, Side to, Shape shape, char* row, Order order) {
  const bool is_device = self.is_device(pointer(to));
  if (!is_device && !self.is_shared(pointer(to))) return refuse(self, order, {.first = self.kind_of(pointer(to))}, to);
  go_by_device(self, to);
  return copy_in(self, to, {address_of(row), 0}, shape, order);
}

CUDALABS_API cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return answer(wire::call("cudaMemcpy"), call_site(),
                [&](Client& self) { return copy_linear(self, to, from, bytes, kind, {}); });
}

CUDALABS_API cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                         cudaStream_t stream) {
  return answer(wire::call("cudaMemcpyAsync"), call_site(), [&](Client& self) {
    return copy_linear(self, to, from, bytes, kind, {stream, true});
  });
}

CUDALABS_API cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                      size_t height, cudaMemcpyKind kind) {
  return answer(wire::call("cudaMemcpy2D"), call_site(), [&](Client& self) {
    return copy_pitched(self, {address_of(to), to_pitch}, {address_of(from), from_pitch}, {width, height}, kind, {});
  });
}

CUDALABS_API cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                           size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return answer(wire::call("cudaMemcpy2DAsync"), call_site(), [&](Client& self) {
    return copy_pitched(self, {address_of(to), to_pitch}, {address_of(from), from_pitch}, {width, height}, kind,
                        {stream, true});
  });
}

CUDALABS_API cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return answer(wire::call("cudaMemcpyPeer"), call_site(), [&](Client& self) {
    if (to_device != 0 || from_device != 0) return end_here(self, cudaErrorInvalidDevice, {});
    return copy_linear(self, to, from, bytes, cudaMemcpyDeviceToDevice, {});
  });
}

CUDALABS_API cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                             cudaStream_t stream) {
  return answer(wire::call("cudaMemcpyPeerAsync"), call_site(), [&](Client& self) {
    if (to_device != 0 || from_device != 0) return end_here(self, cudaErrorInvalidDevice, {stream, true});
    return copy_linear(self, to, from, bytes, cudaMemcpyDeviceToDevice, {stream, true});
  });
}

CUDALABS_API cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                                            cudaMemcpyKind kind) {
  return answer(wire::call("cudaMemcpyToSymbol"), call_site(),
                [&](Client& self) { return copy_to_symbol(self, symbol, from, bytes, offset, kind, {}); });
}

CUDALABS_API cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind, cudaStream_t stream) {
  return answer(wire::call("cudaMemcpyToSymbolAsync"), call_site(), [&](Client& self) {
    return copy_to_symbol(self, symbol, from, bytes, offset, kind, {stream, true});
  });
}

CUDALABS_API cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                              cudaMemcpyKind kind) {
  return answer(wire::call("cudaMemcpyFromSymbol"), call_site(),
                [&](Client& self) { return copy_from_symbol(self, to, symbol, bytes, offset, kind, {}); });
}

CUDALABS_API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return answer(wire::call("cudaMemcpyFromSymbolAsync"), call_site(), [&](Client& self) {
    return copy_from_symbol(self, to, symbol, bytes, offset, kind, {stream, true});
  });
}

CUDALABS_API cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  return answer(wire::call("cudaGetSymbolAddress"), call_site(), [&](Client& self) {
    if (!address) return end_here(self, cudaErrorInvalidValue, {});
    std::uint64_t value = 0;
    const cudaError_t status = symbol_address(self, symbol, 0, 0, &value);
    if (status == cudaSuccess) *address = reinterpret_cast<void*>(value);
    return end_here(self, status, {});
  });
}

CUDALABS_API cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return answer(wire::call("cudaGetSymbolSize"), call_site(), [&](Client& self) {
    if (!bytes) return end_here(self, cudaErrorInvalidValue, {});
    Variable* variable = nullptr;
    const cudaError_t status = self.find_variable(symbol, &variable);
    if (status == cudaSuccess) *bytes = variable->bytes;
    return end_here(self, status, {});
  });
}

CUDALABS_API cudaError_t cudaMemset(void* pointer_to, int value, size_t bytes) {
  return answer(wire::call("cudaMemset"), call_site(), [&](Client& self) {
    return fill(self, {address_of(pointer_to), bytes}, {bytes, 1}, value, {});
  });
}

CUDALABS_API cudaError_t cudaMemsetAsync(void* pointer_to, int value, size_t bytes, cudaStream_t stream) {
  return answer(wire::call("cudaMemsetAsync"), call_site(), [&](Client& self) {
    return fill(self, {address_of(pointer_to), bytes}, {bytes, 1}, value, {stream, true});
  });
}

CUDALABS_API cudaError_t cudaMemset2D(void* pointer_to, size_t pitch, int value, size_t width, size_t height) {
  return answer(wire::call("cudaMemset2D"), call_site(), [&](Client& self) {
    if (width > pitch) return end_here(self, cudaErrorInvalidPitchValue, {});
    return fill(self, {address_of(pointer_to), pitch}, {width, height}, value, {});
  });
}

CUDALABS_API cudaError_t cudaMemset2DAsync(void* pointer_to, size_t pitch, int value, size_t width, size_t height,
                                           cudaStream_t stream) {
  return answer(wire::call("cudaMemset2DAsync"), call_site(), [&](Client& self) {
    if (width > pitch) return end_here(self, cudaErrorInvalidPitchValue, {stream, true});
    return fill(self, {address_of(pointer_to), pitch}, {width, height}, value, {stream, true});
  });
}

}  // namespace cudalabs::vgpu::client
