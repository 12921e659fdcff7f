// From the evidence to what was asked for.
#include "cli/looks.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/case_name.h"
#include "cli/coverage_files.h"
#include "cli/trials.h"
#include "cli/usage_error.h"
#include "cli/write_file.h"

namespace cudalabs {
namespace {

/// The device code a student can read and change, merged over all cases.
KernelCoverage coverage_of(const Evidence& evidence, const std::string& source) {
  KernelCoverage coverage;
  for (const Trial& trial : evidence.trials) {
    ++coverage.cases;
    vgpu::merge_branches(coverage.branches, trial.observed.branches);
    const auto lines = trial.observed.coverage.find(source);
    if (lines == trial.observed.coverage.end()) continue;
    for (const auto& [line, threads] : lines->second) coverage.lines[source][line] += threads;
  }
  std::erase_if(coverage.branches, [&](const vgpu::BranchCount& branch) { return branch.where.file != source; });
  return coverage;
}

/// Of the device code a student can read and change. Nothing when the case was not run.
std::optional<AccessPicture> accesses_of(const Evidence& evidence, const std::string& source) {
  const std::string name = case_to_explain(*evidence.lab);
  const auto trial =
      std::ranges::find_if(evidence.trials, [&](const Trial& each) { return each.test.spec.name == name; });
  if (trial == evidence.trials.end()) return std::nullopt;
  AccessPicture picture{evidence.lab->id, describe(trial->test.spec), trial->observed.accesses};
  std::erase_if(picture.samples, [&](const vgpu::AccessSample& sample) { return sample.where.file != source; });
  return picture;
}

}  // namespace

Looks::Looks(const GradeCommand& command, const Lab& lab, const Submission& submission)
    : command_(command), lab_(lab), submission_(submission) {
  if (command.coverage) make_coverage_folder(*command.coverage);
  if (command.explain && !command.explain->empty() && command.explain->extension() != ".svg") {
    throw UsageError(
        fmt::format("--explain {}: the picture is SVG, so its file is to end in .svg; without a name it is {}",
                    command.explain->string(), picture_file().string()));
  }
}

void Looks::take(const Evidence& evidence) {
  if (evidence.trials.empty()) return;  // there is nothing to see of what does not compile
  if (command_.coverage) coverage_ = coverage_of(evidence, submission_.source.string());
  if (command_.explain) accesses_ = accesses_of(evidence, submission_.source.string());
}

std::string Looks::show(const SourceText& sources, const TerminalStyle& style) const {
  std::string text;
  if (coverage_) {
    text += '\n' + render_coverage(*coverage_, sources, style);
    text += write_coverage(*coverage_, lab_.id, *command_.coverage);
  }
  if (accesses_) {
    const std::filesystem::path file = command_.explain->empty() ? picture_file() : *command_.explain;
    write_file(file, render_access_svg(*accesses_, sources));
    text += '\n' + render_accesses(*accesses_, sources, style) + fmt::format("wrote {}\n", file.string());
  }
  return text;
}

std::filesystem::path Looks::picture_file() const {
  return lab_.id + "-access.svg";
}

}  // namespace cudalabs
