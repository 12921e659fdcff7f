// From the submission run to what was asked for.
#include "cli/requested_artifacts.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/case_name.h"
#include "cli/coverage_files.h"
#include "cli/page_pictures.h"
#include "cli/usage_error.h"
#include "grading/case_runs.h"
#include "page/graded_page.h"
#include "page/measured_ladders.h"
#include "report/write_file.h"

namespace cudalabs {
namespace {

/// The device code a student can read and change, merged over all cases.
KernelCoverage coverage_of(const SubmissionRun& submission_run, const std::string& source) {
  KernelCoverage coverage;
  for (const CaseRun& case_run : submission_run.case_runs) {
    ++coverage.cases;
    vgpu::merge_branches(coverage.branches, case_run.observed.branches);
    const auto lines = case_run.observed.coverage.find(source);
    if (lines == case_run.observed.coverage.end()) continue;
    for (const auto& [line, threads] : lines->second) coverage.lines[source][line] += threads;
  }
  std::erase_if(coverage.branches, [&](const vgpu::BranchCount& branch) { return branch.where.file != source; });
  return coverage;
}

/// Of the device code a student can read and change. Nothing when the case was not run.
std::optional<AccessPicture> accesses_of(const SubmissionRun& submission_run, const std::string& source) {
  const std::string name = case_to_explain(*submission_run.lab);
  const auto case_run =
      std::ranges::find_if(submission_run.case_runs, [&](const CaseRun& each) { return each.test.spec.name == name; });
  if (case_run == submission_run.case_runs.end()) return std::nullopt;
  AccessPicture picture{submission_run.lab->id, describe(case_run->test.spec), case_run->observed.accesses};
  std::erase_if(picture.samples, [&](const vgpu::AccessSample& sample) { return sample.where.file != source; });
  return picture;
}

}  // namespace

RequestedArtifacts::RequestedArtifacts(const GradeCommand& command, const Lab& lab, const Submission& submission)
    : command_(command), lab_(lab), submission_(submission) {
  if (command.coverage) make_folder("--coverage", *command.coverage);
  if (command.pictures) make_folder("--pictures", *command.pictures);
  if (command.explain && !command.explain->empty() && command.explain->extension() != ".svg") {
    throw UsageError(
        fmt::format("--explain {}: the picture is SVG, so its file is to end in .svg; without a name it is {}",
                    command.explain->string(), picture_file().string()));
  }
}

void RequestedArtifacts::take(const SubmissionRun& submission_run) {
  if (submission_run.case_runs.empty()) return;  // there is nothing to see of what does not compile
  const std::string source = submission_.source.string();
  if (command_.coverage || command_.html) coverage_ = coverage_of(submission_run, source);
  if (command_.explain || command_.html) accesses_ = accesses_of(submission_run, source);
  for (const CaseRun& case_run : submission_run.case_runs) {
    const datasets::CaseSpec& spec = case_run.test.spec;
    if (spec.hidden) continue;
    if (command_.html) {
      if (std::optional<page::CasePictures> pictures = pictures_for_page(case_run))
        page_pictures_.push_back(std::move(*pictures));
    }
    if (!command_.pictures) continue;
    const auto& cases = submission_run.lab->cases;
    const auto number = std::ranges::find(cases, spec.name, &datasets::CaseSpec::name) - cases.begin() + 1;
    pictures_.add(case_run, *command_.pictures / fmt::format("{:02}_{}", number, spec.name));
    ++pictured_;
  }
}

std::string RequestedArtifacts::show(const SourceText& sources, const TerminalStyle& style) const {
  std::string text;
  if (command_.coverage && coverage_) {
    text += '\n' + render_coverage(*coverage_, sources, style);
    text += write_coverage(*coverage_, lab_.id, *command_.coverage);
  }
  if (command_.explain && accesses_) {
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

std::string RequestedArtifacts::page(const Report& report, const FileSources& sources) const {
  const std::filesystem::path results = project_root() / "grader" / "bench" / "results";
  return page::render_page({.report = report,
                            .sources = sources,
                            .coverage = coverage_,
                            .accesses = accesses_,
                            .pictures = page_pictures_,
                            .ladders = page::measured_ladders(lab_, report, results)});
}

std::string RequestedArtifacts::pictures_text() const {
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

std::filesystem::path RequestedArtifacts::picture_file() const {
  return lab_.id + "-access.svg";
}

}  // namespace cudalabs
