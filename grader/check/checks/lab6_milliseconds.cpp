#include "check/checks/lab6_milliseconds.h"

#include <algorithm>
#include <array>

#include "check/checks/lab6_units.h"

namespace cudalabs::lab6 {
namespace {

/// The function that a case calls; empty: another one.
std::string_view function_of(const CaseRun& case_run) {
  constexpr std::array<std::string_view, 4> kFunctions{"", "launch_ms", "kernel_ms_host", "kernel_ms_events"};
  const auto& parameters = case_run.test.spec.parameters;
  const auto function = parameters.find("function");
  const bool measures = function != parameters.end() && function->second > 0 && function->second < 4;
  return measures ? kFunctions.at(static_cast<std::size_t>(function->second)) : std::string_view();
}

}  // namespace

std::string why_too_much(const CaseRun& case_run, const TimeFault& fault) {
  const bool says_so = fault.power > 0 && fault.text == fault.seen + times_too_much(fault.power);
  return says_so ? why_other_unit(fault.power, submission_run().source, function_of(case_run)) : std::string();
}

ReturnMilliseconds::ReturnMilliseconds(const Cases& cases, TimeObjection* because) : objection_(because) {
  if (cases.case_runs.size() < 2) return;
  const CaseRun& first = *cases.case_runs.front();
  const int power = fault(first).power;
  const auto is_same = [&](const CaseRun* case_run) { return fault(*case_run).power == power; };
  if (power == 0 || !std::ranges::all_of(cases.case_runs, is_same)) return;
  why_ = why_other_unit(power, submission_run().source, function_of(first));
  if (power > 0 || !why_.empty()) power_ = power;
}

TimeFault ReturnMilliseconds::fault(const CaseRun& case_run) const {
  if (case_run.observed.end != RunEnd::finished) return {};
  return time_objection(case_run, returned_by(case_run), objection_);
}

std::string ReturnMilliseconds::objection(const CaseRun& case_run) const {
  return fails() ? fault(case_run).seen + times_too_much(power_) + why_ : std::string();
}

}  // namespace cudalabs::lab6
