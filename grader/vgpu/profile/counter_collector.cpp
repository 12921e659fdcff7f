// Every block observer counts into a tally of its own; the results are sums over the tallies.
#include "vgpu/profile/counter_collector.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <mutex>

#include "vgpu/profile/cost_cache.h"
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

constexpr std::size_t kSpaces = 4, kAccessKinds = 3;
constexpr std::size_t kOpcodeClasses = static_cast<std::size_t>(OpcodeClass::other) + 1;
using SpaceTallies = std::array<SiteTally, kSpaces>;

struct Tally {
  explicit Tally(std::uint32_t instructions)
      : executed(instructions), lanes(instructions), site_numbers(instructions, kNoSite) {}

  // By the instruction's number:
  std::vector<std::uint64_t> executed, lanes;
  std::vector<std::uint32_t> site_numbers;  // into `sites`; kNoSite: no access yet
  std::vector<SpaceTallies> sites;
  std::uint64_t barriers = 0, accesses = 0, busiest_block = 0;
  std::optional<Footprint> footprint;

  SpaceTallies& site(std::uint32_t number) {
    std::uint32_t& site = site_numbers[number];
    if (site == kNoSite) {
      site = static_cast<std::uint32_t>(sites.size());
      sites.emplace_back();
    }
    return sites[site];
  }
  /// Of an instruction that made no access: all zeros.
  const SpaceTallies& site(std::uint32_t number) const {
    static const SpaceTallies none{};
    return site_numbers[number] == kNoSite ? none : sites[site_numbers[number]];
  }

  Tally& operator+=(const Tally& o) {
    for (std::uint32_t i = 0; i < executed.size(); ++i) {
      executed[i] += o.executed[i];
      lanes[i] += o.lanes[i];
      if (o.site_numbers[i] == kNoSite) continue;
      SpaceTallies& mine = site(i);
      for (std::size_t space = 0; space < kSpaces; ++space) mine[space] += o.site(i)[space];
    }
    barriers += o.barriers;
    accesses += o.accesses;
    busiest_block = std::max(busiest_block, o.busiest_block);
    if (footprint && o.footprint) *footprint += *o.footprint;
    return *this;
  }

 private:
  static constexpr std::uint32_t kNoSite = ~0u;
};

class CounterBlock : public BlockObserver {
 public:
  CounterBlock(Tally& tally, const KernelInstructions& kernel, bool accesses, const ScheduleTable* schedule)
      : tally_(tally),
        kernel_(kernel),
        wants_accesses_(accesses),
        footprint_(tally.footprint ? &*tally.footprint : nullptr),
        costs_(schedule) {}

  Interests interests() const override {
    return {.accesses = wants_accesses_,
            .current_values = false,
            .warp_syncs = false,
            .bulk_copies = false,
            .load_runs = footprint_ == nullptr};
  }

  void access(const WarpAccess& a) override {
    if (a.space == MemorySpace::cluster) return;  // no counter is for that
    SiteTally& site = tally_.site(kernel_.number(a.instruction))[static_cast<std::size_t>(a.space)];
    // Counting bits takes a call where the processor need not have an instruction for it.
    const std::uint64_t lanes = a.active == ~0u ? kWarpSize : static_cast<std::uint64_t>(std::popcount(a.active));
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

  void load_run(const LoadRun& run) override {
    const WarpAccess& a = run.first;
    SiteTally& site = tally_.site(kernel_.number(a.instruction))[static_cast<std::size_t>(a.space)];
    site.kind = a.kind;
    site.requests += run.count;
    accesses_ += run.count;
    site.lanes += std::uint64_t{run.count} * kWarpSize;
    site.bytes += std::uint64_t{run.count} * kWarpSize * a.bytes;
    // What a load of global memory costs depends on where in a sector it begins, and loads begin at the same places
    // again and again.
    const std::uint32_t period = a.space == MemorySpace::global ? steps_to_same_place(run.advance) : 1;
    for (std::uint32_t step = 0; step < std::min(period, run.count); ++step) {
      run.visit(step, step + 1, [&](const WarpAccess& load) {
        const AccessCost cost = costs_.cost(load);
        const std::uint64_t times = (run.count - step + period - 1) / period;
        site.units += times * cost.units;
        site.ideal += times * cost.ideal;
        site.passes += times * cost.passes;
      });
    }
  }

  void block_begin(const BlockInfo& block) override {
    threads_ = block.threads;
    accesses_ = 0;
  }

  /// One with a thread count that is the block's holds its warps together like any other.
  void barrier_complete(const BarrierCompletion& completion) override {
    tally_.barriers += completion.whole_block || completion.participants == threads_;
  }

  void block_end(std::span<const InstructionCount> counts) override {
    if (footprint_ != nullptr) footprint_->block_end();
    for (const InstructionCount& count : counts) {
      const std::uint32_t number = kernel_.number(count.instruction);
      tally_.executed[number] += count.executed;
      tally_.lanes[number] += count.lanes;
    }
    tally_.accesses += accesses_;
    tally_.busiest_block = std::max(tally_.busiest_block, accesses_);
  }

 private:
  static constexpr std::uint32_t steps_to_same_place(std::uint64_t advance) {
    std::uint32_t steps = 1;
    while (steps * advance % kSectorBytes != 0) ++steps;
    return steps;
  }

  Tally& tally_;
  const KernelInstructions& kernel_;
  bool wants_accesses_;
  std::uint32_t threads_ = 0;
  std::uint64_t accesses_ = 0;  // of this block
  Footprint* footprint_;
  CostCache costs_;
};

}  // namespace

struct CounterCollector::State {
  State(const InstructionTable& instructions, KernelInstructions numbers, bool with_accesses,
        std::optional<DetailSources> sources)
      : table(instructions), kernel(std::move(numbers)), accesses(with_accesses), detail(std::move(sources)) {}

  Tally& add_tally() {
    Tally& tally = *tallies.emplace_back(std::make_unique<Tally>(kernel.size()));
    if (detail) tally.footprint.emplace(detail->ranges);
    return tally;
  }

  /// After the launch: the sum over the tallies, which are one from then on.
  const Tally& total() {
    if (tallies.empty()) add_tally();
    for (; tallies.size() > 1; tallies.pop_back()) *tallies.front() += *tallies.back();
    return *tallies.front();
  }

  /// Calls `visit(instruction, number)` for the kernel's instructions, in the program's order.
  template <class Visit>
  void for_each_instruction(Visit visit) const {
    for (const KernelInstructions::Function& function : kernel.functions()) {
      for (std::uint32_t i = 0; i < function.count; ++i) visit(function.first + i, function.number + i);
    }
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
  const KernelInstructions kernel;
  const bool accesses;  // are counted
  std::optional<DetailSources> detail;
  LaunchConfig config;
  std::uint64_t executed_blocks = 0;
  std::mutex mutex;  // guards the list
  std::vector<std::unique_ptr<Tally>> tallies;
};

CounterCollector::CounterCollector(const InstructionTable& table, KernelInstructions kernel, bool accesses)
    : state_(std::make_unique<State>(table, std::move(kernel), accesses, std::nullopt)) {}
CounterCollector::CounterCollector(const InstructionTable& table, KernelInstructions kernel, DetailSources detail)
    : state_(std::make_unique<State>(table, std::move(kernel), true, std::move(detail))) {}
CounterCollector::~CounterCollector() = default;

void CounterCollector::launch_begin(const LaunchInfo& launch) {
  state_->config = launch.config;
  state_->executed_blocks = launch.executed_blocks;
  state_->tallies.clear();
}

std::unique_ptr<BlockObserver> CounterCollector::observe_block() {
  const std::lock_guard lock(state_->mutex);
  return std::make_unique<CounterBlock>(state_->add_tally(), state_->kernel, state_->accesses,
                                        state_->detail ? state_->detail->schedule : nullptr);
}

std::map<std::string, std::uint64_t> CounterCollector::counters() const {
  using namespace counter_names;
  const Tally& total = state_->total();
  // Sums by number first: a look-up by name for each instruction would cost more than a small launch.
  std::uint64_t warp_instructions = 0, thread_instructions = 0, bank_conflicts = 0;
  std::array<std::uint64_t, kOpcodeClasses> executed{}, operations{};
  std::array<std::array<SiteTally, kAccessKinds>, kSpaces> accesses{};
  state_->for_each_instruction([&](std::uint32_t instruction, std::uint32_t number) {
    const InstructionTable::Entry& entry = state_->table.entries[instruction];
    const auto kind = static_cast<std::size_t>(entry.kind);
    warp_instructions += total.executed[number];
    thread_instructions += total.lanes[number];
    executed[kind] += total.executed[number];
    operations[kind] += total.lanes[number] * entry.operations;
    const SpaceTallies& site = total.site(number);
    for (std::size_t space = 0; space < kSpaces; ++space)
      accesses[space][static_cast<std::size_t>(site[space].kind)] += site[space];
    const SiteTally& shared = site[static_cast<std::size_t>(MemorySpace::shared)];
    bank_conflicts += shared.units - shared.ideal;
  });
  const auto all = [&](MemorySpace space, AccessKind kind) -> const SiteTally& {
    return accesses[static_cast<std::size_t>(space)][static_cast<std::size_t>(kind)];
  };
  const auto requests = [&](MemorySpace space) {
    return all(space, AccessKind::load).requests + all(space, AccessKind::store).requests +
           all(space, AccessKind::atomic).requests;
  };
  const auto of_kind = [](const auto& sums, OpcodeClass kind) { return sums[static_cast<std::size_t>(kind)]; };

  std::map<std::string, std::uint64_t> result;
  const auto add = [&](std::string_view name, std::uint64_t n) { result[std::string(name)] += n; };
  add(kWarpInstructions, warp_instructions);
  add(kThreadInstructions, thread_instructions);
  for (std::size_t kind = 0; kind < kOpcodeClasses; ++kind) {
    if (executed[kind] == 0) continue;
    add(std::string(name_of(static_cast<OpcodeClass>(kind))) + std::string(kInstructionsSuffix), executed[kind]);
  }
  add(kFloat16Operations, of_kind(operations, OpcodeClass::float16));
  add(kFloat32Operations, of_kind(operations, OpcodeClass::float32));
  add(kFloat64Operations, of_kind(operations, OpcodeClass::float64));
  if (state_->accesses) {
    const SiteTally& global_loads = all(MemorySpace::global, AccessKind::load);
    add(kGlobalLoadRequests, global_loads.requests);
    add(kGlobalLoadSectors, global_loads.units);
    add(kGlobalLoadBytes, global_loads.bytes);
    const SiteTally& global_stores = all(MemorySpace::global, AccessKind::store);
    add(kGlobalStoreRequests, global_stores.requests);
    add(kGlobalStoreSectors, global_stores.units);
    add(kGlobalStoreBytes, global_stores.bytes);
    const SiteTally& global_atomics = all(MemorySpace::global, AccessKind::atomic);
    add(kGlobalAtomicRequests, global_atomics.requests);
    add(kGlobalAtomicSectors, global_atomics.units);
    add(kGlobalAtomicConflicts, global_atomics.conflicts);
    const SiteTally& shared_loads = all(MemorySpace::shared, AccessKind::load);
    add(kSharedLoadRequests, shared_loads.requests);
    add(kSharedLoadWavefronts, shared_loads.units);
    const SiteTally& shared_stores = all(MemorySpace::shared, AccessKind::store);
    add(kSharedStoreRequests, shared_stores.requests);
    add(kSharedStoreWavefronts, shared_stores.units);
    const SiteTally& shared_atomics = all(MemorySpace::shared, AccessKind::atomic);
    add(kSharedAtomicRequests, shared_atomics.requests);
    add(kSharedAtomicConflicts, shared_atomics.conflicts);
    add(kSharedBankConflicts, bank_conflicts);
    add(kLocalRequests, requests(MemorySpace::local));
    add(kConstantRequests, requests(MemorySpace::constant));
  }
  add(kBarriers, total.barriers);
  if (state_->detail) {
    const WarpPath path = warp_path(*state_->detail->schedule, state_->kernel, total.executed);
    for (const auto& [name, count] : {std::pair{kPathIssues, path.issues},
                                      {kPathArithmetic, path.arithmetic},
                                      {kPathSpecial, path.special},
                                      {kPathShared, path.shared},
                                      {kPathGlobal, path.global},
                                      {kPathBarriers, path.barriers}}) {
      add(name, static_cast<std::uint64_t>(count));
    }
    for (const AccessKind kind : {AccessKind::load, AccessKind::store, AccessKind::atomic}) {
      add(kGlobalPasses, all(MemorySpace::global, kind).passes);
      add(kSharedPasses, all(MemorySpace::shared, kind).passes);
    }
    state_->for_each_instruction([&](std::uint32_t instruction, std::uint32_t number) {
      const ScheduleTable::Instruction& scheduled = state_->detail->schedule->instructions[instruction];
      if (scheduled.issues()) add(kIssuedInstructions, total.executed[number]);
      if (scheduled.asks)
        add(kGlobalAtomicQuestions, total.site(number)[static_cast<std::size_t>(MemorySpace::global)].requests);
    });
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

std::uint64_t CounterCollector::executed_blocks() const {
  return state_->executed_blocks;
}

const KernelInstructions& CounterCollector::kernel() const {
  return state_->kernel;
}

std::span<const std::uint64_t> CounterCollector::lanes() const {
  return state_->total().lanes;
}

std::vector<AccessSite> CounterCollector::access_sites() const {
  std::vector<AccessSite> result;
  const Tally& total = state_->total();
  state_->for_each_instruction([&](std::uint32_t instruction, std::uint32_t number) {
    for (const MemorySpace space : {MemorySpace::global, MemorySpace::shared}) {
      const SiteTally& site = total.site(number)[static_cast<std::size_t>(space)];
      if (site.requests == 0) continue;
      const std::uint32_t line = state_->table.entries[instruction].line;
      const SourcePlace where = line == InstructionTable::kNoLine ? SourcePlace{} : state_->table.lines[line];
      result.push_back({where, site.kind, space, site.requests, site.lanes, site.bytes, site.units, site.ideal});
    }
  });
  return result;
}

}  // namespace cudalabs::vgpu
