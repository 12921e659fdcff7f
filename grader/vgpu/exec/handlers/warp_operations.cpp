// What lanes of a warp do together: shuffles, votes, matches, reductions, and the barrier of the warp.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "vgpu/exec/block.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/handlers/matrices.h"
#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/exec/scheduler.h"
#include "vgpu/exec/warp_operation.h"

namespace cudalabs::vgpu::exec {

namespace {

template <class T>
T* row(std::byte* registers, std::uint32_t offset) {
  return reinterpret_cast<T*>(registers + offset);
}

LaneMask& predicate(std::byte* registers, std::uint32_t offset) {
  return *row<LaneMask>(registers, offset);
}

void assign(LaneMask& predicate, bool value, LaneMask lanes) {
  predicate = (predicate & ~lanes) | (value ? lanes : 0);
}

bool same_in_all_lanes(const std::uint32_t* values) {
  std::uint32_t difference = 0;
  for (std::uint32_t lane = 1; lane < kWarpSize; ++lane) difference |= values[lane] ^ values[0];
  return difference == 0;
}

std::uint32_t value_of_inactive_lane(const Warp* warp, const MicroOp* op) {
  const InactiveLaneValue& given = warp->worker->launch->inactive_lane;
  return given.instruction && *given.instruction != op->instruction ? 0 : given.value;
}

/// Which lane a lane reads, and whether that is one of its segment.
struct ShuffleSource {
  std::uint32_t lane = 0;
  bool valid = false;
};

template <ShuffleMode kMode>
ShuffleSource source_of(std::uint32_t lane, std::uint32_t operand, std::uint32_t limits) {
  operand &= 0x1F;
  const std::uint32_t clamp = limits & 0x1F;
  const std::uint32_t segment = limits >> 8 & 0x1F;
  const std::uint32_t lowest = lane & segment;
  const std::uint32_t highest = lowest | (clamp & ~segment);
  std::uint32_t from = 0;
  bool valid = false;
  if constexpr (kMode == ShuffleMode::up) {
    from = lane - operand;
    valid = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(highest);
  } else if constexpr (kMode == ShuffleMode::down) {
    from = lane + operand;
    valid = from <= highest;
  } else if constexpr (kMode == ShuffleMode::butterfly) {
    from = lane ^ operand;
    valid = from <= highest;
  } else {
    from = lowest | (operand & ~segment);
    valid = from <= highest;
  }
  return {valid ? from : lane, valid};
}

// Operands: value a, lane or distance b, clamp and segment c; results d and predicate extra.
template <ShuffleMode kMode>
void shuffle(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  std::uint32_t values[kWarpSize];
  std::memcpy(values, registers + op->a, sizeof values);
  const std::uint32_t* operands = row<const std::uint32_t>(registers, op->b);
  const std::uint32_t* limits = row<const std::uint32_t>(registers, op->c);
  std::uint32_t* d = row<std::uint32_t>(registers, op->d);
  LaneMask& p = predicate(registers, op->extra);
  if (mask == kAllLanes) {  // straight loops, for nobody can read a lane that is not there
    std::uint32_t from[kWarpSize], in_range[kWarpSize];
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const ShuffleSource source = source_of<kMode>(lane, operands[lane], limits[lane]);
      from[lane] = source.lane;
      in_range[lane] = static_cast<std::uint32_t>(source.valid) << lane;
    }
    LaneMask all = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      d[lane] = values[from[lane]];
      all |= in_range[lane];
    }
    p = all;
    return;
  }
  std::uint32_t result[kWarpSize];
  LaneMask in_range = 0, astray = 0;
  std::uint32_t first_lane_read = 0;
  for (const std::uint32_t lane : each_lane(mask)) {
    const ShuffleSource source = source_of<kMode>(lane, operands[lane], limits[lane]);
    if ((mask >> source.lane & 1) != 0) {
      result[lane] = values[source.lane];
    } else {
      if (astray == 0) first_lane_read = source.lane;
      astray |= LaneMask{1} << lane;
      result[lane] = value_of_inactive_lane(warp, op);
    }
    in_range |= static_cast<LaneMask>(source.valid) << lane;
  }
  for (const std::uint32_t lane : each_lane(mask)) d[lane] = result[lane];
  p = (p & ~mask) | in_range;
  if (astray != 0) tell_inactive_shuffle(warp, op, astray, first_lane_read, mask);
}

template <VoteMode kMode>
void vote(const MicroOp* op, std::byte* registers, Warp*, LaneMask mask) {
  const LaneMask yes = predicate(registers, op->a) & mask;
  if constexpr (kMode == VoteMode::ballot) {
    std::uint32_t* d = row<std::uint32_t>(registers, op->d);
    for (const std::uint32_t lane : each_lane(mask)) d[lane] = yes;
  } else if constexpr (kMode == VoteMode::all) {
    assign(predicate(registers, op->d), yes == mask, mask);
  } else if constexpr (kMode == VoteMode::any) {
    assign(predicate(registers, op->d), yes != 0, mask);
  } else {
    assign(predicate(registers, op->d), yes == mask || yes == 0, mask);
  }
}

template <class T>
void match_any(const MicroOp* op, std::byte* registers, Warp*, LaneMask mask) {
  T values[kWarpSize];
  std::memcpy(values, registers + op->a, sizeof values);
  std::uint32_t* d = row<std::uint32_t>(registers, op->d);
  for (const std::uint32_t lane : each_lane(mask)) {
    LaneMask equal = 0;
    for (const std::uint32_t other : each_lane(mask))
      equal |= static_cast<LaneMask>(values[other] == values[lane]) << other;
    d[lane] = equal;
  }
}

template <class T>
void match_all(const MicroOp* op, std::byte* registers, Warp*, LaneMask mask) {
  const T* values = row<const T>(registers, op->a);
  const T first = values[std::countr_zero(mask)];
  bool equal = true;
  for (const std::uint32_t lane : each_lane(mask)) equal = equal && values[lane] == first;
  std::uint32_t* d = row<std::uint32_t>(registers, op->d);
  for (const std::uint32_t lane : each_lane(mask)) d[lane] = equal ? mask : 0;
  assign(predicate(registers, op->extra), equal, mask);
}

template <class T, ReduceOperation kOperation>
void redux(const MicroOp* op, std::byte* registers, Warp*, LaneMask mask) {
  const T* values = row<const T>(registers, op->a);
  T result = values[std::countr_zero(mask)];
  for (const std::uint32_t lane : each_lane(mask & (mask - 1))) {
    const T value = values[lane];
    if constexpr (kOperation == ReduceOperation::add) {
      result = static_cast<T>(static_cast<std::uint32_t>(result) + static_cast<std::uint32_t>(value));
    } else if constexpr (kOperation == ReduceOperation::min) {
      result = value < result ? value : result;
    } else if constexpr (kOperation == ReduceOperation::max) {
      result = result < value ? value : result;
    } else if constexpr (kOperation == ReduceOperation::bit_and) {
      result &= value;
    } else if constexpr (kOperation == ReduceOperation::bit_or) {
      result |= value;
    } else {
      result ^= value;
    }
  }
  T* d = row<T>(registers, op->d);
  for (const std::uint32_t lane : each_lane(mask)) d[lane] = result;
}

// The lowest lane is elected.
void elect(const MicroOp* op, std::byte* registers, Warp*, LaneMask mask) {
  const auto leader = static_cast<std::uint32_t>(std::countr_zero(mask));
  std::uint32_t* d = row<std::uint32_t>(registers, op->d);
  for (const std::uint32_t lane : each_lane(mask)) d[lane] = leader;
  LaneMask& p = predicate(registers, op->extra);
  p = (p & ~mask) | (1u << leader);
}

// The lanes named by the member mask in row `immediate` do it together, once all are there.
const MicroOp* together_when_met(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const std::uint32_t* members = row<const std::uint32_t>(registers, static_cast<std::uint32_t>(op->immediate));
  for (LaneMask rest = mask; rest != 0;) {
    // Usually all lanes name the same members, and they are exactly these lanes.
    const LaneMask named = members[std::countr_zero(rest)];
    LaneMask alike = rest;
    if (!same_in_all_lanes(members)) {
      alike = 0;
      for (const std::uint32_t lane : each_lane(rest)) alike |= static_cast<LaneMask>(members[lane] == named) << lane;
    }
    const LaneMask awaited = (named | alike) & warp->members;
    if ((alike & ~named) != 0) tell_outside_mask(warp, op, alike & ~named);
    if (alike == mask && (awaited & ~warp->exited & ~mask) == 0) {
      if (op->together != nullptr) op->together(op, registers, warp, mask);
      tell_warp_sync(warp, op, mask);
      return go_on(warp, op->target, mask);
    }
    put_to_wait(warp, op, alike, awaited);
    rest &= ~alike;
  }
  return wait_for_lanes(warp, mask);
}

// Forms without `.sync`: the lanes that happen to be here.
const MicroOp* together_now(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  if (op->together != nullptr) op->together(op, registers, warp, mask);
  return go_on(warp, op->target, mask);
}

template <class T>
TogetherHandler pick_redux(ReduceOperation operation) {
  switch (operation) {
    case ReduceOperation::add:
      return &redux<T, ReduceOperation::add>;
    case ReduceOperation::min:
      return &redux<T, ReduceOperation::min>;
    case ReduceOperation::max:
      return &redux<T, ReduceOperation::max>;
    case ReduceOperation::bit_and:
      return &redux<T, ReduceOperation::bit_and>;
    case ReduceOperation::bit_or:
      return &redux<T, ReduceOperation::bit_or>;
    case ReduceOperation::bit_xor:
      return &redux<T, ReduceOperation::bit_xor>;
  }
  return nullptr;
}

TogetherHandler pick_shuffle(ShuffleMode mode) {
  switch (mode) {
    case ShuffleMode::up:
      return &shuffle<ShuffleMode::up>;
    case ShuffleMode::down:
      return &shuffle<ShuffleMode::down>;
    case ShuffleMode::butterfly:
      return &shuffle<ShuffleMode::butterfly>;
    case ShuffleMode::index:
      return &shuffle<ShuffleMode::index>;
  }
  return nullptr;
}

TogetherHandler pick_together(const ir::Operation& operation) {
  const bool wide = ptx::size_in_bytes(operation.type) == 8;
  switch (operation.opcode) {
    case ir::Opcode::shuffle:
      return pick_shuffle(static_cast<ShuffleMode>(operation.detail));
    case ir::Opcode::vote:
      switch (static_cast<VoteMode>(operation.detail)) {
        case VoteMode::all:
          return &vote<VoteMode::all>;
        case VoteMode::any:
          return &vote<VoteMode::any>;
        case VoteMode::uniform:
          return &vote<VoteMode::uniform>;
        case VoteMode::ballot:
          return &vote<VoteMode::ballot>;
      }
      return nullptr;
    case ir::Opcode::match_any:
      return wide ? &match_any<std::uint64_t> : &match_any<std::uint32_t>;
    case ir::Opcode::match_all:
      return wide ? &match_all<std::uint64_t> : &match_all<std::uint32_t>;
    case ir::Opcode::redux:
      return operation.type == ir::Type::s32
                 ? pick_redux<std::int32_t>(static_cast<ReduceOperation>(operation.detail))
                 : pick_redux<std::uint32_t>(static_cast<ReduceOperation>(operation.detail));
    case ir::Opcode::elect:
      return &elect;
    default:
      return nullptr;
  }
}

/// The kinds of meetings by what lanes do there.
std::vector<std::pair<TogetherHandler, MeetingKind>> all_kinds() {
  using ir::Opcode;
  using ir::Type;
  std::vector<ir::Operation> operations{{.opcode = Opcode::warp_barrier}};
  for (std::uint32_t mode = 0; mode < 4; ++mode) {
    operations.push_back({.opcode = Opcode::shuffle, .type = Type::b32, .detail = mode});
    operations.push_back({.opcode = Opcode::vote, .detail = mode});
  }
  for (const Type type : {Type::b32, Type::b64}) {
    operations.push_back({.opcode = Opcode::match_any, .type = type});
    operations.push_back({.opcode = Opcode::match_all, .type = type});
  }
  for (std::uint32_t operation = 0; operation < 6; ++operation) {
    operations.push_back({.opcode = Opcode::redux, .type = Type::u32, .detail = operation});
    operations.push_back({.opcode = Opcode::redux, .type = Type::s32, .detail = operation});
  }
  std::vector<std::pair<TogetherHandler, MeetingKind>> kinds;
  for (ir::Operation& operation : operations) {
    operation.flag = true;
    kinds.emplace_back(pick_together(operation), meeting_kind(operation));
  }
  return kinds;
}

}  // namespace

WarpHandler select_warp_operation(const ir::Operation& operation) {
  return {operation.flag ? &together_when_met : &together_now, pick_together(operation)};
}

WarpHandler matrix_handler() {
  return {&together_when_met, &operate_on_matrices};
}

bool orders_memory(const MicroOp& op) {
  return op.together != &operate_on_matrices;
}

MeetingKind meeting_kind(const ir::Operation& operation) {
  using Family = MeetingKind::Family;
  if (!operation.flag) return {};
  const auto variant = static_cast<std::uint8_t>(operation.detail);
  const auto bytes = static_cast<std::uint8_t>(ptx::size_in_bytes(operation.type));
  switch (operation.opcode) {
    case ir::Opcode::warp_barrier:
      return {.family = Family::barrier};
    case ir::Opcode::shuffle:
      return {.family = Family::shuffle, .variant = variant, .value_bytes = bytes};
    case ir::Opcode::vote:
      return {.family = Family::vote, .variant = variant};
    case ir::Opcode::match_any:
      return {.family = Family::match_any, .value_bytes = bytes};
    case ir::Opcode::match_all:
      return {.family = Family::match_all, .value_bytes = bytes};
    case ir::Opcode::redux:
      return {Family::redux, variant, bytes, operation.type == ir::Type::s32};
    default:
      return {};
  }
}

MeetingKind meeting_kind(const MicroOp& op) {
  static const std::vector<std::pair<TogetherHandler, MeetingKind>> kKinds = all_kinds();
  const auto found = std::ranges::find(kKinds, op.together, &std::pair<TogetherHandler, MeetingKind>::first);
  return found == kKinds.end() ? MeetingKind{} : found->second;
}

}  // namespace cudalabs::vgpu::exec
