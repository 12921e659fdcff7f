// Random operations of the threads of a warp or a block together.
#include "program_writer.h"

namespace cudalabs::reference {

// A warp operation of the lanes that take a branch.
void ProgramWriter::together_in_branch() {
  const std::string end = label();
  const std::string predicate = reg('p');
  line("vote.sync.ballot.b32 %voters, {}, %member;", predicate);
  line("@!{} bra {};", predicate, end);
  arithmetic(random_.below(forms()), 15);
  together("%voters");
  text_ += end + ":\n";
}

// What the threads that `full` names do with each other: barriers are for all threads of the block.
void ProgramWriter::together(const std::string& full) {
  const bool everyone = full == "%member";
  switch (everyone ? random_.below(9) : 6 + random_.below(3)) {
    case 0:
    case 1: {
      // A value through shared memory, between two barriers.
      const std::string value = reg('r');
      line("st.shared.b32 [%exchange], {};", value);
      line("{} 0;", random_.chance(50) ? "bar.sync" : "barrier.sync");
      line("add.u32 %i0, %linear, {};", random_.below(threads_per_block_));
      line("rem.u32 %i0, %i0, {};", threads_per_block_);
      line("mul.wide.u32 %address, %i0, 4;");
      line("mov.u64 %fa, exchange;");
      line("add.u64 %address, %address, %fa;");
      line("ld.shared.b32 {}, [%address];", reg('r'));
      return line("bar.sync 0;");
    }
    case 2:
      return line("bar.red.popc.u32 {}, 0, {};", reg('r'), operand('P', false));
    case 3:
      return line("bar.red.{}.pred {}, 0, {};", random_.chance(50) ? "and" : "or", reg('p'), operand('P', false));
    case 4:
    case 5: {
      static const std::vector<std::string> modes{"up", "down", "bfly", "idx"};
      const std::string& mode = random_.pick(modes);
      // Segments of 32, 16, 8, ... lanes; lanes that do not exist are never read, since the sources of shfl.up stay
      // below the lane, and the others are only used in full warps.
      const bool partial = threads_per_block_ % 32 != 0;
      const std::uint64_t segment = 32 - (std::uint64_t{1} << random_.below(6));
      const std::string& used = partial ? modes[0] : mode;
      const std::uint64_t clamp = segment << 8 | (used == "up" ? 0 : 31);
      return line("shfl.sync.{}.b32 {}|{}, {}, {}, {}, {};", used, reg('r'), reg('p'), reg('r'), random_.below(32),
                  clamp, full);
    }
    case 6: {
      static const std::vector<std::string> modes{"all", "any", "uni"};
      if (random_.chance(50)) return line("vote.sync.ballot.b32 {}, {}, {};", reg('r'), operand('P', false), full);
      return line("vote.sync.{}.pred {}, {}, {};", random_.pick(modes), reg('p'), operand('P', false), full);
    }
    case 7: {
      const bool wide = random_.chance(40);
      const std::string value = reg(wide ? 'd' : 'r');
      if (random_.chance(50)) {
        return line("match.any.sync.b{} {}, {}, {};", wide ? 64 : 32, reg('r'), value, full);
      }
      return line("match.all.sync.b{} {}|{}, {}, {};", wide ? 64 : 32, reg('r'), reg('p'), value, full);
    }
    default: {
      static const std::vector<std::string> operations{"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",
                                                       "max.s32", "and.b32", "or.b32",  "xor.b32"};
      return line("redux.sync.{} {}, {}, {};", random_.pick(operations), reg('r'), reg('r'), full);
    }
  }
}

}  // namespace cudalabs::reference
