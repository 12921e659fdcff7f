// Allocations that are as large as an array of the case, and others.
#include "check/right_size.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

/// An allocation of so many bytes, of which a kernel accesses four times as many.
Finding blamed(std::uint64_t bytes) {
  Finding finding;
  finding.id = finding_ids::kGlobalOutOfBounds;
  finding.message = "`lab1::add<256, 4>` accesses 4 times as many bytes as the allocation has";
  finding.where = {"k.cu", 35, 9};
  finding.note =
      std::to_string(bytes) + " bytes allocated, " + std::to_string(4 * bytes) + " needed: is `sizeof` missing?";
  finding.help = "sizes are in bytes";
  finding.access.past_end_of = bytes;
  finding.access.what = "write of 4 bytes";
  finding.other = OtherPlace{"write of 4 bytes past its end",
                             {"k.cu", 20, 10},
                             Index3{0, 0, 0},
                             Index3{3, 0, 0},
                             PlaceRole::access,
                             "lab1::add<256, 4>"};
  return finding;
}

Finding after_judging(Finding finding, std::int64_t elements) {
  CaseRun case_run;
  case_run.test.expected = {expected_matrix(1, elements)};
  std::vector<Finding> findings{std::move(finding)};
  blame_access(findings, case_run);
  return findings.front();
}

}  // namespace

TEST_CASE("of an allocation as large as an array of the case the access is to blame", "[check]") {
  const Finding finding = after_judging(blamed(1024), 256);
  CHECK(finding.where == SourcePlace{"k.cu", 20, 10});
  CHECK(finding.thread == Index3{3, 0, 0});
  CHECK(finding.kernel == "lab1::add<256, 4>");
  CHECK(finding.message == "write of 4 bytes past the end of an array");
  CHECK(finding.note == "1024 bytes are allocated, as many as an array of this case has");
  CHECK_FALSE(finding.other);
  CHECK_THAT(finding.help, contains_text("conditions around this access"));
}

TEST_CASE("it may be an array of the first of two calls, or an input", "[check]") {
  CaseRun case_run;
  case_run.test.expected = {expected_matrix(1, 7)};
  case_run.before = datasets::Case{};
  case_run.before->inputs = {float_matrix("a", 2, 128)};
  std::vector<Finding> findings{blamed(1024)};
  blame_access(findings, case_run);
  CHECK(findings.front().where.line == 20);
}

TEST_CASE("an allocation of as many bytes as there are elements stays to blame", "[check]") {
  CHECK(after_judging(blamed(256), 256) == blamed(256));
  // One number is as large as four blocks.
  CHECK(after_judging(blamed(4), 1) == blamed(4));
  Finding beside = blamed(1024);
  beside.other->role = PlaceRole::allocation;
  CHECK(after_judging(beside, 256) == beside);
  Finding other = blamed(1024);
  other.id = finding_ids::kUninitializedRead;
  CHECK(after_judging(other, 256) == other);
}

}  // namespace cudalabs::test
