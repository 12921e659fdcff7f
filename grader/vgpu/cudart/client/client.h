// The runtime client: one connection a process, what was registered with it, and how an API function is answered.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include "vgpu/cudart/call_names.h"
#include "vgpu/cudart/client/managed_memory.h"
#include "vgpu/cudart/client/mapped_memory.h"
#include "vgpu/cudart/client/plain_array.h"
#include "vgpu/cudart/client/ranges.h"
#include "vgpu/cudart/client/socket.h"
#include "vgpu/cudart/include/cuda_runtime_api.h"
#include "vgpu/cudart/protocol.h"

/// An API function: visible to the program, everything else in the library is hidden.
#define CUDALABS_API extern "C" __attribute__((visibility("default")))

namespace cudalabs::vgpu::client {

/// Page-locked memory is allocated in such pages.
inline constexpr std::size_t kHostPage = 4096;

/// A device code image the program registered; loaded when first needed, as the runtime does.
struct Module {
  enum class State : std::uint8_t { registered, loaded, failed, removed };
  const void* image = nullptr;
  const void* const* linked = nullptr;  // the images, up to a null, whose PTX is to be linked in place of `image`
  State state = State::registered;
  cudaError_t error = cudaSuccess;  // when failed
  std::uint32_t handle = 0;         // when loaded
  char* names = nullptr;            // the server's ModuleInfo, which `Function` and `Variable` refer to
  std::uint64_t names_bytes = 0;
};

/// A kernel the program registered: its stub's address stands for it.
struct Function {
  const void* host = nullptr;
  const char* name = nullptr;
  Module* module = nullptr;
  bool resolved = false;  // the three below are valid
  std::uint32_t index = 0;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t parameter_count = 0;
  const wire::Parameter* parameters = nullptr;
};

/// A __device__, __constant__ or __managed__ variable the program registered.
struct Variable {
  const void* host = nullptr;  // of a managed one the variable itself, once it is resolved
  void** pointer = nullptr;    // of a managed one: where the program wants to know its address
  const char* name = nullptr;
  Module* module = nullptr;
  bool resolved = false;  // the two below are valid
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// An asynchronous copy to page-locked memory whose data has not come yet.
struct PendingCopy {
  std::uint64_t id = 0;
  HostRows rows;
  std::uint64_t taken_begin = 0, taken_end = 0;  // pages that the host does not have meanwhile: awaited_pages.h
};

/// An asynchronous copy from page-locked memory that nothing has waited for yet.
struct PendingSource {
  std::uint64_t id = 0;
  HostRows rows;
  std::uint64_t digest = 0;  // of what the rows held at the call
};

/// Where in the program an API function was called.
struct CallSite {
  const void* address = nullptr;  // return address
  const void* frame = nullptr;    // of the API function; null where nobody may look
  unsigned wrappers = 1;  // functions of nvcc's header between the program and the API, where nothing is inlined
};

/// Of the call in hand, where the calling thread's default stream is its own (per_thread.h); null elsewhere.
const CallSite* site_of_per_thread_call();

/// For API functions only: inlined, it sees their frame.
__attribute__((always_inline)) inline CallSite call_site(unsigned wrappers = 1) {
  if (const CallSite* const site = site_of_per_thread_call()) return {site->address, site->frame, wrappers};
  return {__builtin_return_address(0), __builtin_frame_address(0), wrappers};
}

/// What a request gets back: a struct of known size, which bytes of one row may follow, host rows, or a block of any
/// size (allocated, caller frees).
struct Expected {
  void* result = nullptr;
  std::size_t result_bytes = 0;
  const HostRows* rows_after = nullptr;  // the result: as many of their first bytes as come
  const HostRows* rows = nullptr;
  char** block = nullptr;
  std::uint64_t block_bytes = 0;  // set by the exchange
};

/// The program reads a clock: the next request says so.
void note_clock_look();

/// Blocks of a cluster; all 0: nothing is said of clusters.
struct ClusterSize {
  unsigned x = 0, y = 0, z = 0;
  bool operator==(const ClusterSize&) const = default;
};

class Client {
 public:
  constexpr Client() = default;

  /// Connects when that has not been tried; cudaErrorNoDevice where there is no virtual GPU to talk to.
  cudaError_t connect();
  /// Says goodbye and forgets the connection, so that the next call connects anew.
  void disconnect();

  /// Sends one request with its data and waits for the result frame. Side frames are dealt with on the way.
  cudaError_t exchange(wire::Op op, const void* request, std::size_t request_bytes, const HostRows* data,
                       Expected& expected, const HostRows* more_data = nullptr);
  template <class Request>
  cudaError_t ask(wire::Op op, const Request& request) {
    Expected nothing;
    return exchange(op, &request, sizeof request, nullptr, nothing);
  }
  template <class Request, class Result>
  cudaError_t ask(wire::Op op, const Request& request, Result* result) {
    Expected expected;
    expected.result = result;
    expected.result_bytes = sizeof *result;
    return exchange(op, &request, sizeof request, nullptr, expected);
  }
  /// Tells the server of a call that needed no answer. `pointers`: those that it is refused for.
  void note(cudaError_t status, cudaError_t seen, cudaStream_t stream, CallPointers pointers = {},
            wire::UnsupportedPart part = wire::UnsupportedPart::all, std::uint64_t stray = 0);
  /// The server knows of the call in hand.
  bool has_told() const { return told_; }

  cudaError_t load(Module& module);
  /// Device code that the program has read or made itself; of `image` a copy is kept.
  cudaError_t load_image(const void* image, Module** module);
  /// The kernel of a loaded module that has this name, whether the program has registered it or not.
  cudaError_t find_function(Module& module, const char* name, Function** function);
  /// The same by its place in the module, below `count_kernels`.
  cudaError_t find_function(Module& module, unsigned int index, Function** function);
  cudaError_t count_kernels(Module& module, unsigned int* count);
  cudaError_t find_variable(Module& module, const char* name, Variable** variable);
  cudaError_t find_function(const void* host, Function** function);
  cudaError_t find_variable(const void* symbol, Variable** variable);
  bool is_device(const void* pointer) const;
  bool is_managed(const void* pointer) const;
  /// Kernels and the host may both use it.
  bool is_shared(const void* pointer) const;
  /// It points into an allocation, or a little behind one, as an offset does that is too large: the server refuses
  /// that, and says by how much it is.
  bool was_meant_for_device(const void* pointer) const;
  PointerKind kind_of(const void* pointer) const;
  bool is_page_locked(const void* pointer, std::uint64_t bytes) const;
  /// Lets copies on their way to or from [address, address + bytes) be done, before that memory goes.
  cudaError_t settle(std::uint64_t address, std::uint64_t bytes);
  /// The same for copies to it alone.
  cudaError_t arrive(std::uint64_t address, std::uint64_t bytes);
  /// Lets the device read the page-locked memory that copies were issued from: as late as it may, when something waits.
  /// A program that refills its buffer before that sees the new values there on every run, as it might on a real GPU.
  cudaError_t send_sources();
  void forget_device_state();

  /// Counts how often the device's state was forgotten: handles of before are none any more.
  std::uint64_t device_generation() const { return device_generation_; }
  bool connected() const { return state_ == State::connected; }
  /// Requests and answers are under way: no other exchange may begin.
  bool exchanging() const { return exchanging_; }
  /// Where in the program a return address lies, relative to the load address and inside the call; 0 elsewhere.
  std::uint64_t relative(const void* return_address) const;
  /// Names the call that is about to be answered.
  void begin_call(std::uint16_t number, CallSite site);

  wire::DeviceInfo device;
  Array<Module*> modules;
  Array<Function> functions;
  Array<Variable> variables;
  Ranges allocations;
  ManagedMemory managed;  // those of them that the host may touch
  Ranges page_locked;
  MappedMemory mapped;  // those of them that kernels use
  Array<PendingCopy> pending_copies;
  Array<PendingSource> pending_sources;
  cudaError_t dead_context = cudaSuccess;  // sticky error
  bool waits_for_values = false;           // streams wait, or have waited, for values in memory

  // The call being answered; valid while the lock is held.
  std::uint16_t call = 0;
  std::uint16_t driver_call = 0;  // that of the driver API which it answers; 0: it is the program's own
  std::uint64_t origin = 0, outer_origin = 0;

 private:
  enum class State : std::uint8_t { untried, connected, failed };

  cudaError_t lost();
  cudaError_t converse(const wire::RequestHeader& header, const void* request, const HostRows* data,
                       const HostRows* more_data, Expected& expected);
  /// In value_waits.cpp.
  cudaError_t ask_again(const wire::RequestHeader& header, const void* request, const HostRows* data,
                        Expected& expected);
  cudaError_t side_frame(const wire::FrameHeader& frame);
  void publish(Variable& variable);
  void resolve(Module& module, const char* info, std::uint64_t bytes);
  template <class Entry>
  cudaError_t find_named(Array<Entry>& entries, Module& module, const char* name, Entry** found);

  Socket socket_;
  State state_ = State::untried;
  bool exchanging_ = false;
  bool told_ = false;
  std::uint64_t device_generation_ = 0;
  cudaError_t failure_ = cudaSuccess;  // when failed
  std::uint64_t program_begin_ = 0, program_end_ = 0, program_bias_ = 0;
};

Client& client();

/// Holds the client for one API call.
class Lock {
 public:
  Lock();
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};
/// The calling thread holds it already.
bool holds_lock();
/// It leaves it to others for so long. The call in hand may be another one afterwards: see OwnCall.
void let_others_call(unsigned int microseconds);
/// This process is a child of the one that is connected.
bool is_forked();

cudaError_t take_last_error();  // and resets it
cudaError_t peek_last_error();
/// The error that the call in hand returns is that of a free of what is not to be freed. The server tells of it.
void bad_free();
/// The last error is of that kind.
bool last_error_is_of_bad_free();

/// Makes `status` the calling thread's last error unless it is success, and returns it.
cudaError_t remember(cudaError_t status);

/// What the library does for the program in the background. A thread that does some says so before it begins; until
/// then there is none.
struct Background {
  /// Lets what is pending come to its end, so that what comes after it in its stream does so. cudaErrorNotPermitted in
  /// work that must not call the runtime.
  cudaError_t (*settle)();
  /// In a forked child, which has no thread to do it.
  void (*forget_that_of_parent)();
  /// The process ends: what has not begun by now never does.
  void (*forget)();
};
void set_background(const Background& background);
bool has_background();

/// Before the runtime does anything else for the program.
cudaError_t settle_background();

/// A stream captures (capture.cpp): calls are looked at before they are answered. While the client's lock is held.
bool is_capturing();
/// In capture_rules.cpp.
cudaError_t may_call_while_capturing(std::uint16_t call);

/// Answers an API call at once, whatever is pending: connects, then `body(client)`; the status becomes the last error.
template <class Body>
cudaError_t answer_at_once(std::uint16_t call, CallSite site, Body&& body) {
  Lock lock;
  Client& self = client();
  cudaError_t status = self.connect();
  if (status == cudaSuccess) {
    self.begin_call(call, site);
    if (is_capturing()) status = may_call_while_capturing(call);
    if (status == cudaSuccess) status = body(self);
    // A program is told of its mistake by the line of the call, whether the library or the server refused it.
    if (status != cudaSuccess && call != 0 && !self.has_told()) self.note(status, cudaSuccess, nullptr);
  }
  return remember(status);
}

/// The same for calls that need the device, and that work given to it may have to come before.
template <class Body>
cudaError_t answer(std::uint16_t call, CallSite site, Body&& body) {
  const cudaError_t status = settle_background();
  return status == cudaSuccess ? answer_at_once(call, site, static_cast<Body&&>(body)) : remember(status);
}

/// What a call returns whose first argument says where to put the address of memory, and is null.
inline cudaError_t refuse_null(Client& self) {
  self.note(cudaErrorInvalidValue, cudaSuccess, nullptr, {.first = PointerKind::null});
  return cudaErrorInvalidValue;
}

/// What a call returns that asks for more than there is here.
inline cudaError_t refuse_part(Client& self, wire::UnsupportedPart part) {
  self.note(cudaErrorNotSupported, cudaSuccess, nullptr, {}, part);
  return cudaErrorNotSupported;
}

/// Tells the server how the call has ended, once, where nothing has told it yet.
template <class Body>
cudaError_t body_that_tells(Client& self, Body&& body) {
  const cudaError_t status = body(self);
  if (!self.has_told()) self.note(status, cudaSuccess, nullptr);
  return status;
}

/// For calls the client answers by itself: the server is only told of them.
template <class Body>
cudaError_t answer_here(std::uint16_t call, CallSite site, Body&& body) {
  return answer_at_once(call, site, [&](Client& self) { return body_that_tells(self, body); });
}

/// answer(), for calls that may end without the server, or ask it several things and end as one.
template <class Body>
cudaError_t answer_and_tell(std::uint16_t call, CallSite site, Body&& body) {
  return answer(call, site, [&](Client& self) { return body_that_tells(self, body); });
}

/// The calling thread's own default stream, as the server knows it.
std::uint64_t stream_of_thread();

inline std::uint64_t stream_id(cudaStream_t stream) {
  return stream == cudaStreamPerThread ? stream_of_thread() : reinterpret_cast<std::uintptr_t>(stream);
}
/// The same stream, whichever thread looks at it.
inline cudaStream_t as_any_thread(cudaStream_t stream) {
  return reinterpret_cast<cudaStream_t>(stream_id(stream));
}
/// What the call in hand means where no stream is named.
inline cudaStream_t default_stream() {
  return site_of_per_thread_call() == nullptr ? nullptr : cudaStreamPerThread;
}
inline std::uint64_t event_id(cudaEvent_t event) {
  return reinterpret_cast<std::uintptr_t>(event);
}
inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

}  // namespace cudalabs::vgpu::client
