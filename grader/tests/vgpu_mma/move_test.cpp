// ldmatrix, stmatrix and movmatrix, and what is found of accesses and lanes that are missing.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "matrix_kernel.h"

using namespace matrix_kernel;

namespace {

/// 512 bytes of 16-bit numbers, each its own index, in shared memory at `tile`; %r2 is the address of the lane's row.
const std::string kFillTile = R"(
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 4;
  add.u32 %r2, %r2, %r3;
  shl.b32 %r4, %r1, 3;
  add.u32 %r5, %r4, 1;
  shl.b32 %r6, %r5, 16;
  or.b32 %r7, %r6, %r4;
  st.shared.u32 [%r2], %r7;
  add.u32 %r7, %r7, 0x00020002;
  st.shared.u32 [%r2+4], %r7;
  add.u32 %r7, %r7, 0x00020002;
  st.shared.u32 [%r2+8], %r7;
  add.u32 %r7, %r7, 0x00020002;
  st.shared.u32 [%r2+12], %r7;
)";

std::string store_results(std::size_t count) {
  std::string text = "  mul.wide.u32 %rd2, %r1, 16;\n  add.s64 %rd2, %rd2, %rd1;\n";
  for (std::size_t i = 0; i < count; ++i) {
    text += "  st.global.u32 [%rd2+" + std::to_string(4 * i) + "], %r" + std::to_string(10 + i) + ";\n";
  }
  return text;
}

const std::vector<std::byte> kNoData(512);

/// Runs `instruction`, which leaves `count` registers from %r10 on, over the tile.
Run run_on_tile(const std::string& instruction, std::size_t count, std::uint32_t threads = 32) {
  return run(kFillTile + "  bar.sync 0;\n  .loc 1 5 1\n  " + instruction + "\n  .loc 1 9 1\n" + store_results(count),
             kNoData, threads);
}

std::uint32_t result(const Run& run, std::uint32_t lane, std::size_t i) {
  return run.at<std::uint32_t>(16 * lane + 4 * i);
}

std::uint32_t pair(std::uint32_t low, std::uint32_t high) {
  return low | high << 16;
}

}  // namespace

TEST_CASE("ldmatrix gives each lane two neighbours of a row, of each matrix", "[vgpu]") {
  for (const std::size_t count : {1u, 2u, 4u}) {
    for (const std::string space : {".shared", ".shared::cta", ""}) {
      CAPTURE(count, space);
      const std::string generic = space.empty() ? "cvt.u64.u32 %rd3, %r2;\n  cvta.shared.u64 %rd4, %rd3;\n  " : "";
      const Run run = run_on_tile(generic + "ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) + space + ".b16 " +
                                      registers("r", 10, count) + (space.empty() ? ", [%rd4];" : ", [%r2];"),
                                  count);
      CHECK(run.refusals.empty());
      CHECK(run.findings.empty());
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        for (std::uint32_t matrix = 0; matrix < count; ++matrix) {
          const std::uint32_t first = matrix * 64 + lane / 4 * 8 + lane % 4 * 2;
          CHECK(result(run, lane, matrix) == pair(first, first + 1));
        }
      }
    }
  }
}

TEST_CASE("transposed it gives two neighbours of a column", "[vgpu]") {
  const Run run = run_on_tile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r10, %r11}, [%r2];", 2);
  CHECK(run.findings.empty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    for (std::uint32_t matrix = 0; matrix < 2; ++matrix) {
      const std::uint32_t first = matrix * 64 + lane % 4 * 16 + lane / 4;
      CHECK(result(run, lane, matrix) == pair(first, first + 8));
    }
  }
}

TEST_CASE("movmatrix transposes what ldmatrix has loaded", "[vgpu]") {
  const Run run = run_on_tile(
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r9}, [%r2];\n"
      "  movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r9;",
      1);
  CHECK(run.refusals.empty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t first = lane % 4 * 16 + lane / 4;
    CHECK(result(run, lane, 0) == pair(first, first + 8));
  }
}

TEST_CASE("rows that ldmatrix loads must be of the block, aligned, written and nobody else's", "[vgpu]") {
  const std::string load = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, ";
  const Run behind = run_on_tile(load + "[%r2+4000];", 4);
  REQUIRE(behind.ids() == std::vector<std::string>{"shared-out-of-bounds", "uninitialized-read"});
  CHECK(behind.findings[0].where == cudalabs::SourcePlace{"k.cu", 5, 1});
  CHECK(behind.findings[0].thread == cudalabs::Index3{6, 0, 0});  // 4000 + 16 * 6 is the tile's end
  CHECK(behind.findings[0].count == 26);
  const Run between = run_on_tile(load + "[%r2+8];", 4);
  CHECK(between.ids() == std::vector<std::string>{"misaligned-access"});
  const Run unwritten = run_on_tile(load + "[%r2+1024];", 4);
  CHECK(unwritten.ids() == std::vector<std::string>{"uninitialized-read"});

  // Two warps: the second one's rows are read by the first without a barrier.
  const Run raced = run(kFillTile + "  setp.ge.u32 %p1, %r1, 32;\n  @%p1 bra $end;\n  .loc 1 5 1\n  " + load +
                            "[%r2+512];\n" + store_results(4) + "$end:\n",
                        kNoData, 64);
  CHECK(raced.ids() == std::vector<std::string>{"shared-race", "uninitialized-read"});
}

TEST_CASE("lanes of the warp that store rows must be waited for", "[vgpu]") {
  const std::string load = "  ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10, %r11, %r12, %r13}, [%r2];\n";
  const std::string other_row = "  xor.b32 %r2, %r2, 16;\n";  // that a neighbour has stored
  CHECK(run(kFillTile + other_row + load + store_results(4), kNoData).ids() == std::vector<std::string>{"shared-race"});
  CHECK(run(kFillTile + "  bar.warp.sync -1;\n" + other_row + load + store_results(4), kNoData).ids().empty());
}

namespace {

/// %r20 to %r23 hold the matrices' elements of the lane, each its own number: 64 * matrix + 8 * row + column; %r2 is
/// the address of the lane's row.
const std::string kFillMatrices = R"(
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 4;
  add.u32 %r2, %r2, %r3;
  shl.b32 %r4, %r1, 1;
  add.u32 %r5, %r4, 1;
  shl.b32 %r5, %r5, 16;
  or.b32 %r20, %r5, %r4;
  add.u32 %r21, %r20, 0x00400040;
  add.u32 %r22, %r21, 0x00400040;
  add.u32 %r23, %r22, 0x00400040;
)";

std::string store_matrices(std::size_t count, const std::string& modifiers, const std::string& address) {
  return "  .loc 1 5 1\n  stmatrix.sync.aligned.m8n8.x" + std::to_string(count) + modifiers + ".b16 [" + address +
         "], " + registers("r", 20, count) + ";\n  .loc 1 9 1\n";
}

/// The row that the lane has named, as four words.
const std::string kReadRow = R"(
  ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r2];
)";

}  // namespace

TEST_CASE("stmatrix puts two neighbours of each lane into a row, of each matrix", "[vgpu]") {
  for (const std::size_t count : {1u, 2u, 4u}) {
    for (const bool transposed : {false, true}) {
      for (const std::string space : {".shared", ".shared::cta", ""}) {
        CAPTURE(count, transposed, space);
        const std::string generic = space.empty() ? "  cvt.u64.u32 %rd3, %r2;\n  cvta.shared.u64 %rd4, %rd3;\n" : "";
        const std::string mine = "  setp.lt.u32 %p1, %r1, " + std::to_string(8 * count) + ";\n  @!%p1 bra $end;\n";
        const Run run = matrix_kernel::run(
            kFillMatrices + generic +
                store_matrices(count, (transposed ? ".trans" : "") + space, space.empty() ? "%rd4" : "%r2") +
                "  bar.warp.sync -1;\n" + mine + kReadRow + store_results(4) + "$end:\n",
            kNoData);
        CHECK(run.refusals.empty());
        CHECK(run.findings.empty());
        for (std::uint32_t lane = 0; lane < 8 * count; ++lane) {
          for (std::uint32_t i = 0; i < 4; ++i) {
            const std::uint32_t matrix = lane / 8 * 64, row = lane % 8, column = 2 * i;
            const std::uint32_t first = matrix + (transposed ? 8 * column + row : 8 * row + column);
            CHECK(result(run, lane, i) == pair(first, first + (transposed ? 8 : 1)));
          }
        }
      }
    }
  }
}

TEST_CASE("what stmatrix stores ldmatrix loads", "[vgpu]") {
  const Run run = matrix_kernel::run(
      kFillMatrices + store_matrices(4, ".trans.shared", "%r2") + "  bar.warp.sync -1;\n" +
          "  ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10, %r11, %r12, %r13}, [%r2];\n" + store_results(4),
      kNoData);
  CHECK(run.findings.empty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    for (std::uint32_t i = 0; i < 4; ++i) CHECK(result(run, lane, i) == pair(64 * i + 2 * lane, 64 * i + 2 * lane + 1));
  }
}

TEST_CASE("rows that stmatrix stores must be of the block, aligned and nobody else's", "[vgpu]") {
  const Run behind = matrix_kernel::run(kFillMatrices + store_matrices(4, ".shared", "%r2+4000"), kNoData);
  REQUIRE(behind.ids() == std::vector<std::string>{"shared-out-of-bounds"});
  CHECK(behind.findings[0].where == cudalabs::SourcePlace{"k.cu", 5, 1});
  CHECK(behind.findings[0].thread == cudalabs::Index3{6, 0, 0});  // 4000 + 16 * 6 is the tile's end
  CHECK(behind.findings[0].count == 26);
  CHECK(matrix_kernel::run(kFillMatrices + store_matrices(1, ".shared", "%r2+4000"), kNoData).findings[0].count == 2);
  CHECK(matrix_kernel::run(kFillMatrices + store_matrices(4, ".shared", "%r2+8"), kNoData).ids() ==
        std::vector<std::string>{"misaligned-access"});
  // Two warps store the same rows.
  const std::string same_rows = kFillMatrices +
                                "  and.b32 %r3, %r1, 31;\n  shl.b32 %r3, %r3, 4;\n  mov.u32 %r2, tile;\n"
                                "  add.u32 %r2, %r2, %r3;\n";
  CHECK(matrix_kernel::run(same_rows + store_matrices(4, ".shared", "%r2"), kNoData, 64).ids() ==
        std::vector<std::string>{"shared-race"});
  // Another lane's row is read without a barrier of the warp.
  const std::string other = "  xor.b32 %r2, %r2, 16;\n";
  CHECK(matrix_kernel::run(kFillMatrices + store_matrices(4, ".shared", "%r2") + other + kReadRow + store_results(4),
                           kNoData)
            .ids() == std::vector<std::string>{"shared-race"});
  // Some lanes do not come.
  const Run small = matrix_kernel::run(kFillMatrices + store_matrices(4, ".shared", "%r2"), kNoData, 16);
  CHECK(std::ranges::count(small.ids(), "barrier-divergence") == 1);
}

TEST_CASE("a matrix behind the end of an array", "[vgpu]") {
  const std::string fragment =
      "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, ";
  // 16 rows of 16 numbers are 512 bytes; with a stride of 24 the last rows lie behind them.
  CHECK(run(fragment + "[%rd1];", kNoData).ids().empty());
  const Run behind = run("  .loc 1 5 1\n  " + fragment + "[%rd1], 24;", kNoData);
  REQUIRE(behind.ids() == std::vector<std::string>{"global-out-of-bounds"});
  CHECK(behind.findings[0].where.line == 5);
  const Run stored =
      run("wmma.store.d.sync.aligned.col.m16n16k16.global.s32 [%rd1], {%r10, %r11, %r12, %r13, %r14, %r15, %r16, "
          "%r17}, 16;",
          kNoData);
  CHECK(std::ranges::count(stored.ids(), "global-out-of-bounds") == 1);
}

TEST_CASE("an instruction on matrices without all lanes of the warp", "[vgpu]") {
  const std::string load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%r2];";
  const Run small = run_on_tile(load, 1, 16);
  REQUIRE(small.ids() == std::vector<std::string>{"barrier-divergence"});
  CHECK(small.findings[0].severity == cudalabs::Severity::error);
  CHECK(small.findings[0].where == cudalabs::SourcePlace{"k.cu", 5, 1});
  CHECK(small.findings[0].note == "16 threads here; each holds a part of the matrices, and 32 must be there");
  const Run branch = run_on_tile("mov.u32 %r10, 0;\n  setp.lt.u32 %p1, %r1, 8;\n  @%p1 " + load, 1);
  REQUIRE(!branch.findings.empty());
  for (const auto& finding : branch.findings) CHECK(finding.id == "barrier-divergence");
  CHECK(std::ranges::count(branch.findings, cudalabs::Severity::error, &cudalabs::Finding::severity) > 0);
}

TEST_CASE("forms that nothing executes are refused", "[vgpu]") {
  for (const std::string instruction :
       {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, {%r1, %r2}, {%r3, "
        "%r4}, {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};",
        "mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
        "{%f1, %f2, %f3, %f4};",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
        "{%f1, %f2, %f3, %f4};",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3}, {%r5, %r6}, "
        "{%f1, %f2, %f3, %f4};",
        "ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r10}, [%rd1];", "ldmatrix.sync.aligned.m8n8.x1.b8 {%r10}, [%r2];",
        "stmatrix.sync.aligned.m8n8.x1.global.b16 [%rd1], {%r10};", "stmatrix.sync.aligned.m8n8.x1.b8 [%r2], {%r10};",
        "stmatrix.sync.aligned.m16n8.x1.trans.b8 [%r2], {%r10};", "stmatrix.sync.aligned.m8n8.x2.b16 [%r2], {%r10};",
        "ldmatrix.sync.m8n8.x1.b16 {%r10}, [%r2];", "wmma.load.a.sync.aligned.row.m8n8k32.s4 {%r10}, [%rd1];"}) {
    CAPTURE(instruction);
    CHECK(run(instruction, kNoData).refusals.size() == 1);
  }
}
