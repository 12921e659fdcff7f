// Which clusters a launch may have, what its blocks know of them, and what is refused.
#include <string>
#include <vector>

#include "cluster_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

LaunchConfig config_of(Index3 grid, Index3 cluster) {
  LaunchConfig config{.grid = grid, .block = {32, 1, 1}};
  config.cluster = cluster;
  config.explicit_cluster = true;
  return config;
}

/// The status of a launch of `kernel`, which has these directives.
LaunchStatus launched(const std::string& directives, const LaunchConfig& config, const std::string& model = "h200") {
  VirtualGpuOptions options;
  options.model = device_model(model);
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(cluster_module("", directives));
  const std::uint64_t array = gpu.allocate(4096, 0);
  return gpu.launch(module, "kernel", config, std::as_bytes(std::span(&array, 1))).status;
}

}  // namespace

TEST_CASE("a block has a place in its cluster, and a cluster has its blocks", "[vgpu]") {
  const LaunchConfig config = config_of({6, 4, 2}, {3, 2, 1});
  CHECK(config.clusters() == 8);
  std::vector<std::uint32_t> blocks(8);
  for (std::uint64_t block = 0; block < config.blocks(); ++block) {
    const PlaceInCluster place = place_in_cluster(block, config);
    CHECK(place.rank < 6);
    CHECK(block_of_cluster(place, config) == block);
    ++blocks[place.cluster];
  }
  CHECK(blocks == std::vector<std::uint32_t>(8, 6));
  // Block (4, 3, 1) is the second of its cluster in x, and in y.
  const PlaceInCluster place = place_in_cluster(4 + 6 * (3 + 4 * 1), config);
  CHECK(place.rank == 1 + 3 * 1);
  CHECK(place.cluster == 1 + 2 * (1 + 2 * 1));
  CHECK(place_in_cluster(11, LaunchConfig{.grid = {4, 3, 1}}).cluster == 11);
}

TEST_CASE("special registers say where the block is in its cluster", "[vgpu]") {
  VirtualGpuOptions options;
  options.model = device_model("h200");
  VirtualGpu gpu(options);
  std::string body = R"(
  mov.u32 %r10, %ctaid.y;
  mov.u32 %r11, %ctaid.z;
  mov.u32 %r12, %nctaid.x;
  mov.u32 %r13, %nctaid.y;
  mad.lo.u32 %r14, %r11, %r13, %r10;
  mad.lo.u32 %r14, %r14, %r12, %r5;
  mul.wide.u32 %rd2, %r14, 128;
  add.u64 %rd2, %rd1, %rd2;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 ret;
)";
  const std::vector<std::string> registers = {
      "%clusterid.x",      "%clusterid.y",      "%clusterid.z",     "%nclusterid.x",    "%nclusterid.y",
      "%nclusterid.z",     "%cluster_ctaid.x",  "%cluster_ctaid.y", "%cluster_ctaid.z", "%cluster_nctaid.x",
      "%cluster_nctaid.y", "%cluster_nctaid.z", "%cluster_ctarank", "%cluster_nctarank"};
  for (std::size_t i = 0; i < registers.size(); ++i)
    body += "  mov.b32 %r20, " + registers[i] + ";\n  st.global.u32 [%rd2+" + std::to_string(4 * i) + "], %r20;\n";
  body += "  mov.pred %p2, %is_explicit_cluster;\n  selp.u32 %r20, 1, 0, %p2;\n  st.global.u32 [%rd2+56], %r20;\n";
  const std::uint32_t module = gpu.load_module(cluster_module(body));
  const std::uint64_t array = gpu.allocate(48 * 128, 0);
  const auto words = [&](const LaunchConfig& config) {
    REQUIRE(gpu.fill(array, 0, 48 * 128));
    REQUIRE(gpu.launch(module, "kernel", config, std::as_bytes(std::span(&array, 1))).status == LaunchStatus::ok);
    std::vector<std::uint32_t> all(48 * 32);
    REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(all)), array));
    return all;
  };
  const LaunchConfig config = config_of({4, 6, 2}, {2, 3, 1});
  const std::vector<std::uint32_t> found = words(config);
  for (std::uint32_t block = 0; block < 48; ++block) {
    const std::uint32_t x = block % 4, y = block / 4 % 6, z = block / 24;
    const std::vector<std::uint32_t> expected = {
        x / 2, y / 3, z, 2, 2, 2, x % 2, y % 3, 0, 2, 3, 1, x % 2 + 2 * (y % 3), 6, 1};
    CAPTURE(block);
    CHECK(std::vector<std::uint32_t>(found.begin() + block * 32, found.begin() + block * 32 + 15) == expected);
  }
  // A launch that says nothing of clusters: each block is one.
  const std::vector<std::uint32_t> alone = words({.grid = {2, 1, 1}, .block = {32, 1, 1}});
  CHECK(std::vector<std::uint32_t>(alone.begin() + 32, alone.begin() + 47) ==
        std::vector<std::uint32_t>{1, 0, 0, 2, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0});
  CHECK(gpu.findings().empty());
}

TEST_CASE("a cluster divides the grid, and is as large as the kernel and the device allow", "[vgpu]") {
  using enum LaunchStatus;
  const std::string required = ".explicitcluster\n.reqnctapercluster 4, 1, 1";
  CHECK(launched("", config_of({8, 1, 1}, {4, 1, 1})) == ok);
  CHECK(launched("", config_of({6, 1, 1}, {4, 1, 1})) == invalid_configuration);
  CHECK(launched("", config_of({8, 1, 1}, {4, 0, 1})) == invalid_configuration);
  CHECK(launched("", config_of({32, 1, 1}, {16, 1, 1})) == ok);
  CHECK(launched("", config_of({32, 1, 1}, {32, 1, 1})) == invalid_configuration);
  CHECK(launched("", config_of({8, 1, 1}, {4, 1, 1}), "a100") == invalid_configuration);
  CHECK(launched(".maxclusterrank 2", config_of({8, 1, 1}, {4, 1, 1})) == invalid_configuration);
  CHECK(launched(required, config_of({8, 1, 1}, {4, 1, 1})) == ok);
  CHECK(launched(required, config_of({8, 1, 1}, {2, 1, 1})) == invalid_configuration);
  CHECK(launched(required, {.grid = {8, 1, 1}, .block = {32, 1, 1}}) == ok);
  CHECK(launched(required, {.grid = {6, 1, 1}, .block = {32, 1, 1}}) == invalid_configuration);
  CHECK(launched(".explicitcluster", {.grid = {8, 1, 1}, .block = {32, 1, 1}}) == invalid_configuration);
  CHECK(launched(".explicitcluster", config_of({8, 1, 1}, {1, 1, 1})) == ok);
}

TEST_CASE("what is not executed of clusters is refused by name", "[vgpu]") {
  const auto refusal = [](const std::string& ptx) {
    VirtualGpuOptions options;
    options.model = device_model("h200");
    VirtualGpu gpu(options);
    const std::uint32_t module = gpu.load_module(ptx);
    const std::uint64_t array = gpu.allocate(4096, 0);
    const LaunchConfig config = config_of({2, 1, 1}, {2, 1, 1});
    CHECK(gpu.launch(module, "kernel", config, std::as_bytes(std::span(&array, 1))).status == LaunchStatus::refused);
    return gpu.refusals().empty() ? std::string() : ptx::describe(gpu.refusals()[0]);
  };
  CHECK(refusal(cluster_module("", ".blocksareclusters")).find(".blocksareclusters") != std::string::npos);
  CHECK(refusal(cluster_module("cp.async.ca.shared::cluster.global [%r4], [%rd1], 4;")) != "");
  CHECK(refusal(cluster_module("mapa.u32 %r10, %r3, 0;")) != "");
  CHECK(refusal(cluster_module("barrier.cluster.sync;")) != "");
}
