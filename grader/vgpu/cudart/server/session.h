// One client's session: decodes its requests, performs them on the virtual GPU, and gathers the report.
//
// Everything a client says is checked here before it is used: sizes, handles, addresses, counts. A request that no
// client library would send ends the session; one that a program may well send is answered with the runtime's error.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vgpu/cudart/protocol.h"
#include "vgpu/cudart/server/address_map.h"
#include "vgpu/cudart/server/asked_launch.h"
#include "vgpu/cudart/server/call_log.h"
#include "vgpu/cudart/server/client_answers.h"
#include "vgpu/cudart/server/client_channel.h"
#include "vgpu/cudart/server/failing_calls.h"
#include "vgpu/cudart/server/freed_allocations.h"
#include "vgpu/cudart/server/freed_blocks.h"
#include "vgpu/cudart/server/host_copies.h"
#include "vgpu/cudart/server/launch_watch.h"
#include "vgpu/cudart/server/reserved_ranges.h"
#include "vgpu/cudart/server/session_limits.h"
#include "vgpu/cudart/server/stream_order.h"
#include "vgpu/cudart/server/stream_races.h"
#include "vgpu/cudart/server/stream_waits.h"
#include "vgpu/cudart/server/transfer_desk.h"
#include "vgpu/cudart/server/work_queue.h"
#include "vgpu/cudart/server_report.h"
#include "vgpu/ptx/refusal.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::vgpu {

class Session {
 public:
  /// `gpu` was made for `model`. All copies and fills pass `transfers`; null: nobody looks at them. `device_code` is
  /// loaded in the place of the first module that the client registers; empty: that itself.
  Session(Channel& channel, VirtualGpu& gpu, DeviceModel model, SessionLimits limits = {}, SessionFaults faults = {},
          TransferDesk* transfers = nullptr, std::vector<std::byte> device_code = {});

  ~Session();

  /// Serves the client until it is gone, then finishes or cuts off what it left running.
  void serve();
  /// Ends `serve` soon; may be called from another thread or a signal handler.
  void stop() { stopping_ = true; }
  /// After `serve`. In session_report.cpp.
  ServerReport report() const;

  /// Before `serve`: changes one of the launches that are to come.
  void change_launch(LaunchChange change) { change_ = std::move(change); }
  /// After `serve`: of the first module its texts, and the first launches.
  const std::vector<std::string>& first_device_code() const { return first_device_code_; }
  const std::vector<AskedLaunch>& first_launches() const { return first_launches_; }
  /// Some copies waited on the device until their source was released.
  bool held_copies() const { return held_copies_; }

 private:
  struct Request;
  struct Operation;
  struct Kernel;
  struct Module;
  struct Event;
  struct Deferred;
  struct Source;

  static const Operation kOperations[];

  // session.cpp: requests and frames
  void serve_one();
  void receive(std::span<std::byte> to);
  void discard(std::uint64_t bytes);
  void send_frame(wire::FrameKind kind, cudaError_t status, std::span<const std::byte> head,
                  std::span<const std::byte> data);
  void reply(const Request& request, cudaError_t status);
  template <class Result>
  void reply(const Request& request, cudaError_t status, const Result& result);
  void reply_bytes(const Request& request, cudaError_t status, std::span<const std::byte> data);
  void log(const Request& request, cudaError_t status);

  // session_work.cpp
  cudaError_t context_error() const;
  bool gone() const;
  void wait_for(WorkQueue::Ticket ticket);
  /// The program is not told what the work has come to.
  void wait_quietly(WorkQueue::Ticket ticket);
  /// After this the virtual GPU is this thread's alone.
  void drain() { wait_for(queue_.last_issued()); }
  /// Whether work is done, for a program that asks and does not wait. At the first question it is not: on a GPU, too,
  /// it need not be, and whether this one was fast enough would be chance.
  bool found_done(WorkQueue::Ticket ticket);
  void see_done(WorkQueue::Ticket ticket);
  /// The program has seen the end of all work.
  bool idle() const { return seen_done_ == queue_.last_issued(); }
  /// Does `work` in `stream`'s order: at once when the device is idle, else when its turn comes.
  template <class Work>
  std::uint64_t perform(StreamId stream, Work work);
  void issue(StreamId stream, std::function<void()> work);
  WorkQueue::Ticket issue_now(std::function<void()> work);
  /// Copies from page-locked memory are held back no longer: a call that waits for the device comes to its end.
  void release_sources();
  /// An operation of `stream` is watched for races with those of other streams. `perform` and the like gave its number.
  StreamRaces::Ticket watch(const Request& request, StreamId stream, std::uint64_t number, std::string name = {});
  /// The same, of one whose bytes are known.
  void watch(const Request& request, StreamId stream, std::uint64_t number, TouchedBytes touched);
  /// The program may rely on `progress` from now on.
  void promise(const Progress& progress);
  /// Promises it; hands over what the device printed, and the asynchronous copies that `progress` includes.
  void hand_over(const Progress& progress);
  /// The client is gone: waits for what it left running, or cuts it off.
  void finish();

  // session_context.cpp
  void hello(Request& request);
  void goodbye(Request& request);
  void note(Request& request);
  Given given_as(cudaError_t error) const;
  void synchronize(Request& request);
  void reset(Request& request);

  // session_allocations.cpp
  void allocate(Request& request);
  void release(Request& request);
  void release_later(Request& request);
  void release_after_wait(const Request& request, StreamId stream, std::uint64_t address);
  cudaError_t free_now(const Request& request, std::uint64_t address);
  void note_invalid_free(const Request& request, std::optional<std::uint64_t> address);
  enum class Use : std::uint8_t { reads, writes };
  void note_use_of_freed(const Request& request, const CallOrigin& freed_by, Use use);
  void memory_info(Request& request);

  // session_ranges.cpp: reserved addresses and the memory that is mapped there
  void ranges(Request& request);
  void reserve_range(Request& request, const wire::Ranges& asked);
  cudaError_t free_range(const Request& request, const wire::Ranges& asked);
  void create_memory(Request& request, const wire::Ranges& asked);
  cudaError_t release_memory(const wire::Ranges& asked);
  cudaError_t map_memory(Request& request, const wire::Ranges& asked);
  cudaError_t unmap_memory(const Request& request, const wire::Ranges& asked);
  cudaError_t set_access(const wire::Ranges& asked);
  void look_up(Request& request, const wire::Ranges& asked);
  void retain_memory(Request& request, const wire::Ranges& asked);
  void arrange(std::uint64_t address, const ReservedRanges::Range& range);
  void forget_ranges();
  void note_range_leaks();
  void place_reasons(ServerReport& report) const;
  void note_leaks();
  std::vector<const FreedAllocations::Freed*> freed_sisters(const AddressMap::Block& leaked) const;
  // Of memory that kernels went past the end of, or read before it was written.
  void place_allocations(ServerReport& report, std::vector<FindingOrigin>& late) const;
  void place_launches(ServerReport& report) const;
  /// `late`: of reads of what was written later, where that was. Added to.
  void place_late_launches(ServerReport& report, std::vector<FindingOrigin>& late) const;
  void name_unordered_writes(ServerReport& report, const std::vector<FindingOrigin>& late,
                             std::vector<HostFinding>& races) const;
  const AddressMap::Block* allocation_of(const Finding& finding) const;

  // session_arrays.cpp
  void declare_input(Request& request);
  void take_back(Request& request);
  void next_function(Request& request);
  void hand_out(Request& request);
  void note_host_write(const Request& request, const wire::Rows& rows);
  void note_gaps(const wire::Rows& rows);

  // session_memory.cpp
  void copy_in(Request& request);
  void copy_out(Request& request);
  void copy_within(Request& request);
  void fill(Request& request);
  cudaError_t check_rows(const Request& request, const wire::Rows& rows, Use use);
  void note_overreach(const Request& request, const wire::Rows& rows, std::uint64_t span, Use use);
  void copy_in_now(const Request& request, const wire::Rows& to);
  std::vector<std::byte> receive_rows(const wire::Rows& rows);
  std::shared_ptr<Source> copy_in_later(const Request& request, StreamId stream, const wire::Rows& to, bool held);
  void copy_source(Request& request);
  void note_refilled(const Source& source);
  HostCopies::Asked asked_copy(const Request& request, const wire::Rows& from);
  void note_host_copy(const HostCopies::Asked& asked);
  void copy_out_now(const Request& request, const wire::Rows& from);
  void copy_out_later(const Request& request, StreamId stream, const wire::Rows& from);
  void touch_awaited(Request& request);
  void note_too_early(const Deferred& copy, std::string_view does, const CallOrigin& where);

  // session_managed.cpp
  void host_access(Request& request);
  void host_writes(Request& request);
  void note_host_overrun(const Request& request, const wire::HostWrites& writes);
  /// A copy or a fill whose caller gets control back when it is done, because it reached unified memory.
  void wait_if_managed(StreamId stream, bool asynchronous, std::initializer_list<std::uint64_t> addresses);
  /// It may not be issued now: it would have to be waited for.
  bool must_wait_for_managed(StreamId stream, bool asynchronous, std::initializer_list<std::uint64_t> addresses);

  // session_host.cpp: page-locked memory that kernels use
  void allocate_host(Request& request);
  void release_host(Request& request);
  void map_host(Request& request);
  /// An operation of `stream` wrote to these bytes: what of them is the host's is returned when it has waited. Any
  /// thread.
  void note_host_return(StreamId stream, std::uint64_t number, const TouchedBytes& touched);
  /// What operations in `progress` wrote to the host's memory; null: all of it.
  void return_to_host(const Progress* progress);
  void send_host_bytes(std::span<const ByteRange> ranges);
  void use_mapped();

  // session_waits.cpp
  void memory_operations(Request& request);
  void write_value(const Request& request, StreamId stream, const wire::MemoryOperation& operation);
  void wait_for_value(const Request& request, StreamId stream, const wire::MemoryOperation& operation);
  std::uint64_t value_at(const wire::MemoryOperation& operation) const;
  bool is_over_now(const ValueWait& wait) const;
  void end_wait(const ValueWait& wait);
  void settle();
  /// What is issued to the stream now comes after a wait that is not over.
  bool is_held(StreamId stream) const;
  /// The program waits for `reached()`, and something that it has to wait for is not over: it was answered so, and may
  /// ask again.
  template <class Reached>
  bool must_ask_again(const Reached& reached);
  bool answer_if_held(const Progress& progress);
  /// The program asks whether something is done that comes after a wait. It may not ask without end.
  void answer_not_yet(const Request& request);
  void give_up_waits(Request& request);
  /// The program has ended.
  void end_waits();
  /// Nothing will end the waits: the context ends. `meanwhile`: what the program does.
  void abandon_waits(std::string_view meanwhile);
  void note_endless_wait(const ValueWait& wait, std::string_view meanwhile);

  // session_images.cpp
  void create_image(Request& request);
  void destroy_image(Request& request);
  void set_heap(Request& request);

  // session_unsupported.cpp
  void note_unsupported(const Request& request);

  // session_kernel.cpp
  void load_module(Request& request);
  void launch(Request& request);
  void kernel_attributes(Request& request);
  void set_attribute(Request& request);
  void occupancy(Request& request);
  void cluster_occupancy(Request& request);
  static std::uint32_t most_cluster_blocks(const Kernel& kernel);
  Kernel* find_kernel(const wire::KernelHandle& handle);
  struct IssuedLaunch;
  void run_kernel(const Kernel& kernel, const LaunchConfig& config, std::span<const std::byte> parameters,
                  const IssuedLaunch& issued);
  void fail_after(const Kernel& kernel, const CallOrigin& origin);
  std::vector<std::byte> receive_image(std::uint64_t bytes);

  // session_stream.cpp
  /// A thread's default stream is there from when it is named.
  std::optional<StreamId> stream_of(std::uint64_t handle);
  void stream_create(Request& request);
  void stream_destroy(Request& request);
  void stream_synchronize(Request& request);
  void stream_query(Request& request);
  void stream_wait(Request& request);
  void stream_info(Request& request);
  void event_create(Request& request);
  void event_destroy(Request& request);
  void event_record(Request& request);
  /// The host waits for the event of the request, or has asked for it until it was done.
  void note_host_wait(const Request& request);
  void event_query(Request& request);
  void event_synchronize(Request& request);
  void event_elapsed(Request& request);
  void add_default_stream();
  std::shared_ptr<Event> event_of(std::uint64_t handle) const;
  bool copies_wait_in(StreamId stream) const;

  Channel& channel_;
  VirtualGpu& gpu_;
  const DeviceModel model_;
  const SessionLimits limits_;
  FailingCalls failing_calls_;
  TransferDesk* const transfers_;
  std::vector<std::byte> device_code_;  // of the first module
  std::optional<LaunchChange> change_;
  std::vector<std::string> first_device_code_;
  std::vector<AskedLaunch> first_launches_;
  bool held_copies_ = false;
  std::atomic<bool> stopping_ = false;

  // The connection's side.
  bool greeted_ = false, said_goodbye_ = false;
  std::optional<std::chrono::steady_clock::time_point> end_by_;  // once the client is gone
  std::string protocol_error_;
  std::set<cudaError_t> given_;  // errors that some call was answered with
  // What the program knows of the device, which does not depend on how fast that is: the work whose end it has seen,
  // the work that it has asked about, and the context's error once it has seen the end of what failed.
  WorkQueue::Ticket seen_done_ = 0, asked_ = 0;
  cudaError_t told_error_ = cudaSuccess;
  CallLog calls_;
  AddressMap addresses_;
  ReservedRanges ranges_;
  std::vector<std::unique_ptr<Module>> modules_;  // by handle; null once unloaded
  StreamOrder order_;
  struct Stream {
    wire::StreamCreate info;
    WorkQueue::Ticket ticket = 0;  // of its last work
  };
  std::map<StreamId, Stream> streams_;
  std::map<std::uint64_t, std::shared_ptr<Event>> events_;
  std::map<std::uint64_t, std::shared_ptr<Deferred>> deferred_;  // in the order of issue
  std::map<std::uint64_t, std::shared_ptr<Source>> sources_;     // held back, in the order of issue
  StreamWaits waits_;
  std::uint64_t asked_in_vain_ = 0;
  std::vector<HostFinding> endless_waits_;
  std::uint64_t next_handle_ = wire::kReservedStreams;
  std::uint64_t launch_count_ = 0, allocation_count_ = 0;
  std::uint64_t function_calls_ = 0;  // of the caller: how often it has called a function
  /// The program has kept it since an earlier call of the caller.
  static bool kept(const AddressMap::Block& block, std::uint64_t function_call) {
    return block.function_call != 0 && block.function_call < function_call;
  }
  std::uint64_t launches_before_ = 0;  // until the last `hand_out`
  Progress launched_;                  // the last launch of every stream
  Progress last_launch_;               // the last of all, alone
  Progress before_launch_;             // all that it comes after
  Progress promised_;                  // what the program has waited for
  bool waited_ = false;                // the request in hand has, for all launches
  bool has_managed_ = false;           // there was unified memory
  bool has_mapped_ = false;            // there was page-locked memory that kernels use
  std::uint64_t image_bytes_left_ = limits_.image_bytes;
  std::size_t event_progress_ = 0;
  std::size_t images_ = 0;
  std::vector<std::string> module_errors_;
  bool optimised_ = false, wide_accesses_ = false;
  std::vector<ptx::Refusal> refusals_;  // of whole modules
  std::vector<InputArray> inputs_;
  std::vector<InputArray> outputs_;  // the caller's, that may be written
  FreedBlocks freed_{limits_.inputs};
  FreedAllocations freed_allocations_{limits_.reported_leaks};
  std::vector<HostFinding> invalid_frees_, uses_of_freed_;
  std::vector<InputArray> taken_outputs_;  // those that the caller has taken back, and not copied yet
  std::vector<std::string> on_device_;     // the names of all arrays that were ever among `outputs_`
  bool taken_back_ = false;                // it is the caller that copies and frees now, perhaps what is free already
  std::vector<HostFinding> overwritten_;
  std::vector<HostFinding> refilled_;
  std::vector<HostFinding> too_early_;
  std::vector<HostFinding> overruns_;
  std::vector<Overreach> overreaches_;
  std::vector<RefusedPointers> refused_pointers_;
  std::vector<HostFinding> unsupported_;
  std::vector<HostFinding> leaks_;
  std::vector<std::byte> buffer_;  // bulk data on its way

  // Shared with the device's thread.
  mutable std::mutex mutex_;
  std::condition_variable source_released_;
  cudaError_t context_error_ = cudaSuccess;
  WorkQueue::Ticket failed_at_ = ~WorkQueue::Ticket{0};  // the work that made the context's error
  HostCopies host_copies_, early_copies_;                // after the first launch, and before it
  std::vector<OutputGaps> gaps_;
  std::vector<HostWrite> host_writes_;  // one for each output at most
  std::vector<ByteRange> mapped_;       // page-locked memory, by address
  struct HostReturn {
    StreamId stream;
    std::uint64_t number;
    std::vector<ByteRange> ranges;
  };
  std::vector<HostReturn> host_returns_;  // in the order of execution
  LaunchWatch watch_;
  StreamRaces races_;
  WrittenValues written_values_;
  std::string output_;
  double kernel_seconds_ = 0;
  std::vector<double> launch_seconds_;
  struct LaunchCalls {
    CallOrigin first, last;
  };
  std::map<std::string, LaunchCalls> launch_calls_;  // of each kernel
  struct ExecutedLaunch {
    CallOrigin origin;
    std::uint64_t issued = 0;         // its number among those that were issued
    std::uint64_t function_call = 0;  // of the caller
  };
  std::vector<ExecutedLaunch> executed_;  // by LaunchFacts::number, from 1 on; the first ones
  std::vector<KeptValue> kept_values_;
  std::vector<HostFinding> early_ends_;
  std::string internal_error_, exhausted_;
  std::uint64_t handed_output_ = 0;
  std::atomic<std::uint64_t> staged_bytes_ = 0;
  std::atomic<bool> ending_ = false;
  bool interrupted_ = false;

  WorkQueue queue_{limits_.device_thread};  // last: its thread uses all of the above
};

}  // namespace cudalabs::vgpu
