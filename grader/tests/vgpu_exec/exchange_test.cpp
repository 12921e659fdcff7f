// Exchanges of memory that nobody has written, in the code that each compiler makes of them.
#include <string>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// Of a kernel with 64 words of shared memory that nobody has written.
std::vector<std::uint32_t> error_lines(const std::string& body, const std::string& functions = {}) {
  const KernelRun run =
      run_kernel(module_with("  .shared .align 4 .b8 tile[256];\n  shl.b32 %r20, %r1, 2;\n  mov.u32 %r21, tile;\n"
                             "  add.s32 %r22, %r21, %r20;\n" +
                                 body,
                             functions),
                 32, 32);
  std::vector<std::uint32_t> lines;
  for (const Finding& finding : run.findings) {
    CHECK(finding.id == "uninitialized-read");
    CHECK(finding.severity == Severity::error);
    lines.push_back(finding.where.line);
  }
  return lines;
}

const std::vector<std::uint32_t> kNoLines;

/// nvcc's unoptimised code: `atomicExch` of the toolkit's header calls a function that has no place at all.
const std::string kFunctions = R"(
.file 2 "/usr/local/cuda/targets/x86_64-linux/include/device_atomic_functions.hpp"
.func (.param .b32 func_retval0) __iAtomicExch(.param .b64 p0, .param .b32 p1)
{
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
  ld.param.u64 %rd1, [p0];
  ld.param.u32 %r1, [p1];
  atom.exch.b32 %r2, [%rd1], %r1;
  st.param.b32 [func_retval0+0], %r2;
  ret;
}
.func (.param .b32 func_retval0) atomicExch(.param .b64 q0, .param .b32 q1)
{
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
  .loc 2 125 0
  ld.param.u64 %rd1, [q0];
  ld.param.u32 %r1, [q1];
  .loc 2 127 3
  {
  .param .b64 param0;
  st.param.b64 [param0+0], %rd1;
  .param .b32 param1;
  st.param.b32 [param1+0], %r1;
  .param .b32 retval0;
  call.uni (retval0), __iAtomicExch, (param0, param1);
  ld.param.b32 %r2, [retval0+0];
  }
  st.param.b32 [func_retval0+0], %r2;
  ret;
}
)";

/// A call of it at a line of one figure; the old value comes into register `to`.
std::string call_at(int line, const std::string& to) {
  const std::string old = "%r1" + std::to_string(line);
  return "  .loc 1 " + std::to_string(line) + R"( 3
  cvt.u64.u32 %rd5, %r22;
  cvta.shared.u64 %rd6, %rd5;
  {
  .param .b64 param0;
  st.param.b64 [param0+0], %rd6;
  .param .b32 param1;
  st.param.b32 [param1+0], %r1;
  .param .b32 retval0;
  call.uni (retval0), atomicExch, (param0, param1);
  ld.param.b32 )" +
         old + ", [retval0+0];\n  }\n  mov.b32 " + to + ", " + old + ";\n";
}

const std::string kUse = R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r6;
)";

}  // namespace

TEST_CASE("an exchange of memory that nobody has written is an error where the old value is used", "[vgpu]") {
  const std::string exchange = "  .loc 1 3 1\n  atom.shared.exch.b32 %r6, [%r22], 1;\n";
  CHECK(error_lines(exchange) == kNoLines);
  CHECK(error_lines(exchange + "  .loc 1 4 1\n" + kUse) == std::vector<std::uint32_t>{3});
  // It writes: who reads afterwards reads what is there.
  CHECK(error_lines(exchange + "  .loc 1 4 1\n  ld.shared.u32 %r7, [%r22];\n  mul.wide.u32 %rd2, %r1, 4;\n"
                               "  add.s64 %rd3, %rd1, %rd2;\n  st.global.u32 [%rd3], %r7;\n") == kNoLines);
}

TEST_CASE("each call of a function of the toolkit is judged for itself", "[vgpu]") {
  CHECK(error_lines(call_at(3, "%r6"), kFunctions) == kNoLines);
  CHECK(error_lines(call_at(3, "%r6") + kUse, kFunctions) == std::vector<std::uint32_t>{3});
  // Other words, in the same kernel and in either order.
  const std::string next = "  add.s32 %r22, %r22, 128;\n";
  CHECK(error_lines(call_at(3, "%r7") + next + call_at(4, "%r6") + kUse, kFunctions) == std::vector<std::uint32_t>{4});
  CHECK(error_lines(call_at(3, "%r6") + next + call_at(4, "%r7") + kUse, kFunctions) == std::vector<std::uint32_t>{3});
}

TEST_CASE("other atomics write what depends on what was there", "[vgpu]") {
  for (const std::string operation : {"add.u32", "min.s32", "max.u32", "or.b32", "and.b32", "inc.u32"}) {
    CAPTURE(operation);
    CHECK(error_lines("  .loc 1 3 1\n  atom.shared." + operation + " %r6, [%r22], 1;\n") ==
          std::vector<std::uint32_t>{3});
  }
  CHECK(error_lines("  .loc 1 3 1\n  atom.shared.cas.b32 %r6, [%r22], 1, 2;\n") == std::vector<std::uint32_t>{3});
}
