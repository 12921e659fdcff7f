// Copies in bulk go on beside the threads: both ends need their order, and shared memory a fence of the proxies.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "catch.h"
#include "lined_kernel.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

/// Statements by line of the source. A kernel of 64 threads has: %r1 its number, %p1 for thread 0, %rd4 and %rd5 the
/// thread's places in `in` and `out`, %r4 that in `tile`, %r5 another thread's, and %r6 the barrier `bar`.
std::string kernel(const Lines& lines) {
  return kernel_of(R"(.version 8.6
.target sm_90
.address_size 64
.file 1 "copy.cu"
.visible .entry k(.param .u64 in, .param .u64 out)
{
  .shared .align 128 .b8 tile[256];
  .shared .align 8 .b64 bar;
  .reg .pred %p<9>;
  .reg .b32 %r<20>;
  .reg .b64 %rd<20>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 2;
  add.s32 %r4, %r2, %r3;
  sub.s32 %r5, 252, %r3;
  add.s32 %r5, %r2, %r5;
  mov.u32 %r6, bar;
)",
                   lines);
}

Outcome run(const Lines& lines) {
  VirtualGpu gpu(as_h200());
  const std::uint32_t module = gpu.load_module(kernel(lines));
  std::vector<std::uint32_t> words(64);
  for (std::uint32_t i = 0; i < 64; ++i) words[i] = 1000 + i;
  const std::uint64_t arrays[] = {gpu.allocate(256, 0), gpu.allocate(256, 0)};
  REQUIRE(gpu.copy_in(arrays[0], std::as_bytes(std::span(words))));
  REQUIRE(gpu.fill(arrays[1], 0, 256));
  const LaunchConfig config{.grid = {1, 1, 1}, .block = {64, 1, 1}};
  gpu.launch(module, "k", config, std::as_bytes(std::span(arrays)));
  return Outcome::of(gpu, arrays[1], 64);
}

/// Shared memory goes out while the threads go on, and is written again.
const Lines kOut = {{10, "st.shared.u32 [%r4], %r1;"},
                    {11, "fence.proxy.async.shared::cta;"},
                    {12, "bar.sync 0;"},
                    {13, "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 256;"},
                    {14, "@%p1 cp.async.bulk.commit_group;"},
                    {15, "@%p1 cp.async.bulk.wait_group.read 0;"},
                    {16, "bar.sync 0;"},
                    {17, "st.shared.u32 [%r4], 7;"},
                    {18, "bar.sync 0;"}};

/// Global memory comes in, and each thread reads what another one's place has.
const Lines kIn = {
    {20, "@%p1 mbarrier.init.shared.b64 [%r6], 1;"},
    {21, "bar.sync 0;"},
    {22, "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r6], 256;"},
    {23, "@%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 256, [%r6];"},
    {24, "$w: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r6], 0;\n  @!%p2 bra $w;"},
    {25, "ld.shared.u32 %r8, [%r5];"},
    {26, "st.global.u32 [%rd5], %r8;"}};

const Finding& first_of(const Outcome& outcome, const std::string& id) {
  const auto found = std::ranges::find(outcome.findings, id, &Finding::id);
  REQUIRE(found != outcome.findings.end());
  return *found;
}

}  // namespace

TEST_CASE("a copy out of shared memory has its fence, its barrier and its wait", "[vgpu]") {
  const Outcome right = run(kOut);
  CHECK(right.brief().empty());
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(right.words[i] == i);
}

TEST_CASE("what threads have stored needs a fence of the proxies before a copy reads it", "[vgpu]") {
  const Outcome none = run(without(kOut, 11));
  CHECK(none.brief() == "unfenced-copy@13");
  const Finding& finding = first_of(none, "unfenced-copy");
  CHECK(finding.message == "this bulk copy may not see what threads have stored in the shared memory that it reads");
  CHECK(finding.note.find("`tile`") != std::string::npos);
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 10);
  CHECK(finding.help.find("fence_proxy_async") != std::string::npos);
  CHECK(finding.help.find("after line 10") != std::string::npos);
  // Wherever it stands between the two: also in the thread that begins the copy, or in others that know of the stores.
  CHECK(run(with(without(kOut, 11), 12, "bar.sync 0;\n  fence.proxy.async;")).brief().empty());
  CHECK(run(with(without(kOut, 11), 12, "bar.sync 0;\n  @%p1 fence.proxy.async.shared::cluster;")).brief().empty());
  CHECK(run(with(without(kOut, 11), 12,
                 "bar.sync 0;\n  setp.eq.u32 %p5, %r1, 40;\n  @%p5 fence.proxy.async;\n  bar.sync 0;"))
            .brief()
            .empty());
  // Not before the store, not by a thread that says nothing of it afterwards, and not for global memory alone.
  CHECK(run(with(without(kOut, 11), 9, "fence.proxy.async;")).brief() == "unfenced-copy@13");
  CHECK(run(with(kOut, 11, "fence.proxy.async.global;")).brief() == "unfenced-copy@13");
  CHECK(run(with(kOut, 11, "@%p1 fence.proxy.async;")).brief() == "unfenced-copy@13");
}

TEST_CASE("a copy reads until its group is waited for", "[vgpu]") {
  const Outcome none = run(without(kOut, 15));
  CHECK(none.brief() == "unfinished-copy@13, overwritten-copy-source@17");
  const Finding& finding = first_of(none, "overwritten-copy-source");
  CHECK(finding.message == "this write changes shared memory that a bulk copy may not have read yet");
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 13);
  // The wait of another thread, or for groups before the last, or without a barrier for the others.
  CHECK(run(with(kOut, 15, "@!%p1 cp.async.bulk.wait_group.read 0;")).brief() ==
        "unfinished-copy@13, overwritten-copy-source@17");
  CHECK(run(with(kOut, 15, "@%p1 cp.async.bulk.wait_group.read 1;")).brief() ==
        "unfinished-copy@13, overwritten-copy-source@17");
  CHECK(run(with(without(kOut, 14), 19, "@%p1 cp.async.bulk.commit_group;")).brief() ==
        "unfinished-copy@13, overwritten-copy-source@17");
  CHECK(run(without(kOut, 16)).brief() == "overwritten-copy-source@17");
  CHECK(run(with(kOut, 15, "@%p1 cp.async.bulk.wait_group 0;")).brief().empty());
}

TEST_CASE("a copy begins after the accesses of all threads", "[vgpu]") {
  const Outcome early = run(without(kOut, 12));
  CHECK(early.brief() == "shared-race@13, uninitialized-read@13");
  CHECK(first_of(early, "shared-race").message ==
        "this bulk copy begins to read shared memory that other threads may still write");
  // A buffer that is refilled while others still read it.
  Lines refill = kIn;
  refill[27] = "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r6], 256;";
  refill[28] = "@%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 256, [%r6];";
  refill[29] = "$v: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r6], 1;\n  @!%p2 bra $v;";
  const Outcome refilled = run(refill);
  CHECK(refilled.brief() == "shared-race@28");
  CHECK(first_of(refilled, "shared-race").message ==
        "this bulk copy begins to write shared memory that other threads may still read");
  CHECK(run(with(refill, 26, "st.global.u32 [%rd5], %r8;\n  bar.sync 0;")).brief().empty());
}

TEST_CASE("what a copy brings is there for who waits at its barrier", "[vgpu]") {
  const Outcome right = run(kIn);
  CHECK(right.brief().empty());
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(right.words[i] == 1063 - i);

  const Outcome none = run(without(kIn, 24));
  // The warp that goes on first reads before the copy has begun.
  CHECK(none.brief() == "unfinished-copy@23, shared-race@25, uninitialized-read@25, uninitialized-read@25");
  CHECK(first_of(none, "shared-race").message ==
        "this read of shared memory does not wait for a bulk copy that writes there");
  CHECK(std::ranges::any_of(none.findings, [](const Finding& finding) {
    return finding.id == "uninitialized-read" && finding.help.find("mbarrier_try_wait_parity") != std::string::npos;
  }));
  // One thread waits, and the others do not come behind it.
  CHECK(run(with(kIn, 24,
                 "@!%p1 bra $n;\n$w: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r6], 0;\n  @!%p2 bra "
                 "$w;\n$n:"))
            .brief()
            .starts_with("shared-race@25"));
  CHECK(run(with(kIn, 24,
                 "@!%p1 bra $n;\n$w: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r6], 0;\n  @!%p2 bra "
                 "$w;\n$n: bar.sync 0;"))
            .brief()
            .empty());
  // The phase before the first is over already.
  CHECK(run(with(kIn, 24, "$w: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r6], 1;\n  @!%p2 bra $w;"))
            .brief()
            .find("shared-race@25") != std::string::npos);
  // Nothing is announced: the phase is over when the thread has arrived.
  CHECK(run(with(kIn, 22, "@%p1 mbarrier.arrive.shared::cta.b64 %rd9, [%r6];")).brief().find("shared-race@25") !=
        std::string::npos);
}

TEST_CASE("bytes that do not add up are told where threads wait", "[vgpu]") {
  const auto note = [](const std::string& bytes) {
    const Outcome outcome =
        run(with(kIn, 22, "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r6], " + bytes + ";"));
    CHECK(outcome.brief() == "barrier-divergence@24");
    return first_of(outcome, "barrier-divergence").note;
  };
  CHECK(note("512") == "at `bar`: copies have brought 256 bytes fewer than were announced; 64 threads here");
  CHECK(note("128") == "at `bar`: copies have brought 128 bytes more than were announced; 64 threads here");
}

TEST_CASE("copies race with each other, and in global memory", "[vgpu]") {
  const Outcome two = run(with(kIn, 23, kIn.at(23) + "\n  .loc 1 23 9\n  " + kIn.at(23)));
  CHECK(two.brief().find("shared-race@23") != std::string::npos);
  CHECK(first_of(two, "shared-race").message == "two bulk copies use the same shared memory, and nothing orders them");
  // Written data is there for its thread after a wait for the writes, not for the reads alone.
  const std::string back = "ld.global.u32 %r9, [%rd2];\n  st.shared.u32 [bar], %r9;";
  CHECK(run(with(kOut, 16, "@!%p1 bra $x;\n  " + back + "\n$x: bar.sync 0;")).brief() == "global-race@16");
  CHECK(run(with(with(kOut, 16, "@!%p1 bra $x;\n  " + back + "\n$x: bar.sync 0;"), 15,
                 "@%p1 cp.async.bulk.wait_group 0;"))
            .brief()
            .empty());
  // Two reductions of one place are in order, as atomics are.
  const std::string reduce = "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [%r2], 256;";
  const Outcome sum = run(with(kOut, 13, reduce + "\n  " + reduce));
  CHECK(sum.brief().empty());
  CHECK(sum.words[5] == 10);
}

TEST_CASE("a copy of bytes that nobody has written, or beyond the end", "[vgpu]") {
  CHECK(run(without(without(kOut, 10), 17)).brief() == "uninitialized-read@13");
  CHECK(run(with(kOut, 13, "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2+16], [%r2], 256;")).brief() ==
        "global-out-of-bounds@13");
}
