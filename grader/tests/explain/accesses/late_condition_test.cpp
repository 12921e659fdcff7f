// Accesses of a `do` loop that its condition comes too late for.
#include "explain/accesses/late_condition.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kSource =
    "__device__ float twice(const float* a) { return 2 * a[0]; }\n"
    "__global__ void k(const float* a, float* c, long long count) {\n"
    "  long long id = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;\n"
    "  do {\n"
    "    c[id] = twice(a + id);\n"
    "    id += 256;\n"
    "  } while (id < count);\n"
    "}\n"
    "void f(const float* a, float* c, int m) { k<<<2, 32>>>(a, c, m); }\n";

MergedFinding out_of_bounds(std::uint32_t thread = 21, std::uint32_t block = 0) {
  MergedFinding made{finding(std::string(finding_ids::kGlobalOutOfBounds), 5), {"some"}};
  made.where = {"k.cu", 5, 7};
  made.kernel = "k";
  made.block = Index3{block, 0, 0};
  made.thread = Index3{thread, 0, 0};
  made.launch.given = {{3, 21, false}};
  made.help = "check that `n` and the row length are the ones";
  return made;
}

MergedFinding explained(MergedFinding made, const std::string& source = kSource) {
  SubmissionRun submission_run;
  CaseRun run = case_run_with("some", expected_matrix(3, 7), float_matrix("c", 3, 7));
  run.observed.launches.emplace_back().kernel = "k";
  run.observed.launches.back().config = {{2, 1, 1}, {32, 1, 1}};
  submission_run.case_runs.push_back(std::move(run));
  std::vector<MergedFinding> findings{std::move(made)};
  show_late_conditions(findings, source, "k.cu", submission_run);
  return findings.front();
}

bool is_shown(const std::string& part, const std::string& by, MergedFinding made = out_of_bounds()) {
  std::string source = kSource;
  const std::size_t at = source.find(part);
  REQUIRE(at != std::string::npos);
  return explained(std::move(made), source.replace(at, part.size(), by)).proven;
}

}  // namespace

TEST_CASE("a thread that the condition of a `do` loop would keep out is told of") {
  const MergedFinding found = explained(out_of_bounds());
  REQUIRE(found.other);
  CHECK(found.other->place.line == 7);
  CHECK(found.other->place.column == 12);
  CHECK_THAT(found.help, contains_text("line 4 makes its first round before it asks `id < count`: this thread begins "
                                       "with `id` = 21 where `count` is 21, and comes to line 5"));
  CHECK_THAT(found.help, !contains_text("row length"));
  CHECK_THAT(explained(out_of_bounds(1, 1)).help, contains_text("`id` = 33"));
}

TEST_CASE("of an access in a function that is called in the loop the call counts") {
  MergedFinding called = out_of_bounds();
  called.where = {"k.cu", 1, 53};
  CHECK_FALSE(explained(called).proven);
  called.other = OtherPlace{"called here", {"k.cu", 5, 13}, {}, {}, PlaceRole::call};
  CHECK(explained(called).proven);
}

TEST_CASE("where the condition may hold, or is asked before, nothing is said of it") {
  CHECK_FALSE(explained(out_of_bounds(20)).proven);  // it is true for this thread
  CHECK(is_shown("id < count);", "id < count && id < 4096);"));
  CHECK_FALSE(is_shown("id < count);", "id < count || id < 4);"));
  CHECK_FALSE(is_shown("id < count);", "id <= count);"));
  CHECK_FALSE(is_shown("id < count);", "more(id));"));
  CHECK_FALSE(is_shown("  do {", "  while (id < count) {"));
  CHECK_FALSE(is_shown("  do {", "  if (id > 5) { id = 0; }\n  do {"));
  CHECK_FALSE(is_shown("  do {\n", "  do { id = count - 1;\n"));
  MergedFinding other = out_of_bounds();
  other.launch.given.clear();  // what was given is not known
  CHECK_FALSE(explained(other).proven);
}

}  // namespace cudalabs::test
