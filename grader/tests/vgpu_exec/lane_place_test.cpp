// Where addresses lead, and what is wrong with those that lead nowhere.
#include "vgpu/exec/lane_place.h"

#include <vector>

#include "catch/catch.h"
#include "vgpu/memory/address_space.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::exec;

namespace {

constexpr std::uint64_t kShared = 256, kLocal = 64, kParameters = 16;

/// A warp in the middle of a launch, and 400 bytes of global memory.
struct Machine {
  GlobalMemory memory{1 << 20};
  DeviceAddress array = memory.allocate(400, 1), constant = memory.allocate(16, 2, AllocationKind::constant, "c");
  std::vector<std::byte> parameters = std::vector<std::byte>(kParameters);
  std::vector<std::byte> shared = std::vector<std::byte>(kShared);
  FunctionCode code;
  Frame frame;
  Launch launch;
  Worker worker{std::nullopt};
  Block block;
  Warp warp;

  Machine() {
    code.local_bytes = kLocal;
    frame.code = &code;
    launch.parameters = parameters;
    launch.shared_bytes = kShared;
    worker.launch = &launch;
    worker.memory = &memory;
    block.shared = shared.data();
    warp.worker = &worker;
    warp.block = &block;
    warp.frame = &frame;
  }

  LanePlace place(ptx::Space space, std::uint64_t address, std::uint8_t bytes = 4, AccessKind kind = AccessKind::load) {
    MemoryDescriptor descriptor;
    descriptor.space = space;
    descriptor.bytes = bytes;
    descriptor.kind = kind;
    return place_of(&warp, descriptor, address);
  }
};

void refused(const LanePlace& place, MemorySpace space, ViolationKind violation) {
  CHECK_FALSE(place.allowed);
  CHECK(place.space == space);
  CHECK(place.violation == violation);
}

}  // namespace

TEST_CASE("global memory: inside an allocation and aligned, else it has a name", "[vgpu]") {
  Machine m;
  const auto global = ptx::Space::global;
  const LanePlace last = m.place(global, m.array + 396);
  CHECK(last.allowed);
  CHECK(last.space == MemorySpace::global);
  CHECK(last.address == m.array + 396);
  CHECK(last.host == m.memory.host(m.array + 396));
  refused(m.place(global, m.array + 400), MemorySpace::global, ViolationKind::global_out_of_bounds);
  refused(m.place(global, m.array + 396, 8), MemorySpace::global, ViolationKind::global_out_of_bounds);
  refused(m.place(global, m.array + 2), MemorySpace::global, ViolationKind::misaligned);
  refused(m.place(global, 16), MemorySpace::global, ViolationKind::null_pointer);
  refused(m.place(global, 0x7fff'0000'0000), MemorySpace::global, ViolationKind::host_pointer);
  refused(m.place(global, kSharedBase), MemorySpace::global, ViolationKind::global_out_of_bounds);
  REQUIRE(m.memory.free(m.array, 3));
  refused(m.place(global, m.array), MemorySpace::global, ViolationKind::use_after_free);
}

TEST_CASE("constants may be read, and lie where nothing else does", "[vgpu]") {
  Machine m;
  const LanePlace read = m.place(ptx::Space::constant, m.constant);
  CHECK(read.allowed);
  CHECK(read.space == MemorySpace::constant);
  refused(m.place(ptx::Space::global, m.constant, 4, AccessKind::store), MemorySpace::constant,
          ViolationKind::write_to_constant);
  refused(m.place(ptx::Space::constant, m.array), MemorySpace::global, ViolationKind::constant_out_of_bounds);
}

TEST_CASE("shared, local and parameter memory end where they end", "[vgpu]") {
  Machine m;
  CHECK(m.place(ptx::Space::shared, kShared - 4).host == m.shared.data() + kShared - 4);
  refused(m.place(ptx::Space::shared, kShared), MemorySpace::shared, ViolationKind::shared_out_of_bounds);
  refused(m.place(ptx::Space::shared, 6), MemorySpace::shared, ViolationKind::misaligned);
  CHECK(m.place(ptx::Space::local, kLocal - 4).allowed);
  refused(m.place(ptx::Space::local, kLocal), MemorySpace::local, ViolationKind::local_out_of_bounds);
  refused(m.place(ptx::Space::local, 0, 4, AccessKind::atomic), MemorySpace::local, ViolationKind::local_out_of_bounds);
  CHECK(m.place(ptx::Space::param, kParameters - 4).parameter);
  refused(m.place(ptx::Space::param, kParameters), MemorySpace::constant, ViolationKind::constant_out_of_bounds);
  refused(m.place(ptx::Space::param, 0, 4, AccessKind::store), MemorySpace::constant, ViolationKind::write_to_constant);
}

TEST_CASE("a generic address leads into the window that it lies in", "[vgpu]") {
  Machine m;
  const auto space = [&](std::uint64_t address) { return m.place(ptx::Space::generic, address).space; };
  CHECK(space(m.array) == MemorySpace::global);
  CHECK(space(kSharedBase + 8) == MemorySpace::shared);
  CHECK(space(kLocalBase + 8) == MemorySpace::local);
  CHECK(m.place(ptx::Space::generic, kParameterBase + 8).parameter);
  CHECK(m.place(ptx::Space::generic, kSharedBase + 8).address == 8);
}

TEST_CASE("places of several lanes: those that may go there", "[vgpu]") {
  Machine m;
  MemoryDescriptor descriptor;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) m.worker.addresses[lane] = m.array + 16 * lane;
  LanePlace places[kWarpSize];
  CHECK(find_places(&m.warp, descriptor, ~LaneMask{0}, places) == (1u << 25) - 1);
  CHECK(places[24].allowed);
  CHECK(places[25].violation == ViolationKind::global_out_of_bounds);
  CHECK(find_places(&m.warp, descriptor, 0b101, places) == 0b101);
}
