// The memory files of a case: what is in them, what is not, and who can change them.
#include "run/exchange.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "file_bytes.h"
#include "run/harness/runner_protocol.h"

namespace cudalabs::runner {
namespace {

using datasets::ElementType;
using testing::record_at;

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

datasets::Case small_case() {
  datasets::Case made;
  made.spec.name = "small";
  made.spec.parameters = {{"m", 2}, {"n", -3}};
  made.inputs = {{"a", ElementType::f32, {2, 2}, bytes_of<float>({1, 2, 3, 4})},
                 {"b", ElementType::u8, {3}, bytes_of<unsigned char>({7, 8, 9})}};
  made.expected = {{"c", ElementType::f64, {2}, {1234567.25, -98765.5}, {0, 0}},
                   {"d", ElementType::f32, {0}, {}, {}},
                   {"e", ElementType::i32, {1}, {424242}, {0}}};
  return made;
}

TEST_CASE("inputs are laid out as the harness reads them", "[run]") {
  const Exchange exchange(small_case());
  const std::string file = sandbox::read_all(exchange.inputs().get(), 1 << 20);
  const auto header = record_at<harness::FileHeader>(file, 0);
  CHECK(header.magic == harness::kMagic);
  CHECK(header.parameters == 2);
  CHECK(header.inputs == 2);
  CHECK(header.outputs == 3);
  std::size_t at = sizeof header;
  CHECK(std::string(record_at<harness::ParameterRecord>(file, at).name) == "m");
  CHECK(record_at<harness::ParameterRecord>(file, at + sizeof(harness::ParameterRecord)).value == -3);
  at += 2 * sizeof(harness::ParameterRecord);
  const auto a = record_at<harness::ArrayRecord>(file, at);
  CHECK(a.elements == 4);
  CHECK(a.element_bytes == 4);
  CHECK(a.extents[0] == 2);
  CHECK(a.extents[1] == 2);
  CHECK(a.extents[2] == 0);
  CHECK(a.offset % 64 == 0);
  CHECK(record_at<float>(file, a.offset + 8) == 3.0f);
  const auto b = record_at<harness::ArrayRecord>(file, at + sizeof a);
  CHECK(std::string(b.name) == "b");
  CHECK(record_at<unsigned char>(file, b.offset + 2) == 9);
}

TEST_CASE("inputs that are filled in place are laid out like those that are copied", "[run]") {
  const datasets::Case whole = small_case();
  datasets::Case shapes = whole;
  for (datasets::Array& input : shapes.inputs) input.data.clear();
  const CaseInputs filled(shapes, [&](std::size_t input, std::span<std::byte> values) {
    REQUIRE(values.size() == whole.inputs.at(input).data.size());
    std::ranges::copy(whole.inputs.at(input).data, values.begin());
  });
  const std::string expected = sandbox::read_all(CaseInputs(whole).file().get(), 1 << 20);
  const std::string file = sandbox::read_all(filled.file().get(), 1 << 20);
  REQUIRE(file.size() >= expected.size());
  CHECK(file.substr(0, expected.size()) == expected);
  CHECK(pwrite(filled.file().get(), "x", 1, 0) == -1);
}

TEST_CASE("several runs have the same inputs, and outputs of their own", "[run]") {
  const datasets::Case test = small_case();
  const auto inputs = std::make_shared<const CaseInputs>(test);
  const Exchange one(test, inputs), other(test, inputs);
  CHECK(one.inputs().get() == other.inputs().get());
  REQUIRE(pwrite(one.outputs().get(), "x", 1, 0) == 1);
  CHECK(one.copy_outputs().at(0).data.at(0) == std::byte{'x'});
  CHECK(other.copy_outputs().at(0).data.at(0) == std::byte{kPoison});
}

TEST_CASE("no expected value is among the inputs", "[run]") {
  const Exchange exchange(small_case());
  const std::string file = sandbox::read_all(exchange.inputs().get(), 1 << 20);
  for (const double secret : {1234567.25, -98765.5}) {
    const std::string as_double(reinterpret_cast<const char*>(&secret), sizeof secret);
    const auto narrow = static_cast<float>(secret);
    const std::string as_float(reinterpret_cast<const char*>(&narrow), sizeof narrow);
    CHECK(file.find(as_double) == std::string::npos);
    CHECK(file.find(as_float) == std::string::npos);
  }
  const int integer = 424242;
  CHECK(file.find(std::string(reinterpret_cast<const char*>(&integer), sizeof integer)) == std::string::npos);
}

TEST_CASE("inputs cannot be changed, outputs cannot be resized", "[run]") {
  const Exchange exchange(small_case());
  const int inputs = exchange.inputs().get(), outputs = exchange.outputs().get();
  CHECK(pwrite(inputs, "x", 1, 0) < 0);
  CHECK(ftruncate(inputs, 0) != 0);
  CHECK(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, inputs, 0) == MAP_FAILED);
  CHECK(ftruncate(outputs, 0) != 0);
  CHECK(ftruncate(outputs, 1 << 20) != 0);
  CHECK(fcntl(outputs, F_ADD_SEALS, F_SEAL_WRITE) != 0);  // nor can the grader be locked out of a later case
}

TEST_CASE("outputs are poison until they are written, and copies do not change", "[run]") {
  const Exchange exchange(small_case());
  std::vector<datasets::Array> before = exchange.copy_outputs();
  REQUIRE(before.size() == 3);
  CHECK(before[0].name == "c");
  CHECK(before[0].shape == std::vector<std::int64_t>{2});
  REQUIRE(before[0].data.size() == 16);
  double value = 0;
  std::memcpy(&value, before[0].data.data(), sizeof value);
  CHECK(std::isnan(value));
  CHECK(before[1].data.empty());
  CHECK(before[2].data == std::vector<std::byte>(4, std::byte{0xff}));

  value = 5;
  REQUIRE(pwrite(exchange.outputs().get(), &value, sizeof value, 8) == sizeof value);
  const std::vector<datasets::Array> after = exchange.copy_outputs();
  double second = 0;
  std::memcpy(&second, after[0].data.data() + 8, sizeof second);
  CHECK(second == 5);
  CHECK(before[0].data != after[0].data);
}

TEST_CASE("outputs that nobody wants take no memory, and cannot be had", "[run]") {
  const datasets::Case made = small_case();
  const Exchange exchange(made, std::make_shared<const CaseInputs>(made), Exchange::Outputs::unwanted);
  CHECK_FALSE(exchange.wants_outputs());
  CHECK(exchange.copy_outputs().empty());
  struct stat wanted {
  }, unwanted{};
  REQUIRE(fstat(Exchange(made).outputs().get(), &wanted) == 0);
  REQUIRE(fstat(exchange.outputs().get(), &unwanted) == 0);
  CHECK(unwanted.st_size == wanted.st_size);
  CHECK(wanted.st_blocks > 0);
  CHECK(unwanted.st_blocks == 0);
}

TEST_CASE("names that do not fit are refused", "[run]") {
  datasets::Case made = small_case();
  made.inputs[0].name = std::string(64, 'x');
  CHECK_THROWS_AS(Exchange(made), std::runtime_error);
  made.inputs[0].name = std::string(63, 'x');
  CHECK_NOTHROW(Exchange(made));
  made.inputs[0].name = "";
  CHECK_THROWS_AS(Exchange(made), std::runtime_error);
  made.inputs.assign(33, small_case().inputs[0]);
  CHECK_THROWS_AS(Exchange(made), std::runtime_error);
}

}  // namespace
}  // namespace cudalabs::runner
