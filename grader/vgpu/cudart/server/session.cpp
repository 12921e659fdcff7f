// One client's session: requests come in, frames go out.
#include "vgpu/cudart/server/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>

#include "vgpu/cudart/server/session_types.h"

namespace cudalabs::vgpu {
namespace {

constexpr std::size_t kBufferBytes = 128 << 10;  // stays in the L2 cache; 64 KiB and 1 MiB copied at half the speed

}  // namespace

/// By wire::Op.
const Session::Operation Session::kOperations[] = {
    {sizeof(wire::Hello), false, false, &Session::hello},
    {0, false, false, &Session::goodbye},
    {sizeof(wire::Note), false, false, &Session::note},
    {sizeof(wire::LoadModule), false, true, &Session::load_module},
    {sizeof(wire::Allocate), false, false, &Session::allocate},
    {sizeof(wire::Address), false, false, &Session::release},
    {sizeof(wire::Copy), false, true, &Session::copy_in},
    {sizeof(wire::Copy), false, false, &Session::copy_out},
    {sizeof(wire::CopyWithin), false, false, &Session::copy_within},
    {sizeof(wire::Fill), false, false, &Session::fill},
    {0, false, false, &Session::memory_info},
    {sizeof(wire::Launch), true, false, &Session::launch},
    {sizeof(wire::KernelHandle), false, false, &Session::kernel_attributes},
    {sizeof(wire::SetAttribute), false, false, &Session::set_attribute},
    {sizeof(wire::Occupancy), false, false, &Session::occupancy},
    {sizeof(wire::ClusterOccupancy), false, false, &Session::cluster_occupancy},
    {sizeof(wire::StreamCreate), false, false, &Session::stream_create},
    {sizeof(wire::Handle), false, false, &Session::stream_destroy},
    {sizeof(wire::Handle), false, false, &Session::stream_synchronize},
    {sizeof(wire::Handle), false, false, &Session::stream_query},
    {sizeof(wire::StreamEvent), false, false, &Session::stream_wait},
    {sizeof(wire::Handle), false, false, &Session::stream_info},
    {sizeof(wire::EventCreate), false, false, &Session::event_create},
    {sizeof(wire::Handle), false, false, &Session::event_destroy},
    {sizeof(wire::StreamEvent), false, false, &Session::event_record},
    {sizeof(wire::Handle), false, false, &Session::event_query},
    {sizeof(wire::Handle), false, false, &Session::event_synchronize},
    {sizeof(wire::EventPair), false, false, &Session::event_elapsed},
    {0, false, false, &Session::synchronize},
    {0, false, false, &Session::reset},
    {sizeof(wire::DeclareInput), false, false, &Session::declare_input},
    {sizeof(wire::CopySource), false, true, &Session::copy_source},
    {sizeof(wire::Release), false, false, &Session::release_later},
    {0, false, false, &Session::take_back},
    {0, false, false, &Session::hand_out},
    {0, false, false, &Session::next_function},
    {sizeof(wire::HostAccess), false, false, &Session::host_access},
    {sizeof(wire::HostWrites), false, true, &Session::host_writes},
    {sizeof(wire::AwaitedTouch), false, false, &Session::touch_awaited},
    {sizeof(wire::AllocateHost), false, false, &Session::allocate_host},
    {sizeof(wire::Address), false, false, &Session::release_host},
    {sizeof(wire::Address), false, false, &Session::map_host},
    {sizeof(wire::CreateImage), false, false, &Session::create_image},
    {sizeof(wire::Handle), false, false, &Session::destroy_image},
    {sizeof(wire::SetHeap), false, false, &Session::set_heap},
    {sizeof(wire::Ranges), false, false, &Session::ranges},
    {sizeof(wire::MemoryOperations), true, false, &Session::memory_operations},
    {0, false, false, &Session::give_up_waits},
};

Session::Session(Channel& channel, VirtualGpu& gpu, DeviceModel model, SessionLimits limits, SessionFaults faults,
                 TransferDesk* transfers, std::vector<std::byte> device_code)
    : channel_(channel),
      gpu_(gpu),
      model_(std::move(model)),
      limits_(limits),
      failing_calls_(faults),
      transfers_(transfers),
      device_code_(std::move(device_code)),
      buffer_(kBufferBytes) {
  static_assert(std::size(kOperations) == wire::kOpCount);
  add_default_stream();
}

Session::~Session() = default;

void Session::serve() {
  try {
    while (!said_goodbye_) serve_one();
  } catch (const Disconnected&) {
    // However a client ends, even in the middle of a message, its session ends in order.
  } catch (const ProtocolViolation& violation) {
    protocol_error_ = violation.what;
  } catch (const std::bad_alloc&) {
    // Nobody but this client uses the process, so the memory is what the client made it take.
    const std::scoped_lock lock(mutex_);
    exhausted_ = "the virtual GPU found no memory for what the program asked of it";
  } catch (const std::exception& error) {
    const std::scoped_lock lock(mutex_);
    internal_error_ = error.what();
  }
  finish();
}

void Session::serve_one() {
  wire::RequestHeader header;
  receive(std::as_writable_bytes(std::span(&header, 1)));
  const auto op = static_cast<std::uint16_t>(header.op);
  if (op >= wire::kOpCount) throw ProtocolViolation{fmt::format("unknown operation {}", op)};
  if (header.call >= wire::kCallCount) throw ProtocolViolation{fmt::format("unknown API function {}", header.call)};
  if (header.driver_call >= wire::kDriverCallCount)
    throw ProtocolViolation{fmt::format("unknown function {} of the driver API", header.driver_call)};
  if (header.bytes > wire::kMaxRequestBytes)
    throw ProtocolViolation{fmt::format("a request of {} bytes", header.bytes)};
  const Operation& operation = kOperations[op];
  if (operation.open_ended ? header.bytes < operation.bytes : header.bytes != operation.bytes)
    throw ProtocolViolation{fmt::format("operation {} with {} bytes", op, header.bytes)};
  if (!greeted_ && header.op != wire::Op::hello) throw ProtocolViolation{"no greeting"};

  std::array<std::byte, wire::kMaxRequestBytes> payload;
  receive(std::span(payload).first(header.bytes));
  Request request{header, std::span(payload).first(header.bytes), 0};
  waited_ = false;
  if (!waits_.empty()) settle();
  if (header.looked_at_clock != 0) calls_.look_at_clock();
  const bool answered = header.op != wire::Op::note && header.op != wire::Op::goodbye && header.op != wire::Op::hello;
  if (told_error_ != cudaSuccess && answered && !operation.carries_bulk) return reply(request, told_error_);
  (this->*operation.serve)(request);
}

void Session::receive(std::span<std::byte> to) {
  if (stopping_ || !channel_.receive(to)) throw Disconnected{};
}

void Session::discard(std::uint64_t bytes) {
  while (bytes > 0) {
    const std::size_t part = std::min<std::uint64_t>(bytes, buffer_.size());
    receive(std::span(buffer_).first(part));
    bytes -= part;
  }
}

void Session::send_frame(wire::FrameKind kind, cudaError_t status, std::span<const std::byte> head,
                         std::span<const std::byte> data) {
  // One write for small frames: header and head travel together.
  std::array<std::byte, 512> small;
  wire::FrameHeader header;
  header.bytes = head.size() + data.size();
  header.kind = kind;
  header.status = status;
  header.context_dead = status != cudaSuccess && status == told_error_;
  std::memcpy(small.data(), &header, sizeof header);
  const std::size_t joined = std::min(head.size(), small.size() - sizeof header);
  std::copy_n(head.begin(), joined, small.begin() + sizeof header);
  bool sent = true;
  if (joined == head.size()) {
    sent = channel_.send(std::span(small).first(sizeof header + joined), data);
  } else {
    sent = channel_.send(std::span(small).first(sizeof header), {}) && channel_.send(head, data);
  }
  if (!sent) throw Disconnected{};
}

void Session::reply(const Request& request, cudaError_t status) {
  reply_bytes(request, status, {});
}

void Session::reply_bytes(const Request& request, cudaError_t status, std::span<const std::byte> data) {
  log(request, status);
  send_frame(wire::FrameKind::result, status, data, {});
}

void Session::log(const Request& request, cudaError_t status) {
  calls_.add(request.header.call, request.stream, request.origin(), status, request.status_dropped,
             waited_ && status == cudaSuccess, request.encloses, request.events);
  if (status != cudaSuccess) given_.insert(status);
  if (status == cudaErrorNotSupported) note_unsupported(request);
  if (status != cudaSuccess && request.header.op != wire::Op::launch && status == told_error_) {
    const std::scoped_lock lock(mutex_);
    watch_.context_error_returned();
  }
}

}  // namespace cudalabs::vgpu
