// Every way in which the lanes of a warp may spread over memory, and every width: a fast path or none, the values are
// the same.
#include <string>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

constexpr std::uint32_t kThreads = 32, kWords = 32;

struct Pattern {
  std::string name, index;  // PTX that computes %r5 out of the lane in %r1
  std::uint32_t (*of)(std::uint32_t lane);
};

const std::vector<Pattern> kPatterns{
    {"in a row", "mov.u32 %r5, %r1;", [](std::uint32_t l) { return l; }},
    {"two rows of sixteen", "xor.b32 %r5, %r1, 16;", [](std::uint32_t l) { return l ^ 16; }},
    {"backwards", "sub.u32 %r5, 31, %r1;", [](std::uint32_t l) { return 31 - l; }},
    {"neighbours exchanged", "xor.b32 %r5, %r1, 1;", [](std::uint32_t l) { return l ^ 1; }},
    {"scattered", "mul.lo.u32 %r5, %r1, 13;\n  and.b32 %r5, %r5, 31;", [](std::uint32_t l) { return l * 13 % 32; }},
    {"half of them twice", "shr.u32 %r5, %r1, 1;", [](std::uint32_t l) { return l / 2; }},
    {"all at one place", "mov.u32 %r5, 7;", [](std::uint32_t) { return 7u; }},
    {"a place for each half", "and.b32 %r5, %r1, 16;", [](std::uint32_t l) { return l & 16; }},
};

// Word i holds 1000 + 3 i; behind them there is a word for each thread's result.
std::string with_words(const std::string& body) {
  return module_with(R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mad.lo.u32 %r2, %r1, 3, 1000;
  st.global.u32 [%rd3], %r2;
  mov.u32 %r9, 5;
  bar.sync 0;
)" + body + "\n  st.global.u32 [%rd3+128], %r9;");
}

void check(const std::string& name, const std::string& body, std::uint32_t (*expected)(std::uint32_t index),
           std::uint32_t (*of)(std::uint32_t lane), bool odd_only = false) {
  INFO(name);
  const KernelRun run = run_kernel(with_words(body), kThreads, kWords + kThreads);
  REQUIRE(run.status == LaunchStatus::ok);
  CHECK(run.ids().empty());
  for (std::uint32_t lane = 0; lane < kThreads; ++lane) {
    const std::uint32_t wanted = odd_only && lane % 2 == 0 ? 5 : expected(of(lane));
    if (run.words[kWords + lane] != wanted) {
      FAIL_CHECK("lane " << lane << " got " << run.words[kWords + lane] << ", not " << wanted);
    }
  }
}

std::uint32_t word(std::uint32_t index) {
  return 1000 + 3 * index;
}

}  // namespace

TEST_CASE("loads of a word, however the lanes spread", "[vgpu]") {
  for (const Pattern& pattern : kPatterns) {
    const std::string address = "  " + pattern.index + "\n  mul.wide.u32 %rd4, %r5, 4;\n  add.s64 %rd5, %rd1, %rd4;\n";
    check(pattern.name, address + "  ld.global.u32 %r9, [%rd5];", &word, pattern.of);
    check(pattern.name + ", generic", address + "  ld.u32 %r9, [%rd5];", &word, pattern.of);
    check(pattern.name + ", volatile", address + "  ld.volatile.global.u32 %r9, [%rd5];", &word, pattern.of);
    check(pattern.name + ", some lanes",
          address + "  and.b32 %r6, %r1, 1;\n  setp.eq.u32 %p1, %r6, 1;\n  @%p1 ld.global.u32 %r9, [%rd5];", &word,
          pattern.of, true);
  }
}

TEST_CASE("loads of bytes, half words, double words and vectors", "[vgpu]") {
  for (const Pattern& pattern : kPatterns) {
    const auto at = [&](const std::string& mask, int bytes) {
      return "  " + pattern.index + "\n  and.b32 %r5, %r5, " + mask + ";\n  mul.wide.u32 %rd4, %r5, " +
             std::to_string(bytes) + ";\n  add.s64 %rd5, %rd1, %rd4;\n";
    };
    check(
        pattern.name + ", u8", at("31", 4) + "  ld.global.u8 %r9, [%rd5];",
        [](std::uint32_t i) { return word(i) & 0xFF; }, pattern.of);
    check(
        pattern.name + ", s8", at("31", 4) + "  ld.global.s8 %r9, [%rd5];",
        [](std::uint32_t i) { return static_cast<std::uint32_t>(static_cast<std::int8_t>(word(i))); }, pattern.of);
    check(
        pattern.name + ", u16", at("31", 4) + "  ld.global.u16 %r9, [%rd5];",
        [](std::uint32_t i) { return word(i) & 0xFFFF; }, pattern.of);
    check(
        pattern.name + ", u64", at("15", 8) + "  ld.global.u64 %rd6, [%rd5];\n  mov.b64 {%r7, %r9}, %rd6;",
        [](std::uint32_t i) { return word(2 * (i & 15) + 1); }, pattern.of);
    check(
        pattern.name + ", v2", at("15", 8) + "  ld.global.v2.u32 {%r9, %r7}, [%rd5];",
        [](std::uint32_t i) { return word(2 * (i & 15)); }, pattern.of);
    check(
        pattern.name + ", v4", at("7", 16) + "  ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%rd5];",
        [](std::uint32_t i) { return word(4 * (i & 7) + 3); }, pattern.of);
  }
}

TEST_CASE("stores to places of their own, however the lanes spread", "[vgpu]") {
  for (const std::size_t i : {0, 1, 2, 3, 4}) {
    const Pattern& pattern = kPatterns[i];
    INFO(pattern.name);
    const KernelRun run = run_kernel(module_with("  " + pattern.index + R"(
  mul.wide.u32 %rd4, %r5, 4;
  add.s64 %rd5, %rd1, %rd4;
  st.global.u32 [%rd5], %r1;)"),
                                     kThreads, kThreads);
    CHECK(run.status == LaunchStatus::ok);
    for (std::uint32_t lane = 0; lane < kThreads; ++lane) CHECK(run.words[pattern.of(lane)] == lane);
  }
}

TEST_CASE("one lane outside stops the launch, and is named", "[vgpu]") {
  for (const std::string access : {"ld.global.u32 %r9, [%rd5];", "st.global.u32 [%rd5], %r1;"}) {
    const KernelRun run = run_kernel(module_with(R"(
  setp.eq.u32 %p1, %r1, 13;
  selp.u32 %r5, 5000, %r1, %p1;
  mul.wide.u32 %rd4, %r5, 4;
  add.s64 %rd5, %rd1, %rd4;
  )" + access),
                                     kThreads, kThreads);
    CHECK(run.status == LaunchStatus::illegal_address);
    REQUIRE(run.findings.size() == 1);
    CHECK(run.findings[0].thread == Index3{13, 0, 0});
    CHECK(run.findings[0].count == 1);
  }
}

namespace {

// 32 words of each thread's own; %rd5 is the generic address of the one that the pattern says, %rd6 its local one.
std::string with_own_words(const Pattern& pattern, const std::string& body) {
  return with_words("  .local .align 16 .b8 own[128];\n  " + pattern.index + R"(
  mul.wide.u32 %rd4, %r5, 4;
  mov.u64 %rd6, own;
  cvta.local.u64 %rd5, %rd6;
  add.s64 %rd5, %rd5, %rd4;
  add.s64 %rd6, %rd6, %rd4;
)" + body);
}

}  // namespace

TEST_CASE("local memory by its own address and by a generic one", "[vgpu]") {
  for (const Pattern& pattern : kPatterns) {
    const auto check_own = [&](const std::string& name, const std::string& body) {
      INFO(pattern.name << ", " << name);
      const KernelRun run = run_kernel(with_own_words(pattern, body), kThreads, kWords + kThreads);
      REQUIRE(run.status == LaunchStatus::ok);
      CHECK(run.ids().empty());
      for (std::uint32_t lane = 0; lane < kThreads; ++lane) CHECK(run.words[kWords + lane] == word(lane));
    };
    check_own("stored generic, loaded local", "  st.u32 [%rd5], %r2;\n  ld.local.u32 %r9, [%rd6];");
    check_own("stored local, loaded generic", "  st.local.u32 [%rd6], %r2;\n  ld.u32 %r9, [%rd5];");
    check_own("byte by byte", R"(
  st.u32 [%rd5], %r2;
  ld.u8 %r6, [%rd5];
  ld.local.u8 %r7, [%rd6+1];
  shl.b32 %r7, %r7, 8;
  or.b32 %r9, %r6, %r7;)");
  }
}

TEST_CASE("one instruction goes to local and to global memory", "[vgpu]") {
  for (const Pattern& pattern : kPatterns) {
    INFO(pattern.name);
    const KernelRun run = run_kernel(with_own_words(pattern, R"(
  st.u32 [%rd5], 77;
  and.b32 %r6, %r1, 1;
  setp.eq.u32 %p1, %r6, 1;
  selp.b64 %rd7, %rd5, %rd3, %p1;
  ld.u32 %r9, [%rd7];)"),
                                     kThreads, kWords + kThreads);
    REQUIRE(run.status == LaunchStatus::ok);
    CHECK(run.ids().empty());
    for (std::uint32_t lane = 0; lane < kThreads; ++lane)
      CHECK(run.words[kWords + lane] == (lane % 2 == 1 ? 77 : word(lane)));
  }
}

TEST_CASE("one lane outside of its local memory stops the launch, and is named", "[vgpu]") {
  const Pattern& pattern = kPatterns[0];
  for (const std::string access : {"ld.u32 %r9, [%rd7];", "st.u32 [%rd7], %r1;"}) {
    for (const std::string lane : {"0", "13"}) {
      INFO(access << " lane " << lane);
      const KernelRun run = run_kernel(
          with_own_words(pattern, "  st.u32 [%rd5], %r2;\n  add.s64 %rd8, %rd5, 4096;\n  setp.eq.u32 %p1, %r1, " +
                                      lane + ";\n  selp.b64 %rd7, %rd8, %rd5, %p1;\n  " + access),
          kThreads, kWords + kThreads);
      CHECK(run.status == LaunchStatus::illegal_address);
      REQUIRE(run.findings.size() == 1);
      CHECK(run.findings[0].id == "local-out-of-bounds");
      CHECK(run.findings[0].thread == Index3{static_cast<std::uint32_t>(std::stoul(lane)), 0, 0});
      CHECK(run.findings[0].count == 1);
    }
  }
  const KernelRun odd = run_kernel(with_own_words(pattern, "  st.u32 [%rd5], %r2;\n  ld.u32 %r9, [%rd5+2];"), kThreads,
                                   kWords + kThreads);
  CHECK(odd.status == LaunchStatus::misaligned_address);
}
