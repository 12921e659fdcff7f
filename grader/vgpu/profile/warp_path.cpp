// List scheduling of each region on a warp by itself, then back along what the last instruction waited for.
#include "vgpu/profile/warp_path.h"

#include <algorithm>
#include <array>
#include <queue>
#include <vector>

#include "vgpu/analysis/flow_graph.h"
#include "vgpu/profile/unrolling.h"

namespace cudalabs::vgpu {
namespace {

// What the order is chosen by, in cycles; about what GPUs of the last years have.
constexpr int kArithmeticTime = 4, kSpecialTime = 20, kSharedTime = 25, kGlobalTime = 500, kBarrierTime = 25;
constexpr std::uint32_t kNobody = ~0u;

// What compilers keep to in registers. (Seen in nvcc 13's code for compute capability 9.0: two or three loads ahead in
// a loop with 38 registers, 13 in one with 20 before its loads.)
constexpr std::uint32_t kFullOccupancy = 32;  // a thread, of which 2,048 fit on a multiprocessor
constexpr std::uint32_t kStep = 8;            // registers are given to warps so many a thread
constexpr std::uint32_t kLeastRoom = 4;       // registers for loads; fewer would make every load wait by itself

int cycles(WaitKind kind) {
  switch (kind) {
    case WaitKind::none:
      return 0;
    case WaitKind::issue:
    case WaitKind::copy_wait:
      return 1;
    case WaitKind::arithmetic:
      return kArithmeticTime;
    case WaitKind::special:
      return kSpecialTime;
    case WaitKind::shared:
      return kSharedTime;
    case WaitKind::global:
    case WaitKind::copy:
      return kGlobalTime;
    case WaitKind::barrier:
      return kBarrierTime;
  }
  return 1;
}

void add_wait(WarpPath& path, WaitKind kind) {
  switch (kind) {
    case WaitKind::none:
      break;
    case WaitKind::issue:
    case WaitKind::copy_wait:
      path.issues += 1;
      break;
    case WaitKind::arithmetic:
      path.arithmetic += 1;
      break;
    case WaitKind::special:
      path.special += 1;
      break;
    case WaitKind::shared:
      path.shared += 1;
      break;
    case WaitKind::global:
    case WaitKind::copy:
      path.global += 1;
      break;
    case WaitKind::barrier:
      path.barriers += 1;
      break;
  }
}

/// An instruction waits for `from`: for its result, or only until it has been issued.
struct Edge {
  std::uint32_t from = kNobody;
  bool result = true;
};
struct Follower {
  std::uint32_t who = kNobody;
  bool result = true;
};

/// How many 32-bit registers may hold results of loads that nobody has read yet, when `alive` hold other values: a
/// compiler moves loads forward as long as they cost no warp its place on the multiprocessor, and no longer.
std::uint32_t room_for_loads(std::uint32_t alive) {
  const std::uint32_t registers = std::max(kFullOccupancy, (alive + kLeastRoom + kStep - 1) / kStep * kStep);
  return registers - alive;
}

/// One iteration of a region.
class Schedule {
 public:
  /// `alive`: 32-bit registers that hold values when it begins.
  Schedule(const ScheduleTable& table, const ScheduleTable::Function& function,
           const std::vector<std::uint32_t>& sequence, std::uint32_t alive)
      : table_(table),
        function_(function),
        sequence_(sequence),
        room_(room_for_loads(alive)),
        waits_for_(sequence.size()),
        followers_(sequence.size()) {
    link(static_cast<std::uint32_t>(function.words.size()));
    issue();
  }

  WarpPath path() const {
    WarpPath path;
    std::uint32_t last = kNobody;
    int end = -1;
    for (std::uint32_t i = 0; i < sequence_.size(); ++i) {
      if (issued_[i] + cycles(kind(i)) > end) end = issued_[last = i] + cycles(kind(i));
    }
    if (last == kNobody) return path;
    add_wait(path, kind(last));
    for (std::uint32_t at = last; at != kNobody;) {
      const Cause& cause = causes_[at];
      if (cause.who != kNobody) add_wait(path, cause.result ? kind(cause.who) : WaitKind::issue);
      at = cause.who;
    }
    return path;
  }

 private:
  struct Cause {
    std::uint32_t who = kNobody;
    bool result = false;
  };

  WaitKind kind(std::uint32_t place) const { return table_.instructions[sequence_[place]].kind; }
  int delay(const Edge& edge) const {
    if (edge.result) return cycles(kind(edge.from));
    return kind(edge.from) == WaitKind::none ? 0 : 1;
  }

  void wait(std::uint32_t place, Edge edge) {
    if (edge.from == kNobody || edge.from == place) return;
    waits_for_[place].push_back(edge);
    followers_[edge.from].push_back({place, edge.result});
  }

  void link(std::uint32_t registers) {
    struct Space {
      std::uint32_t last_store = kNobody;
      std::vector<std::uint32_t> loads;  // since then
    };
    std::array<Space, 4> spaces;
    std::vector<std::uint32_t> writer(registers, kNobody), copies, since_barrier;
    std::uint32_t barrier = kNobody;
    for (std::uint32_t i = 0; i < sequence_.size(); ++i) {
      const ScheduleTable::Instruction& instruction = table_.instructions[sequence_[i]];
      for (const std::uint32_t reg : instruction.reads) wait(i, {writer[reg], true});
      const bool barrier_like = instruction.kind == WaitKind::barrier || instruction.kind == WaitKind::copy_wait;
      if (instruction.kind == WaitKind::copy_wait) {
        for (const std::uint32_t copy : copies) wait(i, {copy, true});
        copies.clear();
      }
      if (instruction.kind == WaitKind::copy) copies.push_back(i);
      if (barrier_like) {
        for (const std::uint32_t access : since_barrier) wait(i, {access, false});
        since_barrier.clear();
        wait(i, {barrier, true});
        barrier = i;
      }
      const bool copy = instruction.kind == WaitKind::copy;
      if (instruction.ordered || copy) {
        wait(i, {barrier, true});
        since_barrier.push_back(i);
      }
      if (instruction.ordered) {
        Space& space = spaces[static_cast<std::size_t>(instruction.space)];
        wait(i, {space.last_store, false});
        if (instruction.stores) {
          for (const std::uint32_t load : space.loads) wait(i, {load, false});
          space.loads.clear();
          space.last_store = i;
        } else {
          space.loads.push_back(i);
        }
      }
      for (const std::uint32_t reg : instruction.writes) writer[reg] = i;
    }
  }

  void issue() {
    const std::size_t size = sequence_.size();
    std::vector<int> rank(size, 0);  // cycles from here to the end of the iteration
    for (std::size_t i = size; i-- > 0;) {
      rank[i] = std::max(rank[i], cycles(kind(static_cast<std::uint32_t>(i))));
      for (const Edge& edge : waits_for_[i]) rank[edge.from] = std::max(rank[edge.from], rank[i] + delay(edge));
    }
    issued_.assign(size, 0);
    causes_.assign(size, {});
    std::vector<std::size_t> missing(size);
    std::vector<int> ready_at(size, 0);
    using Timed = std::pair<int, std::uint32_t>;
    std::priority_queue<Timed, std::vector<Timed>, std::greater<>> later;  // by when they are ready
    const auto less = [&](std::uint32_t a, std::uint32_t b) { return std::pair(rank[a], b) < std::pair(rank[b], a); };
    using Ready = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(less)>;
    Ready ready(less), loads(less);
    std::uint32_t held = 0;                       // registers of loads that an instruction has yet to read
    std::vector<std::uint32_t> readers(size, 0);  // of each load's result
    for (std::uint32_t i = 0; i < size; ++i) {
      for (const Follower& follower : followers_[i]) readers[i] += follower.result ? 1 : 0;
    }
    for (std::uint32_t i = 0; i < size; ++i) {
      missing[i] = waits_for_[i].size();
      if (missing[i] == 0) later.emplace(0, i);
    }
    int now = 0;
    std::uint32_t previous = kNobody;  // the last one that took a cycle
    while (!later.empty() || !ready.empty() || !loads.empty()) {
      const auto fits = [&] { return !loads.empty() && (held == 0 || held + loaded(loads.top()) <= room_); };
      if (ready.empty() && !fits() && !later.empty()) now = std::max(now, later.top().first);
      for (; !later.empty() && later.top().first <= now; later.pop()) {
        const std::uint32_t one = later.top().second;
        (loaded(one) != 0 && readers[one] != 0 ? loads : ready).push(one);
      }
      // Where nothing else can be done a load is, in registers that there are not.
      const bool stuck = ready.empty() && later.empty();
      const bool load = !loads.empty() && (fits() || stuck) && (ready.empty() || less(ready.top(), loads.top()));
      if (!load && ready.empty()) continue;
      Ready& from = load ? loads : ready;
      const std::uint32_t chosen = from.top();
      from.pop();
      if (load) held += loaded(chosen);
      for (const Edge& edge : waits_for_[chosen]) {
        if (edge.result && readers[edge.from] != 0 && --readers[edge.from] == 0) held -= loaded(edge.from);
      }
      issued_[chosen] = now;
      if (ready_at[chosen] < now) causes_[chosen] = {previous, false};
      if (table_.instructions[sequence_[chosen]].issues()) {
        previous = chosen;
        ++now;
      }
      for (const auto& [follower, result] : followers_[chosen]) {
        const int from_then = issued_[chosen] + delay({chosen, result});
        if (from_then > ready_at[follower] || (from_then == ready_at[follower] && causes_[follower].who == kNobody)) {
          ready_at[follower] = from_then;
          causes_[follower] = {chosen, result};
        }
        if (--missing[follower] == 0) later.emplace(ready_at[follower], follower);
      }
    }
  }

  /// 32-bit registers that wait for what a load brings; 0: no load.
  std::uint32_t loaded(std::uint32_t place) const {
    if (kind(place) != WaitKind::global && kind(place) != WaitKind::shared) return 0;
    std::uint32_t words = 0;
    for (const std::uint32_t reg : table_.instructions[sequence_[place]].writes) words += function_.words[reg];
    return words;
  }

  const ScheduleTable& table_;
  const ScheduleTable::Function& function_;
  const std::vector<std::uint32_t>& sequence_;
  std::uint32_t room_;
  std::vector<std::vector<Edge>> waits_for_;
  std::vector<std::vector<Follower>> followers_;
  std::vector<int> issued_;
  std::vector<Cause> causes_;
};

constexpr std::size_t kLongest = 50'000;  // instructions; what is longer counts as issued one by one

/// Of `rounds` times the blocks, one after the other.
WarpPath path_of(const ScheduleTable& table, const ScheduleTable::Function& function,
                 const std::vector<std::uint32_t>& blocks, std::uint32_t rounds = 1) {
  std::vector<std::uint32_t> sequence;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (const std::uint32_t block : blocks) {
      const ScheduleTable::Block& code = function.blocks[block];
      for (std::uint32_t i = 0; i < code.count; ++i) sequence.push_back(code.first + i);
    }
  }
  if (sequence.size() > kLongest) return {.issues = static_cast<double>(sequence.size())};
  if (sequence.empty()) return {};
  return Schedule(table, function, sequence, function.blocks[blocks.front()].alive).path();
}

}  // namespace

WarpPath& WarpPath::operator+=(const WarpPath& other) {
  issues += other.issues;
  arithmetic += other.arithmetic;
  special += other.special;
  shared += other.shared;
  global += other.global;
  barriers += other.barriers;
  return *this;
}

WarpPath WarpPath::operator*(double times) const {
  return {issues * times, arithmetic * times, special * times, shared * times, global * times, barriers * times};
}

WarpPath warp_path(const ScheduleTable& table, const KernelInstructions& kernel,
                   std::span<const std::uint64_t> executed) {
  WarpPath total;
  for (const KernelInstructions::Function& called : kernel.functions()) {
    const ScheduleTable::Function& function = table.functions[called.index];
    const auto here = executed.subspan(called.number, called.count);
    const auto times = [&](std::uint32_t block) {
      const ScheduleTable::Block& code = function.blocks[block];
      return *std::ranges::max_element(here.subspan(code.first - called.first, code.count));
    };
    if (std::ranges::none_of(function.blocks, [&](const auto& code) { return here[code.first - called.first] != 0; })) {
      continue;
    }
    for (const std::vector<std::uint32_t>& region : loop_regions(function.ways)) {
      std::uint64_t most = 0;
      for (const std::uint32_t block : region) most = std::max(most, times(block));
      if (most == 0) continue;
      std::vector<std::uint32_t> often;  // what most iterations come through is one way, the rest are detours
      for (const std::uint32_t block : region) {
        if (2 * times(block) >= most) {
          often.push_back(block);
        } else if (times(block) != 0) {
          total += path_of(table, function, {block}) * static_cast<double>(times(block));
        }
      }
      const std::uint32_t rounds = joined_rounds(table, function, often);
      total += path_of(table, function, often, rounds) * (static_cast<double>(most) / rounds);
    }
  }
  return total;
}

}  // namespace cudalabs::vgpu
