// When runs begin and end, and how they are told.
#include "vgpu/exec/load_runs.h"

#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

namespace {

constexpr std::uint32_t kWorthwhile = 4;    // loads: shorter runs cost more than they spare
constexpr std::uint32_t kSingleLoads = 64;  // told by themselves after such a run
constexpr std::uint32_t kHalf = kWarpSize / 2;

}  // namespace

bool LoadRuns::begin(Block* block, Run& run, const Run& fresh) {
  if (run.count != 0) tell(block, run);
  if (run.single != 0) {
    --run.single;
    return false;
  }
  const bool listed = run.listed;
  run = fresh;
  run.listed = true;
  if (!listed) begun_.push_back(fresh.descriptor->site);
  return true;
}

void LoadRuns::tell(Block* block) {
  for (const std::uint32_t site : begun_) {
    Run& run = of_site_[site];
    if (run.count != 0) tell(block, run);
    run.listed = false;
  }
  begun_.clear();
}

void LoadRuns::tell(Block* block, Run& run) {
  const std::uint32_t bytes = run.descriptor->bytes;
  std::uint64_t address[kWarpSize];
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t half = lane < kHalf ? run.first : run.first + run.apart;
    address[lane] = half + (run.rows ? std::uint64_t{lane % kHalf} * bytes : 0);
  }
  const LoadRun told{.first = {.warp = run.warp,
                               .instruction = run.op->instruction,
                               .kind = AccessKind::load,
                               .space = run.space,
                               .order = run.descriptor->order,
                               .scope = run.descriptor->scope,
                               .bytes = run.descriptor->bytes,
                               .active = kAllLanes,
                               .address = address,
                               .consecutive = run.rows && run.apart == std::uint64_t{kHalf} * bytes},
                     .rows = run.rows,
                     .advance = run.advance,
                     .count = run.count};
  if (run.count < kWorthwhile) {
    run.single = kSingleLoads;
    told.visit(0, run.count, [block](const WarpAccess& load) {
      for (BlockObserver* observer : block->access_observers) observer->access(load);
    });
  } else {
    for (BlockObserver* observer : block->access_observers) observer->load_run(told);
  }
  run.count = 0;
}

}  // namespace cudalabs::vgpu::exec
