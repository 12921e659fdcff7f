// Asynchronous stores and reductions: what they write, when, and what is wrong with addresses.
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "cluster_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// Beside what `cluster_module` has: `bar` is a barrier at %r20 for one arrival, with `bytes` announced in its first
/// phase. %r22 and %r23 are 1000 * b + 2 * t and one more for thread t of block b, and %rd22, %rd23 and %f1, %f2 have
/// the same bits; %rd22 has b in its upper half as well. %r25 and %r26 are where `tile` and the barrier of the other
/// block of two are, %r27 the thread's 4 bytes, %r28 its 8, and %r29 its 16 in that tile, which holds 7 in all words.
std::string with_peer(const std::string& body, std::uint32_t bytes) {
  return cluster_module(R"(
  .shared .align 8 .b64 bar;
  .reg .f32 %f<4>;
  mov.u32 %r20, bar;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 mbarrier.init.shared.b64 [%r20], 1;
  shl.b32 %r7, %r1, 3;
  add.u32 %r7, %r3, %r7;
  mov.b32 %r8, 7;
  st.shared.v2.u32 [%r7], {%r8, %r8};
  bar.sync 0;
  @%p1 fence.mbarrier_init.release.cluster;
  mul.lo.u32 %r22, %r5, 1000;
  mad.lo.u32 %r22, %r1, 2, %r22;
  add.u32 %r23, %r22, 1;
  mov.b64 %rd22, {%r22, %r5};
  cvt.u64.u32 %rd23, %r23;
  mov.b32 %f1, %r22;
  mov.b32 %f2, %r23;
  mov.u32 %r9, 1;
  sub.u32 %r9, %r9, %r2;
  mapa.shared::cluster.u32 %r25, %r3, %r9;
  mapa.shared::cluster.u32 %r26, %r20, %r9;
  shl.b32 %r10, %r1, 2;
  add.u32 %r27, %r25, %r10;
  shl.b32 %r10, %r1, 3;
  add.u32 %r28, %r25, %r10;
  and.b32 %r10, %r1, 15;
  shl.b32 %r10, %r10, 4;
  add.u32 %r29, %r25, %r10;
  setp.lt.u32 %p2, %r1, 16;
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd21, [%r20], )" +
                        std::to_string(bytes) + ";\n" + kClusterSync + body);
}

const std::string kWait = R"(
$wait:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p9, [%r20], 0;
  @!%p9 bra $wait;
)";
const std::string kBegin = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.";
const std::string kReduce = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.";

void check_clean(const ClusterRun& run) {
  CHECK(run.status == LaunchStatus::ok);
  for (const Finding& finding : run.findings) FAIL_CHECK(finding.id + ": " + finding.message + "; " + finding.note);
}

/// Both blocks store into the other one's tile, and show 32 words of their own, from `from` on.
ClusterRun stored(const std::string& instruction, std::uint32_t bytes, std::uint32_t from = 0) {
  return run_clusters(with_peer("  " + instruction + kWait + "  ld.shared.u32 %r30, [%r4+" + std::to_string(from * 4) +
                                    "];\n  add.u64 %rd20, %rd2, %rd5;\n  st.global.u32 [%rd20], %r30;\n" + kClusterSync,
                                bytes),
                      2, 2);
}

/// What 32 threads of the other block, one after the other, make of a word, or of two, that held `old` at first.
std::uint64_t reduced(const std::string& operation, std::uint64_t old, std::uint64_t value) {
  const bool wide = operation.ends_with("64");
  const ClusterRun run = run_clusters(
      with_peer("  mov.u64 %rd24, " + std::to_string(old) + ";\n  @%p1 st.shared.u64 [%r3], %rd24;\n" + kClusterSync +
                    "  mov.u64 %rd25, " + std::to_string(value) + ";\n  cvt.u32.u64 %r30, %rd25;\n  " + kReduce +
                    operation + " [%r25], " + (wide ? "%rd25" : "%r30") + ", [%r26];\n" + kWait +
                    "  ld.shared.u64 %rd26, [%r3];\n  @%p1 st.global.u64 [%rd2], %rd26;\n" + kClusterSync,
                wide ? 256 : 128),
      2, 2);
  check_clean(run);
  CHECK(run.words[0] == run.words[32]);
  return run.words[0] | std::uint64_t{run.words[1]} << 32;
}

/// Of one thread at a time, by the words of the PTX ISA.
std::uint64_t by_the_isa(const std::string& operation, std::uint64_t old, std::uint64_t value) {
  if (operation == "add.u64" || operation == "add.s64") return old + value;
  const auto a = static_cast<std::uint32_t>(old), b = static_cast<std::uint32_t>(value);
  const auto result = [&]() -> std::uint32_t {
    if (operation == "add.u32" || operation == "add.s32") return a + b;
    if (operation == "min.u32") return a < b ? a : b;
    if (operation == "max.u32") return a > b ? a : b;
    if (operation == "min.s32") return std::bit_cast<std::int32_t>(a) < std::bit_cast<std::int32_t>(b) ? a : b;
    if (operation == "max.s32") return std::bit_cast<std::int32_t>(a) > std::bit_cast<std::int32_t>(b) ? a : b;
    if (operation == "inc.u32") return a >= b ? 0 : a + 1;
    if (operation == "dec.u32") return a == 0 || a > b ? b : a - 1;
    if (operation == "and.b32") return a & b;
    if (operation == "or.b32") return a | b;
    return a ^ b;
  }();
  return (old & 0xFFFF'FFFF'0000'0000) | result;
}

}  // namespace

TEST_CASE("asynchronous stores of each form come to the other block", "[vgpu]") {
  // By block and word: what the other block's threads have stored there.
  const auto first = [](std::uint32_t block, std::uint32_t i) { return (1 - block) * 1000 + 2 * i; };
  struct Form {
    std::string text;
    std::uint32_t words, bytes;  // of a thread, and of all
  };
  for (const Form& form :
       {Form{"b32 [%r27], %r22, [%r26];", 1, 128}, Form{"u32 [%r27], %r22, [%r26];", 1, 128},
        Form{"s32 [%r27], %r22, [%r26];", 1, 128}, Form{"f32 [%r27], %f1, [%r26];", 1, 128},
        Form{"v2.b32 [%r28], {%r22, %r23}, [%r26];", 2, 256}, Form{"v2.f32 [%r28], {%f1, %f2}, [%r26];", 2, 256}}) {
    CAPTURE(form.text);
    const ClusterRun run = stored(kBegin + form.text, form.bytes);
    check_clean(run);
    for (std::uint32_t block = 0; block < 2; ++block)
      for (std::uint32_t i = 0; i < 32; ++i)
        CHECK(run.words[block * 32 + i] == first(block, i / form.words) + i % form.words);
  }
  for (const std::string type : {"b64", "u64", "s64", "f64"}) {
    CAPTURE(type);
    const ClusterRun run = stored(kBegin + type + " [%r28], %rd22, [%r26];", 256);
    check_clean(run);
    for (std::uint32_t block = 0; block < 2; ++block)
      for (std::uint32_t i = 0; i < 32; ++i)
        CHECK(run.words[block * 32 + i] == (i % 2 == 0 ? first(block, i / 2) : 1 - block));
  }
  for (const std::string from :
       {"v4.b32 [%r29], {%r22, %r23, %r23, 5}, [%r26];", "v2.b64 [%r29], {%rd22, %rd23}, [%r26];"}) {
    CAPTURE(from);
    const bool wide = from.starts_with("v2");
    const ClusterRun run = stored("@%p2 " + kBegin + from, 256, 32);
    check_clean(run);
    for (std::uint32_t block = 0; block < 2; ++block)
      for (std::uint32_t i = 0; i < 32; ++i) {
        const std::uint32_t low = first(block, 8 + i / 4);
        const std::uint32_t narrow[] = {low, low + 1, low + 1, 5}, pairs[] = {low, 1 - block, low + 1, 0};
        CHECK(run.words[block * 32 + i] == (wide ? pairs[i % 4] : narrow[i % 4]));
      }
  }
}

TEST_CASE("asynchronous reductions do what the ISA says", "[vgpu]") {
  for (const std::string operation : {"add.u32", "add.s32", "add.u64", "add.s64", "min.u32", "min.s32", "max.u32",
                                      "max.s32", "inc.u32", "dec.u32", "and.b32", "or.b32", "xor.b32"}) {
    for (const auto& [old, value] :
         std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 1},
                                                              {5, 3},
                                                              {3, 5},
                                                              {0x8000'0000, 0x7FFF'FFFF},
                                                              {0xFFFF'FFFF, 20},
                                                              {0x1'0000'0006, 0xFFFF'FFFF'FFFF'FFF5}}) {
      CAPTURE(operation, old, value);
      std::uint64_t expected = old;
      for (int i = 0; i < 32; ++i) expected = by_the_isa(operation, expected, value);
      CHECK(reduced(operation, old, value) == expected);
    }
  }
}

TEST_CASE("asynchronous stores take an offset, a number, no weak, and the block's own memory", "[vgpu]") {
  const ClusterRun offset =
      stored("@%p1 st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r25+8], 77, [%r26];", 4);
  check_clean(offset);
  CHECK(offset.words[2] == 77);
  CHECK(offset.words[34] == 77);
  CHECK(offset.words[1] == 7);
  for (const std::string& own : {std::string("  mapa.shared::cluster.u32 %r25, %r3, %r2;\n  mapa.shared::cluster.u32 "
                                             "%r26, %r20, %r2;\n"),
                                 std::string("  mov.u32 %r25, %r3;\n  mov.u32 %r26, %r20;\n")}) {
    const ClusterRun run = stored(own + "  @%p1 " + kBegin + "b32 [%r25], %r22, [%r26];", 4);
    check_clean(run);
    CHECK(run.words[0] == 0);
    CHECK(run.words[32] == 1000);
    const ClusterRun sum = stored(own + "  " + kReduce + "add.u32 [%r25], 2, [%r26];", 128);
    check_clean(sum);
    CHECK(sum.words[0] == 7 + 64);
    CHECK(sum.words[32] == 7 + 64);
  }
}

TEST_CASE("the values of an asynchronous store are those of its begin", "[vgpu]") {
  const ClusterRun run = stored(kBegin + "b32 [%r27], %r22, [%r26];\n  mov.u32 %r22, 3;", 128);
  check_clean(run);
  CHECK(run.words[0] == 1000);
}

TEST_CASE("addresses that an asynchronous store does not take", "[vgpu]") {
  const auto outcome = [](const std::string& text, std::uint32_t bytes) { return stored("@%p1 " + text, bytes); };
  for (const auto& [form, size] :
       std::vector<std::pair<std::string, int>>{{"b32 [%r25+2], %r22", 4},
                                                {"b64 [%r25+4], %rd22", 8},
                                                {"v2.b32 [%r25+4], {%r22, %r23}", 8},
                                                {"v4.b32 [%r25+8], {%r22, %r22, %r22, %r22}", 16},
                                                {"v2.b64 [%r25+8], {%rd22, %rd22}", 16}}) {
    CAPTURE(form);
    const ClusterRun run = outcome(kBegin + form + ", [%r26];", size);
    CHECK(run.status == LaunchStatus::misaligned_address);
    CHECK(run.found("misaligned-access", "write of " + std::to_string(size) + " bytes at an address"));
  }
  const ClusterRun sum = outcome(kReduce + "add.u64 [%r25+4], %rd22, [%r26];", 8);
  CHECK(sum.status == LaunchStatus::misaligned_address);
  const ClusterRun barrier = outcome(kBegin + "b32 [%r25], %r22, [%r26+-4];", 4);
  CHECK(barrier.found("misaligned-access", "8 bytes at an address"));
  const ClusterRun behind = outcome(kBegin + "b32 [%r25+4096], %r22, [%r26];", 4);
  CHECK(behind.found("shared-out-of-bounds", "write of 4 bytes"));
  CHECK(behind.status == LaunchStatus::launch_failure);  // as on an H200
  const ClusterRun nobody = outcome(
      "mov.u32 %r9, 5;\n  mapa.shared::cluster.u32 %r25, %r3, %r9;\n  @%p1 " + kBegin + "b32 [%r25], %r22, [%r26];", 4);
  CHECK(nobody.found("shared-out-of-bounds", "rank"));
}

// Held to an H200.
TEST_CASE("a barrier of another block than the one that values go to is not told of them", "[vgpu]") {
  const auto sent = [](const std::string& instruction, const std::string& waiting) {
    return run_clusters(with_peer("  mapa.shared::cluster.u32 %r26, %r20, %r2;\n  setp.eq.u32 %p3, %r2, 0;\n  "
                                  "and.pred %p3, %p3, %p1;\n  @%p3 " +
                                      instruction + " [%r25], 77, [%r26];\n  setp.ne.u32 %p4, %r2, " + waiting +
                                      ";\n  @%p4 bra $on;\n" + kWait +
                                      "  ld.shared.u32 %r30, [%r4];\n  add.u64 %rd20, %rd2, %rd5;\n"
                                      "  st.global.u32 [%rd20], %r30;\n$on:\n" +
                                      kClusterSync,
                                  4),
                        2, 2);
  };
  for (const std::string& instruction : {kBegin + "b32", kReduce + "add.u32"}) {
    CAPTURE(instruction);
    for (const std::string waiting : {"0", "1"}) {
      CAPTURE(waiting);
      const ClusterRun run = sent(instruction, waiting);
      CHECK(run.status != LaunchStatus::ok);
      CHECK(run.found("barrier-divergence", ""));
    }
  }
}

TEST_CASE("forms of asynchronous stores that are not executed", "[vgpu]") {
  const auto refusal = [](const std::string& body) {
    VirtualGpuOptions options;
    options.model = device_model("h200");
    VirtualGpu gpu(options);
    const std::uint64_t none = 0;
    gpu.launch(gpu.load_module(with_peer(body, 4)), "kernel", {}, std::as_bytes(std::span(&none, 1)));
    const std::vector<ptx::Refusal> refusals = gpu.refusals();
    return refusals.empty() ? std::string() : refusals.front().reason;
  };
  const auto says = [&](const std::string& body, const std::string& part) {
    CAPTURE(body);
    const std::string reason = refusal(body);
    CAPTURE(reason);
    CHECK(reason.find(part) != std::string::npos);
  };
  says("st.async.weak.mbarrier::complete_tx::bytes.b32 [%rd3], %r22, [%rd3];", "other memory than that of a cluster");
  says("st.async.release.sys.global.b32 [%rd2], %r22;", "global memory");
  says("st.async.weak.shared::cluster.b32 [%r25], %r22;", "no barrier");
  says(kBegin + "b16 [%r25], %rs1, [%r26];", "this type");
  says(kBegin + "v4.b64 [%r25], {%rd22, %rd22, %rd22, %rd22}, [%r26];", "more than 16 bytes");
  says(kBegin + "v2.b32 [%r25], {%r22, %r22, %r22}, [%r26];", "as many registers");
  says(kReduce + "add.f32 [%r25], %f1, [%r26];", "this type");
  says(kReduce + "min.u64 [%r25], %rd22, [%r26];", "this type");
  says(kReduce + "exch.b32 [%r25], %r22, [%r26];", "this operation");
  says("red.async.relaxed.gpu.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r25], %r22, [%r26];", "scope");
  says("red.async.relaxed.gpu.global.add.u32 [%rd2], %r22;", "global memory");
}
