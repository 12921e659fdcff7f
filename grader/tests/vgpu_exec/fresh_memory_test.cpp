// Memory that was never touched: it costs nothing, and a read finds 0xFF bytes and nothing written.
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "kernel_run.h"
#include "vgpu/memory/global_memory.h"
#include "vgpu/unwritten_word.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::uint32_t kUntouched = 0xFFFF'FFFF;

template <class Memory>
std::uint32_t word_at(Memory& memory, DeviceAddress address) {
  std::uint32_t word = 0;
  REQUIRE(memory.copy_out(std::as_writable_bytes(std::span(&word, 1)), address));
  return word;
}

template <class Memory>
void set_word(Memory& memory, DeviceAddress address, std::uint32_t word) {
  REQUIRE(memory.copy_in(address, std::as_bytes(std::span(&word, 1))));
}

}  // namespace

// No machine that runs tests has as much memory.
TEST_CASE("100 GiB of which a kernel touches some words", "[exec]") {
  VirtualGpuOptions options;
  options.model = device_model("h200");
  VirtualGpu gpu(options);
  const std::uint64_t free_before = gpu.free_bytes();
  const DeviceAddress array = gpu.allocate(100 * kGiB);
  REQUIRE(array != 0);
  CHECK(gpu.free_bytes() == free_before - 100 * kGiB);
  // Every thread has a GiB of its own: word 1 is read, 0 written, 2 updated, 4 to 7 are read and written at once.
  const std::uint32_t module = gpu.load_module(module_with(R"(
  mul.wide.u32 %rd2, %r1, 1073741824;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3+4];
  st.global.u32 [%rd3], %r2;
  atom.global.add.u32 %r3, [%rd3+8], 6;
  ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd3+16];
  add.u32 %r4, %r4, 3;
  st.global.v4.u32 [%rd3+16], {%r4, %r5, %r6, %r7};)"));
  LaunchConfig config;
  config.block = {64, 1, 1};
  CHECK(gpu.launch(module, "kernel", config, std::as_bytes(std::span(&array, 1))).status == LaunchStatus::ok);
  for (std::uint64_t thread = 0; thread < 64; ++thread) {
    const DeviceAddress own = array + thread * kGiB;
    CHECK(word_at(gpu, own) == kUntouched);
    CHECK(word_at(gpu, own + 8) == 5);
    CHECK(word_at(gpu, own + 12) == kUntouched);
    CHECK(word_at(gpu, own + 16) == 2);
    CHECK(word_at(gpu, own + 20) == kUntouched);
    CHECK(word_at(gpu, own + kGiB / 2) == kUntouched);
  }
  // The load, the update and the vector, at no known place in the source.
  const std::vector<Finding> findings = gpu.findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().id == "uninitialized-read");
  CHECK(findings.front().count == 3 * 64);
  CHECK(gpu.free(array));
  CHECK(gpu.free_bytes() == free_before);
}

TEST_CASE("a race's launch is undone in fresh memory, too", "[exec]") {
  VirtualGpuOptions options;
  options.model = device_model("t4");
  VirtualGpu gpu(options);
  const DeviceAddress array = gpu.allocate(1 << 20);
  const std::uint32_t module = gpu.load_module(module_with(R"(
  mov.u32 %r2, %ctaid.x;
  atom.global.add.u32 %r3, [%rd1+65536], 1;
  ld.global.u32 %r4, [%rd1];
  add.u32 %r4, %r4, 1;
  st.global.u32 [%rd1], %r4;)"));
  LaunchConfig config;
  config.grid = {4, 1, 1};
  CHECK(gpu.launch(module, "kernel", config, std::as_bytes(std::span(&array, 1))).status == LaunchStatus::ok);
  CHECK(word_at(gpu, array) < 3);  // from ~0u on, with some updates lost
  CHECK(word_at(gpu, array + 65536) == 3);
  CHECK(word_at(gpu, array + 4) == kUntouched);
}

TEST_CASE("memory that is given out again is as good as fresh", "[memory]") {
  constexpr std::uint64_t kBytes = 100 * kGiB - 100;
  GlobalMemory memory(120 * kGiB);
  for (int round = 0; round < 5; ++round) {
    const DeviceAddress array = memory.allocate(kBytes, 0);
    REQUIRE(array != 0);
    for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{5000}, 50 * kGiB, kBytes - 4}) {
      INFO(round << ": " << at);
      CHECK(word_at(memory, array + at) == kUntouched);
      CHECK_FALSE(memory.initialized().test(array - kGlobalBase + at, 1));
      set_word(memory, array + at, 7);
      CHECK(word_at(memory, array + at) == 7);
      CHECK(memory.initialized().test(array - kGlobalBase + at, 4));
    }
    CHECK(word_at(memory, array + 5004) == kUntouched);
    REQUIRE(memory.free(array, 0));
  }
}

TEST_CASE("an address that is free can be allocated again, for as many bytes", "[memory]") {
  GlobalMemory memory(1 << 20);
  const DeviceAddress before = memory.allocate(64, 0), address = memory.allocate(1000, 1),
                      after = memory.allocate(64, 2);
  CHECK(memory.allocate_again(address, 1000, 3) == 0);  // it is not free
  REQUIRE(memory.fill(address, 1, 1000));
  REQUIRE(memory.free(address, 1));
  CHECK(memory.allocate_again(address + 1, 10, 3) == 0);
  CHECK(memory.allocate_again(address, after - address, 3) == 0);  // another one is in the way
  CHECK(memory.allocate_again(address, 2 << 20, 3) == 0);
  CHECK(memory.allocate_again(after + (1 << 20), 10, 3) == 0);  // nothing ever was there
  CHECK(memory.allocate_again(0, 10, 3) == 0);
  REQUIRE(memory.allocate_again(address, 1000, 3) == address);
  const auto found = memory.find(address);
  REQUIRE(found);
  CHECK(found->origin == 3);
  CHECK_FALSE(memory.fully_initialized(*found));
  std::byte bytes[1000];
  REQUIRE(memory.copy_out(bytes, address));
  for (const std::byte byte : bytes) REQUIRE(byte == std::byte{0xFF});
  CHECK(memory.free_bytes() == (1 << 20) - 1000 - 128);
  CHECK(memory.find(before));
  CHECK(memory.free(address, 4));
  CHECK(memory.free_bytes() == (1 << 20) - 128);
}

TEST_CASE("allocations that share a page leave each other alone", "[memory]") {
  GlobalMemory memory(250 * kGiB);
  // Only where there are no fresh addresses any more do allocations lie side by side.
  REQUIRE(memory.free(memory.allocate(200 * kGiB, 0), 0));
  const DeviceAddress rest = memory.allocate(54 * kGiB, 0);
  REQUIRE(rest != 0);
  std::vector<DeviceAddress> small;
  while (small.empty() || small.back() > rest) small.push_back(memory.allocate(300, 0));
  for (int i = 0; i < 20; ++i) small.push_back(memory.allocate(300, 0));
  small.erase(small.begin(), small.end() - 20);
  CHECK(small[1] - small[0] < 1024);
  for (std::size_t i = 0; i < small.size(); ++i) {
    for (std::uint64_t at = 0; at < 300; at += 4) set_word(memory, small[i] + at, static_cast<std::uint32_t>(i));
  }
  for (std::size_t i = 0; i < small.size(); i += 2) REQUIRE(memory.free(small[i], 0));
  for (std::size_t i = 0; i < small.size(); i += 2) {
    const DeviceAddress again = memory.allocate(300, 0);
    CHECK(word_at(memory, again) == kUntouched);
    CHECK(word_at(memory, again + 296) == kUntouched);
    CHECK_FALSE(memory.initialized().test(again - kGlobalBase + 150, 1));
  }
  for (std::size_t i = 1; i < small.size(); i += 2) {
    for (std::uint64_t at = 0; at < 300; at += 4) CHECK(word_at(memory, small[i] + at) == i);
    CHECK(memory.initialized().test(small[i] - kGlobalBase, 300));
  }
}

TEST_CASE("copies and fills of fresh memory", "[memory]") {
  GlobalMemory memory(1 * kGiB);
  const DeviceAddress one = memory.allocate(100'000, 0), other = memory.allocate(100'000, 0);
  REQUIRE(memory.fill(one + 10'000, 1, 20'001));
  REQUIRE(memory.copy(other + 50, one, 60'000));
  std::vector<std::uint8_t> seen(100'000);
  for (const DeviceAddress array : {one, other}) {
    const std::uint64_t shift = array == one ? 0 : 50;
    REQUIRE(memory.copy_out(std::as_writable_bytes(std::span(seen)), array));
    for (std::uint64_t at = 0; at < seen.size(); ++at) {
      const bool written = at >= 10'000 + shift && at < 30'001 + shift;
      if (seen[at] != (written ? 1 : 0xFF) || memory.initialized().test(array - kGlobalBase + at, 1) != written)
        FAIL_CHECK(at);
    }
  }
}

TEST_CASE("an aligned allocation has its pages for itself", "[exec]") {
  constexpr std::uint64_t kPage = 64 << 10;
  GlobalMemory memory(1 * kGiB);
  DeviceAddress end_of_last = 0;
  for (const std::uint64_t bytes : {std::uint64_t{100}, kPage, kPage + 1}) {
    const DeviceAddress plain = memory.allocate(bytes, 0);
    const DeviceAddress paged = memory.allocate(bytes, 0, AllocationKind::heap, {}, kPage);
    REQUIRE(paged != 0);
    CHECK(paged % kPage == 0);
    CHECK(plain >= end_of_last);
    CHECK(paged >= plain + bytes);
    end_of_last = paged + (bytes + kPage - 1) / kPage * kPage;
  }
}

TEST_CASE("a marked copy tells what was never written", "[exec]") {
  GlobalMemory memory(1 * kGiB);
  const DeviceAddress array = memory.allocate(1000, 0);
  set_word(memory, array + 400, 0xFFFF'FFFF);
  const std::byte one[] = {std::byte{7}};
  REQUIRE(memory.copy_in(array + 409, one));
  std::vector<std::byte> bytes(600);
  REQUIRE(memory.copy_out_marked(bytes, array + 396));
  const auto word = [&](std::uint64_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + (offset - 396), sizeof value);
    return value;
  };
  CHECK(word(396) == unwritten_word(array + 396));
  CHECK(word(400) == 0xFFFF'FFFF);
  CHECK(word(404) == unwritten_word(array + 404));
  CHECK(word(408) == ((unwritten_word(array + 408) & 0xFFFF'00FF) | 0x700));
  CHECK(word(992) == unwritten_word(array + 992));
  CHECK_FALSE(memory.copy_out_marked(bytes, array + 401));
}

TEST_CASE("stretches that nobody has written are told, unless there are too many", "[exec]") {
  VirtualGpuOptions options;
  options.model = device_model("t4");
  VirtualGpu gpu(options);
  const DeviceAddress array = gpu.allocate(1000);
  const auto unwritten = [&](std::uint64_t from, std::uint64_t bytes, std::size_t most = 10) {
    return gpu.unwritten(array + from, bytes, most);
  };
  using Ranges = std::vector<ByteRange>;
  CHECK(unwritten(0, 1000) == Ranges{{array, array + 1000}});
  REQUIRE(gpu.fill(array + 60, 0xFF, 70));
  REQUIRE(gpu.fill(array + 999, 0xFF, 1));
  CHECK(unwritten(0, 1000) == Ranges{{array, array + 60}, {array + 130, array + 999}});
  CHECK(unwritten(60, 70) == Ranges{});
  CHECK(unwritten(61, 70) == Ranges{{array + 130, array + 131}});
  CHECK_FALSE(unwritten(0, 1000, 1));
  CHECK_FALSE(unwritten(0, 1001));
}

TEST_CASE("words that nobody has written are no numbers, and differ", "[exec]") {
  for (std::uint64_t address = kGlobalBase; address < kGlobalBase + 40'000; address += 4) {
    const std::uint32_t word = unwritten_word(address);
    CHECK(word > 0x7ff8'0000);
    CHECK(word < 0x7fff'ffff);
    if (word == unwritten_word(address + 4)) FAIL("two neighbours are the same");
  }
}
