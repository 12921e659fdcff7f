// The runtime client's connection and the exchange of requests and frames.
#include "vgpu/cudart/client/client.h"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

#include "vgpu/cudart/client/awaited_pages.h"
#include "vgpu/cudart/client/capture.h"
#include "vgpu/cudart/client/conditions.h"
#include "vgpu/cudart/client/driver_call.h"
#include "vgpu/cudart/client/graph_memory.h"
#include "vgpu/cudart/client/memory_advice.h"

namespace cudalabs::vgpu::client {
namespace {

constinit Client the_client;
pthread_mutex_t the_lock = PTHREAD_MUTEX_INITIALIZER;
constinit bool some_thread_called_runtime = false;  // itself, and not by the driver API
constinit bool forked = false;                      // this process is a child of the one that connected
constinit std::uint32_t looked_at_clock = 0;        // since the last request
thread_local constinit cudaError_t last_error = cudaSuccess;
thread_local constinit bool frees_badly = false;        // the call in hand
thread_local constinit bool last_was_bad_free = false;  // what `last_error` comes from
thread_local constinit bool lock_is_held = false;       // by this thread
thread_local constinit bool has_called_runtime_itself = false;
thread_local constinit std::uint64_t current_call = 0;  // what this thread's `origin` is, while it holds the lock

/// 1 when the program has read a clock since this was asked.
std::uint32_t take_clock_look() {
  return __atomic_exchange_n(&looked_at_clock, 0, __ATOMIC_RELAXED);
}

struct Extent {
  std::uint64_t begin = 0, end = 0, bias = 0;
};

/// The first object dl_iterate_phdr names is the program itself.
int program_extent(dl_phdr_info* info, std::size_t, void* result) {
  auto& extent = *static_cast<Extent*>(result);
  extent.bias = info->dlpi_addr;
  extent.begin = ~std::uint64_t{0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const std::uint64_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    const std::uint64_t end = begin + info->dlpi_phdr[i].p_memsz;
    if (begin < extent.begin) extent.begin = begin;
    if (end > extent.end) extent.end = end;
  }
  return 1;
}

std::atomic<const Background*> the_background = nullptr;

void after_fork() {
  if (const Background* background = the_background) background->forget_that_of_parent();
  forked = true;
}

/// Whether the server may wait for the device before it answers. Copies with the host say so themselves.
bool may_wait(wire::Op op) {
  switch (op) {
    case wire::Op::launch:
    case wire::Op::copy_in:
    case wire::Op::copy_out:
    case wire::Op::copy_within:
    case wire::Op::copy_source:
    case wire::Op::fill:
    case wire::Op::kernel_attributes:
    case wire::Op::set_attribute:
    case wire::Op::occupancy:
    case wire::Op::cluster_occupancy:
    case wire::Op::stream_create:
    case wire::Op::stream_destroy:
    case wire::Op::stream_wait:
    case wire::Op::stream_info:
    case wire::Op::event_create:
    case wire::Op::event_destroy:
    case wire::Op::event_record:
    case wire::Op::touch_awaited:
    case wire::Op::allocate_host:
    case wire::Op::map_host:
      return false;
    default:
      return true;
  }
}

/// Answers that something is not done yet are what the program asks for.
bool is_question(wire::Op op) {
  return op == wire::Op::stream_query || op == wire::Op::event_query || op == wire::Op::event_elapsed;
}

/// Another thread may sit in a call that does not return; exiting must not wait for it.
__attribute__((destructor)) void at_exit() {
  if (const Background* background = the_background) background->forget();
  if (pthread_mutex_trylock(&the_lock) != 0) return;
  the_client.disconnect();
  pthread_mutex_unlock(&the_lock);
}

}  // namespace

void let_others_call(unsigned int microseconds) {
  const std::uint64_t own = current_call;
  lock_is_held = false;
  pthread_mutex_unlock(&the_lock);
  usleep(microseconds);
  pthread_mutex_lock(&the_lock);
  lock_is_held = true;
  current_call = own;
}

bool has_background() {
  return the_background != nullptr;
}

void set_background(const Background& background) {
  the_background = &background;
}

cudaError_t settle_background() {
  const Background* background = the_background;
  return background == nullptr ? cudaSuccess : background->settle();
}

Client& client() {
  return the_client;
}

Lock::Lock() {
  pthread_mutex_lock(&the_lock);
  lock_is_held = true;
}
Lock::~Lock() {
  current_call = 0;
  lock_is_held = false;
  pthread_mutex_unlock(&the_lock);
}

bool holds_lock() {
  return lock_is_held;
}
bool is_forked() {
  return forked;
}

bool has_called_runtime() {
  return has_called_runtime_itself;
}
bool has_any_thread_called_runtime() {
  return some_thread_called_runtime;
}

cudaError_t remember(cudaError_t status) {
  if (status != cudaSuccess) {
    last_error = status;
    last_was_bad_free = frees_badly;
  }
  frees_badly = false;
  return status;
}

void bad_free() {
  frees_badly = true;
}

bool last_error_is_of_bad_free() {
  return last_error != cudaSuccess && last_was_bad_free;
}

cudaError_t take_last_error() {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t peek_last_error() {
  return last_error;
}

cudaError_t Client::connect() {
  // Two processes must not talk over one connection: as with the real driver, a forked child has no CUDA.
  if (forked) return cudaErrorInitializationError;
  if (state_ == State::connected) return cudaSuccess;
  if (state_ == State::failed) return failure_;

  state_ = State::failed;
  failure_ = cudaErrorNoDevice;
  const char* text = getenv(wire::kConnectionVariable);
  if (!text || !*text) return failure_;
  char* end = nullptr;
  const long descriptor = strtol(text, &end, 10);
  if (*end || descriptor < 0 || descriptor > 1 << 20 || fcntl(static_cast<int>(descriptor), F_GETFD) < 0)
    return failure_;
  fcntl(static_cast<int>(descriptor), F_SETFD, FD_CLOEXEC);
  socket_ = Socket(static_cast<int>(descriptor));

  Extent extent;
  dl_iterate_phdr(program_extent, &extent);
  program_begin_ = extent.begin;
  program_end_ = extent.end;
  program_bias_ = extent.bias;

  state_ = State::connected;
  const cudaError_t status = ask(wire::Op::hello, wire::Hello{}, &device);
  if (status != cudaSuccess) {
    state_ = State::failed;
    return failure_ = status;
  }
  static bool watching_forks = false;
  if (!watching_forks) watching_forks = pthread_atfork(nullptr, nullptr, after_fork) == 0;
  return cudaSuccess;
}

void Client::disconnect() {
  if (forked) return;
  if (state_ == State::connected) {
    send_sources();
    release_conditions(*this);
    const wire::RequestHeader header{0, wire::Op::goodbye, 0, 0, 0, 0, 0, 0};
    socket_.send(&header, sizeof header, nullptr, 0);
    close(socket_.descriptor());
  }
  state_ = State::untried;
  forget_device_state();
  page_locked.clear();
  dead_context = cudaSuccess;
}

cudaError_t Client::lost() {
  close(socket_.descriptor());
  state_ = State::failed;
  return failure_ = cudaErrorDevicesUnavailable;
}

cudaError_t Client::exchange(wire::Op op, const void* request, std::size_t request_bytes, const HostRows* data,
                             Expected& expected, const HostRows* more_data) {
  // What the library does on its own account is no call of the program.
  const bool own = op == wire::Op::hello || op == wire::Op::load_module || op == wire::Op::copy_source;
  if (may_wait(op)) {
    const cudaError_t status = send_sources();
    if (status != cudaSuccess) return status;
  }
  if (const cudaError_t status = managed.prepare(*this, op, request); status != cudaSuccess) return status;
  if (const cudaError_t status = mapped.prepare(*this, op, request); status != cudaSuccess) return status;
  // What faults is the program's call, and not its connection: nothing has been sent yet.
  if (data) touch(*data, Direction::send);
  if (expected.rows) touch(*expected.rows, Direction::receive);
  const wire::RequestHeader header{static_cast<std::uint32_t>(request_bytes),
                                   op,
                                   own ? std::uint16_t{0} : call,
                                   own ? 0 : origin,
                                   own ? 0 : outer_origin,
                                   take_clock_look(),
                                   own ? std::uint16_t{0} : driver_call,
                                   0};
  told_ = told_ || !own;
  exchanging_ = true;
  cudaError_t status = converse(header, request, data, more_data, expected);
  exchanging_ = false;
  if (status == cudaErrorNotReady && waits_for_values && !is_question(op))
    status = ask_again(header, request, data, expected);
  return status;
}

cudaError_t Client::converse(const wire::RequestHeader& header, const void* request, const HostRows* data,
                             const HostRows* more_data, Expected& expected) {
  if (!socket_.send(&header, sizeof header, request, header.bytes)) return lost();
  if (data && !socket_.send(*data)) return lost();
  if (more_data && !socket_.send(*more_data)) return lost();

  wire::FrameHeader frame;
  for (;;) {
    if (!socket_.receive(&frame, sizeof frame)) return lost();
    if (frame.kind == wire::FrameKind::result) break;
    const cudaError_t status = side_frame(frame);
    if (status != cudaSuccess) return status;
  }
  const auto status = static_cast<cudaError_t>(frame.status);
  if (frame.context_dead) dead_context = status;
  if (frame.bytes == 0) return status;

  bool received = false;
  if (expected.rows_after && frame.bytes >= expected.result_bytes &&
      frame.bytes - expected.result_bytes <= expected.rows_after->width) {
    received = socket_.receive(expected.result, expected.result_bytes) &&
               socket_.receive(expected.rows_after->data, frame.bytes - expected.result_bytes);
  } else if (expected.rows && frame.bytes == expected.rows->bytes()) {
    received = socket_.receive(*expected.rows);
  } else if (expected.block) {
    *expected.block = static_cast<char*>(malloc(frame.bytes));
    if (!*expected.block) return socket_.discard(frame.bytes) ? cudaErrorMemoryAllocation : lost();
    expected.block_bytes = frame.bytes;
    received = socket_.receive(*expected.block, frame.bytes);
  } else if (expected.result && frame.bytes == expected.result_bytes) {
    received = socket_.receive(expected.result, expected.result_bytes);
  }
  return received ? status : lost();
}

cudaError_t Client::side_frame(const wire::FrameHeader& frame) {
  if (frame.kind == wire::FrameKind::delivery) {
    wire::Delivery delivery;
    if (frame.bytes < sizeof delivery || !socket_.receive(&delivery, sizeof delivery)) return lost();
    for (std::size_t i = 0; i < pending_copies.size(); ++i) {
      if (pending_copies[i].id != delivery.id) continue;
      const HostRows rows = pending_copies[i].rows;
      give_pages_back(pending_copies[i]);
      pending_copies.erase(i);
      if (delivery.bytes == 0) return cudaSuccess;  // what came before it failed: the memory stays as it is
      return delivery.bytes == rows.bytes() && socket_.receive(rows) ? cudaSuccess : lost();
    }
    return socket_.discard(delivery.bytes) ? cudaSuccess : lost();
  }
  if (frame.kind == wire::FrameKind::host_bytes) return mapped.receive(socket_, frame.bytes) ? cudaSuccess : lost();
  if (frame.kind == wire::FrameKind::host_free) {
    wire::Address address;
    if (frame.bytes != sizeof address || !socket_.receive(&address, sizeof address)) return lost();
    mapped.set_free(address.address);
    return cudaSuccess;
  }
  FILE* to = frame.kind == wire::FrameKind::output ? stdout : stderr;
  char text[4096];
  for (std::uint64_t left = frame.bytes; left > 0;) {
    const std::size_t part = left < sizeof text ? static_cast<std::size_t>(left) : sizeof text;
    if (!socket_.receive(text, part)) return lost();
    fwrite(text, 1, part, to);
    left -= part;
  }
  return cudaSuccess;
}

void Client::note(cudaError_t status, cudaError_t seen, cudaStream_t stream, CallPointers pointers,
                  wire::UnsupportedPart part, std::uint64_t stray) {
  told_ = true;
  const wire::Note note{status, seen, stream_id(stream), pointers, part, stray};
  const wire::RequestHeader header{sizeof note,  wire::Op::note,    call,        origin,
                                   outer_origin, take_clock_look(), driver_call, 0};
  if (!socket_.send(&header, sizeof header, &note, sizeof note)) lost();
}

cudaError_t Client::send_sources() {
  while (pending_sources.size() > 0) {
    const PendingSource source = pending_sources[0];
    pending_sources.erase(0);
    const bool changed = digest(source.rows) != source.digest;
    Expected nothing;
    const wire::CopySource request{source.id, changed ? source.rows.bytes() : 0};
    const cudaError_t status =
        exchange(wire::Op::copy_source, &request, sizeof request, changed ? &source.rows : nullptr, nothing);
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

cudaError_t Client::settle(std::uint64_t address, std::uint64_t bytes) {
  for (const PendingSource& source : pending_sources)
    if (address_of(source.rows.data) - address < bytes) return send_sources();
  return arrive(address, bytes);
}

cudaError_t Client::arrive(std::uint64_t address, std::uint64_t bytes) {
  for (const PendingCopy& copy : pending_copies) {
    if (address_of(copy.rows.data) - address >= bytes) continue;
    Expected nothing;
    return exchange(wire::Op::synchronize, nullptr, 0, nullptr, nothing);
  }
  return cudaSuccess;
}

void Client::forget_device_state() {
  ++device_generation_;
  forget_captures();
  forget_reserved();
  forget_conditions();
  forget_advice();
  allocations.clear();
  managed.clear();
  mapped.clear();
  page_locked.forget_devices();
  for (PendingCopy& copy : pending_copies) give_pages_back(copy);
  pending_copies.clear();
  pending_sources.clear();
  for (Function& function : functions) function.resolved = false;
  for (Variable& variable : variables) variable.resolved = false;
  for (Module* module : modules) {
    if (module->state == Module::State::removed) continue;
    module->state = Module::State::registered;
    free(module->names);
    module->names = nullptr;
  }
}

std::uint64_t Client::relative(const void* return_address) const {
  const std::uint64_t address = address_of(return_address);
  if (address <= program_begin_ || address > program_end_) return 0;
  return address - 1 - program_bias_;  // inside the call instruction, so that its line is found, not the next one's
}

void Client::begin_call(std::uint16_t number, CallSite site) {
  call = number;
  const DriverCall* const of_driver = DriverCall::current();
  driver_call = of_driver == nullptr ? 0 : of_driver->number();
  if (of_driver != nullptr) site = of_driver->site();
  if (of_driver == nullptr) has_called_runtime_itself = some_thread_called_runtime = true;
  told_ = false;
  current_call = origin = relative(site.address);
  outer_origin = 0;
  // nvcc's header wraps some functions in templates, which are calls of their own where nothing is inlined. Such code
  // keeps frame pointers and its frames are small, so the caller's caller is near; elsewhere this may read nonsense,
  // which only counts when it lies in the program and the inner call site turns out to be in that header.
  constexpr std::uint64_t kSmallFrame = 256;
  if (!site.frame) return;
  const void* frame = site.frame;
  const void* outer = nullptr;
  for (unsigned i = 0; i < site.wrappers; ++i) {
    const void* callers_frame = nullptr;
    memcpy(&callers_frame, frame, sizeof callers_frame);
    const std::uint64_t from = address_of(frame), to = address_of(callers_frame);
    if (to <= from || to - from > kSmallFrame || to % alignof(void*) != 0) return;
    memcpy(&outer, static_cast<const char*>(callers_frame) + sizeof(void*), sizeof outer);
    frame = callers_frame;
  }
  outer_origin = relative(outer);
}

/// For a harness's signal handler: where in the program the calling thread is in an API call, relative to the load
/// address; 0 outside one.
CUDALABS_API std::uint64_t cudalabs_current_call() {
  return current_call;
}

void note_clock_look() {
  __atomic_store_n(&looked_at_clock, 1, __ATOMIC_RELAXED);
}

}  // namespace cudalabs::vgpu::client
