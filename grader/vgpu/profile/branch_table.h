// The conditional branches of a program, and the ways between its blocks of instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vgpu/exec/program.h"
#include "vgpu/finding.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

/// By index; made once per module. Instructions are numbered as in the program.
struct BranchTable {
  /// Instructions that threads enter at the first one only and leave after the last one only, but for calls that never
  /// return.
  struct Block {
    std::optional<std::uint32_t> first, last;  // instructions that all threads execute that enter and that leave; none:
                                               // nothing in it says how many
    bool entry = false;                        // threads come in from outside as well: a kernel or function begins here
    std::vector<std::uint32_t> in, out;        // into `ways`
  };
  /// From the end of one block to the beginning of another.
  struct Way {
    std::uint32_t from = 0, to = 0;
  };
  struct Side {
    std::uint32_t way = 0;
    SourcePlace to;  // the first place known there; unknown when the function ends before there is one
  };
  struct Branch {
    SourcePlace where;
    Side next;   // of its two sides the one that goes on right after it in the program's text
    Side other;  // further on (an `else`, the end of an `if`), or back
  };

  /// What belongs to a function of the program: so many from the first on.
  struct Part {
    std::uint32_t first = 0, count = 0;
  };
  struct Function {
    Part instructions;  // of the program
    Part blocks, ways, branches;
  };

  std::vector<Function> functions;  // as in the program; threads go no way from one to another
  std::vector<Block> blocks;
  std::vector<Way> ways;
  std::vector<Branch> branches;  // those whose source place is known
};

/// `module` is what `program` was made of.
BranchTable branch_table(const ptx::Module& module, const Program& program);

}  // namespace cudalabs::vgpu
