// The session's copies and fills of device memory.
#include <fmt/format.h>

#include <algorithm>
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

cudaError_t Session::check_rows(const Request& request, const wire::Rows& rows, Use use) {
  if (!total_bytes(rows)) return cudaErrorInvalidValue;
  if (rows.width == 0 || rows.height == 0) return cudaSuccess;
  if (rows.height > 1 && rows.pitch < rows.width) return cudaErrorInvalidPitchValue;
  std::uint64_t span = 0;
  if (__builtin_mul_overflow(rows.pitch, rows.height - 1, &span) || __builtin_add_overflow(span, rows.width, &span))
    return cudaErrorInvalidValue;
  if (addresses_.holds(rows.address, span)) {
    const bool may = use == Use::reads || !addresses_.at_or_before(rows.address).block->read_only;
    return may ? cudaSuccess : cudaErrorInvalidValue;
  }
  note_overreach(request, rows, span, use);
  return cudaErrorInvalidValue;
}

void Session::note_overreach(const Request& request, const wire::Rows& rows, std::uint64_t span, Use use) {
  const auto [start, block] = addresses_.at_or_before(rows.address);
  constexpr std::uint64_t kNear = 1 << 20;  // allocations lie at least so far apart
  if (block == nullptr || block->module || rows.address - start >= block->bytes + kNear) return;
  const bool known = std::ranges::find(overreaches_, request.origin(), &Overreach::call) != overreaches_.end();
  if (known || overreaches_.size() >= limits_.inputs) return;
  overreaches_.push_back({request.origin(), block->origin, use == Use::writes, rows.address - start, span, rows.height,
                          block->bytes, kept(*block, function_calls_)});
}

void Session::copy_in(Request& request) {
  const auto copy = request.as<wire::Copy>();
  const auto bytes = total_bytes(copy.device);
  if (!bytes) throw ProtocolViolation{"a copy of more bytes than there are"};
  request.stream = copy.stream;
  const auto stream = stream_of(copy.stream);
  cudaError_t status = told_error_;
  if (status == cudaSuccess && !stream) status = cudaErrorInvalidResourceHandle;
  if (status == cudaSuccess) status = check_rows(request, copy.device, Use::writes);
  if (status == cudaSuccess && *bytes != 0 && failing_calls_.fails_copy()) status = cudaErrorMemoryAllocation;
  if (status != cudaSuccess || *bytes == 0) {
    discard(*bytes);
    return reply(request, status);
  }
  note_host_write(request, copy.device);
  const bool held = copy.asynchronous && copy.page_locked, waits = is_held(*stream);
  if (copy.asynchronous && (held || waits || !idle()) && *bytes <= limits_.staged_bytes - staged_bytes_) {
    const auto source = copy_in_later(request, *stream, copy.device, held);
    if (!held) return reply(request, cudaSuccess);
    const std::uint64_t id = next_handle_++;
    sources_[id] = source;
    return reply(request, cudaSuccess, wire::Delivery{id, *bytes});
  }
  if (waits) {
    discard(*bytes);
    return send_frame(wire::FrameKind::result, cudaErrorNotReady, {}, {});
  }
  drain();
  status = told_error_;
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
  held_copies_ = held_copies_ || held;
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
  if (bytes != 0) {
    if (bytes != source->data.size()) throw ProtocolViolation{"a copy whose size changes"};
    receive(source->data);  // the device's thread does not look before the release
    if (transfers_ != nullptr) transfers_->again_to_device(source->data);
    note_refilled(*source);
  }
  sources_.erase(found);  // only now: where the client ends before this, the end of the session releases it
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
  if (const cudaError_t status = check_rows(request, copy.device, Use::reads);
      status != cudaSuccess || *total_bytes(copy.device) == 0)
    return reply(request, status);
  if (failing_calls_.fails_copy()) return reply(request, cudaErrorMemoryAllocation);
  if (copy.asynchronous) return copy_out_later(request, *stream, copy.device);
  if (must_ask_again([&] { return order_.next(*stream); })) return;
  drain();
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  watch(request, *stream, order_.issue(*stream), reading(copy.device));
  hand_over(order_.reach(*stream));
  copy_out_now(request, copy.device);
}

HostCopies::Asked Session::asked_copy(const Request& request, const wire::Rows& from) {
  const auto [start, block] = addresses_.at_or_before(from.address);
  return {std::string(request.call_name()), request.origin(),  from,
          {start, start + block->bytes},    block->host_wrote, launch_count_ == launches_before_};
}

void Session::note_host_copy(const HostCopies::Asked& asked) {
  const std::scoped_lock lock(mutex_);
  (asked.early ? early_copies_ : host_copies_).add(asked, gpu_);
}

void Session::copy_out_now(const Request& request, const wire::Rows& from) {
  log(request, cudaSuccess);
  if (taken_back_) {
    note_gaps(from);
  } else {
    note_host_copy(asked_copy(request, from));
  }
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
    if (must_ask_again([&] { return order_.reach_all(); })) return;
    drain();
    hand_over(order_.reach_all());
  }
  staged_bytes_ += bytes;
  const auto copy = std::make_shared<Deferred>();
  copy->stream = stream;
  copy->name = request.call_name();
  copy->origin = request.origin();
  const std::size_t announced = transfers_ != nullptr ? transfers_->announce_to_host(request.origin()) : 0;
  std::optional<HostCopies::Asked> asked;
  if (!taken_back_) asked = asked_copy(request, from);
  // If the context dies first, the data stays as it is: the program is told of the error instead.
  copy->number = perform(stream, [this, copy, from, bytes, announced, asked = std::move(asked)] {
    if (asked) note_host_copy(*asked);
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

void Session::touch_awaited(Request& request) {
  const auto touch = request.as<wire::AwaitedTouch>();
  const auto found = deferred_.find(touch.id);
  if (found != deferred_.end())
    note_too_early(*found->second, touch.writes != 0 ? "writes" : "reads", request.origin());
  reply(request, cudaSuccess);
}

/// What the host finds there is what was there before. `does`: what the host did at `where`; empty: the function that
/// is judged came to its end.
void Session::note_too_early(const Deferred& copy, std::string_view does, const CallOrigin& where) {
  const auto known = std::ranges::find(too_early_, copy.origin, &HostFinding::origin);
  if (known != too_early_.end()) {
    ++known->finding.count;
    return;
  }
  if (too_early_.size() >= limits_.inputs) return;
  Finding finding;
  finding.id = finding_ids::kHostRace;
  finding.note = fmt::format(
      "memory on the host that is page-locked lets `{}` return at once; the data comes later, when the stream has done "
      "all that was put into it before",
      copy.name);
  std::string before = "the function returns";
  finding.message = "the function returns before it has waited for this copy";
  if (!does.empty()) {
    before = fmt::format("the host {} the data", does);
    finding.message = fmt::format("the host {} the data of this copy before it has waited for the copy", does);
    finding.other = OtherPlace{fmt::format("the host {} it here", does), {}, {}, {}};
  }
  finding.help = fmt::format(
      "call `cudaStreamSynchronize` of the copy's stream, or `cudaDeviceSynchronize`, after the copy and before {}",
      before);
  too_early_.push_back({std::move(finding), copy.origin, where});
}

void Session::copy_within(Request& request) {
  const auto copy = request.as<wire::CopyWithin>();
  request.stream = copy.stream;
  const auto stream = stream_of(copy.stream);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  if (copy.to.width != copy.from.width || copy.to.height != copy.from.height)
    return reply(request, cudaErrorInvalidValue);
  cudaError_t status = check_rows(request, copy.to, Use::writes);
  if (status == cudaSuccess) status = check_rows(request, copy.from, Use::reads);
  if (status != cudaSuccess || *total_bytes(copy.to) == 0) return reply(request, status);
  if (must_wait_for_managed(*stream, copy.asynchronous != 0, {copy.from.address, copy.to.address})) return;
  note_host_write(request, copy.to);
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
  wait_if_managed(*stream, copy.asynchronous != 0, {copy.from.address, copy.to.address});
  reply(request, cudaSuccess);
}

void Session::fill(Request& request) {
  const auto fill = request.as<wire::Fill>();
  request.stream = fill.stream;
  const auto stream = stream_of(fill.stream);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  if (const cudaError_t status = check_rows(request, fill.to, Use::writes);
      status != cudaSuccess || *total_bytes(fill.to) == 0)
    return reply(request, status);
  const bool discards = fill.value == wire::Fill::kDiscard;
  if (discards && !addresses_.is_managed(fill.to.address)) return reply(request, cudaErrorInvalidValue);
  if (must_wait_for_managed(*stream, fill.asynchronous != 0, {fill.to.address})) return;
  if (!discards) note_host_write(request, fill.to);
  if (transfers_ != nullptr && !discards) transfers_->fill(request.origin(), static_cast<std::byte>(fill.value));
  const std::uint64_t number = perform(*stream, [this, fill, discards] {
    RowCursor to(fill.to);
    for (std::uint64_t left = *total_bytes(fill.to); left > 0;) {
      const auto piece = to.next(left);
      if (discards) {
        gpu_.discard(piece.address, piece.bytes);
      } else {
        gpu_.fill(piece.address, static_cast<std::uint8_t>(fill.value), piece.bytes);
      }
      left -= piece.bytes;
    }
  });
  watch(request, *stream, number, writing(fill.to));
  wait_if_managed(*stream, fill.asynchronous != 0, {fill.to.address});
  reply(request, cudaSuccess);
}

}  // namespace cudalabs::vgpu
