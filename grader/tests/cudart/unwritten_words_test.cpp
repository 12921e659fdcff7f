// What is said of a read of what nothing had written, by what the host has written to the array.
#include "vgpu/cudart/server/unwritten_words.h"

#include <string_view>
#include <vector>

#include "catch/catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::vgpu::test {
namespace {

constexpr std::uint64_t kArray = 0x1000'0000;

AddressMap::Block array_with(std::vector<AddressMap::Block::Write> writes) {
  AddressMap::Block block;
  block.bytes = 69'632;
  block.address = kArray;
  block.early_writes = std::move(writes);
  return block;
}

AddressMap::Block::Write write(std::uint64_t offset, std::uint64_t width, std::uint64_t pitch = 0,
                               std::uint64_t rows = 1, std::string_view call = "cudaMemcpy") {
  return {{offset + 7, 0}, call, kArray + offset, width, pitch, rows, 0};
}

Finding read_at(std::uint64_t offset) {
  Finding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.message = "read of global memory that nobody has written";
  finding.help = "fill the array first: ...; sizes of copies and fills are in bytes: is `sizeof` missing?";
  finding.address = kArray + offset;
  finding.access.bytes = 4;
  return finding;
}

}  // namespace

TEST_CASE("a fill of some bytes of an element is told as that, also where kernels write") {
  Finding finding = read_at(0);
  const auto origin = name_host_write(finding, array_with({write(0, 1, 0, 1, "cudaMemset")}), 1, true);
  REQUIRE(origin);
  CHECK(origin->origin.address == 7);
  CHECK(finding.message == "read of global memory that is written only in part");
  CHECK(finding.other->label == "`cudaMemset` writes 1 of these 4 bytes here");
}

TEST_CASE("a read of several elements, of which a copy writes the first, is no sign of a missing `sizeof`") {
  const auto told = [](std::uint64_t read, std::uint32_t bytes, const AddressMap::Block::Write& copy) {
    Finding finding = read_at(read);
    finding.access.bytes = bytes;
    REQUIRE(name_host_write(finding, array_with({copy}), 1, false));
    CHECK(finding.message == "read of global memory that is written only in part");
    return finding;
  };
  const auto rows = write(0, 200, 256, 50, "cudaMemcpy2D");
  const Finding padded = told(192, 16, rows);
  CHECK(padded.other->label ==
        "`cudaMemcpy2D` writes 50 rows of 200 bytes, 256 apart, from byte 0 on of the array here");
  CHECK(padded.help.starts_with("compare what this call writes with what the kernel reads"));
  CHECK(padded.help.advises(cudalabs::Advice::compare_writes));
  CHECK(padded.other->name == "cudaMemcpy2D");
  CHECK(told(69'000 / 16 * 16, 16, write(0, 69'000 / 16 * 16 + 8)).help.starts_with("compare what this call"));
  // As a number of elements it would fit; or it ends within one.
  constexpr std::string_view kTimesSizeof = "times the `sizeof` of one";
  CHECK(told(192, 16, write(0, 200, 1024, 50)).help.ends_with(kTimesSizeof));
  CHECK(told(192, 16, write(0, 200)).help.ends_with(kTimesSizeof));
  CHECK(told(192, 16, write(0, 198, 256, 50)).help.ends_with(kTimesSizeof));
  CHECK(told(196, 4, write(0, 198, 256, 50)).help.ends_with(kTimesSizeof));
}

TEST_CASE("a copy of a part of the array is shown with the bytes that it writes") {
  Finding finding = read_at(1024);
  REQUIRE(name_host_write(finding, array_with({write(0, 1024)}), 1, false));
  CHECK(finding.message == "read of global memory that nobody has written");
  CHECK(finding.other->label == "`cudaMemcpy` writes bytes 0 to 1023 of the array here");
  CHECK(finding.help.ends_with("in bytes; sizes of copies and fills are in bytes: is `sizeof` missing?"));
}

TEST_CASE("a call that writes as many bytes as there are elements is told the bytes that are needed") {
  constexpr std::uint64_t kElements = 69'632 / 4;
  for (const bool by_kernels : {false, true}) {  // who adds to an element writes it, too
    Finding finding = read_at(kElements);
    const auto origin = name_host_write(finding, array_with({write(0, kElements, 0, 1, "cudaMemset")}), 1, by_kernels);
    REQUIRE(origin);
    CHECK(origin->origin.address == 7);
    CHECK(finding.other->label == "`cudaMemset` writes 17408 of 69632 bytes here");
    CHECK(finding.help ==
          "the size that `cudaMemset` is given is in bytes, and 17408 elements of 4 bytes are 69632 bytes: pass the "
          "number of elements times the `sizeof` of one");
  }
  // The second half, behind a first one that is whole.
  Finding half = read_at(34'816 + 8704);
  REQUIRE(name_host_write(half, array_with({write(0, 34'816), write(34'816, 8704)}), 1, false));
  CHECK(half.other->label == "`cudaMemcpy` writes 8704 of 34816 bytes here, from byte 34816 of the array on");
  // A half of the array is no number of its elements.
  Finding other = read_at(34'816);
  REQUIRE(name_host_write(other, array_with({write(0, 34'816)}), 1, false));
  CHECK(other.other->label == "`cudaMemcpy` writes bytes 0 to 34815 of the array here");
}

TEST_CASE("a fill of rows whose width counts elements is to blame, and not the copy after it") {
  const auto fill = write(0, 64, 512, 64, "cudaMemset2D"), copy = write(0, 200, 512, 50, "cudaMemcpy2D");
  Finding finding = read_at(3 * 512 + 200);
  REQUIRE(name_host_write(finding, array_with({fill, copy}), 1, false));
  CHECK(finding.other->label == "`cudaMemset2D` writes 64 of 256 bytes of each row here");
  CHECK(finding.help ==
        "the width that `cudaMemset2D` is given is in bytes, and 64 elements of 4 bytes are 256 bytes: pass the number "
        "of elements times the `sizeof` of one");
  // The same of one row, in an array that is larger.
  Finding flat = read_at(240);
  AddressMap::Block row = array_with({write(0, 64, 0, 1, "cudaMemset"), write(0, 200)});
  row.bytes = 512;
  REQUIRE(name_host_write(flat, row, 1, false));
  CHECK(flat.other->label == "`cudaMemset` writes 64 of 256 bytes here");
}

TEST_CASE("where no call has written to the array, none has forgotten `sizeof`") {
  Finding finding = read_at(64);
  const std::string help = finding.help;
  REQUIRE(help.find("`sizeof`") != std::string::npos);
  AddressMap::Block managed = array_with({});
  managed.managed = true;
  CHECK_FALSE(name_host_write(finding, managed, 1, true));
  CHECK(finding.help == help);  // the host may have written without a call
  CHECK_FALSE(name_host_write(finding, array_with({}), 1, true));
  CHECK(finding.help == help.substr(0, help.find("; sizes")));
}

TEST_CASE("where no call stands out, all are told, and none is blamed") {
  const auto told = [](std::uint64_t read, std::uint32_t bytes, std::vector<AddressMap::Block::Write> writes) {
    Finding finding = read_at(read);
    finding.access.bytes = bytes;
    REQUIRE(name_host_write(finding, array_with(std::move(writes)), 1, false));
    CHECK(finding.help.find("this call") == std::string::npos);
    return finding.help;
  };
  // Both would have come so far.
  CHECK(told(20, 4, {write(0, 16, 512, 16, "cudaMemset2D"), write(0, 12, 512, 3, "cudaMemcpy2D")}) ==
        "2 calls write to this array before the launch, `cudaMemset2D` (16 rows of 16 bytes, 512 apart, from byte 0 "
        "on) and `cudaMemcpy2D` (3 rows of 12 bytes, 512 apart, from byte 0 on): compare what each writes with what "
        "the kernel reads, where it begins and how much it is, in bytes; sizes of copies and fills are in bytes: is "
        "`sizeof` missing?");
  // A part on the left and one on the right, with a gap between them: no call is of no use.
  CHECK(told(100, 4, {write(0, 80, 512, 16), write(120, 80, 512, 16)}).starts_with("2 calls write to this array"));
  // Of an access of several elements it is not known how large one is.
  CHECK(told(208, 16, {write(0, 64, 512, 64), write(0, 200, 512, 64)}).starts_with("2 calls write to this array"));
}

TEST_CASE("a last row that is copied as if there was no pitch is told as that") {
  Finding finding = read_at(65'536);
  REQUIRE(name_host_write(finding, array_with({write(0, 4000, 4096, 16), write(64'000, 384)}), 1, false));
  CHECK(finding.other->label ==
        "`cudaMemcpy` writes bytes 64000 to 64383 of the array here, as the last call before the "
        "launch");
  CHECK(finding.help ==
        "this call begins at 16 · 4000 bytes, and row 16 at 16 · 4096: rows are 4096 bytes apart, which "
        "is the pitch");
  Finding gap = read_at(4090);
  REQUIRE(name_host_write(gap, array_with({write(0, 4000, 4096, 16)}), 1, false));
  CHECK(gap.other->label == "`cudaMemcpy` writes 16 rows of 4000 bytes, 4096 apart, from byte 0 on of the array here");
}

TEST_CASE("where kernels write as well, all is written, or not all is known, nothing is said") {
  Finding finding = read_at(1024);
  const Finding before = finding;
  CHECK_FALSE(name_host_write(finding, array_with({write(0, 1024)}), 1, true));
  CHECK_FALSE(name_host_write(finding, array_with({write(0, 4096)}), 1, false));
  CHECK_FALSE(name_host_write(finding, array_with({}), 1, false));
  AddressMap::Block many = array_with({write(0, 1024)});
  many.has_more_writes = true;
  CHECK_FALSE(name_host_write(finding, many, 1, false));
  AddressMap::Block managed = array_with({write(0, 1024)});
  managed.managed = true;
  CHECK_FALSE(name_host_write(finding, managed, 1, false));
  AddressMap::Block later = array_with({});
  later.late_writes = {write(0, 1024)};
  later.late_writes[0].launches = 1;
  CHECK_FALSE(name_host_write(finding, later, 1, false));  // it comes after the launch, and elsewhere
  CHECK(finding == before);
}

TEST_CASE("a read after the end of what kernels wrote is told with both numbers of elements") {
  const ArrayWriter store{"", "(anonymous namespace)::add_up<float>", {"k.cu", 31, 5}, {}};
  Finding finding = read_at(1032);
  finding.note = "4 bytes";
  finding.access.written = 1032;
  finding.access.read_to = 1280;
  const Finding before = finding;
  const std::vector<ArrayWriter> writers{store, {"", "add_up", {"k.cu", 31, 9}, {}}};
  REQUIRE(name_written_front(finding, writers, 2048));
  CHECK(finding.message ==
        "read of global memory that nobody has written: 258 elements were written, and 320 are read");
  CHECK(finding.note == "4 bytes\n`add_up` wrote to it last, in line 31");
  CHECK(finding.help ==
        "compare how many elements are written with how many this launch is told to read: the counts must be the same");
  Finding several = before;
  const std::vector<ArrayWriter> lines{store, {"", "add_up", {"k.cu", 33, 5}, {}}};
  REQUIRE(name_written_front(several, lines, 1280));
  CHECK(several.note == "4 bytes");
  // What is read was allocated, too: the rest may be padding.
  CHECK(several.help ==
        "this launch reads up to the end of the allocation: if what lies behind the elements that are written is to be "
        "zeros, such as below a matrix, clear the array with `cudaMemset` before they are written; else compare how "
        "many are written with how many this launch is told to read: the counts must be the same");
}

TEST_CASE("without a front of whole elements, or without a kernel that wrote, nothing is said of it") {
  const std::vector<ArrayWriter> writers{{"", "add_up", {"k.cu", 31, 5}, {}}};
  for (const std::uint64_t written : {0, 1030}) {
    Finding finding = read_at(1032);
    finding.access.written = written;
    const Finding before = finding;
    CHECK_FALSE(name_written_front(finding, writers, 2048));
    CHECK(finding == before);
  }
  Finding finding = read_at(1032);
  finding.access.written = 1032;
  CHECK_FALSE(name_written_front(finding, {}, 2048));
}

}  // namespace cudalabs::vgpu::test
