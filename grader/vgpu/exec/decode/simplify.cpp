// Fewer operations that do the same: constants computed once, address arithmetic inside loads, unused results dropped.
#include "vgpu/exec/decode/simplify.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>

#include "vgpu/exec/decode/effects.h"
#include "vgpu/exec/decode/live_ranges.h"
#include "vgpu/exec/decode/operation_facts.h"
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

using ir::kNoRegister;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

namespace {

bool is_integer(Type type) {
  switch (type) {
    case Type::b16:
    case Type::b32:
    case Type::b64:
    case Type::u16:
    case Type::u32:
    case Type::u64:
    case Type::s16:
    case Type::s32:
    case Type::s64:
      return true;
    default:
      return false;
  }
}

std::uint64_t low_bits(std::uint64_t bits, Type type) {
  const std::uint32_t width = 8 * row_width(type);
  return width >= 64 || width == 0 ? bits : bits & ((1ull << width) - 1);
}

// How often each register is written, counting a parameter's arrival.
std::vector<std::uint32_t> count_definitions(const ir::Function& function) {
  std::vector<std::uint32_t> count(function.registers.size());
  for (const std::uint32_t reg : function.parameters) ++count[reg];
  for (const ir::Block& block : function.blocks) {
    for (const Operation& operation : block.operations) {
      for (const std::uint32_t reg : operation.defs) ++count[reg];
    }
  }
  return count;
}

std::vector<std::uint32_t> count_reads(const ir::Function& function) {
  std::vector<std::uint32_t> count(function.registers.size());
  for (const std::uint32_t reg : function.results) ++count[reg];
  for (const ir::Block& block : function.blocks) {
    for (const Operation& operation : block.operations) {
      for_each_read(operation, [&](std::uint32_t reg) { ++count[reg]; });
    }
  }
  return count;
}

// The value of an operation on constants, for the few opcodes addresses are made of.
std::optional<std::uint64_t> folded(const Operation& operation) {
  if (!is_integer(operation.type)) {
    return operation.opcode == Opcode::mov && operation.uses[0].is_immediate() && operation.type != Type::pred
               ? std::optional(operation.uses[0].bits)
               : std::nullopt;
  }
  for (const Value& value : operation.uses) {
    if (!value.is_immediate()) return std::nullopt;
  }
  const auto bits = [&](std::size_t i) { return operation.uses[i].bits; };
  switch (operation.opcode) {
    case Opcode::mov:
      return low_bits(bits(0), operation.type);
    case Opcode::add:
      return low_bits(bits(0) + bits(1), operation.type);
    case Opcode::sub:
      return low_bits(bits(0) - bits(1), operation.type);
    case Opcode::mul_lo:
      return low_bits(bits(0) * bits(1), operation.type);
    case Opcode::bit_or:
      return low_bits(bits(0) | bits(1), operation.type);
    case Opcode::shl:
      if (bits(1) >= 8 * row_width(operation.type)) return 0;
      return low_bits(bits(0) << bits(1), operation.type);
    case Opcode::cvt: {
      if (!is_integer(operation.source_type) || operation.saturate) return std::nullopt;
      if (row_width(operation.source_type) < 4 || row_width(operation.type) < 4) return std::nullopt;
      const std::uint64_t value = low_bits(bits(0), operation.source_type);
      if (operation.source_type == Type::s32) {
        return low_bits(static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value))),
                        operation.type);
      }
      return low_bits(value, operation.type);
    }
    default:
      return std::nullopt;
  }
}

// Constants go second, where handlers take them; subtracting one is adding its negative.
void tidy_operands(Operation& operation) {
  if (operation.uses.size() < 2) return;
  if (ir::facts_of(operation.opcode).commutes == ir::Commutes::yes && operation.uses[0].is_immediate() &&
      operation.uses[1].is_register()) {
    std::swap(operation.uses[0], operation.uses[1]);
  }
  if (operation.opcode == Opcode::sub && is_integer(operation.type) && operation.uses[1].is_immediate()) {
    operation.opcode = Opcode::add;
    operation.uses[1].bits = low_bits(0 - operation.uses[1].bits, operation.type);
  }
}

}  // namespace

void propagate_constants(ir::Function& function) {
  const std::vector<std::uint32_t> definitions = count_definitions(function);
  std::vector<std::optional<std::uint64_t>> constant(function.registers.size());
  LiveRanges ranges;
  if (!find_live_ranges(function, ranges)) ranges.at_entry.assign(function.registers.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (ir::Block& block : function.blocks) {
      for (Operation& operation : block.operations) {
        if (ir::takes_constants(operation)) {
          for (Value& value : operation.uses) {
            // Written once, and that once with a constant, before it is read: it holds nothing else.
            if (value.is_register() && constant[value.reg]) value = Value::of_bits(*constant[value.reg]);
          }
        }
        tidy_operands(operation);
        if (operation.defs.size() != 1 || defines_partly(operation) || definitions[operation.defs[0]] != 1) continue;
        if (constant[operation.defs[0]] || ranges.at_entry[operation.defs[0]]) continue;
        if (const std::optional<std::uint64_t> value = folded(operation)) {
          constant[operation.defs[0]] = value;
          operation.opcode = Opcode::mov;
          operation.uses = {Value::of_bits(*value)};
          changed = true;
        }
      }
    }
  }
}

namespace {

/// RequestedArtifacts backwards in one block: which operation gave a register the value it has now, and are that
/// operation's own sources still what they were then?
class LocalValues {
 public:
  explicit LocalValues(std::size_t registers) : definition_(registers), written_(registers) {}

  void begin_block() { ++block_; }

  void note(const Operation& operation, std::size_t index) {
    for (const std::uint32_t reg : operation.defs) {
      written_[reg] = {block_, index};
      definition_[reg] = {block_, defines_partly(operation) || operation.defs.size() != 1 ? kNowhere : index};
    }
  }

  /// Index of the operation in this block that made the register's present value; the operation's sources are
  /// unchanged.
  std::optional<std::size_t> maker(const std::vector<Operation>& operations, std::uint32_t reg) const {
    const Mark& mark = definition_[reg];
    if (mark.block != block_ || mark.index == kNowhere) return std::nullopt;
    for (const Value& value : operations[mark.index].uses) {
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

class Fuser {
 public:
  explicit Fuser(ir::Function& function)
      : function_(function), values_(function.registers.size()), reads_(count_reads(function)) {}

  void run() {
    for (ir::Block& block : function_.blocks) {
      operations_ = &block.operations;
      values_.begin_block();
      for (std::size_t i = 0; i < block.operations.size(); ++i) {
        Operation& operation = block.operations[i];
        if (operation.guard == kNoRegister) rewrite(operation);
        values_.note(operation, i);
      }
    }
  }

 private:
  const Operation* maker(const Value& value) const {
    if (!value.is_register()) return nullptr;
    const std::optional<std::size_t> index = values_.maker(*operations_, value.reg);
    return index ? &(*operations_)[*index] : nullptr;
  }

  bool used_once(const Value& value) const { return value.is_register() && reads_[value.reg] == 1; }

  void rewrite(Operation& operation) {
    follow_copies(operation);
    switch (operation.opcode) {
      case Opcode::add:
        if (row_width(operation.type) == 4 && is_integer(operation.type)) join_product(operation);
        if (row_width(operation.type) == 8 && is_integer(operation.type)) join_index(operation);
        break;
      case Opcode::shl:
        if (row_width(operation.type) == 8) scale_index(operation);
        break;
      case Opcode::mul_wide:
        scale_product(operation);
        break;
      case Opcode::load:
      case Opcode::store:
        join_address(operation);
        break;
      case Opcode::branch:
        join_comparison(operation);
        break;
      default:
        break;
    }
  }

  // Reads the source of a copy instead of the copy.
  void follow_copies(Operation& operation) {
    if (operation.opcode == Opcode::ret) return;  // the results' own places are read
    for (Value& value : operation.uses) {
      const Operation* copy = maker(value);
      if (copy == nullptr || copy->opcode != Opcode::mov || !copy->uses[0].is_register()) continue;
      if (function_.registers[copy->uses[0].reg].words != 0 || function_.registers[value.reg].words != 0) continue;
      value = copy->uses[0];
    }
  }

  // a * b + c in 32 bits
  void join_product(Operation& operation) {
    for (const std::size_t side : {0u, 1u}) {
      if (!used_once(operation.uses[side])) continue;
      const Operation* product = maker(operation.uses[side]);
      if (product == nullptr || product->opcode != Opcode::mul_lo || row_width(product->type) != 4) continue;
      if (product->uses[1].is_immediate() && operation.uses[1 - side].is_immediate()) continue;
      const Value addend = operation.uses[1 - side];
      operation.opcode = Opcode::mad_lo;
      operation.uses = {product->uses[0], product->uses[1], addend};
      return;
    }
  }

  // An index, perhaps widened, times a power of two.
  void scale_index(Operation& operation) {
    if (!operation.uses[1].is_immediate() || operation.uses[1].bits > 31 || !operation.uses[0].is_register()) return;
    Value index = operation.uses[0];
    Type type = Type::u64;
    if (const Operation* wide = maker(index); wide != nullptr && is_widening(*wide)) {
      index = wide->uses[0];
      type = wide->source_type;
    }
    make_lea(operation, index, type, static_cast<std::uint32_t>(operation.uses[1].bits), Value::of_bits(0));
  }

  void scale_product(Operation& operation) {
    if (row_width(operation.type) != 4 || !operation.uses[0].is_register() || !operation.uses[1].is_immediate()) return;
    const std::uint64_t factor = low_bits(operation.uses[1].bits, operation.type);
    if (!std::has_single_bit(factor) || factor > (1ull << 30)) return;
    make_lea(operation, operation.uses[0], operation.type == Type::s32 ? Type::s32 : Type::u32,
             static_cast<std::uint32_t>(std::countr_zero(factor)), Value::of_bits(0));
  }

  static bool is_widening(const Operation& operation) {
    return operation.opcode == Opcode::cvt && !operation.saturate && row_width(operation.type) == 8 &&
           is_integer(operation.type) && (operation.source_type == Type::s32 || operation.source_type == Type::u32) &&
           operation.uses[0].is_register();
  }

  static void make_lea(Operation& operation, Value index, Type type, std::uint32_t shift, Value base) {
    operation.opcode = Opcode::address_lea;
    operation.type = Type::u64;
    operation.source_type = type;
    operation.detail = shift;
    operation.uses = {index, base};
  }

  // A scaled index plus a base.
  void join_index(Operation& operation) {
    for (const std::size_t side : {1u, 0u}) {
      const Operation* scaled = maker(operation.uses[side]);
      if (scaled == nullptr) continue;
      const Value base = operation.uses[1 - side];
      if (scaled->opcode == Opcode::address_lea && scaled->uses[1].is_immediate()) {
        const std::uint64_t bias = scaled->uses[1].bits;
        if (base.is_immediate()) {
          make_lea(operation, scaled->uses[0], scaled->source_type, scaled->detail, Value::of_bits(base.bits + bias));
          return;
        }
        if (bias == 0) {
          make_lea(operation, scaled->uses[0], scaled->source_type, scaled->detail, base);
          return;
        }
      } else if (is_widening(*scaled)) {
        make_lea(operation, scaled->uses[0], scaled->source_type, 0, base);
        return;
      }
    }
  }

  // [register + offset], where the register is a sum or a scaled index.
  void join_address(Operation& operation) {
    while (const Operation* sum = maker(operation.uses[0])) {
      if (sum->opcode == Opcode::mov && sum->uses[0].is_immediate()) {
        operation.memory.offset =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(operation.memory.offset) + sum->uses[0].bits);
        operation.uses[0] = Value::of_bits(0);
        return;
      }
      const bool constant = sum->opcode == Opcode::add && row_width(sum->type) == 8 && is_integer(sum->type) &&
                            sum->uses[1].is_immediate() && sum->uses[0].is_register();
      if (!constant) break;
      operation.memory.offset =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(operation.memory.offset) + sum->uses[1].bits);
      operation.uses[0] = sum->uses[0];
    }
    if (!has_indexed_form(operation)) return;
    const Operation* scaled = maker(operation.uses[0]);
    if (scaled == nullptr) return;
    if (scaled->opcode == Opcode::address_lea) {
      operation.memory.indexed = true;
      operation.source_type = scaled->source_type;
      operation.detail = scaled->detail;
      operation.uses.push_back(scaled->uses[0]);
      if (scaled->uses[1].is_immediate()) {
        operation.memory.offset =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(operation.memory.offset) + scaled->uses[1].bits);
        operation.uses[0] = Value::of_bits(0);
      } else {
        operation.uses[0] = scaled->uses[1];
      }
    } else if (scaled->opcode == Opcode::add && row_width(scaled->type) == 8 && is_integer(scaled->type) &&
               scaled->uses[0].is_register() && scaled->uses[1].is_register()) {
      operation.memory.indexed = true;
      operation.source_type = Type::u64;
      operation.detail = 0;
      operation.uses[0] = scaled->uses[0];
      operation.uses.push_back(scaled->uses[1]);
    }
  }

  // Only the usual element types have handlers that scale an index themselves.
  bool has_indexed_form(const Operation& operation) const {
    if (operation.memory.lanes != 1 || operation.memory.indexed) return false;
    if (operation.memory.space == ptx::Space::local || operation.memory.space == ptx::Space::param) return false;
    const std::uint32_t reg = operation.opcode == Opcode::load ? operation.defs[0] : operation.uses[1].reg;
    const std::uint32_t bytes = ptx::size_in_bytes(operation.type);
    return bytes >= 4 && bytes == row_width(function_.registers[reg].type);
  }

  void join_comparison(Operation& operation) {
    while (used_once(operation.uses[0])) {
      const Operation* source = maker(operation.uses[0]);
      if (source == nullptr) return;
      if (source->opcode == Opcode::bit_not && source->uses[0].is_register()) {
        operation.uses[0] = source->uses[0];
        operation.flag = !operation.flag;
        // Another reader of the inner predicate now; whether it was the only one is known by the count of the inner
        // one.
        continue;
      }
      const bool plain = source->opcode == Opcode::setp && source->defs.size() == 1 && source->type != Type::f16 &&
                         source->type != Type::bf16;
      if (!plain) return;
      operation.opcode = Opcode::branch_compare;
      operation.type = source->type;
      operation.compare = source->compare;
      operation.ftz = source->ftz;
      operation.uses = source->uses;
      return;
    }
  }

  ir::Function& function_;
  LocalValues values_;
  std::vector<std::uint32_t> reads_;
  std::vector<Operation>* operations_ = nullptr;
};

}  // namespace

void fuse(ir::Function& function) {
  Fuser(function).run();
}

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
