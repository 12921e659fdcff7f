// What a sample's grading may take.
#include "lint/time_use.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::lint;

namespace {

Sample sample_of(SampleKind kind, std::set<std::string> findings = {}) {
  Sample sample;
  sample.kind = kind;
  sample.expected.names = std::move(findings);
  return sample;
}

}  // namespace

TEST_CASE("a sample that is not there to use up its time stays within a student's") {
  const Sample solution = sample_of(SampleKind::solution);
  const double limit = 28 * more_time_for(solution);
  CHECK(more_time_for(solution) > 1);
  CHECK(long_time(solution, 27.9, limit).empty());
  CHECK_THAT(long_time(solution, 30, limit), contains_text("30.0 s of processor time, where a student's"));
}

TEST_CASE("a sample that is there to use up its time has a student's, and may") {
  for (const Sample& sample : {sample_of(SampleKind::hostile), sample_of(SampleKind::wrong, {"timed-out"}),
                               sample_of(SampleKind::wrong, {"time-budget"})}) {
    CHECK(more_time_for(sample) == 1);
    CHECK(long_time(sample, 30, 28).empty());
  }
}
