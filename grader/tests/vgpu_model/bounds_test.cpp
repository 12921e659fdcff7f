// What a hostile program can make the virtual GPU itself keep: mappings, history, names.
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>

#include "catch.h"
#include "vgpu/exec/program.h"
#include "vgpu/exec/worker_pool.h"
#include "vgpu/memory/global_memory.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs::vgpu;

namespace {

std::size_t mappings() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);) ++count;
  return count;
}

/// P<P<...>, P<...>> to a depth: 2^depth letters from a few for each level.
std::string doubling_name(int depth) {
  std::string name = "_Z3bigI";
  for (int i = 0; i < depth; ++i) name += "1PI";
  name += "ii";
  // Each level closes with a reference to the one inside it.
  for (int i = 0; i < depth; ++i)
    name += "E" + (i + 1 < depth ? "S" + (i == 0 ? std::string() : std::to_string(i - 1)) + "_" : "");
  return name + "EvPf";
}

}  // namespace

TEST_CASE("many allocations cost no mappings", "[vgpu]") {
  GlobalMemory memory(16ull << 30);
  const std::size_t before = mappings();
  std::vector<DeviceAddress> addresses;
  for (int i = 0; i < 40'000; ++i) addresses.push_back(memory.allocate(4, 0));
  CHECK(std::ranges::count(addresses, DeviceAddress{0}) == 0);
  CHECK(mappings() < before + 20);
  for (const DeviceAddress address : addresses) REQUIRE(memory.free(address, 0));
  CHECK(mappings() < before + 20);
}

TEST_CASE("memory that is freed is remembered, but not for ever", "[vgpu]") {
  GlobalMemory memory(1 << 20);
  const DeviceAddress first = memory.allocate(4, 1);
  memory.free(first, 2);
  REQUIRE(memory.explain(first));
  DeviceAddress last = 0;
  for (int i = 0; i < 100'000; ++i) {
    last = memory.allocate(4, 3);
    REQUIRE(memory.free(last, 4));
  }
  const auto explained = memory.explain(last, 0);
  REQUIRE(explained);
  CHECK(explained->freed_origin == 4);
  CHECK_FALSE(memory.explain(first, 0));
}

TEST_CASE("what kernels allocate and free for ever stays in a few pages", "[vgpu]") {
  GlobalMemory memory(1 << 20);
  DeviceAddress lowest = ~0ull, highest = 0;
  for (int i = 0; i < 140'000; ++i) {
    const DeviceAddress address = memory.allocate(16, 0, AllocationKind::device_heap);
    REQUIRE(address != 0);
    REQUIRE(memory.free(address, 0, AllocationKind::device_heap));
    lowest = std::min(lowest, address);
    highest = std::max(highest, address);
  }
  CHECK(highest - lowest < 128ull << 20);
}

TEST_CASE("a name that would grow without bound is told short", "[vgpu]") {
  CHECK(display_name("_Z5tiledPKfS0_Pfiii") == "tiled");
  CHECK(display_name("_Z6reduceILi256EfEvPKT0_PS0_i") == "reduce<256, float>");
  CHECK(display_name("plain") == "plain");
  CHECK(display_name("__nv_static_24__76fed7c5_4_a_cu_830376d0__Z4keepPi") ==
        "__nv_static_24__76fed7c5_4_a_cu_830376d0__Z4keepPi");
  CHECK(display_name("__nv_static_25__76fed7c5_4_a_cu_830376d0__Z4keepPi") == "keep");
  CHECK(variable_name("__nv_static_25__76fed7c5_4_a_cu_830376d0_own@module2") == "own");
  CHECK(display_name("_ZN36_INTERNAL_eff1ed78_4_a_cu_d0a3673a_b3addEii") == "add");
  for (const std::string text :
       {"__nv_static_", "__nv_static_1", "__nv_static_9__", "__nv_static_99999999999999999999__a_b", "__nv_static_0__",
        "__nv_static_18446744073709551615__a_b"})
    CHECK(display_name(text) == text);
  CHECK(variable_name("_ZZ5tiledPKfPfE6tile_a") == "tile_a");
  CHECK(variable_name("_ZZ1kILi16EEvPKfPfE6tile_b_0") == "tile_b");
  CHECK(variable_name("_ZZZ1kPfENKUlvE_clEvE4sums") == "sums");
  CHECK(variable_name("_ZN5outer5tableE") == "table");
  CHECK(variable_name("sums") == "sums");
  CHECK(display_name("i") == "i");
  for (const int depth : {10, 40, 300}) {
    const std::string name = display_name(doubling_name(depth));
    CAPTURE(depth);
    CHECK(name.size() < 300);
    CHECK(name.starts_with("big"));
  }
  CHECK(display_name("_ZN5outer5innerI" + std::string(5000, 'i') + "EvPf") == "outer::inner");
  CHECK(display_name(std::string(100'000, 'x')).size() < 300);
  CHECK(display_name("_Z" + std::string(2000, '9')).size() < 300);
  // Many parameters of one type are nothing alternative.
  std::string many = "_Z4manyPKf";
  for (int i = 0; i < 40; ++i) many += "S0_";
  CHECK(display_name(many) == "many");
}

TEST_CASE("what a worker throws reaches the caller who started the workers", "[vgpu]") {
  exec::WorkerPool pool(3);
  for (unsigned failing = 0; failing < 3; ++failing) {
    CHECK_THROWS_AS(pool.run(3,
                             [=](unsigned number) {
                               if (number == failing) throw std::bad_alloc();
                             }),
                    std::bad_alloc);
  }
  unsigned done[3] = {};
  pool.run(3, [&](unsigned number) { done[number] = 1; });
  CHECK(done[0] + done[1] + done[2] == 3);
}
