// Lanes that others of their warp wait for, and that cannot come any more.
//
// "All non-exited threads named in mask must execute the same intrinsic with the same mask, or the result is undefined"
// (CUDA C++ Programming Guide, "Warp Shuffle Functions"; likewise the other functions that take a mask). Where the
// named lanes go on past the instruction and exit later, the wait ends all the same, here and often on a real GPU.
// Lanes that just end are no mistake by themselves: a `return` before the instruction, after which nobody waits for
// them, looks the same.
#include "vgpu/exec/missed_meeting.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/exec/scheduler.h"

namespace cudalabs::vgpu::exec {

namespace {

std::optional<std::uint32_t> index_of(const FunctionCode& code, const Segment* segment) {
  const Segment* first = code.segments.data();
  const bool inside = !std::less<>()(segment, first) && std::less<>()(segment, first + code.segments.size());
  if (!inside) return std::nullopt;  // of a repeated call
  return static_cast<std::uint32_t>(segment - first);
}

/// The segment that ends in `op`, which ends one.
std::optional<std::uint32_t> segment_ending_in(const FunctionCode& code, const MicroOp* op) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < code.segments.size(); ++i) {
    const bool before = code.segments[i].first <= op;
    if (before && (!found || code.segments[*found].first < code.segments[i].first)) found = i;
  }
  return found;
}

/// The segment that ends in the call.
std::optional<std::uint32_t> segment_of_call(const FunctionCode& code, const CallSite* site) {
  for (std::uint32_t i = 0; i < code.segments.size(); ++i) {
    if (!code.ways[i].calls) continue;
    const MicroOp* op = code.segments[i].first;
    const MicroOp* end = code.ops.data() + code.ops.size();
    while (op != end && op->data != site) ++op;
    if (op != end && segment_ending_in(code, op) == i) return i;
  }
  return std::nullopt;
}

/// Whether a way leads from `begin`, itself included, to a segment that is `wanted`.
template <class Wanted>
bool leads_to(const FunctionCode& code, std::uint32_t begin, Wanted wanted) {
  std::vector<bool> seen(code.segments.size());
  std::vector<std::uint32_t> next{begin};
  seen[begin] = true;
  while (!next.empty()) {
    const std::uint32_t segment = next.back();
    next.pop_back();
    if (wanted(segment)) return true;
    for (const std::uint32_t after : code.ways[segment].leads_to) {
      if (!seen[after]) next.push_back(after);
      seen[after] = true;
    }
  }
  return false;
}

/// Whether lanes that are at `at` in `frame` may still come to where `waiting` waits. When in doubt, they may.
bool may_come(const Split& waiting, const Segment* at, const Frame* frame) {
  const FunctionCode& code = *frame->code;
  const std::optional<std::uint32_t> begin = index_of(code, at);
  if (!begin) return true;
  if (const MeetingKind kind = meeting_kind(*waiting.waits_in); kind.anywhere()) {  // wherever it stands
    if (frame->caller != nullptr) return true;
    return leads_to(code, *begin, [&](std::uint32_t i) { return code.ways[i].meets == kind || code.ways[i].calls; });
  }
  const Frame* inner = nullptr;  // of those who wait, called from `frame`
  for (const Frame* outer = waiting.frame; outer != frame; outer = outer->caller) {
    if (outer == nullptr) return true;
    inner = outer;
  }
  const auto wanted = inner == nullptr ? segment_ending_in(code, waiting.waits_in) : segment_of_call(code, inner->site);
  return !wanted || leads_to(code, *begin, [&](std::uint32_t i) { return i == *wanted; });
}

bool only_ends(const Segment* at, const Frame* frame) {
  const std::optional<std::uint32_t> index = index_of(*frame->code, at);
  return index && frame->code->ways[*index].only_ends;
}

}  // namespace

void note_lanes_past_meetings(Warp* warp) {
  for (Split& waiting : warp->splits) {
    if (waiting.state != SplitState::at_sync) continue;
    for (const Split& other : warp->splits) {
      const LaneMask late = waiting.awaited & other.mask & ~(waiting.past | waiting.ended);
      if (late == 0 || (other.state != SplitState::ready && other.state != SplitState::deferred)) continue;
      if (may_come(waiting, other.at, other.frame)) continue;
      if (only_ends(other.at, other.frame)) {
        if (other.frame->caller == nullptr) waiting.ended |= late;
        continue;
      }
      if (waiting.past == 0) waiting.past_at = other.at->instruction;
      waiting.past |= late;
    }
  }
}

}  // namespace cudalabs::vgpu::exec
