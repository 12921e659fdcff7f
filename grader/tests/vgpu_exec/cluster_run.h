// Runs a kernel written as PTX in clusters of blocks, on a device that has them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernel_run.h"

namespace cudalabs::vgpu {

/// As `module_with`, for a device with clusters. %r2 is the rank of the block in its cluster, and %rd2 where in `out`
/// the block has 32 words for itself; `tile` are 256 bytes of shared memory, of which %r3 is the offset and %rd3 the
/// generic address, and %r4 is where the thread's word is, as %rd4.
inline std::string cluster_module(const std::string& body, const std::string& directives = {}) {
  return R"(.version 8.0
.target sm_90
.address_size 64
.file 1 "k.cu"
.shared .align 8 .b8 tile[256];
.visible .entry kernel(.param .u64 out)
)" + directives +
         R"(
{
  .reg .pred %p<30>;
  .reg .b16 %rs<5>;
  .reg .b32 %r<40>;
  .reg .b64 %rd<40>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %cluster_ctarank;
  mov.u32 %r5, %ctaid.x;
  mul.wide.u32 %rd2, %r5, 128;
  add.u64 %rd2, %rd1, %rd2;
  mov.u32 %r3, tile;
  cvt.u64.u32 %rd3, %r3;
  cvta.shared.u64 %rd3, %rd3;
  mul.wide.u32 %rd5, %r1, 4;
  add.u64 %rd4, %rd3, %rd5;
  cvt.u32.u64 %r6, %rd5;
  add.u32 %r4, %r3, %r6;
)" + body +
         R"(
  ret;
}
)";
}

inline const std::string kClusterSync = "\n  barrier.cluster.arrive;\n  barrier.cluster.wait;\n";

struct ClusterRun : KernelRun {
  bool found(const std::string& id, const std::string& message) const {
    return std::ranges::any_of(findings, [&](const Finding& finding) {
      return finding.id == id && finding.message.find(message) != std::string::npos;
    });
  }
};

/// `blocks` blocks of 32 threads; 32 words for each, zero at first.
inline ClusterRun run_clusters(const std::string& ptx, std::uint32_t blocks, std::uint32_t cluster) {
  VirtualGpuOptions options;
  options.model = device_model("h200");
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(ptx);
  const std::size_t words = std::size_t{blocks} * 32;
  const std::uint64_t array = gpu.allocate(words * 4, 0);
  REQUIRE(gpu.fill(array, 0, words * 4));
  ClusterRun run;
  LaunchConfig config{.grid = {blocks, 1, 1}, .block = {32, 1, 1}};
  config.cluster = {cluster, 1, 1};
  config.explicit_cluster = true;
  run.status = gpu.launch(module, "kernel", config, std::as_bytes(std::span(&array, 1))).status;
  for (const ptx::Refusal& refusal : gpu.refusals()) FAIL_CHECK(ptx::describe(refusal));
  run.words.resize(words);
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(run.words)), array));
  run.findings = gpu.findings();
  return run;
}

}  // namespace cudalabs::vgpu
