// Turns refused accesses into sightings.
#include "vgpu/check/memory_checker.h"

#include <algorithm>

#include "vgpu/check/launch_log.h"
#include "vgpu/exec/each_lane.h"

namespace cudalabs::vgpu {

namespace {

Verdict verdict_of(ViolationKind kind) {
  switch (kind) {
    case ViolationKind::global_out_of_bounds:
      return Verdict::global_out_of_bounds;
    case ViolationKind::shared_out_of_bounds:
      return Verdict::shared_out_of_bounds;
    case ViolationKind::local_out_of_bounds:
      return Verdict::local_out_of_bounds;
    case ViolationKind::constant_out_of_bounds:
      return Verdict::constant_out_of_bounds;
    case ViolationKind::misaligned:
      return Verdict::misaligned;
    case ViolationKind::host_pointer:
      return Verdict::host_pointer;
    case ViolationKind::null_pointer:
      return Verdict::null_pointer;
    case ViolationKind::use_after_free:
      return Verdict::use_after_free;
    case ViolationKind::write_to_constant:
      return Verdict::write_to_constant;
    case ViolationKind::missing_block:
      return Verdict::cluster_block_missing;
    case ViolationKind::ended_block:
      return Verdict::cluster_block_ended;
    case ViolationKind::bulk_size:
      return Verdict::bulk_size;
    case ViolationKind::tensor_map:
      return Verdict::tensor_map;
  }
  return Verdict::global_out_of_bounds;
}

class MemoryBlockObserver : public BlockObserver {
 public:
  explicit MemoryBlockObserver(LaunchLog& log) : log_(log) {}

  Interests interests() const override {
    return {.accesses = false, .current_values = false, .warp_syncs = false, .counts = false};
  }

  void block_begin(const BlockInfo& block) override { block_ = block.index; }

  void violation(const Violation& v) override {
    Sighting s;
    s.verdict = verdict_of(v.kind);
    s.at.instruction = v.instruction;
    s.at.thread = {block_, first_thread(v.warp, v.lanes)};
    s.at.access = v.access;
    s.at.call = v.call;
    s.space = v.space == MemorySpace::cluster ? MemorySpace::shared : v.space;
    s.owner = v.owner;
    s.rank = v.rank;
    if (v.tensor != nullptr) s.tensor = *v.tensor;
    s.tensor_fault = v.tensor_fault;
    s.dimensions = v.dimensions;
    s.address = v.address[first_lane(v.lanes)];
    s.bytes = v.bytes;
    for (const std::uint32_t lane : each_lane(v.lanes)) s.end = std::max(s.end, v.address[lane] + v.bytes);
    s.count = count_lanes(v.lanes);
    const std::uint32_t last = last_lane(v.lanes);
    s.last = {{block_, v.warp * kWarpSize + last}, v.address[last]};
    log_.add(s);
  }

 private:
  LaunchLog& log_;
  std::uint64_t block_ = 0;
};

}  // namespace

struct MemoryChecker::State {
  LaunchLog log;
};

MemoryChecker::MemoryChecker() : state_(std::make_unique<State>()) {}
MemoryChecker::~MemoryChecker() = default;

void MemoryChecker::launch_begin(const LaunchInfo& launch) {
  state_->log.begin(launch.config);
}

std::unique_ptr<BlockObserver> MemoryChecker::observe_block() {
  return std::make_unique<MemoryBlockObserver>(state_->log);
}

std::vector<Finding> MemoryChecker::findings(const LaunchNames& names) const {
  return state_->log.findings(names);
}

}  // namespace cudalabs::vgpu
