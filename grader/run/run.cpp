// One case: a fresh runner and a fresh device, each in a sandbox; the clock and the copy of the outputs on this side.
#include "run/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include "build/recipe.h"
#include "run/call_sites.h"
#include "run/conversation.h"
#include "run/device_server.h"
#include "run/ending.h"
#include "run/exchange.h"
#include "run/host_code.h"
#include "run/own_paths.h"
#include "run/unasked_launch.h"
#include "sandbox/budget.h"
#include "sandbox/idle_clock.h"
#include "sandbox/machine_speed.h"
#include "sandbox/sandbox.h"
#include "text/untrusted_text.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/origins.h"

namespace cudalabs {
namespace {

using namespace runner;
using sandbox::Fd;
using Clock = sandbox::Process::Clock;

/// A run in which nobody does anything for so long, all pauses together, does not come to an end.
constexpr double kIdleSeconds = 4, kIdleSecondsInHurry = 0.5;
/// Processor time of a submission of which another case did not come to an end.
constexpr double kComputingSecondsInHurry = 2;
/// Likewise a block's instructions: so many times fewer.
constexpr std::uint64_t kFewerInHurry = 6;
/// How often a silent run is looked at.
constexpr std::chrono::milliseconds kLook{250};

/// Limits of time are chosen for a machine whose slowness is 1.
Limits limits_of(const RunRequest& request) {
  Limits limits = request.program->limits;
  if (request.hurry) {
    limits.cpu_seconds = std::min(limits.cpu_seconds, kComputingSecondsInHurry);
    limits.kernel_seconds = std::min(limits.kernel_seconds, kComputingSecondsInHurry);
    limits.kernel_instructions /= kFewerInHurry;
  }
  const auto longer = [](double seconds, double step) {
    return std::ceil(sandbox::slowness_of_machine() * seconds / step) * step;
  };
  limits.cpu_seconds = longer(limits.cpu_seconds, 1);  // the kernel counts whole seconds
  limits.wall_seconds = longer(limits.wall_seconds, 0.5);
  limits.kernel_seconds = longer(limits.kernel_seconds, 0.5);
  return limits;
}

sandbox::Job runner_job(const Limits& limits, const RunRequest& request, Fd control) {
  sandbox::Job job;
  job.arguments = {"./runner"};
  job.hostile_program = true;
  job.counted = true;
  job.files.push_back({"runner", sandbox::open_file(request.runner), true});
  job.descriptors.push_back({harness::kControl, std::move(control)});
  job.limits.cpu_seconds = limits.cpu_seconds;
  job.limits.wall_seconds = limits.wall_seconds;
  job.limits.memory_bytes = limits.memory_mib << 20;
  job.limits.output_bytes = limits.output_kib << 10;
  job.limits.file_bytes = 16u << 20;
  job.limits.processes = limits.processes;
  // The virtual GPU's threads for this case and those beside it, and the programs of those.
  job.started_beside = limits.cases_at_a_time * (most_device_threads() + limits.processes);
  return job;
}

double seconds(sandbox::IdleClock::Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// Talks to the runner until it has ended. Outputs are copied the moment it says that they are there. `before`: of the
/// first of two calls; null: there is only one.
Spoken converse(sandbox::Process& process, DeviceServer& server, Fd control, sandbox::IdleClock& clock,
                sandbox::Meter& meter, const RunRequest& request, const Exchange* before, const Exchange& exchange,
                Observation& observation) {
  const double idle_seconds = request.hurry ? kIdleSecondsInHurry : kIdleSeconds;
  Spoken spoken;
  RunnerProtocol protocol(before != nullptr ? 2 : 1);
  Clock::time_point go;
  const auto stop_listening = [&] { control.reset(); };
  const auto call = [&](const Exchange& data, const datasets::Faults& faults, harness::Work work) {
    go = Clock::now();
    harness::Go terms;
    terms.calls_fail = faults.any() ? 1 : 0;
    terms.kernel_fails = faults.kernel != 0 ? 1 : 0;
    terms.work = work;
    terms.outputs_wanted = data.wants_outputs() ? 1 : 0;
    if (!send_go(control, terms, data.inputs(), data.outputs())) stop_listening();
  };
  for (;;) {
    const auto event = process.wait(control.get(), Clock::now() + kLook);
    if (event == sandbox::Process::Event::ended) break;
    if (event == sandbox::Process::Event::deadline) {
      clock.look();
      meter.note({seconds(clock.busy()), seconds(clock.idle())});
      const bool idle = seconds(clock.idle()) >= idle_seconds, over_budget = meter.over();
      if (spoken.idle || spoken.over_budget || !(idle || over_budget)) continue;
      (idle ? spoken.idle : spoken.over_budget) = true;
      if (spoken.over_budget) server.ask_to_end();  // so that it says which kernel was in progress
      process.kill();
      continue;
    }
    clock.pause();
    const Received received = receive(control);
    if (received.kind == Received::Kind::closed) {
      stop_listening();
      continue;
    }
    const RunnerProtocol::Step step =
        received.kind == Received::Kind::nonsense ? RunnerProtocol::Step::broken : protocol.next(received.type);
    switch (step) {
      case RunnerProtocol::Step::go:
        if (before != nullptr) {
          call(*before, request.before->spec.faults, harness::Work::case_);
        } else {
          call(exchange, request.test->spec.faults, harness::Work::only_case);
        }
        break;
      case RunnerProtocol::Step::next_go:
        observation.outputs_before = before->copy_outputs();
        call(exchange, request.test->spec.faults, harness::Work::only_case);
        break;
      case RunnerProtocol::Step::finished:
        observation.wall_seconds = std::chrono::duration<double>(Clock::now() - go).count();
        observation.outputs = exchange.copy_outputs();
        spoken.done = true;
        break;
      case RunnerProtocol::Step::failed:
        spoken.failure = received.type;
        spoken.text = received.text;
        break;
      case RunnerProtocol::Step::faulted:
        spoken.fault = received;
        break;
      case RunnerProtocol::Step::broken:
        spoken.broken = true;
        stop_listening();
        process.kill();
        break;
    }
  }
  return spoken;
}

void take_report(Observation& observation, vgpu::ServerReport report) {
  observation.findings = std::move(report.findings);
  observation.launches = std::move(report.launches);
  observation.asked_launches = report.asked_launches;
  observation.coverage = std::move(report.coverage);
  observation.branches = std::move(report.branches);
  observation.accesses = std::move(report.accesses);
  observation.writers = std::move(report.writers);
  observation.idle_stores = std::move(report.idle_stores);
  observation.extents = std::move(report.extents);
  observation.gaps = std::move(report.gaps);
  observation.on_device = std::move(report.on_device);
  observation.has_managed = report.has_managed;
  observation.barriers = std::move(report.barriers);
  observation.wide_accesses = report.wide_accesses;
  observation.kernel_seconds = report.kernel_seconds;
  observation.launch_seconds = std::move(report.launch_seconds);
}

std::vector<SourcePlace> source_places(const RunRequest& request, std::span<const std::uint64_t> addresses) {
  SourceLines own;
  return (request.lines != nullptr ? *request.lines : own).places(request.runner, addresses);
}

/// Files as the compiler saw them, and as the student knows them.
builder::PathNames path_names(const RunRequest& request) {
  const Contract& contract = request.program->contract;
  const std::string own = request.source.empty() ? contract.source : request.source.string();
  const auto inside = [](std::string_view folder, const std::string& file) { return std::string(folder) + "/" + file; };
  return {{inside(builder::kSubmissionFolder, contract.source), own},
          {inside(builder::kLabFolder, contract.header), contract.header},
          {inside(builder::kLabFolder, contract.runner), contract.runner}};
}

}  // namespace

std::string_view name_of(RunEnd end) {
  switch (end) {
    case RunEnd::finished:
      return "finished";
    case RunEnd::runtime_error:
      return "runtime error";
    case RunEnd::device_reset:
      return "device reset";
    case RunEnd::crashed:
      return "crashed";
    case RunEnd::exited_early:
      return "exited early";
    case RunEnd::cpu_limit:
      return "CPU time limit";
    case RunEnd::wall_limit:
      return "time limit";
    case RunEnd::memory_limit:
      return "memory limit";
    case RunEnd::output_limit:
      return "output limit";
    case RunEnd::process_limit:
      return "process limit";
    case RunEnd::disk_limit:
      return "disk limit";
    case RunEnd::not_started:
      return "not started";
    case RunEnd::device_exhausted:
      return "device limit";
    case RunEnd::over_budget:
      return "over budget";
    case RunEnd::protocol_error:
      return "protocol error";
  }
  return "";
}

SandboxTier sandbox_tier() {
  const sandbox::TierReport report = sandbox::tier_report();
  return {report.name, report.reason};
}

void place_at_call(Finding& finding, const vgpu::CallOrigin& call, const RunRequest& request) {
  vgpu::ServerReport report;
  report.findings.push_back(std::move(finding));
  report.origins.push_back({0, call});
  vgpu::place_findings(report, source_places(request, vgpu::origin_addresses(report)));
  Observation observation;
  observation.findings = std::move(report.findings);
  use_own_paths(observation, path_names(request));
  finding = std::move(observation.findings.front());
}

Observation run(const RunRequest& request) {
  if (request.sampled_blocks != 0 && request.checks) throw std::runtime_error("checks need every block");
  const auto inputs = request.inputs ? request.inputs : std::make_shared<const runner::CaseInputs>(*request.test);
  const Exchange exchange(*request.test, inputs,
                          request.sampled_blocks == 0 ? Exchange::Outputs::wanted : Exchange::Outputs::unwanted);
  std::optional<Exchange> before;
  if (request.before != nullptr) before.emplace(*request.before);
  auto [control, other_end] = sandbox::make_socket_pair();
  const Limits limits = limits_of(request);
  sandbox::Job job = runner_job(limits, request, std::move(other_end));
  std::optional<DeviceHost> own_host;
  DeviceServer server(request.host != nullptr ? *request.host : own_host.emplace(1), request, limits, job);
  sandbox::Process process(std::move(job));

  Observation observation;
  sandbox::IdleClock clock({process.id(), server.id()});
  sandbox::Meter meter(request.budget);
  Spoken spoken = converse(process, server, std::move(control), clock, meter, request, before ? &*before : nullptr,
                           exchange, observation);
  // What work the runner left to the virtual GPU is the submission's, too.
  vgpu::ServerReport report = server.finish(meter, process.outcome().cpu_seconds);
  spoken.over_budget = spoken.over_budget || server.over_budget();
  Ending ending = ending_of(process.outcome(), limits, spoken);
  observation.idle = spoken.idle;
  observation.console = printable(process.outcome().output);
  observation.errors = printable(process.outcome().errors);

  if (request.record_transfers && report.exhausted.empty() && !server.over_budget())
    observation.transfers = server.transfers();
  if (request.mutants != nullptr && report.exhausted.empty() && !server.over_budget())
    observation.mutants = server.mutants();
  if (!report.exhausted.empty()) ending = {RunEnd::device_exhausted, printable(report.exhausted)};
  if (!report.protocol_error.empty()) ending = {RunEnd::protocol_error, "wrote to the device's socket"};
  std::optional<Finding> crash;
  const bool killed = process.outcome().end == sandbox::End::signaled;
  if (ending.end == RunEnd::crashed && killed && spoken.fault) {
    crash = explain_fault(process.outcome().status, *spoken.fault);
  }
  observation.end = ending.end;
  runner::add_unasked_launch(report);
  place_host_code(report, observation, crash, spoken.fault, request);
  take_report(observation, std::move(report));
  if (crash) observation.findings.push_back(std::move(*crash));
  observation.detail = std::move(ending.detail);
  if (observation.end != RunEnd::finished) observation.outputs.clear();

  use_own_paths(observation, path_names(request));
  return observation;
}

}  // namespace cudalabs
