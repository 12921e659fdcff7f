// The session's memory operations: allocation, copies, fills, leaks.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/server/row_cursor.h"
#include "vgpu/cudart/server/session_types.h"

namespace cudalabs::vgpu {
namespace {

/// Bytes of all rows; nullopt when that is no 64-bit number.
std::optional<std::uint64_t> total_bytes(const wire::Rows& rows) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(rows.width, rows.height, &bytes)) return std::nullopt;
  return bytes;
}

/// The bytes of the rows; of very many, the gaps as well.
std::vector<ByteRange> ranges_of(const wire::Rows& rows) {
  constexpr std::uint64_t kMostRows = 65'536;
  if (rows.height == 1 || rows.pitch == rows.width || rows.height > kMostRows)
    return {{rows.address, rows.address + rows.pitch * (rows.height - 1) + rows.width}};
  std::vector<ByteRange> ranges;
  for (std::uint64_t row = 0; row < rows.height; ++row) {
    const std::uint64_t begin = rows.address + row * rows.pitch;
    ranges.push_back({begin, begin + rows.width});
  }
  return ranges;
}

TouchedBytes reading(const wire::Rows& rows) {
  return {ranges_of(rows), {}, {}};
}
TouchedBytes writing(const wire::Rows& rows) {
  return {{}, ranges_of(rows), {}};
}

/// Copies `data` into the rows as they lie in device memory.
void scatter(VirtualGpu& gpu, RowCursor& cursor, std::span<const std::byte> data) {
  while (!data.empty()) {
    const RowCursor::Piece piece = cursor.next(data.size());
    gpu.copy_in(piece.address, data.first(piece.bytes));
    data = data.subspan(piece.bytes);
  }
}

void gather(VirtualGpu& gpu, RowCursor& cursor, std::span<std::byte> data) {
  while (!data.empty()) {
    const RowCursor::Piece piece = cursor.next(data.size());
    if (!gpu.copy_out(data.first(piece.bytes), piece.address)) std::memset(data.data(), 0, piece.bytes);
    data = data.subspan(piece.bytes);
  }
}

}  // namespace

void Session::allocate(Request& request) {
  const auto bytes = request.as<wire::Allocate>().bytes;
  if (bytes == 0) return reply(request, cudaErrorInvalidValue);
  drain();
  if (const cudaError_t error = context_error(); error != cudaSuccess) return reply(request, error);
  if (++allocation_count_ == faults_.allocation) return reply(request, cudaErrorMemoryAllocation);
  if (addresses_.blocks().size() >= limits_.allocations || bytes > gpu_.free_bytes())
    return reply(request, cudaErrorMemoryAllocation);
  const DeviceAddress address = gpu_.allocate(bytes, request.header.origin);
  if (address == 0) return reply(request, cudaErrorMemoryAllocation);
  addresses_.add(address, {bytes, request.origin(), std::nullopt});
  reply(request, cudaSuccess, wire::Address{address});
}

void Session::release(Request& request) {
  const auto address = request.as<wire::Address>().address;
  drain();  // as cudaFree does: work that uses the memory ends first
  promise(order_.reach_all());
  if (const cudaError_t error = context_error(); error != cudaSuccess) return reply(request, error);
  reply(request, free_now(request, address));
}

/// In the order of a stream: for the program nothing has ended.
void Session::release_later(Request& request) {
  const auto [address, handle] = request.as<wire::Release>();
  request.stream = handle;
  const auto stream = stream_of(handle);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  drain();
  if (const cudaError_t error = context_error(); error != cudaSuccess) return reply(request, error);
  if (const auto* block = addresses_.allocation(address)) {
    const std::uint64_t number = order_.issue(*stream);
    watch(request, *stream, number, TouchedBytes{{}, {{address, address + block->bytes}}, {}});
  }
  reply(request, free_now(request, address));
}

cudaError_t Session::free_now(const Request& request, std::uint64_t address) {
  const auto* block = addresses_.allocation(address);
  if (block == nullptr) {
    // Told all the same: the virtual GPU knows a double free from a pointer that never was.
    gpu_.free(address, request.header.origin);
    note_invalid_free(request, address);
    return cudaErrorInvalidValue;
  }
  const std::uint64_t bytes = block->bytes;
  const auto meets = [&](const InputArray& array) { return array.meets(address, bytes); };
  if (std::ranges::any_of(inputs_, meets) || std::ranges::any_of(outputs_, meets)) note_invalid_free(request, address);
  gpu_.free(address, request.header.origin);
  std::erase_if(inputs_, meets);
  std::erase_if(outputs_, meets);
  addresses_.remove(address);
  if (freed_.size() < limits_.inputs) freed_[address] = wire::kCallNames[request.header.call];
  return cudaSuccess;
}

/// A free of what the program has no right to free; without an address, of host memory.
void Session::note_invalid_free(const Request& request, std::optional<std::uint64_t> address) {
  const auto known = std::ranges::find(invalid_frees_, request.origin(), &HostFinding::origin);
  if (known != invalid_frees_.end()) {
    ++known->finding.count;
    return;
  }
  if (invalid_frees_.size() >= limits_.inputs || taken_back_) return;
  const std::string call = wire::kCallNames[request.header.call];
  Finding finding;
  finding.id = finding_ids::kInvalidFree;
  finding.note = "the call returned `cudaErrorInvalidValue` and freed nothing";
  finding.help = "free what `cudaMalloc` gave, once, and nothing else: not a host array, not a pointer into the middle";
  const auto owned = [&](const InputArray& array) { return address && array.meets(*address, 1); };
  const auto input = std::ranges::find_if(inputs_, owned), output = std::ranges::find_if(outputs_, owned);
  if (!address) {
    finding.message =
        fmt::format("`{}` frees memory that `cudaMallocHost` did not give, or that is free already", call);
    finding.help = "free what `cudaMallocHost` or `cudaHostAlloc` gave, once, and nothing else";
  } else if ((input != inputs_.end() || output != outputs_.end()) && addresses_.allocation(*address)) {
    const std::string& name = (input != inputs_.end() ? *input : *output).name;
    finding.message = fmt::format("`{}` frees `{}`, which belongs to the caller", call, name);
    finding.note = "the caller allocated the array, may still use it, and frees it";
    finding.help = "remove the call: free what your function has allocated, and nothing else";
  } else if (freed_.contains(*address)) {
    finding.message = fmt::format("`{}` frees memory that is free already", call);
  } else if (addresses_.holds(*address, 1)) {
    finding.message = fmt::format("`{}` gets a pointer into an array, not to its begin", call);
  } else {
    finding.message =
        fmt::format("`{}` gets a pointer that `cudaMalloc` did not give, such as one to host memory", call);
  }
  invalid_frees_.push_back({std::move(finding), request.origin()});
}

void Session::take_back(Request& request) {
  inputs_.clear();
  outputs_.clear();
  taken_back_ = true;
  reply(request, cudaSuccess);
}

void Session::memory_info(Request& request) {
  drain();
  reply(request, cudaSuccess, wire::MemoryInfo{gpu_.free_bytes(), model_.global_bytes});
}

cudaError_t Session::check_rows(const wire::Rows& rows) const {
  if (!total_bytes(rows)) return cudaErrorInvalidValue;
  if (rows.width == 0 || rows.height == 0) return cudaSuccess;
  if (rows.height > 1 && rows.pitch < rows.width) return cudaErrorInvalidPitchValue;
  std::uint64_t span = 0;
  if (__builtin_mul_overflow(rows.pitch, rows.height - 1, &span) || __builtin_add_overflow(span, rows.width, &span) ||
      !addresses_.holds(rows.address, span))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

void Session::copy_in(Request& request) {
  const auto copy = request.as<wire::Copy>();
  const auto bytes = total_bytes(copy.device);
  if (!bytes) throw ProtocolViolation{"a copy of more bytes than there are"};
  request.stream = copy.stream;
  const auto stream = stream_of(copy.stream);
  cudaError_t status = context_error();
  if (status == cudaSuccess && !stream) status = cudaErrorInvalidResourceHandle;
  if (status == cudaSuccess) status = check_rows(copy.device);
  if (status != cudaSuccess || *bytes == 0) {
    discard(*bytes);
    return reply(request, status);
  }
  note_overwritten(request, copy.device);
  const bool held = copy.asynchronous && copy.page_locked;
  if (copy.asynchronous && (held || !idle()) && *bytes <= limits_.staged_bytes - staged_bytes_) {
    const auto source = copy_in_later(request, *stream, copy.device, held);
    if (!held) return reply(request, cudaSuccess);
    const std::uint64_t id = next_handle_++;
    sources_[id] = source;
    return reply(request, cudaSuccess, wire::Delivery{id, *bytes});
  }
  drain();
  status = context_error();
  if (status != cudaSuccess) {
    discard(*bytes);
    return reply(request, status);
  }
  watch(request, *stream, order_.issue(*stream), writing(copy.device));
  copy_in_now(request, copy.device);
  hand_over(copy.asynchronous ? Progress{} : order_.reach(*stream));
  if (held) return reply(request, cudaSuccess, wire::Delivery{0, *bytes});
  reply(request, cudaSuccess);
}

void Session::copy_in_now(const Request& request, const wire::Rows& to) {
  RowCursor cursor(to);
  if (transfers_ != nullptr) {
    std::vector<std::byte> data = receive_rows(to);
    transfers_->to_device(request.origin(), data);
    return scatter(gpu_, cursor, data);
  }
  for (std::uint64_t left = *total_bytes(to); left > 0;) {
    const auto part = std::span(buffer_).first(std::min<std::uint64_t>(left, buffer_.size()));
    receive(part);
    scatter(gpu_, cursor, part);
    left -= part.size();
  }
}

std::vector<std::byte> Session::receive_rows(const wire::Rows& rows) {
  const std::uint64_t bytes = *total_bytes(rows);
  std::vector<std::byte> data;
  while (data.size() < bytes) {  // memory is taken as data comes, not as it is promised
    const std::size_t begin = data.size();
    data.resize(begin + std::min<std::uint64_t>(bytes - begin, buffer_.size()));
    receive(std::span(data).subspan(begin));
  }
  return data;
}

/// The data is taken now and reaches the device in its turn; `held`: not before the source is released.
std::shared_ptr<Session::Source> Session::copy_in_later(const Request& request, StreamId stream, const wire::Rows& to,
                                                        bool held) {
  const auto source = std::make_shared<Source>();
  source->origin = request.origin();
  source->released = !held;
  source->data = receive_rows(to);
  if (transfers_ != nullptr) transfers_->to_device(request.origin(), source->data);
  staged_bytes_ += source->data.size();
  issue(stream, [this, to, source] {
    {
      std::unique_lock lock(mutex_);
      source_released_.wait(lock, [&] { return source->released; });
    }
    RowCursor cursor(to);
    scatter(gpu_, cursor, source->data);
    staged_bytes_ -= source->data.size();
  });
  watch(request, stream, order_.issue(stream), writing(to));
  return source;
}

void Session::copy_source(Request& request) {
  const auto [id, bytes] = request.as<wire::CopySource>();
  const auto found = sources_.find(id);
  if (found == sources_.end()) {  // released already, by a wait that the client did not foresee
    discard(bytes);
    return reply(request, cudaSuccess);
  }
  const std::shared_ptr<Source> source = found->second;
  sources_.erase(found);
  if (bytes != 0) {
    if (bytes != source->data.size()) throw ProtocolViolation{"a copy whose size changes"};
    receive(source->data);  // the device's thread does not look before the release
    if (transfers_ != nullptr) transfers_->again_to_device(source->data);
    note_refilled(*source);
  }
  {
    const std::scoped_lock lock(mutex_);
    source->released = true;
  }
  source_released_.notify_all();
  reply(request, cudaSuccess);
}

void Session::note_refilled(const Source& source) {
  const auto known = std::ranges::find(refilled_, source.origin, &HostFinding::origin);
  if (known != refilled_.end()) {
    ++known->finding.count;
    return;
  }
  if (refilled_.size() >= limits_.inputs) return;
  Finding finding;
  finding.id = finding_ids::kEarlyRefill;
  finding.message = "the host changes what this asynchronous copy reads before anything has waited for the copy";
  finding.note =
      "a copy from page-locked memory may read its source at any time until it is waited for; the device got the new "
      "values";
  finding.help =
      "wait before the buffer is filled again, with `cudaStreamSynchronize` or an event recorded after the copy, or "
      "use "
      "two buffers by turns";
  refilled_.push_back({std::move(finding), source.origin});
}

void Session::copy_out(Request& request) {
  const auto copy = request.as<wire::Copy>();
  request.stream = copy.stream;
  const auto stream = stream_of(copy.stream);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  if (const cudaError_t status = check_rows(copy.device); status != cudaSuccess || *total_bytes(copy.device) == 0)
    return reply(request, status);
  if (copy.asynchronous) return copy_out_later(request, *stream, copy.device);
  drain();
  if (const cudaError_t error = context_error(); error != cudaSuccess) return reply(request, error);
  watch(request, *stream, order_.issue(*stream), reading(copy.device));
  hand_over(order_.reach(*stream));
  copy_out_now(request, copy.device);
}

void Session::copy_out_now(const Request& request, const wire::Rows& from) {
  log(request, cudaSuccess);
  RowCursor cursor(from);
  std::uint64_t left = *total_bytes(from);
  wire::FrameHeader header;
  header.bytes = left;
  auto head = std::as_bytes(std::span(&header, 1));
  if (transfers_ != nullptr) {
    std::vector<std::byte> data(left);
    gather(gpu_, cursor, data);
    transfers_->to_host(transfers_->announce_to_host(request.origin()), data);
    if (!channel_.send(head, data)) throw Disconnected{};
    return;
  }
  while (left > 0) {
    const auto part = std::span(buffer_).first(std::min<std::uint64_t>(left, buffer_.size()));
    gather(gpu_, cursor, part);
    if (!channel_.send(head, part)) throw Disconnected{};
    head = {};
    left -= part.size();
  }
}

/// The data is taken in its turn, and handed over when the program waits for it.
void Session::copy_out_later(const Request& request, StreamId stream, const wire::Rows& from) {
  const std::uint64_t bytes = *total_bytes(from);
  if (bytes > limits_.staged_bytes) return reply(request, cudaErrorMemoryAllocation);
  if (bytes > limits_.staged_bytes - staged_bytes_ || deferred_.size() >= limits_.staged_copies) {
    // No room: let everything under way arrive first, early but in order.
    drain();
    hand_over(order_.reach_all());
  }
  staged_bytes_ += bytes;
  const auto copy = std::make_shared<Deferred>();
  copy->stream = stream;
  const std::size_t announced = transfers_ != nullptr ? transfers_->announce_to_host(request.origin()) : 0;
  // If the context dies first, the data stays as it is: the program is told of the error instead.
  copy->number = perform(stream, [this, copy, from, bytes, announced] {
    copy->data.resize(bytes);
    RowCursor cursor(from);
    gather(gpu_, cursor, copy->data);
    if (transfers_ != nullptr) transfers_->to_host(announced, copy->data);
  });
  copy->ticket = streams_.at(stream).ticket;
  watch(request, stream, copy->number, reading(from));
  const std::uint64_t id = next_handle_++;
  deferred_[id] = copy;
  reply(request, cudaSuccess, wire::Delivery{id, bytes});
}

void Session::copy_within(Request& request) {
  const auto copy = request.as<wire::CopyWithin>();
  request.stream = copy.stream;
  const auto stream = stream_of(copy.stream);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  if (copy.to.width != copy.from.width || copy.to.height != copy.from.height)
    return reply(request, cudaErrorInvalidValue);
  cudaError_t status = check_rows(copy.to);
  if (status == cudaSuccess) status = check_rows(copy.from);
  if (status != cudaSuccess || *total_bytes(copy.to) == 0) return reply(request, status);
  note_overwritten(request, copy.to);
  // Device to device copies do not hold the host, whichever call made them (programming guide, asynchronous execution).
  const std::uint64_t number = perform(*stream, [this, copy] {
    RowCursor to(copy.to), from(copy.from);
    for (std::uint64_t left = *total_bytes(copy.to); left > 0;) {
      RowCursor to_before = to;
      const auto piece = from.next(to_before.next(left).bytes);
      gpu_.copy(to.next(piece.bytes).address, piece.address, piece.bytes);
      left -= piece.bytes;
    }
  });
  watch(request, *stream, number, TouchedBytes{ranges_of(copy.from), ranges_of(copy.to), {}});
  reply(request, cudaSuccess);
}

void Session::fill(Request& request) {
  const auto fill = request.as<wire::Fill>();
  request.stream = fill.stream;
  const auto stream = stream_of(fill.stream);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  if (const cudaError_t status = check_rows(fill.to); status != cudaSuccess || *total_bytes(fill.to) == 0)
    return reply(request, status);
  note_overwritten(request, fill.to);
  if (transfers_ != nullptr) transfers_->fill(request.origin(), static_cast<std::byte>(fill.value));
  const std::uint64_t number = perform(*stream, [this, fill] {
    RowCursor to(fill.to);
    for (std::uint64_t left = *total_bytes(fill.to); left > 0;) {
      const auto piece = to.next(left);
      gpu_.fill(piece.address, static_cast<std::uint8_t>(fill.value), piece.bytes);
      left -= piece.bytes;
    }
  });
  watch(request, *stream, number, writing(fill.to));
  reply(request, cudaSuccess);
}

namespace {

/// Nothing where they are not known; throws where they are not those of so many elements.
std::vector<std::uint64_t> extents_of(const wire::DeclareInput& declared) {
  std::vector<std::uint64_t> extents;
  std::uint64_t left = declared.bytes / declared.element_bytes;
  for (const std::uint64_t extent : declared.extents) {
    if (extent == 0) break;
    if (left % extent != 0) throw ProtocolViolation{"an array of another size than its dimensions"};
    left /= extent;
    extents.push_back(extent);
  }
  if (!extents.empty() && left != 1) throw ProtocolViolation{"an array of another size than its dimensions"};
  return extents;
}

}  // namespace

void Session::declare_input(Request& request) {
  const auto declared = request.as<wire::DeclareInput>();
  const std::string_view name(declared.name, strnlen(declared.name, sizeof declared.name));
  const auto may_stand_in_names = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (name.size() == sizeof declared.name || !std::ranges::all_of(name, may_stand_in_names))
    throw ProtocolViolation{"an input whose name is none"};
  if (declared.element_bytes == 0 || declared.bytes == 0 || inputs_.size() + outputs_.size() >= limits_.inputs ||
      !addresses_.holds(declared.address, declared.bytes))
    return reply(request, cudaErrorInvalidValue);
  drain();
  InputArray array{declared.address, declared.bytes, declared.element_bytes, std::string(name), extents_of(declared)};
  if (declared.writable != 0) {
    outputs_.push_back(array);
    gpu_.declare_output(std::move(array));
  } else {
    inputs_.push_back(array);
    gpu_.declare_input(std::move(array));
  }
  reply(request, cudaSuccess);
}

/// A call of the host is about to write these rows: a finding when one of them is an input's.
void Session::note_overwritten(const Request& request, const wire::Rows& rows) {
  for (const InputArray& input : inputs_) {
    if (!input.meets(rows.address, rows.pitch * (rows.height - 1) + rows.width)) continue;
    std::uint64_t first = std::max(rows.address, input.address);  // of the input's bytes in the rows
    if (const std::uint64_t in_row = (first - rows.address) % std::max<std::uint64_t>(rows.pitch, 1);
        rows.height > 1 && in_row >= rows.width)
      first += rows.pitch - in_row;
    if (first >= input.address + input.bytes) continue;
    const auto same_call = [&](const HostFinding& known) {
      return known.origin == request.origin() && known.finding.note.starts_with("`" + input.name + "`");
    };
    if (const auto known = std::ranges::find_if(overwritten_, same_call); known != overwritten_.end()) {
      ++known->finding.count;
      continue;
    }
    if (overwritten_.size() >= limits_.inputs) return;
    Finding finding;
    finding.id = finding_ids::kInputOverwritten;
    finding.message = fmt::format("`{}` writes to `{}`, which the function may only read",
                                  wire::kCallNames[request.header.call], input.element(first));
    finding.note = fmt::format("`{}` is an input: the caller still needs it as it was", input.name);
    finding.help = "write results to the output, and what lies in between to an array of your own (`cudaMalloc`)";
    overwritten_.push_back({std::move(finding), request.origin()});
  }
}

/// One finding for each call site that allocated memory nobody freed.
void Session::note_leaks() {
  struct Leak {
    CallOrigin origin;
    std::uint64_t count, bytes;
  };
  std::vector<Leak> leaks;                                                // in the order of their first addresses
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> places;  // by call site
  for (const auto& [address, block] : addresses_.blocks()) {
    if (block.module) continue;
    const auto [known, fresh] = places.try_emplace({block.origin.address, block.origin.outer}, leaks.size());
    if (fresh) leaks.push_back({block.origin, 0, 0});
    Leak& leak = leaks[known->second];
    ++leak.count;
    leak.bytes += block.bytes;
  }
  for (const Leak& leak : leaks) {
    if (leaks_.size() >= limits_.reported_leaks) return;  // call sites are claims: a client may make up any number
    Finding finding;
    finding.id = finding_ids::kMemoryLeak;
    finding.severity = Severity::warning;
    finding.message = leak.count == 1
                          ? fmt::format("{} bytes of device memory allocated here are never freed", leak.bytes)
                          : fmt::format("{} allocations of device memory made here, {} bytes in all, are never freed",
                                        leak.count, leak.bytes);
    finding.count = leak.count;
    finding.help = "call `cudaFree` once for every `cudaMalloc`, on every way out of the function";
    leaks_.push_back({std::move(finding), leak.origin});
  }
}

}  // namespace cudalabs::vgpu
