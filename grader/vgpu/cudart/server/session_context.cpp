// The session's context as a whole: the greeting, the errors that a program looks at, waiting for all work, a reset.
#include <fmt/format.h>

#include <algorithm>

#include "vgpu/cudart/server/session_types.h"
#include "vgpu/model/occupancy.h"

namespace cudalabs::vgpu {

/// Work that was launched before ends first.
void Session::set_heap(Request& request) {
  drain();
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  gpu_.set_heap_bytes(request.as<wire::SetHeap>().bytes);
  reply(request, cudaSuccess);
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

Given Session::given_as(cudaError_t error) const {
  if (error != cudaSuccess && error == told_error_) return Given::always;
  return given_.contains(error) ? Given::once : Given::never;
}

void Session::note(Request& request) {
  const auto note = request.as<wire::Note>();
  for (const int claimed : {note.status, note.seen_error}) {
    if (claimed < 0 || claimed > cudaErrorApiFailureBase)
      throw ProtocolViolation{fmt::format("a call that returned {}", claimed)};
  }
  // A call that only asks for errors returns the one that it was shown.
  const int returned = note.seen_error != cudaSuccess ? note.seen_error : note.status;
  const CallPointers& pointers = note.pointers;
  if (static_cast<std::uint8_t>(pointers.first) >= kPointerKinds ||
      static_cast<std::uint8_t>(pointers.second) >= kPointerKinds || pointers.direction >= kDirections)
    throw ProtocolViolation{"a pointer of no kind, or a copy in no direction"};
  if (static_cast<std::uint32_t>(note.part) >= wire::kUnsupportedParts)
    throw ProtocolViolation{"a part of a call that is none"};
  const Given given = given_as(static_cast<cudaError_t>(returned));
  const auto status = static_cast<cudaError_t>(note.status), seen = static_cast<cudaError_t>(note.seen_error);
  if (!client_may_answer(request.header.call, status, given) ||
      (seen != cudaSuccess && !client_may_show(request.header.call, seen, given)))
    throw ProtocolViolation{fmt::format("`{}` answered by the client with {}", request.call_name(), returned)};
  calls_.add(request.header.call, note.stream, request.origin(), returned);
  if (note.status == cudaErrorNotSupported) {
    request.unsupported_part = part_name(note.part);
    note_unsupported(request);
  }
  if (note.status != cudaSuccess && pointers.first != PointerKind::unsaid &&
      refused_pointers_.size() < limits_.inputs &&
      std::ranges::find(refused_pointers_, request.origin(), &RefusedPointers::call) == refused_pointers_.end())
    refused_pointers_.push_back({request.origin(), pointers});
  if (const CallOrigin* freed_by = freed_.freed_by(note.stray); freed_by != nullptr && note.status != cudaSuccess)
    note_use_of_freed(request, *freed_by, pointers.first == PointerKind::stray ? Use::writes : Use::reads);
  if (note.status == cudaErrorInvalidValue && request.header.call == wire::call("cudaFreeHost"))
    note_invalid_free(request, std::nullopt);
  if (note.seen_error == cudaSuccess) return;
  const std::scoped_lock lock(mutex_);
  watch_.looked();
}

void Session::synchronize(Request& request) {
  if (must_ask_again([&] { return order_.reach_all(); })) return;
  drain();
  hand_over(order_.reach_all());
  reply(request, told_error_);
}

void Session::reset(Request& request) {
  if (must_ask_again([&] { return order_.reach_all(); })) return;
  drain();
  hand_over(order_.reach_all());
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  note_leaks();
  for (const auto& [address, block] : addresses_.blocks()) {
    if (block.page_locked) {
      gpu_.free_host(address);
    } else if (!block.module && !block.of_range) {
      gpu_.free(address);
    }
  }
  forget_ranges();
  addresses_.clear();
  inputs_.clear();
  outputs_.clear();
  freed_ = FreedBlocks(limits_.inputs);
  {
    const std::scoped_lock lock(mutex_);
    races_.forget();
    written_values_.clear();
    mapped_.clear();
    host_returns_.clear();
  }
  has_mapped_ = false;
  for (auto& module : modules_) {
    if (module) gpu_.unload_module(module->gpu_module);
    module.reset();
  }
  events_.clear();
  event_progress_ = 0;
  streams_.clear();
  order_ = StreamOrder();
  launched_ = last_launch_ = before_launch_ = promised_ = {};
  add_default_stream();
  reply(request, cudaSuccess);
}

}  // namespace cudalabs::vgpu
