// Shared memory of other blocks of a cluster: addresses, accesses, and what is wrong with them.
#include <string>

#include "cluster_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// Every thread stores 100 * the block's number + its own to its word of `tile`, and %r8 is the next block's rank.
const std::string kFilled = R"(
  mad.lo.u32 %r7, %r5, 100, %r1;
  st.shared.u32 [%r4], %r7;
  mov.u32 %r9, %cluster_nctarank;
  add.u32 %r8, %r2, 1;
  rem.u32 %r8, %r8, %r9;
)" + kClusterSync;

/// What a thread has in %r10 becomes its word of the output.
const std::string kKept = R"(
  add.u64 %rd30, %rd2, %rd5;
  st.global.u32 [%rd30], %r10;
)";

bool has_next_values(const ClusterRun& run, std::uint32_t blocks, std::uint32_t cluster) {
  bool right = run.status == LaunchStatus::ok;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const std::uint32_t next = block / cluster * cluster + (block + 1) % cluster;
    for (std::uint32_t thread = 0; thread < 32; ++thread)
      right = right && run.words[block * 32 + thread] == 100 * next + thread;
  }
  return right;
}

}  // namespace

TEST_CASE("a block reads what another one of its cluster has stored", "[vgpu]") {
  for (const std::string& read :
       {std::string("mapa.u64 %rd10, %rd4, %r8;\n  ld.u32 %r10, [%rd10];"),
        std::string("mapa.shared::cluster.u32 %r11, %r4, %r8;\n  ld.shared::cluster.u32 %r10, [%r11];"),
        std::string("mapa.shared::cluster.u32 %r11, tile, %r8;\n  add.u32 %r11, %r11, %r6;\n"
                    "  ld.shared::cluster.u32 %r10, [%r11];"),
        std::string("mapa.u64 %rd10, %rd4, %r8;\n  cvta.to.shared::cluster.u64 %rd11, %rd10;\n"
                    "  ld.shared::cluster.u32 %r10, [%rd11];"),
        std::string("mapa.shared::cluster.u32 %r11, %r4, %r8;\n  cvt.u64.u32 %rd11, %r11;\n"
                    "  cvta.shared::cluster.u64 %rd12, %rd11;\n  ld.u32 %r10, [%rd12];"),
        // An address that was mapped already is mapped anew.
        std::string("mapa.u64 %rd10, %rd4, 0;\n  mapa.u64 %rd10, %rd10, %r8;\n  ld.volatile.u32 %r10, [%rd10];")}) {
    CAPTURE(read);
    const ClusterRun run = run_clusters(cluster_module(kFilled + read + kKept + kClusterSync), 8, 4);
    CHECK(has_next_values(run, 8, 4));
    CHECK(run.ids().empty());
  }
}

TEST_CASE("a block stores to another one's memory, and updates it", "[vgpu]") {
  const std::string before = "st.shared.u32 [%r4], 1000;" + kClusterSync + R"(
  mov.u32 %r9, %cluster_nctarank;
  add.u32 %r8, %r2, 1;
  rem.u32 %r8, %r8, %r9;
  mapa.shared::cluster.u32 %r11, %r4, %r8;
  mapa.u64 %rd10, %rd4, %r8;
)";
  const std::string after = kClusterSync + "  ld.shared.u32 %r10, [%r4];\n" + kKept;
  const auto word = [&](const std::string& access) {
    const ClusterRun run = run_clusters(cluster_module(before + access + after), 4, 2);
    CAPTURE(access);
    CHECK(run.status == LaunchStatus::ok);
    CHECK(run.ids().empty());
    return run.words[40];
  };
  CHECK(word("st.shared::cluster.u32 [%r11], 7;") == 7);
  CHECK(word("st.u32 [%rd10], 8;") == 8);
  CHECK(word("atom.shared::cluster.add.u32 %r12, [%r11], 5;") == 1005);
  CHECK(word("atom.add.u32 %r12, [%rd10], 6;") == 1006);
  CHECK(word("red.shared::cluster.max.u32 [%r11], 2000;") == 2000);
  CHECK(word("atom.relaxed.cluster.shared::cluster.cas.b32 %r12, [%r11], 1000, 3;") == 3);
  CHECK(word("red.release.cluster.shared::cluster.add.u32 [%r11], 4;") == 1004);
}

TEST_CASE("addresses tell whose memory they lead to", "[vgpu]") {
  const ClusterRun run = run_clusters(cluster_module(R"(
  setp.ne.u32 %p1, %r1, 0;
  @%p1 ret;
  mov.u32 %r8, 1;
  sub.u32 %r8, %r8, %r2;
  mapa.u64 %rd10, %rd3, %r8;
  mapa.u64 %rd11, %rd3, %r2;
  mapa.shared::cluster.u32 %r11, %r3, %r8;
  getctarank.u64 %r20, %rd10;
  getctarank.u64 %r21, %rd11;
  getctarank.u64 %r22, %rd3;
  getctarank.shared::cluster.u32 %r23, %r11;
  getctarank.shared::cluster.u32 %r24, %r3;
  isspacep.shared::cluster %p2, %rd10;
  isspacep.shared::cta %p3, %rd10;
  isspacep.shared %p4, %rd10;
  isspacep.shared %p5, %rd3;
  isspacep.shared::cta %p6, %rd11;
  isspacep.shared::cluster %p7, %rd1;
  isspacep.global %p8, %rd10;
  setp.eq.u64 %p9, %rd11, %rd3;
  selp.u32 %r25, 1, 0, %p2;
  selp.u32 %r26, 1, 0, %p3;
  selp.u32 %r27, 1, 0, %p4;
  selp.u32 %r28, 1, 0, %p5;
  selp.u32 %r29, 1, 0, %p6;
  selp.u32 %r30, 1, 0, %p7;
  selp.u32 %r31, 1, 0, %p8;
  selp.u32 %r32, 1, 0, %p9;
  st.global.v4.u32 [%rd2], {%r20, %r21, %r22, %r23};
  st.global.v4.u32 [%rd2+16], {%r24, %r25, %r26, %r27};
  st.global.v4.u32 [%rd2+32], {%r28, %r29, %r30, %r31};
  st.global.u32 [%rd2+48], %r32;
)"),
                                      2, 2);
  CHECK(run.ids().empty());
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    const std::vector<std::uint32_t> expected = {1 - rank, rank, rank, 1 - rank, rank, 1, 0, 0, 1, 1, 0, 0, 1};
    CHECK(std::vector<std::uint32_t>(run.words.begin() + rank * 32, run.words.begin() + rank * 32 + 13) == expected);
  }
}

TEST_CASE("the generic address of a block's own memory means the same in other blocks", "[vgpu]") {
  // Thread 0 of each block tells the next one where its tile is.
  const ClusterRun run = run_clusters(cluster_module(kFilled + R"(
  mapa.u64 %rd10, %rd3, %r8;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 st.u64 [%rd10+128], %rd3;
)" + kClusterSync + R"(
  ld.shared.u64 %rd11, [tile+128];
  add.u64 %rd11, %rd11, %rd5;
  ld.u32 %r10, [%rd11];
)" + kKept + kClusterSync),
                                      4, 2);
  CHECK(run.ids().empty());
  CHECK(has_next_values(run, 4, 2));  // of two blocks each is the next one of the other
}

TEST_CASE("accesses that the owner's memory does not allow", "[vgpu]") {
  const auto outcome = [](const std::string& access) {
    return run_clusters(cluster_module(kFilled + "mapa.u64 %rd10, %rd3, %r8;\n" + access + kClusterSync), 2, 2);
  };
  const ClusterRun past = outcome("ld.u32 %r10, [%rd10+256];");
  CHECK(past.status == LaunchStatus::illegal_address);
  CHECK(past.found("shared-out-of-bounds", "read of 4 bytes outside the shared memory of block (1, 0, 0)"));
  const ClusterRun odd = outcome("st.u32 [%rd10+2], 1;");
  CHECK(odd.status == LaunchStatus::misaligned_address);
  CHECK(odd.found("misaligned-access", "write of 4 bytes"));
  const ClusterRun missing = outcome("mapa.u64 %rd11, %rd3, 2;\n  st.u32 [%rd11], 1;");
  CHECK(missing.status == LaunchStatus::launch_failure);
  CHECK(
      missing.found("shared-out-of-bounds", "write of 4 bytes in the shared memory of rank 2, and the cluster has 2"));
  const ClusterRun of_block = outcome("mapa.shared::cluster.u32 %r11, %r3, %r8;\n  ld.shared::cta.u32 %r10, [%r11];");
  CHECK(of_block.found("shared-out-of-bounds", "outside the block's shared memory"));
  CHECK(outcome("mapa.u64 %rd11, %rd1, 0;\n  ld.u32 %r10, [%rd11];").found("null-pointer-dereference", "read"));
}

TEST_CASE("memory of another block that nobody has written", "[vgpu]") {
  const ClusterRun run = run_clusters(cluster_module(R"(
  setp.eq.u32 %p1, %r2, 1;
  @%p1 st.shared.u32 [%r4], 1;
)" + kClusterSync + R"(
  mov.u32 %r8, 1;
  sub.u32 %r8, %r8, %r2;
  mapa.u64 %rd10, %rd4, %r8;
  ld.u32 %r10, [%rd10];
)" + kKept + kClusterSync),
                                      2, 2);
  REQUIRE(run.findings.size() == 1);
  CHECK(run.found("uninitialized-read", "read of shared memory of block (0, 0, 0) that no thread has written"));
  CHECK(run.findings[0].block == Index3{1, 0, 0});
  CHECK(run.findings[0].count == 32);
}
