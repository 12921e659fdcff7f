// Has a case served and reads the report.
#include "run/device_server.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "run/harness/runner_protocol.h"
#include "sandbox/idle_clock.h"
#include "text/untrusted_text.h"
#include "vgpu/usable_processors.h"

namespace cudalabs::runner {
namespace {

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

sandbox::Fd copy_of(const sandbox::Fd& descriptor) {
  return sandbox::Fd(fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 0));
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

DeviceServer::DeviceServer(DeviceHost& host, const RunRequest& request, const Limits& limits, sandbox::Job& runner)
    : report_(sandbox::make_memory_file("report", {})) {
  auto [connection, runners_end] = make_stream();
  runner.descriptors.push_back({harness::kDevice, std::move(runners_end)});
  runner.environment.emplace_back("CUDALABS_VGPU_FD", std::to_string(harness::kDevice));
  const Program& program = *request.program;
  const bool first_fails = request.before != nullptr && request.before->spec.faults.any();
  const datasets::Faults& faults = (first_fails ? *request.before : *request.test).spec.faults;
  vgpu::ServeOrder order;
  if (program.device_model.size() >= sizeof order.model) throw std::runtime_error("no GPU has so long a name");
  std::ranges::copy(program.device_model + '\0', order.model);
  order.checks = request.checks ? 1 : 0;
  order.access_counters = request.access_counters ? 1 : 0;
  order.record_accesses = request.record_accesses ? 1 : 0;
  order.sampled_blocks = request.sampled_blocks;
  order.reset_variables = request.reset_variables;
  order.output_kib = std::max<std::uint64_t>(program.limits.output_kib / 2, 1);
  order.device_mib = program.limits.device_mib;
  order.kernel_seconds = limits.kernel_seconds;
  order.instruction_limit = limits.kernel_instructions;
  order.stops_slow_blocks = request.stops_slow_blocks ? 1 : 0;
  const std::uint64_t earlier = request.before != nullptr && !first_fails ? 1 : 0;
  const std::uint64_t last = first_fails ? 1 : 0;
  order.faults = {faults.allocation, faults.copy, faults.launch, faults.kernel, faults.illegal_address ? 1U : 0U,
                  faults.function,   earlier,     last};
  DeviceDescriptors descriptors;
  descriptors.connection = std::move(connection);
  descriptors.report = copy_of(report_);
  if (request.record_transfers) {
    transfers_ = sandbox::make_memory_file("transfers", {});
    descriptors.transfers = copy_of(transfers_);
  }
  if (request.replacements != nullptr) {
    descriptors.replacements = sandbox::make_memory_file("replacements", vgpu::to_bytes(*request.replacements));
  }
  if (request.mutants != nullptr) {
    mutants_ = sandbox::make_memory_file("mutants", {});
    descriptors.mutant_order = sandbox::make_memory_file("mutant order", vgpu::to_bytes(*request.mutants));
    descriptors.mutants = copy_of(mutants_);
  }
  if (!request.device_code.empty()) descriptors.device_code = sandbox::open_file(request.device_code);
  // The runner's limits end the runner, and with it the connection; these are for a server that does not notice.
  const unsigned cores = vgpu::usable_processors();
  limits_.wall_seconds = 2 * limits.wall_seconds + 10;
  limits_.cpu_seconds = cores * limits_.wall_seconds;
  limits_.memory_bytes = (kServerMiB + kShadowFactor * program.limits.device_mib) * kMiB;
  limits_.file_bytes = 2 * vgpu::ServerReport::kMostBytes;
  limits_.processes = most_device_threads();
  process_ = std::make_unique<DeviceProcess>(host, order, std::move(descriptors), limits_);
}

void DeviceServer::ask_to_end() {
  process_->ask_to_end();
}

vgpu::ServerReport DeviceServer::finish(sandbox::Meter& meter, double client_seconds) {
  sandbox::IdleClock clock({process_->id()});
  std::optional<sandbox::IdleClock::Duration> asked_at;
  bool killed = false;
  while (!process_->wait(DeviceProcess::Clock::now() + kLook)) {
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
                             std::to_string(outcome.status) + ": " + printable(outcome.output));
  }
  vgpu::ServerReport report =
      vgpu::server_report_from_json(sandbox::read_all(report_.get(), vgpu::ServerReport::kMostBytes));
  if (!report.internal_error.empty()) {
    throw std::runtime_error("the virtual GPU failed: " + printable(report.internal_error));
  }
  if (!report.not_executed.empty()) {
    // What the student's kernel would have done is not known: no verdict on it is possible.
    throw std::runtime_error(printable(report.not_executed.front()));
  }
  return report;
}

vgpu::TransferLog DeviceServer::transfers() const {
  const std::string bytes = sandbox::read_all(transfers_.get(), 2 * vgpu::TransferLog::kMostBytes);
  return vgpu::transfer_log_from_bytes(sandbox::bytes_of(bytes));
}

vgpu::MutantLog DeviceServer::mutants() const {
  const std::string bytes = sandbox::read_all(mutants_.get(), 2 * vgpu::MutantLog::kMostBytes);
  return vgpu::mutant_log_from_bytes(sandbox::bytes_of(bytes));
}

}  // namespace cudalabs::runner
