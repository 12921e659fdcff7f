#include "explain/kept/left_by_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "explain/kept/static_variables.h"
#include "source/setting_text.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// Every case that shows it comes after one in which calls failed.
bool comes_after_failure(const MergedFinding& finding, const SubmissionRun& submission_run) {
  bool seen = false;
  for (const CaseRun& run : submission_run.case_runs) {
    if (!finding.is_seen_in(run.test.spec.name)) continue;
    if (!run.before || !run.before->spec.faults.any()) return false;
    seen = true;
  }
  return seen;
}

}  // namespace

void show_left_by_failure(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run) {
  const auto is_meant = [&](const MergedFinding& finding) {
    return finding.right_at_first && finding.is_of_output() && !finding.where.known() &&
           comes_after_failure(finding, submission_run);
  };
  if (std::ranges::none_of(findings, is_meant)) return;
  const std::string code = without_comments(source);
  const std::set<std::string_view> kept = static_variables(code);
  if (kept.size() != 1) return;
  const std::string_view name = *kept.begin();
  const Setting declared = setting_at_place(code, static_cast<std::size_t>(name.data() - code.data()), name);
  for (MergedFinding& finding : findings) {
    if (!is_meant(finding)) continue;
    finding.where = {file, declared.line, declared.column};
    finding.help = fmt::format(
        "`{}` still has what the failed call left in it: set it back at the beginning of each call, or declare it "
        "inside the function without `static`",
        name);
  }
}

}  // namespace cudalabs
