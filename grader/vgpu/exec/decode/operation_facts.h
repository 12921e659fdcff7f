// What is known of each operation of the decoder's own form: the one place for it. The table of PTX's instructions is
// in vgpu/ptx/instruction_set.h.
#pragma once

#include <array>
#include <cstdint>

#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec::ir {

/// Which part of the emitter makes its micro-operation.
enum class Maker : std::uint8_t {
  arithmetic,
  access,
  async_copy,
  async_order,
  atomic,
  barrier,
  barrier_look,
  branch_table,
  bulk_copy,
  bulk_order,
  call,
  exit,
  frame_copy,
  image,
  jump,
  matrix,
  nanosleep,
  pack,
  parameter,
  ret,
  special,
  together,
  trap,
  unpack
};

/// Among which handlers the one is that executes it (vgpu/exec/handlers/); by type, where there are several kinds.
enum class Handlers : std::uint8_t {
  none,         // the maker knows
  own,          // the operation says
  numbers,      // integers, single and double precision, 16-bit formats
  integers,     // of every width
  bits,         // integers and predicates
  comparisons,  // and what predicates choose
  conversions,
  moves,
  other
};

/// Whether it does more than give its results values.
enum class Effect : std::uint8_t { pure, acts, ends_block };
/// What becomes of the values that it reads: a value that nobody has set may be copied or passed on, not used.
enum class Reading : std::uint8_t {
  uses,
  copies,
  passes_on,
  exchanges  // the first result is the first operand, of another lane; the other operands are used
};
/// Whether the first two operands may change places.
enum class Commutes : std::uint8_t { no, yes };
/// Whether operands may be constants rather than registers.
enum class Constants : std::uint8_t { no, yes };

/// How wide the operands are, for constants that need a row.
enum class Widths : std::uint8_t {
  own,             // as the operation's type
  source,          // as its source type
  word,            // 32 bits
  amount,          // all but the first 32 bits
  wide_addend,     // the third is twice as wide as the others
  index,           // the first as the source type, the second is an address
  predicate_last,  // the third is a predicate
};

/// What the handler finds in MicroOp::extra.
enum class Extra : std::uint8_t { detail, half_modifiers, conversion_modifiers };

/// The rows below are made by functions that take every fact: a row without one of them does not compile.
struct OperationFacts {
  Opcode opcode;
  Maker maker;
  Handlers handlers;
  Effect effect;
  Reading reading;
  Commutes commutes;
  Constants constants;
  Widths widths;
  Extra extra;
};

namespace rows {

/// Results out of operands, some of which may be constants.
constexpr OperationFacts computes(Opcode opcode, Handlers handlers, Commutes commutes, Widths widths, Extra extra) {
  return {opcode, Maker::arithmetic, handlers, Effect::pure, Reading::uses, commutes, Constants::yes, widths, extra};
}
constexpr OperationFacts copies(Opcode opcode, Handlers handlers, Widths widths) {
  return {opcode,       Maker::arithmetic, handlers, Effect::pure, Reading::copies,
          Commutes::no, Constants::yes,    widths,   Extra::detail};
}
/// Executed like arithmetic, but what is in a register stays there.
constexpr OperationFacts on_registers(Opcode opcode, Handlers handlers, Effect effect, Widths widths, Extra extra) {
  return {opcode, Maker::arithmetic, handlers, effect, Reading::uses, Commutes::no, Constants::no, widths, extra};
}
constexpr OperationFacts makes(Opcode opcode, Maker maker, Effect effect, Reading reading) {
  return {opcode, maker, Handlers::none, effect, reading, Commutes::no, Constants::no, Widths::own, Extra::detail};
}

/// By opcode.
inline constexpr std::array<OperationFacts, static_cast<std::size_t>(Opcode::lane_function) + 1> kOperations{{
    copies(Opcode::mov, Handlers::moves, Widths::own),
    makes(Opcode::special, Maker::special, Effect::pure, Reading::uses),
    makes(Opcode::pack, Maker::pack, Effect::pure, Reading::uses),
    makes(Opcode::unpack, Maker::unpack, Effect::pure, Reading::uses),
    computes(Opcode::address_lea, Handlers::integers, Commutes::no, Widths::index, Extra::detail),
    computes(Opcode::add, Handlers::numbers, Commutes::yes, Widths::own, Extra::half_modifiers),
    computes(Opcode::sub, Handlers::numbers, Commutes::no, Widths::own, Extra::half_modifiers),
    computes(Opcode::mul, Handlers::numbers, Commutes::yes, Widths::own, Extra::half_modifiers),
    computes(Opcode::mul_lo, Handlers::integers, Commutes::yes, Widths::own, Extra::detail),
    computes(Opcode::mul_hi, Handlers::integers, Commutes::yes, Widths::own, Extra::detail),
    computes(Opcode::mul_wide, Handlers::integers, Commutes::yes, Widths::own, Extra::detail),
    computes(Opcode::mad_lo, Handlers::integers, Commutes::yes, Widths::own, Extra::detail),
    computes(Opcode::mad_wide, Handlers::integers, Commutes::yes, Widths::wide_addend, Extra::detail),
    computes(Opcode::div, Handlers::numbers, Commutes::no, Widths::own, Extra::detail),
    computes(Opcode::abs, Handlers::numbers, Commutes::no, Widths::own, Extra::half_modifiers),
    computes(Opcode::neg, Handlers::numbers, Commutes::no, Widths::own, Extra::half_modifiers),
    computes(Opcode::min, Handlers::numbers, Commutes::no, Widths::own, Extra::half_modifiers),
    computes(Opcode::max, Handlers::numbers, Commutes::no, Widths::own, Extra::half_modifiers),
    computes(Opcode::bit_and, Handlers::bits, Commutes::yes, Widths::own, Extra::detail),
    computes(Opcode::bit_or, Handlers::bits, Commutes::yes, Widths::own, Extra::detail),
    computes(Opcode::bit_xor, Handlers::bits, Commutes::yes, Widths::own, Extra::detail),
    computes(Opcode::bit_not, Handlers::bits, Commutes::no, Widths::own, Extra::detail),
    computes(Opcode::cnot, Handlers::integers, Commutes::no, Widths::own, Extra::detail),
    computes(Opcode::shl, Handlers::integers, Commutes::no, Widths::amount, Extra::detail),
    computes(Opcode::shr, Handlers::integers, Commutes::no, Widths::amount, Extra::detail),
    computes(Opcode::fma, Handlers::numbers, Commutes::yes, Widths::own, Extra::half_modifiers),
    computes(Opcode::rcp, Handlers::numbers, Commutes::no, Widths::own, Extra::detail),
    computes(Opcode::sqrt, Handlers::numbers, Commutes::no, Widths::own, Extra::detail),
    computes(Opcode::rsqrt, Handlers::numbers, Commutes::no, Widths::own, Extra::detail),
    computes(Opcode::ex2, Handlers::numbers, Commutes::no, Widths::own, Extra::half_modifiers),
    computes(Opcode::tanh, Handlers::numbers, Commutes::no, Widths::own, Extra::half_modifiers),
    computes(Opcode::copysign, Handlers::numbers, Commutes::no, Widths::own, Extra::detail),
    computes(Opcode::setp, Handlers::comparisons, Commutes::no, Widths::own, Extra::detail),
    copies(Opcode::selp, Handlers::comparisons, Widths::predicate_last),
    computes(Opcode::cvt, Handlers::conversions, Commutes::no, Widths::source, Extra::conversion_modifiers),
    on_registers(Opcode::cvt_pack, Handlers::conversions, Effect::pure, Widths::word, Extra::conversion_modifiers),
    on_registers(Opcode::isspacep, Handlers::other, Effect::pure, Widths::own, Extra::detail),
    on_registers(Opcode::mapa, Handlers::other, Effect::pure, Widths::own, Extra::detail),
    on_registers(Opcode::getctarank, Handlers::other, Effect::pure, Widths::own, Extra::detail),
    on_registers(Opcode::check_set, Handlers::other, Effect::acts, Widths::own, Extra::detail),
    makes(Opcode::load, Maker::access, Effect::acts, Reading::uses),
    makes(Opcode::store, Maker::access, Effect::acts, Reading::uses),
    makes(Opcode::atomic, Maker::atomic, Effect::acts, Reading::uses),
    makes(Opcode::barrier_look, Maker::barrier_look, Effect::acts, Reading::uses),
    makes(Opcode::load_parameter, Maker::parameter, Effect::pure, Reading::uses),
    makes(Opcode::async_copy, Maker::async_copy, Effect::acts, Reading::uses),
    makes(Opcode::async_commit, Maker::async_order, Effect::acts, Reading::uses),
    makes(Opcode::async_wait, Maker::async_order, Effect::acts, Reading::uses),
    makes(Opcode::bulk_copy, Maker::bulk_copy, Effect::acts, Reading::uses),
    makes(Opcode::bulk_commit, Maker::bulk_order, Effect::acts, Reading::uses),
    makes(Opcode::bulk_wait, Maker::bulk_order, Effect::acts, Reading::uses),
    makes(Opcode::proxy_fence, Maker::bulk_order, Effect::acts, Reading::uses),
    makes(Opcode::load_blob, Maker::parameter, Effect::pure, Reading::uses),
    makes(Opcode::store_blob, Maker::parameter, Effect::acts, Reading::passes_on),
    makes(Opcode::blob_to_frame, Maker::frame_copy, Effect::acts, Reading::passes_on),
    makes(Opcode::blob_from_frame, Maker::frame_copy, Effect::acts, Reading::uses),
    on_registers(Opcode::fence, Handlers::other, Effect::acts, Widths::own, Extra::detail),
    makes(Opcode::texture, Maker::image, Effect::acts, Reading::uses),
    makes(Opcode::surface_load, Maker::image, Effect::acts, Reading::uses),
    makes(Opcode::surface_store, Maker::image, Effect::acts, Reading::uses),
    makes(Opcode::surface_reduce, Maker::image, Effect::acts, Reading::uses),
    makes(Opcode::image_query, Maker::image, Effect::acts, Reading::uses),
    makes(Opcode::shuffle, Maker::together, Effect::ends_block, Reading::exchanges),
    makes(Opcode::vote, Maker::together, Effect::ends_block, Reading::uses),
    makes(Opcode::match_any, Maker::together, Effect::ends_block, Reading::uses),
    makes(Opcode::match_all, Maker::together, Effect::ends_block, Reading::uses),
    makes(Opcode::redux, Maker::together, Effect::ends_block, Reading::uses),
    makes(Opcode::elect, Maker::together, Effect::ends_block, Reading::uses),
    makes(Opcode::warp_barrier, Maker::together, Effect::ends_block, Reading::uses),
    on_registers(Opcode::active_mask, Handlers::other, Effect::pure, Widths::own, Extra::detail),
    makes(Opcode::matrix, Maker::matrix, Effect::ends_block, Reading::uses),
    makes(Opcode::barrier_sync, Maker::barrier, Effect::ends_block, Reading::uses),
    makes(Opcode::barrier_arrive, Maker::barrier, Effect::ends_block, Reading::uses),
    makes(Opcode::barrier_reduce, Maker::barrier, Effect::ends_block, Reading::uses),
    makes(Opcode::cluster_arrive, Maker::barrier, Effect::ends_block, Reading::uses),
    makes(Opcode::cluster_wait, Maker::barrier, Effect::ends_block, Reading::uses),
    on_registers(Opcode::leave_barriers, Handlers::other, Effect::acts, Widths::own, Extra::detail),
    on_registers(Opcode::leave_shuffles, Handlers::other, Effect::acts, Widths::own, Extra::detail),
    makes(Opcode::jump, Maker::jump, Effect::ends_block, Reading::uses),
    on_registers(Opcode::branch, Handlers::comparisons, Effect::ends_block, Widths::own, Extra::detail),
    on_registers(Opcode::branch_compare, Handlers::comparisons, Effect::ends_block, Widths::own, Extra::detail),
    makes(Opcode::branch_table, Maker::branch_table, Effect::ends_block, Reading::uses),
    makes(Opcode::call, Maker::call, Effect::ends_block, Reading::passes_on),
    makes(Opcode::ret, Maker::ret, Effect::ends_block, Reading::passes_on),
    makes(Opcode::exit, Maker::exit, Effect::ends_block, Reading::uses),
    makes(Opcode::trap, Maker::trap, Effect::ends_block, Reading::uses),
    makes(Opcode::nanosleep, Maker::nanosleep, Effect::ends_block, Reading::uses),
    on_registers(Opcode::lane_function, Handlers::own, Effect::pure, Widths::own, Extra::detail),
}};

constexpr bool operations_in_order() {
  for (std::size_t i = 0; i < kOperations.size(); ++i) {
    if (static_cast<std::size_t>(kOperations[i].opcode) != i) return false;
  }
  return true;
}
static_assert(operations_in_order());

}  // namespace rows

constexpr const OperationFacts& facts_of(Opcode opcode) {
  return rows::kOperations[static_cast<std::size_t>(opcode)];
}

/// Whether nothing can follow the operation in its block.
constexpr bool ends_block(Opcode opcode) {
  return facts_of(opcode).effect == Effect::ends_block;
}

/// Whether the operation's uses may become constants.
inline bool takes_constants(const Operation& operation) {
  return facts_of(operation.opcode).constants == Constants::yes || operation.form != nullptr;
}

}  // namespace cudalabs::vgpu::exec::ir
