// Where in a function each register holds a value that may still be read.
#include "vgpu/exec/decode/live_ranges.h"

#include <algorithm>
#include <map>

#include "vgpu/analysis/liveness.h"
#include "vgpu/exec/decode/control_flow.h"
#include "vgpu/exec/decode/effects.h"

namespace cudalabs::vgpu::exec {

namespace {

constexpr std::size_t kMostWords = 1u << 24;  // of all bit sets together

}  // namespace

bool find_live_ranges(const ir::Function& function, LiveRanges& ranges) {
  const std::size_t blocks = function.blocks.size();
  const std::size_t registers = function.registers.size();
  if (blocks * ((registers + 63) / 64) > kMostWords / 4) return false;

  BlockUses uses(blocks, registers);
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::vector<ir::Operation>& operations = function.blocks[block].operations;
    for (std::size_t i = operations.size(); i-- > 0;) {
      for (const std::uint32_t reg : operations[i].defs) {
        if (!defines_partly(operations[i])) uses.writes(block, reg);
      }
      for_each_read(operations[i], [&](std::uint32_t reg) { uses.reads(block, reg); });
    }
  }
  const Ways ways = ways_between_blocks(function);
  const RegisterSets live_in = alive_at_entry(ways, uses, registers);

  ranges.of.assign(registers, {});
  ranges.at_entry.assign(registers, false);
  std::vector<std::uint32_t> first_position(blocks + 1, 0);
  for (std::size_t block = 0; block < blocks; ++block) {
    first_position[block + 1] =
        first_position[block] + 2 * static_cast<std::uint32_t>(function.blocks[block].operations.size());
  }
  constexpr std::uint32_t kClosed = 0;
  std::vector<std::uint32_t> open(registers, kClosed);  // end of the segment being built
  std::vector<std::uint32_t> alive;
  for (std::size_t block = blocks; block-- > 0;) {
    const std::vector<ir::Operation>& operations = function.blocks[block].operations;
    alive.clear();
    const auto begin_segment_end = [&](std::uint32_t reg, std::uint32_t end) {
      if (open[reg] != kClosed) return;
      open[reg] = end;
      alive.push_back(reg);
    };
    for (std::size_t word = 0; word < live_in.words(); ++word) {
      RegisterSets::for_each(word, alive_at_exit(ways, live_in, block, word),
                             [&](std::uint32_t reg) { begin_segment_end(reg, first_position[block + 1]); });
    }
    for (std::size_t i = operations.size(); i-- > 0;) {
      const std::uint32_t position = first_position[block] + 2 * static_cast<std::uint32_t>(i);
      for (const std::uint32_t reg : operations[i].defs) {
        if (defines_partly(operations[i])) continue;
        const std::uint32_t end =
            open[reg] != kClosed ? open[reg] : position + 2;  // even an unread result needs a place
        ranges.of[reg].push_back({position + 1, end});
        open[reg] = kClosed;
      }
      for_each_read(operations[i], [&](std::uint32_t reg) { begin_segment_end(reg, position + 1); });
      for (const std::uint32_t reg : operations[i].defs) {
        if (defines_partly(operations[i]) && open[reg] == position + 1) open[reg] = position + 2;
      }
    }
    for (const std::uint32_t reg : alive) {
      if (open[reg] == kClosed) continue;
      ranges.of[reg].push_back({first_position[block], open[reg]});
      open[reg] = kClosed;
      if (block == 0) ranges.at_entry[reg] = true;
    }
  }
  for (const std::uint32_t reg : function.parameters) {
    if (!ranges.at_entry[reg]) ranges.of[reg].push_back({0, 1});  // it arrives, though nobody looks
  }
  for (std::vector<LiveSegment>& segments : ranges.of) {
    std::sort(segments.begin(), segments.end(),
              [](const LiveSegment& a, const LiveSegment& b) { return a.begin < b.begin; });
    // Segments that touch are one.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      if (kept != 0 && segments[i].begin <= segments[kept - 1].end) {
        segments[kept - 1].end = std::max(segments[kept - 1].end, segments[i].end);
      } else {
        segments[kept++] = segments[i];
      }
    }
    segments.resize(kept);
  }
  return true;
}

std::uint32_t most_alive(const ir::Function& function, const LiveRanges& ranges) {
  std::map<std::uint32_t, std::int64_t> change;  // of the number of registers, by position
  for (std::size_t reg = 0; reg < ranges.of.size(); ++reg) {
    const ir::Register& declared = function.registers[reg];
    if (declared.type == ptx::Type::pred) continue;
    const std::uint32_t words =
        declared.words != 0 ? declared.words : std::max(1u, ptx::size_in_bytes(declared.type) / 4);
    for (const LiveSegment& segment : ranges.of[reg]) {
      change[segment.begin] += words;
      change[segment.end] -= words;
    }
  }
  std::int64_t alive = 0, most = 0;
  for (const auto& [position, by] : change) most = std::max(most, alive += by);
  return static_cast<std::uint32_t>(most);
}

bool overlap(const std::vector<LiveSegment>& a, const std::vector<LiveSegment>& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].end <= b[j].begin) {
      ++i;
    } else if (b[j].end <= a[i].begin) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
}

std::vector<LiveSegment> joined(const std::vector<LiveSegment>& a, const std::vector<LiveSegment>& b) {
  std::vector<LiveSegment> both;
  both.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both),
             [](const LiveSegment& x, const LiveSegment& y) { return x.begin < y.begin; });
  return both;
}

}  // namespace cudalabs::vgpu::exec
