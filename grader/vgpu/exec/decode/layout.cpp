// Which part of the frame each register gets.
#include "vgpu/exec/decode/layout.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "vgpu/exec/decode/live_ranges.h"
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

namespace {

constexpr std::uint32_t kRowAlignment = 64;

std::uint32_t place_bytes(const ir::Register& reg) {
  if (reg.words != 0) return reg.words * 4 * kWarpSize;
  return reg.type == ir::Type::pred ? 4 : row_width(reg.type) * kWarpSize;
}

/// Registers that share a place because they are copies of each other.
class Classes {
 public:
  explicit Classes(std::size_t registers) : parent_(registers) { std::iota(parent_.begin(), parent_.end(), 0u); }

  std::uint32_t of(std::uint32_t reg) {
    while (parent_[reg] != reg) {
      parent_[reg] = parent_[parent_[reg]];
      reg = parent_[reg];
    }
    return reg;
  }
  void unite(std::uint32_t kept, std::uint32_t gone) { parent_[gone] = kept; }

 private:
  std::vector<std::uint32_t> parent_;
};

// mov d, a between registers of one kind, where a's value is not needed any longer or d's not yet.
void coalesce(const ir::Function& function, LiveRanges& ranges, Classes& classes) {
  for (const ir::Block& block : function.blocks) {
    for (const ir::Operation& operation : block.operations) {
      if (operation.opcode != ir::Opcode::mov || operation.guard != ir::kNoRegister) continue;
      if (!operation.uses[0].is_register()) continue;
      const std::uint32_t to = classes.of(operation.defs[0]);
      const std::uint32_t from = classes.of(operation.uses[0].reg);
      const ir::Register& a = function.registers[to];
      const ir::Register& b = function.registers[from];
      if (to == from || a.words != 0 || b.words != 0) continue;
      if (row_width(a.type) != row_width(b.type) || overlap(ranges.of[to], ranges.of[from])) continue;
      ranges.of[to] = joined(ranges.of[to], ranges.of[from]);
      ranges.at_entry[to] = ranges.at_entry[to] || ranges.at_entry[from];
      ranges.of[from].clear();
      classes.unite(to, from);
    }
  }
}

void rename(ir::Function& function, Classes& classes) {
  for (ir::Block& block : function.blocks) {
    for (ir::Operation& operation : block.operations) {
      for (std::uint32_t& reg : operation.defs) reg = classes.of(reg);
      for (ir::Value& value : operation.uses) {
        if (value.is_register()) value.reg = classes.of(value.reg);
      }
      if (operation.guard != ir::kNoRegister) operation.guard = classes.of(operation.guard);
    }
    std::erase_if(block.operations, [](const ir::Operation& operation) {
      return operation.opcode == ir::Opcode::mov && operation.uses[0].is_register() &&
             operation.uses[0].reg == operation.defs[0];
    });
  }
  for (std::uint32_t& reg : function.parameters) reg = classes.of(reg);
  for (std::uint32_t& reg : function.results) reg = classes.of(reg);
}

FrameLayout one_place_each(const ir::Function& function) {
  FrameLayout layout;
  layout.offset.resize(function.registers.size());
  for (std::uint32_t reg = 0; reg < function.registers.size(); ++reg) {
    layout.offset[reg] = layout.bytes;
    layout.bytes += (place_bytes(function.registers[reg]) + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
    layout.unset.push_back(reg);
  }
  for (const std::uint32_t reg : function.parameters) std::erase(layout.unset, reg);
  layout.registers = layout.bytes / (4 * kWarpSize);
  return layout;
}

}  // namespace

// Linear scan: registers by the begin of their lives, each takes a place of its size that has become free, the most
// recently used one first because that is still in the cache.
FrameLayout lay_out(ir::Function& function) {
  LiveRanges ranges;
  if (!find_live_ranges(function, ranges)) return one_place_each(function);
  Classes classes(function.registers.size());
  coalesce(function, ranges, classes);
  rename(function, classes);

  std::vector<std::uint32_t> order;
  for (std::uint32_t reg = 0; reg < function.registers.size(); ++reg) {
    if (!ranges.of[reg].empty()) order.push_back(reg);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(ranges.of[a].front().begin, a) < std::pair(ranges.of[b].front().begin, b);
  });
  FrameLayout layout;
  layout.registers = most_alive(function, ranges);
  layout.offset.assign(function.registers.size(), 0);
  std::map<std::uint32_t, std::vector<std::uint32_t>> free;                      // by size: offsets
  std::multimap<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> in_use;  // end of life -> size, offset
  for (const std::uint32_t reg : order) {
    const std::uint32_t begin = ranges.of[reg].front().begin;
    while (!in_use.empty() && in_use.begin()->first <= begin) {
      const auto [size, offset] = in_use.begin()->second;
      free[size].push_back(offset);
      in_use.erase(in_use.begin());
    }
    const std::uint32_t size = place_bytes(function.registers[reg]);
    std::vector<std::uint32_t>& places = free[size];
    if (places.empty()) {
      // Predicates are small and fill a line together; rows begin at a line of their own.
      const std::uint32_t step = size < kRowAlignment ? size : 0;
      if (step != 0) {
        for (std::uint32_t at = kRowAlignment; at > 0; at -= step) places.push_back(layout.bytes + at - step);
        layout.bytes += kRowAlignment;
      } else {
        places.push_back(layout.bytes);
        layout.bytes += (size + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
      }
    }
    layout.offset[reg] = places.back();
    places.pop_back();
    in_use.emplace(ranges.of[reg].back().end, std::pair(size, layout.offset[reg]));
  }
  for (const std::uint32_t reg : order) {
    const bool arrives =
        std::find(function.parameters.begin(), function.parameters.end(), reg) != function.parameters.end();
    if (ranges.at_entry[reg] && !arrives) layout.unset.push_back(reg);
  }
  return layout;
}

}  // namespace cudalabs::vgpu::exec
