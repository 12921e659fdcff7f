// Memory that a smart pointer gives up.
#include "explain/memory/given_up_owner.h"

#include <string>

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_given_up_owner {
namespace {

const std::string kProgram =
    "using Ptr = std::unique_ptr<float, Free>;\n"
    "Ptr allocate(int n) {\n"
    "  float* raw = nullptr;\n"
    "  cudaMalloc(&raw, n);\n"
    "  return Ptr(raw);\n"
    "}\n"
    "void f(int n) {\n"
    "  Ptr d_a = allocate(n);\n"
    "  Ptr d_b = allocate(n);\n"
    "  g(d_a.get(), d_b.get());\n"
    "  d_a.release();\n"
    "  d_b.release();\n"
    "}\n";

MergedFinding leak(std::uint32_t line, std::uint32_t call) {
  MergedFinding finding;
  finding.id = finding_ids::kMemoryLeak;
  finding.where = {"k.cu", line, 0};
  finding.cases = {"large"};
  finding.help = "as before";
  if (call != 0) finding.other = OtherPlace{"what this call allocates is not freed", {"k.cu", call, 0}, {}, {}};
  return finding;
}

MergedFinding shown(const std::string& source, std::uint32_t line = 4, std::uint32_t call = 8, bool fails = false) {
  SubmissionRun run;
  run.case_runs.resize(1);
  run.case_runs.front().test.spec.name = "large";
  run.case_runs.front().test.spec.faults.allocation = fails ? 2 : 0;
  run.case_runs.front().observed.end = RunEnd::finished;
  std::vector<MergedFinding> findings{leak(line, call)};
  show_given_up_owners(findings, source, "k.cu", run);
  return findings.front();
}

}  // namespace

TEST_CASE("a release whose result nothing keeps is shown beside the leak") {
  const MergedFinding made = shown(kProgram);
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 11, 0});
  CHECK(made.other->label == "`d_a` gives it up here, and nothing frees it");
  CHECK(
      made.help ==
      "leave out `release()` in lines 11 and 12: then the destructor of `d_a` frees the memory, and so for the others");
  CHECK(made.note == "it is allocated by the call in line 8\n");
  CHECK(shown(replaced(kProgram, "  d_b.release();\n", "")).help ==
        "leave out `release()` in line 11: then the destructor of `d_a` frees the memory");
  CHECK(shown("void f(int n) {\n  float* raw;\n  cudaMalloc(&raw, n);\n  std::unique_ptr<float, Free> own(raw);\n"
              "  if (n > 3) own.release();\n}\n",
              3, 0)
            .other->place.line == 5);
}

TEST_CASE("a release of a class that frees nothing there is one, too") {
  const std::string own = replaced(
      kProgram, "using Ptr = std::unique_ptr<float, Free>;\n",
      "struct Ptr { ~Ptr() { cudaFree(p); } float* release() { return std::exchange(p, nullptr); } float* p; };\n");
  CHECK(shown(own).other->place.line == 11);
  CHECK(shown(replaced(own, "return std::exchange(p, nullptr);", "cudaFree(p); return p = nullptr;")).help ==
        "as before");
}

TEST_CASE("what is kept, is another one's, or leaks only after a failure keeps its words") {
  CHECK(shown(replaced(kProgram, "  d_a.release();", "  float* kept = d_a.release();")).help == "as before");
  CHECK(shown(replaced(kProgram, "  d_a.release();", "  cudaFree(d_a.release());")).help == "as before");
  CHECK(shown(replaced(kProgram, "  d_a.release();", "  d_a.reset();")).help == "as before");
  CHECK(shown(replaced(kProgram, "  d_a.release();", "  release(d_a);")).help == "as before");
  CHECK(shown(kProgram, 4, 10).help != "as before");
  CHECK(shown(kProgram, 4, 7).help == "as before");
  CHECK(shown(kProgram, 4, 8, true).help == "as before");
}

TEST_CASE("a long text of releases is read in one go") {
  for (const std::string part : {"a.release();", "release(", "x.release("}) {
    std::string text = kProgram;
    while (text.size() < (1U << 20)) text += part;
    shown(text);
  }
}

}  // namespace cudalabs::test::of_given_up_owner
