// Threads that end without their block's barrier: where the virtual GPU saw them leave.
#include <string>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// The one finding of a kernel of two warps in which some threads miss a barrier.
Finding missed(const std::string& body, const std::string& functions = {}) {
  const KernelRun run = run_kernel(module_with(body, functions), 64, 64);
  CHECK(run.status == LaunchStatus::ok);
  REQUIRE(run.ids() == std::vector<std::string>{"barrier-divergence"});
  return run.findings[0];
}

std::uint32_t line_of_other(const Finding& finding) {
  return finding.other ? finding.other->place.line : 0;
}

const std::string kBranch = R"(
  .loc 1 5 1
  setp.ge.u32 %p1, %r1, 40;
  @%p1 bra $away;
  bra.uni $stay;
)";

}  // namespace

TEST_CASE("threads that a condition keeps from a barrier leave at the branch", "[vgpu]") {
  const Finding finding = missed(kBranch + R"(
$stay:
  .loc 1 7 1
  bar.sync 0;
$away:
  .loc 1 9 1
)");
  CHECK(finding.where.line == 7);
  CHECK(line_of_other(finding) == 5);
  CHECK(finding.other->thread == Index3{40, 0, 0});
  CHECK(finding.help.find("`if` at line 5") != std::string::npos);
}

TEST_CASE("a way that only ends, elsewhere than at the kernel's end, is a return", "[vgpu]") {
  const std::string rest = R"(
$stay:
  .loc 1 7 1
  bar.sync 0;
$end:
  .loc 1 9 1
)";
  CHECK(line_of_other(missed(kBranch + "$away:\n  .loc 1 6 1\n  bra.uni $end;" + rest)) == 6);
  // What is computed on the way is seen nowhere, but a store is.
  CHECK(line_of_other(missed(kBranch + "$away:\n  .loc 1 6 1\n  add.u32 %r2, %r1, 1;\n  bra.uni $end;" + rest)) == 6);
  const std::string store = "mul.wide.u32 %rd2, %r1, 4;\n  add.s64 %rd3, %rd1, %rd2;\n  st.global.u32 [%rd3], %r1;";
  CHECK(line_of_other(missed(kBranch + "$away:\n  .loc 1 6 1\n  " + store + "\n  exit;" + rest)) == 5);
}

TEST_CASE("a barrier in a function is missed where the kernel does not call it", "[vgpu]") {
  const std::string wait = ".func wait()\n{\n  .loc 1 2 1\n  bar.sync 0;\n  ret;\n}\n";
  const std::string outer = ".func outer()\n{\n  .loc 1 3 1\n  call.uni wait, ();\n  ret;\n}\n";
  const Finding finding = missed(kBranch + R"(
$stay:
  .loc 1 7 1
  call.uni outer, ();
$away:
  .loc 1 9 1
)",
                                 wait + outer);
  CHECK(line_of_other(finding) == 5);
}

TEST_CASE("threads that leave a loop around a barrier sooner leave at its condition", "[vgpu]") {
  const Finding finding = missed(R"(
  mov.u32 %r2, 0;
$head:
  .loc 1 5 1
  setp.gt.u32 %p1, %r2, %r1;
  @%p1 bra $away;
  .loc 1 7 1
  bar.sync 0;
  add.u32 %r2, %r2, 8;
  bra.uni $head;
$away:
  .loc 1 9 1
)");
  CHECK(line_of_other(finding) == 5);
  CHECK(finding.help.find("what line 5 asks") != std::string::npos);
}

TEST_CASE("threads leave a loop of a function that calls what has the barrier", "[vgpu]") {
  const std::string wait = ".func wait()\n{\n  .loc 1 2 1\n  bar.sync 0;\n  ret;\n}\n";
  const std::string loop = R"(
.func repeat(.reg .b32 %a)
{
  .reg .pred %q;
  .reg .b32 %b;
  mov.u32 %b, %a;
$again:
  .loc 1 3 1
  setp.ge.u32 %q, %b, 40;
  @%q bra $over;
  call.uni wait, ();
  add.u32 %b, %b, 64;
  bra.uni $again;
$over:
  ret;
}
)";
  CHECK(line_of_other(missed("  .loc 1 7 1\n  call.uni repeat, (%r1);\n", wait + loop)) == 3);
  // After the first of two calls the threads may come to a barrier again.
  const Finding twice = missed("  .loc 1 7 1\n  call.uni repeat, (%r1);\n  call.uni repeat, (%r1);\n", wait + loop);
  CHECK(line_of_other(twice) == 0);
}
