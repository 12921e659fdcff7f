// Runs PTX on a texture or surface of 32-bit words that the test makes.
#pragma once

#include <string>
#include <vector>

#include "kernel_run.h"
#include "vgpu/texture/texture_image.h"

namespace cudalabs::vgpu {

struct SurfaceRun : KernelRun {
  std::vector<std::uint32_t> texels;  // afterwards
};

/// As `run_kernel`, where %rd2 is the handle of `image`, which begins at the first of `texels`.
inline SurfaceRun run_on_image(Image image, std::vector<std::uint32_t> texels, const std::string& body,
                               std::uint32_t threads, std::size_t words = 4) {
  VirtualGpuOptions options;
  options.model = device_model("h200");
  VirtualGpu gpu(options);
  const std::uint64_t memory = gpu.allocate(texels.size() * 4, 0);
  REQUIRE(gpu.copy_in(memory, std::as_bytes(std::span(texels))));
  image.address = memory;
  const std::uint64_t handle = gpu.create_image(image), out = gpu.allocate(words * 4, 0);
  REQUIRE(gpu.fill(out, 0, words * 4));
  const std::uint32_t module = gpu.load_module(module_with("  mov.u64 %rd2, " + std::to_string(handle) + ";\n" + body));
  SurfaceRun run;
  const LaunchConfig config{.grid = {1, 1, 1}, .block = {threads, 1, 1}};
  run.status = gpu.launch(module, "kernel", config, std::as_bytes(std::span(&out, 1))).status;
  for (const ptx::Refusal& refusal : gpu.refusals()) FAIL_CHECK(ptx::describe(refusal));
  run.words.resize(words);
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(run.words)), out));
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(texels)), memory));
  run.texels = texels;
  run.findings = gpu.findings();
  return run;
}

}  // namespace cudalabs::vgpu
