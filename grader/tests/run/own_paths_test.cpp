// Every file name in an observation becomes the student's.
#include "run/own_paths.h"

#include "catch.h"

namespace cudalabs::runner {
namespace {

TEST_CASE("findings, coverage and barriers name the student's file", "[run]") {
  Observation observation;
  Finding finding;
  finding.where = {"/submission/a.cu", 3, 1};
  finding.other = OtherPlace{"earlier write", {"submission/a.cu", 2, 0}, {}, {}};
  observation.findings = {finding};
  observation.coverage = {
      {"/submission/a.cu", {{3, 10}, {4, 1}}}, {"submission/a.cu", {{3, 5}}}, {"other.h", {{1, 1}}}};
  observation.barriers.sites = {{"kernel", {"/tmp/cudalabs-x/submission/a.cu", 7, 0}, 1}};
  observation.branches = {
      {{"/submission/a.cu", 3, 1}, {{"/submission/a.cu", 4, 1}, 10}, {{"submission/a.cu", 6, 1}, 1}},
      {{"submission/a.cu", 3, 1}, {{"submission/a.cu", 4, 1}, 5}, {{"submission/a.cu", 6, 1}, 2}}};
  observation.accesses.emplace_back().where = {"/submission/a.cu", 5, 2};
  observation.writers = {
      {"c", "kernel", {"/submission/a.cu", 6, 3}, {{vgpu::OriginKind::half, {"/submission/a.cu", 4, 1}, {}}}}};
  observation.watched = {{"cudaEventRecord", 0, {"/submission/a.cu", 8, 0}}};
  observation.after_failure = observation.after_launch = observation.watched;
  observation.failed = {"cudaFree", 1, {"/submission/a.cu", 9, 0}};
  observation.refused = {"cudaMalloc", 1, {"a.cu", 10, 0}};  // as nvcc calls it in templates
  observation.freed_before = {"/submission/a.cu", 11, 0};
  observation.host_writes = {{"c", "cudaMemset", {"/submission/a.cu", 12, 0}}};
  observation.mutants.reads.push_back({"a", {{"/submission/a.cu", 13, 0}}, {}, {}, {}});
  use_own_paths(observation, {{"submission/a.cu", "mine/a.cu"}});
  CHECK(observation.findings[0].where == SourcePlace{"mine/a.cu", 3, 1});
  CHECK(observation.findings[0].other->place.file == "mine/a.cu");
  CHECK(observation.coverage == vgpu::LineCoverage{{"mine/a.cu", {{3, 15}, {4, 1}}}, {"other.h", {{1, 1}}}});
  CHECK(observation.branches ==
        vgpu::BranchCoverage{{{"mine/a.cu", 3, 1}, {{"mine/a.cu", 4, 1}, 15}, {{"mine/a.cu", 6, 1}, 3}}});
  CHECK(observation.accesses[0].where == SourcePlace{"mine/a.cu", 5, 2});
  CHECK(observation.barriers.sites[0].where.file == "mine/a.cu");
  CHECK(observation.writers[0].where == SourcePlace{"mine/a.cu", 6, 3});
  CHECK(observation.writers[0].origins[0].where == SourcePlace{"mine/a.cu", 4, 1});
  CHECK(observation.watched[0].where.file == "mine/a.cu");
  CHECK(observation.after_failure[0].where.file == "mine/a.cu");
  CHECK(observation.after_launch[0].where.file == "mine/a.cu");
  CHECK(observation.failed->where.file == "mine/a.cu");
  CHECK(observation.refused->where.file == "mine/a.cu");
  CHECK(observation.freed_before.file == "mine/a.cu");
  CHECK(observation.host_writes[0].where.file == "mine/a.cu");
  CHECK(observation.mutants.reads[0].places[0].file == "mine/a.cu");
}

TEST_CASE("a name without a folder is the student's file, too", "[run]") {
  Observation observation;
  observation.findings.resize(2);
  observation.findings[0].where = {"a.cu", 3, 1};
  observation.findings[1].where = {"other/a.cu", 3, 1};
  use_own_paths(observation, {{"submission/a.cu", "mine/a.cu"}, {"lab/a.h", "a.h"}});
  CHECK(observation.findings[0].where.file == "mine/a.cu");
  CHECK(observation.findings[1].where.file == "other/a.cu");
}

}  // namespace
}  // namespace cudalabs::runner
