#include "cli/next_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/exit_code.h"
#include "datasets/picture.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {

namespace {

/// "./grade lab3", with the submission where one was named.
std::string grade_command(const Lab& lab, const GradeCommand& command, const Invocation& how) {
  return how.typed + " " + lab.id + words_of(command.target);
}

std::vector<std::string> steps_of_the_best(const Lab& lab, const GradeCommand& command, const std::string& next_lab,
                                           const Invocation& how) {
  std::vector<std::string> steps;
  const std::string next_id = next_lab.substr(0, next_lab.find('_'));
  if (!next_lab.empty())
    steps.push_back(how.installed
                        ? fmt::format("next: {} start {}", how.typed, next_id)
                        : fmt::format("next: labs/{0}, then make {1} && {2} {1}", next_lab, next_id, how.typed));
  if (!command.explain)
    steps.push_back(fmt::format("see how a warp accesses memory: {} --explain", grade_command(lab, command, how)));
  return steps;
}

bool has_wrong_elements(const Report& report) {
  return std::ranges::any_of(report.findings, [](const Finding& finding) {
    return finding.id == finding_ids::kResultMismatch || finding.id == finding_ids::kUnwrittenOutput ||
           finding.id == finding_ids::kNonfiniteResult;
  });
}

}  // namespace

std::string words_of(const Target& target) {
  if (target.submission) return " --submission " + typed_word(target.submission->string());
  return target.solution ? " --solution" : "";
}

std::vector<std::string> next_steps(const Lab& lab, const Report& report, const GradeCommand& command,
                                    const std::string& next_lab, const Invocation& how) {
  if (exit_code_of(report) == kInternalError) {
    return {"the grader failed, not your program; show this report to the person who runs the course"};
  }
  if (report.points >= report.max) return steps_of_the_best(lab, command, next_lab, how);
  const std::string again = grade_command(lab, command, how);
  std::vector<std::string> steps;
  // Who typed a longer command has it in the shell's history, and a path takes rows of the screen.
  const bool is_long = command.target.submission || command.target.solution;
  if (!is_long)
    steps.push_back(how.installed ? "when it is fixed: " + again
                                  : fmt::format("when it is fixed: make {} && {}", lab.id, again));
  if (has_wrong_elements(report) && datasets::picture_generator_for(lab.generator) != nullptr && !command.pictures)
    steps.push_back(is_long ? "see the wrong pixels: add --pictures DIR to the command"
                            : fmt::format("see the wrong pixels: {} --pictures DIR", again));
  const std::string handout =
      how.installed ? (lab.folder / "README.md").string() : fmt::format("labs/{}/README.md", lab.slug);
  steps.push_back(fmt::format("stuck? read {}, or {} hint {}{}", handout, how.typed, lab.id, words_of(command.target)));
  return steps;
}

}  // namespace cudalabs
