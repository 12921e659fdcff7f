// What a register holds that nothing has written: neither 0, nor what another thread left there.
#include <array>
#include <cmath>
#include <cstring>

#include "catch.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

// Thread 0 sets its registers first; thread 1 does not. Both then store sums with them.
const char* const kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry sums(.param .u64 out)
{
  .reg .pred %p<3>;
  .reg .b16 %rs<3>;
  .reg .b32 %r<6>;
  .reg .f32 %f<3>;
  .reg .f64 %fd<3>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 24;
  add.s64 %rd3, %rd1, %rd2;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra $L1;
  mov.f64 %fd1, 0d0000000000000000;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r2, 0;
  mov.u64 %rd4, 0;
$L1:
  add.f64 %fd2, %fd1, 0d3FF0000000000000;
  add.f32 %f2, %f1, 0f3F800000;
  add.s32 %r3, %r2, 1;
  st.global.f64 [%rd3], %fd2;
  st.global.f32 [%rd3+8], %f2;
  st.global.u32 [%rd3+12], %r3;
  st.global.u64 [%rd3+16], %rd4;
  ret;
}
)";

struct Sums {
  double f64;
  float f32;
  std::int32_t s32;
  std::uint64_t b64;
};

}  // namespace

TEST_CASE("a sum that begins with an unset register shows it", "[vgpu]") {
  VirtualGpuOptions options;
  options.model = device_model("t4");
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(kPtx);
  const std::uint64_t array = gpu.allocate(2 * sizeof(Sums), 0);
  for (int launch = 0; launch < 2; ++launch) {  // the second meets what the first has left
    const LaunchConfig config{.grid = {3, 1, 1}, .block = {2, 1, 1}};
    REQUIRE(gpu.launch(module, "sums", config, std::as_bytes(std::span(&array, 1))).status == LaunchStatus::ok);
    std::array<Sums, 2> sums{};
    REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(sums)), array));
    CHECK(sums[0].f64 == 1);
    CHECK(sums[0].f32 == 1);
    CHECK(sums[0].s32 == 1);
    CHECK(sums[0].b64 == 0);
    CHECK(std::isnan(sums[1].f64));
    CHECK(std::isnan(sums[1].f32));
    CHECK(sums[1].s32 > 1'000'000'000);
    CHECK(sums[1].b64 > std::uint64_t{1} << 62);
  }
}
