// What a warp waits for, from small pieces of PTX: who waits for whom, which waits overlap, what loops are.
#include "vgpu/profile/warp_path.h"

#include <numeric>

#include "catch.h"
#include "vgpu/analysis/flow_graph.h"
#include "vgpu/memory/global_memory.h"
#include "vgpu/ptx/module.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// A kernel with the body `code`; registers %r, %f, %rd and %p, one parameter `a` in %rd1 as an address.
struct Kernel {
  explicit Kernel(const std::string& code)
      : module(ptx::parse(".version 7.0\n.target sm_80\n.address_size 64\n.const .align 4 .b8 sizes[16];\n"
                          ".visible .entry k(.param .u64 a)\n{\n"
                          ".reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .f32 %f<40>;\n.reg .b64 %rd<9>;\n"
                          ".shared .align 16 .b8 tile[1024];\n" +
                          code + "\nret;\n}\n")),
        memory(1 << 20),
        program(module, memory),
        table(schedule_table(module, program)) {}

  /// The path of one warp that executes every instruction `times` times.
  WarpPath path(std::uint64_t times = 1) const {
    return path(std::vector<std::uint64_t>(table.instructions.size(), times));
  }
  /// `executed`: by instruction.
  WarpPath path(const std::vector<std::uint64_t>& executed) const {
    return warp_path(table, KernelInstructions(program, program.kernels()[0]), executed);
  }
  std::uint32_t registers() const { return program.kernels()[0].registers; }

  ptx::Module module;
  GlobalMemory memory;
  Program program;
  ScheduleTable table;
};

}  // namespace

TEST_CASE("loads that need nothing of each other are waited for together", "[profile]") {
  const Kernel kernel(R"(
    ld.global.f32 %f1, [%rd1];
    ld.global.f32 %f2, [%rd1+128];
    add.f32 %f3, %f1, %f2;
    st.global.f32 [%rd1], %f3;)");
  CHECK(kernel.path().global == 1);
  CHECK(kernel.path().arithmetic == 1);
  CHECK(kernel.path(10).global == 10);
}

TEST_CASE("an atomic asks where something reads its answer", "[profile]") {
  const Kernel kernel(R"(
    atom.global.add.u32 %r1, [%rd1], 1;
    atom.global.add.u32 %r2, [%rd1], 1;
    red.global.add.u32 [%rd1], 1;
    ld.global.u32 %r3, [%rd1];
    add.u32 %r4, %r2, %r3;)");
  std::vector<bool> asks;
  for (const ScheduleTable::Instruction& instruction : kernel.table.instructions) asks.push_back(instruction.asks);
  CHECK(asks == std::vector{false, true, false, false, false, false});
}

TEST_CASE("a load whose address is loaded waits twice", "[profile]") {
  const Kernel kernel(R"(
    ld.global.u64 %rd2, [%rd1];
    ld.global.f32 %f1, [%rd2];
    st.global.f32 [%rd1], %f1;)");
  CHECK(kernel.path().global == 2);
}

TEST_CASE("loads do not pass stores to their space, but those to others", "[profile]") {
  const Kernel same(R"(
    ld.global.f32 %f1, [%rd1];
    st.global.f32 [%rd1+4], %f1;
    ld.global.f32 %f2, [%rd1+8];
    st.global.f32 [%rd1+12], %f2;)");
  CHECK(same.path().global == 2);
  const Kernel other(R"(
    ld.global.f32 %f1, [%rd1];
    st.shared.f32 [tile], %f1;
    ld.global.f32 %f2, [%rd1+8];
    st.shared.f32 [tile+4], %f2;)");
  CHECK(other.path().global == 1);
}

TEST_CASE("a barrier parts what is loaded before it from what is loaded after it", "[profile]") {
  const Kernel kernel(R"(
    ld.global.f32 %f1, [%rd1];
    st.shared.f32 [tile], %f1;
    bar.sync 0;
    ld.shared.f32 %f2, [tile+64];
    st.global.f32 [%rd1], %f2;)");
  const WarpPath path = kernel.path();
  CHECK(path.global == 1);
  CHECK(path.barriers == 1);
  CHECK(path.shared == 1);
}

TEST_CASE("copies in the background are waited for where the program says so", "[profile]") {
  const std::string copy = "mov.u32 %r1, tile;\ncp.async.ca.shared.global [%r1], [%rd1], 4;\n";
  const std::string sums = [] {
    std::string text;
    for (int i = 0; i < 200; ++i) text += "fma.rn.f32 %f1, %f1, %f1, %f1;\n";
    return text;
  }();
  const WarpPath at_once = Kernel(copy + "cp.async.wait_all;\n" + sums).path();
  CHECK(at_once.arithmetic + at_once.global >= 200);
  const WarpPath late = Kernel(copy + sums + "cp.async.wait_all;\n").path();
  CHECK(late.arithmetic == 200);  // 800 cycles, in which the copy arrived
  CHECK(late.global == 0);
}

TEST_CASE("moves cost nothing, and instructions that nobody waits for a cycle each", "[profile]") {
  CHECK(Kernel("mov.u32 %r1, %r2;").path().issues <= 1);  // the return
  const Kernel kernel(R"(
    st.shared.f32 [tile], %f1;
    st.shared.f32 [tile+4], %f1;
    st.shared.f32 [tile+8], %f1;)");
  CHECK(kernel.path().issues == 4);  // with the return
}

TEST_CASE("loads go ahead as long as a thread has registers for them", "[profile]") {
  // A loop that adds up eight loads; `kept` values live through it.
  const auto loop = [](int kept) {
    std::string before = "mov.u32 %r1, 0;\n", after, body;
    for (int i = 0; i < kept; ++i) {
      before += "ld.global.f32 %f" + std::to_string(i + 10) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
      after += "st.global.f32 [%rd1], %f" + std::to_string(i + 10) + ";\n";
    }
    for (int i = 0; i < 8; ++i) {
      const std::string value = "%f" + std::to_string(i + 1);
      body += "ld.global.f32 " + value + ", [%rd1+" + std::to_string(128 * i) + "];\n";
      body += "add.f32 %f9, %f9, " + value + ";\n";
    }
    return before + "$loop:\n" + body + "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 8;\n@%p1 bra $loop;\n" + after;
  };
  const auto waits = [&](int kept) {
    const Kernel kernel(loop(kept));
    std::vector<std::uint64_t> executed(kernel.table.instructions.size(), 0);
    const ScheduleTable::Block& body = kernel.table.functions.at(0).blocks.at(1);
    for (std::uint32_t i = 0; i < body.count; ++i) executed[body.first + i] = 1;
    CHECK(body.alive == static_cast<std::uint32_t>(kept) + 4);  // the sum, the counter and the address
    return kernel.path(executed).global;
  };
  CHECK(waits(0) == 1);
  CHECK(waits(20) == 1);  // 24 of 32: room for all eight
  CHECK(waits(24) == 2);  // 28 of 32: room for four
  CHECK(waits(28) == 1);  // full, and so it takes the next 8
}

TEST_CASE("parameters take no registers, 64-bit values two", "[profile]") {
  const Kernel kernel(R"(
    ld.param.u64 %rd1, [a];
    ld.global.u64 %rd2, [%rd1];
    $loop:
    add.u64 %rd2, %rd2, 8;
    setp.lt.u64 %p1, %rd2, %rd1;
    @%p1 bra $loop;)");
  CHECK(kernel.table.functions.at(0).blocks.at(1).alive == 2);
}

TEST_CASE("neighbouring words of shared memory are one load", "[profile]") {
  const Kernel kernel(R"(
    ld.shared.f32 %f1, [%r1+4];
    ld.shared.f32 %f2, [%r1+8];
    ld.shared.f32 %f3, [%r1+12];
    ld.shared.f32 %f4, [%r1+16];
    ld.shared.f32 %f5, [%r1+20];
    ld.shared.f32 %f6, [%r1+24];
    ld.shared.f32 %f7, [%r1+32];
    ld.shared.f32 %f8, [%r2];)");
  std::vector<int> words, joined;
  for (std::size_t i = 0; i < 8; ++i) {
    words.push_back(kernel.table.instructions[i].group_words);
    joined.push_back(kernel.table.instructions[i].joined);
  }
  CHECK(words == std::vector{4, 4, 4, 4, 2, 2, 0, 0});
  CHECK(joined == std::vector{0, 1, 1, 1, 0, 1, 0, 0});
}

TEST_CASE("a label that nothing jumps to does not part neighbouring loads", "[profile]") {
  // Debug information has such labels wherever an inlined function begins or ends.
  const Kernel kernel(R"(
    ld.shared.f32 %f1, [%r1];
    $L__tmp1:
    ld.shared.f32 %f2, [%r1+4];
    $jumped_to:
    ld.shared.f32 %f3, [%r1+8];
    @%p1 bra $jumped_to;)");
  std::vector<int> words;
  for (std::size_t i = 0; i < 3; ++i) words.push_back(kernel.table.instructions[i].group_words);
  CHECK(words == std::vector{2, 2, 0});
}

TEST_CASE("constants at a known place are read where they are", "[profile]") {
  CHECK(Kernel("ld.const.f32 %f1, [sizes+4];\nst.shared.f32 [tile], %f1;").path().global == 0);
  CHECK(Kernel("ld.const.f32 %f1, [sizes+4];\nst.shared.f32 [tile], %f1;").path().shared == 0);
  const WarpPath indexed = Kernel("ld.const.f32 %f1, [%rd2];\nst.shared.f32 [tile], %f1;").path();
  CHECK(indexed.shared == 1);
  CHECK(indexed.global == 0);
}

TEST_CASE("jumps that are always taken cost nothing", "[profile]") {
  const Kernel kernel(R"(
    st.shared.f32 [tile], %f1;
    bra.uni $next;
    $next:
    st.shared.f32 [tile+4], %f1;)");
  CHECK(kernel.path().issues == 3);  // with the return
}

TEST_CASE("addresses of shared memory take one register", "[profile]") {
  const Kernel kernel(R"(
    mov.u64 %rd2, tile;
    $loop:
    st.shared.f32 [%rd2], %f1;
    add.u64 %rd2, %rd2, 4;
    @%p1 bra $loop;)");
  CHECK(kernel.table.functions.at(0).blocks.at(1).alive == 2);  // the address and the value
}

TEST_CASE("stores and new addresses part neighbouring loads", "[profile]") {
  const Kernel kernel(R"(
    ld.shared.f32 %f1, [%r1];
    st.shared.f32 [tile], %f3;
    ld.shared.f32 %f2, [%r1+4];
    add.u32 %r1, %r1, 4;
    ld.shared.f32 %f4, [%r1+8];)");
  for (const auto& instruction : kernel.table.instructions) CHECK(instruction.group_words == 0);
}

TEST_CASE("a loop's iterations are counted by themselves, and detours apart", "[profile]") {
  const Kernel kernel(R"(
    ld.global.f32 %f1, [%rd1];
  LOOP:
    ld.shared.f32 %f2, [tile];
    add.f32 %f1, %f1, %f2;
    @%p1 bra NEXT;
    ld.global.f32 %f3, [%rd1+4];
  NEXT:
    add.u32 %r1, %r1, 1;
    @%p2 bra LOOP;
    st.global.f32 [%rd1], %f1;)");
  const auto regions = loop_regions(kernel.table.functions[0].ways);
  CHECK(regions.size() == 2);
  std::vector<std::uint64_t> executed(kernel.table.instructions.size(), 100);
  executed.front() = 1;
  for (std::size_t last = executed.size() - 2; last < executed.size(); ++last) executed[last] = 1;
  executed[4] = 10;  // one iteration in ten
  const WarpPath path = kernel.path(executed);
  CHECK(path.shared == 100);
  CHECK(path.global == 1 + 10);
  CHECK(path.arithmetic == 100);
}

TEST_CASE("four rounds of a loop with shuffles are one, as by nvcc", "[profile]") {
  const auto loop = [](const std::string& round, const std::string& end) {
    return Kernel("mov.u32 %r1, 0;\nLOOP:\n" + round + "add.u32 %r1, %r1, 1;\n" + end + "@%p2 bra LOOP;\n");
  };
  const std::string shuffle = "shfl.sync.idx.b32 %r2, %r3, %r1, 31, -1;\n";
  const std::string load = "add.u64 %rd2, %rd2, 4;\nld.global.u32 %r4, [%rd2];\n";
  const std::string sum = "mad.lo.u32 %r5, %r2, %r4, %r5;\n";
  const std::string counted = "setp.lt.u32 %p2, %r1, %r6;\n";
  const auto loads_waited_for = [&](const std::string& round, const std::string& end) {
    const Kernel kernel = loop(round, end);
    std::vector<std::uint64_t> executed(kernel.table.instructions.size(), 100);
    executed.front() = executed.back() = 1;
    return kernel.path(executed).global;
  };
  CHECK(loads_waited_for(shuffle + load + sum, counted) == 25);
  CHECK(loads_waited_for(load + sum, counted) == 100);  // the code's own compiler would have, if it were worth it
  CHECK(loads_waited_for(shuffle + shuffle + shuffle + shuffle + load + sum, counted) == 100);
  CHECK(loads_waited_for(shuffle + load + sum, "setp.lt.u32 %p2, %r1, %r4;\n") == 100);  // ends by what it loaded
  CHECK(loads_waited_for(shuffle + load + sum + "bar.sync 0;\n", counted) == 100);
  CHECK(loads_waited_for(shuffle + "ld.global.u64 %rd1, [%rd1];\n", counted) == 100);  // each load waits for the last
}

TEST_CASE("registers are those that hold values at a time", "[profile]") {
  std::string loads, sums, in_turn;
  for (int i = 1; i <= 30; ++i) {
    const std::string load = "ld.global.f32 %f" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
    const std::string sum = "add.f32 %f0, %f0, %f" + std::to_string(i) + ";\n";
    loads += load;
    sums += sum;
    in_turn += load + sum;
  }
  const std::string start = "ld.param.u64 %rd1, [a];\nmov.f32 %f0, 0f00000000;\n", end = "st.global.f32 [%rd1], %f0;\n";
  CHECK(Kernel(start + loads + sums + end).registers() == 30 + 1 + 2);  // the sum, and an address of two
  CHECK(Kernel(start + in_turn + end).registers() == 1 + 1 + 2);
}
