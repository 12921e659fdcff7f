// What decides in which order and how soon a warp can execute the instructions of a program: who waits for whom.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/analysis/flow_graph.h"
#include "vgpu/exec/program.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

/// Made once per module. Instructions are numbered as in the program, registers within their function.
struct ScheduleTable {
  struct Instruction {
    WaitKind kind = WaitKind::issue;
    bool stores = false;   // to `space`
    bool ordered = false;  // a memory access that keeps its place among others of its space
    MemorySpace space = MemorySpace::global;
    /// Loads of neighbouring words of shared memory that compilers make one access of, where the first word's address
    /// allows it: how many words, and at which of them this load is. 0 words: no such load.
    std::uint8_t group_words = 0, place_in_group = 0;
    bool joined = false;     // to a load of its group that comes first: costs nothing
    bool exchanges = false;  // values between the lanes of a warp: all of them come to it together
    bool asks = false;       // an atomic whose result some instruction of the function reads
    std::vector<std::uint32_t> reads, writes;

    bool issues() const { return kind != WaitKind::none && !joined; }
  };
  /// Instructions [first, first + count) that are entered at the first only.
  struct Block {
    std::uint32_t first = 0, count = 0;
    std::uint32_t alive = 0;  // 32-bit registers that hold values when it is entered
  };
  struct Function {
    std::vector<Block> blocks;
    Ways ways;                        // between the blocks
    std::vector<std::uint8_t> words;  // of each register: how many 32-bit registers it takes
  };

  std::vector<Instruction> instructions;
  std::vector<Function> functions;
};

/// `module` is what `program` was made of.
ScheduleTable schedule_table(const ptx::Module& module, const Program& program);

}  // namespace cudalabs::vgpu
