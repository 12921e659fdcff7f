// One thread an element, every factor from global memory. In PTX, so that no compiler's version moves the baseline.
// Neighbours in a warp have neighbouring rows: each of them reads other sectors of A, and writes others of C.
#include "product.h"

#include <cuda_runtime.h>

namespace {

constexpr int kSide = 16;

__global__ void product(const float* a, const float* b, float* c, int n, int p) {
  asm volatile(
      "{\n"
      ".reg .pred more;\n"
      ".reg .b32 tx, ty, bx, by, nx, ny, row, col, k, i;\n"
      ".reg .b64 a, b, c, wide, step;\n"
      ".reg .f32 x0, x1, x2, x3, y0, y1, y2, y3, sum;\n"
      "mov.u32 tx, %%tid.x;\n"
      "mov.u32 ty, %%tid.y;\n"
      "mov.u32 bx, %%ctaid.x;\n"
      "mov.u32 by, %%ctaid.y;\n"
      "mov.u32 nx, %%ntid.x;\n"
      "mov.u32 ny, %%ntid.y;\n"
      "mad.lo.s32 row, bx, nx, tx;\n"
      "mad.lo.s32 col, by, ny, ty;\n"
      "cvta.to.global.u64 a, %0;\n"
      "cvta.to.global.u64 b, %1;\n"
      "cvta.to.global.u64 c, %2;\n"
      "mul.lo.s32 i, row, %3;\n"
      "mul.wide.s32 wide, i, 4;\n"
      "add.s64 a, a, wide;\n"
      "mul.wide.s32 wide, col, 4;\n"
      "add.s64 b, b, wide;\n"
      "mul.wide.s32 step, %4, 4;\n"
      "mov.f32 sum, 0f00000000;\n"
      "mov.u32 k, 0;\n"
      "terms:\n"
      "ld.global.f32 x0, [a];\n"
      "ld.global.f32 y0, [b];\n"
      "add.s64 b, b, step;\n"
      "ld.global.f32 x1, [a+4];\n"
      "ld.global.f32 y1, [b];\n"
      "add.s64 b, b, step;\n"
      "ld.global.f32 x2, [a+8];\n"
      "ld.global.f32 y2, [b];\n"
      "add.s64 b, b, step;\n"
      "ld.global.f32 x3, [a+12];\n"
      "ld.global.f32 y3, [b];\n"
      "add.s64 b, b, step;\n"
      "fma.rn.f32 sum, x0, y0, sum;\n"
      "fma.rn.f32 sum, x1, y1, sum;\n"
      "fma.rn.f32 sum, x2, y2, sum;\n"
      "fma.rn.f32 sum, x3, y3, sum;\n"
      "add.s64 a, a, 16;\n"
      "add.s32 k, k, 4;\n"
      "setp.lt.s32 more, k, %3;\n"
      "@more bra terms;\n"
      "mad.lo.s32 i, row, %4, col;\n"
      "mul.wide.s32 wide, i, 4;\n"
      "add.s64 c, c, wide;\n"
      "st.global.f32 [c], sum;\n"
      "}\n"
      :
      : "l"(a), "l"(b), "l"(c), "r"(n), "r"(p)
      : "memory");
}

}  // namespace

void pinned_product(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  product<<<dim3(m / kSide, p / kSide), dim3(kSide, kSide)>>>(d_a, d_b, d_c, n, p);
}
