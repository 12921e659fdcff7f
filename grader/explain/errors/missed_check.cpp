#include "explain/errors/missed_check.h"

#include <fmt/format.h>

#include "source/skipped_check.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {

void show_missed_checks(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kUncheckedLaunch || finding.other || !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    const auto skipped = skipped_check(code, finding.where.line);
    if (!skipped) continue;
    const bool returns = skipped->jump == "return";
    finding.message = returns ? "the function may return before it asks whether this launch went well"
                              : fmt::format("this launch may go unchecked: a `{}` goes past the check", skipped->jump);
    finding.other = OtherPlace{fmt::format("{}, before `{}` is called in line {}",
                                           returns ? "the function returns here" : "the check is passed over here",
                                           skipped->call, skipped->check),
                               {finding.where.file, skipped->line, skipped->column},
                               {},
                               {}};
    finding.help = fmt::format(
        "call `{}` right after the launch, before the `{}` in line {}: where line {} is not reached, nobody sees that "
        "the launch was refused",
        skipped->call, skipped->jump, skipped->line, skipped->check);
  }
}

}  // namespace cudalabs
