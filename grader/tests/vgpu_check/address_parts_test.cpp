// Bad addresses, and the arguments of the launch that explain them.
#include "vgpu/check/address_parts.h"

#include <vector>

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

constexpr std::uint64_t kBegin = 0x2000'0000'0000;

NamedRange range_of(std::uint64_t bytes) {
  return {kBegin, bytes, "", false};
}

/// Of the first thread of a block.
AccessOfThread first_of(std::uint64_t block, std::uint64_t offset, std::uint32_t thread = 0) {
  return {{block, thread}, kBegin + offset};
}

const LaunchConfig kRow{{4, 1, 1}, {32, 1, 1}, 0};
const LaunchConfig kGrid{{2, 3, 1}, {16, 8, 1}, 0};

}  // namespace

TEST_CASE("a pointer that is itself misaligned is told apart from what is added to it", "[memory]") {
  const std::vector<GivenValue> values{{1, 8, kBegin}, {2, 8, kBegin + 4092}, {3, 8, kBegin + 8184}};
  const std::vector<AccessOfThread> accesses{first_of(0, 4092), first_of(1, 4092 + 64)};
  const Misalignment found = misalignment(range_of(12'276), kRow, accesses, 8, values);
  REQUIRE(found.pointer);
  CHECK(found.pointer->number == 2);
  CHECK_FALSE(found.stride);
}

TEST_CASE("a part of a structure may be the pointer that is misaligned, and is no number of elements", "[memory]") {
  const std::vector<GivenValue> values{{1, 8, kBegin, true}, {1, 8, kBegin + 4092, true}, {1, 8, 4167, true}};
  const auto pointer =
      misalignment(range_of(12'276), kRow, std::vector{first_of(0, 4092), first_of(1, 4092 + 64)}, 8, values).pointer;
  REQUIRE(pointer);
  CHECK(pointer->part);
  CHECK(pointer->value == kBegin + 4092);
  const std::vector<AccessOfThread> accesses{first_of(1, 4 * 4167), first_of(2, 8 * 4167 + 16 * (3 + 32), 3)};
  CHECK_FALSE(misalignment(range_of(50'000), kRow, accesses, 16, values).stride);
}

TEST_CASE("the number of elements from block to block that is no multiple is found", "[memory]") {
  const std::vector<GivenValue> values{{1, 8, kBegin}, {2, 8, 12'500}, {3, 8, 4167}};
  const std::vector<AccessOfThread> accesses{first_of(1, 4 * 4167), first_of(2, 8 * 4167 + 16 * (3 + 32), 3)};
  const Misalignment found = misalignment(range_of(50'000), kRow, accesses, 16, values);
  CHECK_FALSE(found.pointer);
  REQUIRE(found.stride);
  CHECK(*found.stride == Stride{3, 4167, 4, PartAxis::block, 1});
}

TEST_CASE("the length of a row that is no multiple is found, and which argument it is only where one has it",
          "[memory]") {
  const std::vector<GivenValue> values{{1, 8, kBegin}, {2, 4, 30}, {3, 4, 37}};
  const std::vector<AccessOfThread> accesses{first_of(2, 4 * 8 * 37)};            // block (0, 1)
  CHECK_FALSE(misalignment(range_of(8000), kGrid, accesses, 16, values).stride);  // a multiple after all
  const std::vector<AccessOfThread> odd{first_of(0, 4 * 37, 16)};
  const auto stride = misalignment(range_of(8000), kGrid, odd, 16, values).stride;
  REQUIRE(stride);
  CHECK(*stride == Stride{3, 37, 4, PartAxis::row, 1});
  const std::vector<GivenValue> twice{{1, 8, kBegin}, {2, 4, 37}, {3, 4, 37}};
  CHECK(misalignment(range_of(8000), kGrid, odd, 16, twice).stride->argument == 0);
}

TEST_CASE("an address that no argument explains is left alone", "[memory]") {
  const std::vector<GivenValue> values{{1, 8, kBegin}, {2, 8, 12'500}, {3, 8, 4167}};
  const std::vector<AccessOfThread> accesses{first_of(1, 4 * 4100)};
  const Misalignment found = misalignment(range_of(50'000), kRow, accesses, 16, values);
  CHECK(found == Misalignment{});
  const std::vector<AccessOfThread> one_of_two{first_of(1, 4 * 4167), first_of(2, 8 * 4167 + 4)};
  CHECK(misalignment(range_of(50'000), kRow, one_of_two, 16, values) == Misalignment{});
  CHECK(misalignment(range_of(50'000), kRow, {}, 16, values) == Misalignment{});
}

TEST_CASE("a pitch that counts elements is found where it would fit as bytes", "[memory]") {
  const std::vector<GivenValue> values{{1, 8, kBegin + (1 << 20)}, {2, 8, 512}, {3, 4, 16}};
  const std::vector<AccessOfThread> accesses{first_of(0, 4 * 4 * 512, 4 * 16), first_of(2, 9 * 4 * 512 + 60, 16 + 15)};
  const auto found = pitch_in_elements(range_of(16 * 512), kGrid, accesses, 4, values);
  REQUIRE(found);
  CHECK(*found == Stride{2, 512, 4, PartAxis::row, 4});
  CHECK_FALSE(pitch_in_elements(range_of(4 * 512), kGrid, accesses, 4, values));  // not even as bytes
  const std::vector<AccessOfThread> other{first_of(0, 16 * 512, 5 * 16)};
  CHECK_FALSE(pitch_in_elements(range_of(16 * 512), kGrid, other, 4, values));
}
