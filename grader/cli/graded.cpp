#include "cli/graded.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/invocation.h"
#include "cli/next_steps.h"
#include "cli/progress.h"
#include "cli/project.h"
#include "grading/grading.h"
#include "vgpu/usable_processors.h"

namespace cudalabs {

namespace {

/// The folder of the lab that comes after this one; empty for the last.
std::string folder_after(const Lab& lab) {
  const std::vector<std::filesystem::path> folders = find_labs(project_root() / "labs");
  const auto own = std::ranges::find(folders, lab.slug, [](const auto& folder) { return folder.filename().string(); });
  return own == folders.end() || std::next(own) == folders.end() ? "" : std::next(own)->filename().string();
}

}  // namespace

Report graded(const GradeCommand& command, const Lab& lab, const Submission& submission,
              RequestedArtifacts* artifacts) {
  Progress progress;
  const bool tries = command.tries_patches && command.catch_arguments.empty();
  GradingResult result = grade({.lab = &lab,
                                .submission = submission,
                                .seed = command.seed,
                                .device = command.target.device,
                                .frontend = command.target.frontend,
                                .record_accesses = command.explain || command.html,
                                .catch_arguments = command.catch_arguments,
                                .patches_at_a_time = tries ? std::clamp(vgpu::usable_processors(), 1U, 8U) : 0,
                                .progress = [&](const std::string& text) { progress.say(text); }});
  if (artifacts != nullptr && result.submission_run) artifacts->take(*result.submission_run);
  result.report.next_steps = next_steps(lab, result.report, command, folder_after(lab), invocation());
  return std::move(result.report);
}

}  // namespace cudalabs
