// Everything that a job gets is decided and made here, in this order: its user, its control groups, its files, its
// descriptors, its command line.
#include "sandbox/job_start.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sandbox/command.h"
#include "sandbox/landlock.h"
#include "sandbox/own_files.h"
#include "sandbox/seccomp_filter.h"
#include "sandbox/spawn.h"
#include "sandbox/tier.h"

namespace cudalabs::sandbox {
namespace {

/// Processes of ours that count against the job's user: bubblewrap outside and the sandbox's init inside, and one to
/// spare.
constexpr std::uint64_t kOwnProcesses = 3;
/// Room in the memory group for those.
constexpr std::uint64_t kOwnMemory = 16ull << 20;

/// Processes of other users must not read this one's memory: it knows what is expected of the job.
void become_unreadable() {
  static const bool done = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
  if (!done) throw SandboxError("cannot make the grader's memory unreadable to its jobs");
}

/// posix_spawn places 0, 1 and 2 itself, so nothing that is passed on may be one of them.
void lift(Fd& descriptor) {
  if (descriptor && descriptor.get() < 3) descriptor = Fd(fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 3));
}

/// A job's file must lie below its root, and not where the sandbox puts the machine's own.
void require_place(const std::string& path) {
  constexpr std::array kTaken = {"usr",    "bin", "sbin", "lib",  "lib32", "lib64",
                                 "libx32", "etc", "dev",  "proc", "sys",   "tmp"};
  const std::filesystem::path place(path);
  const bool bad = place.empty() || place.is_absolute() || place != place.lexically_normal() ||
                   *place.begin() == ".." || std::find(kTaken.begin(), kTaken.end(), *place.begin()) != kTaken.end();
  if (bad) throw SandboxError("a job cannot have a file at `" + path + "`");
}

void set_nonblocking(const Fd& descriptor) {
  fcntl(descriptor.get(), F_SETFL, O_NONBLOCK);
}

}  // namespace

StartedJob start_job(Job& job) {
  become_unreadable();
  for (const JobFile& file : job.files) require_place(file.path);
  StartedJob started;
  const Tier tier = tier_in_force();
  const bool root = geteuid() == 0;

  Placement placement;
  placement.tier = tier;
  placement.landlock = landlock::version() > 0;
  if (root && tier != Tier::none) {
    started.slot.emplace();
    placement.user = started.slot->user();
    placement.hold = started.slot->descriptor();
  }
  // bubblewrap and the sandbox's init enter the groups with the job; without it the job is alone in them.
  const bool beside = tier == Tier::bubblewrap;
  started.groups = std::make_unique<ControlGroups>(job.limits.memory_bytes + (beside ? kOwnMemory : 0),
                                                   job.limits.processes + (beside ? kOwnProcesses : 0));
  if (tier != Tier::bubblewrap) {
    started.folder = std::make_unique<JobFolder>(job, placement.user);
    placement.folder = started.folder->path();
  }
  const std::uint64_t others = other_processes_of_user(tier, root);
  placement.process_allowance = kOwnProcesses + others + (others != 0 ? job.started_beside : 0);

  Pipe output_pipe = make_pipe(), error_pipe = make_pipe(), complaint_pipe = make_pipe(), status_pipe = make_pipe(),
       control_pipe = make_pipe();
  const std::vector<sock_filter>& filter_program = seccomp_filter(job.accelerator, job.counted);
  Fd filter = make_memory_file("filter", std::as_bytes(std::span(filter_program)));
  Fd init = open_file(init_program());
  Fd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!nothing) throw SandboxError("cannot open /dev/null");
  for (Fd* each : {&output_pipe.write, &error_pipe.write, &complaint_pipe.write, &status_pipe.write, &control_pipe.read,
                   &filter, &init, &nothing}) {
    lift(*each);
  }
  const auto may_be_shown = [&](const std::filesystem::path& original) {
    return tier == Tier::bubblewrap && !original.empty() && (placement.user < 0 || everyone_may_execute(original));
  };
  for (JobFile& file : job.files) {
    lift(file.bytes);
    lseek(file.bytes.get(), 0, SEEK_SET);
    placement.files.push_back(file.bytes.get());
    placement.originals.push_back(may_be_shown(file.original) ? file.original.string() : std::string());
  }
  for (PassedFd& passed : job.descriptors) {
    lift(passed.descriptor);
    placement.descriptors.emplace_back(passed.number, passed.descriptor.get());
  }
  placement.descriptors.insert(placement.descriptors.end(),
                               {{0, nothing.get()}, {1, output_pipe.write.get()}, {2, error_pipe.write.get()}});
  placement.init = init_program();
  placement.warden_shown = may_be_shown(placement.init);
  placement.init_bytes = init.get();
  placement.status = status_pipe.write.get();
  placement.control = control_pipe.read.get();
  placement.filter = filter.get();
  for (const Fd& group : started.groups->join()) placement.join.push_back(group.get());

  SpawnActions actions;
  actions.place(nothing.get(), 0);
  actions.place(complaint_pipe.write.get(), 1);
  actions.place(complaint_pipe.write.get(), 2);
  for (const int descriptor : {placement.init_bytes, placement.status, placement.control, placement.filter}) {
    actions.pass(descriptor);
  }
  if (placement.hold >= 0) actions.pass(placement.hold);
  for (const int descriptor : placement.join) actions.pass(descriptor);
  for (const int descriptor : placement.files) actions.pass(descriptor);
  for (const auto& [number, descriptor] : placement.descriptors) actions.pass(descriptor);

  std::vector<std::string> environment;
  for (const auto& [name, value] : job_environment(job, placement)) {
    environment.emplace_back(name).append("=").append(value);
  }

  started.started = Process::Clock::now();
  started.outermost = actions.start(command_line(job, placement), environment);
  started.exited = Fd(static_cast<int>(syscall(SYS_pidfd_open, started.outermost, 0)));
  started.output = std::move(output_pipe.read);
  started.errors = std::move(error_pipe.read);
  started.complaints = std::move(complaint_pipe.read);
  started.status = std::move(status_pipe.read);
  started.control = std::move(control_pipe.write);
  set_nonblocking(started.output);
  set_nonblocking(started.errors);
  set_nonblocking(started.complaints);
  set_nonblocking(started.status);
  return started;
}

}  // namespace cudalabs::sandbox
