// What a runtime client and the virtual GPU's server say to each other over a Unix stream socket.
//
// Both ends run on one machine, so messages are plain structs in its byte order. A request is a RequestHeader, `bytes`
// bytes of the operation's struct (at most kMaxRequestBytes), then, for operations that carry bulk data, that data
// unframed; its length follows from the struct. A reply is any number of side frames (device output, finished
// asynchronous copies, diagnostics) and one result frame. Notes get no reply. Host addresses never appear on the wire.
//
// Used by the client too, which links into programs of any kind: nothing here may need the C++ runtime library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vgpu/cudart/pointer_kind.h"
#include "vgpu/cudart/protocol_memory.h"

namespace cudalabs::vgpu::wire {

inline constexpr std::uint32_t kProtocolVersion = 7;
inline constexpr char kConnectionVariable[] = "CUDALABS_VGPU_FD";

inline constexpr std::uint32_t kMaxRequestBytes = 40 * 1024;
inline constexpr std::uint64_t kMaxImageBytes = 64ull << 20;
inline constexpr std::uint32_t kMaxParameterBytes = 32764;  // of a kernel: CUDA's limit
inline constexpr std::uint32_t kMaxNameBytes = 4096;        // of a kernel or variable

enum class Op : std::uint16_t {
  hello,               // Hello -> DeviceInfo
  goodbye,             // orderly end; no reply
  note,                // Note; an API call that the client answered by itself; no reply
  load_module,         // LoadModule + image -> ModuleInfo, names
  allocate,            // Allocate -> Address
  release,             // Address -> nothing
  copy_in,             // Copy + data -> nothing, or Delivery when page_locked
  copy_out,            // Copy -> data, or Delivery when asynchronous
  copy_within,         // CopyWithin -> nothing
  fill,                // Fill -> nothing
  memory_info,         // nothing -> MemoryInfo
  launch,              // Launch + parameters -> nothing
  kernel_attributes,   // KernelHandle -> KernelAttributes
  set_attribute,       // SetAttribute -> nothing
  occupancy,           // Occupancy -> OccupancyResult
  cluster_occupancy,   // ClusterOccupancy -> ClusterOccupancyResult
  stream_create,       // StreamCreate -> Handle
  stream_destroy,      // Handle -> nothing
  stream_synchronize,  // Handle -> nothing
  stream_query,        // Handle -> nothing
  stream_wait,         // StreamEvent -> nothing
  stream_info,         // Handle -> StreamCreate
  event_create,        // EventCreate -> Handle
  event_destroy,       // Handle -> nothing
  event_record,        // StreamEvent -> nothing
  event_query,         // Handle -> nothing
  event_synchronize,   // Handle -> nothing
  event_elapsed,       // EventPair -> Elapsed
  synchronize,         // nothing -> nothing
  reset,               // nothing -> nothing
  declare_input,       // DeclareInput -> nothing
  copy_source,         // CopySource + data -> nothing
  release_later,       // Release -> nothing
  take_back,           // nothing -> nothing
  hand_out,            // nothing -> nothing
  next_function,       // nothing -> nothing
  host_access,         // HostAccess -> HostAccessed, data
  host_writes,         // HostWrites + mask, data -> nothing
  touch_awaited,       // AwaitedTouch -> nothing
  allocate_host,       // AllocateHost -> Address
  release_host,        // Address -> nothing
  map_host,            // Address -> nothing
  create_image,        // CreateImage -> Handle
  destroy_image,       // Handle -> nothing
  set_heap,            // SetHeap -> nothing
  ranges,              // Ranges -> Address, or nothing
  memory_operations,   // MemoryOperations + its operations -> nothing
  give_up_waits,       // nothing -> nothing; nobody will write what streams wait for
};
inline constexpr std::uint16_t kOpCount = static_cast<std::uint16_t>(Op::give_up_waits) + 1;

/// `origin`: the call site in the program, relative to its load address and inside the call instruction; 0: unknown.
/// `outer`: the call site of the function that holds it, for calls from the CUDA headers' own wrappers; 0: unknown.
/// `looked_at_clock`: the program has read a clock since its last request.
/// `driver_call`: index into kDriverCallNames of the call that the program made, which `call` answers; 0: none.
struct RequestHeader {
  std::uint32_t bytes = 0;
  Op op = Op::hello;
  std::uint16_t call = 0;  // index into kCallNames
  std::uint64_t origin = 0;
  std::uint64_t outer = 0;
  std::uint32_t looked_at_clock = 0;
  std::uint16_t driver_call = 0;
  std::uint16_t reserved = 0;
};

enum class FrameKind : std::uint16_t {
  result,      // answers the request
  output,      // text device code printed
  delivery,    // Delivery, then its data
  diagnostic,  // text for the program's stderr
  host_bytes,  // HostBytes, then its ranges and data
  host_free,   // Address
};

struct FrameHeader {
  std::uint64_t bytes = 0;
  FrameKind kind = FrameKind::result;
  std::uint16_t context_dead = 0;  // 1: `status` is sticky, every later call returns it
  std::int32_t status = 0;         // cudaError_t
};

/// Stream handles 0 (default) and 1 (legacy) exist from the start, and each thread's default stream when it is named
/// for the first time; others come from the server.
inline constexpr std::uint64_t kReservedStreams = 3;
/// The default stream of the thread with this number, from 1 on: cudaStreamPerThread, as that thread means it.
constexpr std::uint64_t per_thread_stream(std::uint64_t thread) {
  return thread << 32 | 2;
}
constexpr bool is_per_thread_stream(std::uint64_t stream) {
  return stream >> 32 != 0 && (stream & 0xffffffff) == 2;
}

struct Hello {
  std::uint32_t version = kProtocolVersion;
  std::uint32_t reserved = 0;
};

struct DeviceInfo {
  char name[256] = {};
  std::uint64_t global_bytes = 0;
  std::uint64_t constant_bytes = 0;
  std::uint32_t compute_major = 0, compute_minor = 0;
  std::uint32_t multiprocessors = 0;
  std::uint32_t max_threads_per_block = 0;
  std::uint32_t max_threads_per_multiprocessor = 0;
  std::uint32_t max_blocks_per_multiprocessor = 0;
  std::uint32_t max_block_dim[3] = {};
  std::uint32_t max_grid_dim[3] = {};
  std::uint32_t registers_per_block = 0;
  std::uint32_t registers_per_multiprocessor = 0;
  std::uint32_t shared_bytes_per_block = 0;
  std::uint32_t shared_bytes_per_block_optin = 0;
  std::uint32_t shared_bytes_per_multiprocessor = 0;
  std::uint32_t reserved_shared_bytes_per_block = 0;
  std::uint32_t l2_bytes = 0;
  std::uint32_t clock_khz = 0;
  std::uint32_t memory_clock_khz = 0;
  std::uint32_t memory_bus_bits = 0;
};

/// What of a call the virtual GPU does not have, where it is not all of it.
enum class UnsupportedPart : std::uint32_t {
  all,
  semaphore_node,
  device_launch,
  machine_code,
  function_table,
  other_pool,
  memory_operations_node,
  second_mapping,
  other_memory,
  interleaved_tensor,
  remote_flush
};
inline constexpr std::uint32_t kUnsupportedParts = 11;

/// `status`: what the call returned. `seen_error`: an earlier error that it showed the program, 0 for none. `pointers`:
/// why it was refused, where they are the reason; `stray`: the address that the first stray one of them has.
struct Note {
  std::int32_t status = 0;
  std::int32_t seen_error = 0;
  std::uint64_t stream = 0;
  CallPointers pointers = {};
  UnsupportedPart part = UnsupportedPart::all;
  std::uint64_t stray = 0;
};

struct LoadModule {
  std::uint64_t image_bytes = 0;  // PTX text, or fat binary containers one behind the other, which are linked
};
/// Followed by `kernels` KernelRecords, each with its parameters and name, then `variables` VariableRecords with names.
struct ModuleInfo {
  std::uint32_t module = 0;
  std::uint32_t kernels = 0;
  std::uint32_t variables = 0;
  std::uint32_t reserved = 0;
};
/// Followed by `parameters` Parameters, then `name_bytes` bytes of name, padded with zeros to a multiple of 8.
struct KernelRecord {
  std::uint32_t parameters = 0;
  std::uint32_t parameter_bytes = 0;  // size of the whole parameter buffer
  std::uint32_t name_bytes = 0;
  std::uint32_t reserved = 0;
};
struct Parameter {
  std::uint32_t offset = 0, bytes = 0;
};
/// Followed by `name_bytes` bytes of name, padded likewise.
struct VariableRecord {
  std::uint64_t address = 0, bytes = 0;
  std::uint32_t name_bytes = 0;
  std::uint16_t constant = 0;
  std::uint16_t managed = 0;  // unified memory, alone on its pages
};

/// A texture or surface object; the fields are those of vgpu::Image.
struct CreateImage {
  std::uint64_t address = 0, pitch = 0, slice = 0;
  std::uint32_t extent[3] = {};
  std::uint32_t dimensions = 0;
  std::uint32_t layered = 0;  // 1: extent[2] is a number of layers
  std::uint32_t channels = 0, channel_bytes = 0, kind = 0;
  std::uint32_t modes[3] = {};
  std::uint32_t linear_filter = 0, normalized_read = 0, normalized_coordinates = 0, surface = 0;
  float border[4] = {};
};

struct KernelHandle {
  std::uint32_t module = 0;
  std::uint32_t kernel = 0;  // index in the order of ModuleInfo
};
struct Launch {
  KernelHandle kernel;
  std::uint32_t grid[3] = {};
  std::uint32_t block[3] = {};
  std::uint64_t shared_bytes = 0;
  std::uint64_t stream = 0;
  std::uint32_t parameter_bytes = 0;  // these follow
  std::uint32_t status_dropped = 0;   // 1: launched by <<<>>>, which gives the program no status
  std::uint32_t cooperative = 0;
  std::uint32_t captured = 0;     // 1: it becomes a node of a graph, and is only sent because it will be refused
  std::uint32_t cluster[3] = {};  // blocks; all 0: the launch says nothing of clusters
  std::uint32_t reserved = 0;
};
struct KernelAttributes {
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;
  std::uint32_t constant_bytes = 0;
  std::uint32_t registers = 0;
  std::uint32_t max_threads = 0;
  std::uint32_t max_dynamic_shared_bytes = 0;
  std::uint32_t ptx_version = 0;           // of the virtual architecture, 75 for compute_75
  std::uint32_t required_cluster[3] = {};  // all 0: none
  std::uint32_t cluster_must_be_set = 0;
  std::uint32_t large_clusters = 0;  // 1: of more blocks than every device has
  std::uint32_t reserved = 0;
};
struct SetAttribute {
  KernelHandle kernel;
  std::int32_t attribute = 0;  // cudaFuncAttribute
  std::int32_t value = 0;
};
struct Occupancy {
  KernelHandle kernel;
  std::uint32_t block_threads = 0;
  std::uint32_t blocks = 0;  // 0: ask how many fit; else: how much dynamic shared memory leaves room for so many
  std::uint64_t dynamic_shared_bytes = 0;
};
struct ClusterOccupancy {
  KernelHandle kernel;
  std::uint32_t cluster[3] = {};  // as in Launch
  std::uint32_t block[3] = {};
  std::uint64_t dynamic_shared_bytes = 0;
};
struct ClusterOccupancyResult {
  std::uint32_t clusters = 0;     // at a time
  std::uint32_t most_blocks = 0;  // of a cluster
};
struct OccupancyResult {
  std::uint32_t blocks = 0;
  std::uint32_t reserved = 0;
  std::uint64_t dynamic_shared_bytes = 0;
};

struct Handle {
  std::uint64_t id = 0;
};
/// A stream that the client's library makes for the nodes of a graph; beside the flags of cudaStreamCreateWithFlags.
inline constexpr std::uint32_t kStreamOfGraph = 0x100;
struct StreamCreate {
  std::uint32_t flags = 0;
  std::int32_t priority = 0;
};
struct EventCreate {
  std::uint32_t flags = 0;
  std::uint32_t reserved = 0;
};
struct StreamEvent {
  std::uint64_t stream = 0, event = 0;
};
struct EventPair {
  std::uint64_t start = 0, end = 0;
};
struct Elapsed {
  float milliseconds = 0;
  std::uint32_t reserved = 0;
};

/// Writes of words, and waits for values of words, in the order of a stream. What comes after a wait that is not over
/// is not done; a request that waits for it is answered by cudaErrorNotReady, and may be sent again.
struct MemoryOperations {
  std::uint64_t stream = 0;
  std::uint32_t count = 0;  // at most kMostMemoryOperations
  std::uint32_t reserved = 0;
};
inline constexpr std::uint32_t kMostMemoryOperations = 255;
struct MemoryOperation {
  enum class Kind : std::uint32_t {
    write,
    // Until the word is at least the value (by a difference with a sign), is the value, has a bit of it, has a bit
    // clear that is clear in the value.
    wait_at_least,
    wait_equal,
    wait_any_set,
    wait_any_clear
  };
  std::uint64_t address = 0;
  std::uint64_t value = 0;
  std::uint32_t bytes = 4;  // or 8
  Kind kind = Kind::write;
};

}  // namespace cudalabs::vgpu::wire
