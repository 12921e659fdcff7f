// What is wrong with copies of tensors: their maps, and both ends of their boxes. Errors of launches are an H200's.
#include <string>
#include <vector>

#include "tensor_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// 32 x 16 words, of which a copy takes 8 x 4.
TensorMap plane() {
  TensorMap map;
  map.type = TensorType::u32;
  map.rank = 2;
  map.strides[0] = 4;
  map.strides[1] = 128;
  map.extents[0] = 32;
  map.extents[1] = 16;
  map.box[0] = 8;
  map.box[1] = 4;
  return map;
}

struct CopyOperands {
  std::string map = "%rd1";
  std::string dimensions = "2d";
  std::string coordinates = "{0, 0}";
  std::string place = "%r2";
};

std::string plane_load(const CopyOperands& ways = {}) {
  return R"(
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r3], 128;
  @%p1 cp.async.bulk.tensor.)" +
         ways.dimensions + ".shared::cta.global.tile.mbarrier::complete_tx::bytes [" + ways.place + "], [" + ways.map +
         ", " + ways.coordinates + R"(], [%r3];
$wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3], 0;
  @!%p3 bra $wait;
)";
}

std::string plane_store(const CopyOperands& ways = {}) {
  return "  @%p1 cp.async.bulk.tensor." + ways.dimensions + ".global.shared::cta.tile.bulk_group [" + ways.map + ", " +
         ways.coordinates + "], [" + ways.place +
         "];\n  @%p1 cp.async.bulk.commit_group;\n  @%p1 cp.async.bulk.wait_group 0;\n";
}

TensorRun run_plane(const std::string& body, const TensorMap& map = plane(), std::size_t bytes = 2048) {
  return run_tensor(body, 2048, map, std::vector<std::byte>(bytes));
}

/// "id: message; note", of the first error.
std::string first_error(const TensorRun& run) {
  for (const Finding& finding : run.findings)
    if (finding.severity == Severity::error) return finding.id + ": " + finding.message + "; " + finding.note;
  return "";
}

void check_fault(const TensorRun& run, LaunchStatus status, const std::string& id, const std::string& message,
                 const std::string& note = "") {
  CHECK(run.status == status);
  const std::string text = first_error(run);
  CAPTURE(text);
  CHECK(text.starts_with(id + ": " + message));
  CHECK(text.find(note) != std::string::npos);
  for (const Finding& finding : run.findings) CHECK(finding.id != "barrier-divergence");
}

}  // namespace

TEST_CASE("the map of a tensor copy is one, and lies where copies can read it", "[vgpu]") {
  const std::string other = "  add.u64 %rd10, %rd2, 1024;\n";
  const std::string to_shared = R"(
  mov.u64 %rd11, 0;
$move:
  add.u64 %rd12, %rd1, %rd11;
  ld.u64 %rd13, [%rd12];
  cvt.u32.u64 %r10, %rd11;
  add.u32 %r10, %r10, %r2;
  @%p1 st.shared.u64 [%r10+1024], %rd13;
  add.u64 %rd14, %rd2, %rd11;
  @%p1 st.global.u64 [%rd14], %rd13;
  add.u64 %rd11, %rd11, 8;
  setp.lt.u64 %p4, %rd11, 128;
  @%p4 bra $move;
  cvt.u64.u32 %rd10, %r2;
  add.u64 %rd10, %rd10, 1024;
  cvta.shared.u64 %rd10, %rd10;
)";
  for (const bool loads : {true, false}) {
    const auto copy = [&](const CopyOperands& ways) { return loads ? plane_load(ways) : plane_store(ways); };
    check_fault(run_plane(other + copy({.map = "%rd10"})), LaunchStatus::illegal_instruction, "invalid-tensor-map",
                "this tensor copy goes by a map that was not encoded", "`cuTensorMapEncodeTiled`");
    check_fault(run_plane(to_shared + copy({.map = "%rd10"})), LaunchStatus::illegal_address, "invalid-tensor-map",
                "this tensor copy goes by a map in shared memory, where no copy can read it", "`__grid_constant__`");
    check_fault(run_plane("  mov.u64 %rd10, 0;\n" + copy({.map = "%rd10"})), LaunchStatus::illegal_address,
                "null-pointer-dereference", "read of 64 bytes through a null pointer: the map of this tensor copy");
    check_fault(run_plane("  mov.u64 %rd10, 0x7f0000000000;\n" + copy({.map = "%rd10"})), LaunchStatus::illegal_address,
                "host-pointer-dereference",
                "read of 64 bytes through a pointer to host memory: the map of this tensor copy");
    check_fault(run_plane("  add.u64 %rd10, %rd2, 32;\n" + copy({.map = "%rd10"})), LaunchStatus::misaligned_address,
                "misaligned-access", "read of 64 bytes at an address that is not a multiple of 64: the map of this");
    check_fault(run_plane(copy({.dimensions = "3d", .coordinates = "{0, 0, 0}"})), LaunchStatus::illegal_instruction,
                "invalid-tensor-map", "this tensor copy has 3 coordinates, and the map is of a tensor of 2 dimensions");
    // One in global memory is as good.
    CHECK(first_error(run_plane(to_shared + "  bar.sync 0;\n" + copy({.map = "%rd2"}))).empty());
  }
  check_fault(run_plane(other + "  @%p1 cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd10, {0, 0}];\n"),
              LaunchStatus::illegal_instruction, "invalid-tensor-map", "this tensor copy goes by a map that was not");
}

TEST_CASE("boxes of tensors begin at multiples of 128 bytes of shared memory, and end in it", "[vgpu]") {
  for (const bool loads : {true, false}) {
    const auto copy = [&](const CopyOperands& ways) { return loads ? plane_load(ways) : plane_store(ways); };
    for (const std::string offset : {"4", "16", "64"})
      check_fault(run_plane(copy({.place = "%r2+" + offset})), LaunchStatus::misaligned_address, "misaligned-access",
                  "the box of this tensor copy begins in shared memory at no multiple of 128",
                  "the address is " + offset + " bytes past a multiple of 128, at byte " + offset + " of `tile`");
    CHECK(first_error(run_plane(copy({.place = "%r2+128"}))).empty());
    check_fault(run_plane(copy({.place = "%r2+4096"})), LaunchStatus::illegal_address, "shared-out-of-bounds",
                (loads ? "write" : "read") + std::string(" of 16 bytes outside the block's shared memory"));
  }
}

TEST_CASE("memory that a map takes for a tensor is there", "[vgpu]") {
  TensorMap large = plane();
  large.extents[1] = 1 << 20;
  for (const bool loads : {true, false}) {
    const auto copy = [&](const CopyOperands& ways) { return loads ? plane_load(ways) : plane_store(ways); };
    // What is not touched does no harm.
    CHECK(first_error(run_plane(copy({}), large)).empty());
    const TensorRun beyond = run_plane(copy({.coordinates = "{8, 14}"}), large);
    check_fault(beyond, LaunchStatus::illegal_address, "global-out-of-bounds",
                std::string("this tensor copy ") + (loads ? "reads" : "writes") +
                    " memory outside every allocation, where its map has elements",
                "the tensor map says 32 x 1048576 elements of 4 bytes, the innermost dimension first: 134217728 bytes "
                "from its address on, where ");
    TensorMap away = plane();
    away.address = std::uint64_t{1} << 30;
    check_fault(run_plane(copy({}), away), LaunchStatus::illegal_address, "global-out-of-bounds", "this tensor copy ");
  }
}

TEST_CASE("tensor copies that are not offered are refused by name", "[vgpu]") {
  const auto refusal_of_copy = [](const std::string& copy) {
    VirtualGpuOptions options;
    options.model = device_model("h200");
    VirtualGpu gpu(options);
    const std::uint32_t module = gpu.load_module(tensor_module("  @%p1 " + copy + ";\n", 1024));
    const std::vector<std::byte> parameters(kTensorMapBytes + 8);
    CHECK(gpu.launch(module, "kernel", {.grid = {1, 1, 1}, .block = {32, 1, 1}}, parameters).status ==
          LaunchStatus::refused);
    return gpu.refusals().empty() ? std::string() : ptx::describe(gpu.refusals()[0]);
  };
  const std::string place = " [%r2], [%rd1, {0, 0, 0}], [%r3]";
  const std::string by_bytes = ".mbarrier::complete_tx::bytes";
  for (const auto& [copy, part] : std::vector<std::pair<std::string, std::string>>{
           {"cp.async.bulk.tensor.3d.shared::cluster.global.im2col" + by_bytes + place + ", {%rs1}", "im2col mode"},
           {"cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4" + by_bytes +
                " [%r2], [%rd1, {0, 0, 0, 0, 0}], [%r3]",
            "single rows"},
           {"cp.async.bulk.tensor.3d.shared::cta.global.tile" + by_bytes + ".cta_group::2" + place, "pairs of blocks"},
           {"cp.async.bulk.tensor.2d.shared::cta.global.tile" + by_bytes + place, "as many coordinates as dimensions"},
           {"cp.async.bulk.tensor.3d.shared::cta.global.tile.bulk_group" + place, "this direction"},
           {"cp.reduce.async.bulk.tensor.3d.global.shared::cta.exch.tile.bulk_group [%rd1, {0, 0, 0}], [%r2]",
            "this operation"},
           {"tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2", "tensormap"}}) {
    CAPTURE(copy);
    CHECK(refusal_of_copy(copy).find(part) != std::string::npos);
  }
}
