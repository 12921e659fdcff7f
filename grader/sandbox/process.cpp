// The supervisor's side of a job: starts the sandbox's init, captures output, watches the clock, and makes sure of the
// end.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "sandbox/command.h"
#include "sandbox/control_group.h"
#include "sandbox/init_report.h"
#include "sandbox/job_folder.h"
#include "sandbox/landlock.h"
#include "sandbox/own_files.h"
#include "sandbox/sandbox.h"
#include "sandbox/seccomp_filter.h"
#include "sandbox/tier.h"
#include "sandbox/user_slot.h"
#include "sandbox/verdict.h"

namespace cudalabs::sandbox {
namespace {

using Clock = Process::Clock;
using std::chrono::milliseconds;

/// After this long without an answer the sandbox's init is taken for lost.
constexpr milliseconds kGracePeriod{10000};
/// How often the job's control group is asked what no descriptor tells.
constexpr milliseconds kGlance{100};
/// Processes of ours that count against the job's user: bubblewrap outside and the sandbox's init inside, and one to
/// spare.
constexpr std::uint64_t kOwnProcesses = 3;
/// Processes that other jobs of the same user may start meanwhile: the kernel counts them all as one.
constexpr std::uint64_t kOthersMayStart = 4096;
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

class SpawnActions {
 public:
  SpawnActions() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void place(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  /// The same number here and there: loses its close-on-exec flag in the child.
  void pass(int descriptor) { place(descriptor, descriptor); }
  pid_t start(const std::vector<std::string>& words, const std::vector<std::string>& environment) {
    const auto pointers = [](const std::vector<std::string>& strings) {
      std::vector<char*> list;
      list.reserve(strings.size() + 1);
      for (const std::string& each : strings) list.push_back(const_cast<char*>(each.c_str()));
      list.push_back(nullptr);
      return list;
    };
    const std::vector<char*> arguments = pointers(words), variables = pointers(environment);
    pid_t process = -1;
    const int error =
        posix_spawn(&process, words.front().c_str(), &actions_, &attributes_, arguments.data(), variables.data());
    if (error != 0) throw SandboxError("cannot start " + words.front() + ": " + std::strerror(error));
    return process;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// A job's file must lie below its root, and not where the sandbox puts the machine's own.
void require_place(const std::string& path) {
  constexpr std::array kTaken = {"usr",    "bin", "sbin", "lib",  "lib32", "lib64",
                                 "libx32", "etc", "dev",  "proc", "sys",   "tmp"};
  const std::filesystem::path place(path);
  const bool bad = place.empty() || place.is_absolute() || place != place.lexically_normal() ||
                   *place.begin() == ".." || std::find(kTaken.begin(), kTaken.end(), *place.begin()) != kTaken.end();
  if (bad) throw SandboxError("a job cannot have a file at `" + path + "`");
}

/// Why a program could not be executed: what it is made of, or that the machine was short of something.
bool is_the_programs_fault(int error) {
  return error != ETXTBSY && error != EAGAIN && error != EMFILE && error != ENFILE && error != EPERM;
}

void set_nonblocking(const Fd& descriptor) {
  fcntl(descriptor.get(), F_SETFL, O_NONBLOCK);
}

}  // namespace

struct Process::State {
  Limits limits;
  bool hostile_program = false;
  std::optional<UserSlot> slot;
  std::unique_ptr<ControlGroups> groups;
  std::unique_ptr<JobFolder> folder;
  Fd output, complaints, status, control;
  Fd exited;  // readable once the outermost process has ended
  pid_t outermost = -1;
  Clock::time_point started, wall_end;
  std::optional<Clock::time_point> grace_ends;  // set when the job was told to end
  std::optional<End> cut;                       // the limit the supervisor itself enforced
  bool over = false;
  Outcome outcome;
  std::string told;       // bytes of the InitReport so far
  std::string complaint;  // what bubblewrap or the sandbox's init said on their own stderr

  void start(Job job);
  void read_output();
  void read_complaints();
  bool reap_by(Clock::time_point until);
  void stop(std::optional<End> why);
  void finish();
  void judge(const InitReport& report);
};

void Process::State::start(Job job) {
  become_unreadable();
  for (const JobFile& file : job.files) require_place(file.path);
  limits = job.limits;
  hostile_program = job.hostile_program;
  const Tier tier = tier_in_force();
  const bool root = geteuid() == 0;

  Placement placement;
  placement.tier = tier;
  placement.landlock = landlock::version() > 0;
  if (root && tier != Tier::none) {
    slot.emplace();
    placement.user = slot->user();
    placement.hold = slot->descriptor();
  }
  // bubblewrap and the sandbox's init enter the groups with the job; without it the job is alone in them.
  const bool beside = tier == Tier::bubblewrap;
  groups = std::make_unique<ControlGroups>(limits.memory_bytes + (beside ? kOwnMemory : 0),
                                           limits.processes + (beside ? kOwnProcesses : 0));
  if (tier != Tier::bubblewrap) {
    folder = std::make_unique<JobFolder>(job, placement.user);
    placement.folder = folder->path();
  }
  const std::uint64_t others = other_processes_of_user(tier, root);
  placement.process_allowance = kOwnProcesses + others + (others != 0 && job.own_program ? kOthersMayStart : 0);

  Pipe output_pipe = make_pipe(), complaint_pipe = make_pipe(), status_pipe = make_pipe(), control_pipe = make_pipe();
  const std::vector<sock_filter>& filter_program = seccomp_filter(job.accelerator, job.counted);
  Fd filter = make_memory_file("filter", std::as_bytes(std::span(filter_program)));
  Fd init = open_file(init_program());
  Fd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!nothing) throw SandboxError("cannot open /dev/null");
  for (Fd* each :
       {&output_pipe.write, &complaint_pipe.write, &status_pipe.write, &control_pipe.read, &filter, &init, &nothing}) {
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
                               {{0, nothing.get()}, {1, output_pipe.write.get()}, {2, output_pipe.write.get()}});
  placement.init = init_program();
  placement.warden_shown = may_be_shown(placement.init);
  placement.init_bytes = init.get();
  placement.status = status_pipe.write.get();
  placement.control = control_pipe.read.get();
  placement.filter = filter.get();
  for (const Fd& group : groups->join()) placement.join.push_back(group.get());

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

  started = Clock::now();
  wall_end = started + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.wall_seconds));
  outermost = actions.start(command_line(job, placement), environment);
  exited = Fd(static_cast<int>(syscall(SYS_pidfd_open, outermost, 0)));
  output = std::move(output_pipe.read);
  complaints = std::move(complaint_pipe.read);
  status = std::move(status_pipe.read);
  control = std::move(control_pipe.write);
  set_nonblocking(output);
  set_nonblocking(complaints);
  set_nonblocking(status);
}

/// Takes what is in the pipe; past the limit the job is ended and the rest thrown away.
void Process::State::read_output() {
  std::array<char, 1 << 16> chunk;
  for (;;) {
    const ssize_t count = read(output.get(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      if (count == 0) output.reset();
      return;
    }
    const std::size_t room = limits.output_bytes - outcome.output.size();
    outcome.output.append(chunk.data(), std::min(room, static_cast<std::size_t>(count)));
    if (static_cast<std::size_t>(count) > room) {
      stop(End::output_limit);
      return;  // once told to stop it is drained by later calls, a chunk at a time
    }
  }
}

void Process::State::stop(std::optional<End> why) {
  if (!cut) cut = why;
  if (grace_ends) return;
  control.reset();
  grace_ends = Clock::now() + kGracePeriod;
}

void Process::State::read_complaints() {
  std::array<char, 4096> chunk;
  while (complaints) {
    const ssize_t count = read(complaints.get(), chunk.data(), chunk.size());
    if (count > 0) complaint.append(chunk.data(), static_cast<std::size_t>(count));
    if (count == 0) complaints.reset();
    if (count < 0 && errno != EINTR) return;
  }
}

/// Waits for the end of the outermost process and reaps it; false when `until` came first.
bool Process::State::reap_by(Clock::time_point until) {
  while (waitpid(outermost, nullptr, WNOHANG) == 0) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    std::array<pollfd, 2> events{pollfd{exited.get(), POLLIN, 0}, pollfd{complaints.get(), POLLIN, 0}};
    poll(events.data(), events.size(), static_cast<int>(left));
    read_complaints();  // a process that complains at length must not be kept from ending by a full pipe
  }
  return true;
}

/// The sandbox's init has reported or is gone: nothing of the job is left once the outermost process is reaped.
void Process::State::finish() {
  control.reset();
  const auto give_up_at = Clock::now() + kGracePeriod;
  while (!reap_by(give_up_at)) ::kill(outermost, SIGKILL);
  outermost = -1;
  // Were the sandbox's init or bubblewrap killed, what they had started may still be there.
  if (told.size() != sizeof(InitReport)) groups->kill_all();
  read_complaints();
  if (output) read_output();
  over = true;
  outcome.wall_seconds = std::chrono::duration<double>(Clock::now() - started).count();

  InitReport report;
  const bool reported = told.size() == sizeof report;
  if (reported) std::memcpy(&report, told.data(), sizeof report);
  if (reported && report.magic == InitReport::kMagic && report.error == 0) {
    judge(report);
  } else if (groups->out_of_memory()) {
    outcome.end = End::memory_limit;
  } else if (cut) {
    outcome.end = *cut;
  } else if (grace_ends && !reported && complaint.empty()) {
    outcome.end = End::signaled;  // told to end before it had begun
    outcome.status = SIGKILL;
  } else if (reported && hostile_program && report.executing != 0 && is_the_programs_fault(report.error)) {
    outcome.end = End::not_started;
    outcome.status = report.error;
  } else if (reported && report.error != 0) {
    throw SandboxError(std::string("the sandbox could not start a job: ") + report.step + ": " +
                       std::strerror(report.error));
  } else {
    while (!complaint.empty() && complaint.back() == '\n') complaint.pop_back();
    throw SandboxError("the sandbox failed: " + (complaint.empty() ? "its init is gone" : complaint));
  }
}

void Process::State::judge(const InitReport& report) {
  outcome.cpu_seconds = report.cpu_seconds;
  outcome.peak_bytes = report.peak_bytes;
  outcome.leftover = report.leftover;
  const Verdict verdict = verdict_on({.wait_status = report.wait_status,
                                      .largest_cpu_seconds = report.largest_cpu_seconds,
                                      .peak_bytes = report.peak_bytes,
                                      .leftover = report.leftover,
                                      .out_of_memory = groups->out_of_memory(),
                                      .out_of_processes = groups->out_of_processes(),
                                      .cut = cut},
                                     limits);
  outcome.end = verdict.end;
  outcome.status = verdict.status;
}

Process::Process(Job job) : state_(std::make_unique<State>()) {
  state_->start(std::move(job));
}

Process::~Process() {
  if (state_->over || state_->outermost < 0) return;
  try {
    kill();
    while (wait() != Event::ended) continue;
  } catch (const std::exception&) {
    // The job is gone; nobody is left to hear how.
  }
}

Process::Event Process::wait(int watched, std::optional<Clock::time_point> deadline) {
  State& state = *state_;
  while (!state.over) {
    Clock::time_point wake = state.grace_ends.value_or(state.wall_end);
    if (deadline) wake = std::min(wake, *deadline);
    wake = std::min(wake, Clock::now() + kGlance);
    // Rounded up, so that waking means the time has come.
    const auto left = std::chrono::ceil<milliseconds>(wake - Clock::now()).count();
    std::array<pollfd, 3> events{pollfd{state.status.get(), POLLIN, 0}, pollfd{state.output.get(), POLLIN, 0},
                                 pollfd{watched, POLLIN, 0}};
    if (poll(events.data(), events.size(), static_cast<int>(std::clamp<long>(left, 0, 1 << 30))) < 0 &&
        errno != EINTR) {
      throw std::system_error(errno, std::generic_category(), "cannot wait for a job");
    }
    if (events[1].revents != 0) state.read_output();
    if (events[2].revents != 0) return Event::readable;
    if (events[0].revents != 0) {
      std::array<char, sizeof(InitReport)> bytes;
      const ssize_t count = read(state.status.get(), bytes.data(), sizeof(InitReport) - state.told.size());
      if (count > 0) state.told.append(bytes.data(), static_cast<std::size_t>(count));
      if (count == 0 || state.told.size() == sizeof(InitReport)) state.finish();
      continue;
    }
    const Clock::time_point now = Clock::now();
    if (state.grace_ends && now >= *state.grace_ends) {
      // The sandbox's init does not answer: end what can be reached from here, the rest follows through its parent's
      // death.
      ::kill(state.outermost, SIGKILL);
      state.finish();
    } else if (!state.grace_ends && now >= state.wall_end) {
      state.stop(End::wall_limit);
    } else if (!state.grace_ends && state.groups->out_of_processes()) {
      state.stop(End::process_limit);  // whatever comes now, that is the verdict: a fork bomb need not go on
    } else if (!state.grace_ends && state.folder && state.folder->scratch_bytes() > state.limits.file_bytes) {
      state.stop(End::disk_limit);
    } else if (deadline && now >= *deadline) {
      return Event::deadline;
    }
  }
  return Event::ended;
}

void Process::kill() {
  state_->stop(std::nullopt);
}

int Process::id() const {
  return state_->outermost;
}

const Outcome& Process::outcome() const {
  return state_->outcome;
}

Outcome run(Job job) {
  Process process(std::move(job));
  while (process.wait() != Process::Event::ended) continue;
  return process.outcome();
}

}  // namespace cudalabs::sandbox
