// The barrier of a cluster: who waits for whom, what it orders, and what keeps it from being over.
#include <string>

#include "cluster_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// Each thread stores to its word of the other block's tile, then `order`, then it reads its own and keeps that.
ClusterRun store_and_read(const std::string& order, const std::string& end = kClusterSync,
                          const std::string& begin = kClusterSync) {
  return run_clusters(cluster_module(begin + R"(
  mov.u32 %r8, 1;
  sub.u32 %r8, %r8, %r2;
  mapa.u64 %rd10, %rd4, %r8;
  mad.lo.u32 %r7, %r5, 100, %r1;
  st.u32 [%rd10], %r7;
)" + order + R"(
  ld.shared.u32 %r10, [%r4];
  add.u64 %rd30, %rd2, %rd5;
  st.global.u32 [%rd30], %r10;
)" + end),
                      4, 2);
}

bool is_exchanged(const ClusterRun& run) {
  bool right = run.status == LaunchStatus::ok;
  for (std::uint32_t i = 0; i < 128; ++i) right = right && run.words[i] == 100 * (i / 32 ^ 1) + i % 32;
  return right;
}

const std::string kRelaxed = "barrier.cluster.arrive.relaxed;\n  barrier.cluster.wait;\n";

}  // namespace

TEST_CASE("the barrier of a cluster orders what its blocks do before and after it", "[vgpu]") {
  for (const std::string& order :
       {kClusterSync, std::string("barrier.cluster.arrive.release.aligned;\n  barrier.cluster.wait.acquire.aligned;\n"),
        "fence.acq_rel.cluster;\n  " + kRelaxed, "membar.gl;\n  " + kRelaxed,
        // One thread of the block arrives for what all have done.
        "bar.sync 0;\n" + kClusterSync}) {
    CAPTURE(order);
    const ClusterRun run = store_and_read(order);
    CHECK(is_exchanged(run));
    CHECK(run.ids().empty());
  }
}

TEST_CASE("what orders less than the barrier leaves a race", "[vgpu]") {
  for (const std::string& order : {std::string(), std::string("bar.sync 0;"), kRelaxed,
                                   "fence.acq_rel.cta;\n  " + kRelaxed, std::string("fence.acq_rel.cluster;")}) {
    CAPTURE(order);
    const ClusterRun run = store_and_read(order);
    CHECK(run.found("shared-race", "by a thread of another block of the cluster"));
  }
}

TEST_CASE("blocks of a cluster have begun behind its first barrier", "[vgpu]") {
  const std::string message = "nothing says that block (1, 0, 0) has begun before this write of its shared memory";
  CHECK(store_and_read(kClusterSync, kClusterSync, "").found("shared-race", message));
  CHECK_FALSE(store_and_read(kClusterSync, kClusterSync, kRelaxed).found("shared-race", message));
}

TEST_CASE("a block's memory is there until the block ends", "[vgpu]") {
  // Its own last reads need no barrier behind them; stores of others do.
  CHECK(store_and_read(kClusterSync, "").ids().empty());
  const std::string read = "mapa.u64 %rd11, %rd4, %r8;\n  ld.u32 %r11, [%rd11];\n";
  CHECK(store_and_read(kClusterSync, read + kClusterSync).ids().empty());
  const ClusterRun early = store_and_read(kClusterSync, read);
  CHECK(early.found("shared-race", "0, 0) from ending before this read of its shared memory"));
  CHECK(early.found("use-after-free", "read of 4 bytes in the shared memory of block ("));
  CHECK(early.status == LaunchStatus::launch_failure);
  // To arrive is enough: who ends has to wait for that.
  CHECK(store_and_read(kClusterSync, read + "barrier.cluster.arrive;\n  barrier.cluster.wait;\n").ids().empty());
}

TEST_CASE("release and acquire by a flag in another block's memory", "[vgpu]") {
  const auto hand_over = [](const std::string& store, const std::string& load) {
    return run_clusters(cluster_module(R"(
  mov.u32 %r10, 0;
  st.shared.u32 [%r4], %r10;
)" + kClusterSync + R"(
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra $done;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra $wait;
  mapa.shared::cluster.u32 %r11, %r3, 1;
  st.shared::cluster.u32 [%r11], 42;
  )" + store + R"(
  bra $done;
$wait:
  )" + load + R"(
  setp.eq.u32 %p3, %r12, 0;
  @%p3 bra $wait;
  ld.shared.u32 %r10, [tile];
  st.global.u32 [%rd2], %r10;
$done:
)" + kClusterSync),
                        2, 2);
  };
  const std::string released = "st.release.cluster.shared::cluster.u32 [%r11+4], 1;";
  const std::string acquired = "ld.acquire.cluster.shared::cta.u32 %r12, [tile+4];";
  const std::string fenced = "fence.acq_rel.cluster;\n  st.relaxed.cluster.shared::cluster.u32 [%r11+4], 1;";
  const std::string fenced_after = "ld.relaxed.cluster.shared::cta.u32 %r12, [tile+4];\n  fence.acq_rel.cluster;";
  for (const std::string& store :
       {released, fenced, std::string("atom.release.gpu.shared::cluster.add.u32 %r20, [%r11+4], 1;")}) {
    for (const std::string& load : {acquired, fenced_after}) {
      CAPTURE(store, load);
      const ClusterRun run = hand_over(store, load);
      CHECK(run.status == LaunchStatus::ok);
      CHECK(run.words[32] == 42);
      CHECK(run.ids().empty());
    }
  }
  const std::string race = "shared-race";
  CHECK(hand_over("st.release.cta.shared::cluster.u32 [%r11+4], 1;", acquired).found(race, "another block"));
  CHECK(hand_over("st.relaxed.cluster.shared::cluster.u32 [%r11+4], 1;", acquired).found(race, "another block"));
  CHECK(hand_over(released, "ld.acquire.cta.shared::cta.u32 %r12, [tile+4];").found(race, "another block"));
  CHECK(hand_over(released, "ld.relaxed.cluster.shared::cta.u32 %r12, [tile+4];").found(race, "another block"));
}

TEST_CASE("the scope of a cluster ends where the cluster does", "[vgpu]") {
  // Every thread adds to one word of global memory.
  const std::string add = "red.relaxed.cluster.global.add.u32 [%rd1], 1;";
  CHECK(run_clusters(cluster_module(add), 2, 2).ids().empty());
  CHECK(run_clusters(cluster_module(add), 4, 2).found("global-race", "by a thread of another block"));
  CHECK(run_clusters(cluster_module("red.relaxed.gpu.global.add.u32 [%rd1], 1;"), 4, 2).ids().empty());
}

TEST_CASE("blocks of a cluster are ordered in global memory, too", "[vgpu]") {
  const auto through_global = [](const std::string& order) {
    return run_clusters(cluster_module("add.u64 %rd30, %rd2, %rd5;\n  st.global.u32 [%rd30], %r1;\n" + order + R"(
  xor.b32 %r8, %r5, 1;
  mul.wide.u32 %rd20, %r8, 128;
  add.u64 %rd20, %rd20, %rd1;
  add.u64 %rd20, %rd20, %rd5;
  ld.global.u32 %r10, [%rd20];
  st.shared.u32 [%r4], %r10;
)"),
                        4, 2);
  };
  CHECK(through_global(kClusterSync).ids().empty());
  const ClusterRun race = through_global("bar.sync 0;");
  REQUIRE(race.found("global-race", "by a thread of another block"));
  CHECK(race.findings[0].help.find("blocks of one cluster can wait for each other") != std::string::npos);
}

TEST_CASE("threads that do not come to the barrier of their cluster", "[vgpu]") {
  const ClusterRun exited = run_clusters(cluster_module("setp.eq.u32 %p1, %r2, 1;\n  @%p1 ret;" + kClusterSync), 2, 2);
  CHECK(exited.status == LaunchStatus::ok);
  REQUIRE(exited.findings.size() == 1);
  CHECK(exited.found("barrier-divergence", "threads of the cluster have exited without reaching this barrier"));
  CHECK(exited.findings[0].note.find("32 threads exited, the first of them in block (1, 0, 0)") == 0);

  // Who has arrived may end without having waited.
  CHECK(run_clusters(cluster_module("barrier.cluster.arrive;"), 4, 2).ids().empty());

  const ClusterRun alone = run_clusters(cluster_module("barrier.cluster.wait;"), 2, 2);
  CHECK(alone.status == LaunchStatus::barrier_deadlock);
  CHECK(alone.found("barrier-divergence", "deadlock: the cluster waits at its barrier"));

  // One block is at the barrier of the block, whose other threads wait for the cluster.
  const ClusterRun mixed = run_clusters(cluster_module("setp.ge.u32 %p1, %r1, 16;\n  @%p1 bra $block;" + kClusterSync +
                                                       "  bra $end;\n$block:\n  bar.sync 0;\n$end:\n"),
                                        2, 2);
  CHECK(mixed.status == LaunchStatus::barrier_deadlock);
  CHECK(mixed.found("barrier-divergence", "deadlock: the cluster waits at its barrier"));

  const ClusterRun twice =
      run_clusters(cluster_module("barrier.cluster.arrive;\n  barrier.cluster.arrive;\n  barrier.cluster.wait;"), 2, 2);
  CHECK(twice.found("barrier-divergence", "arrive at the barrier of the cluster a second time"));
}

TEST_CASE("halves of a warp come to the barrier of their cluster one after the other", "[vgpu]") {
  const ClusterRun run = run_clusters(cluster_module(R"(
  setp.ge.u32 %p1, %r1, 16;
  @%p1 bra $upper;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  bra $end;
$upper:
  barrier.cluster.arrive;
  barrier.cluster.wait;
$end:
)" + kClusterSync),
                                      4, 4);
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.ids().empty());
}

TEST_CASE("a launch without clusters has clusters of one block", "[vgpu]") {
  const ClusterRun run = run_clusters(cluster_module("st.shared.u32 [%r4], %r1;" + kClusterSync + R"(
  mapa.u64 %rd10, %rd3, 0;
  xor.b32 %r8, %r1, 31;
  mul.wide.u32 %rd11, %r8, 4;
  add.u64 %rd10, %rd10, %rd11;
  ld.u32 %r10, [%rd10];
  add.u64 %rd30, %rd2, %rd5;
  st.global.u32 [%rd30], %r10;
)"),
                                      2, 1);
  CHECK(run.ids().empty());
  CHECK(run.words[33] == 30);
}
