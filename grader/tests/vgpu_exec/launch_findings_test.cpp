// What a student is told of a launch that was stopped.
#include "vgpu/launch_findings.h"

#include "kernel_run.h"
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
