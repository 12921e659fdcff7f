// What launches that race come to: in the usual order of threads these kernels give the right result, or nearly so, and
// the results show the mistake all the same. Kernels without a race are not touched.
#include <numeric>
#include <optional>
#include <set>

#include "kernel_run.h"
#include "vgpu/exec/disorder.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

using Words = std::vector<std::uint32_t>;

struct Outcome {
  Words words;
  std::vector<std::string> ids;
  bool raced() const {
    return std::ranges::any_of(ids, [](const std::string& id) { return id.ends_with("-race"); });
  }
};

/// What `body` makes of `words` zeros; 8 warps a block.
Outcome run(const std::string& body, std::uint32_t blocks, std::size_t words,
            std::optional<std::uint64_t> seed = std::nullopt, bool cooperative = false) {
  VirtualGpuOptions options;
  options.model = device_model("a100");
  options.order_seed = seed;
  options.instruction_limit = 10'000'000;
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(module_with("  .shared .align 4 .b8 s[1024];\n" + body));
  const DeviceAddress array = gpu.allocate(words * 4);
  REQUIRE(gpu.fill(array, 0, words * 4));
  LaunchConfig config;
  config.grid = {blocks, 1, 1};
  config.block = {256, 1, 1};
  config.cooperative = cooperative;
  CHECK(gpu.launch(module, "kernel", config, std::as_bytes(std::span(&array, 1))).status == LaunchStatus::ok);
  for (const ptx::Refusal& refusal : gpu.refusals()) FAIL_CHECK(ptx::describe(refusal));
  Outcome outcome;
  outcome.words.resize(words);
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(outcome.words)), array));
  for (const Finding& finding : gpu.findings()) outcome.ids.push_back(finding.id);
  return outcome;
}

/// %rd2: the address of the thread's element of `out`; %r3: the block's number; %r4: the thread's in the grid.
const std::string kOwnElement = R"(
  mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r4, %r3, 256, %r1;
  mul.wide.u32 %rd2, %r4, 4;
  add.u64 %rd2, %rd1, %rd2;
)";

/// Thread 0 leaves 7 in shared memory; all threads write what they find there.
std::string one_writes(const std::string& barrier) {
  return kOwnElement + R"(
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra read;
  mov.u32 %r5, 7;
  st.shared.u32 [s], %r5;
read:
)" + barrier +
         R"(
  ld.shared.u32 %r6, [s];
  st.global.u32 [%rd2], %r6;
)";
}

/// Thread t reads the element of the thread opposite before each overwrites its own: all write 1, or 2 for those who
/// came too late.
std::string overwrites(const std::string& barrier) {
  return kOwnElement + R"(
  mov.u32 %r5, s;
  shl.b32 %r6, %r1, 2;
  add.u32 %r6, %r5, %r6;
  xor.b32 %r7, %r1, 128;
  shl.b32 %r7, %r7, 2;
  add.u32 %r7, %r5, %r7;
  mov.u32 %r8, 1;
  st.shared.u32 [%r6], %r8;
  bar.sync 0;
  ld.shared.u32 %r9, [%r7];
)" + barrier +
         R"(
  mov.u32 %r8, 2;
  st.shared.u32 [%r6], %r8;
  st.global.u32 [%rd2], %r9;
)";
}

/// Lanes pass a number on to the next lane of their warp, through shared memory.
std::string passes_on(const std::string& barrier) {
  return kOwnElement + R"(
  mov.u32 %r5, s;
  shl.b32 %r6, %r1, 2;
  add.u32 %r6, %r5, %r6;
  xor.b32 %r7, %r1, 1;
  shl.b32 %r7, %r7, 2;
  add.u32 %r7, %r5, %r7;
  st.shared.u32 [%r6], %r1;
)" + barrier +
         R"(
  ld.shared.u32 %r9, [%r7];
  st.global.u32 [%rd2], %r9;
)";
}

/// Thread 0 of each block adds 1 to word 0.
std::string counts(const std::string& how) {
  return R"(
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra done;
)" + how +
         R"(
done:
)";
}

/// Each block leaves its number plus 1 in `out[1 + block]`, counts in word 0, and the last one adds up all numbers,
/// into word 100.
std::string last_adds_up(const std::string& fence) {
  return R"(
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra done;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %nctaid.x;
  add.u32 %r5, %r3, 1;
  mul.wide.u32 %rd2, %r5, 4;
  add.u64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r5;
)" + fence +
         R"(
  atom.global.add.u32 %r6, [%rd1], 1;
  add.u32 %r6, %r6, 1;
  setp.ne.u32 %p2, %r6, %r4;
  @%p2 bra done;
  membar.gl;
  mov.u32 %r7, 0;
  mov.u32 %r8, 0;
  mov.u64 %rd3, %rd1;
next:
  add.u64 %rd3, %rd3, 4;
  ld.global.u32 %r9, [%rd3];
  add.u32 %r7, %r7, %r9;
  add.u32 %r8, %r8, 1;
  setp.lt.u32 %p3, %r8, %r4;
  @%p3 bra next;
  st.global.u32 [%rd1+400], %r7;
done:
)";
}

const std::string kBarrier = "  bar.sync 0;\n", kWarpBarrier = "  bar.warp.sync 0xffffffff;\n", kNone;

Words all(std::uint32_t value, std::size_t count) {
  return Words(count, value);
}

Words neighbours(std::size_t count) {
  Words words(count);
  for (std::size_t i = 0; i < count; ++i) words[i] = static_cast<std::uint32_t>(i % 256) ^ 1;
  return words;
}

}  // namespace

TEST_CASE("a read that no barrier orders after the write finds what was there before", "[exec]") {
  CHECK(run(one_writes(kBarrier), 4, 1024).words == all(7, 1024));
  for (const std::uint32_t blocks : {1u, 4u}) {
    const Outcome raced = run(one_writes(kNone), blocks, blocks * 256);
    CHECK(raced.raced());
    CHECK(raced.words != all(7, blocks * 256));
  }
}

TEST_CASE("a write that no barrier orders after the read comes too early", "[exec]") {
  CHECK(run(overwrites(kBarrier), 4, 1024).words == all(1, 1024));
  for (const std::uint32_t blocks : {1u, 4u}) {
    const Outcome raced = run(overwrites(kNone), blocks, blocks * 256);
    CHECK(raced.raced());
    CHECK(raced.words != all(1, blocks * 256));
  }
}

TEST_CASE("lanes of a warp do not go in step where nothing makes them wait", "[exec]") {
  CHECK(run(passes_on(kWarpBarrier), 2, 512).words == neighbours(512));
  const Outcome raced = run(passes_on(kNone), 2, 512);
  CHECK(raced.raced());
  CHECK(raced.words != neighbours(512));
}

TEST_CASE("what is a warning alone changes no results", "[exec]") {
  std::string by_volatile = passes_on(kNone);
  for (const std::string access : {"st.shared", "ld.shared"})
    by_volatile.replace(by_volatile.find(access), access.size(), access.substr(0, 2) + ".volatile.shared");
  const Outcome in_step = run(by_volatile, 2, 512);
  CHECK(in_step.raced());
  CHECK(in_step.words == neighbours(512));
}

TEST_CASE("blocks that add to one word without an atomic lose some", "[exec]") {
  CHECK(run(counts("  red.global.add.u32 [%rd1], 1;\n"), 50, 1).words == Words{50});
  for (const std::string access : {".global.u32", ".volatile.global.u32"}) {
    const Outcome raced = run(
        counts("  ld" + access + " %r5, [%rd1];\n  add.u32 %r5, %r5, 1;\n  st" + access + " [%rd1], %r5;\n"), 50, 1);
    CHECK(raced.raced());
    CHECK(raced.words.at(0) < 50);
    CHECK(raced.words.at(0) > 0);
  }
}

TEST_CASE("what a block hands on without a fence has not come yet", "[exec]") {
  constexpr std::uint32_t kBlocks = 50, kSum = kBlocks * (kBlocks + 1) / 2;
  CHECK(run(last_adds_up("  membar.gl;\n"), kBlocks, 101).words.at(100) == kSum);
  const Outcome raced = run(last_adds_up(kNone), kBlocks, 101);
  CHECK(raced.raced());
  CHECK(raced.words.at(100) < kSum);
  // In the end all have stored what they have stored.
  Words numbers(raced.words.begin() + 1, raced.words.begin() + 1 + kBlocks), expected(kBlocks);
  std::iota(expected.begin(), expected.end(), 1u);
  CHECK(numbers == expected);
}

TEST_CASE("who waits for a store gets to see it", "[exec]") {
  // Every second block waits for a word that another writes without a fence: a race, but one that ends.
  const std::string body = R"(
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra done;
  mov.u32 %r3, %ctaid.x;
  shr.u32 %r4, %r3, 1;
  mul.wide.u32 %rd2, %r4, 4;
  add.u64 %rd2, %rd1, %rd2;
  and.b32 %r5, %r3, 1;
  setp.eq.u32 %p2, %r5, 0;
  @%p2 bra waits;
  st.global.u32 [%rd2], %r3;
  bra done;
waits:
  ld.volatile.global.u32 %r6, [%rd2];
  setp.eq.u32 %p3, %r6, 0;
  @%p3 bra waits;
done:
)";
  for (const bool cooperative : {false, true}) {
    const Outcome raced = run(body, 20, 10, std::nullopt, cooperative);
    CHECK(raced.raced());
    for (std::uint32_t pair = 0; pair < 10; ++pair) CHECK(raced.words[pair] == pair * 2 + 1);
  }
}

TEST_CASE("a race has the same outcome each time, and another one with another seed", "[exec]") {
  std::set<Words> outcomes;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Outcome raced = run(overwrites(kNone), 4, 1024, seed);
    CHECK(raced.words == run(overwrites(kNone), 4, 1024, seed).words);
    CHECK(raced.ids == run(overwrites(kNone), 4, 1024).ids);
    outcomes.insert(raced.words);
  }
  CHECK(outcomes.size() == 4);
  CHECK(run(overwrites(kNone), 4, 1024).words == run(overwrites(kNone), 4, 1024).words);
}

TEST_CASE("a block draws orders of all its warps, and each phase its own", "[exec]") {
  std::set<Words> orders;
  bool late = false, in_time = false, at_once = false, parted = false;
  for (std::uint64_t phase = 0; phase < 50; ++phase) {
    const exec::Disorder drawn = exec::draw_disorder(1, 2, phase, 32);
    const exec::Disorder again = exec::draw_disorder(1, 2, phase, 32);
    CHECK(drawn.warps == again.warps);
    CHECK(drawn.late_warps == again.late_warps);
    Words sorted = drawn.warps, every(32);
    std::ranges::sort(sorted);
    std::iota(every.begin(), every.end(), 0u);
    CHECK(sorted == every);
    orders.insert(drawn.warps);
    late |= drawn.late_warps != 0;
    in_time |= drawn.late_warps != 0xFFFF'FFFF;
    at_once |= drawn.first_lanes == 0xFFFF'FFFF;
    parted |= drawn.first_lanes != 0xFFFF'FFFF;
    CHECK(drawn.first_lanes != 0);
  }
  CHECK(orders.size() == 50);
  CHECK((late && in_time && at_once && parted));
  CHECK(exec::draw_disorder(1, 2, 3, 32).warps != exec::draw_disorder(1, 3, 3, 32).warps);
  CHECK(exec::draw_disorder(1, 2, 3, 32).warps != exec::draw_disorder(2, 2, 3, 32).warps);
}
