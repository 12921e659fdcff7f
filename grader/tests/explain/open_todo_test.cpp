// What a submission has left open of its skeleton, and when that is why it falls short.
#include "explain/open_todo.h"

#include "catch.h"
#include "tests/check/make.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

constexpr std::string_view kSkeleton = R"(#include "sum.h"

__global__ void kernel(float* c) {
  // TODO 1: Which element is mine? Compute
  //         `i`.

  // TODO 2: Store it.
}

void sum(float* c) {
  // TODO 3: Choose a block.
  kernel<<<1, 1>>>(c);
  // TODO 4: Ask.
}
)";

/// The skeleton with texts replaced.
std::string filled_in(const std::vector<std::pair<std::string_view, std::string_view>>& changes) {
  std::string text(kSkeleton);
  for (const auto& [from, to] : changes) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  }
  return text;
}

std::vector<int> open_in(const std::string& submission) {
  std::vector<int> numbers;
  for (const OpenTodo& todo : open_todos(kSkeleton, submission)) numbers.push_back(todo.number);
  return numbers;
}

using OpenNumbers = std::vector<int>;

TEST_CASE("comments go, lines and literals stay") {
  CHECK(without_comments("a // b\nc /* d\n */ e") == "a  \nc  \n e");
  CHECK(without_comments("f(\"// no \\\" comment\"); // one") == "f(\"// no \\\" comment\");  ");
  CHECK(without_comments("/* never ends") == " ");
}

TEST_CASE("of an untouched skeleton everything is open, whatever its white space") {
  CHECK(open_in(std::string(kSkeleton)) == OpenNumbers{1, 2, 3, 4});
  CHECK(open_todos(kSkeleton, kSkeleton)[1] == OpenTodo{2, 7, 3});
  CHECK(open_in(filled_in({{"  // TODO 2", "\n\n// TODO 2"}, {"// TODO 4", "// a remark\n  // TODO 4"}})) ==
        OpenNumbers{1, 2, 3, 4});
  CHECK(open_todos(kSkeleton, "").empty());
}

TEST_CASE("code below a comment closes it, and so does taking the comment away") {
  CHECK(open_in(filled_in({{"`i`.\n", "`i`.\n  const int i = 0;\n"}})) == OpenNumbers{2, 3, 4});
  CHECK(open_in(filled_in({{"// TODO 1: Which element is mine? Compute\n  //         `i`.", "const int i = 0;"}})) ==
        OpenNumbers{2, 3, 4});
  CHECK(open_in(filled_in({{"<<<1, 1>>>", "<<<4, 256>>>"}})) == OpenNumbers{1, 2, 4});
  CHECK(open_in(filled_in({{"Ask.", "Ask.\n  check();"}})) == OpenNumbers{1, 2, 3});
}

TEST_CASE("code below the last of several comments, or above the first, may be for all of them") {
  CHECK(open_in(filled_in({{"Store it.", "Store it.\n  c[i()] = 1;"}})) == OpenNumbers{3, 4});
  CHECK(open_in(filled_in({{"float* c) {\n  // TODO 1", "float* c) {\n  c[i()] = 1;\n  // TODO 1"}})) ==
        OpenNumbers{3, 4});
}

TEST_CASE("a comment without a number, or within a line, is none") {
  CHECK(open_todos("// TODO: later\nf();\n", "// TODO: later\nf();\n").empty());
  CHECK(open_todos("f();  // TODO 1\n", "f();  // TODO 1\n").empty());
}

struct Graded {
  Lab lab;
  SubmissionRun run;
  std::vector<MergedFinding> findings;
  std::vector<TestOutcome> outcomes;

  std::optional<MergedFinding> unfinished() const {
    const std::vector<OpenTodo> open{{2, 7, 3}, {3, 11, 3}, {4, 13, 3}};
    return cudalabs::unfinished(open, "my/sum.cu", run, findings, outcomes);
  }
};

/// One case, whose output is as it was before, and a check that failed.
void make_unwritten(Graded& graded, std::int64_t unwritten) {
  graded.lab.checks.resize(2);
  graded.lab.checks[0].id = "right";
  graded.lab.checks[0].category = Category::correctness;
  graded.lab.checks[1].id = "fast";
  graded.lab.checks[1].category = Category::speed;
  graded.run.lab = &graded.lab;
  graded.run.build.ok = true;
  datasets::Array output = float_matrix("c", 4, 4);
  for (std::int64_t i = 0; i < unwritten; ++i) poison(output, i);
  graded.run.case_runs = {case_run_with("small", expected_matrix(4, 4), output)};
  graded.findings = merge_findings(graded.run);
  graded.outcomes.resize(1);
  graded.outcomes[0].test.tags = {"lab0", "right"};
  graded.outcomes[0].failures = {"wrong"};
}

TEST_CASE("where nothing was written, the first open comment is named, and the others are counted") {
  Graded graded;
  make_unwritten(graded, 16);
  const auto finding = graded.unfinished();
  REQUIRE(finding);
  CHECK(finding->id == finding_ids::kUnfinished);
  CHECK(finding->where == SourcePlace{"my/sum.cu", 7, 3});
  CHECK(finding->message == "TODO 2 is still open: nothing was written for it");
  CHECK(finding->note == "TODO 3 and 4 are open, too");
  CHECK(finding->cases.empty());
  CHECK_FALSE(unfinished({}, "my/sum.cu", graded.run, graded.findings, graded.outcomes));
}

TEST_CASE("what is only partly wrong has another cause, and what a check alone objects to has none") {
  Graded graded;
  make_unwritten(graded, 3);
  CHECK_FALSE(graded.unfinished());
  graded.findings.clear();
  CHECK(graded.unfinished());
  graded.outcomes[0].test.tags = {"lab0", "fast"};
  CHECK_FALSE(graded.unfinished());
  graded.outcomes[0].failures.clear();
  CHECK_FALSE(graded.unfinished());
}

}  // namespace
}  // namespace cudalabs::test
