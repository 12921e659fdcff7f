// Stores to an output that no thread came to.
#include <cstring>
#include <vector>

#include "catch.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// Line 5 is for threads whose number is `wanted`, and line 7 for all of them.
constexpr const char* kStoreKernel = R"(.version 7.7
.target sm_80
.address_size 64
.file 1 "k.cu"
.visible .entry store(.param .u64 out, .param .u64 all, .param .u32 wanted)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [all];
  ld.param.u32 %r1, [wanted];
  cvta.to.global.u64 %rd3, %rd1;
  cvta.to.global.u64 %rd4, %rd2;
  mov.u32 %r2, %tid.x;
  setp.ne.u32 %p1, %r1, %r2;
  @%p1 bra AROUND;
  .loc 1 5 3
  st.global.u32 [%rd3], %r2;
AROUND:
  .loc 1 7 3
  st.global.u32 [%rd4], %r2;
  ret;
}
)";

std::vector<std::byte> parameters(DeviceAddress out, DeviceAddress all, std::uint32_t wanted) {
  std::vector<std::byte> bytes(20);
  std::memcpy(bytes.data(), &out, 8);
  std::memcpy(bytes.data() + 8, &all, 8);
  std::memcpy(bytes.data() + 16, &wanted, 4);
  return bytes;
}

}  // namespace

TEST_CASE("a store to an output that no thread came to is told, with its line") {
  VirtualGpuOptions options;
  options.model = device_model("a100");
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(kStoreKernel);
  const DeviceAddress sum = gpu.allocate(4, 1), other = gpu.allocate(4, 2), all = gpu.allocate(4, 3);
  gpu.declare_output({sum, 4, 4, "sum"});
  gpu.declare_output({all, 4, 4, "all"});
  const auto launch = [&](DeviceAddress out, std::uint32_t wanted) {
    const auto given = parameters(out, all, wanted);
    CHECK(gpu.launch(module, "store", {{1, 1, 1}, {4, 1, 1}, 0}, given).status == LaunchStatus::ok);
  };
  launch(sum, 3);
  CHECK(gpu.idle_stores().empty());
  launch(other, 4);  // that is no output
  CHECK(gpu.idle_stores().empty());
  launch(sum, 4);
  launch(sum, 5);
  CHECK(gpu.idle_stores() == std::vector<ArrayWriter>{{"sum", "store", {"k.cu", 5, 3}}});
}

TEST_CASE("what each launch stored to an output is told until the host writes there") {
  VirtualGpuOptions options;
  options.model = device_model("a100");
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(kStoreKernel);
  const DeviceAddress sum = gpu.allocate(16, 1), all = gpu.allocate(16, 2);
  gpu.declare_output({sum, 16, 4, "sum"});
  const auto launch = [&](DeviceAddress out) {
    const auto given = parameters(out, all, 3);
    CHECK(gpu.launch(module, "store", {{2, 1, 1}, {4, 1, 1}, 0}, given).status == LaunchStatus::ok);
  };
  launch(sum + 8);
  launch(sum);
  const SourcePlace line{"k.cu", 5, 3};
  CHECK(gpu.store_extents() ==
        std::vector<StoreExtent>{{"sum", "store", line, 1, 2, 2, 8, 12}, {"sum", "store", line, 2, 2, 2, 0, 4}});
  CHECK(gpu.store_extents_from(sum) == gpu.store_extents());
  CHECK(gpu.store_extents_from(sum + 8).empty());
  REQUIRE(gpu.store_extents_from(all).size() == 2);
  CHECK(gpu.store_extents_from(all)[1] == StoreExtent{"", "store", {"k.cu", 7, 3}, 2, 8, 8, 0, 4});
  CHECK(gpu.fill(sum, 0, 16));
  CHECK(gpu.store_extents().empty());
}
