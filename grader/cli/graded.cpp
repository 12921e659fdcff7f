#include "cli/graded.h"

#include <utility>

#include "cli/next_steps.h"
#include "cli/progress.h"
#include "grading/grading.h"

namespace cudalabs {

Report graded(const GradeCommand& command, const Lab& lab, const Submission& submission, Looks* looks) {
  Progress progress;
  GradingResult result = grade({.lab = &lab,
                                .submission = submission,
                                .seed = command.seed,
                                .device = command.target.device,
                                .frontend = command.target.frontend,
                                .record_accesses = command.explain.has_value(),
                                .catch_arguments = command.catch_arguments,
                                .progress = [&](const std::string& text) { progress.say(text); }});
  if (looks != nullptr && result.evidence) looks->take(*result.evidence);
  result.report.next_steps = next_steps(lab, result.report, command);
  return std::move(result.report);
}

}  // namespace cudalabs
