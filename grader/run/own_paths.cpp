// Every member of an Observation that names a file.
#include "run/own_paths.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace cudalabs::runner {

void use_own_paths(Observation& observation, const builder::PathNames& names) {
  const auto rename = [&](std::string& file) {
    // Of code that several functions may share nvcc leaves only the file's name, without a folder.
    const auto plain = std::ranges::find_if(
        names, [&](const auto& name) { return std::filesystem::path(name.first).filename() == file; });
    file = plain != names.end() ? plain->second : builder::with_own_paths(file, names);
  };
  for (Finding& finding : observation.findings) {
    rename(finding.where.file);
    rename(finding.launch.where.file);
    if (finding.other) rename(finding.other->place.file);
    if (finding.cause) rename(finding.cause->place.file);
  }
  for (std::vector<WatchedCall>* calls :
       {&observation.watched, &observation.after_failure, &observation.after_launch}) {
    for (WatchedCall& call : *calls) {
      rename(call.where.file);
      rename(call.outer.file);
    }
  }
  rename(observation.ended_at.file);
  if (observation.failed) rename(observation.failed->where.file);
  if (observation.refused) rename(observation.refused->where.file);
  if (observation.repeated) {
    for (SourcePlace* place :
         {&observation.repeated->call.where, &observation.repeated->recorded, &observation.repeated->destroyed})
      rename(place->file);
  }
  if (observation.past_allocation) rename(observation.past_allocation->allocation.file);
  rename(observation.freed_before.file);
  for (HostWrite& write : observation.host_writes) rename(write.where.file);
  if (observation.made_to_fail) {
    rename(observation.made_to_fail->where.file);
    if (observation.made_to_fail->asked) rename(observation.made_to_fail->asked->where.file);
  }
  for (auto& site : observation.barriers.sites) rename(site.where.file);
  for (auto& access : observation.accesses) rename(access.where.file);
  const auto rename_writers = [&](std::vector<vgpu::ArrayWriter>& writers) {
    for (vgpu::ArrayWriter& writer : writers) {
      rename(writer.where.file);
      for (vgpu::OriginPlace& origin : writer.origins) rename(origin.where.file);
    }
  };
  const auto rename_extents = [&](std::vector<vgpu::StoreExtent>& extents) {
    for (vgpu::StoreExtent& extent : extents) rename(extent.where.file);
  };
  rename_extents(observation.extents);
  rename_writers(observation.writers);
  rename_writers(observation.idle_stores);
  for (vgpu::ArrayReads& reads : observation.mutants.reads) {
    for (SourcePlace& place : reads.places) rename(place.file);
  }
  for (KeptValue& kept : observation.kept_values) rename(kept.launch.file);
  for (LaunchPlace& launch : observation.launch_places) {
    rename(launch.where.file);
    rename(launch.first.file);
  }
  for (std::vector<ResultCopy>* copies : {&observation.copies, &observation.early_copies}) {
    for (ResultCopy& result : *copies) {
      rename(result.where.file);
      rename_writers(result.copy.writers);
      rename_extents(result.copy.extents);
    }
  }
  for (auto& branch : observation.branches) {
    for (SourcePlace* place : {&branch.where, &branch.next.to, &branch.other.to}) rename(place->file);
  }
  // Two names of one file are one file now.
  vgpu::BranchCoverage branches;
  vgpu::merge_branches(branches, observation.branches);
  observation.branches = std::move(branches);
  vgpu::LineCoverage coverage;
  for (const auto& [file, lines] : observation.coverage) {
    std::string own = file;
    rename(own);
    for (const auto& [line, count] : lines) coverage[own][line] += count;
  }
  observation.coverage = std::move(coverage);
}

}  // namespace cudalabs::runner
