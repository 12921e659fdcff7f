// Starts `vgpu serve` and reads what it saw.
#include "run/device_server.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "run/harness/protocol.h"
#include "sandbox/idle_clock.h"
#include "sandbox/installed.h"
#include "sandbox/printable.h"

namespace cudalabs::runner {
namespace {

constexpr int kConnection = 3, kReport = 4, kTransfers = 5, kReplacements = 6;
constexpr std::uint64_t kMiB = 1ull << 20;
/// Device memory costs several bytes of bookkeeping for each of its own (who wrote it, who read it, is it initialised).
constexpr std::uint64_t kShadowFactor = 8;
constexpr std::uint64_t kServerMiB = 512;
/// How often a server that is still at work after its client's end is looked at.
constexpr std::chrono::milliseconds kLook{250};
/// Processor time that it gets to write its report when it was asked to end.
constexpr std::chrono::seconds kGrace{2};

std::pair<sandbox::Fd, sandbox::Fd> make_stream() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a socket pair");
  }
  return {sandbox::Fd(ends[0]), sandbox::Fd(ends[1])};
}

/// Why the server was ended, when a limit did it; else empty.
std::string overuse(sandbox::End end, const sandbox::Limits& limits) {
  switch (end) {
    case sandbox::End::memory_limit:
      return "what the program asked for takes more than the " + std::to_string(limits.memory_bytes / kMiB) +
             " MiB that the virtual GPU may use";
    case sandbox::End::cpu_limit:
    case sandbox::End::wall_limit:
      return "the virtual GPU did not come to an end with what the program asked for";
    case sandbox::End::output_limit:
    case sandbox::End::process_limit:
    case sandbox::End::disk_limit:
    case sandbox::End::not_started:
    case sandbox::End::exited:
    case sandbox::End::signaled:
      return "";
  }
  return "";
}

}  // namespace

DeviceServer::DeviceServer(const RunRequest& request, const Limits& limits, sandbox::Job& runner)
    : report_(sandbox::make_memory_file("report", {})) {
  auto [connection, runners_end] = make_stream();
  runner.descriptors.push_back({harness::kDevice, std::move(runners_end)});
  runner.environment.emplace_back("CUDALABS_VGPU_FD", std::to_string(harness::kDevice));
  const Lab& lab = *request.lab;
  sandbox::Job job;
  job.arguments = {"./vgpu",           "serve",
                   "--connection",     std::to_string(kConnection),
                   "--report",         std::to_string(kReport),
                   "--model",          lab.device_model,
                   "--device-mib",     std::to_string(lab.limits.device_mib),
                   "--output-kib",     std::to_string(std::max<std::uint64_t>(lab.limits.output_kib / 2, 1)),
                   "--kernel-seconds", std::to_string(limits.kernel_seconds)};
  if (lab.limits.kernel_instructions != 0) {
    job.arguments.insert(job.arguments.end(), {"--instruction-limit", std::to_string(lab.limits.kernel_instructions)});
  }
  if (!request.checks) job.arguments.push_back("--no-checks");
  if (request.record_accesses) job.arguments.push_back("--record-accesses");
  if (request.sampled_blocks != 0) {
    job.arguments.insert(job.arguments.end(), {"--sampled-blocks", std::to_string(request.sampled_blocks)});
  }
  const datasets::Faults& faults = request.test->spec.faults;
  if (faults.allocation != 0) {
    job.arguments.insert(job.arguments.end(), {"--fail-allocation", std::to_string(faults.allocation)});
  }
  if (faults.launch != 0) job.arguments.insert(job.arguments.end(), {"--fail-launch", std::to_string(faults.launch)});
  const std::filesystem::path program = sandbox::installed_file("vgpu", CUDALABS_VGPU);
  job.files.push_back({"vgpu", sandbox::open_file(program), true, program});
  job.system_files = true;  // its shared libraries
  job.reserves_addresses = true;
  job.own_program = true;
#ifdef __SANITIZE_ADDRESS__
  job.proc = true;  // AddressSanitizer learns there where the stack ends, and unwinding needs that
#endif
  job.descriptors.push_back({kConnection, std::move(connection)});
  job.descriptors.push_back({kReport, sandbox::Fd(fcntl(report_.get(), F_DUPFD_CLOEXEC, 0))});
  if (request.record_transfers) {
    transfers_ = sandbox::make_memory_file("transfers", {});
    job.arguments.insert(job.arguments.end(), {"--transfers", std::to_string(kTransfers)});
    job.descriptors.push_back({kTransfers, sandbox::Fd(fcntl(transfers_.get(), F_DUPFD_CLOEXEC, 0))});
  }
  if (request.replacements != nullptr) {
    job.arguments.insert(job.arguments.end(), {"--replacements", std::to_string(kReplacements)});
    job.descriptors.push_back(
        {kReplacements, sandbox::make_memory_file("replacements", vgpu::to_bytes(*request.replacements))});
  }
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  // The runner's limits end the runner, and with it the connection; these are for a server that does not notice.
  job.limits.wall_seconds = 2 * lab.limits.wall_seconds + 10;
  job.limits.cpu_seconds = cores * job.limits.wall_seconds;
  job.limits.memory_bytes = (kServerMiB + kShadowFactor * lab.limits.device_mib) * kMiB;
  job.limits.file_bytes = 2 * vgpu::ServerReport::kMostBytes;
  limits_ = job.limits;
  job.limits.processes = 16 + 2 * cores;
  process_ = std::make_unique<sandbox::Process>(std::move(job));
}

void DeviceServer::ask_to_end() {
  for (const pid_t process : sandbox::leaves_below(process_->id())) kill(process, SIGTERM);
}

vgpu::ServerReport DeviceServer::finish(sandbox::Meter& meter, double client_seconds) {
  sandbox::IdleClock clock({process_->id()});
  std::optional<sandbox::IdleClock::Duration> asked_at;
  bool killed = false;
  while (process_->wait(-1, sandbox::Process::Clock::now() + kLook) != sandbox::Process::Event::ended) {
    clock.look();
    meter.note({client_seconds + std::chrono::duration<double>(clock.busy()).count(), 0});
    if (killed || !meter.over()) continue;
    if (!asked_at) {
      asked_at = clock.busy();
      ask_to_end();
    } else if (clock.busy() - *asked_at > kGrace) {
      killed = true;
      process_->kill();
    }
  }
  over_budget_ = asked_at.has_value();
  const sandbox::Outcome& outcome = process_->outcome();
  meter.note({client_seconds + outcome.cpu_seconds, 0});
  if (killed) return {};
  // The server works for this one program alone: what it needs is what the program asked for.
  vgpu::ServerReport overused;
  overused.exhausted = overuse(outcome.end, limits_);
  if (!overused.exhausted.empty()) return overused;
  if (outcome.end != sandbox::End::exited || outcome.status != 0) {
    throw std::runtime_error("the virtual GPU's server ended with " +
                             std::string(outcome.end == sandbox::End::exited ? "status " : "signal or limit ") +
                             std::to_string(outcome.status) + ": " + sandbox::printable(outcome.output));
  }
  vgpu::ServerReport report =
      vgpu::server_report_from_json(sandbox::read_all(report_.get(), vgpu::ServerReport::kMostBytes));
  if (!report.internal_error.empty()) {
    throw std::runtime_error("the virtual GPU failed: " + sandbox::printable(report.internal_error));
  }
  if (!report.not_executed.empty()) {
    // What the student's kernel would have done is not known: no verdict on it is possible.
    throw std::runtime_error(sandbox::printable(report.not_executed.front()));
  }
  return report;
}

vgpu::TransferLog DeviceServer::transfers() const {
  const std::string bytes = sandbox::read_all(transfers_.get(), 2 * vgpu::TransferLog::kMostBytes);
  return vgpu::transfer_log_from_bytes(sandbox::bytes_of(bytes));
}

}  // namespace cudalabs::runner
