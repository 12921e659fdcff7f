// One client's session: the exchange of requests and frames, waiting, and the report.
#include "vgpu/cudart/server/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>

#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/server/session_types.h"
#include "vgpu/model/occupancy.h"

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
};

Session::Session(Channel& channel, VirtualGpu& gpu, DeviceModel model, SessionLimits limits, SessionFaults faults,
                 TransferDesk* transfers)
    : channel_(channel),
      gpu_(gpu),
      model_(std::move(model)),
      limits_(limits),
      faults_(faults),
      transfers_(transfers),
      buffer_(kBufferBytes) {
  static_assert(std::size(kOperations) == wire::kOpCount);
  add_default_streams();
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
  if (header.looked_at_clock != 0) calls_.look_at_clock();
  const bool answered = header.op != wire::Op::note && header.op != wire::Op::goodbye && header.op != wire::Op::hello;
  if (const cudaError_t error = context_error(); error != cudaSuccess && answered && !operation.carries_bulk)
    return reply(request, error);
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
  header.context_dead = status != cudaSuccess && status == context_error();
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
  calls_.add(request.header.call, request.stream, request.header.origin, status, request.status_dropped,
             waited_ && status == cudaSuccess, request.encloses);
  if (status == cudaErrorNotSupported) note_unsupported(request);
  if (status != cudaSuccess && request.header.op != wire::Op::launch && status == context_error()) {
    const std::scoped_lock lock(mutex_);
    watch_.context_error_returned();
  }
}

cudaError_t Session::context_error() const {
  const std::scoped_lock lock(mutex_);
  return context_error_;
}

bool Session::gone() const {
  return stopping_ || channel_.hung_up();
}

void Session::release_sources() {
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [id, source] : sources_) source->released = true;
  }
  source_released_.notify_all();
  sources_.clear();
}

void Session::wait_for(WorkQueue::Ticket ticket) {
  release_sources();
  if (!queue_.wait(ticket, [this] { return gone(); })) throw Disconnected{};
}

void Session::issue(StreamId stream, std::function<void()> work) {
  // Like a full launch queue on a real device: issuing waits for room.
  const WorkQueue::Ticket last = queue_.last_issued();
  if (queue_.pending() >= limits_.pending_work) wait_for(last - limits_.pending_work + 1);
  streams_.at(stream).ticket = queue_.issue([this, work = std::move(work)] {
    if (!ending_ && context_error() == cudaSuccess) work();
  });
}

StreamRaces::Ticket Session::watch(const Request& request, StreamId stream, std::uint64_t number, std::string name) {
  StreamRaces::Operation operation;
  operation.name = name.empty() ? wire::kCallNames[request.header.call] : std::move(name);
  operation.origin = request.origin();
  operation.stream = stream;
  operation.number = number;
  operation.after = order_.reach(stream);
  operation.blocking = streams_.at(stream).info.flags == 0;
  const std::scoped_lock lock(mutex_);
  return races_.issue(std::move(operation));
}

void Session::watch(const Request& request, StreamId stream, std::uint64_t number, TouchedBytes touched) {
  const StreamRaces::Ticket ticket = watch(request, stream, number);
  const std::scoped_lock lock(mutex_);
  races_.done(ticket, std::move(touched));
}

void Session::promise(const Progress& progress) {
  merge(promised_, progress);
  {
    const std::scoped_lock lock(mutex_);
    races_.promise(progress);
  }
  waited_ = waited_ || (!launched_.empty() && includes(progress, launched_));
}

void Session::hand_over(const Progress& progress) {
  promise(progress);
  std::string output;
  {
    const std::scoped_lock lock(mutex_);
    output.swap(output_);
  }
  const std::uint64_t room = limits_.handed_output_bytes - handed_output_;
  if (output.size() > room) {
    output.resize(room);
    if (room > 0) output += "\n[what kernels print is cut here: it is too much]\n";
    handed_output_ = limits_.handed_output_bytes;
  } else {
    handed_output_ += output.size();
  }
  if (!output.empty())
    send_frame(wire::FrameKind::output, cudaSuccess, {}, std::as_bytes(std::span(output.data(), output.size())));
  for (auto next = deferred_.begin(); next != deferred_.end();) {
    const auto& [id, copy] = *next;
    const auto reached = progress.find(copy->stream);
    if (reached == progress.end() || reached->second < copy->number || !queue_.done(copy->ticket)) {
      ++next;
      continue;
    }
    const wire::Delivery delivery{id, copy->data.size()};
    send_frame(wire::FrameKind::delivery, cudaSuccess, std::as_bytes(std::span(&delivery, 1)), copy->data);
    staged_bytes_ -= copy->data.size();
    next = deferred_.erase(next);
  }
}

void Session::hello(Request& request) {
  const auto hello = request.as<wire::Hello>();
  if (hello.version != wire::kProtocolVersion) return reply(request, cudaErrorInsufficientDriver);
  greeted_ = true;
  wire::DeviceInfo info;
  model_.name.copy(info.name, sizeof info.name - 1);
  info.global_bytes = model_.global_bytes;
  info.constant_bytes = model_.constant_bytes;
  info.compute_major = model_.compute_major;
  info.compute_minor = model_.compute_minor;
  info.multiprocessors = model_.multiprocessors;
  info.max_threads_per_block = model_.max_threads_per_block;
  info.max_threads_per_multiprocessor = model_.max_threads_per_multiprocessor;
  info.max_blocks_per_multiprocessor = model_.max_blocks_per_multiprocessor;
  std::copy_n(model_.max_block_dim, 3, info.max_block_dim);
  std::copy_n(model_.max_grid_dim, 3, info.max_grid_dim);
  info.registers_per_block = model_.registers_per_block;
  info.registers_per_multiprocessor = model_.registers_per_multiprocessor;
  info.shared_bytes_per_block = model_.shared_bytes_per_block;
  info.shared_bytes_per_block_optin = model_.shared_bytes_per_block_optin;
  info.shared_bytes_per_multiprocessor = model_.shared_bytes_per_multiprocessor;
  info.reserved_shared_bytes_per_block = reserved_shared_bytes(model_);
  info.l2_bytes = model_.l2_bytes;
  info.clock_khz = model_.clock_khz;
  info.memory_clock_khz = model_.memory_clock_khz;
  info.memory_bus_bits = model_.memory_bus_bits;
  reply(request, cudaSuccess, info);
}

void Session::goodbye(Request&) {
  said_goodbye_ = true;
}

void Session::note(Request& request) {
  const auto note = request.as<wire::Note>();
  // A call that only asks for errors returns the one that it was shown.
  const int returned = note.seen_error != cudaSuccess ? note.seen_error : note.status;
  if (returned < 0 || returned > cudaErrorApiFailureBase)
    throw ProtocolViolation{fmt::format("a call that returned {}", returned)};
  calls_.add(request.header.call, note.stream, request.header.origin, returned);
  if (note.status == cudaErrorNotSupported) note_unsupported(request);
  if (note.status == cudaErrorInvalidValue && request.header.call == wire::call("cudaFreeHost"))
    note_invalid_free(request, std::nullopt);
  if (note.seen_error == cudaSuccess) return;
  const std::scoped_lock lock(mutex_);
  watch_.looked();
}

void Session::synchronize(Request& request) {
  drain();
  hand_over(order_.reach_all());
  reply(request, context_error());
}

void Session::reset(Request& request) {
  drain();
  hand_over(order_.reach_all());
  if (const cudaError_t error = context_error(); error != cudaSuccess) return reply(request, error);
  note_leaks();
  for (const auto& [address, block] : addresses_.blocks())
    if (!block.module) gpu_.free(address);
  addresses_.clear();
  inputs_.clear();
  outputs_.clear();
  freed_.clear();
  {
    const std::scoped_lock lock(mutex_);
    races_.forget();
  }
  for (auto& module : modules_) {
    if (module) gpu_.unload_module(module->gpu_module);
    module.reset();
  }
  events_.clear();
  event_progress_ = 0;
  streams_.clear();
  order_ = StreamOrder();
  launched_ = last_launch_ = before_launch_ = promised_ = {};
  add_default_streams();
  reply(request, cudaSuccess);
}

void Session::finish() {
  release_sources();
  // Also for a client that crashed: what is found must not depend on how far its kernels had come by then.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(limits_.end_seconds);
  const auto late = [&] { return stopping_ || std::chrono::steady_clock::now() >= deadline; };
  if (!queue_.wait(queue_.last_issued(), late)) {
    interrupted_ = true;
    ending_ = true;
    gpu_.interrupt();
    queue_.wait(queue_.last_issued(), [this] {
      gpu_.interrupt();  // again: the launch that is running now may have begun after the first
      return false;
    });
  }
  // A program that was killed, or whose context died, had no chance to free anything.
  if (said_goodbye_ && context_error() == cudaSuccess) note_leaks();
}

ServerReport Session::report() const {
  ServerReport report;
  report.model = model_.name;
  report.findings = gpu_.findings();
  const auto add = [&](const HostFinding& host) {
    if (host.origin.address != 0)
      report.origins.push_back({static_cast<std::uint32_t>(report.findings.size()), host.origin});
    if (host.finding.other && host.other.address != 0)
      report.origins.push_back({static_cast<std::uint32_t>(report.findings.size()), host.other, true});
    report.findings.push_back(host.finding);
  };
  const auto has_timeout = [&](const std::string& kernel) {
    return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
      return finding.id == finding_ids::kTimedOut && finding.kernel == kernel;
    });
  };
  const std::scoped_lock lock(mutex_);
  for (const HostFinding& end : early_ends_)
    if (end.finding.id != finding_ids::kTimedOut || !has_timeout(end.finding.kernel)) add(end);
  for (const HostFinding& failure : watch_.findings()) add(failure);
  for (const HostFinding& overwritten : overwritten_) add(overwritten);
  for (const HostFinding& refilled : refilled_) add(refilled);
  for (const HostFinding& race : races_.findings()) add(race);
  for (const HostFinding& invalid : invalid_frees_) add(invalid);
  for (const HostFinding& unsupported : unsupported_) add(unsupported);
  for (const HostFinding& leak : leaks_) add(leak);
  const auto& launches = gpu_.launches();
  report.launch_count = gpu_.launch_count();
  report.asked_launches = launch_count_;
  report.launches.assign(
      launches.begin(),
      launches.begin() +
          std::min<std::ptrdiff_t>(std::ssize(launches), static_cast<std::ptrdiff_t>(limits_.reported_launches)));
  report.coverage = gpu_.coverage();
  report.branches = gpu_.branches();
  report.accesses = gpu_.access_samples();
  report.writers = gpu_.writers();
  report.host_copies = host_copies_.copies();
  report.on_device = on_device_;
  report.overreaches = overreaches_;
  report.barriers = gpu_.barrier_usage();
  report.kernel_seconds = kernel_seconds_;
  report.launch_seconds = launch_seconds_;
  report.calls = calls_.calls();
  report.call_count = calls_.count();
  report.module_errors = module_errors_;
  report.optimised = optimised_;
  for (const auto* refusals : {&refusals_, &gpu_.refusals()}) {
    for (const ptx::Refusal& refusal : *refusals) {
      if (refusal.is_authors) {
        report.findings.push_back(ptx::finding_of(refusal));
      } else {
        report.not_executed.push_back(ptx::describe(refusal));
      }
    }
  }
  report.context_error = context_error_;
  report.said_goodbye = said_goodbye_;
  report.interrupted = interrupted_;
  report.protocol_error = protocol_error_;
  report.exhausted = exhausted_;
  report.internal_error = internal_error_;
  return report;
}

}  // namespace cudalabs::vgpu
