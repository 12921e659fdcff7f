// Performs scripts.
#include "event_script.h"

#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu::testing {

namespace {

/// Values of the bytes written so far.
class Contents {
 public:
  std::byte& at(MemorySpace space, std::uint64_t block, std::uint64_t address) {
    return bytes_[{space, space == MemorySpace::shared ? block : 0, address}];
  }

 private:
  std::map<std::tuple<MemorySpace, std::uint64_t, std::uint64_t>, std::byte> bytes_;
};

/// Observers never see an access out of bounds: it is a violation instead, and their shadows end where memory does.
void require_bounds(const Script& script, const Event& e) {
  if (e.space != MemorySpace::shared) return;
  for (LaneMask lanes = e.lanes; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = e.address[first_lane(lanes)];
    if (address > script.shared_bytes || e.bytes > script.shared_bytes - address) {
      throw std::logic_error("the script accesses byte " + std::to_string(address) + " of " +
                             std::to_string(script.shared_bytes) + " bytes of shared memory");
    }
  }
}

void perform_access(const Event& e, BlockObserver& observer, Contents& contents) {
  WarpAccess a;
  a.warp = e.warp;
  a.instruction = e.instruction;
  a.kind = e.kind;
  a.space = e.space;
  a.order = e.order;
  a.scope = e.scope;
  a.bytes = e.bytes;
  a.active = e.lanes;
  a.address = e.address.data();
  a.consecutive = e.lanes == ~0u;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    a.consecutive = a.consecutive && e.address[lane] == e.address[0] + std::uint64_t{lane} * e.bytes;
  }
  std::vector<std::byte> stored(std::size_t{kWarpSize} * e.bytes), current(stored.size());
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    for (std::uint32_t i = 0; i < e.bytes; ++i) {
      stored[lane * e.bytes + i] = static_cast<std::byte>(e.value[lane] >> (i % 8 * 8));
      current[lane * e.bytes + i] = contents.at(e.space, e.block, e.address[lane] + i);
    }
  }
  if (e.kind == AccessKind::store) {
    a.stored = stored.data();
    a.current = current.data();
  }
  observer.access(a);
  if (e.kind == AccessKind::load) return;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((e.lanes >> lane & 1) == 0) continue;
    for (std::uint32_t i = 0; i < e.bytes; ++i) {
      contents.at(e.space, e.block, e.address[lane] + i) = stored[lane * e.bytes + i];
    }
  }
}

void perform_event(const Event& e, BlockObserver& observer, Contents& contents) {
  switch (e.type) {
    case Event::Type::access:
      return perform_access(e, observer, contents);
    case Event::Type::warp_sync:
      return observer.warp_sync(e.warp, e.lanes, e.instruction);
    case Event::Type::arrive:
      return observer.barrier_arrive({e.warp, e.instruction, e.barrier, e.lanes, e.arrive_only, e.call});
    case Event::Type::complete:
      return observer.barrier_complete({e.barrier, 0, e.exited, e.whole_block});
    case Event::Type::fence:
      return observer.fence(e.warp, e.lanes, e.scope);
    case Event::Type::exit:
      return observer.thread_exit(e.warp, e.lanes);
    case Event::Type::past_barriers:
      return observer.past_barriers({e.warp, e.lanes, e.instruction, e.early_end});
    case Event::Type::violation:
      return observer.violation(
          {e.violation, e.kind, e.space, e.warp, e.instruction, e.bytes, e.lanes, e.address.data(), e.call});
    case Event::Type::deadlock: {
      const Deadlock::Waiting waiting{e.warp, e.lanes, e.instruction, e.barrier};
      return observer.deadlock({{&waiting, 1}});
    }
  }
}

}  // namespace

std::optional<NamedRange> LineNames::nearest(MemorySpace space, std::uint64_t) const {
  if (space == MemorySpace::shared) {
    NamedRange tile{0, 256, "tile", false};
    tile.by_launch = shared_by_launch;
    return tile;
  }
  return range;
}

void perform(const Script& script, Observer& observer, bool concurrent) {
  LaunchInfo launch;
  launch.config = script.config();
  launch.shared_bytes = script.shared_bytes;
  launch.concurrent = concurrent;
  observer.launch_begin(launch);
  Contents contents;
  std::map<std::uint64_t, std::unique_ptr<BlockObserver>> blocks;
  for (const Event& e : script.events) {
    auto& block = blocks[e.block];
    if (!block) {
      block = observer.observe_block();
      block->block_begin({e.block, script.threads});
    }
    if (e.type == Event::Type::access) require_bounds(script, e);
    perform_event(e, *block, contents);
  }
  for (auto& [index, block] : blocks) block->block_end({});
  blocks.clear();
  observer.launch_end();
}

}  // namespace cudalabs::vgpu::testing
