// NPY files: the bytes numpy writes, and refusal of everything else.
#include "datasets/npy.h"

#include <string>
#include <vector>

#include "catch.h"
#include "datasets/array.h"
#include "tests/lab/message_of.h"

using namespace cudalabs::datasets;
using cudalabs::tests::contains;
using cudalabs::tests::message_of;
using namespace std::string_literals;

namespace {

Array parse(const std::string& bytes) {
  return parse_npy(std::as_bytes(std::span(bytes)), "x");
}

/// A file with `header` as it stands (no padding, which version 1.0 only recommends) and `data`.
std::string file(const std::string& header, const std::string& data) {
  return "\x93NUMPY\x01\x00"s + static_cast<char>(header.size() & 0xff) + static_cast<char>(header.size() >> 8) +
         header + data;
}

}  // namespace

TEST_CASE("an NPY file holds the bytes numpy.save writes") {
  const std::string bytes = npy_bytes(make_array<std::int32_t>("x", {2, 1}, std::vector<std::int32_t>{1, -2}));
  const std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1), }";
  CHECK(bytes == "\x93NUMPY\x01\x00\x76\x00"s + header + std::string(0x76 - 1 - header.size(), ' ') + "\n" +
                     "\x01\x00\x00\x00\xfe\xff\xff\xff"s);
  CHECK((bytes.size() - 8) % 64 == 0);
}

TEST_CASE("shapes are written as Python tuples") {
  const std::vector<float> six(6, 1.0f), one(1, 1.0f);
  CHECK(npy_bytes(make_array<float>("x", {6}, six)).find("'shape': (6,), }") != std::string::npos);
  CHECK(npy_bytes(make_array<float>("x", {1, 2, 3}, six)).find("'shape': (1, 2, 3), }") != std::string::npos);
  CHECK(npy_bytes(make_array<float>("x", {}, one)).find("'shape': (), }") != std::string::npos);
}

TEST_CASE("what is written is read back, for every type and shape") {
  const std::vector<double> doubles = {0.1, -1e300, 3};
  const std::vector<std::uint8_t> bytes = {0, 127, 255, 10};
  const std::vector<float> none, one = {2.5f};
  for (const Array& array : {make_array<double>("d", {3}, doubles), make_array<std::uint8_t>("u", {2, 2}, bytes),
                             make_array<float>("e", {0, 5}, none), make_array<float>("s", {}, one)}) {
    CAPTURE(array.name);
    const Array back = parse(npy_bytes(array));
    CHECK(back.type == array.type);
    CHECK(back.shape == array.shape);
    CHECK(back.data == array.data);
  }
}

TEST_CASE("a file that is not a row-major NPY 1.0 array of our types is refused") {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n";
  REQUIRE(parse(file(good, "\0\0\0\0"s)).elements() == 1);

  const std::string bytes = GENERATE_COPY(
      ""s, "\x93NUMPY"s, "not an npy file at all"s,
      "\x93NUMPY\x02\x00"s + file(good, "\0\0\0\0"s).substr(8),  // version 2.0
      "\x93NUMPY\x01\x00\xff\xff{"s,                             // header cut short
      file(good, ""), file(good, "\0\0\0"s), file(good, "\0\0\0\0\0"s), file(good, "\0\0\0\0\0\0\0\0"s), file("", ""),
      file("{", ""), file("{}", ""), file("[]", ""),
      file("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "\0\0\0\0"s),  // big-endian
      file("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "\0\0\0\0\0\0\0\0"s),
      file("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", "\0\0\0\0"s),
      file("{'descr': '<f4', 'shape': (1,), }", "\0\0\0\0"s),
      file("{'descr': '<f4', 'fortran_order': False, }", "\0\0\0\0"s),
      file("{'fortran_order': False, 'shape': (1,), }", "\0\0\0\0"s),
      file("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "\0\0\0\0"s),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': '1'}", "\0\0\0\0"s),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } x", "\0\0\0\0"s),
      file("{'descr': '<f4, 'fortran_order': False, 'shape': (1,), }", "\0\0\0\0"s),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (one,), }", "\0\0\0\0"s),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (1 1), }", "\0\0\0\0"s),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", ""),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", ""),
      // 2^32 · 2^32 elements of 4 bytes: the products wrap to 0, which is the number of bytes that are there.
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", ""),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,), }", ""));
  CAPTURE(bytes);
  CHECK_THROWS_AS(parse(bytes), std::invalid_argument);
}

TEST_CASE("an array whose data and shape differ is not written") {
  Array array = make_array<float>("x", {2}, std::vector<float>{1, 2});
  array.shape = {3};
  CHECK_THROWS_AS(npy_bytes(array), std::invalid_argument);
}

TEST_CASE("a file that cannot be read or written is named") {
  const std::string path = "/nonexistent-folder/x.npy";
  CHECK(contains(message_of([&] { read_npy(path, "x"); }), path));
  CHECK(contains(message_of([&] { write_npy(path, make_array<float>("x", {0}, {})); }), path));
}
