// Memory of a thread's own, words of all lanes side by side.
#include "vgpu/exec/lane_words.h"

#include <array>
#include <vector>

#include "catch/catch.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::exec;

TEST_CASE("a lane's words lie a row apart, its bytes in a word follow each other") {
  std::vector<std::byte> words(16 * kWarpSize);
  std::byte* first = words.data();
  CHECK(lane_byte(first, 0, 0) == first);
  CHECK(lane_byte(first, 3, 0) == first + 3);
  CHECK(lane_byte(first, 0, 5) == first + 20);
  CHECK(lane_byte(first, 4, 5) == first + 4 * kWarpSize + 20);
  CHECK(lane_byte(first, 15, 31) == first + words.size() - 1);
}

TEST_CASE("what is copied to a lane comes back, and other lanes keep theirs") {
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    std::vector<std::byte> words(16 * kWarpSize, std::byte{0xEE});
    std::array<std::byte, 16> given{}, got{};
    for (std::size_t i = 0; i < given.size(); ++i) given[i] = static_cast<std::byte>(i + 1);
    const std::uint64_t offset = 16 - bytes;
    copy_to_lane(words.data(), offset, 7, bytes, given.data());
    copy_from_lane(words.data(), offset, 7, bytes, got.data());
    CHECK(std::equal(given.begin(), given.begin() + bytes, got.begin()));
    std::size_t changed = 0;
    for (const std::byte byte : words) changed += byte != std::byte{0xEE};
    CHECK(changed == bytes);
  }
}
