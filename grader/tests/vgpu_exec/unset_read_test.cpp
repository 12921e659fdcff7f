// A register that nothing has written is told of where something is computed with it.
#include <string>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

std::vector<std::uint32_t> lines_of(const KernelRun& run) {
  std::vector<std::uint32_t> lines;
  for (const Finding& finding : run.findings) {
    CHECK(finding.id == "uninitialized-read");
    CHECK(finding.severity == Severity::warning);
    lines.push_back(finding.where.line);
  }
  return lines;
}

}  // namespace

TEST_CASE("the first use is told, in the lanes that come there without a value", "[vgpu]") {
  const KernelRun run = run_kernel(module_with(R"(
  .loc 1 3 1
  setp.ge.u32 %p1, %r1, 5;
  @%p1 bra $L1;
  mov.f32 %f1, 0f00000000;
$L1:
  .loc 1 4 1
  add.f32 %f2, %f1, 0f3F800000;
  .loc 1 5 1
  add.f32 %f3, %f2, %f1;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.f32 [%rd3], %f3;)"),
                                   8, 8);
  CHECK(lines_of(run) == std::vector<std::uint32_t>{4});
  CHECK(run.findings[0].count == 3);
  CHECK(run.findings[0].thread == Index3{5, 0, 0});
}

TEST_CASE("copies and choices are followed to the use", "[vgpu]") {
  // What a compiler makes of a sum without a first value: the loop's variable begins as a copy of a register that is
  // never written.
  const KernelRun run = run_kernel(module_with(R"(
  .loc 1 3 1
  mov.f64 %fd2, %fd1;
  setp.eq.u32 %p1, %r1, 0;
  selp.f64 %fd3, %fd2, 0d3FF0000000000000, %p1;
  mov.f64 %fd4, %fd3;
  mov.u32 %r2, 0;
$L1:
  .loc 1 4 1
  add.f64 %fd4, %fd4, 0d3FF0000000000000;
  add.s32 %r2, %r2, 1;
  setp.lt.u32 %p2, %r2, 10;
  @%p2 bra $L1;
  .loc 1 5 1
  mul.wide.u32 %rd2, %r1, 8;
  add.s64 %rd3, %rd1, %rd2;
  st.global.f64 [%rd3], %fd4;)"),
                                   2, 4);
  CHECK(lines_of(run) == std::vector<std::uint32_t>{4});
  CHECK(run.findings[0].count == 1);  // thread 1 chose the other value
}

TEST_CASE("a use that no thread without a value comes to is none", "[vgpu]") {
  const KernelRun run = run_kernel(module_with(R"(
  mul.wide.u32 %rd2, %r1, 8;
  add.s64 %rd3, %rd1, %rd2;
  setp.lt.u32 %p1, %r1, 1;
  @!%p1 bra $L1;
  mov.u32 %r2, 7;
$L1:
  mov.u32 %r3, %r2;
  @%p1 add.s32 %r4, %r2, 1;
  @%p1 st.global.u32 [%rd3], %r4;
  @!%p1 bra $L2;
  st.global.u32 [%rd3+4], %r3;
$L2:)"),
                                   8, 2);
  CHECK(run.findings.empty());
  CHECK(run.words == std::vector<std::uint32_t>{8, 7});
}

TEST_CASE("a register of a function is unset in every call", "[vgpu]") {
  const std::string function = R"(
.func (.param .b32 ret) f(.param .b32 first)
{
  .reg .pred %p<3>;
  .reg .b32 %r<5>;
  ld.param.u32 %r1, [first];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra $M1;
  mov.u32 %r2, 5;
$M1:
  .loc 1 9 1
  add.s32 %r3, %r2, 1;
  st.param.b32 [ret], %r3;
  ret;
}
)";
  const auto call = [](const std::string& first) {
    return "  {\n  .param .b32 a;\n  .param .b32 r;\n  st.param.b32 [a], " + first +
           ";\n  call.uni (r), f, (a);\n  ld.param.b32 %r5, [r];\n  }\n  st.global.u32 [%rd1], %r5;\n";
  };
  CHECK(run_kernel(module_with(call("1"), function), 1, 1).findings.empty());
  const KernelRun run = run_kernel(module_with(call("1") + call("0"), function), 1, 1);
  CHECK(lines_of(run) == std::vector<std::uint32_t>{9});
}

TEST_CASE("a shuffle passes on what nobody has set, to those who use it", "[vgpu]") {
  const auto run = [](const std::string& from) {
    return run_kernel(module_with(R"(
  .loc 1 3 1
  setp.ne.u32 %p1, %r1, 5;
  @%p1 bra $L1;
  mov.u32 %r2, 70;
$L1:
  .loc 1 4 1
  shfl.sync.idx.b32 %r3, %r2, )" + from +
                                  R"(, 31, 0xffffffff;
  .loc 1 5 1
  add.u32 %r4, %r3, 1;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r4;)"),
                      32, 32);
  };
  const KernelRun broadcast = run("5");
  CHECK(broadcast.findings.empty());
  CHECK(broadcast.words == std::vector<std::uint32_t>(32, 71));
  CHECK(lines_of(run("6")) == std::vector<std::uint32_t>{5});
}

TEST_CASE("what the compiler computes for threads that do not need it is no use", "[vgpu]") {
  const auto run = [](const std::string& place) {
    return run_kernel(module_with(R"(
  .loc 1 3 1
  setp.ge.u32 %p1, %r1, 1;
  @%p1 bra $L1;
  mov.u32 %r2, 0;
$L1:
)" + place + R"(
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  .loc 1 5 1
  @%p1 bra $L2;
  st.global.u32 [%rd3], %r1;
$L2:)"),
                      8, 1);
  };
  CHECK(run(".loc 1 0 5").findings.empty());
  CHECK(lines_of(run(".loc 1 4 1")) == std::vector<std::uint32_t>{4});
}
