// Compilers compute all the time: one that does not has come to nothing.
#include "build/compile_job.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "build/recipe.h"
#include "sandbox/budget.h"
#include "sandbox/fd.h"
#include "sandbox/idle_clock.h"

namespace cudalabs::builder {
namespace {

constexpr std::size_t kMostLog = 1u << 20;

/// The first `limit` bytes.
std::string beginning(int descriptor, std::size_t limit) {
  std::string bytes(limit, '\0');
  const ssize_t count = pread(descriptor, bytes.data(), bytes.size(), 0);
  bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return bytes;
}

/// Should one compiler be killed from outside, another may wait for ever at the pipe between them.
sandbox::Outcome run_unless_idle(sandbox::Job job, sandbox::Meter& meter) {
  constexpr std::chrono::milliseconds kLook{250};
  constexpr std::chrono::seconds kMostIdle{5};
  sandbox::Process process(std::move(job));
  sandbox::IdleClock clock({process.id()});
  bool idle = false;
  while (process.wait(-1, sandbox::Process::Clock::now() + kLook) != sandbox::Process::Event::ended) {
    clock.look();
    const std::chrono::duration<double> busy = clock.busy(), passed = clock.idle();
    meter.note({busy.count(), passed.count()});
    idle = idle || clock.idle() >= kMostIdle;
    if (idle || meter.over()) process.kill();
  }
  sandbox::Outcome outcome = process.outcome();
  meter.note({outcome.cpu_seconds, 0});
  if (idle) outcome.end = sandbox::End::wall_limit;
  return outcome;
}

}  // namespace

Compiled compile(const CompileJob& compile_job) {
  sandbox::Job job;
  job.arguments = {"/bin/sh", "-c", compile_job.script};
  job.system_files = true;
  job.started_beside = sandbox::kAnyStartedBeside;
  job.proc = true;  // compilers find their own files through /proc/self/exe
  for (const auto& folder : toolchain_folders(*compile_job.toolchain)) job.visible.push_back({folder, false});
  give(job, *compile_job.inputs);
  std::map<int, sandbox::Fd> files;
  for (const auto& [channel, keep] : compile_job.channels) {
    const sandbox::Fd& file = files.emplace(channel, sandbox::make_memory_file("output", {})).first->second;
    job.descriptors.push_back({channel, sandbox::Fd(fcntl(file.get(), F_DUPFD_CLOEXEC, 0))});
  }
  // Of each compiler process. The front ends of host and device run side by side and read the same text, so a bomb ends
  // within 20 s; a library of templates with debug information takes 10 s and more.
  job.limits.cpu_seconds = 20;
  job.limits.wall_seconds = 180;
  job.limits.memory_bytes = compile_job.toolchain->frontend == Frontend::clang ? 2ull << 30 : 4ull << 30;
  job.limits.file_bytes = kMostProgram;
  job.limits.processes = 64;
  job.limits.open_files = 256;

  Compiled compiled;
  sandbox::Meter meter(compile_job.budget);
  compiled.outcome = run_unless_idle(std::move(job), meter);
  // One that came to its end all the same has a result of its own.
  compiled.over_budget = meter.over() && compiled.outcome.end == sandbox::End::signaled;
  for (const auto& [channel, keep] : compile_job.channels) {
    const int file = files.at(channel).get();
    compiled.channels[channel] = keep == Keep::all ? sandbox::read_all(file, kMostProgram) : beginning(file, kMostLog);
  }
  return compiled;
}

}  // namespace cudalabs::builder
