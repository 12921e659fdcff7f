// The session's operations on words of memory in the order of streams: writes, and waits for values.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/server/session_types.h"

namespace cudalabs::vgpu {
namespace {

using Kind = wire::MemoryOperation::Kind;

wire::Rows rows_of(const wire::MemoryOperation& operation) {
  return {operation.address, operation.bytes, operation.bytes, 1};
}

ByteRange range_of(const wire::MemoryOperation& operation) {
  return {operation.address, operation.address + operation.bytes};
}

std::string condition_text(const wire::MemoryOperation& wait) {
  switch (wait.kind) {
    case Kind::wait_equal:
      return fmt::format("are {}", wait.value);
    case Kind::wait_any_set:
      return fmt::format("have a bit of {:#x}", wait.value);
    case Kind::wait_any_clear:
      return fmt::format("have a bit clear that {:#x} has not", wait.value);
    default:
      return fmt::format("are at least {}", wait.value);
  }
}

}  // namespace

void Session::memory_operations(Request& request) {
  const auto asked = request.as<wire::MemoryOperations>();
  request.stream = asked.stream;
  const std::span<const std::byte> rest = request.payload.subspan(sizeof asked);
  if (asked.count > wire::kMostMemoryOperations || rest.size() != asked.count * sizeof(wire::MemoryOperation))
    throw ProtocolViolation{fmt::format("{} operations on memory in {} bytes", asked.count, rest.size())};
  std::vector<wire::MemoryOperation> operations(asked.count);
  std::memcpy(operations.data(), rest.data(), rest.size());
  const auto stream = stream_of(asked.stream);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  for (const wire::MemoryOperation& operation : operations) {
    if (operation.kind > Kind::wait_any_clear || (operation.bytes != 4 && operation.bytes != 8))
      throw ProtocolViolation{"an operation on memory of no kind"};
    const bool writes = operation.kind == Kind::write;
    if (operation.address % operation.bytes != 0) return reply(request, cudaErrorInvalidValue);
    const cudaError_t status = check_rows(request, rows_of(operation), writes ? Use::writes : Use::reads);
    if (status != cudaSuccess) return reply(request, status);
    const AddressMap::Block* const block = addresses_.at_or_before(operation.address).block;
    if (block->managed && !block->page_locked) return reply(request, cudaErrorInvalidValue);
  }
  reply(request, cudaSuccess);
  for (const wire::MemoryOperation& operation : operations) {
    if (!waits_.empty()) settle();
    if (operation.kind == Kind::write) {
      write_value(request, *stream, operation);
    } else {
      wait_for_value(request, *stream, operation);
    }
  }
}

void Session::write_value(const Request& request, StreamId stream, const wire::MemoryOperation& operation) {
  note_host_write(request, rows_of(operation));
  const auto write = std::make_shared<WrittenValues::Write>();
  write->value = operation.bytes == 4 ? operation.value & 0xFFFF'FFFF : operation.value;
  write->bytes = operation.bytes;
  write->progress = order_.next(stream);
  write->origin = request.origin();
  const std::uint64_t number = perform(stream, [this, operation, write] {
    gpu_.copy_in(operation.address, std::as_bytes(std::span(&operation.value, 1)).first(operation.bytes));
    const std::scoped_lock lock(mutex_);
    written_values_.note(operation.address, *write);
  });
  // Other operations of this kind, and what kernels share, may meet it.
  watch(request, stream, number, TouchedBytes{{}, {}, {range_of(operation)}, {range_of(operation)}});
}

void Session::wait_for_value(const Request& request, StreamId stream, const wire::MemoryOperation& operation) {
  ValueWait wait{stream, 0, order_.next(stream), operation, request.origin(), std::string(request.call_name())};
  wait.number = order_.issue(stream);
  const bool in_turn = !waits_.hold(wait.after);
  if (in_turn) wait_quietly(queue_.last_issued());
  if (in_turn && is_over_now(wait)) return end_wait(wait);
  if (waits_.size() >= limits_.pending_work) return abandon_waits("there is no room for more waits");
  waits_.add(std::move(wait));
}

std::uint64_t Session::value_at(const wire::MemoryOperation& operation) const {
  std::uint64_t now = 0;
  gpu_.copy_out(std::as_writable_bytes(std::span(&now, 1)).first(operation.bytes), operation.address);
  return now;
}

bool Session::is_over_now(const ValueWait& wait) const {
  const wire::MemoryOperation& operation = wait.operation;
  return is_over(operation.kind, operation.bytes, value_at(operation), operation.value);
}

/// What comes after it comes after what has written the value.
void Session::end_wait(const ValueWait& wait) {
  const Progress itself{{wait.stream, wait.number}};
  const std::scoped_lock lock(mutex_);
  const WrittenValues::Write* const write = written_values_.ending(wait.operation, value_at(wait.operation));
  const Progress before = write != nullptr ? write->progress : races_.last_writer(range_of(wait.operation));
  order_.learn(wait.stream, wait.number, before);
  for (const auto& [handle, event] : events_) {
    if (!includes(event->progress, itself)) continue;
    event_progress_ -= event->progress.size();
    merge(event->progress, before);
    event_progress_ += event->progress.size();
  }
  races_.learn(wait.stream, wait.number, before);
}

/// On the connection's side: nothing of the device's is under way when it returns. Waits that are over end, and what
/// comes after them is done, which may end others.
void Session::settle() {
  wait_quietly(queue_.last_issued());
  for (bool again = true; again && !waits_.empty();) {
    again = false;
    const bool dead = context_error() != cudaSuccess;
    for (const ValueWait* const wait : waits_.foremost()) {
      if (!dead && !is_over_now(*wait)) continue;
      end_wait(waits_.take(wait));
      asked_in_vain_ = 0;
      again = true;
      break;
    }
    while (auto work = waits_.next()) {
      const WorkQueue::Ticket ticket = issue_now(std::move(work->work));
      if (const auto stream = streams_.find(work->stream); stream != streams_.end()) stream->second.ticket = ticket;
      wait_quietly(ticket);
      again = true;
    }
  }
}

bool Session::is_held(StreamId stream) const {
  return !waits_.empty() && waits_.hold(order_.next(stream));
}

bool Session::answer_if_held(const Progress& progress) {
  settle();
  if (!waits_.hold(progress)) return false;
  send_frame(wire::FrameKind::result, cudaErrorNotReady, {}, {});
  return true;
}

void Session::answer_not_yet(const Request& request) {
  if (++asked_in_vain_ < limits_.questions_in_vain) return reply(request, cudaErrorNotReady);
  abandon_waits("the program asks for its end again and again");
  reply(request, told_error_);
}

void Session::give_up_waits(Request& request) {
  if (!waits_.empty()) settle();
  if (!waits_.empty()) abandon_waits("the host waits for the stream");
  request.stream = 0;
  send_frame(wire::FrameKind::result, cudaSuccess, {}, {});
}

void Session::end_waits() {
  try {
    settle();
    if (!waits_.empty()) abandon_waits("the program ends");
  } catch (const Disconnected&) {  // there was no time for all of it
    waits_.clear();
  }
}

void Session::abandon_waits(std::string_view meanwhile) {
  for (const ValueWait* const wait : waits_.foremost()) note_endless_wait(*wait, meanwhile);
  waits_.clear();
  {
    const std::scoped_lock lock(mutex_);
    if (context_error_ == cudaSuccess) context_error_ = cudaErrorLaunchTimeout;
    failed_at_ = std::min(failed_at_, queue_.last_issued());
  }
  see_done(queue_.last_issued());
}

void Session::note_endless_wait(const ValueWait& wait, std::string_view meanwhile) {
  const auto known = std::ranges::find(endless_waits_, wait.origin, &HostFinding::origin);
  if (known != endless_waits_.end()) {
    ++known->finding.count;
    return;
  }
  if (endless_waits_.size() >= limits_.inputs) return;
  const wire::MemoryOperation& operation = wait.operation;
  Finding finding;
  finding.id = finding_ids::kEndlessWait;
  finding.message = fmt::format("`{}` waits for a value that nothing has written", wait.name);
  finding.note = fmt::format(
      "it waits until the {} bytes at {:#x} {}, and they are {}; {}, and no stream has work left that could change "
      "them",
      operation.bytes, operation.address, condition_text(operation), value_at(operation), meanwhile);
  finding.help =
      "let another stream write the value (`cuStreamWriteValue32`), or a kernel, in work that does not come after this "
      "wait; or let the host write it before it waits for the stream";
  finding.address = operation.address;
  CallOrigin other;
  const std::scoped_lock lock(mutex_);
  if (const WrittenValues::Write* const write = written_values_.last(operation.address)) {
    finding.other = OtherPlace{"the last value is written here", {}, {}, {}};
    other = write->origin;
  }
  endless_waits_.push_back({std::move(finding), wait.origin, other});
}

}  // namespace cudalabs::vgpu
