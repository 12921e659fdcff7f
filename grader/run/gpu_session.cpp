// The conversation of a session: ready once, then GO and done by turns.
#include "run/gpu_session.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include "run/conversation.h"
#include "run/device_server.h"
#include "run/ending.h"
#include "run/exchange.h"
#include "run/real_device.h"
#include "sandbox/sandbox.h"
#include "text/untrusted_text.h"

namespace cudalabs {
namespace {

using namespace runner;
using sandbox::Fd;
using sandbox::Process;
using Clock = Process::Clock;

// The driver itself: seconds to start, address space and threads of its own.
constexpr std::uint64_t kDriverMemory = 4ull << 30;
constexpr std::uint64_t kDriverThreads = 32;
constexpr std::chrono::seconds kMostStart{60};
/// Of a whole session; a piece of work has the limits of its program.
constexpr double kMostSession = 900;
/// Of one case: on a GPU it takes milliseconds, and no other program makes it take longer than this.
constexpr double kMostWork = 20;

sandbox::Job session_job(const Program& program, const std::filesystem::path& runner, Fd control) {
  sandbox::Job job;
  job.arguments = {"./runner"};
  job.files.push_back({"runner", sandbox::open_file(runner), true});
  job.descriptors.push_back({harness::kControl, std::move(control)});
  job.limits.cpu_seconds = kMostSession;
  job.limits.wall_seconds = kMostSession;
  job.limits.memory_bytes = (program.limits.memory_mib << 20) + kDriverMemory;
  job.limits.output_bytes = program.limits.output_kib << 10;
  job.limits.file_bytes = 16u << 20;
  job.limits.processes = program.limits.processes + kDriverThreads;
  return job;
}

/// A virtual GPU for the runner of `job`, which watches nothing.
std::unique_ptr<DeviceServer> virtual_gpu(DeviceHost& host, const Program& program, sandbox::Job& job) {
  const datasets::Case nothing_fails;
  RunRequest request;
  request.program = &program;
  request.test = &nothing_fails;
  request.checks = false;
  return std::make_unique<DeviceServer>(host, request, program.limits, job);
}

/// Seconds, or 0 for what is no time.
double claim_of(const std::string& text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool all = error == std::errc{} && end == text.data() + text.size();
  return all && std::isfinite(seconds) && seconds >= 0 ? seconds : 0;
}

}  // namespace

struct GpuSession::Running {
  Running(Fd end, std::unique_ptr<DeviceServer> gpu, sandbox::Job job)
      : control(std::move(end)), server(std::move(gpu)), process(std::move(job)) {}

  Fd control;
  std::unique_ptr<DeviceServer> server;  // of a virtual GPU
  Process process;
  bool used = false;  // for a case before

  /// The next message; nothing when the process ended, or `deadline` came and it was killed.
  std::optional<Received> next(Clock::time_point deadline, bool& late) {
    late = false;
    for (;;) {
      switch (process.wait(control.get(), deadline)) {
        case Process::Event::ended:
          return std::nullopt;
        case Process::Event::deadline:
          late = true;
          process.kill();
          deadline = Clock::time_point::max();
          break;
        case Process::Event::readable: {
          Received received = receive(control);
          if (received.kind != Received::Kind::closed) return received;
          control.reset();
          break;
        }
      }
    }
  }

  /// Waits for the end of a process that is about to end, or has to.
  void end(Clock::time_point deadline) {
    bool late = false;
    while (next(deadline, late)) {
      if (late) continue;
    }
  }
};

GpuSession::GpuSession(const Program& program, std::filesystem::path runner, Device device)
    : program_(program), runner_(std::move(runner)), device_(device) {}

GpuSession::~GpuSession() = default;

void GpuSession::start() {
  auto [here, there] = sandbox::make_socket_pair();
  sandbox::Job job = session_job(program_, runner_, std::move(there));
  std::unique_ptr<DeviceServer> server;
  if (device_ == Device::virtual_gpu) {
    if (!host_) host_ = std::make_unique<DeviceHost>(1);
    server = virtual_gpu(*host_, program_, job);
  } else {
    allow_real_device(job);
  }
  running_ = std::make_unique<Running>(std::move(here), std::move(server), std::move(job));
  bool late = false;
  const auto ready = running_->next(Clock::now() + kMostStart, late);
  if (ready && ready->kind == Received::Kind::message && ready->type == harness::MessageType::ready &&
      ready->text.empty())
    return;
  std::string why = "the program ended before it reached the GPU";
  if (late) why = "it does not answer";
  if (ready) why = ready->kind == Received::Kind::message ? printable(ready->text) : "it answers nonsense";
  running_.reset();
  throw GpuUnfit("the GPU cannot be used: " + why + "; look at `nvidia-smi`, or grade with --device virtual");
}

GpuSession::Timing GpuSession::work(std::uint32_t work, const Fd& inputs, const Fd& outputs) {
  harness::Go go;
  go.virtual_device = device_ == Device::virtual_gpu ? 1 : 0;
  go.work = static_cast<harness::Work>(work);
  const double seconds = std::min(program_.limits.wall_seconds, kMostWork);
  const auto limit = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  const auto begin = Clock::now();
  const auto deadline = begin + limit;
  Spoken spoken;
  bool late = false;
  if (send_go(running_->control, go, inputs, outputs)) {
    while (const auto received = running_->next(deadline, late)) {
      if (received->kind == Received::Kind::nonsense) {
        spoken.broken = true;
        break;
      }
      if (received->type == harness::MessageType::done) {
        const std::chrono::duration<double> taken = Clock::now() - begin;
        running_->used = true;
        return {taken.count(), claim_of(received->text), std::nullopt};
      }
      if (received->type == harness::MessageType::fault) {
        spoken.fault = *received;
      } else if (received->type == harness::MessageType::ready) {
        spoken.broken = true;
        break;
      } else {
        spoken.failure = received->type;
        spoken.text = received->text;
      }
    }
  }
  // Whatever is wrong, this process is of no use any more.
  if (spoken.broken) running_->process.kill();
  running_->end(deadline);
  console_ += printable(running_->process.outcome().output);
  const Ending ending =
      late ? Ending{RunEnd::wall_limit, "did not end within " + std::to_string(static_cast<int>(seconds)) + " s"}
           : ending_of(running_->process.outcome(), program_.limits, spoken);
  running_.reset();
  return {0, 0, Failure{ending.end, ending.detail}};
}

Observation GpuSession::run(const datasets::Case& test) {
  if (test.spec.faults.any()) throw std::logic_error("only the virtual GPU can be made to fail");
  for (;;) {
    if (!running_) start();
    const bool used = running_->used;
    was_first_ = !used;
    const Exchange exchange(test);
    console_.clear();
    const Timing timing = work(static_cast<std::uint32_t>(harness::Work::case_), exchange.inputs(), exchange.outputs());
    Observation observed;
    observed.console = console_;
    if (timing.failure) {
      if (used) continue;
      observed.end = timing.failure->end;
      observed.detail = timing.failure->detail;
      return observed;
    }
    observed.end = RunEnd::finished;
    observed.wall_seconds = timing.seconds;
    observed.outputs = exchange.copy_outputs();
    return observed;
  }
}

Observation GpuSession::run_first(const datasets::Case& test) {
  running_.reset();
  return run(test);
}

std::optional<Failure> GpuSession::keep_pools(const Fd& pools) {
  if (!running_) start();
  const Fd nothing = sandbox::make_memory_file("nothing", {});
  return work(static_cast<std::uint32_t>(harness::Work::pools), pools, nothing).failure;
}

GpuSession::Timing GpuSession::measure(const Fd& plan, const Fd& samples) {
  if (!running_) throw std::logic_error("a measurement before there were pools");
  return work(static_cast<std::uint32_t>(harness::Work::measure), plan, samples);
}

}  // namespace cudalabs
