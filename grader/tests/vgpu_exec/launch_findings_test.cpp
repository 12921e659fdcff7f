// What a student is told of a launch that was stopped.
#include "vgpu/launch_findings.h"

#include <atomic>
#include <string>

#include "kernel_run.h"
#include "vgpu/exec/launcher.h"
#include "vgpu/exec/worker_pool.h"
#include "vgpu/memory/global_memory.h"
#include "vgpu/ptx/module.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

TEST_CASE("of a kernel that was interrupted after very many launches the loop around them is told", "[vgpu]") {
  const ptx::Module module = ptx::parse(module_with(""));
  GlobalMemory memory(1 << 20);
  const Program program(module, memory);
  const LaunchConfig config;
  exec::LaunchResult result;
  result.error = exec::LaunchError::timed_out;
  const auto told = [&](std::uint64_t launches, bool interrupted) {
    return timed_out_finding({program, program.kernels()[0], config}, result,
                             {.seconds = 2, .interrupted = interrupted, .launches = launches});
  };
  CHECK(told(1, true).message == "`kernel` was stopped before its threads had finished");
  CHECK_THAT(told(1, true).note, contains_text("it was interrupted"));
  CHECK(told(12345, true).message == "the time was used up while `kernel` ran, in launch 12345 of the program");
  CHECK_THAT(told(12345, true).help, contains_text("around the launch"));
  CHECK_THAT(told(12345, false).note, contains_text("busy for 2 s"));
}

TEST_CASE("a launch that is stopped before a block's first instruction is shown at its kernel", "[vgpu]") {
  const std::string head = "{\n.reg .b32 %r<2>;\n";
  const ptx::Module module = ptx::parse(module_with(".loc 1 3 1\nmov.u32 %r2, 1;\n") + ".visible .entry second()\n" +
                                        head + ".loc 1 8 1\nmov.u32 %r1, 1;\n.loc 1 9 1\nret;\n}\n");
  GlobalMemory memory(1 << 20);
  const Program program(module, memory);
  const std::atomic<bool> interrupted = true;
  exec::LaunchRequest request;
  request.program = &program;
  request.kernel = &program.kernels()[1];
  request.interrupted = &interrupted;
  exec::WorkerPool pool(1);
  const exec::LaunchResult result = exec::run_launch(request, memory, pool);
  CHECK(result.error == exec::LaunchError::timed_out);
  const Finding told = timed_out_finding({program, program.kernels()[1], request.config}, result, {.seconds = 2});
  CHECK(told.kernel == "second");
  CHECK(told.where.file == "k.cu");
  CHECK(told.where.line == 8);
}

TEST_CASE("an atomic load may be of any time, and a volatile one is no atomic load") {
  // Thread 0 writes the first word, and thread 32 of the other warp stores what it reads there as the second.
  const auto run = [](const std::string& load, const std::string& store) {
    return run_kernel(module_with(R"(
  setp.eq.u32 %p1, %r1, 0;
  setp.eq.u32 %p2, %r1, 32;
  mov.u32 %r2, 7;
  @%p1 )" + store + R"(.u32 [%rd1], %r2;
  @!%p2 bra done;
  )" + load + R"(.u32 %r3, [%rd1];
  st.global.u32 [%rd1+4], %r3;
done:
)"),
                      64, 2);
  };
  for (const std::string load : {"ld.relaxed.gpu.global", "ld.acquire.gpu.global", "ld.relaxed.cta.global"}) {
    CAPTURE(load);
    CHECK(run(load, "st.relaxed.gpu.global").ids().empty());
    CHECK(run(load, "st.global").ids() == std::vector<std::string>{"global-race"});
  }
  const KernelRun by_volatile = run("ld.volatile.global", "st.volatile.global");
  REQUIRE(by_volatile.ids() == std::vector<std::string>{"global-race"});
  CHECK(by_volatile.findings[0].message.find("`volatile`") != std::string::npos);
}
