// Two operations as one, where there is a handler for both.
#include <bit>
#include <optional>
#include <vector>

#include "vgpu/exec/decode/effects.h"
#include "vgpu/exec/decode/integer_values.h"
#include "vgpu/exec/decode/local_values.h"
#include "vgpu/exec/decode/simplify.h"

namespace cudalabs::vgpu::exec {

using ir::kNoRegister;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

namespace {

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

  static void add_to_offset(Operation& operation, std::uint64_t bytes) {
    operation.memory.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(operation.memory.offset) + bytes);
  }

  static bool is_wide_sum(const Operation& operation) {
    return operation.opcode == Opcode::add && row_width(operation.type) == 8 && is_integer(operation.type) &&
           operation.uses[0].is_register();
  }

  // [register + offset], where the register is a sum or a scaled index.
  void join_address(Operation& operation) {
    while (const Operation* sum = maker(operation.uses[0])) {
      if (sum->opcode == Opcode::mov && sum->uses[0].is_immediate()) {
        add_to_offset(operation, sum->uses[0].bits);
        operation.uses[0] = Value::of_bits(0);
        return;
      }
      if (!is_wide_sum(*sum) || !sum->uses[1].is_immediate()) break;
      add_to_offset(operation, sum->uses[1].bits);
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
        add_to_offset(operation, scaled->uses[1].bits);
        operation.uses[0] = Value::of_bits(0);
      } else {
        operation.uses[0] = scaled->uses[1];
      }
    } else if (is_wide_sum(*scaled) && scaled->uses[1].is_register()) {
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

}  // namespace cudalabs::vgpu::exec
