// Every block observer counts into a tally of its own; the results are sums over the tallies.
#include "vgpu/profile/counter_collector.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <mutex>

#include "vgpu/profile/access_cost.h"
#include "vgpu/profile/counter_names.h"
#include "vgpu/profile/warp_path.h"

namespace cudalabs::vgpu {

namespace {

/// Sums of one instruction in one memory space.
struct SiteTally {
  std::uint64_t requests = 0, lanes = 0, bytes = 0, units = 0, ideal = 0, conflicts = 0, passes = 0;
  AccessKind kind = AccessKind::load;

  SiteTally& operator+=(const SiteTally& o) {
    requests += o.requests;
    lanes += o.lanes;
    bytes += o.bytes;
    units += o.units;
    ideal += o.ideal;
    conflicts += o.conflicts;
    passes += o.passes;
    if (o.requests != 0) kind = o.kind;
    return *this;
  }
};

constexpr std::size_t kSpaces = 4;
using SpaceTallies = std::array<SiteTally, kSpaces>;

struct Tally {
  explicit Tally(std::size_t instructions) : executed(instructions), lanes(instructions), sites(instructions) {}

  std::vector<std::uint64_t> executed, lanes;  // by instruction
  std::vector<SpaceTallies> sites;             // by instruction
  std::uint64_t barriers = 0, accesses = 0, busiest_block = 0;
  std::optional<Footprint> footprint;

  Tally& operator+=(const Tally& o) {
    for (std::size_t i = 0; i < executed.size(); ++i) {
      executed[i] += o.executed[i];
      lanes[i] += o.lanes[i];
      for (std::size_t space = 0; space < kSpaces; ++space) sites[i][space] += o.sites[i][space];
    }
    barriers += o.barriers;
    accesses += o.accesses;
    busiest_block = std::max(busiest_block, o.busiest_block);
    if (footprint && o.footprint) *footprint += *o.footprint;
    return *this;
  }
};

/// The costs of recent accesses. An access whose lanes lie to sectors or banks as those of an earlier one did costs the
/// same; in inner loops nearly all do, and comparing is a tenth of the work of counting. Entries are by instruction and
/// by where the first lane lies, for loops that step through a row go round all places in a sector or over all banks.
class CostCache {
 public:
  /// `schedule`: where loads that compilers join are to cost what they cost joined; or null.
  explicit CostCache(const ScheduleTable* schedule) : schedule_(schedule) {}

  AccessCost cost(const WarpAccess& a) {
    const bool shared = a.space == MemorySpace::shared;
    if (a.active != ~0u) return counted(a);
    const std::uint64_t base = a.address[0];
    const std::uint64_t phase = base % (shared ? kBanks * kBankBytes : kSectorBytes);
    Entry& e = entries_[(a.instruction * kSpread + phase / kBankBytes) % kEntries];
    if (e.known && e.instruction == a.instruction && e.space == a.space && e.phase == phase) {
      std::uint64_t difference = 0;
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) difference |= (a.address[lane] - base) ^ e.relative[lane];
      if (difference == 0) return e.cost;
    }
    e.known = true;
    e.instruction = a.instruction;
    e.space = a.space;
    e.phase = phase;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) e.relative[lane] = a.address[lane] - base;
    e.cost = counted(a);
    return e.cost;
  }

 private:
  AccessCost counted(const WarpAccess& a) const {
    if (a.space != MemorySpace::shared) return global_cost(a);
    AccessCost cost = shared_cost(a);
    if (schedule_ == nullptr || a.active == 0) return cost;
    const ScheduleTable::Instruction& load = schedule_->instructions[a.instruction];
    const std::uint32_t group_bytes = load.group_words * kBankBytes, offset = load.place_in_group * kBankBytes;
    const std::uint64_t address = a.address[std::countr_zero(a.active)];
    if (group_bytes == 0 || (address - offset) % group_bytes != 0) return cost;
    cost.passes = load.joined ? 0 : joined_passes(a, offset, static_cast<std::uint8_t>(group_bytes));
    return cost;
  }

  static std::uint32_t joined_passes(const WarpAccess& a, std::uint32_t offset, std::uint8_t bytes) {
    std::array<std::uint64_t, kWarpSize> first{};
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) first[lane] = a.address[lane] - offset;
    WarpAccess joined = a;
    joined.address = first.data();
    joined.bytes = bytes;
    return shared_cost(joined).passes;
  }

  struct Entry {
    bool known = false;
    MemorySpace space = MemorySpace::global;
    std::uint32_t instruction = 0;
    std::uint64_t phase = 0;
    std::array<std::uint64_t, kWarpSize> relative{};
    AccessCost cost;
  };
  static constexpr std::size_t kEntries = 512;
  static constexpr std::size_t kSpread = 37;  // neighbouring instructions do not share entries
  const ScheduleTable* schedule_;
  std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
};

class CounterBlock : public BlockObserver {
 public:
  CounterBlock(Tally& tally, const ScheduleTable* schedule)
      : tally_(tally), footprint_(tally.footprint ? &*tally.footprint : nullptr), costs_(schedule) {}

  Interests interests() const override { return {.current_values = false, .warp_syncs = false}; }

  void access(const WarpAccess& a) override {
    SiteTally& site = tally_.sites[a.instruction][static_cast<std::size_t>(a.space)];
    const auto lanes = static_cast<std::uint64_t>(std::popcount(a.active));
    site.kind = a.kind;
    ++site.requests;
    ++accesses_;
    site.lanes += lanes;
    site.bytes += lanes * a.bytes;
    if (a.space != MemorySpace::global && a.space != MemorySpace::shared) return;
    const AccessCost cost = costs_.cost(a);
    site.units += cost.units;
    site.ideal += cost.ideal;
    site.passes += cost.passes;
    if (footprint_ != nullptr && a.space == MemorySpace::global) footprint_->access(a);
    if (a.kind == AccessKind::atomic) site.conflicts += cost.conflicts;
  }

  void block_begin(const BlockInfo& block) override {
    threads_ = block.threads;
    accesses_ = 0;
  }

  /// One with a thread count that is the block's holds its warps together like any other.
  void barrier_complete(const BarrierCompletion& completion) override {
    tally_.barriers += completion.whole_block || completion.participants == threads_;
  }

  void block_end(std::span<const std::uint64_t> executed, std::span<const std::uint64_t> lanes) override {
    if (footprint_ != nullptr) footprint_->block_end();
    for (std::size_t i = 0; i < executed.size(); ++i) {
      tally_.executed[i] += executed[i];
      tally_.lanes[i] += lanes[i];
    }
    tally_.accesses += accesses_;
    tally_.busiest_block = std::max(tally_.busiest_block, accesses_);
  }

 private:
  Tally& tally_;
  std::uint32_t threads_ = 0;
  std::uint64_t accesses_ = 0;  // of this block
  Footprint* footprint_;
  CostCache costs_;
};

}  // namespace

struct CounterCollector::State {
  State(const InstructionTable& instructions, std::optional<DetailSources> sources)
      : table(instructions), detail(std::move(sources)) {}

  Tally fresh() const {
    Tally tally(table.entries.size());
    if (detail) tally.footprint.emplace(detail->ranges);
    return tally;
  }

  Tally sum() const {
    Tally total = fresh();
    for (const auto& tally : tallies) total += *tally;
    return total;
  }

  /// A sum over the executed blocks as one over the grid.
  std::uint64_t scaled(std::uint64_t sum) const {
    const std::uint64_t blocks = config.blocks();
    if (executed_blocks == 0 || executed_blocks == blocks) return sum;
    return static_cast<std::uint64_t>(std::llround(static_cast<long double>(sum) * static_cast<long double>(blocks) /
                                                   static_cast<long double>(executed_blocks)));
  }

  double scale() const {
    return executed_blocks == 0 ? 1 : static_cast<double>(config.blocks()) / static_cast<double>(executed_blocks);
  }

  const InstructionTable& table;
  std::optional<DetailSources> detail;
  LaunchConfig config;
  std::uint64_t executed_blocks = 0;
  std::mutex mutex;  // guards the list
  std::vector<std::unique_ptr<Tally>> tallies;
};

CounterCollector::CounterCollector(const InstructionTable& table, std::optional<DetailSources> detail)
    : state_(std::make_unique<State>(table, std::move(detail))) {}
CounterCollector::~CounterCollector() = default;

void CounterCollector::launch_begin(const LaunchInfo& launch) {
  state_->config = launch.config;
  state_->executed_blocks = launch.executed_blocks;
  state_->tallies.clear();
}

std::unique_ptr<BlockObserver> CounterCollector::observe_block() {
  const std::lock_guard lock(state_->mutex);
  state_->tallies.push_back(std::make_unique<Tally>(state_->fresh()));
  return std::make_unique<CounterBlock>(*state_->tallies.back(), state_->detail ? state_->detail->schedule : nullptr);
}

std::map<std::string, std::uint64_t> CounterCollector::counters() const {
  using namespace counter_names;
  std::map<std::string, std::uint64_t> result;
  const auto add = [&](std::string_view name, std::uint64_t n) { result[std::string(name)] += n; };
  for (const auto name : {kWarpInstructions,    kThreadInstructions,    kFloat16Operations,    kFloat32Operations,
                          kFloat64Operations,   kGlobalLoadRequests,    kGlobalLoadSectors,    kGlobalLoadBytes,
                          kGlobalStoreRequests, kGlobalStoreSectors,    kGlobalStoreBytes,     kGlobalAtomicRequests,
                          kGlobalAtomicSectors, kGlobalAtomicConflicts, kSharedLoadRequests,   kSharedLoadWavefronts,
                          kSharedStoreRequests, kSharedStoreWavefronts, kSharedAtomicRequests, kSharedAtomicConflicts,
                          kSharedBankConflicts, kLocalRequests,         kConstantRequests,     kBarriers}) {
    add(name, 0);
  }
  const Tally total = state_->sum();
  for (std::size_t i = 0; i < total.executed.size(); ++i) {
    const auto& entry = state_->table.entries[i];
    add(kWarpInstructions, total.executed[i]);
    add(kThreadInstructions, total.lanes[i]);
    if (total.executed[i] != 0) {
      add(std::string(name_of(entry.kind)) + std::string(kInstructionsSuffix), total.executed[i]);
    }
    const std::uint64_t operations = total.lanes[i] * entry.operations;
    if (entry.kind == OpcodeClass::float16) add(kFloat16Operations, operations);
    if (entry.kind == OpcodeClass::float32) add(kFloat32Operations, operations);
    if (entry.kind == OpcodeClass::float64) add(kFloat64Operations, operations);

    const SiteTally& global = total.sites[i][static_cast<std::size_t>(MemorySpace::global)];
    const SiteTally& shared = total.sites[i][static_cast<std::size_t>(MemorySpace::shared)];
    add(kSharedBankConflicts, shared.units - shared.ideal);
    switch (global.kind) {
      case AccessKind::load:
        add(kGlobalLoadRequests, global.requests);
        add(kGlobalLoadSectors, global.units);
        add(kGlobalLoadBytes, global.bytes);
        break;
      case AccessKind::store:
        add(kGlobalStoreRequests, global.requests);
        add(kGlobalStoreSectors, global.units);
        add(kGlobalStoreBytes, global.bytes);
        break;
      case AccessKind::atomic:
        add(kGlobalAtomicRequests, global.requests);
        add(kGlobalAtomicSectors, global.units);
        add(kGlobalAtomicConflicts, global.conflicts);
        break;
    }
    switch (shared.kind) {
      case AccessKind::load:
        add(kSharedLoadRequests, shared.requests);
        add(kSharedLoadWavefronts, shared.units);
        break;
      case AccessKind::store:
        add(kSharedStoreRequests, shared.requests);
        add(kSharedStoreWavefronts, shared.units);
        break;
      case AccessKind::atomic:
        add(kSharedAtomicRequests, shared.requests);
        add(kSharedAtomicConflicts, shared.conflicts);
        break;
    }
    add(kLocalRequests, total.sites[i][static_cast<std::size_t>(MemorySpace::local)].requests);
    add(kConstantRequests, total.sites[i][static_cast<std::size_t>(MemorySpace::constant)].requests);
  }
  add(kBarriers, total.barriers);
  if (state_->detail) {
    const WarpPath path = warp_path(*state_->detail->schedule, total.executed);
    for (const auto& [name, count] : {std::pair{kPathIssues, path.issues},
                                      {kPathArithmetic, path.arithmetic},
                                      {kPathSpecial, path.special},
                                      {kPathShared, path.shared},
                                      {kPathGlobal, path.global},
                                      {kPathBarriers, path.barriers}}) {
      add(name, static_cast<std::uint64_t>(count));
    }
    for (const SpaceTallies& site : total.sites) {
      add(kGlobalPasses, site[static_cast<std::size_t>(MemorySpace::global)].passes);
      add(kSharedPasses, site[static_cast<std::size_t>(MemorySpace::shared)].passes);
    }
    for (std::size_t i = 0; i < total.executed.size(); ++i) {
      if (state_->detail->schedule->instructions[i].issues()) add(kIssuedInstructions, total.executed[i]);
    }
    add(kAccesses, total.accesses);
    add(kBlockLoadSectors, total.footprint->block_loads());
    add(kBlockStoreSectors, total.footprint->block_stores());
  }
  for (auto& [name, value] : result) value = state_->scaled(value);
  if (state_->detail) add(kBusiestBlockAccesses, total.busiest_block);
  if (total.footprint) {
    add(kLaunchLoadSectors, static_cast<std::uint64_t>(total.footprint->launch_loads(state_->scale())));
    add(kLaunchStoreSectors, static_cast<std::uint64_t>(total.footprint->launch_stores(state_->scale())));
    add(kLaunchAtomicSectors, static_cast<std::uint64_t>(total.footprint->launch_atomics(state_->scale())));
  }
  add(kBlocks, state_->config.blocks());
  add(kThreads, state_->config.blocks() * state_->config.threads_per_block());
  return result;
}

std::map<std::string, std::map<std::uint32_t, std::uint64_t>> CounterCollector::coverage() const {
  std::map<std::string, std::map<std::uint32_t, std::uint64_t>> result;
  const Tally total = state_->sum();
  for (std::size_t i = 0; i < total.lanes.size(); ++i) {
    const SourcePlace& place = state_->table.entries[i].place;
    if (!place.known()) continue;
    std::uint64_t& line = result[place.file][place.line];
    line = std::max(line, total.lanes[i]);
  }
  return result;
}

std::uint64_t CounterCollector::executed_blocks() const {
  return state_->executed_blocks;
}

std::vector<std::uint64_t> CounterCollector::lanes() const {
  std::vector<std::uint64_t> lanes(state_->table.entries.size());
  for (const auto& tally : state_->tallies) {
    for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] += tally->lanes[i];
  }
  return lanes;
}

std::vector<AccessSite> CounterCollector::access_sites() const {
  std::vector<AccessSite> result;
  const Tally total = state_->sum();
  for (std::size_t i = 0; i < total.sites.size(); ++i) {
    for (const MemorySpace space : {MemorySpace::global, MemorySpace::shared}) {
      const SiteTally& site = total.sites[i][static_cast<std::size_t>(space)];
      if (site.requests == 0) continue;
      result.push_back({state_->table.entries[i].place, site.kind, space, site.requests, site.lanes, site.bytes,
                        site.units, site.ideal});
    }
  }
  return result;
}

}  // namespace cudalabs::vgpu
