// What a launch that was stopped, or ended itself, is told to the student as.
#include "vgpu/launch_findings.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "vgpu/check/finding_ids.h"

namespace cudalabs::vgpu {
namespace {

// Nobody needs so many: what was in progress in the end is then hardly what took the time.
constexpr std::uint64_t kManyLaunches = 1000;

}  // namespace

SourcePlace place_near(const Program& program, std::uint32_t instruction) {
  const std::uint32_t first = program.function_of(instruction).first;
  for (std::uint32_t at = instruction;; --at) {
    SourcePlace place = program.location(at);
    if (place.known() || at == first) return place;
  }
}

Finding timed_out_finding(const AskedLaunch& launch, const exec::LaunchResult& result, const WorkLimits& limits) {
  Finding finding;
  finding.id = finding_ids::kTimedOut;
  finding.message = fmt::format("`{}` was stopped before its threads had finished", launch.kernel.display);
  finding.where = place_near(launch.program, result.instruction);
  finding.kernel = launch.kernel.display;
  finding.block = coordinates(result.block, launch.config.grid);
  finding.help =
      "threads were here: look for a loop whose condition never becomes false or that goes round too often, or a wait "
      "for a thread that does not come";
  if (limits.interrupted && limits.launches >= kManyLaunches) {
    finding.message = fmt::format("the time was used up while `{}` ran, in launch {} of the program",
                                  launch.kernel.display, limits.launches);
    finding.help =
        "look for a loop on the host around the launch: a kernel is launched a few times, and each launch has a thread "
        "for every element";
  } else if (limits.interrupted) {
    finding.note = "it was interrupted: the time for all that the program was to do was used up";
  } else if (result.endless) {
    finding.note = "a thread that goes on in this loop never leaves it";
  } else if (result.error == exec::LaunchError::too_many_instructions) {
    finding.note = fmt::format("a block may execute {} warp instructions", limits.instructions);
  } else if (limits.seconds > 0) {
    finding.note = fmt::format("a kernel may keep a processor busy for {} s", limits.seconds);
  }
  return finding;
}

Finding too_many_warps_finding(const AskedLaunch& launch, const WorkLimits& limits) {
  Finding finding;
  finding.id = finding_ids::kTimedOut;
  finding.message = fmt::format("`{}` was not started: {} blocks of {} threads are too many to come to an end",
                                launch.kernel.display, launch.config.blocks(), launch.config.threads_per_block());
  finding.where = place_near(launch.program, launch.program.functions()[launch.kernel.function].first);
  finding.kernel = launch.kernel.display;
  finding.note = fmt::format("a launch may have {} warps", limits.instructions);
  finding.help =
      "look at the sizes between `<<<` and `>>>`: as many threads as there is work, rounded up to whole blocks";
  return finding;
}

Finding assertion_finding(const AskedLaunch& launch, const exec::LaunchResult& result) {
  Finding finding;
  finding.id = finding_ids::kAssertionFailed;
  constexpr std::size_t kMostText = 200;
  const std::string& expression = result.assertion->expression;
  const char* const more = expression.size() > kMostText ? " …" : "";
  finding.message = fmt::format("`{}{}` does not hold", expression.substr(0, kMostText), more);
  finding.where = place_near(launch.program, result.instruction);
  if (!finding.where.known()) {  // in a function of the compiler's own, which has no lines
    finding.where.file = result.assertion->file;
    finding.where.line = result.assertion->line;
  }
  finding.kernel = launch.kernel.display;
  finding.block = coordinates(result.block, launch.config.grid);
  finding.thread = coordinates(result.assertion->thread, launch.config.block);
  finding.help =
      "the kernel ends where an assertion fails: print what it compares, and in which thread, or ask why this thread "
      "got there";
  return finding;
}

Finding trap_finding(const AskedLaunch& launch, const exec::LaunchResult& result) {
  Finding finding;
  finding.id = finding_ids::kAssertionFailed;
  finding.message = fmt::format("`__trap()` ends `{}` here", launch.kernel.display);
  finding.where = place_near(launch.program, result.instruction);
  finding.kernel = launch.kernel.display;
  finding.block = coordinates(result.block, launch.config.grid);
  finding.note = "every later call of the runtime returns an error: the device does nothing more for this program";
  finding.help = "look at the condition that leads to the trap, and print what it compares";
  return finding;
}

}  // namespace cudalabs::vgpu
