// Instructions that are computed lane by lane: how they are spelled, guards, carries, and what is refused.
#include "vgpu/exec/handlers/lane_form.h"

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

std::vector<std::uint32_t> results_of(const std::string& body, std::uint32_t threads) {
  const KernelRun run = run_kernel(module_with("  mul.wide.u32 %rd2, %r1, 4;\n  add.s64 %rd3, %rd1, %rd2;\n" + body +
                                               "\n  st.global.u32 [%rd3], %r9;"),
                                   threads, threads);
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.ids().empty());
  return run.words;
}

ptx::Refusal refusal_of(const std::string& body) {
  VirtualGpuOptions options;
  options.model = device_model("a100");
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(module_with(body));
  const std::uint64_t array = gpu.allocate(4);
  CHECK(gpu.launch(module, "kernel", {}, std::as_bytes(std::span(&array, 1))).status == LaunchStatus::refused);
  REQUIRE(gpu.refusals().size() == 1);
  return gpu.refusals()[0];
}

}  // namespace

TEST_CASE("each form is spelled once, and found by what it is spelled", "[vgpu]") {
  REQUIRE_NOTHROW(exec::lane_forms_by_name());
  CHECK(exec::lane_forms_by_name().size() > 100);
  ptx::Instruction instruction;
  instruction.opcode = "bfe";
  instruction.code = ptx::Opcode::bfe;
  instruction.suffixes = {"s64"};
  const exec::LaneForm* form = exec::find_lane_form(instruction);
  REQUIRE(form != nullptr);
  CHECK(form->count == 3);
  CHECK(form->result == ptx::Type::s64);
  CHECK(form->operands[0].type == ptx::Type::s64);
  CHECK(form->operands[1].type == ptx::Type::u32);
  instruction.suffixes = {"s16"};
  CHECK(exec::find_lane_form(instruction) == nullptr);
}

TEST_CASE("lanes whose guard does not hold keep their value", "[vgpu]") {
  const auto words = results_of(
      "  and.b32 %r2, %r1, 1;\n  setp.eq.u32 %p1, %r2, 0;\n  mov.u32 %r9, 77;\n"
      "  @%p1 popc.b32 %r9, %r1;",
      32);
  CHECK(words[1] == 77);
  CHECK(words[14] == 3);
  CHECK(words[31] == 77);
}

TEST_CASE("a carry goes from one instruction to the next", "[vgpu]") {
  const auto words = results_of("  mov.u32 %r2, -1;\n  add.cc.u32 %r3, %r2, %r1;\n  addc.u32 %r9, 5, 6;", 2);
  CHECK(words == std::vector<std::uint32_t>{11, 12});
}

TEST_CASE("constants are operands like registers, of every width", "[vgpu]") {
  CHECK(results_of("  bfe.u64 %rd4, 0x123456789ABCDEF0, 60, 4;\n  cvt.u32.u64 %r9, %rd4;", 1)[0] == 1);
  CHECK(results_of("  lop3.b32 %r9, %r1, 0xF0F0, 0xFF00, 0xE8;", 1)[0] == 0xF000);
  CHECK(results_of("  div.u32 %r9, 100, 7;", 1)[0] == 14);
  CHECK(results_of("  mov.u16 %rs1, 300;\n  div.u16 %rs2, %rs1, 7;\n  cvt.u32.u16 %r9, %rs2;", 1)[0] == 42);
}

TEST_CASE("forms that there are not are refused, by name and line", "[vgpu]") {
  const ptx::Refusal refusal = refusal_of("  popc.b16 %r9, %rs1;");
  CHECK(refusal.kernel == "kernel");
  CHECK(ptx::describe(refusal).find("`popc.b16`: the virtual GPU does not execute this form of the instruction") !=
        std::string::npos);
  CHECK(ptx::describe(refusal_of("  lop3.b32 %r9, %r1, %r1, %r1, 256;")).find("a number below 256") !=
        std::string::npos);
  CHECK(ptx::describe(refusal_of("  lop3.b32 %r9, %r1, %r1, %r1, %r1;")).find("a number below 256") !=
        std::string::npos);
  CHECK(ptx::describe(refusal_of("  sad.u32 %r9, %r1, %r1;")).find("too few operands") != std::string::npos);
  CHECK(ptx::describe(refusal_of("  popc.b32 %r9, %r1, %r1;")).find("too many operands") != std::string::npos);
  CHECK(ptx::describe(refusal_of("  popc.b32 %rd9, %r1;")).find("a result of another size") != std::string::npos);
}
