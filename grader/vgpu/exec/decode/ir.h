// The decoder's own form of a function: blocks of typed operations on virtual registers, before slots are assigned.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vgpu/exec/micro_op.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::exec::ir {

using ptx::Type;

/// What an operation does; its operands' type is a field of the operation.
enum class Opcode : std::uint16_t {
  // moves: d = a
  mov,
  special,      // d = special register `detail`
  pack,         // d = concatenation of uses, each of `source_type`
  unpack,       // defs = pieces of a, each of `type`
  address_lea,  // d = (a, widened as source_type says) << detail, + b
  // integers
  add,
  sub,
  mul,  // floating point
  mul_lo,
  mul_hi,
  mul_wide,
  mul24_lo,
  mul24_hi,
  mad_lo,
  mad_hi,
  mad_wide,
  mad24_lo,
  mad24_hi,
  sad,
  div,
  rem,
  abs,
  neg,
  min,
  max,
  add_sat,
  sub_sat,
  mad_hi_sat,
  abs_sat,
  add_carry_out,
  add_carry,
  add_carry_in,
  sub_carry_out,
  sub_carry,
  sub_carry_in,
  mad_lo_carry_out,
  mad_lo_carry,
  mad_lo_carry_in,
  mad_hi_carry_out,
  mad_hi_carry,
  mad_hi_carry_in,
  popc,
  clz,
  brev,
  bfind,
  bfind_shift,
  bfe,
  bfi,
  bmsk,
  fns,
  szext,
  dp4a,
  dp2a,
  vabsdiff2,  // `detail`: with .add
  vabsdiff4,
  prmt,
  shf_left,
  shf_right,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  cnot,
  lop3,
  shl,
  shr,
  // floating point (add, sub, mul, div, min, max, abs, neg are shared with integers)
  fma,
  rcp,
  sqrt,
  rsqrt,
  sin,
  cos,
  ex2,
  lg2,
  tanh,
  testp,
  copysign,
  // predicates: and, or, xor, not on Type::pred use the integer names
  setp,
  selp,
  // conversions
  cvt,
  cvt_tf32,
  cvt_pack,  // cvt_pack: two sources into one register
  cvta_to,
  cvta_from,
  isspacep,
  check_set,  // tells observers where a holds what unset registers do
  // memory
  load,
  store,
  atomic,
  load_parameter,
  async_copy,
  async_commit,
  async_wait,
  async_wait_all,
  load_blob,
  store_blob,  // function parameters that are arrays
  blob_to_frame,
  blob_from_frame,  // between such an array and `detail` bytes behind the frame's first byte of local memory
  fence,
  // lanes of a warp (all end their block)
  shuffle,
  vote,
  match_any,
  match_all,
  redux,
  elect,
  warp_barrier,
  active_mask,
  // the block (all end their block)
  barrier_sync,
  barrier_arrive,
  barrier_reduce,
  // control (all end their block)
  jump,
  branch,
  branch_compare,
  branch_table,
  call,
  call_builtin,
  ret,
  exit,
  trap,
  breakpoint,
  nanosleep,
  // allocation on the thread's stack
  stack_allocate,
  stack_save,
  stack_restore,
  // a function of C on each lane
  lane_function
};

enum class Rounding : std::uint8_t {
  none,
  nearest_even,
  zero,
  down,
  up,
  nearest_away,
  integer_nearest_even,
  integer_zero,
  integer_down,
  integer_up
};

/// PTX comparison operators; the `u` ones are true when an operand is NaN.
enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };

enum class Boolean : std::uint8_t { none, bit_and, bit_or, bit_xor };

struct Value {
  enum class Kind : std::uint8_t { none, reg, immediate } kind = Kind::none;
  std::uint32_t reg = 0;
  std::uint64_t bits = 0;

  static Value of_register(std::uint32_t index) { return {Kind::reg, index, 0}; }
  static Value of_bits(std::uint64_t bits) { return {Kind::immediate, 0, bits}; }
  bool is_register() const { return kind == Kind::reg; }
  bool is_immediate() const { return kind == Kind::immediate; }
  bool operator==(const Value&) const = default;
};

constexpr std::uint32_t kNoRegister = 0xFFFF'FFFF;

/// Memory operand and qualifiers.
struct MemoryFields {
  ptx::Space space = ptx::Space::generic;
  MemoryOrder order = MemoryOrder::weak;
  MemoryScope scope = MemoryScope::block;
  bool is_volatile = false;
  std::uint8_t lanes = 1;  // vector width
  bool indexed = false;    // the last use is an index of type source_type, shifted by `detail` and added to the address
  std::int64_t offset = 0;
};

struct Operation {
  Opcode opcode = Opcode::mov;
  Type type = Type::none;         // of the operation; of the result for conversions
  Type source_type = Type::none;  // conversions, packing, set
  Rounding rounding = Rounding::none;
  Compare compare = Compare::eq;
  Boolean boolean = Boolean::none;
  bool ftz = false, saturate = false, approximate = false, full = false, negate_boolean = false, flag = false;
  std::uint32_t detail = 0;  // opcode's own: shift, mode, table, special register
  MemoryFields memory{};
  std::vector<std::uint32_t> defs{};
  std::vector<Value> uses{};
  std::uint32_t guard = kNoRegister;  // predicate; the operation applies where it holds (or not, when negated)
  bool guard_negated = false;
  std::vector<std::uint32_t> targets{};   // blocks: taken or next first
  const ptx::Function* callee = nullptr;  // call: null when indirect
  bool pinned = false;                    // lane_function: has effects beyond its result
  Handler handler = nullptr;              // lane_function
  std::uint32_t instruction = 0;          // of the program
};

struct Block {
  std::vector<Operation> operations;   // the last one is a terminator with targets
  std::vector<std::uint32_t> counted;  // instructions whose executions equal this block's
  std::uint32_t priority = 0;
};

struct Register {
  Type type = Type::none;
  std::uint32_t words = 0;  // not 0: an array passed by value, as that many rows of 4 bytes a lane
};

struct Function {
  std::vector<Register> registers;
  std::vector<Block> blocks;                       // [0] is the entry
  std::vector<std::uint32_t> parameters, results;  // registers, in order
  std::uint32_t local_bytes = 0;                   // per thread, multiple of 16
};

/// Whether nothing can follow the operation in its block.
constexpr bool ends_block(Opcode opcode) {
  switch (opcode) {
    case Opcode::shuffle:
    case Opcode::vote:
    case Opcode::match_any:
    case Opcode::match_all:
    case Opcode::redux:
    case Opcode::elect:
    case Opcode::warp_barrier:
    case Opcode::barrier_sync:
    case Opcode::barrier_arrive:
    case Opcode::barrier_reduce:
    case Opcode::jump:
    case Opcode::branch:
    case Opcode::branch_compare:
    case Opcode::branch_table:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::trap:
    case Opcode::nanosleep:
      return true;
    default:
      return false;
  }
}

}  // namespace cudalabs::vgpu::exec::ir
