// Operations whose results nobody reads.
#include <algorithm>
#include <utility>
#include <vector>

#include "vgpu/exec/decode/effects.h"
#include "vgpu/exec/decode/simplify.h"

namespace cudalabs::vgpu::exec {

using ir::Operation;

void drop_unused(ir::Function& function) {
  std::vector<std::uint32_t> reads = count_reads(function);
  const auto is_unused = [&](const Operation& operation) {
    if (!is_pure(operation)) return false;
    return std::all_of(operation.defs.begin(), operation.defs.end(), [&](std::uint32_t reg) {
      return reads[reg] == (defines_partly(operation) ? 1u : 0u);  // a guarded operation reads its own result, in a way
    });
  };
  // Backwards, so that what only fed an unused operation goes in the same pass; loops may need another.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = function.blocks.size(); b-- > 0;) {
      std::vector<Operation>& operations = function.blocks[b].operations;
      std::vector<bool> unused(operations.size());
      bool any = false;
      for (std::size_t i = operations.size(); i-- > 0;) {
        if (!is_unused(operations[i])) continue;
        for_each_read(operations[i], [&](std::uint32_t reg) { --reads[reg]; });
        unused[i] = any = true;
      }
      if (!any) continue;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < operations.size(); ++i) {
        if (unused[i]) continue;
        if (kept != i) operations[kept] = std::move(operations[i]);
        ++kept;
      }
      operations.resize(kept);
      changed = true;
    }
  }
}

}  // namespace cudalabs::vgpu::exec
