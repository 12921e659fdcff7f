// A status that is set again before it is read.
#include "explain/errors/overwritten_status.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_overwritten_status {
namespace {

const std::string kSource = R"(static bool fine(cudaError_t status) {
  return status == cudaSuccess;
}
static cudaError_t reserve(float** p, int n) {
  return cudaMalloc(p, n);
}
void f(int n) {
  bool ok = fine(cudaMalloc(&a, n));
  if (n > 5) work();
  ok = fine(cudaMalloc(&b, n));
  ok = ok && fine(cudaMalloc(&c, n));
}
void g(int n) {
  cudaError_t err;
  err = reserve(&a, n);
  err = cudaMemcpy(
      b, a, n, cudaMemcpyHostToDevice);
  if (err != cudaSuccess) return;
}
)";

std::optional<OverwrittenStatus> of_body(const std::string& body, const std::string& before = "") {
  const std::string code = before + "void f(int n) {\n" + body + "\n}\n";
  const auto line = 2 + static_cast<std::uint32_t>(std::ranges::count(before, '\n'));
  return overwritten_status(code, line, "cudaMalloc");
}

WatchedCall call(const std::string& name, std::uint32_t line, int status = 0, std::uint32_t outer = 0) {
  WatchedCall made{name, status, {"k.cu", line, 0}};
  if (outer != 0) made.outer = {"k.cu", outer, 0};
  return made;
}

MergedFinding null_pointer() {
  MergedFinding finding;
  finding.id = finding_ids::kNullPointerDereference;
  finding.where = {"k.cu", 40, 3};
  finding.kernel = "k";
  finding.message = "write through a null pointer";
  finding.note = "the address is 0";
  finding.help = "as before";
  finding.cases = {"first_allocation"};
  return finding;
}

SubmissionRun run_with(std::vector<WatchedCall> calls, bool faults = true) {
  SubmissionRun run;
  run.case_runs.resize(1);
  run.case_runs.front().test.spec.name = "first_allocation";
  run.case_runs.front().test.spec.faults.allocation = faults ? 1 : 0;
  run.case_runs.front().observed.after_failure = std::move(calls);
  return run;
}

MergedFinding shown(MergedFinding finding, const SubmissionRun& run) {
  std::vector<MergedFinding> findings{std::move(finding)};
  show_overwritten_statuses(findings, kSource, "k.cu", run);
  return findings.front();
}

}  // namespace

TEST_CASE("a status that the next statement with it sets is lost") {
  const auto status = of_body("bool ok = fine(cudaMalloc(&p[0], n));\nif (n > 3) { work(); }\nok = fine(work(n));");
  REQUIRE(status);
  CHECK(status->stored == Setting{{"ok"}, 2, 6});
  CHECK(status->again == Setting{{"ok"}, 4, 1});
  CHECK(status->last_line == 4);
  CHECK(status->truth);
  const auto error = of_body("const auto x = 1; cudaError_t e = cudaMalloc(&a, n);\ne =\n  g(n);");
  REQUIRE(error);
  CHECK(error->last_line == 4);
  CHECK_FALSE(error->truth);
  CHECK(of_body("auto e = cudaMalloc(&a, n);\ne = cudaMalloc(&b, n);"));
  // A message that has the word reads nothing.
  CHECK(of_body("bool ok = fine(cudaMalloc(&a, n));\nputs(\"not ok\");\nok = g();"));
}

TEST_CASE("a status that is read, or kept, is not lost") {
  for (const char* next :
       {"if (ok) work();\nok = g();", "ok = ok && g();", "ok &= g();", "ok |= g();", "if (!(ok = g())) return;",
        "if (n) ok = g();", "if (n) { ok = g(); }", "return ok;", "work(ok);\nok = g();", "while (ok = g()) work();",
        "for (ok = g(); n > 0; --n) work();", "ok == g();", "work();", "if (n > 2) goto done;\nok = g();",
        "other.ok = g();", "} ok = g(); {", "auto f = [&] { return g(); };\nok = g();"}) {
    CAPTURE(next);
    CHECK_FALSE(of_body(std::string("bool ok = fine(cudaMalloc(&a, n));\n") + next));
  }
}

TEST_CASE("only a local variable that keeps a status, and that is set by a whole statement, is followed") {
  for (const char* body :
       {"ok = fine(cudaMalloc(&a, n));\nok = g();", "float* p = from(cudaMalloc(&a, n));\np = g();",
        "auto p = from(cudaMalloc(&a, n));\np = g();", "if (n) ok = fine(cudaMalloc(&a, n));\nok = g();",
        "bool ok = n > 3 ? fine(cudaMalloc(&a, n)) : true;\nok = g();", "fine(cudaMalloc(&a, n));\nok = g();",
        "bool ok = fine(cudaMalloc(&a, n)) && fine(cudaMalloc(&b, n));\nok = g();",
        "for (bool ok = fine(cudaMalloc(&a, n)); n;) work();\nok = g();",
        "bool ok = fine(cudaMalloc(&a, n)); ok = g();", "bool ok = fine(cudaMalloc(&a, n)"}) {
    CAPTURE(body);
    CHECK_FALSE(of_body(body));
  }
}

TEST_CASE("what may read the status unseen keeps it") {
  const std::string body = "cudaError_t e = cudaMalloc(&a, n);\nLOOK;\ne = g();";
  CHECK(of_body(body));
  CHECK(of_body(body, "#define SIZE 8\n"));
  CHECK_FALSE(of_body(body, "#define LOOK if (e) return\n"));
  CHECK_FALSE(of_body(body, "#define LOOK \\\n if (e) return\n"));
  CHECK_FALSE(of_body(body + "\nkeep(&e);"));
  CHECK_FALSE(of_body(body + "\ncudaError_t& last = e;"));
}

TEST_CASE("a finding that follows from a lost status is placed where it is set again") {
  const MergedFinding made =
      shown(null_pointer(), run_with({call("cudaMalloc", 8, 2), call("cudaMalloc", 10), call("cudaMalloc", 11)}));
  CHECK(made.message == "`ok` is set again before it is read: what `cudaMalloc` in line 8 returned is lost");
  CHECK(made.where == SourcePlace{"k.cu", 10, 3});
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 8, 8});
  CHECK(made.other->label == "`cudaMalloc` returns an error here");
  CHECK(made.note == "line 40: write through a null pointer\nthe address is 0");
  CHECK(made.help ==
        "look at `ok` before it is set again; or, where `true` means that all went well, write `ok = ok && ...`");
  CHECK(made.kernel.empty());
}

TEST_CASE("of a helper that makes the call, the caller's variable counts") {
  const MergedFinding made = shown(null_pointer(), run_with({call("cudaMalloc", 5, 2, 15), call("cudaMemcpy", 16)}));
  CHECK(made.message == "`err` is set again before it is read: what `reserve` in line 15 returned is lost");
  CHECK(made.where == SourcePlace{"k.cu", 16, 3});
  CHECK(made.help == "look at `err` before it is set again: what is not `cudaSuccess` is an error");
}

TEST_CASE("a question about a launch stays beside the line that forgets its answer") {
  MergedFinding before = null_pointer();
  before.id = finding_ids::kUncheckedLaunch;
  before.where = {"k.cu", 5, 10};
  const MergedFinding made = shown(before, run_with({call("cudaMalloc", 5, 2, 15), call("cudaMemcpy", 16)}));
  CHECK(made.where.line == 16);
  REQUIRE(made.other);
  CHECK(made.other->place == before.where);
}

TEST_CASE("a finding at the call that failed keeps its place") {
  MergedFinding before = null_pointer();
  before.where.line = 8;
  const MergedFinding made = shown(before, run_with({call("cudaMalloc", 8, 2), call("cudaMalloc", 10)}));
  CHECK(made.where == before.where);
  CHECK(made.message == before.message);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 10);
  CHECK(made.other->label == "`ok` is set again here before it is read, and the error is lost");
}

TEST_CASE("nothing is said where the status was not set again, or more goes wrong than that") {
  const MergedFinding before = null_pointer();
  CHECK(shown(before, run_with({})) == before);
  CHECK(shown(before, run_with({call("cudaMalloc", 8, 2)})) == before);
  CHECK(shown(before, run_with({call("cudaMalloc", 8, 2), call("cudaFree", 12)})) == before);
  CHECK(shown(before, run_with({call("cudaMalloc", 8, 2), call("cudaMalloc", 10, 2)})) == before);
  CHECK(shown(before, run_with({call("cudaMalloc", 10, 2), call("cudaMalloc", 11)})) == before);
  CHECK(shown(before, run_with({call("cudaMalloc", 8, 2), call("cudaMalloc", 10)}, false)) == before);
  MergedFinding leak = before;
  leak.id = finding_ids::kMemoryLeak;
  CHECK(shown(leak, run_with({call("cudaMalloc", 8, 2), call("cudaMalloc", 10)})) == leak);
  MergedFinding of_all = before;
  of_all.cases.clear();
  CHECK(shown(of_all, run_with({call("cudaMalloc", 8, 2), call("cudaMalloc", 10)})) == of_all);
}

TEST_CASE("a case without a lost status is another cause") {
  MergedFinding before = null_pointer();
  before.cases.emplace_back("second_allocation");
  SubmissionRun run = run_with({call("cudaMalloc", 8, 2), call("cudaMalloc", 10)});
  run.case_runs.push_back(run.case_runs.front());
  run.case_runs.back().test.spec.name = "second_allocation";
  CHECK(shown(before, run).where.line == 10);
  run.case_runs.back().observed.after_failure = {call("cudaMalloc", 10, 2), call("cudaMalloc", 11)};
  CHECK(shown(before, run) == before);
}

}  // namespace cudalabs::test::of_overwritten_status
