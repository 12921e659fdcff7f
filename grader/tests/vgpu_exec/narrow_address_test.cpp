// Addresses of shared, local and constant memory have 32 bits and wrap there, as on a GPU.
#include <string>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

constexpr const char* kReserved[] = {"begin", "end", "cap", "0", "1"};

// tile[i] = 100 + i for 64 threads; %r5 is a shared address of the thread's element less 4096, in 32 bits, and %rd5
// the same with 64 bits that begin with ones.
std::string with_tile(const std::string& body) {
  return module_with(R"(
  .shared .align 16 .b8 tile[256];
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 2;
  add.s32 %r4, %r2, %r3;
  add.s32 %r5, %r4, -4096;
  cvt.u64.u32 %rd4, %r4;
  add.s64 %rd5, %rd4, -4096;
  add.s32 %r6, %r1, 100;
  st.shared.u32 [%r4], %r6;
  bar.sync 0;
)" + body);
}

void check_each_reads_its_own(const std::string& body) {
  const KernelRun run = run_kernel(with_tile(body + "\n  st.global.u32 [%rd3], %r7;"), 64, 64);
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.ids().empty());
  for (std::uint32_t i = 0; i < 64; ++i) {
    if (run.words[i] != 100 + i) FAIL_CHECK("thread " << i << " got " << run.words[i]);
  }
}

}  // namespace

TEST_CASE("an offset wraps a 32-bit shared address", "[vgpu]") {
  check_each_reads_its_own("ld.shared.u32 %r7, [%r5+4096];");
  check_each_reads_its_own("ld.volatile.shared.u32 %r7, [%r5+4096];");
  check_each_reads_its_own("atom.shared.add.u32 %r7, [%r5+4096], 5;");
  check_each_reads_its_own("red.shared.add.u32 [%r5+4096], 7;\n  sub.s32 %r7, %r6, 0;");
  check_each_reads_its_own("st.shared.u32 [%r5+4096], %r6;\n  ld.shared.u32 %r7, [%r4];");
}

TEST_CASE("the low half of a 64-bit register is a shared address", "[vgpu]") {
  check_each_reads_its_own("ld.shared.u32 %r7, [%rd5+4096];");
  check_each_reads_its_own("add.s64 %rd6, %rd5, 4096;\n  atom.shared.or.b32 %r7, [%rd6], 0;");
  check_each_reads_its_own("add.s64 %rd6, %rd4, 0x500000000;\n  ld.shared.u32 %r7, [%rd6];");
}

TEST_CASE("an index below 0 joins an offset", "[vgpu]") {
  // What a compiler makes of tile[(t + 2) % 3]: a negative index in 32 bits, times 4, and the constant in the offset.
  check_each_reads_its_own("sub.s32 %r8, %r1, 64;\n  shl.b32 %r9, %r8, 2;\n  ld.shared.u32 %r7, [%r9+256];");
  check_each_reads_its_own("sub.s32 %r8, %r1, 64;\n  mul.wide.s32 %rd6, %r8, 4;\n  ld.shared.u32 %r7, [%rd6+256];");
  check_each_reads_its_own(
      "sub.s32 %r8, %r1, 64;\n  mul.wide.s32 %rd6, %r8, 4;\n  mov.u64 %rd7, tile;\n  add.s64 %rd8, %rd7, %rd6;\n"
      "  ld.shared.u32 %r7, [%rd8+256];");
}

TEST_CASE("vectors wrap as scalars do", "[vgpu]") {
  // The address of the thread's pair is its own rounded down; the element is chosen from it.
  check_each_reads_its_own(R"(
  and.b32 %r8, %r5, -8;
  ld.shared.v2.u32 {%r9, %r10}, [%r8+4096];
  and.b32 %r11, %r1, 1;
  setp.eq.u32 %p1, %r11, 1;
  selp.b32 %r7, %r10, %r9, %p1;)");
}

TEST_CASE("asynchronous copies wrap as stores do", "[vgpu]") {
  check_each_reads_its_own(R"(
  st.global.u32 [%rd3], %r6;
  cp.async.ca.shared.global [%r5+4096], [%rd3], 4;
  cp.async.wait_all;
  ld.shared.u32 %r7, [%r4];)");
}

TEST_CASE("local addresses wrap, too", "[vgpu]") {
  check_each_reads_its_own(R"(
  .local .align 4 .b8 own[16];
  mov.u32 %r8, own;
  add.s32 %r9, %r8, -64;
  st.local.u32 [%r9+64], %r6;
  mov.u64 %rd6, own;
  add.s64 %rd7, %rd6, -64;
  ld.local.u32 %r7, [%rd7+64];)");
}

TEST_CASE("constant addresses wrap, too", "[vgpu]") {
  const auto check_loads = [](const std::string& body) {
    const std::string table = ".const .align 4 .u32 table[4] = {11, 22, 33, 44};\n";
    const KernelRun run = run_kernel(module_with(body + "\n  st.global.u32 [%rd1], %r7;", table), 1, 1);
    CHECK(run.status == LaunchStatus::ok);
    CHECK(run.ids().empty());
    CHECK(run.words[0] == 33);
  };
  check_loads("mov.u64 %rd2, table;\n  add.s64 %rd3, %rd2, 0x500000000;\n  ld.const.u32 %r7, [%rd3+8];");
  check_loads("mov.u64 %rd2, table;\n  add.s64 %rd3, %rd2, -64;\n  ld.const.u32 %r7, [%rd3+72];");
  check_loads("mov.u32 %r2, table;\n  add.s32 %r3, %r2, -1073741824;\n  ld.const.u32 %r7, [%r3+1073741832];");
  // An index below 0, in 32 bits, and the constant in the offset.
  check_loads(
      "mov.u64 %rd2, table;\n  sub.s32 %r2, %r1, 2;\n  mul.wide.u32 %rd3, %r2, 4;\n  add.s64 %rd4, %rd2, %rd3;\n"
      "  ld.const.u32 %r7, [%rd4+16];");
}

TEST_CASE("an address that wraps to outside the block's memory is told from there", "[vgpu]") {
  for (const std::string address : {"%r4", "%rd4"}) {
    const KernelRun run = run_kernel(with_tile("ld.shared.u32 %r7, [" + address + "+-1024];"), 1, 1);
    CHECK(run.status == LaunchStatus::illegal_address);
    REQUIRE(run.findings.size() == 1);
    CHECK(run.findings[0].id == "shared-out-of-bounds");
    CHECK(run.findings[0].note.find("1024 bytes before the start") != std::string::npos);
  }
  const KernelRun run = run_kernel(with_tile("ld.shared.u32 %r7, [%r4+1024];"), 1, 1);
  REQUIRE(run.findings.size() == 1);
  CHECK(run.findings[0].note.find("768 bytes past the end") != std::string::npos);
}

TEST_CASE("generic addresses do not wrap at 32 bits", "[vgpu]") {
  const KernelRun run = run_kernel(with_tile("add.s64 %rd6, %rd3, 0x100000000;\n  ld.u32 %r7, [%rd6];"), 1, 1);
  CHECK(run.status == LaunchStatus::illegal_address);
}

TEST_CASE("the driver's shared memory has an address, and nobody may access it") {
  for (const std::string which : kReserved) {
    CAPTURE(which);
    const std::string read = "mov.u32 %r2, %reserved_smem_offset_" + which + ";\n";
    const KernelRun unused = run_kernel(module_with(read + "st.global.u32 [%rd1], %r2;"), 1, 1);
    CHECK(unused.status == LaunchStatus::ok);
    CHECK(unused.ids().empty());
    const KernelRun used =
        run_kernel(module_with(read + "ld.shared.u32 %r3, [%r2];\nst.global.u32 [%rd1], %r3;"), 1, 1);
    CHECK(used.ids() == std::vector<std::string>{"shared-out-of-bounds"});
  }
}
