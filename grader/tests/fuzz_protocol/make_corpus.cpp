// Writes the seed inputs of the fuzz target: whole conversations of the protocol, one a file. Run by hand when the
// protocol changes: `make_corpus FOLDER`.
#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <fstream>
#include <string>

#include "vgpu/cudart/call_names.h"
#include "vgpu/cudart/include/driver_types.h"
#include "vgpu/cudart/protocol.h"

using namespace cudalabs::vgpu;

namespace {

constexpr std::uint64_t kFirstAddress = 0x7000'0000'0000;  // of the fake's first allocation or variable
constexpr std::uint64_t kFirstHandle = wire::kReservedStreams;

class Conversation {
 public:
  Conversation() { say(wire::Op::hello, wire::Hello{}); }
  template <class T>
  Conversation& say(wire::Op op, const T& payload, std::string data = "", std::uint32_t parameters = 0) {
    add(wire::RequestHeader{static_cast<std::uint32_t>(sizeof payload + parameters), op, wire::call("cudaMemcpy"),
                            0x1234});
    add(payload);
    text_ += data;
    return *this;
  }
  Conversation& say(wire::Op op) {
    add(wire::RequestHeader{0, op, wire::call("cudaDeviceSynchronize"), 0x1234, 0});
    return *this;
  }
  Conversation& note(std::uint16_t call, const wire::Note& note) {
    add(wire::RequestHeader{sizeof note, wire::Op::note, call, 0x1234});
    add(note);
    return *this;
  }
  Conversation& load(const std::string& image) {
    return say(wire::Op::load_module, wire::LoadModule{image.size()}, image);
  }
  Conversation& launch(std::uint32_t kernel, std::uint64_t stream, const std::string& parameters = "",
                       std::uint32_t threads = 32) {
    wire::Launch launch;
    launch.kernel = {0, kernel};
    for (int axis = 0; axis < 3; ++axis) launch.grid[axis] = launch.block[axis] = 1;
    launch.block[0] = threads;
    launch.stream = stream;
    launch.parameter_bytes = static_cast<std::uint32_t>(parameters.size());
    launch.status_dropped = 1;
    return say(wire::Op::launch, launch, parameters, launch.parameter_bytes);
  }
  void write(const std::string& path) const { std::ofstream(path, std::ios::binary) << text_; }

 private:
  template <class T>
  void add(const T& value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  std::string text_;
};

const std::string kModule =
    ".version 7.0\n//! kernel plain\n//! kernel add params=8,4\n//! kernel fails\n//! kernel hangs\n//! kernel prints\n"
    "//! kernel bounded threads=32 registers=64 shared=1024\n//! variable table 64 constant\n";

std::string container() {
  std::string text("\x50\xed\x55\xba\x01\x00\x10\x00\x90\x00\x00\x00\x00\x00\x00\x00", 16);
  for (const char architecture : {50, 70}) {
    std::string entry(64, '\0');
    entry[0] = 1, entry[2] = 1, entry[3] = 1, entry[4] = 64, entry[8] = 8, entry[28] = architecture;
    text += entry + ".version";
  }
  return text;
}

std::string lz4_of(const std::string& text) {
  std::string packed(1024, '\0');
  packed.resize(static_cast<std::size_t>(LZ4_compress_default(text.data(), packed.data(), static_cast<int>(text.size()),
                                                              static_cast<int>(packed.size()))));
  return packed;
}

std::string zstd_of(const std::string& text) {
  std::string packed(1024, '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

/// A container with one entry, kModule, compressed; `flag` is the second byte of the entry's flags.
std::string compressed_container(const std::string& packed, char flag) {
  std::string entry(64, '\0');
  entry[0] = 1, entry[2] = 1, entry[3] = 1, entry[4] = 64, entry[28] = 70, entry[41] = flag;
  const auto put = [](std::string& text, std::size_t at, std::uint64_t value) {
    std::memcpy(text.data() + at, &value, sizeof value);
  };
  put(entry, 8, packed.size());
  put(entry, 16, packed.size());
  put(entry, 56, kModule.size());
  std::string text("\x50\xed\x55\xba\x01\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00", 16);
  put(text, 8, entry.size() + packed.size());
  return text + entry + packed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = std::string(argv[1]) + "/";
  const wire::Rows line{kFirstAddress, 64, 64, 1}, rows{kFirstAddress, 8, 4, 4};
  Conversation().say(wire::Op::goodbye).write(folder + "goodbye");
  Conversation()
      .say(wire::Op::allocate, wire::Allocate{64})
      .say(wire::Op::copy_in, wire::Copy{line, 0, 0, 0}, std::string(64, 'x'))
      .say(wire::Op::copy_out, wire::Copy{rows, 0, 0, 0})
      .say(wire::Op::fill, wire::Fill{rows, 2, 7, 1})
      .say(wire::Op::copy_within, wire::CopyWithin{{kFirstAddress, 8, 4, 2}, {kFirstAddress + 32, 8, 4, 2}, 1, 0, 0})
      .say(wire::Op::memory_info)
      .say(wire::Op::release, wire::Address{kFirstAddress})
      .say(wire::Op::copy_in, wire::Copy{line, 0, 0, 0}, std::string(64, 'x'))
      .say(wire::Op::goodbye)
      .write(folder + "memory");
  Conversation()
      .load(kModule)
      .launch(0, 0)
      .launch(1, 0, std::string(12, 'p'))
      .launch(4, 0)
      .launch(5, 0, "", 33)
      .launch(0, 0, "", 2048)
      .say(wire::Op::note, wire::Note{0, 9, 0, {}})
      .say(wire::Op::kernel_attributes, wire::KernelHandle{0, 5})
      .say(wire::Op::set_attribute, wire::SetAttribute{{0, 5}, 8, 60000})
      .say(wire::Op::occupancy, wire::Occupancy{{0, 5}, 32, 0, 100})
      .say(wire::Op::occupancy, wire::Occupancy{{0, 5}, 32, 4, 0})
      .say(wire::Op::cluster_occupancy, wire::ClusterOccupancy{{0, 5}, {2, 1, 1}, {32, 1, 1}, 100})
      .say(wire::Op::synchronize)
      .say(wire::Op::fill, wire::Fill{line, 0, 1, 0})
      .say(wire::Op::reset)
      .launch(0, 0)
      .say(wire::Op::goodbye)
      .write(folder + "kernels");
  Conversation()
      .load(kModule)
      .launch(2, 0)
      .say(wire::Op::synchronize)
      .launch(0, 0)
      .say(wire::Op::reset)
      .write(folder + "dead");
  Conversation().load(kModule).launch(3, 2).say(wire::Op::stream_synchronize, wire::Handle{2}).write(folder + "hang");
  Conversation().load(container()).load("no code").load(".version\n//! parse-error x").write(folder + "images");
  Conversation()
      .load(compressed_container(lz4_of(kModule), '\x20'))
      .load(compressed_container(zstd_of(kModule), '\x80'))
      .launch(0, 0)
      .say(wire::Op::goodbye)
      .write(folder + "compressed");
  Conversation()
      .say(wire::Op::stream_create, wire::StreamCreate{1, 0})
      .say(wire::Op::stream_create, wire::StreamCreate{0, -1})
      .say(wire::Op::event_create, wire::EventCreate{0, 0})
      .say(wire::Op::event_create, wire::EventCreate{2, 0})
      .say(wire::Op::allocate, wire::Allocate{64})
      .say(wire::Op::event_record, wire::StreamEvent{kFirstHandle, kFirstHandle + 2})
      .say(wire::Op::copy_out, wire::Copy{line, kFirstHandle, 1, 0})
      .say(wire::Op::copy_in, wire::Copy{line, kFirstHandle + 1, 1, 0}, std::string(64, 'y'))
      .say(wire::Op::event_record, wire::StreamEvent{kFirstHandle, kFirstHandle + 2})
      .say(wire::Op::stream_wait, wire::StreamEvent{kFirstHandle + 1, kFirstHandle + 2})
      .say(wire::Op::event_query, wire::Handle{kFirstHandle + 2})
      .say(wire::Op::stream_query, wire::Handle{kFirstHandle + 1})
      .say(wire::Op::stream_info, wire::Handle{kFirstHandle})
      .say(wire::Op::event_synchronize, wire::Handle{kFirstHandle + 2})
      .say(wire::Op::event_elapsed, wire::EventPair{kFirstHandle + 2, kFirstHandle + 2})
      .say(wire::Op::event_elapsed, wire::EventPair{kFirstHandle + 2, kFirstHandle + 3})
      .say(wire::Op::stream_destroy, wire::Handle{kFirstHandle})
      .say(wire::Op::event_destroy, wire::Handle{kFirstHandle + 2})
      .say(wire::Op::stream_synchronize, wire::Handle{0})
      .say(wire::Op::goodbye)
      .write(folder + "streams");

  Conversation()
      .note(wire::call("cudaGetDevice"), {0, 0, 0})
      .note(wire::call("cudaMemcpy"), {cudaErrorInvalidMemcpyDirection, 0, 0})
      .say(wire::Op::stream_query, wire::Handle{77})
      .note(wire::call("cudaGetLastError"), {0, cudaErrorInvalidResourceHandle, 0})
      .note(wire::call("cudaGraphAddNode"), {cudaErrorNotSupported, 0, 0, {}, wire::UnsupportedPart::conditional_node})
      .note(wire::call("cudaGraphLaunch"), {0, 0, 0})
      .note(wire::call("cudaDeviceSynchronize"), {0, 0, 0})  // forged
      .write(folder + "notes");

  Conversation()
      .say(wire::Op::allocate, wire::Allocate{256})
      .say(wire::Op::copy_out, wire::Copy{{kFirstAddress, 0, 64, 1}, 0, 1, 0})
      .say(wire::Op::touch_awaited, wire::AwaitedTouch{kFirstHandle, 0, 0})
      .say(wire::Op::touch_awaited, wire::AwaitedTouch{kFirstHandle, 1, 0})
      .say(wire::Op::touch_awaited, wire::AwaitedTouch{99, 0, 0})
      .say(wire::Op::take_back)
      .say(wire::Op::goodbye)
      .write(folder + "awaited");

  constexpr std::uint64_t kManaged = 0x7000'0000'0000, kPage = 4096;
  const wire::HostWrites writes{kManaged, 1000, 4};
  std::string written(writes.mask_bytes(), '\x5a');
  written.append(writes.bytes, '\x01');
  Conversation()
      .say(wire::Op::allocate, wire::Allocate{2 * kPage, kPage})
      .say(wire::Op::host_access, wire::HostAccess{kManaged + 5, kManaged, kPage, kManaged, 2 * kPage, 1, 0})
      .say(wire::Op::host_writes, writes, written)
      .say(wire::Op::fill, wire::Fill{{kManaged, 0, kPage, 1}, 0, 3, 1})
      .say(wire::Op::host_access,
           wire::HostAccess{kManaged + kPage, kManaged + kPage, kPage, kManaged, 2 * kPage, 0, 1})
      .say(wire::Op::host_access, wire::HostAccess{kManaged + 6, kManaged, kPage, kManaged, 2 * kPage, 0, 0})
      .say(wire::Op::release, wire::Address{kManaged})
      .say(wire::Op::goodbye)
      .write(folder + "managed");

  Conversation()
      .say(wire::Op::allocate_host, wire::AllocateHost{2 * kPage, kPage, 0})
      .say(wire::Op::allocate_host, wire::AllocateHost{1000, kPage, 0x1008})
      .say(wire::Op::map_host, wire::Address{kManaged})
      .say(wire::Op::host_writes, writes, written)
      .say(wire::Op::fill, wire::Fill{{kManaged, 0, kPage, 1}, 0, 3, 1})
      .say(wire::Op::host_access, wire::HostAccess{kManaged + 5, kManaged, kPage, kManaged, 2 * kPage, 1, 1})
      .say(wire::Op::synchronize)
      .say(wire::Op::release_host, wire::Address{kManaged})
      .say(wire::Op::map_host, wire::Address{kManaged})
      .say(wire::Op::goodbye)
      .write(folder + "mapped");
  return 0;
}
