#include "run/host_code.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "build/recipe.h"
#include "run/call_sites.h"
#include "run/call_trail.h"
#include "run/repeated_call.h"
#include "run/wanted_places.h"
#include "run/watched_calls.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/origins.h"

namespace cudalabs::runner {
namespace {

/// Where the function was called that the instruction at an address is in, if the compiler has made it part of its
/// caller.
using InlinedCall = std::function<SourcePlace(std::uint64_t)>;

/// The first place in the student's own file, or null: what crashes in a library, the library's caller made crash. Of
/// the templates in it nvcc leaves only the name, without a folder.
const SourcePlace* innermost_own(std::span<const SourcePlace> places, const std::string& own_file) {
  const std::string name = std::filesystem::path(own_file).filename();
  const auto found = std::ranges::find_if(
      places, [&](const SourcePlace& place) { return place.file.ends_with(own_file) || place.file == name; });
  return found == places.end() ? nullptr : &*found;
}

/// Does it hold an element as it was before the call? The elements between bytes of that value are passed over: there
/// may be millions, and hardly any has one.
bool may_be_unwritten(const datasets::Array& output) {
  const std::size_t bytes = datasets::size_in_bytes(output.type);
  const auto is_poison = [](std::byte byte) { return byte == std::byte{kPoison}; };
  for (std::size_t at = 0; at < output.data.size();) {
    const void* next = std::memchr(output.data.data() + at, kPoison, output.data.size() - at);
    if (next == nullptr) return false;
    at = static_cast<std::size_t>(static_cast<const std::byte*>(next) - output.data.data()) / bytes * bytes;
    const auto element = std::span(output.data).subspan(at, std::min(bytes, output.data.size() - at));
    if (element.size() == bytes && std::ranges::all_of(element, is_poison)) return true;
    at += bytes;
  }
  return false;
}

/// Blocks that were not launched show in elements that nobody wrote, or in the value of a sum.
bool may_lack_launches(const datasets::Array& output) {
  return output.elements() == 1 || may_be_unwritten(output);
}

WatchedCall without_place(const vgpu::ApiCall& call) {
  WatchedCall made;
  made.name = call.name;
  made.status = call.status;
  made.waits = call.waits;
  made.encloses = call.encloses;
  made.after_clock = call.after_clock;
  made.stream = call.stream;
  made.event = call.event;
  made.second_event = call.second_event;
  made.begins_before = call.begins_before;
  made.ends_after = call.ends_after;
  made.without_time = call.without_time;
  return made;
}

void take_watched(const vgpu::ServerReport& report, Observation& observation, WantedPlaces& wanted,
                  const InlinedCall& inlined_call) {
  const std::span<const vgpu::ApiCall> calls = watched_calls(report);
  for (const vgpu::ApiCall& call : calls) observation.watched.push_back(without_place(call));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::uint64_t origin = calls[i].origin;
    WatchedCall& call = observation.watched[i];
    wanted.want(std::array{origin, calls[i].outer}, [&call, &inlined_call, origin](std::span<const SourcePlace> found) {
      call.where = found[0];
      const SourcePlace inlined = inlined_call(origin);
      call.outer = inlined.known() ? inlined : found[1];
    });
  }
  observation.clock_after_watched = looked_at_clock_last(report);
}

void take_copies(std::vector<vgpu::HostCopy>& from, std::vector<ResultCopy>& to, WantedPlaces& wanted) {
  for (vgpu::HostCopy& copy : from) to.push_back({std::move(copy), {}});
  for (ResultCopy& result : to) wanted.want(result.copy.origin, result.where);
}

void take_writes(vgpu::ServerReport& report, Observation& observation, WantedPlaces& wanted) {
  for (vgpu::HostWrite& write : report.host_writes)
    observation.host_writes.push_back({std::move(write.array), std::move(write.name), {}});
  for (std::size_t i = 0; i < report.host_writes.size(); ++i)
    wanted.want(report.host_writes[i].origin, observation.host_writes[i].where);
  for (vgpu::KeptValue& kept : report.kept_values) observation.kept_values.push_back({std::move(kept.variable), {}});
  for (std::size_t i = 0; i < report.kept_values.size(); ++i)
    wanted.want(report.kept_values[i].launch, observation.kept_values[i].launch);
}

/// Of several kernels one may have got what another one should have; a kernel may have got the wrong size.
void take_launches(vgpu::ServerReport& report, Observation& observation, WantedPlaces& wanted) {
  const bool went_astray =
      std::ranges::find(report.findings, finding_ids::kGlobalOutOfBounds, &Finding::id) != report.findings.end();
  if (report.launch_calls.size() <= 1 && !went_astray && std::ranges::none_of(observation.outputs, may_lack_launches))
    return;
  for (vgpu::LaunchCall& call : report.launch_calls) observation.launch_places.push_back({std::move(call.kernel), {}});
  for (std::size_t i = 0; i < report.launch_calls.size(); ++i) {
    wanted.want(report.launch_calls[i].origin, observation.launch_places[i].where);
    wanted.want(report.launch_calls[i].first, observation.launch_places[i].first);
  }
}

void take_failed(const vgpu::ServerReport& report, Observation& observation, WantedPlaces& wanted) {
  if (observation.end != RunEnd::runtime_error && observation.end != RunEnd::device_reset) return;
  auto failed = device_reset(report);
  if (failed) {
    observation.end = RunEnd::device_reset;
  } else {
    failed = failed_call(report);
  }
  if (!failed) return;
  observation.failed = without_place(*failed);
  wanted.want(failed->origin, observation.failed->where);
}

void take_refused(const vgpu::ServerReport& report, Observation& observation, WantedPlaces& wanted, int made_to_fail) {
  const auto refused = refused_call(report, made_to_fail);
  if (!refused) return;
  const std::uint64_t origin = refused->call.origin;
  observation.refused_before_launch = refused->before_launch;
  observation.refused = without_place(refused->call);
  wanted.want(origin, observation.refused->where);
  const auto reach = std::ranges::find(report.overreaches, origin,
                                       [](const vgpu::Overreach& overreach) { return overreach.call.address; });
  if (reach != report.overreaches.end()) {
    observation.past_allocation = {*reach, {}};
    wanted.want(reach->allocation, observation.past_allocation->allocation);
  }
  const auto pointers =
      std::ranges::find(report.refused_pointers, origin, [](const auto& refusal) { return refusal.call.address; });
  if (pointers != report.refused_pointers.end()) observation.refused_pointers = pointers->pointers;
  if (refused->freed_before) wanted.want(*refused->freed_before, observation.freed_before);
}

void take_made_to_fail(const vgpu::ServerReport& report, Observation& observation, WantedPlaces& wanted,
                       const datasets::Faults& faults) {
  observation.nothing_failed = !met_faults(report);
  std::optional<CallMadeToFail> failed;
  if (faults.launch != 0) failed = launch_made_to_fail(report);
  if (faults.copy != 0) failed = copy_made_to_fail(report);
  if (!failed) return;
  FailedCall& told = observation.made_to_fail.emplace();
  wanted.want(failed->call.origin, told.where);
  if (!failed->asked) return;
  told.asked = without_place(*failed->asked);
  wanted.want(failed->asked->origin, told.asked->where);
}

void take_repeated(const vgpu::ServerReport& report, Observation& observation, WantedPlaces& wanted) {
  if (observation.end != RunEnd::cpu_limit && observation.end != RunEnd::wall_limit) return;
  const auto repeated = repeated_call(report);
  if (!repeated) return;
  observation.repeated = {without_place(repeated->call), repeated->times, repeated->created, {}, {}};
  wanted.want(vgpu::CallOrigin{repeated->call.origin, repeated->call.outer}, observation.repeated->call.where);
  wanted.want(repeated->recorded, observation.repeated->recorded);
  wanted.want(repeated->destroyed, observation.repeated->destroyed);
}

/// Of `calls` those that the program in the file `source` made, with where each function was called that made one.
void take_trail(std::span<const vgpu::ApiCall> calls, std::vector<WatchedCall>& trail, WantedPlaces& wanted,
                const InlinedCall& inlined_call, const std::string& source) {
  std::vector<std::uint64_t> addresses;
  for (const vgpu::ApiCall& call : calls) {
    trail.push_back(without_place(call));
    addresses.insert(addresses.end(), {call.origin, call.outer});
  }
  wanted.want(addresses, [calls, &trail, &inlined_call, source](std::span<const SourcePlace> found) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const SourcePlace &own = found[2 * i], &outer = found[2 * i + 1];
      trail[i].where = vgpu::outside_headers(own, outer);
      if (trail[i].where != own) continue;
      const SourcePlace inlined = inlined_call(calls[i].origin);
      trail[i].outer = inlined.known() ? inlined : outer;
    }
    keep_own_calls(trail, [&](const SourcePlace& place) { return innermost_own({&place, 1}, source) != nullptr; });
  });
}

void take_end(const Received& fault, Observation& observation, std::optional<Finding>& crash, WantedPlaces& wanted,
              const std::string& source) {
  const bool ended_by_itself = observation.end == RunEnd::exited_early || observation.end == RunEnd::cpu_limit;
  if (!crash && !ended_by_itself) return;
  std::vector<std::uint64_t> addresses{fault.instruction};
  addresses.insert(addresses.end(), fault.callers.begin(), fault.callers.end());
  wanted.want(addresses, [&observation, &crash, ended_by_itself, source](std::span<const SourcePlace> found) {
    const SourcePlace* own = innermost_own(found, source);
    if (crash) crash->where = own != nullptr ? *own : found[0];
    if (ended_by_itself && own != nullptr) observation.ended_at = *own;
  });
}

/// Of memory that was freed, or leaks: where the function was called that did it, or that allocated it, if it has no
/// frame of its own.
void place_inlined_calls(vgpu::ServerReport& report, const InlinedCall& inlined_call) {
  for (const vgpu::FindingOrigin& origin : report.origins) {
    Finding& finding = report.findings[origin.finding];
    if (finding.id == finding_ids::kMemoryLeak && !origin.of_other && !origin.of_cause) {
      const SourcePlace call = inlined_call(origin.origin.address);
      if (call.known()) finding.cause = OtherPlace{"this call allocates it", call, {}, {}};
    }
    if (finding.id != finding_ids::kUseAfterFree || !origin.of_other) continue;
    const SourcePlace call = inlined_call(origin.origin.address);
    if (call.known()) finding.cause = OtherPlace{"the call that freed it", call, {}, {}};
  }
}

}  // namespace

void place_host_code(vgpu::ServerReport& report, Observation& observation, std::optional<Finding>& crash,
                     const std::optional<Received>& fault, const RunRequest& request) {
  SourceLines own_lines;
  SourceLines& lines = request.lines != nullptr ? *request.lines : own_lines;
  const InlinedCall inlined_call = [&](std::uint64_t address) { return lines.inlined_call(request.runner, address); };
  const std::string source = std::string(builder::kSubmissionFolder) + "/" + request.program->contract.source;
  const datasets::Faults& faults = request.test->spec.faults;
  WantedPlaces wanted;
  wanted.want(vgpu::origin_addresses(report),
              [&report](std::span<const SourcePlace> found) { vgpu::place_findings(report, found); });
  take_watched(report, observation, wanted, inlined_call);
  take_copies(report.host_copies, observation.copies, wanted);
  take_copies(report.early_copies, observation.early_copies, wanted);
  take_writes(report, observation, wanted);
  take_launches(report, observation, wanted);
  take_failed(report, observation, wanted);
  if (faults.any()) {
    take_made_to_fail(report, observation, wanted, faults);
  } else {
    take_refused(report, observation, wanted, request.before != nullptr ? error_of(request.before->spec.faults) : 0);
  }
  take_repeated(report, observation, wanted);
  take_trail(calls_from_failure(report, faults), observation.after_failure, wanted, inlined_call, source);
  take_trail(calls_from_unchecked_launch(report), observation.after_launch, wanted, inlined_call, source);
  if (fault) take_end(*fault, observation, crash, wanted, source);
  wanted.look_up(lines, request.runner);
  place_inlined_calls(report, inlined_call);
}

}  // namespace cudalabs::runner
