// What the decoder makes and the interpreter executes: micro-operations in segments, functions and kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vgpu/exec/atomic_operation.h"
#include "vgpu/exec/bulk_form.h"
#include "vgpu/exec/observer.h"
#include "vgpu/exec/warp_operation.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::exec {

struct MatrixForm;
struct Warp;
struct MicroOp;
struct Segment;
struct FunctionCode;

constexpr LaneMask kAllLanes = 0xFFFF'FFFF;

/// Executes one micro-operation for the lanes in `mask` and either calls the next handler (in tail position) or returns
/// the micro-operation to go on with; nullptr hands the warp back to the scheduler. `registers` is the running frame.
/// Every handler leaves the registers of inactive lanes alone.
using Handler = const MicroOp* (*)(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask);

/// What lanes of a warp that have waited for each other do together (shuffle, vote, …).
using TogetherHandler = void (*)(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask);

/// Registers are rows of 32 lanes: 4 or 8 bytes a lane (2 for 16-bit types), or one LaneMask for a predicate. Operands
/// name rows by their byte offset in the frame.
struct alignas(64) MicroOp {
  Handler run = nullptr;
  std::uint32_t d = 0, a = 0, b = 0, c = 0;
  std::uint64_t immediate = 0;
  std::uint32_t instruction = 0;    // of the program, for observers
  std::uint32_t extra = 0;          // meaning depends on the handler
  const Segment* target = nullptr;  // terminators: where lanes go on; branches: those that take it
  union {
    const Segment* next = nullptr;  // branches: where the others go
    const void* data;               // a descriptor the handler knows
    TogetherHandler together;       // what lanes do that have waited for each other; null: nothing
  };
};
static_assert(sizeof(MicroOp) == 64);

/// Straight-line code: entered at its start, left at its end.
struct Segment {
  const MicroOp* first = nullptr;
  std::uint32_t counter = 0;      // into Warp::counts: executions of all its instructions
  std::uint32_t length = 0;       // PTX instructions, for budgets
  std::uint32_t priority = 0;     // the runnable lanes at the lowest number go first, so that lanes meet again
  std::uint32_t instruction = 0;  // its first one
};

/// What comes after a segment, for questions that are asked seldom.
struct SegmentWays {
  std::vector<std::uint32_t> leads_to;  // segments of the function
  bool only_ends = false;               // nothing is left to do but to exit or to return, here or where it leads
  MeetingKind meets;                    // what it ends in
  bool calls = false;
};

/// A row that holds the same value in all lanes: written once when the frame is made, never again.
struct ConstantRow {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;  // per lane: 2, 4 or 8; 0 for a predicate
  std::uint64_t value = 0;
};

/// Where a parameter or result of a function lives in its frame.
struct ParameterSlot {
  std::uint32_t offset = 0;
  std::uint32_t row_bytes = 0;  // bytes of all its rows
  bool predicate = false;
  bool array = false;  // rows of 4 bytes a lane
};

/// What a register that nothing has written holds, in every 16 bits: NaN in each floating-point type, in double
/// precision one that arithmetic changes, as it does not keep that of the others; and an integer that leads out of
/// every array.
constexpr std::uint16_t kUnsetBits = 0x7FF7;

/// A row that may be read before it is written, and holds kUnsetBits at first.
struct UnsetRow {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;  // 0: a predicate
};

/// What a memory instruction is, apart from its operands.
struct MemoryDescriptor {
  std::uint32_t site = 0;  // into Worker::sites
  ptx::Space space = ptx::Space::generic;
  AccessKind kind = AccessKind::load;
  MemoryOrder order = MemoryOrder::weak;
  MemoryScope scope = MemoryScope::block;
  std::uint8_t bytes = 4;                          // per lane, all elements of a vector together
  bool strong = false;                             // volatile or atomic: may be part of a spin
  bool of_cluster = false;                         // shared memory, of any block of the cluster
  std::uint64_t address_mask = ~std::uint64_t{0};  // addresses of the space wrap at 32 bits, or do not
  AtomicOperation operation = AtomicOperation::add;
  ptx::Type type = ptx::Type::b32;
};

/// A texture or surface instruction: its rows in the frame, and what its suffixes say.
struct ImageOperation {
  const MemoryDescriptor* memory = nullptr;  // but for the bytes, which are the image's
  std::uint32_t handle = 0;
  std::uint32_t layer = 0;  // where ir::kLayered
  std::uint32_t coordinates[3] = {};
  std::uint32_t values[4] = {};
  std::uint8_t value_bytes[4] = {};  // per lane, of the registers
  std::uint8_t elements = 4;
  std::uint8_t element_bytes = 4;  // surfaces: of an element in memory
  std::uint8_t dimensions = 1;
  std::uint32_t detail = 0;  // ir::ImageDetail
};

/// An instruction on matrices: its rows in the frame.
struct MatrixOperation {
  std::shared_ptr<const MatrixForm> form;
  const MemoryDescriptor* memory = nullptr;       // but for the bytes, which are of what lies side by side
  std::int64_t offset = 0;                        // of the address
  std::uint32_t address = 0, stride = 0;          // rows
  std::vector<std::uint32_t> a{}, b{}, c{}, d{};  // rows of the fragments' registers; of what is stored, those of `d`
  /// Elements of each lane that lie side by side in memory, from the first one on.
  struct Piece {
    std::uint32_t first = 0, count = 1;
  };
  std::vector<Piece> pieces{};
  /// Registers that hold what an earlier one does: of `d`, from and to.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> copies{};
};

struct FunctionCode {
  std::uint32_t function = 0;  // into Program::functions()
  std::vector<MicroOp> ops;
  std::vector<Segment> segments;  // [0] is the entry
  std::vector<SegmentWays> ways;  // by segment
  std::uint32_t frame_bytes = 0;
  std::uint32_t local_bytes = 0;  // per thread, multiple of 16
  std::uint32_t index = 0;        // into KernelCode::functions
  std::vector<ConstantRow> constants;
  std::vector<UnsetRow> unset;
  std::vector<ParameterSlot> parameters, results;
};

/// How a call moves rows between the frames. Lanes copy from the caller's `from` to the callee's parameters in order.
struct CallSite {
  const FunctionCode* callee = nullptr;  // null: indirect, by the address in row `target`
  std::uint32_t target = 0;
  std::vector<ParameterSlot> arguments, results;  // in the caller's frame
  const Segment* again = nullptr;  // indirect: a segment that holds only the call, for lanes that call another function
  std::uint32_t instruction = 0;
};

/// A segment with nothing but an indirect call.
struct RepeatedCall {
  Segment segment;
  MicroOp op;
};

struct KernelCode {
  std::vector<std::unique_ptr<FunctionCode>> functions;               // [0] is the kernel
  std::unordered_map<std::uint64_t, const FunctionCode*> by_address;  // function pointers
  std::vector<std::unique_ptr<CallSite>> call_sites;
  std::vector<std::unique_ptr<RepeatedCall>> repeated_calls;
  std::vector<std::unique_ptr<std::vector<const Segment*>>> jump_tables;
  std::vector<std::vector<std::uint32_t>> counted;        // by counter: the instructions it counts
  std::vector<std::unique_ptr<MemoryDescriptor>> memory;  // by site
  std::vector<std::unique_ptr<ImageOperation>> images;
  std::vector<MatrixOperation> matrices;
  std::vector<std::unique_ptr<BulkOperation>> bulk_copies;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t parameter_bytes = 0;
};

}  // namespace cudalabs::vgpu::exec
