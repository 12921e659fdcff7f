// Which lanes of a warp run next: parting, waiting, meeting again.
//
// Lanes that took different ways form splits. The split whose segment comes first in the function's order runs first,
// so that those ahead wait where the ways join; splits that are at the same place become one. A split that spins would
// keep the others waiting forever: when its budget is spent, the others get a turn each before it goes on.
#include "vgpu/exec/scheduler.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "vgpu/exec/block.h"
#include "vgpu/exec/block_barriers.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/frames.h"
#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/exec/missed_meeting.h"

namespace cudalabs::vgpu::exec {

namespace {

bool is_ready(const Split& split) {
  return split.state == SplitState::ready;
}

// Lanes that pass those that wait for them stop there, too: the scheduler must look whether they can still come.
void note_waiting(Warp* warp, const Split& split) {
  if (is_ready(split) || split.state == SplitState::at_sync)
    warp->wake_key = std::min(warp->wake_key, key_of(split.at, split.frame));
}

const MicroOp* stop(Warp* warp, Stop why, const MicroOp* op, LaneMask mask) {
  warp->stop = why;
  warp->stopped_in = op;
  warp->running = mask;
  return nullptr;
}

bool at_one_place(const Split& a, const Split& b) {
  return a.waits_in == b.waits_in && a.frame == b.frame;
}

// Whether both wait for the same meeting.
bool meet_together(const Split& a, const Split& b) {
  if (b.state != SplitState::at_sync || a.awaited != b.awaited) return false;
  if (at_one_place(a, b)) return true;
  const MeetingKind kind = meeting_kind(*a.waits_in);
  return kind.anywhere() && kind == meeting_kind(*b.waits_in);
}

/// A row of a frame: its offset, and the bytes of each lane; 0: a predicate.
struct Row {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};
using RowBytes = std::array<std::byte, kWarpSize * sizeof(std::uint64_t)>;

void copy_lanes(std::byte* to, const std::byte* from, const Row& row, LaneMask lanes) {
  if (row.bytes == 0) {
    LaneMask before = 0, given = 0;
    std::memcpy(&before, to, sizeof before);
    std::memcpy(&given, from, sizeof given);
    before = (before & ~lanes) | (given & lanes);
    std::memcpy(to, &before, sizeof before);
    return;
  }
  for (const std::uint32_t lane : each_lane(lanes)) {
    std::memcpy(to + lane * row.bytes, from + lane * row.bytes, row.bytes);
  }
}

/// The rows that the operation writes, and those that lanes of other places are given for it.
std::vector<Row> changed_rows(const MicroOp& op, const MeetingKind& kind) {
  using Family = MeetingKind::Family;
  constexpr std::uint32_t kWord = sizeof(std::uint32_t);
  const bool to_predicate = kind.family == Family::vote && static_cast<VoteMode>(kind.variant) != VoteMode::ballot;
  std::vector<Row> rows{{op.a, kind.value_bytes}, {op.d, to_predicate ? 0 : kWord}};
  if (kind.family == Family::shuffle) rows.push_back({op.b, kWord});
  if (kind.family == Family::shuffle || kind.family == Family::match_all) rows.push_back({op.extra, 0});
  return rows;
}

// Lanes at different places that shuffle, vote, match or reduce together give each other their values, as on an H200:
// each place is executed with the values of all lanes that have arrived, and changes the registers of its own lanes
// only.
void exchange_values(Warp* warp, const std::vector<Split>& groups, LaneMask arrived) {
  const MeetingKind kind = meeting_kind(*groups.front().waits_in);
  RowBytes given{};
  for (const Split& group : groups) {
    copy_lanes(given.data(), group.frame->registers() + group.waits_in->a, {0, kind.value_bytes}, group.mask);
  }
  for (const Split& group : groups) {
    const MicroOp& op = *group.waits_in;
    std::byte* registers = group.frame->registers();
    const LaneMask others = arrived & ~group.mask;
    const std::vector<Row> rows = changed_rows(op, kind);
    std::vector<RowBytes> before(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      copy_lanes(before[i].data(), registers + rows[i].offset, rows[i], others);
    if (kind.family == MeetingKind::Family::shuffle) {  // here, the other lanes read themselves
      const bool by_index = static_cast<ShuffleMode>(kind.variant) == ShuffleMode::index;
      auto* sources = reinterpret_cast<std::uint32_t*>(registers + op.b);
      for (const std::uint32_t lane : each_lane(others)) sources[lane] = by_index ? lane : 0;
    }
    copy_lanes(registers + op.a, given.data(), {0, kind.value_bytes}, others);
    op.together(&op, registers, warp, arrived);
    for (std::size_t i = 0; i < rows.size(); ++i)
      copy_lanes(registers + rows[i].offset, before[i].data(), rows[i], others);
  }
}

// Performs one meeting whose lanes are all there, if there is one.
bool meet(Warp* warp) {
  for (const Split& split : warp->splits) {
    if (split.state != SplitState::at_sync) continue;
    const Split first = split;
    LaneMask arrived = 0;
    std::vector<Split> groups;
    bool told = false;
    for (const Split& other : warp->splits) {
      if (meet_together(first, other)) arrived |= other.mask;
    }
    if ((first.awaited & ~warp->exited & ~arrived) != 0) continue;
    for (Split& other : warp->splits) {
      if (!meet_together(first, other)) continue;
      const auto here = std::ranges::find_if(groups, [&](const Split& group) { return at_one_place(group, other); });
      if (here != groups.end()) {
        here->mask |= other.mask;
      } else {
        groups.push_back(other);
      }
      other.state = SplitState::ready;
      const bool missed = (other.past | other.ended) != 0;
      if (missed && !told) tell_missed_sync(warp, other, arrived);
      told = told || missed;
    }
    if (groups.size() > 1 && first.waits_in->together != nullptr) {
      exchange_values(warp, groups, arrived);
    } else if (first.waits_in->together != nullptr) {
      first.waits_in->together(first.waits_in, first.frame->registers(), warp, arrived);
    }
    tell_warp_sync(warp, first.waits_in, arrived);
    return true;
  }
  return false;
}

// Groups of lanes with masks of their own come to one instruction together, and an exit may complete several meetings.
void meet_all(Warp* warp) {
  while (meet(warp)) {
  }
}

}  // namespace

void put_ready(Warp* warp, LaneMask mask, const Segment* at, Frame* frame) {
  warp->splits.push_back({.mask = mask, .state = SplitState::ready, .at = at, .frame = frame});
  note_waiting(warp, warp->splits.back());
}

const MicroOp* go_on(Warp* warp, const Segment* segment, LaneMask mask) {
  if (key_of(segment, warp->frame) >= warp->wake_key || warp->budget < 0) return suspend(warp, segment, mask);
  begin(warp, segment, mask);
  warp->running = mask;
  return segment->first;
}

const MicroOp* suspend(Warp* warp, const Segment* segment, LaneMask mask) {
  warp->at = segment;
  return stop(warp, Stop::suspended, nullptr, mask);
}

const MicroOp* diverge(Warp* warp, const Segment* target, LaneMask taken, const Segment* next, LaneMask others) {
  if (next->priority < target->priority) {
    std::swap(target, next);
    std::swap(taken, others);
  }
  put_ready(warp, others, next, warp->frame);
  return go_on(warp, target, taken);
}

const MicroOp* diverge_by_table(Warp* warp, const std::vector<const Segment*>& table, const std::uint32_t* index,
                                LaneMask mask) {
  while (true) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    const Segment* segment = table[std::min<std::size_t>(index[lane], table.size() - 1)];
    LaneMask alike = 0;
    for (const std::uint32_t other : each_lane(mask)) {
      if (table[std::min<std::size_t>(index[other], table.size() - 1)] == segment) alike |= 1u << other;
    }
    if (alike == mask) return go_on(warp, segment, mask);
    put_ready(warp, alike, segment, warp->frame);
    mask &= ~alike;
  }
}

const MicroOp* exit_lanes(Warp* warp, LaneMask mask) {
  for (Frame* frame = warp->frame; frame->caller != nullptr;) {
    Frame* caller = frame->caller;
    leave_frame(warp->worker, frame, mask);
    frame = caller;
  }
  warp->exited |= mask;
  return stop(warp, Stop::exited, nullptr, mask);
}

const MicroOp* fail(Warp* warp, std::uint32_t instruction, LaneMask mask, LaunchError error) {
  Block* block = warp->block;
  block->failed = true;
  block->error = error;
  block->error_instruction = instruction;
  return stop(warp, Stop::failed, nullptr, mask);
}

void put_to_wait(Warp* warp, const MicroOp* op, LaneMask mask, LaneMask awaited) {
  warp->splits.push_back({.mask = mask,
                          .state = SplitState::at_sync,
                          .at = op->target,
                          .frame = warp->frame,
                          .waits_in = op,
                          .awaited = awaited});
}

const MicroOp* wait_for_lanes(Warp* warp, LaneMask mask) {
  return stop(warp, Stop::waiting, nullptr, mask);
}

const MicroOp* wait_at_barrier(Warp* warp, const MicroOp* op, LaneMask mask) {
  warp->at = op->target;
  return stop(warp, Stop::barrier, op, mask);
}

namespace {

// Of lanes at one place, those that go first leave the others there.
void part(Warp* warp, const Segment* segment, Frame* frame, LaneMask& mask) {
  const LaneMask first = mask & warp->block->first_lanes;
  if (first == 0 || first == mask) return;
  warp->splits.push_back({.mask = mask & ~first, .at = segment, .frame = frame});
  mask = first;
}

// Takes the split that comes first, with all that are at the same place, out of the list and lets it run until it
// stops. False when none is ready.
bool run_first_split(Warp* warp) {
  const LaneMask first_lanes = warp->block->first_lanes;
  const Split* chosen = nullptr;
  std::uint64_t chosen_key = kNeverWake;
  bool chosen_first = false;
  for (const Split& split : warp->splits) {
    if (!is_ready(split)) continue;
    const std::uint64_t key = key_of(split.at, split.frame);
    const bool first = (split.mask & first_lanes) != 0;
    if (first != chosen_first ? first : key < chosen_key) {  // of equals the one that was put down first
      chosen = &split;
      chosen_key = key;
      chosen_first = first;
    }
  }
  if (chosen == nullptr) return false;

  const Segment* segment = chosen->at;
  Frame* frame = chosen->frame;
  LaneMask mask = 0;
  std::erase_if(warp->splits, [&](const Split& split) {
    const bool here = split.at == segment && split.frame == frame &&
                      (split.state == SplitState::ready || split.state == SplitState::deferred);
    if (here) mask |= split.mask;
    return here;
  });
  if (first_lanes != kAllLanes) [[unlikely]]
    part(warp, segment, frame, mask);
  warp->wake_key = kNeverWake;
  for (const Split& split : warp->splits) note_waiting(warp, split);

  warp->frame = frame;
  warp->depth_key = depth_key(frame->depth);
  warp->running = mask;
  begin(warp, segment, mask);
  const MicroOp* op = segment->first;
  while (op != nullptr) op = op->run(op, warp->frame->registers(), warp, warp->running);
  if (warp->block->load_runs.waiting()) warp->block->load_runs.tell(warp->block);
  return true;
}

// A block that has executed so much is worth a look at whether it ever ends.
constexpr std::uint64_t kWorthAProof = 1 << 20;

// Whether the warp goes on for ever, as far as that is known of the place where it stopped. Where it has stopped at the
// head of the loop the next turn, which is of another length, ends elsewhere.
bool is_endless(Warp* warp) {
  const std::set<std::uint32_t>* never_left = warp->block->worker->launch->never_left;
  if (never_left == nullptr || warp->block->instructions < kWorthAProof || warp->at == nullptr) return false;
  constexpr std::uint64_t kLengths = 61;
  warp->budget -= static_cast<std::int64_t>(warp->block->instructions % kLengths);
  return never_left->contains(warp->at->instruction);
}

// Charges what was used of the budget to the block and grants a fresh one. False when a limit is exceeded.
bool settle(Warp* warp) {
  const std::int64_t used = warp->turn - warp->budget - warp->strong_accesses * kStrongAccessCost;
  warp->talked = warp->talked || warp->strong_accesses != 0;
  warp->spoke = warp->spoke || warp->strong_accesses != warp->looks;
  warp->strong_accesses = warp->looks = 0;
  warp->budget = warp->turn;
  const bool within = charge(warp->block, used);
  if (warp->at != nullptr) warp->block->error_instruction = warp->at->instruction;
  if (!within || !is_endless(warp)) return within;
  warp->block->endless = true;
  fail_block(warp->block, LaunchError::too_many_instructions);
  return false;
}

}  // namespace

TurnEnd run_turn(Warp* warp) {
  warp->budget = warp->turn;
  warp->strong_accesses = warp->looks = 0;
  warp->talked = warp->spoke = false;
  TurnEnd end = TurnEnd::blocked;
  while (true) {
    note_lanes_past_meetings(warp);
    if (!run_first_split(warp)) {
      bool had_their_turn = false;
      for (Split& split : warp->splits) {
        if (split.state != SplitState::deferred) continue;
        split.state = SplitState::ready;
        had_their_turn = true;
      }
      end = warp->done() ? TurnEnd::finished : had_their_turn ? TurnEnd::yielded : TurnEnd::blocked;
      break;
    }
    switch (warp->stop) {
      case Stop::suspended:
        warp->splits.push_back({.mask = warp->running, .at = warp->at, .frame = warp->frame});
        if (warp->budget < 0) {
          warp->splits.back().state = SplitState::deferred;
          if (!settle(warp)) return TurnEnd::failed;
        }
        break;
      case Stop::exited:
        threads_exited(warp, warp->running);
        meet_all(warp);
        break;
      case Stop::barrier:
        if (!arrive_at_barrier(warp, warp->stopped_in, warp->running)) return TurnEnd::failed;
        break;
      case Stop::waiting:
        meet_all(warp);
        break;
      case Stop::failed:
        return TurnEnd::failed;
    }
  }
  return settle(warp) ? end : TurnEnd::failed;
}

void start_warp(Warp* warp, Frame* frame) {
  warp->exited = 0;
  warp->cluster_arrived = warp->cluster_open = 0;
  warp->copies.clear();
  warp->failed_looks.clear();
  warp->open_group.fill(0);
  warp->runnable = true;
  warp->splits.clear();
  frame->inside = warp->members;
  spoil_unset(frame);
  put_ready(warp, warp->members, &frame->code->segments[0], frame);
}

}  // namespace cudalabs::vgpu::exec
