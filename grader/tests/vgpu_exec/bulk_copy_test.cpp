// Copies in bulk: what they copy, when, and what is wrong with addresses and sizes.
#include <bit>
#include <string>
#include <vector>

#include "cluster_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// Beside what `cluster_module` has: %rd2 is where the block's 32 words of `out` are, `bar` a barrier at %r20 for one
/// arrival, `more` another 256 bytes of shared memory at %r21, and %p1 holds for thread 0. Each thread of block b has
/// stored 100 * b + its number in `tile`.
std::string with_barrier(const std::string& body) {
  return cluster_module(R"(
  .shared .align 8 .b64 bar;
  .shared .align 128 .b8 more[256];
  mov.u32 %r20, bar;
  mov.u32 %r21, more;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 mbarrier.init.shared.b64 [%r20], 1;
  mad.lo.u32 %r22, %r5, 100, %r1;
  st.shared.u32 [%r4], %r22;
  add.u32 %r23, %r21, %r6;
  add.u64 %rd20, %rd2, %rd5;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  @%p1 fence.mbarrier_init.release.cluster;
)" + kClusterSync + body);
}

const std::string kWait = R"(
$wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p9, [%r20], 0;
  @!%p9 bra $wait;
)";
/// What the thread has in `more` goes to its word of the output.
const std::string kShowMore = "  ld.shared.u32 %r24, [%r23];\n  st.global.u32 [%rd20], %r24;\n";
const std::string kExpect = "  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd21, [%r20], 128;\n";

void check_clean(const ClusterRun& run) {
  CHECK(run.status == LaunchStatus::ok);
  for (const Finding& finding : run.findings) FAIL_CHECK(finding.id + ": " + finding.message + "; " + finding.note);
}

std::vector<std::uint32_t> counting(std::uint32_t from, std::uint32_t count = 32) {
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t i = 0; i < count; ++i) words[i] = from + i;
  return words;
}

std::vector<std::uint32_t> of_block(const ClusterRun& run, std::uint32_t block) {
  return {run.words.begin() + block * 32, run.words.begin() + block * 32 + 32};
}

/// What a reduction of elements with these bits makes of others in global memory; 32 bits of the first.
std::uint32_t reduced(const std::string& operation, std::uint32_t old, std::uint32_t value, bool wide = false) {
  const std::string high = wide ? "  mov.u32 %r26, 0;\n" : "  mov.u32 %r26, %r25;\n";
  const ClusterRun run = run_clusters(
      with_barrier("  mov.u32 %r25, " + std::to_string(value) + ";\n" + high +
                   "  and.b32 %r27, %r1, 1;\n  setp.eq.u32 %p3, %r27, 0;\n  selp.b32 %r27, %r25, %r26, %p3;\n" +
                   "  st.shared.u32 [%r23], %r27;\n  mov.u32 %r28, " + std::to_string(old) + ";\n" +
                   (wide ? "  selp.b32 %r28, %r28, 0, %p3;\n" : "") + R"(
  st.global.u32 [%rd20], %r28;
  fence.proxy.async;
  bar.sync 0;
  @!%p1 bra $end;
  cp.reduce.async.bulk.global.shared::cta.bulk_group.)" +
                   operation + R"( [%rd2], [%r21], 128;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
$end:
)"),
      1, 1);
  check_clean(run);
  return run.words[0];
}

}  // namespace

TEST_CASE("bulk copies come from global memory to a barrier", "[vgpu]") {
  for (const std::string& form :
       {std::string("shared::cluster.global.mbarrier::complete_tx::bytes [%r21], [%rd2], 128, [%r20];"),
        std::string("shared::cta.global.mbarrier::complete_tx::bytes [%r21], [%rd2], 128, [%r20];"),
        std::string("shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r21], [%rd2], 128, [%r20], "
                    "%rd22;")}) {
    CAPTURE(form);
    const ClusterRun run = run_clusters(with_barrier(R"(
  add.u32 %r25, %r22, 7;
  st.global.u32 [%rd20], %r25;
  bar.sync 0;
  createpolicy.fractional.L2::evict_first.b64 %rd22, 1.0;
)" + kExpect + "  @%p1 cp.async.bulk.prefetch.L2.global [%rd2], 128;\n  @%p1 cp.async.bulk." +
                                                     form + kWait + R"(
  ld.shared.u32 %r24, [%r23];
  add.u32 %r24, %r24, 1;
  bar.sync 0;
  st.global.u32 [%rd20], %r24;
)"),
                                        2, 1);
    check_clean(run);
    CHECK(of_block(run, 0) == counting(8));
    CHECK(of_block(run, 1) == counting(108));
  }
}

TEST_CASE("bulk copies go to global memory in groups", "[vgpu]") {
  const std::string begin = R"(
  @!%p1 bra $end;
  cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r3], 64;
  cp.async.bulk.commit_group;
  cp.async.bulk.global.shared::cta.bulk_group [%rd2+64], [%r3+64], 64;
  cp.async.bulk.commit_group;
)";
  const ClusterRun both = run_clusters(with_barrier(begin + "  cp.async.bulk.wait_group.read 0;\n$end:\n"), 2, 1);
  check_clean(both);
  CHECK(of_block(both, 1) == counting(100));  // what is written is there when the kernel ends
  // Of the newest group the source may not have been read when the block ends.
  const ClusterRun one = run_clusters(with_barrier(begin + "  cp.async.bulk.wait_group 1;\n$end:\n"), 1, 1);
  CHECK(one.found("unfinished-copy", "may still read its shared memory"));
  REQUIRE(one.findings.size() == 1);
  CHECK(one.findings[0].note.starts_with("64 bytes from byte 64 of `tile`"));
}

TEST_CASE("bulk copies go to another block, and to several", "[vgpu]") {
  const ClusterRun peer = run_clusters(with_barrier(R"(
  mov.u32 %r9, 1;
  sub.u32 %r9, %r9, %r2;
  mapa.shared::cluster.u32 %r25, %r21, %r9;
  mapa.shared::cluster.u32 %r26, %r20, %r9;
)" + kExpect + R"(
  @%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r25], [%r3], 128, [%r26];
)" + kWait + kShowMore + kClusterSync),
                                       2, 2);
  check_clean(peer);
  CHECK(of_block(peer, 0) == counting(100));
  CHECK(of_block(peer, 1) == counting(0));

  // Block 2 of four copies 50, 51, … to blocks 1 and 2.
  const ClusterRun several = run_clusters(with_barrier(R"(
  add.u32 %r25, %r1, 50;
  setp.eq.u32 %p2, %r2, 2;
  @%p2 st.global.u32 [%rd20], %r25;
  bar.sync 0;
  and.pred %p3, %p1, %p2;
  mov.u16 %rs1, 6;
  setp.eq.u32 %p4, %r2, 1;
  or.pred %p4, %p4, %p2;
  and.pred %p5, %p1, %p4;
  @%p5 mbarrier.arrive.expect_tx.shared::cta.b64 %rd21, [%r20], 128;
)" + kClusterSync + R"(
  @%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r21], [%rd2], 128, [%r20], %rs1;
  @!%p4 bra $end;
)" + kWait + R"(
  ld.shared.u32 %r24, [%r23];
$end:
  barrier.cluster.arrive;
  barrier.cluster.wait;
  @%p4 st.global.u32 [%rd20], %r24;
)"),
                                          4, 4);
  check_clean(several);
  CHECK(of_block(several, 1) == counting(50));
  CHECK(of_block(several, 2) == counting(50));
  CHECK(of_block(several, 3) == std::vector<std::uint32_t>(32, 0));
}

TEST_CASE("reductions in bulk do what the ISA says", "[vgpu]") {
  CHECK(reduced("add.u32", 5, 7) == 12);
  CHECK(reduced("add.s32", 0xFFFFFFFF, 2) == 1);
  CHECK(reduced("add.u64", 0xFFFFFFFF, 3, true) == 2);
  CHECK(reduced("min.s32", 0xFFFFFFFF, 2) == 0xFFFFFFFF);
  CHECK(reduced("max.u32", 0xFFFFFFFF, 2) == 0xFFFFFFFF);
  CHECK(reduced("min.u64", 9, 4, true) == 4);
  CHECK(reduced("max.s64", 9, 4, true) == 9);
  CHECK(reduced("inc.u32", 3, 3) == 0);
  CHECK(reduced("inc.u32", 2, 3) == 3);
  CHECK(reduced("dec.u32", 0, 3) == 3);
  CHECK(reduced("dec.u32", 2, 3) == 1);
  CHECK(reduced("and.b32", 6, 3) == 2);
  CHECK(reduced("or.b32", 6, 3) == 7);
  CHECK(reduced("xor.b64", 6, 3, true) == 5);
  // As an H100 has them: subnormal numbers are kept, and a NaN is the canonical one.
  CHECK(reduced("add.f32", std::bit_cast<std::uint32_t>(1.5f), std::bit_cast<std::uint32_t>(2.0f)) ==
        std::bit_cast<std::uint32_t>(3.5f));
  CHECK(reduced("add.f32", 3, 5) == 8);
  CHECK(reduced("add.f32", 0x3f800000, 0x7f812345) == 0x7fffffff);
  CHECK(reduced("add.noftz.f16", 0x00033c00, 0x00053c00) == 0x00084000);
  CHECK(reduced("add.noftz.bf16", 0x3f803f80, 0x3f803f80) == 0x40004000);
  CHECK(reduced("min.f16", 0x7e018000, 0x3c000000) == 0x3c008000);
  CHECK(reduced("min.f16", 0x3c000000, 0x7e018000) == 0x3c008000);
  CHECK(reduced("max.f16", 0x7e01c000, 0x7d023c00) == 0x7fff3c00);
  CHECK(reduced("max.bf16", 0x7fc13f80, 0x3f804000) == 0x3f804000);
}

TEST_CASE("every fence of the asynchronous proxy is executed", "[vgpu]") {
  for (const char* fence :
       {"fence.proxy.async;", "fence.proxy.async.shared::cta;", "fence.proxy.async.shared::cluster;",
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;",
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;"}) {
    CAPTURE(fence);
    const ClusterRun run = run_clusters(with_barrier("  st.shared.u32 [%r23], %r22;\n  " + std::string(fence) + R"(
  fence.proxy.async.global;
  fence.proxy.alias;
  fence.release.sync_restrict::shared::cta.cluster;
  bar.sync 0;
  @!%p1 bra $end;
  cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r21], 128;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group.read 0;
$end:
)"),
                                        1, 1);
    check_clean(run);
    CHECK(of_block(run, 0) == counting(0));
  }
}

TEST_CASE("addresses and sizes that a bulk copy does not take", "[vgpu]") {
  const auto outcome = [](const std::string& to, const std::string& from, const std::string& bytes) {
    return run_clusters(
        with_barrier("  st.global.u32 [%rd20], 1;\n  bar.sync 0;\n  @%p1 mbarrier.expect_tx.shared::cta.b64 "
                     "[%r20], " +
                     bytes + ";\n  @%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [" + to + "], [" +
                     from + "], " + bytes + ", [%r20];\n  @%p1 mbarrier.arrive.shared.b64 _, [%r20];\n" + kWait),
        1, 1);
  };
  const ClusterRun source = outcome("%r21", "%rd2+4", "32");
  CHECK(source.status == LaunchStatus::misaligned_address);
  CHECK(source.found("misaligned-access", "read of 16 bytes at an address that is not a multiple of 16"));
  const ClusterRun target = outcome("%r21+8", "%rd2", "32");
  CHECK(target.status == LaunchStatus::misaligned_address);
  CHECK(target.found("misaligned-access", "write of 16 bytes at an address that is not a multiple of 16"));
  const ClusterRun beyond = outcome("%r21", "%rd2", "144");
  CHECK(beyond.status == LaunchStatus::illegal_address);
  CHECK(beyond.found("global-out-of-bounds", "read of 16 bytes"));
  REQUIRE(beyond.findings.size() == 1);
  CHECK(beyond.findings[0].note.find("128") != std::string::npos);
  CHECK(outcome("%r21+240", "%rd2", "128").found("shared-out-of-bounds", "write of 16 bytes"));
  // An H100 copies what is whole, and says nothing; who waits for all bytes waits for ever.
  const ClusterRun size = outcome("%r21", "%rd2", "20");
  CHECK(size.found("misaligned-access", "a bulk copy of 20 bytes, which is no multiple of 16"));
  CHECK(size.found("barrier-divergence", "deadlock: threads wait at a barrier in shared memory"));
  check_clean(outcome("%r21", "%rd2", "0"));
  CHECK(outcome("%r21", "%rd2", "128").ids().empty());
}

TEST_CASE("forms of bulk copies that are not executed", "[vgpu]") {
  const auto refusal = [](const std::string& body) {
    VirtualGpuOptions options;
    options.model = device_model("h200");
    VirtualGpu gpu(options);
    const std::uint64_t none = 0;
    gpu.launch(gpu.load_module(with_barrier(body)), "kernel", {}, std::as_bytes(std::span(&none, 1)));
    const std::vector<ptx::Refusal> refusals = gpu.refusals();
    return refusals.empty() ? std::string() : refusals.front().reason;
  };
  CHECK(refusal("cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd2], [%r3], 16, %rs1;").find("some bytes") !=
        std::string::npos);
  CHECK(refusal("cp.async.bulk.shared::cta.global.bulk_group [%r3], [%rd2], 16;").find("this direction") !=
        std::string::npos);
  CHECK(refusal("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s64 [%rd2], [%r3], 16;").find("this type") !=
        std::string::npos);
  CHECK(
      refusal("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.f32 [%r3], [%r3], 16, "
              "[%r20];")
          .find("this type") != std::string::npos);
  CHECK(refusal("cp.async.bulk.prefetch.L2.shared::cta [%r3], 16;").find("prefetch") != std::string::npos);
}
