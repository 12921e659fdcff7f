// Lanes that take different ways meet again where the ways do.
#include <string>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

// %rd3 is the thread's word; what `body` leaves in %r9 goes there.
std::vector<std::uint32_t> results_of(const std::string& body, std::uint32_t threads = 32,
                                      const std::string& functions = {}) {
  const KernelRun run =
      run_kernel(module_with("  mul.wide.u32 %rd2, %r1, 4;\n  add.s64 %rd3, %rd1, %rd2;\n  mov.u32 %r9, 0;\n" + body +
                                 "\n  st.global.u32 [%rd3], %r9;",
                             functions),
                 threads, threads);
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.ids().empty());
  return run.words;
}

}  // namespace

TEST_CASE("the sides of a branch run apart and meet behind it", "[vgpu]") {
  const std::string branch = R"(
  setp.lt.u32 %p1, %r1, 10;
  @%p1 bra small;
  activemask.b32 %r2;
  bra join;
small:
  activemask.b32 %r2;
join:
  activemask.b32 %r3;
)";
  const auto inside = results_of(branch + "  mov.u32 %r9, %r2;");
  const auto behind = results_of(branch + "  mov.u32 %r9, %r3;");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    CHECK(inside[lane] == (lane < 10 ? 0x3FFu : ~0x3FFu));
    CHECK(behind[lane] == 0xFFFF'FFFF);
  }
}

TEST_CASE("lanes that leave a loop wait for those that go round again", "[vgpu]") {
  const auto words = results_of(R"(
  mov.u32 %r2, 0;
  mov.u32 %r4, 0;
loop:
  add.u32 %r2, %r2, 1;
  activemask.b32 %r3;
  popc.b32 %r5, %r3;
  add.u32 %r4, %r4, %r5;
  setp.le.u32 %p1, %r2, %r1;
  @%p1 bra loop;
  activemask.b32 %r6;
  popc.b32 %r6, %r6;
  shl.b32 %r6, %r6, 16;
  or.b32 %r9, %r6, %r4;)");
  std::uint32_t rounds = 0;  // of all lanes that are there in each round: 32, 31, ...
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    rounds += 32 - lane;
    CHECK(words[lane] == (32u << 16 | rounds));
  }
}

TEST_CASE("lanes that have ended are waited for no longer", "[vgpu]") {
  const auto words = results_of(R"(
  and.b32 %r2, %r1, 3;
  setp.eq.u32 %p1, %r2, 2;
  @%p1 exit;
  activemask.b32 %r9;)");
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(words[lane] == (lane % 4 == 2 ? 0 : 0xBBBB'BBBB));
}

TEST_CASE("breaking out of two loops leads to one place", "[vgpu]") {
  const auto words = results_of(R"(
  mov.u32 %r2, 0;
outer:
  mov.u32 %r3, 0;
inner:
  mad.lo.u32 %r4, %r2, 8, %r3;
  setp.eq.u32 %p1, %r4, %r1;
  @%p1 bra out;
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p2, %r3, 8;
  @%p2 bra inner;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p2, %r2, 4;
  @%p2 bra outer;
out:
  activemask.b32 %r5;
  popc.b32 %r9, %r5;)");
  CHECK(words == std::vector<std::uint32_t>(32, 32));
}

TEST_CASE("lanes come back from a function together", "[vgpu]") {
  const std::string functions = R"(
.func (.param .b32 result) twice(.param .b32 a)
{
  .reg .b32 %x<3>;
  .reg .pred %y;
  ld.param.b32 %x0, [a];
  setp.gt.u32 %y, %x0, 20;
  @%y bra large;
  add.u32 %x0, %x0, %x0;
  st.param.b32 [result], %x0;
  ret;
large:
  st.param.b32 [result], 7;
  ret;
}
)";
  const auto words = results_of(R"(
  {
  .param .b32 argument;
  .param .b32 answer;
  st.param.b32 [argument], %r1;
  call (answer), twice, (argument);
  ld.param.b32 %r2, [answer];
  }
  activemask.b32 %r3;
  popc.b32 %r3, %r3;
  shl.b32 %r3, %r3, 16;
  or.b32 %r9, %r2, %r3;)",
                                32, functions);
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(words[lane] == (32u << 16 | (lane > 20 ? 7 : 2 * lane)));
}

TEST_CASE("a jump table sends each lane its own way", "[vgpu]") {
  const auto words = results_of(R"(
  and.b32 %r2, %r1, 3;
  t: .branchtargets a, b, c, b;
  brx.idx %r2, t;
a:
  mov.u32 %r9, 100;
  bra join;
b:
  mov.u32 %r9, 200;
  bra join;
c:
  mov.u32 %r9, 300;
join:
  activemask.b32 %r3;
  popc.b32 %r3, %r3;
  add.u32 %r9, %r9, %r3;)");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t expected[] = {132, 232, 332, 232};
    CHECK(words[lane] == expected[lane % 4]);
  }
}

TEST_CASE("warps of a block wait for each other at a barrier, however long each one takes", "[vgpu]") {
  const auto words = results_of(R"(
  .shared .align 4 .u32 sum;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 st.shared.u32 [sum], 0;
  bar.sync 0;
  shr.u32 %r2, %r1, 5;
  mov.u32 %r3, 0;
wait:
  add.u32 %r3, %r3, 1;
  mul.lo.u32 %r4, %r2, 100;
  setp.lt.u32 %p1, %r3, %r4;
  @%p1 bra wait;
  atom.shared.add.u32 %r5, [sum], %r3;
  bar.sync 0;
  ld.shared.u32 %r9, [sum];)",
                                128);
  CHECK(words == std::vector<std::uint32_t>(128, 32 * (1 + 100 + 200 + 300)));
}
