// The queue of host functions, and the thread that calls them.
//
// An event behind the stream's work says when a function's turn has come; the thread asks for it now and then, as the
// connection is the program's. It begins a little later than it could, unless the program waits for the runtime: so a
// program that does not wait finds nothing done, on every run, as it may on a real GPU.
#include "vgpu/cudart/client/host_functions.h"

#include <time.h>

#include <atomic>

namespace cudalabs::vgpu::client {
namespace {

constexpr long kRestNanoseconds = 200'000;
constexpr int kRests = 25;  // before the stream is asked for the first time, unless a thread of the program waits

struct Entry {
  HostFunction what;
  std::uint64_t event = 0;
  std::uint64_t stream = 0;
  cudaStream_t named = nullptr;  // as the program did
  Place place;
};

// Never destroyed: the thread lives as long as the process.
pthread_mutex_t the_queue_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;  // held while the thread talks to the server
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
constinit Array<Entry> the_queue;
std::atomic<int> pending = 0, waiting = 0;
constinit bool has_thread = false;
thread_local constinit bool is_the_thread = false;

class QueueLock {
 public:
  QueueLock() { pthread_mutex_lock(&the_queue_lock); }
  ~QueueLock() { pthread_mutex_unlock(&the_queue_lock); }
  QueueLock(const QueueLock&) = delete;
  QueueLock& operator=(const QueueLock&) = delete;
};

void rest() {
  const timespec time{0, kRestNanoseconds};
  nanosleep(&time, nullptr);
}

/// What the library asks on its own account, while the client's lock is held.
template <class... Arguments>
cudaError_t ask_quietly(Client& self, Arguments&&... arguments) {
  const std::uint16_t call = self.call;
  self.call = 0;
  const cudaError_t status = self.ask(static_cast<Arguments&&>(arguments)...);
  self.call = call;
  return status;
}

void call_function(const Entry& entry, cudaError_t status) {
  if (entry.what.callback != nullptr) {
    entry.what.callback(entry.named, status, entry.what.user_data);
  } else if (status == cudaSuccess) {
    entry.what.function(entry.what.user_data);
  }
}

cudaError_t turn_of(const Entry& entry) {
  if (entry.event == 0) return cudaSuccess;
  pthread_mutex_lock(&asking);
  cudaError_t status;
  {
    const Lock lock;
    status = ask_quietly(client(), wire::Op::event_query, wire::Handle{entry.event});
  }
  pthread_mutex_unlock(&asking);
  return status;
}

/// Tells the server that the function's turn has come: for whom it then gives a sign, it is a wait.
cudaError_t begin_turn(const Entry& entry) {
  if (entry.event == 0) return cudaSuccess;
  pthread_mutex_lock(&asking);
  cudaError_t status;
  {
    const Lock lock;
    Client& self = client();
    take_in_hand(self, entry.place);
    status = self.ask(wire::Op::event_synchronize, wire::Handle{entry.event});
    ask_quietly(self, wire::Op::event_destroy, wire::Handle{entry.event});
  }
  pthread_mutex_unlock(&asking);
  return status;
}

void* serve(void*) {
  is_the_thread = true;
  for (;;) {
    Entry entry;
    {
      const QueueLock lock;
      while (the_queue.size() == 0) pthread_cond_wait(&changed, &the_queue_lock);
      entry = the_queue[0];
    }
    for (int i = 0; i < kRests && waiting == 0; ++i) rest();
    while (turn_of(entry) == cudaErrorNotReady) rest();
    call_function(entry, begin_turn(entry));
    const QueueLock lock;
    the_queue.erase(0);
    --pending;
    pthread_cond_broadcast(&changed);
  }
}

bool start_thread() {
  if (has_thread) return true;
  pthread_t thread;
  has_thread = pthread_create(&thread, nullptr, serve, nullptr) == 0;
  if (has_thread) pthread_detach(thread);
  return has_thread;
}

cudaError_t settle() {
  if (is_the_thread) return cudaErrorNotPermitted;
  if (pending == 0) return cudaSuccess;
  ++waiting;
  {
    const QueueLock lock;
    while (pending != 0) pthread_cond_wait(&changed, &the_queue_lock);
  }
  --waiting;
  return cudaSuccess;
}

void forget_those_of_parent() {
  pending = 0;
}

void forget() {
  pthread_mutex_lock(&asking);  // for good: the connection is about to be closed
}

constexpr Background kBackground{&settle, &forget_those_of_parent, &forget};

}  // namespace

namespace {

/// `begin(client)`: the requests that follow are those of the call.
template <class Begin>
cudaError_t enqueue_as(cudaStream_t stream, const HostFunction& function, Begin&& begin) {
  if (is_the_thread) return remember(cudaErrorNotPermitted);
  set_background(kBackground);
  Entry entry{function, 0, stream_id(stream), stream, {}};
  bool issued = false;
  cudaError_t status = cudaSuccess;
  {
    const Lock lock;
    Client& self = client();
    status = self.connect();
    if (status != cudaSuccess) return remember(status);
    begin(self);
    entry.place = place_in_hand(self);
    wire::Handle event;
    status = ask_quietly(self, wire::Op::event_create, wire::EventCreate{cudaEventDisableTiming, 0}, &event);
    if (status == cudaSuccess) {
      status = ask_quietly(self, wire::Op::event_record, wire::StreamEvent{entry.stream, event.id});
      entry.event = event.id;
      if (status != cudaSuccess) ask_quietly(self, wire::Op::event_destroy, event);
    }
    self.note(status, cudaSuccess, stream);
  }
  if (status == cudaSuccess) {
    const QueueLock lock;
    issued = start_thread() && the_queue.push(entry);
    if (issued) {
      ++pending;
      pthread_cond_broadcast(&changed);
    }
  }
  // A callback is told of errors, too; a stream that is none has nobody to call.
  const bool nowhere = status == cudaErrorInvalidResourceHandle || status == cudaErrorNoDevice;
  if (!issued && !nowhere) {
    if (status == cudaSuccess) status = begin_turn(entry);
    call_function(entry, status);
  }
  return remember(status);
}

}  // namespace

void call_later(cudaHostFn_t function, void* user_data, const cudaStream_t* stream) {
  set_background(kBackground);
  Entry entry{{function, nullptr, user_data}, 0, 0, nullptr, {}};
  if (stream != nullptr) {
    Client& self = client();
    wire::Handle event;
    if (ask_quietly(self, wire::Op::event_create, wire::EventCreate{cudaEventDisableTiming, 0}, &event) == cudaSuccess)
      entry.event = event.id;
    if (entry.event != 0) ask_quietly(self, wire::Op::event_record, wire::StreamEvent{stream_id(*stream), entry.event});
  }
  const QueueLock lock;
  if (!start_thread() || !the_queue.push(entry)) return function(user_data);
  ++pending;
  pthread_cond_broadcast(&changed);
}

cudaError_t enqueue(std::uint16_t call, CallSite site, cudaStream_t stream, const HostFunction& function) {
  return enqueue_as(stream, function, [&](Client& self) { self.begin_call(call, site); });
}

cudaError_t enqueue(const Place& place, cudaStream_t stream, const HostFunction& function) {
  return enqueue_as(stream, function, [&](Client& self) { take_in_hand(self, place); });
}

bool host_functions_pending() {
  return pending != 0;
}

}  // namespace cudalabs::vgpu::client
