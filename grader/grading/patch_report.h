// A change with which a wrong submission passes, in a report: where one is worth to be looked for, and how it is told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "patch/patch.h"
#include "report/report.h"

namespace cudalabs {

/// A change with which a submission passes.
struct HelpfulPatch {
  patch::Patch patch;
  SourcePlace where;                      // in the submission
  std::vector<std::uint32_t> also = {};   // other lines in which the same change helps as well
  std::vector<std::string> failing = {};  // ids of checks that fail all the same, on speed and quality alone
  std::string reason = {};                // half a sentence; empty: the place of the change does not tell it
};

/// The check that changes must make pass, where no case is wrong: the one that is told first, or the one that fails
/// because of the first finding, of memory that is not freed. Empty: there is none.
std::string check_of_changes(const Report& report);

/// Of a check on speed: that it failed because the program is wrong at the size at which it is timed, and not because
/// it is slow. A change with which that is so is no cure: the smaller cases are right by chance.
bool fails_by_error(const Report& report, const CheckResult& check);

/// Whether it is worth to try changes: a check failed that does not ask for speed, and what is told first does not say
/// what to change (HelpScope). So it is where the help proposes a change that has not been tried.
bool is_worth_patches(const Report& report, bool proposes = false);

/// The check's result; null: the report has none.
const CheckResult* check_of(const Report& report, std::string_view id);

/// Says so in what the report tells first.
void show_patch(Report& report, const HelpfulPatch& helpful);

}  // namespace cudalabs
