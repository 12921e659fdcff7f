// The text tells the axes, and the launches whether they differ.
#include "explain/elements/crossed_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/origin_place.h"
#include "source/called_functions.h"
#include "source/function_text.h"
#include "source/step_axis.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

bool is_race(const Finding& finding) {
  return finding.id == finding_ids::kGlobalRace || finding.id == finding_ids::kSharedRace;
}

bool may_come_of_step(const MergedFinding& finding) {
  using namespace finding_ids;
  const bool is_kind = is_race(finding) || finding.id == kUnwrittenOutput || finding.id == kResultMismatch ||
                       finding.id == kWrongWhenTimed || finding.id == kUninitializedRead;
  return is_kind && !finding.proven && !finding.known;
}

/// Of what was timed, all that were launched in some case, for the launch which the finding shows is the last one, and
/// need not be of the kernel that leaves something out.
std::set<std::string> kernels_of(const MergedFinding& finding, const SubmissionRun& submission_run) {
  if (finding.id != finding_ids::kWrongWhenTimed) return {plain_name(finding.kernel)};
  constexpr std::size_t kMostKernels = 16;
  std::set<std::string> kernels;
  for (const CaseRun& case_run : submission_run.case_runs) {
    for (const vgpu::LaunchCounters& launch : case_run.observed.launches) {
      if (kernels.size() < kMostKernels) kernels.insert(plain_name(launch.kernel));
    }
  }
  return kernels;
}

/// Two axes of the grid, or else of the block.
struct TwoAxes {
  std::size_t first = 0, second = 0;
  bool of_grid = false;
};

/// Some launch of the kernel, in a case of the finding, has different extents along the two axes. What was timed is of
/// no case.
bool axes_differ(const TwoAxes& axes, const std::string& kernel, const MergedFinding& finding,
                 const SubmissionRun& submission_run) {
  return std::ranges::any_of(submission_run.case_runs, [&](const CaseRun& case_run) {
    if (!finding.cases.empty() && !finding.is_seen_in(case_run.test.spec.name)) return false;
    return std::ranges::any_of(case_run.observed.launches, [&](const vgpu::LaunchCounters& launch) {
      const auto& extents = axes.of_grid ? launch.config.grid : launch.config.block;
      return plain_name(launch.kernel) == kernel && extents[axes.first] != extents[axes.second];
    });
  });
}

std::string help_for_step(const CrossedStep& crossed, bool is_shown) {
  return fmt::format(
      "`{}` begins with `{}` and goes on by `{}`{}: the step of a loop belongs to the axis of its first value; "
      "write `{}`",
      crossed.counter, crossed.begin, crossed.step, is_shown ? "" : fmt::format(" of line {}", crossed.line),
      crossed.meant);
}

void place_at_cause(MergedFinding& finding, std::uint32_t line, std::uint32_t column) {
  if (is_race(finding)) return;
  const SourcePlace before = finding.where;
  finding.where = {before.file, line, column};
  finding.other.reset();
  const bool stores = finding.id == finding_ids::kUnwrittenOutput || finding.id == finding_ids::kResultMismatch;
  if (stores && before.line != line) finding.other = OtherPlace{std::string(kStoredHere), before, {}, {}};
}

void show_step(MergedFinding& finding, const CrossedStep& crossed) {
  finding.help = help_for_step(crossed, !is_race(finding));
  finding.proposed = ProposedChange{crossed.line, crossed.column, crossed.step, crossed.meant};
  place_at_cause(finding, crossed.line, crossed.column);
}

void show_product(MergedFinding& finding, const CrossedProduct& product) {
  finding.help = fmt::format(
      "`{}` is multiplied by `{}` in line {}, but `{}` by `{}`: such a step does not fit the blocks; write `{}`",
      product.number, product.extent, product.line, product.begin, product.meant, product.meant);
  finding.proposed = ProposedChange{product.line, product.column, product.extent, product.meant};
  place_at_cause(finding, product.line, product.column);
}

}  // namespace

void show_crossed_axes(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                       const SubmissionRun& submission_run) {
  if (std::ranges::none_of(findings, may_come_of_step)) return;
  const std::string code = without_comments(source);
  const std::vector<CrossedStep> all = crossed_steps(code);
  for (MergedFinding& finding : findings) {
    if (!may_come_of_step(finding) || !finding.where.known() || !finding.is_in_file(file)) continue;
    for (const std::string& kernel : kernels_of(finding, submission_run)) {
      if (kernel.empty()) continue;
      const std::vector<FunctionBody> functions = functions_reached_from(code, kernel);
      const auto crossed = std::ranges::find_if(all, [&](const CrossedStep& each) {
        return function_at(functions, each.loop) != nullptr &&
               axes_differ({each.begin_axis, each.step_axis, each.of_grid}, kernel, finding, submission_run);
      });
      if (crossed != all.end()) {
        show_step(finding, *crossed);
        break;
      }
      const auto product = crossed_product(code, functions);
      if (!product || !axes_differ({product->axis, product->other_axis, false}, kernel, finding, submission_run))
        continue;
      show_product(finding, *product);
      break;
    }
  }
}

}  // namespace cudalabs
