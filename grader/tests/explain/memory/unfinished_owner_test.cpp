// Memory of objects whose constructors end by an exception.
#include "explain/memory/unfinished_owner.h"

#include <string>

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_unfinished_owner {
namespace {

const std::string kOwner =
    "void check(cudaError_t status) {\n  if (status != cudaSuccess) throw std::runtime_error(\"no\");\n}\n"
    "class Array {\n public:\n"
    "  explicit Array(size_t n) : bytes_(4 * n) { check(cudaMalloc(&data_, bytes_)); }\n"
    "  Array(const float* from, size_t n) : bytes_(4 * n) {\n"
    "    check(cudaMalloc(&data_, bytes_));\n"
    "    check(cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice));\n"
    "  }\n"
    "  ~Array() { cudaFree(data_); }\n private:\n  float* data_ = nullptr;\n  size_t bytes_;\n};\n"
    "void f(const float* from, size_t n) {\n  const Array a(from, n);\n  check(cudaGetLastError());\n}\n";

MergedFinding shown(const std::string& source, const std::vector<WatchedCall>& calls, RunEnd end = RunEnd::finished) {
  MergedFinding finding;
  finding.id = finding_ids::kMemoryLeak;
  finding.where = {"k.cu", 8, 0};
  finding.cases = {"failing"};
  finding.note = "in case `failing`";
  finding.help = "as before";
  SubmissionRun run;
  run.case_runs.resize(1);
  run.case_runs.front().test.spec.name = "failing";
  run.case_runs.front().test.spec.faults.copy = 1;
  run.case_runs.front().observed.end = end;
  run.case_runs.front().observed.after_failure = calls;
  std::vector<MergedFinding> findings{finding};
  show_unfinished_owners(findings, source, "k.cu", run);
  return findings.front();
}

const std::vector<WatchedCall> kCopyFails{{"cudaMemcpy", 1, {"k.cu", 9, 0}}};

}  // namespace

TEST_CASE("the line by which an exception leaves the constructor is shown") {
  const MergedFinding found = shown(kOwner, kCopyFails);
  REQUIRE(found.other);
  CHECK(found.other->place == SourcePlace{"k.cu", 9, 0});
  CHECK(found.other->label == "an exception leaves the constructor here");
  CHECK(found.note ==
        "the destructor of `Array` is not run for an object whose constructor did not end\nin case `failing`");
  CHECK(found.help ==
        "free `data_` before the exception leaves the constructor, or allocate in another constructor to which this "
        "one delegates: once that has ended, the destructor runs");
}

TEST_CASE("the exception may stand in the constructor, or come from a macro or a second allocation") {
  CHECK(unfinished_owner(replaced(kOwner, "    check(cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice));",
                                  "    if (cudaMemcpy(data_, from, bytes_, k)) throw 1;"),
                         8, 9) == "Array");
  CHECK(unfinished_owner(replaced(kOwner, "    check(cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice));",
                                  "    check(cudaMalloc(&more_, bytes_));"),
                         8, 9) == "Array");
  const std::string macro = replaced(kOwner, "void check(cudaError_t status) {\n  if (status != cudaSuccess) throw",
                                     "#define check(call) \\\n  if (call != cudaSuccess) throw");
  CHECK(unfinished_owner(replaced(macro, "(\"no\");\n}", "(\"no\");\n"), 8, 9) == "Array");
}

TEST_CASE("other leaks are not explained by a constructor") {
  CHECK(unfinished_owner(kOwner, 8, 18).empty());  // in another function
  CHECK(unfinished_owner(kOwner, 9, 8).empty());
  CHECK(unfinished_owner(replaced(kOwner, "throw", "return; puts"), 8, 9).empty());
  CHECK(unfinished_owner(replaced(kOwner, "cudaFree(data_)", "puts(\"freed\")"), 8, 9).empty());
  CHECK(unfinished_owner(replaced(kOwner, "~Array", "void release"), 8, 9).empty());
  CHECK(unfinished_owner(replaced(kOwner, "    check(cudaMemcpy", "    try { f(); } catch (...) { } check(cudaMemcpy"),
                         8, 9)
            .empty());
  CHECK_FALSE(shown(kOwner, {{"cudaGetLastError", 1, {"k.cu", 18, 0}}}).other);
  CHECK_FALSE(shown(kOwner, kCopyFails, RunEnd::crashed).other);
}

TEST_CASE("a long text of constructors is read all the same") {
  std::string many = kOwner;
  while (many.size() < 1 << 20)
    many += "#define A throw\nstruct B { B() { cudaMalloc(&a, 1); } ~B() { cudaFree(a); } };\n";
  CHECK(shown(many, kCopyFails).id == finding_ids::kMemoryLeak);
}

}  // namespace cudalabs::test::of_unfinished_owner
