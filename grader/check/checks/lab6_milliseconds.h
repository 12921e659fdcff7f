// Whether lab 6's functions return milliseconds.
#pragma once

#include <string>
#include <string_view>

#include "check/checks/lab6_times.h"
#include "check/matchers.h"

namespace cudalabs::lab6 {

/// Of a single time whose text says that it is a power of ten too much: why, where the source shows it.
std::string why_too_much(const CaseRun& case_run, const TimeFault& fault);

/// Fails where all times of a function are the same power of ten too much: then that is what is wrong with them. Of a
/// thousandth the source has to show why, since a time of nothing is about as short.
class ReturnMilliseconds : public CaseMatcher {
 public:
  ReturnMilliseconds(const Cases& cases, TimeObjection* because);

  bool fails() const { return power_ != 0; }

 private:
  TimeFault fault(const CaseRun& case_run) const;
  std::string objection(const CaseRun& case_run) const override;
  bool says_what_to_do(const CaseRun&) const override { return true; }
  std::string_view property() const override { return "did not return milliseconds"; }

  TimeObjection* objection_;
  int power_ = 0;
  std::string why_;
};

}  // namespace cudalabs::lab6
