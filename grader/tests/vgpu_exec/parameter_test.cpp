// Parameters and results of device functions: by value, by address, in parts, at any depth.
#include <string>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

void check_words(const KernelRun& run, const std::vector<std::uint32_t>& expected) {
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.ids().empty());
  CHECK(run.words == expected);
}

// A call of `function(struct of 16 bytes {1, 2, 3, 4 + thread}, number of the thread)` that gives 32 bits, stored in
// out[thread].
std::string call_with_struct(const std::string& function) {
  return module_with(R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  add.s32 %r2, %r1, 4;
  {
  .param .align 8 .b8 s[16];
  .param .b32 i;
  .param .b32 r;
  st.param.v2.b32 [s], {1, 2};
  st.param.b32 [s+8], 3;
  st.param.b32 [s+12], %r2;
  st.param.b32 [i], %r1;
  call.uni (r), f, (s, i);
  ld.param.b32 %r3, [r];
  }
  st.global.u32 [%rd3], %r3;)",
                     function);
}

const std::string kHead = R"(
.func (.param .b32 ret) f(.param .align 8 .b8 s[16], .param .b32 i)
{
  .reg .pred %p<9>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
)";

}  // namespace

TEST_CASE("a struct parameter is read through a register", "[vgpu]") {
  // Element i of the struct, by an address computed from it: what clang makes of s.values[i] without optimisation.
  check_words(run_kernel(call_with_struct(kHead + R"(
  mov.b64 %rd1, s;
  mov.u64 %rd2, %rd1;
  ld.param.u32 %r1, [i];
  setp.gt.u32 %p1, %r1, 3;
  @%p1 bra $L1;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.param.u32 %r2, [%rd4];
  st.param.b32 [ret], %r2;
  ret;
$L1:
  ld.param.u32 %r3, [%rd2+8];
  ld.param.u32 %r4, [s+12];
  add.s32 %r3, %r3, %r4;
  st.param.b32 [ret], %r3;
  ret;
}
)"),
                         5, 5),
              {1, 2, 3, 7, 11});
}

TEST_CASE("a parameter's address becomes a generic pointer", "[vgpu]") {
  check_words(run_kernel(call_with_struct(kHead + R"(
  mov.b64 %rd1, s;
  cvta.param.u64 %rd2, %rd1;
  ld.u32 %r1, [%rd2+12];
  cvta.param.u64 %rd3, s;
  ld.v2.u32 {%r2, %r3}, [%rd3];
  mad.lo.s32 %r4, %r1, 100, %r3;
  st.param.b32 [ret], %r4;
  ret;
}
)"),
                         2, 2),
              {402, 502});
}

TEST_CASE("a parameter may be written, and read again", "[vgpu]") {
  check_words(run_kernel(call_with_struct(kHead + R"(
  mov.b64 %rd1, s;
  st.param.b32 [%rd1+4], 70;
  ld.param.u32 %r1, [s+4];
  ld.param.u32 %r2, [%rd1];
  add.s32 %r3, %r1, %r2;
  st.param.b32 [ret], %r3;
  ret;
}
)"),
                         2, 2),
              {71, 71});
}

TEST_CASE("parts of scalar parameters are read", "[vgpu]") {
  const std::string function = R"(
.func (.param .b32 ret) f(.param .b64 wide)
{
  .reg .b32 %r<9>;
  .reg .b16 %rs<9>;
  ld.param.u32 %r1, [wide+4];
  ld.param.v2.u16 {%rs1, %rs2}, [wide];
  cvt.u32.u16 %r2, %rs2;
  mad.lo.s32 %r3, %r1, 1000, %r2;
  st.param.b32 [ret], %r3;
  ret;
}
)";
  check_words(run_kernel(module_with(R"(
  {
  .param .b64 w;
  .param .b32 r;
  st.param.b64 [w], 0x0000000500070003;
  call.uni (r), f, (w);
  ld.param.b32 %r3, [r];
  }
  st.global.u32 [%rd1], %r3;)",
                                     function),
                         1, 1),
              {5007});
}

TEST_CASE("a result is written through a register and in parts", "[vgpu]") {
  const std::string function = R"(
.func (.param .align 16 .b8 ret[40]) f(.param .b32 i)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u32 %r1, [i];
  mov.b64 %rd1, ret;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.param.b32 [ret+0], 10;
  st.param.b32 [ret+4], 20;
  st.param.b32 [ret+8], 30;
  st.param.b32 [ret+36], 40;
  st.param.b32 [%rd3], %r1;
  ret;
}
)";
  check_words(run_kernel(module_with(R"(
  mul.wide.u32 %rd2, %r1, 16;
  add.s64 %rd3, %rd1, %rd2;
  {
  .param .b32 i;
  .param .align 16 .b8 r[40];
  st.param.b32 [i], %r1;
  call.uni (r), f, (i);
  ld.param.v2.b32 {%r2, %r3}, [r];
  ld.param.b32 %r4, [r+8];
  ld.param.b32 %r5, [r+36];
  }
  st.global.v4.u32 [%rd3], {%r2, %r3, %r4, %r5};)",
                                     function),
                         3, 12),
              {0, 20, 30, 40, 10, 1, 30, 40, 10, 20, 2, 40});
}

TEST_CASE("each call of a recursion has its own parameters", "[vgpu]") {
  // f({a, ...}, n): n == 0 ? s[0] : f({a + n, ...}, n - 1) * 2 + a, a read after the call.
  check_words(run_kernel(call_with_struct(kHead + R"(
  mov.b64 %rd1, s;
  ld.param.u32 %r1, [i];
  ld.param.u32 %r2, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra $L1;
  add.s32 %r3, %r2, %r1;
  add.s32 %r4, %r1, -1;
  {
  .param .align 8 .b8 t[16];
  .param .b32 n;
  .param .b32 r;
  st.param.b32 [t], %r3;
  st.param.b32 [n], %r4;
  call.uni (r), f, (t, n);
  ld.param.b32 %r5, [r];
  }
  ld.param.u32 %r6, [%rd1];
  mad.lo.s32 %r2, %r5, 2, %r6;
$L1:
  st.param.b32 [ret], %r2;
  ret;
}
)"),
                         3, 3),
              {1, 5, 23});
}

TEST_CASE("a read past a parameter's end is a finding, not a module that does not load", "[vgpu]") {
  const KernelRun run = run_kernel(call_with_struct(kHead + R"(
  ld.param.u32 %r1, [s+400];
  st.param.b32 [ret], %r1;
  ret;
}
)"),
                                   1, 1);
  CHECK(run.status == LaunchStatus::illegal_address);
  CHECK(run.ids() == std::vector<std::string>{"local-out-of-bounds"});
}

TEST_CASE("a struct that is read and written as a whole keeps every thread's value", "[vgpu]") {
  // The struct's last use is the load, and the value's last use the store: either may take the other's place.
  const std::string function = R"(
.func (.param .align 16 .b8 ret[16]) pair(.param .b32 i)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u32 %r1, [i];
  cvt.u64.u32 %rd1, %r1;
  add.s64 %rd2, %rd1, 100;
  st.param.v2.b64 [ret], {%rd1, %rd2};
  ret;
}
.func (.param .align 8 .b8 ret[8]) one(.param .b32 i)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u32 %r1, [i];
  cvt.u64.u32 %rd1, %r1;
  st.param.b64 [ret], %rd1;
  ret;
}
)";
  std::vector<std::uint32_t> expected;
  for (std::uint32_t thread = 0; thread < 40; ++thread) {
    for (const std::uint32_t base : {0u, 0u, 100u}) expected.push_back(base + thread);
  }
  check_words(run_kernel(module_with(R"(
  mul.wide.u32 %rd2, %r1, 12;
  add.s64 %rd3, %rd1, %rd2;
  {
  .param .b32 i;
  .param .align 8 .b8 r[8];
  st.param.b32 [i], %r1;
  call.uni (r), one, (i);
  ld.param.b64 %rd4, [r];
  }
  st.global.u32 [%rd3], %rd4;
  {
  .param .b32 i;
  .param .align 16 .b8 r[16];
  st.param.b32 [i], %r1;
  call.uni (r), pair, (i);
  ld.param.v2.b64 {%rd5, %rd6}, [r];
  }
  st.global.u32 [%rd3+4], %rd5;
  st.global.u32 [%rd3+8], %rd6;)",
                                     function),
                         40, 120),
              expected);
}
