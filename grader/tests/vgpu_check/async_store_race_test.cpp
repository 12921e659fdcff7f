// Asynchronous stores go on beside the threads, as copies in bulk do, and are told of by their own name.
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

/// Two blocks of one cluster, of 32 threads each. %r1 is the thread's number, %p1 holds for thread 0, %p3 in block 0;
/// %r4 is the thread's word in `tile`, %r5 that in the other block's, %r6 the barrier `bar` and %r7 the other block's,
/// %rd5 the thread's place in `out`.
std::string kernel(const Lines& lines) {
  return kernel_of(R"(.version 8.6
.target sm_90
.address_size 64
.file 1 "store.cu"
.visible .entry k(.param .u64 out)
{
  .shared .align 128 .b8 tile[128];
  .shared .align 8 .b64 bar;
  .reg .pred %p<9>;
  .reg .b32 %r<20>;
  .reg .b64 %rd<20>;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r9, %cluster_ctarank;
  setp.eq.u32 %p1, %r1, 0;
  setp.eq.u32 %p3, %r9, 0;
  mad.lo.u32 %r10, %r9, 32, %r1;
  mul.wide.u32 %rd3, %r10, 4;
  add.s64 %rd5, %rd2, %rd3;
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 2;
  add.s32 %r4, %r2, %r3;
  mov.u32 %r6, bar;
  xor.b32 %r9, %r9, 1;
  mapa.shared::cluster.u32 %r5, %r4, %r9;
  mapa.shared::cluster.u32 %r7, %r6, %r9;
)",
                   lines);
}

Outcome run(const Lines& lines) {
  VirtualGpu gpu(as_h200());
  const std::uint32_t module = gpu.load_module(kernel(lines));
  const std::uint64_t out = gpu.allocate(256, 0);
  REQUIRE(gpu.fill(out, 0, 256));
  LaunchConfig config{.grid = {2, 1, 1}, .block = {32, 1, 1}};
  config.cluster = {2, 1, 1};
  config.explicit_cluster = true;
  gpu.launch(module, "k", config, std::as_bytes(std::span(&out, 1)));
  return Outcome::of(gpu, out, 64);
}

const std::string kMeet = "barrier.cluster.arrive;\n  barrier.cluster.wait;";
const std::string kWait =
    "$w: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%r6], 0;\n  @!%p2 bra $w;";

/// Each block sends the other one a word of each thread.
const Lines kExchange = {{10, "@%p1 mbarrier.init.shared.b64 [%r6], 1;\n  @%p1 fence.mbarrier_init.release.cluster;"},
                         {11, "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r6], 128;"},
                         {12, kMeet},
                         {13, "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r5], %r10, [%r7];"},
                         {14, kWait},
                         {15, "ld.shared.u32 %r12, [%r4];"},
                         {16, "st.global.u32 [%rd5], %r12;"},
                         {17, kMeet}};

/// Each block counts in the first word of the other one.
const Lines kCount = {
    {20, "@%p1 st.shared.u32 [%r2], 0;"},
    {21, "@%p1 mbarrier.init.shared.b64 [%r6], 1;\n  @%p1 fence.mbarrier_init.release.cluster;"},
    {22, "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r6], 128;"},
    {23, kMeet},
    {24, "mapa.shared::cluster.u32 %r5, %r2, %r9;"},
    {25, "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r5], 3, [%r7];"},
    {26, kWait},
    {27, "ld.shared.u32 %r12, [%r2];"},
    {28, "st.global.u32 [%rd5], %r12;"},
    {29, kMeet}};

}  // namespace

TEST_CASE("values that are stored asynchronously are there for who waits at the barrier") {
  const Outcome right = run(kExchange);
  CHECK(right.brief().empty());
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(right.words[i] == (i + 32) % 64);

  // Where nobody waits, the store is made when its block ends, and the other one may read before and after.
  const Outcome none = run(without(kExchange, 14));
  CAPTURE(none.brief());
  const Finding& race = none.at("shared-race", 15);
  CHECK(race.message == "this read of shared memory does not wait for an asynchronous store that writes there");
  REQUIRE(race.other);
  CHECK(race.other->label == "the asynchronous store begins here");
  CHECK(race.other->place.line == 13);
  CHECK(race.help.find("at the barrier that the store tells") != std::string::npos);
  CHECK(none.brief().find("uninitialized-read@15") != std::string::npos);
  // Nor does the meeting of the blocks let the store be done: the other block may be gone.
  CHECK(none.at("shared-race", 13).message.find("from ending before this write of its shared memory") !=
        std::string::npos);

  // One thread waits, and the others do not come behind it.
  CHECK(run(with(kExchange, 14, "@!%p1 bra $n;\n  " + kWait + "\n$n:")).brief().starts_with("shared-race@15"));
  CHECK(run(with(kExchange, 14, "@!%p1 bra $n;\n  " + kWait + "\n$n: bar.sync 0;")).brief().empty());
}

TEST_CASE("an asynchronous store comes after the accesses of the block that it writes to") {
  // The other block still initialises its memory.
  const Outcome early = run(with(without(kExchange, 12), 12, kMeet + "\n  st.shared.u32 [%r4], 9;"));
  CAPTURE(early.brief());
  CHECK(early.brief().find("shared-race@") != std::string::npos);
  // A second one before the first value is used.
  Lines again = kExchange;
  again[16] = "st.global.u32 [%rd5], %r12;\n  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r6], 128;";
  again[18] = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r5], %r10, [%r7];";
  again[19] =
      "$v: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%r6], 1;\n  @!%p2 bra $v;\n  " + kMeet;
  CHECK(run(again).brief().empty());
  const Outcome refilled = run(without(again, 17));
  CAPTURE(refilled.brief());
  CHECK(refilled.brief().find("shared-race@18") != std::string::npos);
  CHECK(refilled.at("shared-race", 18).message ==
        "this asynchronous store begins to write shared memory that other threads may still read");
}

TEST_CASE("two asynchronous stores of one place race, two reductions do not") {
  const Outcome two = run(with(with(kExchange, 13, kExchange.at(13) + "\n  .loc 1 13 9\n  " + kExchange.at(13)), 11,
                               "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r6], 256;"));
  CHECK(two.brief().find("shared-race@13") != std::string::npos);
  CHECK(two.at("shared-race", 13).message ==
        "two asynchronous stores use the same shared memory, and nothing orders them");

  const Outcome sum = run(kCount);
  CHECK(sum.brief().empty());
  for (const std::uint32_t word : sum.words) CHECK(word == 96);
  const Outcome early = run(without(kCount, 26));
  CAPTURE(early.brief());
  CHECK(early.brief().find("shared-race@27") != std::string::npos);
  CHECK(early.at("shared-race", 27).message ==
        "this read of shared memory does not wait for an asynchronous reduction that writes there");
  // A store among the reductions, and a sum that begins with what nobody has written.
  CHECK(run(with(kCount, 25, kCount.at(25) + "\n  .loc 1 26 1\n  @%p1 st.shared::cluster.u32 [%r5], 0;"))
            .brief()
            .find("shared-race@") != std::string::npos);
  CHECK(run(without(kCount, 20)).brief().find("uninitialized-read@25") != std::string::npos);
}

TEST_CASE("bytes of asynchronous stores that do not add up are told where threads wait") {
  const auto note = [](const std::string& bytes) {
    const Outcome outcome =
        run(with(kExchange, 11, "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r6], " + bytes + ";"));
    CAPTURE(outcome.brief());
    CHECK(outcome.brief().find("barrier-divergence@14") != std::string::npos);
    return outcome.at("barrier-divergence", 14).note;
  };
  CHECK(note("132").find("copies have brought 4 bytes fewer than were announced") != std::string::npos);
  CHECK(note("126").find("copies have brought 2 bytes more than were announced") != std::string::npos);
  // The phase is over when as many bytes have come as were announced, and the last word is not there.
  const Outcome low = run(with(kExchange, 11, "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r6], 124;"));
  CHECK(low.brief().find("shared-race@15") != std::string::npos);
}

TEST_CASE("the block that an asynchronous store writes to lives until the store is done") {
  // Block 1 waits for nothing and ends.
  Lines lines = with(without(without(kExchange, 17), 15), 14, "@%p3 bra $o;\n  bra $e;\n$o:\n  " + kWait + "\n$e:");
  const Outcome ended = run(lines);
  CAPTURE(ended.brief());
  CHECK(ended.at("use-after-free", 13).message.find("has ended") != std::string::npos);
}
