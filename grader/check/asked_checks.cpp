// The checks of ordinary kinds: what lab.toml asks, as assertions.
#include "check/asked_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "check/matchers.h"
#include "check/submission_run.h"

namespace cudalabs {
namespace {

Cases chosen(const Lab& lab, const Check& check) {
  const auto has_tag = [&](const datasets::CaseSpec& spec) {
    return std::ranges::find(spec.tags, check.id) != spec.tags.end();
  };
  if (check.cases == CaseChoice::tagged && std::ranges::any_of(lab.cases, has_tag)) return cases(check.id);
  Cases found = all_cases();
  if (check.cases == CaseChoice::undisturbed)
    std::erase_if(found.case_runs, [](const CaseRun* case_run) { return case_run->test.spec.faults.any(); });
  return found;
}

void assert_ask(const Lab& lab, const Check& check, const Ask& ask) {
  switch (ask.kind) {
    case Ask::Kind::builds:
      REQUIRE_THAT(submission_run().build, is_built());
      return;
    case Ask::Kind::right_results:
      REQUIRE_THAT(chosen(lab, check), give_right(check.output));
      return;
    case Ask::Kind::complete_results:
      REQUIRE_THAT(chosen(lab, check), write_everything());
      return;
    case Ask::Kind::message_on_failure:
      REQUIRE_THAT(chosen(lab, check), say_what_failed());
      return;
    case Ask::Kind::fast_enough:
      REQUIRE_THAT(speed_of(check.id), is_fast_enough());
      return;
    case Ask::Kind::none:
      REQUIRE_THAT(chosen(lab, check), have_none({ask.findings.begin(), ask.findings.end()}));
      return;
  }
}

}  // namespace

void assert_asked(std::string_view id) {
  const Lab& lab = *submission_run().lab;
  const auto check = std::ranges::find(lab.checks, id, &Check::id);
  if (check == lab.checks.end()) throw std::logic_error(fmt::format("{} has no check \"{}\"", lab.id, id));
  for (const Ask& ask : check->asks) assert_ask(lab, *check, ask);
}

}  // namespace cudalabs
