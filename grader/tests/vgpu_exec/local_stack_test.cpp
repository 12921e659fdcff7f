// Local memory that a thread takes while it runs: alloca, stacksave, stackrestore.
#include <string>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// Each thread takes as many words as its number and one more, fills them with its number, and adds them up.
const std::string kSumOfOwnWords = R"(
  add.u32 %r2, %r1, 1;
  mul.wide.u32 %rd2, %r2, 4;
  alloca.u64 %rd3, %rd2, 16;
  mov.u32 %r3, 0;
$fill:
  mul.wide.u32 %rd4, %r3, 4;
  add.s64 %rd5, %rd3, %rd4;
  st.local.u32 [%rd5], %r1;
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, %r2;
  @%p1 bra $fill;
  cvta.local.u64 %rd6, %rd3;
  mov.u32 %r3, 0;
  mov.u32 %r4, 0;
$add:
  mul.wide.u32 %rd4, %r3, 4;
  add.s64 %rd5, %rd6, %rd4;
  ld.u32 %r5, [%rd5];
  add.u32 %r4, %r4, %r5;
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, %r2;
  @%p1 bra $add;
)";

const std::string kStoreResult = R"(
  mul.wide.u32 %rd7, %r1, 4;
  add.s64 %rd7, %rd1, %rd7;
  st.global.u32 [%rd7], %r4;
)";

/// Runs `body`, which leaves a result in %r4.
KernelRun run_threads(const std::string& body, std::uint32_t threads = 32, const std::string& functions = {}) {
  return run_kernel(module_with("  .local .align 8 .b8 kept[24];\n" + body + kStoreResult, functions), threads,
                    threads);
}

}  // namespace

TEST_CASE("each thread takes local memory of a size of its own", "[vgpu]") {
  const KernelRun run = run_threads(kSumOfOwnWords, 64);
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.ids().empty());
  for (std::uint32_t thread = 0; thread < 64; ++thread) CHECK(run.words[thread] == thread * (thread + 1));
}

TEST_CASE("what is taken lies behind the variables, apart from what was taken before, as it asks", "[vgpu]") {
  const KernelRun run = run_threads(R"(
  mov.u64 %rd2, 5;
  alloca.u64 %rd3, %rd2, 1;
  alloca.u64 %rd4, %rd2, 64;
  alloca.u64 %rd5, %rd2;
  mov.u64 %rd6, kept;
  st.local.u64 [%rd6+16], 1;
  mov.u32 %r5, 7;
  st.local.u8 [%rd3], %r5;
  st.local.u8 [%rd4+4], %r5;
  st.local.u8 [%rd5], %r5;
  ld.local.u64 %rd8, [%rd6+16];
  cvt.u32.u64 %r4, %rd8;
  and.b64 %rd9, %rd4, 63;
  cvt.u32.u64 %r6, %rd9;
  add.u32 %r4, %r4, %r6;
  and.b64 %rd9, %rd5, 7;
  cvt.u32.u64 %r6, %rd9;
  add.u32 %r4, %r4, %r6;
  sub.u64 %rd9, %rd4, %rd3;
  setp.lt.u64 %p1, %rd9, 5;
  @%p1 add.u32 %r4, %r4, 100;
  sub.u64 %rd9, %rd5, %rd4;
  setp.lt.u64 %p1, %rd9, 5;
  @%p1 add.u32 %r4, %r4, 1000;
)");
  CHECK(run.ids().empty());
  CHECK(run.words[0] == 1);
  CHECK(run.words[31] == 1);
}

TEST_CASE("a function's stack is its own, and gone when it returns", "[vgpu]") {
  const std::string taker = R"(
.func (.param .b32 result) taker(.param .b32 seed)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u32 %r1, [seed];
  alloca.u64 %rd1, 64, 8;
  st.local.u32 [%rd1+60], %r1;
  ld.local.u32 %r2, [%rd1+60];
  st.param.b32 [result], %r2;
  ret;
}
)";
  // So often that what is taken would not have room if it stayed: 64 bytes, 20,000 times.
  const KernelRun run = run_threads(R"(
  alloca.u64 %rd3, 64, 8;
  st.local.u32 [%rd3], %r1;
  mov.u32 %r6, 0;
$again:
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r6; call (b), taker, (a); ld.param.b32 %r5, [b]; }
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, 20000;
  @%p1 bra $again;
  ld.local.u32 %r4, [%rd3];
  mad.lo.u32 %r4, %r5, 100, %r4;
)",
                                    32, taker);
  CHECK(run.ids().empty());
  CHECK(run.words[3] == 19999 * 100 + 3);
}

TEST_CASE("a saved end of the stack is gone back to", "[vgpu]") {
  const KernelRun run = run_threads(R"(
  stacksave.u64 %rd8;
  mov.u32 %r6, 0;
$again:
  alloca.u64 %rd3, 64, 8;
  st.local.u32 [%rd3+60], %r6;
  ld.local.u32 %r4, [%rd3+60];
  stackrestore.u64 %rd8;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, 20000;
  @%p1 bra $again;
)");
  CHECK(run.ids().empty());
  CHECK(run.words[0] == 19999);
}

TEST_CASE("accesses behind what a thread has taken, and more than there is", "[vgpu]") {
  const std::string take = "  alloca.u64 %rd3, 64, 16;\n  mov.u32 %r4, 0;\n  .loc 1 5 1\n";
  const KernelRun behind = run_threads(take + "  st.local.u32 [%rd3+64], %r4;\n  .loc 1 9 1\n");
  REQUIRE(behind.ids() == std::vector<std::string>{"local-out-of-bounds"});
  CHECK(behind.findings[0].where == SourcePlace{"k.cu", 5, 1});
  const KernelRun given_back =
      run_threads("  stacksave.u64 %rd8;\n" + take +
                  "  stackrestore.u64 %rd8;\n  .loc 1 6 1\n  st.local.u32 [%rd3], %r4;\n  .loc 1 9 1\n");
  REQUIRE(given_back.ids() == std::vector<std::string>{"local-out-of-bounds"});
  CHECK(given_back.findings[0].where == SourcePlace{"k.cu", 6, 1});
  for (const std::string too_much : {"  .loc 1 5 1\n  alloca.u64 %rd3, 100000000, 16;\n",
                                     "  mov.u64 %rd2, -8;\n  .loc 1 5 1\n  alloca.u64 %rd3, %rd2;\n",
                                     "  mov.u64 %rd2, 4096;\n  .loc 1 5 1\n  stackrestore.u64 %rd2;\n"}) {
    CAPTURE(too_much);
    const KernelRun run = run_threads("  mov.u32 %r4, 0;\n" + too_much + "  .loc 1 9 1\n");
    CHECK(run.status == LaunchStatus::illegal_address);
    REQUIRE(run.ids() == std::vector<std::string>{"local-out-of-bounds"});
    CHECK(run.findings[0].where == SourcePlace{"k.cu", 5, 1});
  }
}

TEST_CASE("what a block leaves on its stack the next one does not have", "[vgpu]") {
  VirtualGpuOptions options;
  options.model = device_model("a100");
  options.workers = 1;
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(module_with(kSumOfOwnWords));
  const std::uint64_t array = gpu.allocate(128, 0);
  // Eight thousand blocks would need more than a thread may have, if none gave it back.
  const LaunchConfig config{.grid = {8192, 1, 1}, .block = {1, 1, 1}};
  CHECK(gpu.launch(module, "kernel", config, std::as_bytes(std::span(&array, 1))).status == LaunchStatus::ok);
}
