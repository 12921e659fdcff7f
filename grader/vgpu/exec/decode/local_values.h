// What made the values that registers have at a place in a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "vgpu/exec/decode/effects.h"
#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

/// Looks backwards in one block: which operation gave a register the value it has now, and are that operation's own
/// sources still what they were then?
class LocalValues {
 public:
  explicit LocalValues(std::size_t registers) : definition_(registers), written_(registers) {}

  /// Nothing is known of values from other blocks.
  void begin_block() { ++block_; }

  /// The block's operation `index` has been executed. They come in their order.
  void note(const ir::Operation& operation, std::size_t index) {
    for (const std::uint32_t reg : operation.defs) {
      written_[reg] = {block_, index};
      definition_[reg] = {block_, defines_partly(operation) || operation.defs.size() != 1 ? kNowhere : index};
    }
  }

  /// Index of the operation in this block that made the register's present value; the operation's sources are
  /// unchanged.
  std::optional<std::size_t> maker(const std::vector<ir::Operation>& operations, std::uint32_t reg) const {
    const Mark& mark = definition_[reg];
    if (mark.block != block_ || mark.index == kNowhere) return std::nullopt;
    for (const ir::Value& value : operations[mark.index].uses) {
      if (!value.is_register()) continue;
      const Mark& write = written_[value.reg];
      if (write.block == block_ && write.index >= mark.index) return std::nullopt;
    }
    return mark.index;
  }

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  struct Mark {
    std::uint64_t block = 0;
    std::size_t index = 0;
  };
  std::uint64_t block_ = 0;
  std::vector<Mark> definition_, written_;
};

}  // namespace cudalabs::vgpu::exec
