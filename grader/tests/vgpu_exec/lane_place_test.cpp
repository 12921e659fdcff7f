// Where addresses lead, and what is wrong with those that lead nowhere.
#include "vgpu/exec/lane_place.h"

#include <vector>

#include "catch/catch.h"
#include "vgpu/exec/cluster.h"
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

TEST_CASE("reserved addresses: what their part allows", "[vgpu]") {
  Machine m;
  const auto global = ptx::Space::global;
  const DeviceAddress range = m.memory.reserve(2 * kPageBytes, 1, kPageBytes);
  refused(m.place(global, range), MemorySpace::global, ViolationKind::global_out_of_bounds);
  m.memory.divide(range, 2 * kPageBytes,
                  std::vector{RangePart{range, kPageBytes, RangeState::read_only, 1},
                              RangePart{range + kPageBytes, kPageBytes, RangeState::no_access, 1}});
  CHECK(m.place(global, range + 4).allowed);
  refused(m.place(global, range + 4, 4, AccessKind::store), MemorySpace::global, ViolationKind::global_out_of_bounds);
  refused(m.place(global, range + 4, 4, AccessKind::atomic), MemorySpace::global, ViolationKind::global_out_of_bounds);
  refused(m.place(global, range + kPageBytes), MemorySpace::global, ViolationKind::global_out_of_bounds);
  m.memory.free_range(range, 2 * kPageBytes, 1);
  refused(m.place(global, range + kPageBytes), MemorySpace::global, ViolationKind::use_after_free);
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

TEST_CASE("shared memory of the blocks of a cluster lies side by side", "[vgpu]") {
  Machine m;
  Block peer;
  std::vector<std::byte> of_peer(kShared);
  peer.shared = of_peer.data();
  peer.number = 7;
  peer.rank = 1;
  peer.threads = m.block.threads = 32;
  Cluster cluster;
  cluster.blocks = {&m.block, &peer};
  const auto generic = ptx::Space::generic, shared = ptx::Space::shared;
  refused(m.place(generic, kSharedBase + shared_part_of(1)), MemorySpace::global, ViolationKind::global_out_of_bounds);
  m.block.cluster = peer.cluster = &cluster;

  for (const std::uint64_t own : {std::uint64_t{0}, shared_part_of(0)}) {
    for (const LanePlace& place : {m.place(generic, kSharedBase + own + 8), m.place(shared, own + 8)}) {
      CHECK(place.allowed);
      CHECK(place.space == MemorySpace::shared);
      CHECK(place.address == 8);
      CHECK(place.host == m.shared.data() + 8);
    }
  }
  const LanePlace other = m.place(generic, kSharedBase + shared_part_of(1) + 8);
  CHECK(other.allowed);
  CHECK(other.space == MemorySpace::cluster);
  CHECK(other.owner == &peer);
  CHECK(other.address == 8);
  CHECK(other.host == of_peer.data() + 8);
  // `.shared::cta` is the own block's alone.
  refused(m.place(shared, shared_part_of(1) + 8), MemorySpace::shared, ViolationKind::shared_out_of_bounds);
  refused(m.place(generic, kSharedBase + shared_part_of(1) + kShared), MemorySpace::cluster,
          ViolationKind::shared_out_of_bounds);
  refused(m.place(generic, kSharedBase + shared_part_of(1) + 6), MemorySpace::cluster, ViolationKind::misaligned);
  const LanePlace missing = m.place(generic, kSharedBase + shared_part_of(2));
  refused(missing, MemorySpace::cluster, ViolationKind::missing_block);
  CHECK(missing.rank == 2);
  refused(m.place(generic, kSharedBase + shared_part_of(100'000)), MemorySpace::cluster, ViolationKind::missing_block);
  peer.exited_threads = peer.threads;
  refused(m.place(generic, kSharedBase + shared_part_of(1)), MemorySpace::cluster, ViolationKind::ended_block);
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
