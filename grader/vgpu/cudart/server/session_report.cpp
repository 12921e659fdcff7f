// What the session and the virtual GPU have seen, as one report.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "vgpu/check/allocation_place.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/server/session_types.h"
#include "vgpu/cudart/server/unwritten_words.h"

namespace cudalabs::vgpu {

/// The allocation that a finding of a kernel is about; null when it is not known.
const AddressMap::Block* Session::allocation_of(const Finding& finding) const {
  if (!finding.address) return nullptr;
  if (finding.id != finding_ids::kUninitializedRead) return addresses_.allocation_before(*finding.address);
  const std::uint64_t number = finding.launch.number;
  if (number == 0 || number > executed_.size()) return nullptr;
  // The program has often freed it since, and something else may lie there.
  const std::uint64_t launch = executed_[number - 1].issued;
  const AddressMap::Block* block = addresses_.allocation_holding(*finding.address);
  return block != nullptr && block->launches_before < launch ? block
                                                             : freed_allocations_.holding(*finding.address, launch);
}

void Session::place_launches(ServerReport& report) const {
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    Finding& finding = report.findings[i];
    const std::uint64_t number = finding.launch.number;
    const bool known = number != 0 && number <= executed_.size();
    const bool is_other = finding.other && finding.other->role == PlaceRole::launch;
    if (is_other && !known) finding.other.reset();
    const bool in_part = std::ranges::any_of(finding.launch.given, &GivenArgument::pointer);
    const bool wanted = finding.launch.pointer != 0 || finding.launch.argument != 0 || in_part;
    if (!known || (!is_other && !wanted)) continue;
    report.origins.push_back({static_cast<std::uint32_t>(i), executed_[number - 1].origin, is_other, !is_other});
  }
}

/// Of reads of what a later launch writes: that launch, and the one that reads.
void Session::place_late_launches(ServerReport& report, std::vector<FindingOrigin>& late) const {
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    Finding& finding = report.findings[i];
    const std::uint64_t number = finding.launch.number;
    const bool known = number != 0 && number <= executed_.size();
    if (finding.id != finding_ids::kUninitializedRead || !finding.address || !known) continue;
    const auto writer = gpu_.late_writer(*finding.address, number);
    if (!writer || writer->launch > executed_.size()) continue;
    // What the next call of the caller's begins anew was not to be there for this one.
    if (executed_[writer->launch - 1].function_call != executed_[number - 1].function_call) continue;
    name_later_launch(finding, writer->kernel);
    report.origins.push_back({static_cast<std::uint32_t>(i), executed_[writer->launch - 1].origin, true});
    late.push_back(report.origins.back());
    report.origins.push_back({static_cast<std::uint32_t>(i), executed_[number - 1].origin, false, true});
  }
}

/// What is written too late may be in another stream, and then the two race as well.
void Session::name_unordered_writes(ServerReport& report, const std::vector<FindingOrigin>& late,
                                    std::vector<HostFinding>& races) const {
  std::set<const HostFinding*> named;
  for (const FindingOrigin& write : late) {
    Finding& read = report.findings[write.finding];
    const CallOrigin& launch = executed_[read.launch.number - 1].origin;
    const auto race = std::ranges::find_if(races, [&](const HostFinding& each) {
      return each.finding.id == finding_ids::kStreamRace && each.origin == write.origin && each.other == launch;
    });
    if (race == races.end()) continue;
    name_unordered_write(read);
    // Events that are to order the two say which of them the program wants first.
    if (!race->finding.cause && named.insert(&*race).second) name_wrong_order(race->finding, read);
  }
}

void Session::place_allocations(ServerReport& report, std::vector<FindingOrigin>& late) const {
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    Finding& finding = report.findings[i];
    const AllocationPlace place = allocation_place(finding);
    // The caller's own arrays have no place, but the program may have filled them in part.
    const bool of_caller = finding.id == finding_ids::kUninitializedRead && !finding.other;
    if (place == AllocationPlace::none && !of_caller) continue;
    const AddressMap::Block* block = allocation_of(finding);
    const bool unwritten = block != nullptr && finding.id == finding_ids::kUninitializedRead;
    const std::vector<ArrayWriter> writers = unwritten ? gpu_.writers_at(*finding.address) : std::vector<ArrayWriter>();
    const bool by_kernels = !writers.empty();
    const auto write = unwritten
                           ? name_host_write(finding, *block, executed_[finding.launch.number - 1].issued, by_kernels)
                           : std::nullopt;
    if (write) {
      report.origins.push_back({static_cast<std::uint32_t>(i), write->origin, true});
      if (write->late) late.push_back(report.origins.back());
    } else if (block == nullptr) {
      forget_allocation_place(finding);
    } else if (place == AllocationPlace::none) {
      continue;
    } else {
      const std::uint64_t launch = finding.launch.number;
      finding.access.kept = finding.id == finding_ids::kGlobalOutOfBounds && place == AllocationPlace::other &&
                            launch != 0 && launch <= executed_.size() &&
                            kept(*block, executed_[launch - 1].function_call);
      report.origins.push_back({static_cast<std::uint32_t>(i), block->origin, place == AllocationPlace::other});
      const auto is_of_launch = [&](const StoreExtent& stored) { return stored.launch == launch; };
      const bool stores_itself = std::ranges::any_of(gpu_.store_extents_from(block->address), is_of_launch);
      if (!by_kernels || stores_itself || !name_written_front(finding, writers, block->bytes)) continue;
      report.origins.push_back({static_cast<std::uint32_t>(i), executed_[launch - 1].origin, false, true});
    }
  }
}

ServerReport Session::report() const {
  ServerReport report;
  report.model = model_.name;
  report.findings = gpu_.findings();
  std::vector<FindingOrigin> late;
  place_late_launches(report, late);
  place_reasons(report);
  place_allocations(report, late);
  place_launches(report);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    Finding& finding = report.findings[i];
    if (finding.id != finding_ids::kUseAfterFree || finding.other || !finding.address) continue;
    const CallOrigin* freed_by = freed_.freed_by(*finding.address);
    if (freed_by == nullptr) continue;
    finding.other = OtherPlace{"it was freed here", {}, {}, {}, PlaceRole::freeing};
    report.origins.push_back({static_cast<std::uint32_t>(i), *freed_by, true});
  }
  const auto add = [&](const HostFinding& host) {
    if (host.origin.address != 0)
      report.origins.push_back({static_cast<std::uint32_t>(report.findings.size()), host.origin});
    if (host.finding.other && host.other.address != 0)
      report.origins.push_back({static_cast<std::uint32_t>(report.findings.size()), host.other, true});
    if (host.finding.cause && host.cause.address != 0)
      report.origins.push_back(
          {.finding = static_cast<std::uint32_t>(report.findings.size()), .origin = host.cause, .of_cause = true});
    report.findings.push_back(host.finding);
  };
  const auto has_timeout = [&](const std::string& kernel) {
    return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
      return finding.id == finding_ids::kTimedOut && finding.kernel == kernel;
    });
  };
  const std::scoped_lock lock(mutex_);
  for (const HostFinding& end : early_ends_)
    if (end.finding.id != finding_ids::kTimedOut || !has_timeout(end.finding.kernel)) add(end);
  for (const HostFinding& failure : watch_.findings()) add(failure);
  for (const HostFinding& overwritten : overwritten_) add(overwritten);
  for (const HostFinding& refilled : refilled_) add(refilled);
  for (const HostFinding& early : too_early_) add(early);
  std::vector<HostFinding> races = races_.findings();
  name_unordered_writes(report, late, races);
  for (const HostFinding& race : races) add(race);
  for (const HostFinding& overrun : overruns_) add(overrun);
  for (const HostFinding& wait : endless_waits_) add(wait);
  for (const HostFinding& invalid : invalid_frees_) add(invalid);
  for (const HostFinding& use : uses_of_freed_) add(use);
  for (const HostFinding& unsupported : unsupported_) add(unsupported);
  for (const HostFinding& leak : leaks_) add(leak);
  const auto& launches = gpu_.launches();
  report.launch_count = gpu_.launch_count();
  report.asked_launches = launch_count_;
  report.launches.assign(
      launches.begin(),
      launches.begin() +
          std::min<std::ptrdiff_t>(std::ssize(launches), static_cast<std::ptrdiff_t>(limits_.reported_launches)));
  report.coverage = gpu_.coverage();
  report.branches = gpu_.branches();
  report.accesses = gpu_.access_samples();
  report.writers = gpu_.writers();
  report.idle_stores = gpu_.idle_stores();
  report.extents = gpu_.store_extents();
  report.host_copies = host_copies_.copies();
  report.early_copies = early_copies_.copies();
  report.has_managed = has_managed_;
  report.gaps = gaps_;
  report.host_writes = host_writes_;
  report.on_device = on_device_;
  report.overreaches = overreaches_;
  report.refused_pointers = refused_pointers_;
  report.kept_values = kept_values_;
  report.barriers = gpu_.barrier_usage();
  report.kernel_seconds = kernel_seconds_;
  report.launch_seconds = launch_seconds_;
  for (const auto& [name, calls] : launch_calls_) report.launch_calls.push_back({name, calls.last, calls.first});
  report.calls = calls_.calls();
  report.call_count = calls_.count();
  report.module_errors = module_errors_;
  report.optimised = optimised_;
  report.wide_accesses = wide_accesses_;
  for (const auto* refusals : {&refusals_, &gpu_.refusals()}) {
    for (const ptx::Refusal& refusal : *refusals) {
      if (refusal.is_authors) {
        report.findings.push_back(ptx::finding_of(refusal));
      } else {
        report.not_executed.push_back(ptx::describe(refusal));
      }
    }
  }
  report.context_error = context_error_;
  report.said_goodbye = said_goodbye_;
  report.interrupted = interrupted_;
  report.protocol_error = protocol_error_;
  report.exhausted = exhausted_;
  report.internal_error = internal_error_;
  return report;
}

}  // namespace cudalabs::vgpu
