#include "vgpu/launch_limits.h"

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

const DeviceModel& t4() {
  static const DeviceModel model = device_model("t4");
  return model;
}

KernelInfo small_kernel() {
  KernelInfo kernel;
  kernel.static_shared_bytes = 1024;
  return kernel;
}

}  // namespace

TEST_CASE("a device launches up to its limits and not beyond", "[vgpu]") {
  const KernelInfo kernel = small_kernel();
  const auto can = [&](Index3 grid, Index3 block, std::uint32_t shared = 0) {
    return can_launch(t4(), kernel, {.grid = grid, .block = block, .dynamic_shared_bytes = shared});
  };
  CHECK(can({1, 1, 1}, {1, 1, 1}));
  CHECK(can({2147483647, 65535, 65535}, {32, 32, 1}));
  CHECK(can({1, 1, 1}, {1, 1, 64}));
  CHECK_FALSE(can({2147483648u, 1, 1}, {1, 1, 1}));
  CHECK_FALSE(can({1, 65536, 1}, {1, 1, 1}));
  CHECK_FALSE(can({1, 1, 1}, {1, 1, 65}));
  CHECK_FALSE(can({1, 1, 1}, {1025, 1, 1}));
  CHECK_FALSE(can({1, 1, 1}, {32, 33, 1}));
  CHECK_FALSE(can({1, 1, 1}, {~0u, ~0u, ~0u}));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Index3 none{1, 1, 1};
    none[axis] = 0;
    CHECK_FALSE(can(none, {1, 1, 1}));
    CHECK_FALSE(can({1, 1, 1}, none));
  }
  const std::uint32_t room = t4().shared_bytes_per_block_optin - kernel.static_shared_bytes;
  CHECK(can({1, 1, 1}, {1, 1, 1}, room));
  CHECK_FALSE(can({1, 1, 1}, {1, 1, 1}, room + 1));
  CHECK_FALSE(can({1, 1, 1}, {1, 1, 1}, ~0u));
}

TEST_CASE("a kernel's launch bounds bind", "[vgpu]") {
  KernelInfo kernel = small_kernel();
  kernel.max_threads = 128;
  CHECK(can_launch(t4(), kernel, {.grid = {1, 1, 1}, .block = {128, 1, 1}}));
  CHECK_FALSE(can_launch(t4(), kernel, {.grid = {1, 1, 1}, .block = {129, 1, 1}}));
}

TEST_CASE("how many blocks are resident is bound by threads, by blocks and by shared memory", "[vgpu]") {
  const KernelInfo kernel = small_kernel();
  const auto per_multiprocessor = [&](std::uint32_t threads, std::uint32_t shared) {
    return resident_blocks(t4(), kernel,
                           {.grid = {1, 1, 1}, .block = {threads, 1, 1}, .dynamic_shared_bytes = shared}) /
           t4().multiprocessors;
  };
  CHECK(per_multiprocessor(256, 0) == t4().max_threads_per_multiprocessor / 256);
  CHECK(per_multiprocessor(1, 0) == t4().max_blocks_per_multiprocessor);
  CHECK(per_multiprocessor(32, t4().shared_bytes_per_multiprocessor / 2 - 1024) == 2);
  CHECK(per_multiprocessor(1024, t4().shared_bytes_per_multiprocessor - 1024) == 1);
}

TEST_CASE("a grid has at most as many warps as a block may execute instructions", "[vgpu]") {
  const auto too_many = [](Index3 grid, Index3 block, std::uint64_t limit) {
    return has_too_many_warps({.grid = grid, .block = block, .dynamic_shared_bytes = 0}, limit);
  };
  CHECK_FALSE(too_many({1000, 1, 1}, {1, 1, 1}, 1000));
  CHECK(too_many({1001, 1, 1}, {1, 1, 1}, 1000));
  CHECK_FALSE(too_many({500, 1, 1}, {33, 1, 1}, 1000));
  CHECK(too_many({501, 1, 1}, {33, 1, 1}, 1000));
  CHECK(too_many({10, 10, 11}, {32, 1, 1}, 1000));
  CHECK(too_many({2147483647, 65535, 65535}, {32, 32, 1}, 60'000'000));
  CHECK_FALSE(too_many({2147483647, 65535, 65535}, {32, 32, 1}, 0));  // no limit
}
