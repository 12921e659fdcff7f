// Products on the way to an index, and what they are worth in a thread.
#include "vgpu/analysis/index_products.h"

#include <cstring>
#include <string>

#include "catch.h"
#include "tests/replaced.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using cudalabs::test::replaced;

namespace {

/// `begin(n, w) = n * w / 8192`, which the kernel calls with the number of the block; a loop goes on from there.
const std::string kSlices = R"(.version 7.0
.target sm_70
.address_size 64
.file 1 "k.cu"
.visible .func (.param .b32 func_retval0) begin(.param .b32 begin_param_0, .param .b32 begin_param_1)
{
.reg .b32 %r<6>;
  ld.param.u32 %r2, [begin_param_1];
  ld.param.u32 %r1, [begin_param_0];
  .loc 1 2 1
  mul.lo.s32 %r4, %r1, %r2;
  div.s32 %r5, %r4, 8192;
  st.param.b32 [func_retval0+0], %r5;
  ret;
}
.visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)
{
.reg .pred %p<2>;
.reg .b32 %r<30>;
.reg .f32 %f<6>;
.reg .b64 %rd<13>;
  ld.param.u64 %rd1, [k_param_0];
  ld.param.u32 %r1, [k_param_1];
  mov.u32 %r2, %ctaid.x;
  {
  .param .b32 param0;
  st.param.b32 [param0+0], %r1;
  .param .b32 param1;
  st.param.b32 [param1+0], %r2;
  .param .b32 retval0;
  call.uni (retval0), begin, (param0, param1);
  ld.param.b32 %r3, [retval0+0];
  }
  add.s32 %r4, %r2, 1;
  {
  .param .b32 param0;
  st.param.b32 [param0+0], %r1;
  .param .b32 param1;
  st.param.b32 [param1+0], %r4;
  .param .b32 retval0;
  call.uni (retval0), begin, (param0, param1);
  ld.param.b32 %r5, [retval0+0];
  }
  mov.u32 %r6, %r3;
LOOP:
  mov.u32 %r7, %r6;
  setp.ge.s32 %p1, %r7, %r5;
  @%p1 bra END;
  cvt.s64.s32 %rd2, %r7;
  shl.b64 %rd3, %rd2, 2;
  add.s64 %rd4, %rd1, %rd3;
  .loc 1 9 1
  ld.f32 %f1, [%rd4];
  add.s32 %r8, %r7, 32;
  mov.u32 %r6, %r8;
  bra.uni LOOP;
END:
  ret;
}
)";

std::optional<LargeProduct> overflow_in(const std::string& text, std::int32_t n, std::uint32_t block) {
  const ptx::Module module = ptx::parse(text);
  const auto products = index_products(ValueFlow(module));
  if (products.size() != 1) return std::nullopt;
  const CodePlace access = products.begin()->first;
  CHECK(module.functions[access.function].instructions[access.instruction].location.line == 9);
  std::byte pointer[8] = {}, number[4];
  std::memcpy(number, &n, sizeof n);
  auto found =
      innermost_overflow(products.begin()->second, {{9000, 1, 1}, {32, 1, 1}, {block, 0, 0}, {}, {pointer, number}});
  if (found) {
    CHECK(module.functions[found->place.function].instructions[found->place.instruction].location.line == 2);
    found->place = {};
  }
  return found;
}

}  // namespace

TEST_CASE("a product that no int holds is found in the function that an index comes from", "[vgpu]") {
  CHECK(overflow_in(kSlices, 264192, 8129) == LargeProduct{{}, 264192, 8129});
  CHECK(overflow_in(kSlices, 264192, 8128) == std::nullopt);
  // The call with the next block's number is for the loop's end, and not for the index.
  CHECK(overflow_in(kSlices, 1000, 8999) == std::nullopt);
  CHECK(overflow_in(kSlices, -264192, 8129) == LargeProduct{{}, -264192, 8129});
}

TEST_CASE("products without a sign, or that a thread may not have come to, are left out", "[vgpu]") {
  const auto with = [](const std::string& before, const std::string& now) {
    return overflow_in(replaced(kSlices, before, now), 264192, 8129);
  };
  CHECK(with("div.s32", "div.u32") == std::nullopt);
  CHECK(with("mul.lo.s32 %r4, %r1, %r2;", "mul.lo.u32 %r4, %r1, %r2;") == std::nullopt);
  CHECK(with("mul.lo.s32 %r4, %r1, %r2;", "mad.lo.s32 %r4, %r1, %r2, 7;") == LargeProduct{{}, 264192, 8129});
  // Another value of the same register, which is none of the loop.
  CHECK(with("LOOP:\n", "  @%p1 bra LOOP;\n  mov.u32 %r6, 0;\nLOOP:\n") == std::nullopt);
  CHECK(with("  st.param.b32 [func_retval0+0], %r5;\n",
             "  st.param.b32 [func_retval0+0], %r5;\n  st.param.b32 [func_retval0+0], 0;\n") == std::nullopt);
  CHECK(with("mov.u32 %r2, %ctaid.x;", "ld.global.u32 %r2, [%rd1];") == std::nullopt);
}
