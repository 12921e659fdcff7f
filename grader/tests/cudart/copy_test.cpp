// Copies and fills through the runtime API: kinds, shapes, symbols, wrong directions.
#include <numeric>
#include <vector>

#include "catch/catch.h"
#include "device.h"
#include "vgpu/memory/address_space.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

extern "C" cudaError_t cudalabs_hand_out();
extern "C" cudaError_t cudalabs_take_back();

namespace {

std::vector<unsigned char> pattern(std::size_t count) {
  std::vector<unsigned char> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(i * 7 + i / 251);
  return bytes;
}

char* device_memory(std::size_t bytes) {
  void* a = nullptr;
  REQUIRE(cudaMalloc(&a, bytes) == cudaSuccess);
  return static_cast<char*>(a);
}

}  // namespace

TEST_CASE("linear copies of every kind") {
  Device device;
  // Sizes around the chunk in which data travels.
  for (const std::size_t size : {std::size_t{1}, std::size_t{5}, std::size_t{1} << 20, (std::size_t{5} << 20) + 3}) {
    CAPTURE(size);
    const auto data = pattern(size);
    std::vector<unsigned char> back(size), moved(size);
    char *a = device_memory(size), *b = device_memory(size);
    CHECK(cudaMemcpy(a, data.data(), size, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(b, a, size, cudaMemcpyDeviceToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(back.data(), b, size, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(back == data);
    CHECK(cudaMemcpy(moved.data(), data.data(), size, cudaMemcpyHostToHost) == cudaSuccess);
    CHECK(moved == data);
    CHECK(cudaFree(a) == cudaSuccess);
    CHECK(cudaFree(b) == cudaSuccess);
  }
}

TEST_CASE("cudaMemcpyDefault infers the direction") {
  Device device;
  const auto data = pattern(100);
  std::vector<unsigned char> back(100), again(100);
  char *a = device_memory(100), *b = device_memory(100);
  CHECK(cudaMemcpy(a, data.data(), 100, cudaMemcpyDefault) == cudaSuccess);
  CHECK(cudaMemcpy(b, a, 100, cudaMemcpyDefault) == cudaSuccess);
  CHECK(cudaMemcpy(back.data(), b, 100, cudaMemcpyDefault) == cudaSuccess);
  CHECK(cudaMemcpy(again.data(), back.data(), 100, cudaMemcpyDefault) == cudaSuccess);
  CHECK(again == data);
}

TEST_CASE("parts of an allocation") {
  Device device;
  const auto data = pattern(10);
  char* a = device_memory(100);
  REQUIRE(cudaMemset(a, 0xee, 100) == cudaSuccess);
  REQUIRE(cudaMemcpy(a + 90, data.data(), 10, cudaMemcpyHostToDevice) == cudaSuccess);
  std::vector<unsigned char> back(100);
  REQUIRE(cudaMemcpy(back.data(), a, 100, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back[89] == 0xee);
  CHECK(std::equal(data.begin(), data.end(), back.begin() + 90));
  CHECK(cudaMemcpy(a + 91, data.data(), 10, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(back.data(), a + 1, 100, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemset(a + 1, 0, 100) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(a + 50, a, 51, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
}

TEST_CASE("copies and fills that reach past an allocation are told with its size, a call once") {
  Device device;
  char* a = device_memory(100);
  std::vector<char> host(400);
  for (int i = 0; i < 2; ++i)
    CHECK(cudaMemcpy(a + 90, host.data(), 11, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(host.data(), 40, a, 32, 30, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemset(a + 200, 0, 8) == cudaErrorInvalidValue);
  const auto reaches = device.finish().overreaches;
  REQUIRE(reaches.size() == 3);
  const auto is = [](const Overreach& reach, bool writes, std::uint64_t offset, std::uint64_t bytes,
                     std::uint64_t rows) {
    return reach.writes == writes && reach.offset == offset && reach.bytes == bytes && reach.rows == rows &&
           reach.allocated == 100 && reach.allocation.address != 0;
  };
  CHECK(is(reaches[0], true, 90, 11, 1));
  CHECK(is(reaches[1], false, 0, 126, 4));
  CHECK(is(reaches[2], true, 200, 8, 1));
}

TEST_CASE("of a copy past an allocation it is told whether an earlier call of the caller made that") {
  Device device;
  std::vector<char> host(400);
  char* given = device_memory(100);  // the caller's own
  REQUIRE(cudalabs_hand_out() == cudaSuccess);
  char* kept = device_memory(100);
  CHECK(cudaMemcpy(kept, host.data(), 200, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(cudalabs_take_back() == cudaSuccess);
  char* given_later = device_memory(100);
  REQUIRE(cudalabs_hand_out() == cudaSuccess);
  char* own = device_memory(100);
  CHECK(cudaMemcpy(kept, host.data(), 200, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(own, host.data(), 200, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(given, host.data(), 200, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(given_later, host.data(), 200, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  const ServerReport report = device.finish();
  std::vector<bool> told;
  for (const Overreach& reach : report.overreaches) told.push_back(reach.kept);
  CHECK(told == std::vector{false, true, false, false, false});
  CHECK(server_report_from_json(to_json(report)).overreaches == report.overreaches);
}

TEST_CASE("calls that are refused for their pointers are told with what these are, a call once") {
  Device device;
  char* a = device_memory(100);
  std::vector<char> host(100);
  for (int i = 0; i < 2; ++i) CHECK(cudaMemcpy(host.data(), a, 100, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(a, 10, host.data(), 10, 10, 10, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(a, nullptr, 100, cudaMemcpyDefault) == cudaErrorInvalidValue);
  CHECK(cudaMemset(host.data(), 0, 100) == cudaErrorInvalidValue);
  CHECK(cudaMemset(reinterpret_cast<void*>(kGlobalBase + 1000), 0, 100) == cudaErrorInvalidValue);  // nothing is there
  CHECK(cudaMalloc(nullptr, 100) == cudaErrorInvalidValue);
  void* pinned = nullptr;
  CHECK(cudaMallocHost(nullptr, 100) == cudaErrorInvalidValue);
  CHECK(cudaHostAlloc(&pinned, 100, 1u << 20) == cudaErrorInvalidValue);  // not for its pointers
  CHECK(cudaMemcpy(a, host.data(), 100, cudaMemcpyHostToDevice) == cudaSuccess);
  const ServerReport report = device.finish();
  std::vector<CallPointers> pointers;
  for (const RefusedPointers& refused : report.refused_pointers) {
    CHECK(refused.call.address != 0);
    pointers.push_back(refused.pointers);
  }
  CHECK(pointers == std::vector<CallPointers>{{PointerKind::host, PointerKind::device, cudaMemcpyHostToDevice + 1},
                                              {PointerKind::device, PointerKind::host, cudaMemcpyDeviceToDevice + 1},
                                              {PointerKind::device, PointerKind::null, cudaMemcpyDefault + 1},
                                              {PointerKind::host, PointerKind::unsaid, 0},
                                              {PointerKind::stray, PointerKind::unsaid, 0},
                                              {PointerKind::null, PointerKind::unsaid, 0},
                                              {PointerKind::null, PointerKind::unsaid, 0}});
}

TEST_CASE("copies to the host after a launch are told, with what nobody had written") {
  Device device;
  char* a = device_memory(100);
  char host[100] = {};
  CHECK(cudaMemcpy(host, a, 100, cudaMemcpyDeviceToHost) == cudaSuccess);  // before
  launch_as_compiled(kernel("empty"), 1, 1);
  for (int i = 0; i < 2; ++i) CHECK(cudaMemcpy(host, a, 40, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaMemcpy(a, host, 4, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyAsync(host, a + 8, 10, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  const ServerReport report = device.finish();
  REQUIRE(report.early_copies.size() == 1);
  CHECK(report.early_copies[0].bytes == 100);
  CHECK_FALSE(report.has_managed);
  const auto& copies = report.host_copies;
  REQUIRE(copies.size() == 2);  // the fake has written the first 16 bytes of each array
  CHECK(copies[0].name == "cudaMemcpy");
  CHECK(copies[0].calls == 2);
  CHECK(copies[0].bytes == 80);
  CHECK(copies[0].unwritten == 48);
  CHECK_FALSE(copies[0].elsewhere);
  CHECK(copies[0].writers.size() == 1);
  CHECK(copies[1].name == "cudaMemcpyAsync");
  CHECK(copies[1].bytes == 10);
  CHECK(copies[1].unwritten == 2);
}

TEST_CASE("copies that cannot be") {
  Device device;
  char* a = device_memory(100);
  std::vector<unsigned char> host(101), other(100);
  CHECK(cudaMemcpy(host.data(), other.data(), 100, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host.data(), a, 100, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);  // arguments swapped
  CHECK(cudaMemcpy(a, host.data(), 100, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(a, a, 100, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(a, host.data(), 100, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(a, host.data(), 100, cudaMemcpyHostToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(a, nullptr, 100, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, a, 100, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(a, host.data(), 100, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(a, host.data(), 101, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemset(host.data(), 0, 100) == cudaErrorInvalidValue);
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX - 4096, SIZE_MAX / 2, std::size_t{1} << 57}) {
    CHECK(cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(host.data(), a, bytes, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(a, a, bytes, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(host.data(), other.data(), bytes, cudaMemcpyHostToHost) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy2D(host.data(), bytes, a, bytes, 1, 2, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  }
  REQUIRE(cudaFree(a) == cudaSuccess);
  CHECK(cudaMemcpy(a, host.data(), 100, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyPeer(a, 1, a, 0, 10) == cudaErrorInvalidDevice);
  SECTION("nothing to copy is no error") {
    CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemset(nullptr, 0, 0) == cudaSuccess);
  }
}

TEST_CASE("pitched copies and fills") {
  Device device;
  const std::size_t width = 13, height = 7, host_pitch = 20;
  const auto data = pattern(host_pitch * (height + 1));  // a row more than the device has room for
  void* a = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&a, &pitch, width, height) == cudaSuccess);
  REQUIRE(cudaMemset2D(a, pitch, 0x55, width, height) == cudaSuccess);
  REQUIRE(cudaMemcpy2D(a, pitch, data.data(), host_pitch, width, height, cudaMemcpyHostToDevice) == cudaSuccess);
  std::vector<unsigned char> back(width * height);
  REQUIRE(cudaMemcpy2D(back.data(), width, a, pitch, width, height, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (std::size_t row = 0; row < height; ++row)
    CHECK(std::equal(back.begin() + static_cast<long>(row * width), back.begin() + static_cast<long>((row + 1) * width),
                     data.begin() + static_cast<long>(row * host_pitch)));
  char* packed = device_memory(width * height);
  REQUIRE(cudaMemcpy2D(packed, width, a, pitch, width, height, cudaMemcpyDeviceToDevice) == cudaSuccess);
  std::vector<unsigned char> packed_back(width * height);
  REQUIRE(cudaMemcpy(packed_back.data(), packed, width * height, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(packed_back == back);
  std::vector<unsigned char> host(host_pitch * height, 9);
  REQUIRE(cudaMemcpy2D(host.data(), host_pitch, back.data(), width, width, height, cudaMemcpyHostToHost) ==
          cudaSuccess);
  CHECK(host[width] == 9);
  CHECK(host[host_pitch] == back[width]);

  CHECK(cudaMemcpy2D(a, width - 1, data.data(), host_pitch, width, height, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(a, pitch, data.data(), width - 1, width, height, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaMemset2D(a, width - 1, 0, width, height) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(a, pitch, data.data(), host_pitch, width, height + 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(a, pitch, data.data(), host_pitch, width, 0, cudaMemcpyHostToDevice) == cudaSuccess);
}

TEST_CASE("many short rows") {
  Device device;
  const std::size_t width = 3, height = 5000, pitch = 8;
  const auto data = pattern(pitch * height);
  char* a = device_memory(width * height);
  REQUIRE(cudaMemcpy2D(a, width, data.data(), pitch, width, height, cudaMemcpyHostToDevice) == cudaSuccess);
  std::vector<unsigned char> back(pitch * height, 1);
  REQUIRE(cudaMemcpy2D(back.data(), pitch, a, width, width, height, cudaMemcpyDeviceToHost) == cudaSuccess);
  bool equal = true, untouched = true;
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t i = 0; i < pitch; ++i) {
      const auto got = back[row * pitch + i];
      (i < width ? equal : untouched) &= got == (i < width ? data[row * pitch + i] : 1);
    }
  }
  CHECK(equal);
  CHECK(untouched);
}

TEST_CASE("symbols") {
  Device device;
  const auto data = pattern(64);
  std::vector<unsigned char> back(64);
  CHECK(cudaMemcpyToSymbol(symbol("coefficients"), data.data(), 64, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbol(back.data(), symbol("coefficients"), 64, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == data);
  const int value = 41;
  int read = 0;
  CHECK(cudaMemcpyToSymbol(symbol("counter"), &value, 4, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbolAsync(&read, symbol("counter"), 4, 0, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
  CHECK(read == 41);
  CHECK(cudaMemcpyFromSymbol(&back[10], symbol("coefficients"), 4, 60, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::equal(data.begin() + 60, data.end(), back.begin() + 10));

  void* address = nullptr;
  size_t size = 0;
  CHECK(cudaGetSymbolAddress(&address, symbol("counter")) == cudaSuccess);
  CHECK(cudaMemcpy(&read, address, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(read == 41);
  CHECK(cudaGetSymbolSize(&size, symbol("coefficients")) == cudaSuccess);
  CHECK(size == 64);

  CHECK(cudaMemcpyToSymbol(symbol("coefficients"), data.data(), 61, 4, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(symbol("coefficients"), data.data(), 1, SIZE_MAX, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(symbol("counter"), &value, 4, 0, cudaMemcpyDeviceToHost) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpyFromSymbol(&read, symbol("counter"), 4, 0, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpyToSymbol(symbol("nobody"), &value, 4, 0, cudaMemcpyHostToDevice) == cudaErrorInvalidSymbol);
  CHECK(cudaMemcpyToSymbol(symbol("absent"), &value, 4, 0, cudaMemcpyHostToDevice) == cudaErrorInvalidSymbol);
  CHECK(cudaMemcpyToSymbol(symbol("unparsed"), &value, 4, 0, cudaMemcpyHostToDevice) == cudaErrorInvalidPtx);
  CHECK(cudaGetSymbolSize(&size, symbol("nobody")) == cudaErrorInvalidSymbol);
}

TEST_CASE("a reset frees memory and gives variables their first values") {
  Device device;
  const int value = 41;
  int read = 7;
  REQUIRE(cudaMemcpyToSymbol(symbol("counter"), &value, 4, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  char* a = device_memory(10);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaFree(a) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyFromSymbol(&read, symbol("counter"), 4, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(read == 0);
}
