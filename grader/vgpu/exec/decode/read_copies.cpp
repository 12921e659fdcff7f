// Reads of copies instead of their sources.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "vgpu/exec/decode/effects.h"
#include "vgpu/exec/decode/live_ranges.h"
#include "vgpu/exec/decode/simplify.h"
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;

namespace {

bool are_of_one_kind(const ir::Register& a, const ir::Register& b) {
  return a.words == 0 && b.words == 0 && (a.type == ir::Type::pred) == (b.type == ir::Type::pred) &&
         row_width(a.type) == row_width(b.type);
}

bool writes(const Operation& operation, std::uint32_t reg) {
  return std::ranges::find(operation.defs, reg) != operation.defs.end();
}

bool reads(const Operation& operation, std::uint32_t reg) {
  bool found = false;
  for_each_read(operation, [&](std::uint32_t read) { found = found || read == reg; });
  return found;
}

void read_instead(Operation& operation, std::uint32_t source, std::uint32_t copy) {
  for (ir::Value& value : operation.uses) {
    if (value.is_register() && value.reg == source) value.reg = copy;
  }
  if (operation.guard == source) operation.guard = copy;
}

class CopyReader {
 public:
  CopyReader(ir::Function& function, const LiveRanges& ranges) : function_(function), ranges_(ranges) {}

  void run() {
    for (ir::Block& block : function_.blocks) {
      end_ += 2 * static_cast<std::uint32_t>(block.operations.size());
      for (std::size_t i = 0; i < block.operations.size(); ++i) {
        const Operation& operation = block.operations[i];
        if (operation.opcode != Opcode::mov || defines_partly(operation) || !operation.uses[0].is_register()) continue;
        end_source(block.operations, i);
      }
    }
  }

 private:
  void end_source(std::vector<Operation>& operations, std::size_t at) {
    const std::uint32_t copy = operations[at].defs[0], source = operations[at].uses[0].reg;
    if (copy == source || !are_of_one_kind(function_.registers[copy], function_.registers[source])) return;
    std::size_t until = at + 1;
    while (until < operations.size() && !writes(operations[until], copy) && !writes(operations[until], source)) ++until;
    const bool whole_block = until == operations.size();
    if (whole_block ? is_alive_at_exit(source) : !writes(operations[until], source)) return;
    // The operation that ends the stretch reads before it writes. A return reads the results' own places; one that may
    // leave the source as it was reads that.
    const std::size_t last = whole_block ? until : until + 1;
    const auto keeps_source = [&](const Operation& operation) {
      if (operation.opcode == Opcode::ret) return reads(operation, source);
      return defines_partly(operation) && writes(operation, source);
    };
    if (std::any_of(operations.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                    operations.begin() + static_cast<std::ptrdiff_t>(last), keeps_source)) {
      return;
    }
    for (std::size_t i = at + 1; i < last; ++i) read_instead(operations[i], source, copy);
  }

  bool is_alive_at_exit(std::uint32_t reg) const {
    return std::ranges::any_of(ranges_.of[reg],
                               [&](const LiveSegment& segment) { return segment.begin < end_ && segment.end >= end_; });
  }

  ir::Function& function_;
  const LiveRanges& ranges_;
  std::uint32_t end_ = 0;  // position behind the present block
};

}  // namespace

void read_copies(ir::Function& function) {
  LiveRanges ranges;
  if (find_live_ranges(function, ranges)) CopyReader(function, ranges).run();
}

}  // namespace cudalabs::vgpu::exec
