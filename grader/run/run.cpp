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
#include "run/call_trail.h"
#include "run/conversation.h"
#include "run/device_server.h"
#include "run/ending.h"
#include "run/exchange.h"
#include "run/own_paths.h"
#include "run/repeated_call.h"
#include "run/unasked_launch.h"
#include "run/watched_calls.h"
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
                sandbox::Meter& meter, double idle_seconds, harness::Go terms, const Exchange* before,
                const Exchange& exchange, Observation& observation) {
  Spoken spoken;
  RunnerProtocol protocol(before != nullptr ? 2 : 1);
  Clock::time_point go;
  const auto stop_listening = [&] { control.reset(); };
  const auto call = [&](const Exchange& data, harness::Work work) {
    go = Clock::now();
    terms.work = work;
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
          call(*before, harness::Work::case_);
        } else {
          call(exchange, harness::Work::only_case);
        }
        break;
      case RunnerProtocol::Step::next_go:
        observation.outputs_before = before->copy_outputs();
        call(exchange, harness::Work::only_case);
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

/// The first place in the student's own file, or null: what crashes in a library, the library's caller made crash. Of
/// the templates in it nvcc leaves only the name, without a folder.
const SourcePlace* innermost_own(std::span<const SourcePlace> places, const std::string& own_file) {
  const std::string name = std::filesystem::path(own_file).filename();
  const auto found = std::ranges::find_if(
      places, [&](const SourcePlace& place) { return place.file.ends_with(own_file) || place.file == name; });
  return found == places.end() ? nullptr : &*found;
}

std::vector<SourcePlace> source_places(const RunRequest& request, std::span<const std::uint64_t> addresses) {
  SourceLines own;
  return (request.lines != nullptr ? *request.lines : own).places(request.runner, addresses);
}

/// Where a call was made, and where the function was called that made it.
void place_call(WatchedCall& call, const SourcePlace& own, const SourcePlace& outer, const SourcePlace& inlined) {
  call.where = vgpu::outside_headers(own, outer);
  if (call.where == own) call.outer = inlined.known() ? inlined : outer;
}

/// Of memory that was freed, or leaks: where the function was called that did it, or that allocated it, if it has no
/// frame of its own.
void place_inlined_calls(vgpu::ServerReport& report, SourceLines& lines, const RunRequest& request) {
  for (const vgpu::FindingOrigin& origin : report.origins) {
    Finding& finding = report.findings[origin.finding];
    if (finding.id == finding_ids::kMemoryLeak && !origin.of_other && !origin.of_cause) {
      const SourcePlace call = lines.inlined_call(request.runner, origin.origin.address);
      if (call.known()) finding.cause = OtherPlace{"this call allocates it", call, {}, {}};
    }
    if (finding.id != finding_ids::kUseAfterFree || !origin.of_other) continue;
    const SourcePlace call = lines.inlined_call(request.runner, origin.origin.address);
    if (call.known()) finding.cause = OtherPlace{"the call that freed it", call, {}, {}};
  }
}

/// Does it hold an element as it was before the call?
bool may_be_unwritten(const datasets::Array& output) {
  const std::size_t bytes = datasets::size_in_bytes(output.type);
  for (std::size_t at = 0; at + bytes <= output.data.size(); at += bytes) {
    const auto element = std::span(output.data).subspan(at, bytes);
    if (std::ranges::all_of(element, [](std::byte byte) { return byte == std::byte{runner::kPoison}; })) return true;
  }
  return false;
}

/// Blocks that were not launched show in elements that nobody wrote, or in the value of a sum.
bool may_lack_launches(const datasets::Array& output) {
  return output.elements() == 1 || may_be_unwritten(output);
}

bool is_out_of_time(RunEnd end) {
  return end == RunEnd::cpu_limit || end == RunEnd::wall_limit;
}

/// Gives lines to what is known by an address only: the calls behind the server's findings, the watched calls and the
/// one that failed, and the place of a crash.
void place_host_code(vgpu::ServerReport& report, Observation& observation, std::optional<Finding>& crash,
                     const std::optional<Received>& fault, const RunRequest& request) {
  const datasets::Faults& faults = request.test->spec.faults;
  std::vector<std::uint64_t> addresses = vgpu::origin_addresses(report);
  const std::size_t of_findings = addresses.size();
  for (const vgpu::ApiCall& call : runner::watched_calls(report)) {
    observation.watched.push_back({call.name,
                                   call.status,
                                   {},
                                   call.waits,
                                   call.encloses,
                                   call.after_clock,
                                   call.stream,
                                   {},
                                   call.event,
                                   call.second_event,
                                   call.begins_before,
                                   call.ends_after});
    addresses.insert(addresses.end(), {call.origin, call.outer});
  }
  const auto take_copies = [&](std::vector<vgpu::HostCopy>& from, std::vector<ResultCopy>& to) {
    for (vgpu::HostCopy& copy : from) {
      addresses.insert(addresses.end(), {copy.origin.address, copy.origin.outer});
      to.push_back({std::move(copy), {}});
    }
  };
  take_copies(report.host_copies, observation.copies);
  take_copies(report.early_copies, observation.early_copies);
  for (vgpu::HostWrite& write : report.host_writes) {
    addresses.insert(addresses.end(), {write.origin.address, write.origin.outer});
    observation.host_writes.push_back({std::move(write.array), std::move(write.name), {}});
  }
  for (vgpu::KeptValue& kept : report.kept_values) {
    addresses.insert(addresses.end(), {kept.launch.address, kept.launch.outer});
    observation.kept_values.push_back({std::move(kept.variable), {}});
  }
  // Of several kernels one may have got what another one should have; a kernel may have got the wrong size.
  const bool went_astray =
      std::ranges::find(report.findings, finding_ids::kGlobalOutOfBounds, &Finding::id) != report.findings.end();
  if (report.launch_calls.size() > 1 || went_astray || std::ranges::any_of(observation.outputs, may_lack_launches)) {
    for (vgpu::LaunchCall& call : report.launch_calls) {
      addresses.insert(addresses.end(), {call.origin.address, call.origin.outer, call.first.address, call.first.outer});
      observation.launch_places.push_back({std::move(call.kernel), {}});
    }
  }
  observation.clock_after_watched = runner::looked_at_clock_last(report);
  if (observation.end == RunEnd::runtime_error) {
    if (const auto reset = runner::device_reset(report)) {
      observation.end = RunEnd::device_reset;
      observation.failed = {reset->name, reset->status, {}, reset->waits, reset->encloses};
      addresses.push_back(reset->origin);
    } else if (const auto call = runner::failed_call(report)) {
      observation.failed = {call->name, call->status, {}, call->waits, call->encloses};
      addresses.push_back(call->origin);
    }
  }
  bool frees_known = false;
  if (const auto call = faults.any() ? std::nullopt : runner::refused_call(report)) {
    observation.refused_before_launch = call->before_launch;
    observation.refused = {call->call.name, call->call.status, {}, call->call.waits, call->call.encloses};
    addresses.push_back(call->call.origin);
    const auto reach = std::ranges::find(report.overreaches, call->call.origin,
                                         [](const vgpu::Overreach& overreach) { return overreach.call.address; });
    if (reach != report.overreaches.end()) {
      observation.past_allocation = {*reach, {}};
      addresses.insert(addresses.end(), {reach->allocation.address, reach->allocation.outer});
    }
    const auto pointers = std::ranges::find(report.refused_pointers, call->call.origin,
                                            [](const auto& refusal) { return refusal.call.address; });
    if (pointers != report.refused_pointers.end()) observation.refused_pointers = pointers->pointers;
    if (call->freed_before) addresses.push_back(*call->freed_before);
    frees_known = call->freed_before.has_value();
  }
  observation.nothing_failed = faults.any() && !runner::met_faults(report);
  std::optional<runner::CallMadeToFail> failed;
  if (faults.launch != 0) failed = runner::launch_made_to_fail(report);
  if (faults.copy != 0) failed = runner::copy_made_to_fail(report);
  if (failed) {
    observation.made_to_fail.emplace();
    addresses.push_back(failed->call.origin);
    if (failed->asked) {
      observation.made_to_fail->asked = {failed->asked->name, failed->asked->status, {}, false, false};
      addresses.push_back(failed->asked->origin);
    }
  }
  const auto repeated = is_out_of_time(observation.end) ? runner::repeated_call(report) : std::nullopt;
  if (repeated) {
    const vgpu::ApiCall& call = repeated->call;
    observation.repeated = {{call.name, call.status, {}}, repeated->times, repeated->created, {}, {}};
    for (const vgpu::CallOrigin& origin :
         {vgpu::CallOrigin{call.origin, call.outer}, repeated->recorded, repeated->destroyed})
      addresses.insert(addresses.end(), {origin.address, origin.outer});
  }
  const auto take_trail = [&](std::span<const vgpu::ApiCall> calls, std::vector<WatchedCall>& to) {
    for (const vgpu::ApiCall& call : calls) {
      to.push_back({call.name, call.status, {}, call.waits});
      addresses.insert(addresses.end(), {call.origin, call.outer});
    }
    return calls;
  };
  const auto trails = {std::pair(&observation.after_failure,
                                 take_trail(runner::calls_from_failure(report, faults), observation.after_failure)),
                       std::pair(&observation.after_launch,
                                 take_trail(runner::calls_from_unchecked_launch(report), observation.after_launch))};
  const bool ended_by_itself =
      (observation.end == RunEnd::exited_early || observation.end == RunEnd::cpu_limit) && fault;
  if (crash || ended_by_itself) {
    addresses.push_back(fault->instruction);
    addresses.insert(addresses.end(), fault->callers.begin(), fault->callers.end());
  }
  SourceLines own_lines;
  SourceLines& lines = request.lines != nullptr ? *request.lines : own_lines;
  std::vector<SourcePlace> places = lines.places(request.runner, addresses);
  auto place = places.begin() + static_cast<std::ptrdiff_t>(of_findings);
  const std::span<const vgpu::ApiCall> watched = runner::watched_calls(report);
  for (std::size_t i = 0; i < watched.size(); ++i) {
    WatchedCall& call = observation.watched[i];
    call.where = place[0];
    const SourcePlace inlined = lines.inlined_call(request.runner, watched[i].origin);
    call.outer = inlined.known() ? inlined : place[1];
    place += 2;
  }
  for (std::vector<ResultCopy>* copies : {&observation.copies, &observation.early_copies}) {
    for (ResultCopy& result : *copies) {
      result.where = vgpu::outside_headers(place[0], place[1]);
      place += 2;
    }
  }
  for (HostWrite& write : observation.host_writes) {
    write.where = vgpu::outside_headers(place[0], place[1]);
    place += 2;
  }
  for (KeptValue& kept : observation.kept_values) {
    kept.launch = vgpu::outside_headers(place[0], place[1]);
    place += 2;
  }
  for (LaunchPlace& launch : observation.launch_places) {
    launch.where = vgpu::outside_headers(place[0], place[1]);
    launch.first = vgpu::outside_headers(place[2], place[3]);
    place += 4;
  }
  if (observation.failed) observation.failed->where = *place++;
  if (observation.refused) observation.refused->where = *place++;
  if (observation.past_allocation) {
    observation.past_allocation->allocation = vgpu::outside_headers(place[0], place[1]);
    place += 2;
  }
  if (frees_known) observation.freed_before = *place++;
  if (observation.made_to_fail) observation.made_to_fail->where = *place++;
  if (failed && failed->asked) observation.made_to_fail->asked->where = *place++;
  if (repeated) {
    for (SourcePlace* of_call :
         {&observation.repeated->call.where, &observation.repeated->recorded, &observation.repeated->destroyed}) {
      *of_call = vgpu::outside_headers(place[0], place[1]);
      place += 2;
    }
  }
  const std::string source = std::string(builder::kSubmissionFolder) + "/" + request.program->contract.source;
  for (const auto& [trail, calls] : trails) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      place_call((*trail)[i], place[0], place[1], lines.inlined_call(request.runner, calls[i].origin));
      place += 2;
    }
    runner::keep_own_calls(*trail, [&](const SourcePlace& of_call) {
      return innermost_own({&of_call, 1}, source) != nullptr;
    });
  }
  const SourcePlace* own = innermost_own({place, places.end()}, source);
  if (crash) crash->where = own != nullptr ? *own : *place;
  if (ended_by_itself && own != nullptr) observation.ended_at = *own;
  places.resize(of_findings);
  vgpu::place_findings(report, places);
  place_inlined_calls(report, lines, request);
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
  const Exchange exchange = request.inputs ? Exchange(*request.test, request.inputs) : Exchange(*request.test);
  std::optional<Exchange> before;
  if (request.before != nullptr) before.emplace(*request.before);
  auto [control, other_end] = sandbox::make_socket_pair();
  const Limits limits = limits_of(request);
  sandbox::Job job = runner_job(limits, request, std::move(other_end));
  std::optional<DeviceHost> own_host;
  DeviceServer server(request.host != nullptr ? *request.host : own_host.emplace(1), request, limits, job);
  sandbox::Process process(std::move(job));

  Observation observation;
  harness::Go terms;
  terms.calls_fail = request.test->spec.faults.any() ? 1 : 0;
  terms.kernel_fails = request.test->spec.faults.kernel != 0 ? 1 : 0;
  sandbox::IdleClock clock({process.id(), server.id()});
  sandbox::Meter meter(request.budget);
  Spoken spoken =
      converse(process, server, std::move(control), clock, meter, request.hurry ? kIdleSecondsInHurry : kIdleSeconds,
               terms, before ? &*before : nullptr, exchange, observation);
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
