// Memory that is kept after a call by what outlives it.
#include "explain/kept/kept_allocation.h"

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_kept_allocation {
namespace {

const std::string kBuffer =
    "struct Buffer {\n"
    "  float* data = nullptr;\n"
    "  bool reserve(int n) {\n"
    "    if (data != nullptr) cudaFree(data);\n"
    "    if (!check(cudaMalloc(&data, n * sizeof(float)), \"cudaMalloc\")) return false;\n"
    "    return true;\n"
    "  }\n"
    "};\n"
    "void f(int n) {\n"
    "  static Buffer a;\n"
    "  static Buffer b;\n"
    "  if (!a.reserve(n) || !b.reserve(n)) return;\n"
    "}\n";

const std::string kPointer =
    "void f(int n) {\n"
    "  static float* scratch = nullptr;\n"
    "  static int room = 0;\n"
    "  if (n > room) {\n"
    "    cudaMalloc(&scratch, n * sizeof(float));\n"
    "  }\n"
    "}\n";

MergedFinding shown(const std::string& source, bool fails = false) {
  CaseRun case_run;
  case_run.test.spec.name = "plain";
  if (fails) case_run.test.spec.faults.launch = 1;
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(std::move(case_run));
  MergedFinding finding;
  finding.id = finding_ids::kMemoryLeak;
  finding.where = {"k.cu", 5, 5};
  finding.help = "as before";
  finding.cases = {"plain"};
  std::vector<MergedFinding> findings{finding};
  show_kept_allocations(findings, source, "k.cu", submission_run);
  return findings.front();
}

}  // namespace

TEST_CASE("static objects that keep memory are shown") {
  const MergedFinding made = shown(kBuffer);
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 10, 17});
  CHECK(made.other->label == "`a` is `static`: its memory is still there after the call");
  CHECK(made.note == "likewise `b` in line 11\n");
  CHECK(made.help ==
        "declare them in the function, without `static`, so that each call has its own, and free the memory at its "
        "end: `~Buffer() { cudaFree(data); }`");
  const std::string destroyed = replaced(kBuffer, "};\nvoid f", "  ~Buffer() { cudaFree(data); }\n};\nvoid f");
  CHECK(shown(destroyed).help ==
        "declare them in the function, without `static`, so that `~Buffer` frees the memory at the end of each call");
  const std::string helper = replaced(replaced(kBuffer, "if (data != nullptr) cudaFree(data);", "release();"),
                                      "};\nvoid f", "  void release() { cudaFree(data); }\n};\nvoid f");
  CHECK(shown(helper).other);
  const std::string global =
      replaced(replaced(kBuffer, "  static Buffer a;\n  static Buffer b;\n", ""), "void f(", "Buffer a, b;\nvoid f(");
  CHECK(shown(global).other->label ==
        "`a` is declared outside of all functions: its memory is still there after the call");
  CHECK_THAT(shown(global).help, contains_text("declare them in the function, so that each call has its own"));
}

TEST_CASE("a static pointer that keeps memory is shown") {
  const MergedFinding made = shown(kPointer);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 2);
  CHECK(made.other->label == "`scratch` is `static`: its memory is still there after the call");
  CHECK(made.help ==
        "let `scratch` be a variable of the function, without `static`, allocate in each call, and call "
        "`cudaFree(scratch)` before the function returns");
  CHECK(shown(replaced(kPointer, "room) {", "room) { cudaFree(scratch);")).other);
}

TEST_CASE("a leak has another reason where the memory is freed elsewhere, or ends with the function") {
  for (const auto& [old, with] : std::vector<std::pair<std::string, std::string>>{
           {"  static Buffer b;", "  Buffer b;"},
           {"reserve(n)) return;", "reserve(n)) return;\n  cudaFree(a.data);"},
           {"};\nvoid f", "  void release() { cudaFree(data); }\n};\nvoid g(Buffer& b) { b.release(); }\nvoid f"},
           {"    return true;", "    cudaFree(data);"},
           {"  float* data = nullptr;", ""}})
    CHECK_FALSE(shown(replaced(kBuffer, old, with)).other);
  CHECK_FALSE(shown(kBuffer, true).other);
  CHECK_FALSE(shown(replaced(kPointer, "static float", "float")).other);
  CHECK_FALSE(shown(replaced(kPointer, "  }\n}\n", "  }\n  cudaFree(scratch);\n}\n")).other);
  CHECK_FALSE(shown(kPointer + "void end() {\n  cudaFree(scratch);\n}\n").other);
}

TEST_CASE("a hostile text around a leak is read in one go") {
  for (const std::string part : {"cudaFree(data)", "f(", "Buffer a;", "{", "data"}) {
    std::string text = kBuffer;
    while (text.size() < (1U << 20)) text += part;
    shown(text);
  }
}

}  // namespace cudalabs::test::of_kept_allocation
