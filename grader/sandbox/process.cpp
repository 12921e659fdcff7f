// The supervisor's side of a job that has been started: captures output, watches the clock, and makes sure of the end.
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "sandbox/init_report.h"
#include "sandbox/job_start.h"
#include "sandbox/sandbox.h"
#include "sandbox/verdict.h"

namespace cudalabs::sandbox {
namespace {

using Clock = Process::Clock;
using std::chrono::milliseconds;

/// After this long without an answer the sandbox's init is taken for lost.
constexpr milliseconds kGracePeriod{10000};
/// How often the job's control group is asked what no descriptor tells.
constexpr milliseconds kGlance{100};

/// Why a program could not be executed: what it is made of, or that the machine was short of something.
bool is_the_programs_fault(int error) {
  return error != ETXTBSY && error != EAGAIN && error != EMFILE && error != ENFILE && error != EPERM;
}

}  // namespace

struct Process::State : StartedJob {
  explicit State(Job job)
      : StartedJob(start_job(job)),
        limits(job.limits),
        hostile_program(job.hostile_program),
        wall_end(started +
                 std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.wall_seconds))) {}

  Limits limits;
  bool hostile_program;
  Clock::time_point wall_end;
  std::optional<Clock::time_point> grace_ends;  // set when the job was told to end
  std::optional<End> cut;                       // the limit the supervisor itself enforced
  bool over = false;
  Outcome outcome;
  std::string told;       // bytes of the InitReport so far
  std::string complaint;  // what bubblewrap or the sandbox's init said on their own stderr

  void read_output(Fd& pipe);
  void read_complaints();
  bool reap_by(Clock::time_point until);
  void stop(std::optional<End> why);
  void finish();
  void judge(const InitReport& report);
};

/// Takes what is in the pipe; past the limit the job is ended and the rest thrown away.
void Process::State::read_output(Fd& pipe) {
  std::array<char, 1 << 16> chunk;
  while (pipe) {
    const ssize_t count = read(pipe.get(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      if (count == 0) pipe.reset();
      return;
    }
    const std::size_t room = limits.output_bytes - outcome.output.size();
    const std::string_view taken(chunk.data(), std::min(room, static_cast<std::size_t>(count)));
    outcome.output += taken;
    if (&pipe == &errors) outcome.errors += taken;
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
  read_output(output);
  read_output(errors);
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

Process::Process(Job job) : state_(std::make_unique<State>(std::move(job))) {}

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
    std::array<pollfd, 4> events{pollfd{state.status.get(), POLLIN, 0}, pollfd{state.output.get(), POLLIN, 0},
                                 pollfd{watched, POLLIN, 0}, pollfd{state.errors.get(), POLLIN, 0}};
    if (poll(events.data(), events.size(), static_cast<int>(std::clamp<long>(left, 0, 1 << 30))) < 0 &&
        errno != EINTR) {
      throw std::system_error(errno, std::generic_category(), "cannot wait for a job");
    }
    if (events[1].revents != 0) state.read_output(state.output);
    if (events[3].revents != 0) state.read_output(state.errors);
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
