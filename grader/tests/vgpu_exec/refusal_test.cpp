// What the virtual GPU does not execute is refused at the launch that needs it, and told from what is no PTX.
#include "vgpu/ptx/refusal.h"

#include <string>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

const std::string kModuleHead = ".version 7.7\n.target sm_80\n.address_size 64\n.file 1 \"k.cu\"\n";

std::string entry(const std::string& name, const std::string& body) {
  return ".visible .entry " + name + "()\n{\n  .reg .b32 %r<9>;\n  .reg .b64 %rd<9>;\n  .reg .f32 %f<9>;\n" + body +
         "\n  ret;\n}\n";
}

std::vector<ptx::Refusal> refusals_of(const std::string& ptx, const std::string& kernel, LaunchStatus expected) {
  VirtualGpuOptions options;
  options.model = device_model("a100");
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(ptx);
  for (int again = 0; again < 2; ++again) CHECK(gpu.launch(module, kernel, {}, {}).status == expected);
  return gpu.refusals();
}

ptx::Refusal refusal_of(const std::string& body, const std::string& functions = {}) {
  const auto refusals = refusals_of(kModuleHead + functions + entry("k", body), "k", LaunchStatus::refused);
  REQUIRE(refusals.size() == 1);
  return refusals[0];
}

const std::string kMatrix = "  .loc 1 12 3\n  wgmma.fence.sync.aligned;";

}  // namespace

TEST_CASE("only the launch of a kernel that needs it is refused", "[vgpu]") {
  const std::string module = kModuleHead + ".func f()\n{\n  .reg .b32 %r<9>;\n" + kMatrix + "\n  ret;\n}\n" +
                             entry("calls", "  call.uni f, ();") + entry("plain", "");
  CHECK(refusals_of(module, "plain", LaunchStatus::ok).empty());
  const auto refusals = refusals_of(module, "calls", LaunchStatus::refused);
  REQUIRE(refusals.size() == 1);
  CHECK(refusals[0].kernel == "calls");
  CHECK(refusals[0].where == SourcePlace{"k.cu", 12, 3});
  CHECK_FALSE(refusals[0].is_authors);
  CHECK(ptx::describe(refusals[0]) ==
        "`calls` cannot be executed: PTX line 9: `wgmma.fence.sync.aligned`: the virtual GPU does not execute this "
        "instruction, from k.cu:12");
}

TEST_CASE("an instruction of PTX that is not executed is never its author's fault", "[vgpu]") {
  CHECK_FALSE(refusal_of("  // begin inline asm\n" + kMatrix + "\n  // end inline asm").is_authors);
  CHECK_FALSE(
      refusal_of("  // begin inline asm\n  add.rn.ftz.sat.b128 %r1, %r2, %r3;\n  // end inline asm").is_authors);
}

TEST_CASE("reductions of surfaces that the PTX ISA does not have are refused", "[vgpu]") {
  const auto says = [](const std::string& instruction, const std::string& part) {
    CAPTURE(instruction);
    CHECK(refusal_of("  " + instruction).reason.find(part) != std::string::npos);
  };
  says("sured.b.xor.1d.b32.trap [%rd1, {%r1}], %r2;", "this type");
  says("sured.b.add.1d.s64.trap [%rd1, {%r1}], %rd2;", "this type");
  says("sured.b.and.1d.u32.trap [%rd1, {%r1}], %r2;", "this type");
  says("sured.b.exch.1d.b32.trap [%rd1, {%r1}], %r2;", "this operation");
  says("sured.b.add.a1d.u32.trap [%rd1, {%r1, %r1}], %r2;", "layers");
  says("sured.b.add.1d.u32 [%rd1, {%r1}], %r2;", "what to do outside");
  says("sured.b.add.2d.u32.trap [%rd1, {%r1}], %r2;", "too few coordinates");
  says("sured.p.add.1d.u32.trap [%rd1, {%r1}], %r2;", "this type");
  says("sured.p.xor.1d.b32.trap [%rd1, {%r1}], %r2;", "this type");
  says("sured.p.add.1d.b64.trap [%rd1, {%r1}], %rd2;", "this type");
  says("sured.p.or.1d.b64.trap [%rd1, {%r1}], %rd2;", "this type");
  says("sured.p.min.a2d.b32.trap [%rd1, {%r1, %r1, %r1, %r1}], %r2;", "layers");
  says("sured.p.min.1d.b32 [%rd1, {%r1}], %r2;", "what to do outside");
  says("sured.p.min.3d.b32.trap [%rd1, {%r1, %r1}], %r2;", "too few coordinates");
  says("sured.add.1d.b32.trap [%rd1, {%r1}], %r2;", "neither formatted nor not");
}

TEST_CASE("parts of registers are known to video instructions only", "[vgpu]") {
  const std::string video = "  vadd.u32.u32.u32.sat %r1, %r2.b0, %r3.h2;";  // there is no such half word
  const std::string module = kModuleHead + entry("video", video) + entry("plain", "");
  CHECK(refusals_of(module, "plain", LaunchStatus::ok).empty());
  CHECK(refusal_of("  // begin inline asm\n" + video + "\n  // end inline asm").is_authors == false);
  CHECK(refusals_of(kModuleHead + entry("k", "  mov.u32 %r2, 0;\n  vadd.u32.u32.u32 %r1, %r2.b0, %r2.h1;"), "k",
                    LaunchStatus::ok)
            .empty());
  CHECK_THROWS_AS(refusal_of("  add.u32 %r1, %r2.b0, %r3;"), ptx::ParseError);
  CHECK_THROWS_AS(refusal_of("  vadd.u32.u32.u32 %r1, %r2.x, %r3;"), ptx::ParseError);
  CHECK_THROWS_AS(refusal_of("  vadd4.u32.u32.u32 %r1, %r2.b43210, %r3, %r4;"), ptx::ParseError);
}

TEST_CASE("inline assembly that is no PTX is its author's fault", "[vgpu]") {
  const ptx::Refusal refusal =
      refusal_of("  .loc 1 7 5\n  // begin inline asm\n  frobnicate.u32 %r1, %r2;\n  // end inline asm");
  CHECK(refusal.is_authors);
  const Finding finding = ptx::finding_of(refusal);
  CHECK(finding.id == "build-failed");
  CHECK(finding.where == SourcePlace{"k.cu", 7, 5});
  CHECK(finding.note == "PTX line 12: `frobnicate.u32`: PTX has no such instruction");
  CHECK(refusal_of("  // begin inline asm\n  add.s32 %r1, %r2;\n  // end inline asm").is_authors);
}

TEST_CASE("what a compiler wrote is not its author's fault, whatever it is", "[vgpu]") {
  CHECK_FALSE(refusal_of("  // a comment\n  frobnicate.u32 %r1, %r2;").is_authors);
  CHECK_FALSE(refusal_of("  // begin inline asm\n  mov.u32 %r1, 0;\n  // end inline asm\n  frobnicate.u32 %r1, %r2;")
                  .is_authors);
}

TEST_CASE("text without comments does not say who wrote it: its author, as far as the parser knows PTX", "[vgpu]") {
  CHECK(refusal_of("  frobnicate.u32 %r1, %r2;").is_authors);
  CHECK_FALSE(refusal_of(kMatrix).is_authors);
  CHECK(ptx::refusal_of(".version 9.3\n???\n", 2, "bad", ptx::Defect::malformed).is_authors);
  CHECK_FALSE(ptx::refusal_of(".version 10.0\n???\n", 2, "bad", ptx::Defect::malformed).is_authors);
}

TEST_CASE("a function that is defined nowhere is its author's fault, unless it is the compiler's", "[vgpu]") {
  const auto call = [](const std::string& name) {
    return refusal_of("  call.uni " + name + ", ();", ".extern .func " + name + "();\n").is_authors;
  };
  CHECK(call("_Z6forgotv"));
  CHECK_FALSE(call("__internal_of_a_compiler"));
}

TEST_CASE("a variable that is defined nowhere is refused where it is used", "[vgpu]") {
  const std::string module = kModuleHead + ".extern .global .u32 missing;\n.extern .const .b8 table[];\n" +
                             entry("loads", "  .loc 1 4 2\n  ld.global.u32 %r1, [missing];") +
                             entry("takes", "  mov.u64 %rd1, table;") + entry("plain", "");
  CHECK(refusals_of(module, "plain", LaunchStatus::ok).empty());
  CHECK(refusals_of(module, "takes", LaunchStatus::refused).size() == 1);
  const auto refusals = refusals_of(module, "loads", LaunchStatus::refused);
  REQUIRE(refusals.size() == 1);
  CHECK(refusals[0].is_authors);
  const Finding finding = ptx::finding_of(refusals[0]);
  CHECK(finding.where == SourcePlace{"k.cu", 4, 2});
  CHECK(finding.message == "the kernel uses a variable that is declared, but defined nowhere");
  CHECK(finding.note.find("`missing`") != std::string::npos);
}

TEST_CASE("barriers that lie elsewhere than in shared memory, and waits at another block's, are refused", "[vgpu]") {
  CHECK(refusal_of("  mbarrier.init.global.b64 [%rd1], %r1;").reason.find("state space") != std::string::npos);
  const ptx::Refusal state = refusal_of("  mbarrier.arrive.expect_tx.shared::cluster.b64 %rd2, [%rd1], %r1;");
  CHECK_FALSE(state.is_authors);
  CHECK(state.reason.find("the state of a barrier that may be another block's") != std::string::npos);
  CHECK(refusal_of("  mbarrier.try_wait.shared::cluster.b64 %r1, [%rd1], %rd2;").reason.find("a wait at a barrier") !=
        std::string::npos);
}

TEST_CASE("calls of the runtime that kernels do not have are said by name", "[vgpu]") {
  const ptx::Refusal refusal =
      refusal_of("  call.uni __cudaCDP2Memcpy2DAsync, ();", ".extern .func __cudaCDP2Memcpy2DAsync();\n");
  CHECK_FALSE(refusal.is_authors);
  CHECK(refusal.reason.find("`__cudaCDP2Memcpy2DAsync` is a call of the CUDA runtime in device code") !=
        std::string::npos);
}

TEST_CASE("text that does not parse is placed by the directives before it", "[vgpu]") {
  const std::string text =
      "\t.file\t1 \"a b.cu\"\n\t.loc\t1 4 2\n\t// begin inline asm\n\t???\n\t// end inline asm\n\t.loc\t2 9 9\n"
      "\t.file 2 \"late.cu\"\n???\n";
  const auto inside = ptx::refusal_of(text, 4, "PTX line 4: bad", ptx::Defect::malformed);
  CHECK(inside.is_authors);
  CHECK(inside.where == SourcePlace{"a b.cu", 4, 2});
  const auto after = ptx::refusal_of(text, 8, "PTX line 8: bad", ptx::Defect::malformed);
  CHECK_FALSE(after.is_authors);
  CHECK(after.where == SourcePlace{"late.cu", 9, 9});
  const auto in_folder = [](const std::string& file) {
    return ptx::refusal_of(".file 1 " + file + "\n.loc 1 4 2\n???\n", 3, "bad", ptx::Defect::malformed).where.file;
  };
  CHECK(in_folder("\"/made\" \"k.cu\"") == "/made/k.cu");
  CHECK(in_folder("\"/made\" \"/k.cu\"") == "/k.cu");
  CHECK_FALSE(ptx::refusal_of("", 1, "bad", ptx::Defect::malformed).where.known());
}

TEST_CASE("other questions about textures than their size are not supported, and that is said at the call", "[vgpu]") {
  const ptx::Refusal refusal = refusal_of("  .loc 1 12 3\n  txq.filter_mode.b32 %r1, [%rd1];");
  CHECK(refusal.is_authors);
  CHECK(refusal.where == SourcePlace{"k.cu", 12, 3});
  const Finding finding = ptx::finding_of(refusal);
  CHECK(finding.id == "unsupported-call");
  CHECK(finding.where == refusal.where);
  CHECK(finding.kernel == "k");
  CHECK(finding.note.find("a GPU refuses this question about a texture or surface as well") != std::string::npos);
  const auto says = [](const std::string& instruction, const std::string& part, ptx::Defect defect) {
    CAPTURE(instruction);
    const ptx::Refusal refused = refusal_of("  " + instruction);
    CHECK(refused.defect == defect);
    CHECK(refused.reason.find(part) != std::string::npos);
  };
  // Held to an H200, which launches none of them.
  for (const std::string asked :
       {"txq.channel_data_type", "txq.channel_order", "txq.normalized_coords", "txq.array_size",
        "txq.num_mipmap_levels", "txq.num_samples", "txq.filter_mode", "txq.addr_mode_0", "suq.channel_data_type",
        "suq.channel_order", "suq.array_size", "suq.memory_layout"})
    says(asked + ".b32 %r1, [%rd1];", "a GPU refuses", ptx::Defect::textures);
  for (const std::string asked : {"txq.addr_mode_1", "txq.force_unnormalized_coords", "suq.num_samples"})
    says(asked + ".b32 %r1, [%rd1];", "only width, height and depth", ptx::Defect::textures);
  says("txq.level.width.b32 %r1, [%rd1], %r2;", "one level", ptx::Defect::textures);
  says("txq.width.b64 %rd2, [%rd1];", "this type", ptx::Defect::not_executed);
  says("txq.width.b32 %r1, [%rd1+8];", "a handle with an offset", ptx::Defect::not_executed);
  // Of a function of the toolkit's headers the call's line is told.
  const std::string functions =
      ".file 2 \"/usr/local/cuda/targets/x86_64-linux/include/texture_indirect_functions.h\"\n.func fetch()\n{\n"
      "  .reg .b32 %r<9>;\n  .reg .b64 %rd<9>;\n  .reg .f32 %f<9>;\n  .loc 2 115 4\n"
      "  txq.filter_mode.b32 %r1, [%rd1];\n  ret;\n}\n";
  CHECK(refusal_of("  .loc 1 33 7\n  call.uni fetch, ();", functions).where == SourcePlace{"k.cu", 33, 7});
}
