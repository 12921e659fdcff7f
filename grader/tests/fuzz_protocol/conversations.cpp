#include "conversations.h"

#include "../cudart/fake_virtual_gpu.h"
#include "device_images.h"
#include "vgpu/cudart/include/driver_types.h"
#include "vgpu/cudart/server/reserved_ranges.h"

namespace cudalabs::vgpu::fuzz {
namespace {

using wire::Op;

constexpr std::uint64_t kFirst = fake::kFirstAddress;           // of the first allocation, variable or range
constexpr std::uint64_t kFirstHandle = wire::kReservedStreams;  // of streams, events and copies
constexpr std::uint64_t kPage = 4096;                           // of the host
constexpr std::uint64_t kPiece = ReservedRanges::kGranularity;  // of memory that can be mapped
constexpr wire::Rows kLine{kFirst, 64, 64, 1}, kRows{kFirst, 8, 4, 4};

NamedConversation memory() {
  Conversation said;
  said.say(Op::allocate, wire::Allocate{64})
      .say(Op::copy_in, wire::Copy{kLine, 0, 0, 0}, std::string(64, 'x'))
      .say(Op::copy_out, wire::Copy{kRows, 0, 0, 0})
      .say(Op::fill, wire::Fill{kRows, 2, 7, 1})
      .say(Op::copy_within, wire::CopyWithin{{kFirst, 8, 4, 2}, {kFirst + 32, 8, 4, 2}, 1, 0, 0})
      .say(Op::memory_info)
      .say(Op::release, wire::Address{kFirst})
      .say(Op::copy_in, wire::Copy{kLine, 0, 0, 0}, std::string(64, 'x'))  // free already
      .say(Op::goodbye);
  return {"memory", said};
}

NamedConversation kernels() {
  Conversation said;
  said.load(plain_module())
      .launch(0, 0)
      .launch(1, 0, std::string(12, 'p'))
      .launch(4, 0)
      .launch(5, 0, "", 33)
      .launch(0, 0, "", 2048)
      .say(Op::kernel_attributes, wire::KernelHandle{0, 5})
      .say(Op::set_attribute, wire::SetAttribute{{0, 5}, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000})
      .say(Op::occupancy, wire::Occupancy{{0, 5}, 32, 0, 100})
      .say(Op::occupancy, wire::Occupancy{{0, 5}, 32, 4, 0})
      .say(Op::cluster_occupancy, wire::ClusterOccupancy{{0, 5}, {2, 1, 1}, {32, 1, 1}, 100})
      .say(Op::set_heap, wire::SetHeap{1 << 20})
      .say(Op::synchronize)
      .say(Op::fill, wire::Fill{kLine, 0, 1, 0})
      .say(Op::reset)
      .launch(0, 0)
      .say(Op::goodbye);
  return {"kernels", said};
}

NamedConversation dead_context() {
  Conversation said;
  said.load(plain_module()).launch(2, 0).say(Op::synchronize).launch(0, 0).say(Op::reset);
  return {"dead_context", said};
}

NamedConversation hanging_kernel() {
  Conversation said;
  said.load(plain_module()).launch(3, 1).say(Op::stream_synchronize, wire::Handle{1});
  return {"hanging_kernel", said};
}

NamedConversation device_code() {
  Conversation said;
  said.load(container()).load("no code").load(".version\n//! parse-error x").load(".version\n//! unsupported y");
  return {"device_code", said};
}

NamedConversation compressed_code() {
  Conversation said;
  said.load(lz4_container()).load(zstd_container()).launch(0, 0).say(Op::goodbye);
  return {"compressed_code", said};
}

NamedConversation streams() {
  Conversation said;
  constexpr std::uint64_t kFree = kFirstHandle, kBlocking = kFree + 1, kTimed = kFree + 2, kUntimed = kFree + 3;
  said.say(Op::stream_create, wire::StreamCreate{1, 0})
      .say(Op::stream_create, wire::StreamCreate{0, -1})
      .say(Op::event_create, wire::EventCreate{0, 0})
      .say(Op::event_create, wire::EventCreate{2, 0})
      .say(Op::allocate, wire::Allocate{64})
      .say(Op::event_record, wire::StreamEvent{kFree, kTimed})
      .say(Op::copy_out, wire::Copy{kLine, kFree, 1, 0})
      .say(Op::copy_in, wire::Copy{kLine, kBlocking, 1, 0}, std::string(64, 'y'))
      .say(Op::event_record, wire::StreamEvent{kFree, kTimed})
      .say(Op::stream_wait, wire::StreamEvent{kBlocking, kTimed})
      .say(Op::event_query, wire::Handle{kTimed})
      .say(Op::stream_query, wire::Handle{kBlocking})
      .say(Op::stream_query, wire::Handle{kBlocking})
      .say(Op::stream_info, wire::Handle{kFree})
      .say(Op::event_synchronize, wire::Handle{kTimed})
      .say(Op::event_elapsed, wire::EventPair{kTimed, kTimed})
      .say(Op::event_elapsed, wire::EventPair{kTimed, kUntimed})
      .say(Op::stream_destroy, wire::Handle{kFree})
      .say(Op::event_destroy, wire::Handle{kTimed})
      .say(Op::stream_synchronize, wire::Handle{0})
      .say(Op::goodbye);
  return {"streams", said};
}

/// Default streams of two threads, which race; and work that is still there when the client goes.
NamedConversation thread_streams() {
  Conversation said;
  const std::uint64_t first = wire::per_thread_stream(1), second = wire::per_thread_stream(2);
  said.load(plain_module())
      .say(Op::allocate, wire::Allocate{64})
      .launch(4, first)
      .say(Op::fill, wire::Fill{{kFirst + 512, 64, 64, 1}, first, 1, 1})
      .say(Op::fill, wire::Fill{{kFirst + 512, 64, 64, 1}, second, 2, 1})
      .say(Op::stream_synchronize, wire::Handle{first})
      .launch(4, second);
  return {"thread_streams", said};
}

NamedConversation page_locked_source() {
  Conversation said;
  constexpr std::uint64_t kChanged = kFirstHandle, kSame = kFirstHandle + 1, kWaited = kFirstHandle + 2;
  said.say(Op::allocate, wire::Allocate{64});
  for (int copy = 0; copy < 3; ++copy) said.say(Op::copy_in, wire::Copy{kLine, 0, 1, 1}, std::string(64, 'x'));
  said.say(Op::copy_source, wire::CopySource{kChanged, 64}, std::string(64, 'y'))
      .say(Op::copy_source, wire::CopySource{kSame, 0})
      .say(Op::copy_out, wire::Copy{kLine, 0, 0, 0})
      .say(Op::copy_source, wire::CopySource{kWaited, 64}, std::string(64, 'z'))
      .say(Op::release_later, wire::Release{kFirst, 0})
      .say(Op::goodbye);
  return {"page_locked_source", said};
}

NamedConversation notes() {
  Conversation said;
  const CallPointers of_copy{PointerKind::host, PointerKind::stray, cudaMemcpyHostToDevice + 1};
  wire::Note stray{cudaErrorInvalidValue, 0, 0, of_copy};
  stray.stray = kFirst;
  said.note(wire::call("cudaGetDevice"), {0, 0, 0})
      .note(wire::call("cudaMemcpy"), {cudaErrorInvalidMemcpyDirection, 0, 0})
      .say(Op::allocate, wire::Allocate{64})
      .say(Op::release, wire::Address{kFirst})
      .note(wire::call("cudaMemcpy"), stray)
      .note(wire::call("cudaFreeHost"), {cudaErrorInvalidValue, 0, 0})
      .say(Op::stream_query, wire::Handle{77})
      .note(wire::call("cudaGetLastError"), {0, cudaErrorInvalidResourceHandle, 0})
      .note(wire::call("cudaGraphAddNode"), {cudaErrorNotSupported, 0, 0, {}, wire::UnsupportedPart::semaphore_node})
      .note(wire::call("cudaGraphLaunch"), {0, 0, 0})
      .say(Op::goodbye);
  return {"notes", said};
}

/// No library answers this call by itself.
NamedConversation forged_note() {
  Conversation said;
  said.note(wire::call("cudaDeviceSynchronize"), {0, 0, 0});
  return {"forged_note", said, "`cudaDeviceSynchronize` answered by the client with 0"};
}

/// A client of a version that there is not yet, which goes on although it was refused.
NamedConversation other_version() {
  Conversation said(wire::Hello{wire::kProtocolVersion + 1, 0});
  said.say(Op::synchronize);
  return {"other_version", said, "no greeting"};
}

NamedConversation awaited_copy() {
  Conversation said;
  said.say(Op::allocate, wire::Allocate{256})
      .say(Op::copy_out, wire::Copy{kLine, 0, 1, 0})
      .say(Op::touch_awaited, wire::AwaitedTouch{kFirstHandle, 0, 0})
      .say(Op::touch_awaited, wire::AwaitedTouch{kFirstHandle, 1, 0})
      .say(Op::touch_awaited, wire::AwaitedTouch{99, 0, 0})
      .say(Op::take_back)
      .say(Op::goodbye);
  return {"awaited_copy", said};
}

/// A function that is judged: its arguments are the caller's, who takes them back.
NamedConversation arrays_of_caller() {
  Conversation said;
  constexpr std::uint64_t kOutput = kFirst + 512;
  wire::DeclareInput input{kFirst, 64, 4, 0, "a", {4, 4, 0}}, output{kOutput, 64, 4, 1, "b", {}};
  said.say(Op::allocate, wire::Allocate{64})
      .say(Op::allocate, wire::Allocate{64})
      .say(Op::fill, wire::Fill{kLine, 0, 1, 0})
      .say(Op::declare_input, input)
      .say(Op::declare_input, output)
      .say(Op::hand_out)
      .say(Op::fill, wire::Fill{{kOutput, 8, 4, 2}, 0, 2, 0})
      .say(Op::fill, wire::Fill{{kFirst + 32, 64, 4, 1}, 0, 3, 0})  // what may only be read
      .say(Op::copy_out, wire::Copy{{kOutput, 64, 64, 1}, 0, 0, 0})
      .say(Op::next_function)
      .say(Op::release, wire::Address{kFirst})  // the caller's
      .say(Op::take_back)
      .say(Op::copy_out, wire::Copy{{kOutput, 64, 64, 1}, 0, 0, 0})
      .say(Op::release, wire::Address{kOutput})
      .say(Op::goodbye);
  return {"arrays_of_caller", said};
}

/// What the host has written to 1000 bytes, from the beginning of the first allocation on.
Conversation& say_host_writes(Conversation& said, std::uint64_t past_end) {
  const wire::HostWrites writes{kFirst, 1000, past_end};
  std::string written(writes.mask_bytes(), '\x5a');
  written.append(writes.bytes, '\x01');
  return said.say(Op::host_writes, writes, written);
}

NamedConversation unified_memory() {
  Conversation said;
  said.say(Op::allocate, wire::Allocate{2 * kPage, kPage})
      .say(Op::host_access, wire::HostAccess{kFirst + 5, kFirst, kPage, kFirst, 2 * kPage, 1, 0});
  say_host_writes(said, 4)
      .say(Op::fill, wire::Fill{{kFirst, 0, kPage, 1}, 0, 3, 1})
      .say(Op::host_access, wire::HostAccess{kFirst + kPage, kFirst + kPage, kPage, kFirst, 2 * kPage, 0, 1})
      .say(Op::host_access, wire::HostAccess{kFirst + 6, kFirst, kPage, kFirst, 2 * kPage, 0, 0})
      .say(Op::fill, wire::Fill{{kFirst, 0, kPage, 1}, 0, wire::Fill::kDiscard, 0})
      .say(Op::release, wire::Address{kFirst})
      .say(Op::goodbye);
  return {"unified_memory", said};
}

NamedConversation mapped_memory() {
  Conversation said;
  said.say(Op::allocate_host, wire::AllocateHost{2 * kPage, kPage, 0})
      .say(Op::allocate_host, wire::AllocateHost{1000, kPage, 0x1008})
      .say(Op::map_host, wire::Address{kFirst});
  say_host_writes(said, 0)
      .say(Op::fill, wire::Fill{{kFirst, 0, kPage, 1}, 0, 3, 1})
      .say(Op::host_access, wire::HostAccess{kFirst + 5, kFirst, kPage, kFirst, 2 * kPage, 1, 1})
      .say(Op::fill, wire::Fill{{kFirst, 256, 8, 3}, 0, 3, 1})
      .say(Op::synchronize)
      .say(Op::release_host, wire::Address{kFirst})
      .say(Op::map_host, wire::Address{kFirst})  // free already
      .say(Op::goodbye);
  return {"mapped_memory", said};
}

NamedConversation images() {
  Conversation said;
  wire::CreateImage plane;
  plane.address = kFirst;
  plane.pitch = 64;
  plane.slice = 512;
  plane.extent[0] = 16, plane.extent[1] = 8, plane.extent[2] = 1;
  plane.dimensions = 2;
  plane.channels = 1, plane.channel_bytes = 4;
  plane.linear_filter = 1;
  wire::CreateImage layers = plane;
  layers.layered = 1;
  layers.extent[2] = 2;
  layers.surface = 1;
  wire::CreateImage too_large = layers;
  too_large.extent[2] = 3;
  said.say(Op::allocate, wire::Allocate{1024})
      .say(Op::create_image, plane)
      .say(Op::create_image, layers)
      .say(Op::create_image, too_large)
      .say(Op::destroy_image, wire::Handle{fake::kFirstImage})
      .say(Op::destroy_image, wire::Handle{fake::kFirstImage})
      .say(Op::release, wire::Address{kFirst})
      .say(Op::goodbye);
  return {"images", said};
}

NamedConversation reserved_addresses() {
  using Action = wire::Ranges::Action;
  constexpr auto kReadWrite = static_cast<std::uint32_t>(RangeState::read_write);
  constexpr std::uint64_t kMemory = ReservedRanges::kFirstHandle;
  const auto asked = [](Action action, std::uint64_t bytes, std::uint64_t of_memory = 0, std::uint64_t offset = 0) {
    return wire::Ranges{action, kReadWrite, kFirst + offset, bytes, of_memory, 0};
  };
  Conversation said;
  said.say(Op::ranges, asked(Action::reserve, 2 * kPiece))
      .say(Op::ranges, asked(Action::create, kPiece))
      .say(Op::ranges, asked(Action::map, kPiece, kMemory))
      .say(Op::fill, wire::Fill{kLine, 0, 1, 0})  // there is no access yet
      .say(Op::ranges, asked(Action::set_access, kPiece))
      .say(Op::fill, wire::Fill{kLine, 0, 1, 0})
      .say(Op::copy_out, wire::Copy{kRows, 0, 1, 0})
      .say(Op::ranges, asked(Action::map, kPiece, kMemory, kPiece))  // a second time
      .say(Op::ranges, asked(Action::look_up, 0))
      .say(Op::ranges, asked(Action::retain, 0))
      .say(Op::ranges, asked(Action::retain, 0, kMemory))
      .say(Op::release, wire::Address{kFirst})  // as if it were an allocation
      .say(Op::ranges, asked(Action::unmap, kPiece))
      .say(Op::ranges, asked(Action::map, kPiece, kMemory, kPiece))
      .say(Op::ranges, asked(Action::unmap, kPiece, 0, kPiece))
      .say(Op::ranges, asked(Action::release, 0, kMemory))
      .say(Op::ranges, asked(Action::free, 2 * kPiece))
      .say(Op::ranges, asked(Action::reserve, kPage))
      .say(Op::goodbye);
  return {"reserved_addresses", said};
}

using Kind = wire::MemoryOperation::Kind;

/// A stream waits, with work behind the wait, until another one has written the values.
NamedConversation values_in_memory() {
  Conversation said;
  constexpr std::uint64_t kStream = kFirstHandle, kEvent = kFirstHandle + 1, kBehind = kFirst + 512;
  said.say(Op::stream_create, wire::StreamCreate{1, 0})
      .say(Op::event_create, wire::EventCreate{0, 0})
      .say(Op::allocate, wire::Allocate{64})
      .say(Op::allocate, wire::Allocate{64})
      .words(kStream, {{kFirst, 9, 4, Kind::wait_equal}, {kFirst + 8, 1, 8, Kind::wait_at_least}})
      .say(Op::fill, wire::Fill{{kBehind, 64, 64, 1}, kStream, 7, 1})
      .say(Op::copy_out, wire::Copy{{kBehind, 64, 64, 1}, kStream, 1, 0})
      .say(Op::release_later, wire::Release{kBehind, kStream})
      .say(Op::event_record, wire::StreamEvent{kStream, kEvent})
      .say(Op::event_query, wire::Handle{kEvent})
      .say(Op::stream_synchronize, wire::Handle{kStream})
      .words(0, {{kFirst, 9, 4, Kind::write}, {kFirst + 8, 5, 8, Kind::write}})
      .say(Op::stream_synchronize, wire::Handle{kStream})
      .words(0, {{kFirst, 8, 4, Kind::wait_any_set}, {kFirst, 1, 4, Kind::wait_any_clear}})
      .say(Op::release, wire::Address{kFirst})
      .say(Op::goodbye);
  return {"values_in_memory", said};
}

NamedConversation given_up_wait() {
  Conversation said;
  said.say(Op::allocate, wire::Allocate{64})
      .words(0, {{kFirst, 9, 4, Kind::wait_equal}})
      .say(Op::synchronize)
      .say(Op::give_up_waits)
      .say(Op::synchronize);
  return {"given_up_wait", said};
}

NamedConversation endless_wait() {
  Conversation said;
  said.say(Op::allocate, wire::Allocate{64})
      .words(0, {{kFirst, 9, 4, Kind::wait_equal}, {kFirst, 9, 4, Kind::write}})
      .say(Op::goodbye);
  return {"endless_wait", said};
}

NamedConversation memory_of_graph() {
  Conversation said;
  said.say(Op::stream_create, wire::StreamCreate{wire::kStreamOfGraph | 1, 0})
      .say(Op::allocate, wire::Allocate{64, 0, 0, 0, wire::Allocate::kReserve})
      .say(Op::allocate, wire::Allocate{64, 0, kFirstHandle, 1, wire::Allocate::kReserved, kFirst})
      .say(Op::fill, wire::Fill{kLine, kFirstHandle, 1, 1})
      .say(Op::fill, wire::Fill{kLine, 0, 1, 1})
      .say(Op::release_later, wire::Release{kFirst, kFirstHandle})
      .say(Op::goodbye);
  return {"memory_of_graph", said};
}

}  // namespace

std::vector<NamedConversation> conversations() {
  return {memory(),          kernels(),        dead_context(),       hanging_kernel(),     device_code(),
          compressed_code(), streams(),        thread_streams(),     page_locked_source(), notes(),
          forged_note(),     other_version(),  awaited_copy(),       arrays_of_caller(),   unified_memory(),
          mapped_memory(),   images(),         reserved_addresses(), values_in_memory(),   given_up_wait(),
          endless_wait(),    memory_of_graph()};
}

}  // namespace cudalabs::vgpu::fuzz
