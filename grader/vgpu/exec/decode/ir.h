// The decoder's own form of a function: blocks of typed operations on virtual registers, before slots are assigned.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vgpu/exec/micro_op.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::exec {
struct LaneForm;
struct MatrixForm;
}  // namespace cudalabs::vgpu::exec

namespace cudalabs::vgpu::exec::ir {

using ptx::Type;

/// What an operation does; its operands' type is a field of the operation. What is known of each is in
/// operation_facts.h. Arithmetic of which there is nothing to know has no opcode here: it is a lane_function.
enum class Opcode : std::uint8_t {
  // moves: d = a
  mov,
  special,      // d = special register `detail`
  pack,         // d = concatenation of uses, each of `source_type`
  unpack,       // defs = pieces of a, each of `type`
  address_lea,  // d = (a, widened as source_type says) << detail, + b
  // numbers; on Type::pred the bit operations are those of predicates
  add,
  sub,
  mul,  // floating point
  mul_lo,
  mul_hi,
  mul_wide,
  mad_lo,
  mad_wide,
  div,  // floating point
  abs,
  neg,
  min,
  max,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  cnot,
  shl,
  shr,
  fma,
  rcp,
  sqrt,
  rsqrt,
  ex2,   // of 16-bit formats
  tanh,  // of 16-bit formats
  copysign,
  setp,
  selp,
  // conversions
  cvt,
  cvt_pack,  // two sources into one register
  isspacep,
  mapa,        // d = the address that a has in the block of rank b; `detail` 1: a is an offset, else generic
  getctarank,  // d = the rank of the block whose shared memory a is in; `detail` as for mapa
  check_set,   // tells observers where a holds what unset registers do
  // memory
  load,
  store,
  atomic,
  barrier_look,  // d = whether the phase of a barrier in memory is over, by the state b; `flag`: by its parity
  load_parameter,
  async_copy,
  async_commit,
  async_wait,
  bulk_copy,  // to a, from b, c bytes, or registers b on; then the barrier, the mask of blocks; `detail`: BulkForm
  bulk_commit,
  bulk_wait,    // until at most `detail` groups are pending; `flag`: until they have read
  proxy_fence,  // before copies in bulk that read shared memory
  load_blob,
  store_blob,  // function parameters that are arrays
  blob_to_frame,
  blob_from_frame,  // between such an array and `detail` bytes behind the frame's first byte of local memory
  fence,
  texture,
  surface_load,
  surface_store,
  surface_reduce,  // of the value
  image_query,     // d = the extent of axis `detail` >> kAskedShift
  // lanes of a warp
  shuffle,
  vote,
  match_any,
  match_all,
  redux,
  elect,
  warp_barrier,
  active_mask,
  matrix,
  // the block
  barrier_sync,
  barrier_arrive,
  barrier_reduce,
  cluster_arrive,  // `flag`: it releases
  cluster_wait,
  leave_barriers,  // tells observers of a way on which none comes any more; `detail`: the early end, or kNoEnd
  leave_shuffles,  // likewise
  // control
  jump,
  branch,
  branch_compare,
  branch_table,
  call,
  ret,
  exit,
  trap,
  nanosleep,
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

/// `detail` of operations on textures and surfaces: the number of dimensions, and these.
constexpr std::uint32_t kImageDimensions = 3, kIntegerCoordinates = 4, kBoundaryShift = 4;
constexpr std::uint32_t kLayered = 64, kCube = 128, kGatherShift = 8, kReductionShift = 12;
constexpr std::uint32_t kFormatted = 1u << 11;                    // of reductions: elements in x, and the format's sign
constexpr std::uint32_t kOfSurface = 1u << 11, kAskedShift = 12;  // of queries
enum class Boundary : std::uint8_t { trap, clamp, zero };

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

/// `detail` of isspacep, beside the space: shared memory of any block of the cluster.
constexpr std::uint32_t kOfCluster = 1u << 8;

/// `detail` of conversions that make the largest number of what is larger.
constexpr std::uint32_t kFinite = 2;

constexpr std::uint32_t kNoRegister = 0xFFFF'FFFF;
constexpr std::uint32_t kNoEnd = 0xFFFF'FFFF;

/// Memory operand and qualifiers.
struct MemoryFields {
  ptx::Space space = ptx::Space::generic;
  MemoryOrder order = MemoryOrder::weak;
  MemoryScope scope = MemoryScope::block;
  bool is_volatile = false;
  bool of_cluster = false;  // shared memory, of any block of the cluster
  std::uint8_t lanes = 1;   // vector width
  bool wraps = false;       // at 32 bits: constants
  bool indexed = false;  // the last use is an index of type source_type, shifted by `detail` and added to the address
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
  const LaneForm* form = nullptr;         // lane_function: what an instruction spells; null: a builtin
  std::shared_ptr<const MatrixForm> matrix = nullptr;
  bool pinned = false;            // lane_function: has effects beyond its result
  Handler handler = nullptr;      // lane_function
  std::uint32_t instruction = 0;  // of the program
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

}  // namespace cudalabs::vgpu::exec::ir
