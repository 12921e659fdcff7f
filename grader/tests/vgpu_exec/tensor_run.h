// Runs a kernel written as PTX that copies boxes of a tensor, by a map that is its parameter.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernel_run.h"
#include "vgpu/memory/tensor_map.h"

namespace cudalabs::vgpu {

/// A kernel of one block with 32 threads. %rd1 is the map's address, %rd2 that of `out`, %r1 the thread's number, and
/// %p1 holds for thread 0; `tile` are `bytes` of shared memory at %r2, whose 32-bit words hold 0xA5A5'A5A5 at first,
/// and `bar` a barrier for one arrival at %r3. At the end the words of `tile` go to `out`.
inline std::string tensor_module(const std::string& body, std::uint32_t bytes) {
  return R"(.version 8.6
.target sm_90
.address_size 64
.file 1 "k.cu"
.visible .entry kernel(.param .align 64 .b8 map[128], .param .u64 out)
{
  .shared .align 1024 .b8 tile[)" +
         std::to_string(bytes) + R"(];
  .shared .align 8 .b64 bar;
  .reg .pred %p<9>;
  .reg .b16 %rs<5>;
  .reg .b32 %r<40>;
  .reg .b64 %rd<40>;
  mov.b64 %rd1, map;
  cvta.param.u64 %rd1, %rd1;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  mov.u32 %r2, tile;
  mov.u32 %r3, bar;
  @%p1 mbarrier.init.shared.b64 [%r3], 1;
  shl.b32 %r4, %r1, 2;
  mov.u32 %r5, %r4;
$fill:
  add.u32 %r6, %r2, %r5;
  st.shared.u32 [%r6], 0xA5A5A5A5;
  add.u32 %r5, %r5, 128;
  setp.lt.u32 %p2, %r5, )" +
         std::to_string(bytes) + R"(;
  @%p2 bra $fill;
  fence.proxy.async.shared::cta;
  bar.sync 0;
)" + body +
         R"(
  bar.sync 0;
  mov.u32 %r5, %r4;
$show:
  add.u32 %r6, %r2, %r5;
  ld.shared.u32 %r7, [%r6];
  cvt.u64.u32 %rd5, %r5;
  add.u64 %rd5, %rd2, %rd5;
  st.global.u32 [%rd5], %r7;
  add.u32 %r5, %r5, 128;
  setp.lt.u32 %p2, %r5, )" +
         std::to_string(bytes) + R"(;
  @%p2 bra $show;
  ret;
}
)";
}

struct TensorRun {
  LaunchStatus status{};
  std::vector<std::byte> tensor;      // global memory from the map's address on
  std::vector<std::uint32_t> shared;  // words of `tile`
  std::vector<Finding> findings;
};

/// The map's address is that of memory with these bytes; `map.address` says how far into it, the allocation has
/// `allocated` bytes, or as many as there are.
inline TensorRun run_tensor(const std::string& body, std::uint32_t shared_bytes, TensorMap map,
                            const std::vector<std::byte>& tensor) {
  VirtualGpuOptions options;
  options.model = device_model("h200");
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(tensor_module(body, shared_bytes));
  const std::uint64_t memory = gpu.allocate(tensor.size(), 0), out = gpu.allocate(shared_bytes, 0);
  REQUIRE(gpu.copy_in(memory, std::span(tensor)));
  REQUIRE(gpu.fill(out, 0, shared_bytes));
  map.address += memory;
  std::vector<std::byte> parameters(kTensorMapBytes + sizeof out);
  encode(map, parameters.data());
  std::memcpy(&parameters[kTensorMapBytes], &out, sizeof out);
  const LaunchConfig config{.grid = {1, 1, 1}, .block = {32, 1, 1}};
  TensorRun run;
  run.status = gpu.launch(module, "kernel", config, parameters).status;
  for (const ptx::Refusal& refusal : gpu.refusals()) FAIL_CHECK(ptx::describe(refusal));
  run.tensor.resize(tensor.size());
  run.shared.resize(shared_bytes / 4);
  REQUIRE(gpu.copy_out(run.tensor, memory));
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(run.shared)), out));
  run.findings = gpu.findings();
  return run;
}

}  // namespace cudalabs::vgpu
