// Executes one kernel launch: hands out its blocks, lets them run, gathers what they leave.
#include "vgpu/exec/launcher.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "vgpu/exec/block.h"
#include "vgpu/exec/block_sample.h"
#include "vgpu/exec/cluster.h"
#include "vgpu/exec/late_stores.h"
#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

namespace {

constexpr std::uint64_t kNoBlock = std::numeric_limits<std::uint64_t>::max();
/// All blocks' text together; later blocks lose theirs, as they would in a device's buffer.
constexpr std::size_t kMostOutput = 8u << 20;

/// Local memory of all blocks in execution together; one block alone has at most as much.
constexpr std::uint64_t kMostLocalMemory = 512ull << 20;

/// How many blocks of this launch may be in execution at a time, for the memory that their threads need.
std::uint64_t blocks_that_fit(const LaunchRequest& request) {
  const std::uint64_t warps = (request.config.threads_per_block() + kWarpSize - 1) / kWarpSize;
  const std::uint64_t bytes = warps * kWarpSize * std::max(request.kernel->local_bytes, 1u);
  return std::max<std::uint64_t>(kMostLocalMemory / std::max<std::uint64_t>(bytes, 1), 1);
}

/// What the workers of a launch share and change. In a launch of clusters, it is whole ones that are handed out.
class Grid {
 public:
  /// `together`: how many blocks change places with each other.
  Grid(const BlockSample& blocks, BeginOrder order, std::uint64_t together)
      : blocks_(blocks), order_(order), together_(together) {}

  /// The number of a block that nobody has begun, or kNoBlock.
  std::uint64_t take() {
    const std::uint64_t place = next_.fetch_add(1, std::memory_order_relaxed);
    return place < blocks_.size() && !stopped() ? blocks_[in_order(place)] : kNoBlock;
  }
  /// No further blocks are begun.
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  std::uint64_t size() const { return blocks_.size(); }
  bool all_taken() const { return next_.load(std::memory_order_relaxed) >= blocks_.size(); }

  /// Keeps what a finished or failed block leaves.
  void collect(Block* block) {
    if (block->error == LaunchError::none && block->output.empty() && block->launches.empty()) return;
    const std::lock_guard lock(mutex_);
    if (block->error != LaunchError::none && block->number < failed_block_) {
      failed_block_ = block->number;
      result_.error = block->error;
      result_.block = block->number;
      result_.instruction = block->error_instruction;
      result_.endless = block->endless;
      result_.assertion = std::move(block->assertion);
    }
    if (!block->output.empty()) keep_output(block->number, std::move(block->output));
    if (!block->launches.empty()) launches_[block->number] = std::move(block->launches);
  }

  LaunchResult result() {
    result_.cut_short = stopped();
    for (const auto& [number, text] : outputs_) {
      if (result_.output.size() >= kMostOutput) break;
      result_.output.append(text, 0, kMostOutput - result_.output.size());
    }
    for (auto& [number, asked] : launches_) {
      result_.launches.insert(result_.launches.end(), asked.begin(), asked.end());
    }
    return std::move(result_);
  }

 private:
  /// Only one thread asks where blocks change places.
  std::uint64_t in_order(std::uint64_t place) {
    if (order_.kind == BeginOrder::Kind::ascending || together_ == 1) return place;
    const std::uint64_t group = place / together_, first = group * together_;
    if (place == first) group_ = begin_order(order_, group, std::min(together_, blocks_.size() - first));
    return first + group_[place - first];
  }

  /// Only as much as the result will hold: the text of the first blocks, whichever end first.
  void keep_output(std::uint64_t number, std::string text) {
    output_bytes_ += text.size();
    outputs_[number] = std::move(text);
    while (output_bytes_ - outputs_.rbegin()->second.size() >= kMostOutput) {
      output_bytes_ -= outputs_.rbegin()->second.size();
      outputs_.erase(std::prev(outputs_.end()));
    }
  }

  const BlockSample& blocks_;
  const BeginOrder order_;
  const std::uint64_t together_;
  std::vector<std::uint64_t> group_;  // that begins now
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::uint64_t failed_block_ = kNoBlock;
  LaunchResult result_;
  std::map<std::uint64_t, std::string> outputs_;  // by block
  std::size_t output_bytes_ = 0;
  std::map<std::uint64_t, std::vector<DeviceLaunch>> launches_;  // by block
};

/// Of a cooperative launch, whose blocks are all in execution at a time.
constexpr std::uint64_t kMostCooperativeLocalMemory = 4ull << 30;

std::uint64_t most_resident_blocks(const LaunchRequest& request, std::uint64_t blocks) {
  if (!request.config.cooperative) return std::min(request.resident_blocks, blocks_that_fit(request));
  const std::uint64_t bytes = request.config.threads_per_block() * std::uint64_t{request.kernel->local_bytes};
  if (bytes != 0 && blocks > kMostCooperativeLocalMemory / bytes) throw std::bad_alloc();
  return blocks;
}

/// Blocks of the launch know of their cluster.
bool has_clusters(const LaunchRequest& request) {
  return request.kernel->uses_clusters || request.config.blocks_per_cluster() > 1;
}

/// A cluster in execution, with its blocks that have ended: others may name them.
struct ClusterInExecution {
  Cluster cluster;
  std::vector<std::unique_ptr<Block>> ended;
};

/// Where only samples of a cooperative launch's blocks are executed, the others are taken to have come to the grid's
/// barrier as soon as all that are executed have: the word is then short by their number.
void arrive_for_others(const LaunchRequest& request, std::uint64_t executed, GlobalMemory& memory) {
  const auto others = static_cast<std::uint32_t>(request.config.blocks() - executed);
  if (request.grid_workspace == 0 || others == 0) return;
  constexpr std::uint32_t kArrivals = 0x7fff'ffff;
  const std::uint64_t address = request.grid_workspace + kGridBarrierOffset;
  std::uint32_t word = 0;
  std::memcpy(&word, memory.host(address), sizeof word);
  if (((word + others) & kArrivals) != 0) return;
  word += others;
  memory.journal().before_write(address - kGlobalBase, sizeof word);
  std::memcpy(memory.host(address), &word, sizeof word);
}

std::unique_ptr<Worker> make_worker(Launch& launch) {
  auto worker = std::make_unique<Worker>(launch.processor_time);
  worker->launch = &launch;
  worker->memory = launch.memory;
  worker->sites.resize(launch.code->memory.size());
  worker->spare_frames.resize(launch.code->functions.size());
  return worker;
}

bool abandoned(const LaunchRequest& request) {
  return request.abandoned && request.abandoned();
}

// After a block that did not finish, the launch is lost, unless it is to tell how slow its blocks are.
bool ends_launch(const LaunchRequest& request, const Grid& grid, const Block& block) {
  if (!request.stops_slow_blocks || block.error != LaunchError::too_many_instructions) return true;
  const bool all_there = grid.size() == request.config.blocks();  // with clusters it never is
  return !all_there && std::ranges::any_of(block.warps, [](const auto& warp) { return warp->talked; });
}

// One worker of several: block after block, each from start to end.
void run_blocks(const LaunchRequest& request, Launch& launch, Grid& grid) {
  const std::unique_ptr<Worker> worker = make_worker(launch);
  const std::unique_ptr<Block> block = make_block(worker.get(), request.observers);
  for (std::uint64_t number = grid.take(); number != kNoBlock;) {
    start_block(block.get(), number);
    RoundEnd end = RoundEnd::running;
    while (end == RoundEnd::running || end == RoundEnd::spinning) {
      if (abandoned(request)) break;
      end = run_round(block.get());
    }
    if (end != RoundEnd::finished && ends_launch(request, grid, *block)) grid.stop();
    number = grid.take();
    end_block(block.get(), number == kNoBlock);
    grid.collect(block.get());
  }
}

// One worker alone: blocks in order; one that only waits for others lets later ones run, as many as the device would
// hold. The blocks of a cluster begin together, and their memory is there until all of them have ended.
void run_blocks_in_turn(const LaunchRequest& request, Launch& launch, Grid& grid, std::uint64_t blocks,
                        std::uint64_t most_resident) {
  const std::unique_ptr<Worker> worker = make_worker(launch);
  std::vector<std::unique_ptr<Block>> idle;
  std::deque<std::unique_ptr<Block>> resident;
  std::map<const Cluster*, std::unique_ptr<ClusterInExecution>> clusters;
  const bool clustered = has_clusters(request);
  const std::uint32_t together = request.config.blocks_per_cluster();
  const auto begin_next = [&] {
    const std::uint64_t number = grid.take();
    if (number == kNoBlock) return false;
    auto begun = clustered ? std::make_unique<ClusterInExecution>() : nullptr;
    for (std::uint32_t rank = 0; rank < together; ++rank) {
      if (idle.empty()) idle.push_back(make_block(worker.get(), request.observers));
      resident.push_back(std::move(idle.back()));
      idle.pop_back();
      Block* block = resident.back().get();
      start_block(block, together == 1 ? number : block_of_cluster({number, rank}, request.config));
      if (!clustered) continue;
      block->cluster = &begun->cluster;
      begun->cluster.blocks.push_back(block);
    }
    if (request.order.kind == BeginOrder::Kind::descending)
      std::reverse(resident.end() - static_cast<std::ptrdiff_t>(together), resident.end());
    if (clustered) clusters.emplace(&begun->cluster, std::move(begun));
    return true;
  };
  const auto finish = [&](std::unique_ptr<Block> block) {
    end_block(block.get(), grid.all_taken() || grid.stopped());
    grid.collect(block.get());
    if (!clustered) return idle.push_back(std::move(block));
    const auto of = clusters.find(block->cluster);
    std::vector<std::unique_ptr<Block>>& ended = of->second->ended;
    ended.push_back(std::move(block));
    if (ended.size() < together) return;
    std::ranges::move(ended, std::back_inserter(idle));
    clusters.erase(of);
  };
  while (!resident.empty() || begin_next()) {
    std::unique_ptr<Block> block = std::move(resident.front());
    resident.pop_front();
    for (MemorySite& site : worker->sites) {
      if (site.space == MemorySpace::shared) site = {};  // every block has shared memory of its own
    }
    RoundEnd end = RoundEnd::running;
    resume_block(block.get());
    while (end == RoundEnd::running && !abandoned(request)) end = run_round(block.get());
    arrive_for_others(request, blocks, *launch.memory);
    if (end == RoundEnd::finished || (end == RoundEnd::failed && !ends_launch(request, grid, *block))) {
      finish(std::move(block));
      continue;
    }
    if (end == RoundEnd::waiting && !is_stuck(*block->cluster)) {
      give_way(block.get(), true);
      resident.push_back(std::move(block));
      continue;
    }
    if (end == RoundEnd::spinning || end == RoundEnd::giving_way) {
      const bool room = resident.size() + together < most_resident;
      give_way(block.get(), end == RoundEnd::spinning);
      const bool began = room && begin_next();
      resident.push_back(std::move(block));
      // Nobody passes a barrier of the grid before all have come: those that have not begun go first.
      if (began && request.config.cooperative)
        std::rotate(resident.begin(), resident.end() - 1 - static_cast<std::ptrdiff_t>(together), resident.end() - 1);
      continue;
    }
    if (end == RoundEnd::waiting) report_deadlock_of_cluster(block.get());
    grid.stop();
    finish(std::move(block));
    while (!resident.empty()) {
      finish(std::move(resident.front()));
      resident.pop_front();
    }
  }
}

}  // namespace

LaunchResult run_launch(const LaunchRequest& request, GlobalMemory& memory, WorkerPool& pool) {
  const BlockSample blocks(request.config, request.sampled_blocks);
  Launch launch;
  launch.program = request.program;
  launch.code = &request.program->code(*request.kernel);
  launch.first_instruction = request.program->functions()[request.kernel->function].first;
  launch.config = request.config;
  launch.memory = &memory;
  launch.images = request.images;
  launch.heap_bytes = request.heap_bytes;
  launch.parameters = request.parameters;
  launch.shared_bytes = request.kernel->static_shared_bytes + request.config.dynamic_shared_bytes;
  launch.multiprocessors = std::max(1u, request.multiprocessors);
  launch.instruction_limit = request.instruction_limit;
  if (request.never_left != nullptr && !request.never_left->empty() && request.sampled_blocks == 0)
    launch.never_left = request.never_left;
  launch.processor_time = request.processor_time;
  launch.interrupted = request.interrupted;
  launch.grid_number = request.grid_number;
  launch.depth = request.depth;
  launch.can_launch = request.can_launch;
  launch.inactive_lane = request.inactive_lane;
  launch.shared_begins_with = request.shared_begins_with;
  launch.grid_workspace = request.grid_workspace;
  const auto workers =
      static_cast<unsigned>(std::min({std::uint64_t{pool.size()}, blocks.size(), blocks_that_fit(request)}));
  const bool together =
      request.kernel->concurrent && !request.one_at_a_time && !request.disorder && !has_clusters(request);
  launch.concurrent = together && workers > 1;
  std::optional<LateStoresOfLaunch> late_stores;
  if (request.disorder) launch.late_stores = &late_stores.emplace(memory, *request.disorder);

  const LaunchInfo info{.program = request.program,
                        .kernel = request.kernel,
                        .config = request.config,
                        .shared_bytes = launch.shared_bytes,
                        .executed_blocks = blocks.size() * request.config.blocks_per_cluster(),
                        .concurrent = launch.concurrent};
  for (Observer* observer : request.observers) observer->launch_begin(info);
  const std::uint64_t most_resident = together ? 1 : most_resident_blocks(request, info.executed_blocks);
  Grid grid(blocks, request.order, std::max<std::uint64_t>(most_resident / request.config.blocks_per_cluster(), 1));
  if (together) {
    pool.run(workers, [&](unsigned) { run_blocks(request, launch, grid); });
  } else {
    run_blocks_in_turn(request, launch, grid, info.executed_blocks, most_resident);
  }
  if (late_stores) late_stores->publish();
  for (Observer* observer : request.observers) observer->launch_end();
  return grid.result();
}

}  // namespace cudalabs::vgpu::exec
