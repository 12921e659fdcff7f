// From the evidence to what was asked for.
#include "cli/looks.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/case_name.h"
#include "cli/coverage_files.h"
#include "cli/usage_error.h"
#include "cli/write_file.h"
#include "grading/trials.h"

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
  if (command.coverage) make_folder("--coverage", *command.coverage);
  if (command.pictures) make_folder("--pictures", *command.pictures);
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
  if (!command_.pictures) return;
  for (const Trial& trial : evidence.trials) {
    const datasets::CaseSpec& spec = trial.test.spec;
    if (spec.hidden) continue;
    const auto number = std::ranges::find(lab_.cases, spec.name, &datasets::CaseSpec::name) - lab_.cases.begin() + 1;
    pictures_.add(trial, *command_.pictures / fmt::format("{:02}_{}", number, spec.name));
    ++pictured_;
  }
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
  if (pictured_ > 0) {
    pictures_.write();
    text += '\n' + pictures_text();
  }
  return text;
}

std::string Looks::pictures_text() const {
  if (pictures_.empty())
    return fmt::format("--pictures: nothing in {} has two dimensions, so there is nothing to draw\n", lab_.id);
  std::string text = fmt::format("wrote pictures of {} {} into {}\n", pictured_, pictured_ == 1 ? "case" : "cases",
                                 (*command_.pictures / "").string());
  for (const PictureFiles::Wrong& wrong : pictures_.wrong()) {
    text += fmt::format("  {}: {} of {} wrong in {}\n", wrong.map.string(), wrong.pixels, wrong.of, wrong.output);
  }
  if (!pictures_.wrong().empty()) text += std::string(kMapLegend) + '\n';
  return text;
}

std::filesystem::path Looks::picture_file() const {
  return lab_.id + "-access.svg";
}

}  // namespace cudalabs
