// Innermost loops of pure operations, and where the clock's values go in them.
#include "vgpu/exec/decode/delay_loops.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "vgpu/analysis/flow_graph.h"
#include "vgpu/exec/decode/control_flow.h"
#include "vgpu/exec/decode/effects.h"
#include "vgpu/exec/special_register.h"

namespace cudalabs::vgpu::exec {
namespace {

using ir::Opcode;

/// What stands for the clock in a delay loop; nothing for other operations.
std::optional<Special> delayed(const ir::Operation& operation) {
  if (operation.opcode != Opcode::special) return std::nullopt;
  switch (static_cast<Special>(operation.detail)) {
    case Special::clock:
    case Special::globaltimer_lo:
      return Special::delay_clock;
    case Special::clock64:
    case Special::globaltimer:
      return Special::delay_clock64;
    default:
      return std::nullopt;
  }
}

bool only_branches(const ir::Operation& last) {
  return last.opcode == Opcode::jump || last.opcode == Opcode::branch || last.opcode == Opcode::branch_compare;
}

bool block_does_nothing(const ir::Block& block) {
  const std::vector<ir::Operation>& operations = block.operations;
  return only_branches(operations.back()) && std::all_of(operations.begin(), operations.end() - 1, is_pure);
}

class Region {
 public:
  Region(ir::Function& function, const std::vector<std::uint32_t>& nodes) : function_(function), nodes_(nodes) {}

  void mark() {
    const bool has_clock = std::ranges::any_of(nodes_, [&](std::uint32_t node) {
      return std::ranges::any_of(function_.blocks[node].operations,
                                 [](const ir::Operation& operation) { return delayed(operation).has_value(); });
    });
    const bool pure =
        std::ranges::all_of(nodes_, [&](std::uint32_t node) { return block_does_nothing(function_.blocks[node]); });
    if (!has_clock || !pure || !goes_round() || !clock_decides()) return;
    for (const std::uint32_t node : nodes_) {
      for (ir::Operation& operation : function_.blocks[node].operations)
        if (const auto special = delayed(operation)) operation.detail = static_cast<std::uint32_t>(*special);
    }
  }

 private:
  bool holds(std::uint32_t node) const { return std::ranges::find(nodes_, node) != nodes_.end(); }

  /// The region is a loop whose every part can come to its first node again.
  bool goes_round() const {
    Ways inside(function_.blocks.size());
    for (const std::uint32_t node : nodes_) {
      for (const std::uint32_t next : successors(function_.blocks[node]))
        if (holds(next)) inside[node].push_back(next);
    }
    return std::ranges::all_of(nodes_, [&](std::uint32_t node) {
      const std::vector<bool> reached = reached_from(inside, node);
      return reached[nodes_.front()];
    });
  }

  /// A way out of the region is taken by what the clock says.
  bool clock_decides() const {
    std::vector<bool> of_clock(function_.registers.size());
    const auto depends = [&](const ir::Operation& operation) {
      bool any = false;
      for_each_read(operation, [&](std::uint32_t reg) { any = any || of_clock[reg]; });
      return any;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::uint32_t node : nodes_) {
        for (const ir::Operation& operation : function_.blocks[node].operations) {
          if (!delayed(operation) && !depends(operation)) continue;
          for (const std::uint32_t reg : operation.defs) {
            changed = changed || !of_clock[reg];
            of_clock[reg] = true;
          }
        }
      }
    }
    return std::ranges::any_of(nodes_, [&](std::uint32_t node) {
      const ir::Operation& last = function_.blocks[node].operations.back();
      const bool leaves = std::ranges::any_of(last.targets, [&](std::uint32_t next) { return !holds(next); });
      return leaves && depends(last);
    });
  }

  ir::Function& function_;
  const std::vector<std::uint32_t>& nodes_;
};

}  // namespace

void mark_delay_loops(ir::Function& function) {
  constexpr std::size_t kMostBlocks = 8;  // of such a loop
  const bool any_clock = std::ranges::any_of(function.blocks, [](const ir::Block& block) {
    return std::ranges::any_of(block.operations,
                               [](const ir::Operation& operation) { return delayed(operation).has_value(); });
  });
  if (!any_clock) return;
  for (const std::vector<std::uint32_t>& nodes : loop_regions(ways_between_blocks(function)))
    if (nodes.size() <= kMostBlocks) Region(function, nodes).mark();
}

}  // namespace cudalabs::vgpu::exec
