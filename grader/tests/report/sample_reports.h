// Reports for the renderers' tests, one for each thing a report can look like.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "report/source_text.h"

namespace cudalabs::test {

Report passing_report();
/// A race with two places, a finding without a place, advice, failed and skipped checks.
Report failing_report();
Report build_failure_report();
Report broken_report();
/// Control characters, escapes, bytes that are not UTF-8, markup and a very long line wherever a submission can put
/// text.
Report hostile_report();
/// Short of what is asked for speed, measured and undecided: part of the points.
Report slow_report();
/// Speeds that were modelled, and one that is not known.
Report modelled_report();

struct NamedReport {
  std::string name;
  Report report;
};
std::vector<NamedReport> all_reports();

/// The lines of a made-up matmul.cu; no other file has any.
class SampleSources : public SourceText {
 public:
  std::string line(std::string_view file, std::uint32_t line) const override;
};

}  // namespace cudalabs::test
