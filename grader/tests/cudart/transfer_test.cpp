// Copies between host and device that are written down and replaced, as a session does it, and both lists as bytes.
#include <numeric>
#include <vector>

#include "catch/catch.h"
#include "device.h"
#include "vgpu/cudart/transfers.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

using Kind = Transfer::Kind;

template <typename Value>
std::vector<std::byte> bytes_of(const std::vector<Value>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

template <typename Value>
Value* device_copy(const std::vector<Value>& values) {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, values.size() * sizeof(Value)) == cudaSuccess);
  REQUIRE(cudaMemcpy(memory, values.data(), values.size() * sizeof(Value), cudaMemcpyHostToDevice) == cudaSuccess);
  return static_cast<Value*>(memory);
}

template <typename Value>
std::vector<Value> read_back(const Value* device, std::size_t count) {
  std::vector<Value> values(count);
  REQUIRE(cudaMemcpy(values.data(), device, count * sizeof(Value), cudaMemcpyDeviceToHost) == cudaSuccess);
  return values;
}

std::vector<Kind> kinds(const TransferLog& log) {
  std::vector<Kind> kinds;
  for (const Transfer& transfer : log.transfers) kinds.push_back(transfer.kind);
  return kinds;
}

const std::vector<int> kOne{1, 2, 3, 4}, kOther{9, 8, 7, 6};

}  // namespace

TEST_CASE("launches are written down with their arguments, and a full log still has words replaced") {
  Replacements replacements;
  replacements.words_out = {{1, 50}};
  TransferDesk desk(replacements);
  const std::vector<std::byte> arguments = bytes_of(kOther);
  desk.launch({7, 8}, arguments);
  REQUIRE(kinds(desk.log()) == std::vector{Kind::launch});
  CHECK(desk.log().transfers[0].data == arguments);
  CHECK(desk.log().transfers[0].origin == CallOrigin{7, 8});
  CHECK(transfer_log_from_bytes(to_bytes(desk.log())) == desk.log());
  std::vector<std::byte> much(TransferLog::kMostBytes);
  desk.to_device({1, 0}, much);
  CHECK_FALSE(desk.log().complete);
  std::vector<std::byte> data = bytes_of(kOne);
  desk.to_host(desk.announce_to_host({1, 0}), data);
  CHECK(data == bytes_of(std::vector<int>{50, 2, 3, 4}));
}

TEST_CASE("every copy between host and device is written down, with its bytes and its place") {
  TransferDesk desk;
  Device device(device_model("t4"), {}, {}, &desk);
  int* values = device_copy(kOne);
  REQUIRE(cudaMemset(values, 5, sizeof(int)) == cudaSuccess);
  void* copy = nullptr;
  REQUIRE(cudaMalloc(&copy, 16) == cudaSuccess);
  REQUIRE(cudaMemcpy(copy, values, 16, cudaMemcpyDeviceToDevice) == cudaSuccess);  // never leaves the device
  CHECK(read_back(values, 2) == std::vector<int>{0x05050505, 2});
  const TransferLog log = desk.log();
  REQUIRE(log.complete);
  REQUIRE(kinds(log) == std::vector{Kind::to_device, Kind::fill, Kind::to_host});
  CHECK(log.transfers[0].data == bytes_of(kOne));
  CHECK(log.transfers[1].data == std::vector{std::byte{5}});
  CHECK(log.transfers[2].data == bytes_of(std::vector<int>{0x05050505, 2}));
  for (const Transfer& transfer : log.transfers) {
    CHECK(transfer.origin.address != 0);
    CHECK_FALSE(transfer.replaced);
  }
}

TEST_CASE("copies of every shape pass whole") {
  // More than the pieces in which data travels, with gaps between rows, asynchronous from and to page-locked memory.
  TransferDesk desk;
  Device device(device_model("t4"), {}, {}, &desk);
  std::vector<unsigned char> data(700'000);
  std::iota(data.begin(), data.end(), static_cast<unsigned char>(0));
  unsigned char* memory = device_copy(data);
  CHECK(read_back(memory, data.size()) == data);
  std::vector<unsigned char> rows(3 * 10);
  REQUIRE(cudaMemcpy2D(rows.data(), 10, memory, 1000, 10, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
  void* locked = nullptr;
  REQUIRE(cudaMallocHost(&locked, 100) == cudaSuccess);
  std::memset(locked, 77, 100);
  REQUIRE(cudaMemcpyAsync(memory, locked, 100, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(locked, memory + 50, 100, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(static_cast<unsigned char*>(locked)[0] == 77);
  CHECK(static_cast<unsigned char*>(locked)[99] == 149);
  const TransferLog log = desk.log();
  REQUIRE(kinds(log) == std::vector{Kind::to_device, Kind::to_host, Kind::to_host, Kind::to_device, Kind::to_host});
  CHECK(log.transfers[0].data == bytes_of(data));
  CHECK(log.transfers[1].data == bytes_of(data));
  CHECK(log.transfers[2].data == bytes_of(rows));
  CHECK(log.transfers[3].data == std::vector(100, std::byte{77}));
  CHECK(log.transfers[4].data.size() == 100);
  REQUIRE(cudaFreeHost(locked) == cudaSuccess);
}

TEST_CASE("a log that is full says so, and the copies still arrive") {
  TransferDesk desk;
  Device device(device_model("t4"), {}, {}, &desk);
  const std::vector<unsigned char> data(TransferLog::kMostBytes, 3);
  unsigned char* memory = device_copy(data);
  CHECK(read_back(memory, 2) == std::vector<unsigned char>{3, 3});
  CHECK_FALSE(desk.log().complete);
}

TEST_CASE("an array is replaced whole, once, and only where it is the same") {
  Replacements replacements;
  replacements.arrays = {{bytes_of(kOne), bytes_of(kOther)}};
  TransferDesk desk(replacements);
  Device device(device_model("t4"), {}, {}, &desk);
  const std::vector<int> longer{1, 2, 3, 4, 5}, different{1, 2, 3, 5};
  CHECK(read_back(device_copy(longer), 5) == longer);
  CHECK(read_back(device_copy(different), 4) == different);
  CHECK(read_back(device_copy(kOne), 4) == kOther);
  CHECK(read_back(device_copy(kOne), 4) == kOne);
  const TransferLog log = desk.log();
  REQUIRE(log.transfers.size() == 8);
  CHECK(log.transfers[4].replaced);
  CHECK(log.transfers[4].data == bytes_of(kOne));  // as the program has it
  CHECK_FALSE(log.transfers[2].replaced);
  CHECK_FALSE(log.transfers[6].replaced);
}

TEST_CASE("words are replaced one by one on the way in, and back on the way out") {
  Replacements replacements;
  replacements.words_in = {{1, 101}, {3, 103}};
  replacements.words_out = {{101, 1}};
  TransferDesk desk(replacements);
  Device device(device_model("t4"), {}, {}, &desk);
  int* values = device_copy(kOne);
  CHECK(read_back(values, 4) == std::vector<int>{1, 2, 103, 4});
  // Only whole words, counted from the beginning of a copy.
  CHECK(read_back(reinterpret_cast<unsigned char*>(values) + 1, 4) == std::vector<unsigned char>{0, 0, 0, 2});
}

TEST_CASE("what the device gets from page-locked memory that was refilled is replaced too") {
  Replacements replacements;
  replacements.words_in = {{1, 101}, {2, 102}};
  TransferDesk desk(replacements);
  Device device(device_model("t4"), {}, {}, &desk);
  int* values = device_copy(std::vector<int>{0});
  void* locked = nullptr;
  REQUIRE(cudaMallocHost(&locked, sizeof(int)) == cudaSuccess);
  *static_cast<int*>(locked) = 1;
  REQUIRE(cudaMemcpyAsync(values, locked, sizeof(int), cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  *static_cast<int*>(locked) = 2;
  REQUIRE(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(read_back(values, 1) == std::vector<int>{102});
  REQUIRE(cudaFreeHost(locked) == cudaSuccess);
}

TEST_CASE("the first copies to the host are answered, as long as they are the same") {
  Replacements replacements;
  replacements.answers = {bytes_of(kOther), bytes_of(std::vector<int>{40, 41}), bytes_of(kOther)};
  TransferDesk desk(replacements);
  Device device(device_model("t4"), {}, {}, &desk);
  int* values = device_copy(kOne);
  CHECK(read_back(values, 4) == kOther);
  SECTION("then the device's own come") {
    CHECK(read_back(values, 2) == std::vector<int>{40, 41});
    CHECK(read_back(values, 4) == kOther);
    CHECK(read_back(values, 4) == kOne);
    CHECK(desk.log().transfers[3].replaced);
    CHECK_FALSE(desk.log().transfers[4].replaced);
  }
  SECTION("a copy of another size ends it") {
    CHECK(read_back(values, 3) == std::vector<int>{1, 2, 3});
    CHECK(read_back(values, 4) == kOne);
    CHECK_FALSE(desk.log().transfers[2].replaced);
  }
  SECTION("asynchronous ones too, in the order in which they were asked for") {
    void* locked = nullptr;
    REQUIRE(cudaMallocHost(&locked, 24) == cudaSuccess);
    int* into = static_cast<int*>(locked);
    REQUIRE(cudaMemcpyAsync(into, values, 8, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
    REQUIRE(cudaMemcpyAsync(into + 2, values, 16, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
    REQUIRE(cudaStreamSynchronize(nullptr) == cudaSuccess);
    CHECK(std::vector<int>(into, into + 6) == std::vector<int>{40, 41, 9, 8, 7, 6});
    REQUIRE(cudaFreeHost(locked) == cudaSuccess);
  }
}

TEST_CASE("what kernels print is written down, and replaced by what they printed before") {
  const auto text_of = [](const std::string& text) { return bytes_of(std::vector<char>(text.begin(), text.end())); };
  const auto shown = [](TransferDesk& desk, std::string text) {
    desk.print(text);
    return text;
  };
  TransferDesk first;
  CHECK(shown(first, "one") == "one");
  CHECK(shown(first, "").empty());
  REQUIRE(kinds(first.log()) == std::vector{Kind::print});
  CHECK(first.log().transfers[0].data == text_of("one"));
  Replacements replacements;
  replacements.prints.emplace({text_of("one")});
  TransferDesk second(replacements);
  CHECK(shown(second, "another").compare("one") == 0);
  CHECK(shown(second, "more").empty());
  CHECK(second.log().transfers.size() == 1);
  CHECK(replacements_from_bytes(to_bytes(replacements)) == replacements);
  replacements.prints->clear();
  CHECK(replacements_from_bytes(to_bytes(replacements)) == replacements);
}

TEST_CASE("logs and replacements are the same again after a journey as bytes, and nothing else is one") {
  TransferLog log;
  log.complete = false;
  log.transfers = {{Kind::to_device, true, {1, 2}, bytes_of(kOne)}, {Kind::fill, false, {3, 0}, {}}};
  Replacements replacements;
  replacements.arrays = {{bytes_of(kOne), bytes_of(kOther)}, {{}, {}}};
  replacements.words_in = {{1, 2}, {3, 4}};
  replacements.words_out = {{2, 1}};
  replacements.answers = {bytes_of(kOther), {}};
  const std::vector<std::byte> log_bytes = to_bytes(log), replacement_bytes = to_bytes(replacements);
  CHECK(transfer_log_from_bytes(log_bytes) == log);
  CHECK(replacements_from_bytes(replacement_bytes) == replacements);
  for (std::size_t size = 0; size < log_bytes.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_AS(transfer_log_from_bytes(std::span(log_bytes).first(size)), TransferError);
  }
  for (std::size_t size = 0; size < replacement_bytes.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_AS(replacements_from_bytes(std::span(replacement_bytes).first(size)), TransferError);
  }
  const auto disturbed = [](std::vector<std::byte> bytes, std::size_t at, unsigned char value) {
    bytes.at(at) = std::byte{value};
    return bytes;
  };
  constexpr std::size_t kFirst = 1 + sizeof(std::uint64_t);  // behind the flag and the number of transfers
  constexpr auto kPastLast = static_cast<unsigned char>(static_cast<unsigned char>(Transfer::kLastKind) + 1);
  CHECK_THROWS_AS(transfer_log_from_bytes(disturbed(log_bytes, 0, 2)), TransferError);
  CHECK_THROWS_AS(transfer_log_from_bytes(disturbed(log_bytes, kFirst - 1, 0xff)), TransferError);
  CHECK_THROWS_AS(transfer_log_from_bytes(disturbed(log_bytes, kFirst, kPastLast)), TransferError);
  CHECK_THROWS_AS(transfer_log_from_bytes(disturbed(log_bytes, kFirst + 1, 9)), TransferError);
  std::vector<std::byte> longer = replacement_bytes;
  longer.push_back(std::byte{0});
  CHECK_THROWS_AS(replacements_from_bytes(longer), TransferError);
  replacements.arrays = {{bytes_of(kOne), {}}};
  CHECK_THROWS_AS(replacements_from_bytes(to_bytes(replacements)), TransferError);
}
