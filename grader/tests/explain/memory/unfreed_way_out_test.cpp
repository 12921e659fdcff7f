// Memory that leaks where a call has failed.
#include "explain/memory/unfreed_way_out.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_unfreed {
namespace {

const std::string kSource = R"(void f(int n) {
  float *a = nullptr, *b = nullptr;
  if (cudaMalloc(&a, n) != cudaSuccess) return;
  if (cudaMalloc(&b, n) != cudaSuccess) return;
  k<<<1, n>>>(a, b);
  if (cudaGetLastError() != cudaSuccess) {
    cudaFree(b);
    return;
  }
  cudaFree(a);
  cudaFree(b);
}
)";

MergedFinding leak() {
  MergedFinding finding;
  finding.id = finding_ids::kMemoryLeak;
  finding.where = {"k.cu", 3, 0};
  finding.cases = {"failing"};
  finding.note = "in case `failing`";
  finding.help = "as before";
  return finding;
}

SubmissionRun runs_of(std::vector<WatchedCall> calls, datasets::Faults faults) {
  SubmissionRun run;
  run.case_runs.resize(1);
  run.case_runs.front().test.spec.name = "failing";
  run.case_runs.front().test.spec.faults = faults;
  run.case_runs.front().observed.end = RunEnd::finished;
  run.case_runs.front().observed.after_failure = std::move(calls);
  return run;
}

datasets::Faults allocation() {
  datasets::Faults faults;
  faults.allocation = 2;
  return faults;
}

datasets::Faults launch() {
  datasets::Faults faults;
  faults.launch = 1;
  return faults;
}

MergedFinding shown(const SubmissionRun& run, MergedFinding finding = leak()) {
  std::vector<MergedFinding> findings{std::move(finding)};
  show_unfreed_ways_out(findings, kSource, "k.cu", run);
  return findings.front();
}

const std::vector<WatchedCall> kNoMemory{{"cudaMalloc", 2, {"k.cu", 4, 0}}};
const std::vector<WatchedCall> kRefused{{"cudaLaunchKernel", 701, {"k.cu", 5, 0}},
                                        {"cudaGetLastError", 701, {"k.cu", 6, 0}},
                                        {"cudaFree", 0, {"k.cu", 7, 0}}};

}  // namespace

TEST_CASE("the allocation that failed is shown, and the free that was not reached is named") {
  const MergedFinding made = shown(runs_of(kNoMemory, allocation()));
  REQUIRE(made.other);
  CHECK(made.other->place.line == 4);
  CHECK(made.other->label == "this allocation fails then");
  CHECK(made.note == "the function returns without the `cudaFree` in line 10\nin case `failing`");
  CHECK(made.help == "call `cudaFree(a)` before the function returns after that, too");
}

TEST_CASE("the call that returned the error of a launch is shown") {
  const MergedFinding made = shown(runs_of(kRefused, launch()));
  REQUIRE(made.other);
  CHECK(made.other->place.line == 6);
  CHECK(made.other->label == "the error of a launch is returned here then");
  CHECK(made.note.starts_with("the function returns without the `cudaFree` in line 10\n"));
}

TEST_CASE("the return of a macro is named") {
  const auto shown_with = [](const std::string& macro) {
    const std::string source = "#define CHECK() \\\n  do { if (cudaGetLastError() != cudaSuccess) { \\\n    " + macro +
                               " \\\n  } } while (0)\nvoid f(int n) {\n  float* a = nullptr;\n"
                               "  if (cudaMalloc(&a, n) != cudaSuccess) return;\n  k<<<1, n>>>(a);\n  CHECK();\n"
                               "  if (n > 9) return;\n  cudaFree(a);\n}\n";
    MergedFinding finding = leak();
    finding.where.line = 7;
    std::vector<MergedFinding> findings{finding};
    const std::vector<WatchedCall> refused{{"cudaLaunchKernel", 701, {"k.cu", 8, 0}},
                                           {"cudaGetLastError", 701, {"k.cu", 9, 0}}};
    show_unfreed_ways_out(findings, source, "k.cu", runs_of(refused, launch()));
    return findings.front();
  };
  const MergedFinding made = shown_with("return;");
  REQUIRE(made.other);
  CHECK(made.other->place.line == 9);
  CHECK(made.other->label == "`CHECK` leaves the function here then, by the `return` in line 3");
  CHECK(made.help ==
        "call `cudaFree(a)` before the macro returns; or let `CHECK` only print, and go on to the `cudaFree`");
  CHECK(shown_with("puts(name);").other->label == "the error of a launch is returned here then");
}

TEST_CASE("a pointer that may have another address on the way out is not the one to free") {
  const auto explained = [](const std::string& declared, const std::string& behind, const std::string& at_end) {
    const std::string source =
        "void f(float* out, int n) {\n  std::vector<float*> all;\n  for (int k = n; k > 0; k /= 2) {\n" + declared +
        "    if (k > 1 && cudaMalloc(&to, k)) break;\n" + behind +
        "    k<<<1, k>>>(to);\n    if (cudaGetLastError() != cudaSuccess) return;\n  }\n" + at_end + "}\n";
    MergedFinding finding = leak();
    finding.where.line = 5;
    std::vector<MergedFinding> findings{finding};
    const std::vector<WatchedCall> refused{{"cudaLaunchKernel", 701, {"k.cu", 7, 0}},
                                           {"cudaGetLastError", 701, {"k.cu", 8, 0}}};
    show_unfreed_ways_out(findings, source, "k.cu", runs_of(refused, launch()));
    return findings.front();
  };
  const std::string keeps = "    all.push_back(to);\n", frees_all = "  for (float* one : all) cudaFree(one);\n";
  const MergedFinding made = explained("    float* to = out;\n", keeps, frees_all);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 8);
  CHECK(made.note.starts_with("the function returns without freeing this memory\n"));
  CHECK(made.help ==
        "`to` may point to other memory there: let the function free all that it has allocated before it returns after "
        "that, too, as line 10 does");
  // Each round has other memory.
  CHECK(explained("    float* to = nullptr;\n", keeps, frees_all).help == made.help);
  // What is freed later is not known to be all.
  CHECK(explained("    float* to = out;\n", keeps, "  cudaFree(first);\n").help ==
        "`to` may point to other memory there: let the function free all that it has allocated before it returns after "
        "that, too");
}

TEST_CASE("what a helper allocates and returns is to be freed by the caller that leaves without it") {
  const std::string source = R"(float* copy_of(const float* from, int n) {
  float* to = nullptr;
  if (cudaMalloc(&to, n) != cudaSuccess) return nullptr;
  return to;
}
void f(const float* in, int n) {
  float* a = copy_of(in, n);
  float* b = copy_of(in, n);
  k<<<1, n>>>(a, b);
  if (cudaGetLastError() != cudaSuccess) return;
  cudaFree(a);
  cudaFree(b);
}
)";
  MergedFinding finding = leak();
  finding.count = 2;
  std::vector<MergedFinding> findings{finding};
  const std::vector<WatchedCall> refused{{"cudaLaunchKernel", 701, {"k.cu", 9, 0}},
                                         {"cudaGetLastError", 701, {"k.cu", 10, 0}}};
  show_unfreed_ways_out(findings, source, "k.cu", runs_of(refused, launch()));
  REQUIRE(findings.front().other);
  CHECK(findings.front().other->place.line == 10);
  CHECK(findings.front().note.starts_with("the function returns without the `cudaFree` in line 11\n"));
  CHECK(findings.front().help ==
        "`copy_of` hands this memory to its caller, who must free it: call `cudaFree(a)` and `cudaFree(b)` before the "
        "function returns after line 10, too");

  // One of them is freed, and which one leaks is not clear from the number.
  finding.count = 1;
  findings = {finding};
  show_unfreed_ways_out(findings, source, "k.cu", runs_of(refused, launch()));
  CHECK(findings.front().help == "as before");
}

TEST_CASE("the `goto` past the free of a pointer in an array is shown") {
  const std::string source = R"(void f(int n) {
  float* buf[2];
  if (cudaMalloc((void**)&buf[0], n) != cudaSuccess) return;
  k<<<1, n>>>(buf[0]);
  err = cudaGetLastError();
  if (err != cudaSuccess)
    goto fail;
  cudaFree(buf[0]);
  return;
fail:
  puts(cudaGetErrorString(err));
}
)";
  std::vector<MergedFinding> findings{leak()};
  const std::vector<WatchedCall> refused{{"cudaLaunchKernel", 701, {"k.cu", 4, 0}},
                                         {"cudaGetLastError", 701, {"k.cu", 5, 0}}};
  show_unfreed_ways_out(findings, source, "k.cu", runs_of(refused, launch()));
  REQUIRE(findings.front().other);
  CHECK(findings.front().other->place.line == 7);
  CHECK(findings.front().other->label == "this jump is taken then");
  CHECK(findings.front().note.starts_with(
      "the call in line 5 returns the error of a launch, and the jump goes past the `cudaFree` in line 8\n"));
  CHECK(findings.front().help ==
        "jump to a label that stands before this `cudaFree(buf[0])`, or call it before the jump");
}

TEST_CASE("one condition for several pointers is shown, which a null pointer makes false") {
  const auto explained = [](const std::string& at_end) {
    const std::string source =
        "static void release(float* p) {\n  cudaFree(p);\n}\nvoid f(int n) {\n"
        "  float *a = nullptr, *b = nullptr;\n  if (cudaMalloc(&a, n)) goto end;\n"
        "  if (cudaMalloc(&b, n)) goto end;\n  k<<<1, n>>>(a, b);\nend:\n  " +
        at_end + "\n}\n";
    MergedFinding finding = leak();
    finding.where.line = 6;
    std::vector<MergedFinding> findings{finding};
    show_unfreed_ways_out(findings, source, "k.cu", runs_of({{"cudaMalloc", 2, {"k.cu", 7, 0}}}, allocation()));
    return findings.front();
  };
  const MergedFinding made = explained("if (a != nullptr && b != nullptr) {\n    release(a);\n    release(b);\n  }");
  REQUIRE(made.other);
  CHECK(made.other->place.line == 10);
  CHECK(made.other->label == "this is false where `b` is null");
  CHECK(made.note.starts_with("the allocation of `b` in line 7 fails then\n"));
  CHECK(made.help ==
        "let no other pointer decide about this one: `if (a != nullptr) release(a);`, and each of the others likewise "
        "by itself");
  CHECK(explained("if (a && b) cudaFree(a), cudaFree(b);").help.find("`if (a != nullptr) cudaFree(a);`") !=
        std::string::npos);
  CHECK(explained("if (NULL != b) {\n    cudaFree(b);\n    cudaFree(a);\n  }").other->place.line == 10);
  // What the condition asks is about this pointer alone, or has nothing to do with it.
  const auto is_other = [&](const std::string& at_end) {
    const MergedFinding found = explained(at_end);
    return found.help.find("let no other pointer") == std::string::npos;
  };
  CHECK(is_other("if (a != nullptr) release(a);\n  if (b != nullptr) release(b);"));
  CHECK(is_other("if (b != nullptr) release(b);"));
  CHECK(is_other("if (b == nullptr) release(a);"));
  CHECK(is_other("if (a != nullptr || b != nullptr) release(a);"));
  CHECK(is_other("if (b != nullptr) report(a);"));
}

TEST_CASE("where no call fails, the return past the free is shown, of each kind of allocation") {
  for (const std::string allocate :
       {"cudaMalloc(&a, n)", "cudaMallocPitch(&a, &pitch, n, n)", "cudaMallocManaged(&a, n)"}) {
    const std::string source = "void f(int n) {\n  float* a = nullptr;\n  if (" + allocate +
                               " != cudaSuccess) return;\n  if (n % 16 == 0) {\n    k<<<1, n>>>();\n    return;\n  }\n"
                               "  k<<<1, n>>>(a);\n  cudaFree(a);\n}\n";
    std::vector<MergedFinding> findings{leak()};
    findings.front().severity = Severity::warning;
    show_unfreed_ways_out(findings, source, "k.cu", runs_of({}, {}));
    CAPTURE(allocate);
    REQUIRE(findings.front().other);
    CHECK(findings.front().other->place.line == 6);
    CHECK(findings.front().help == "call `cudaFree(a)` before the `return` in line 6, too");
  }
}

TEST_CASE("a copy that failed is called so") {
  datasets::Faults copy;
  copy.copy = 1;
  const MergedFinding made = shown(runs_of({{"cudaMemcpy", 2, {"k.cu", 4, 0}}}, copy));
  REQUIRE(made.other);
  CHECK(made.other->label == "this copy fails then");
}

TEST_CASE("where no free comes later, the one that frees something else is named") {
  MergedFinding finding = leak();
  finding.where.line = 4;
  std::vector<WatchedCall> calls = kRefused;
  calls.push_back({"cudaFree", 0, {"k.cu", 11, 0}});
  CHECK(shown(runs_of(calls, launch()), finding)
            .note.starts_with("the `cudaFree` in line 11 does not free this memory, and the function returns\n"));
}

TEST_CASE("nothing is said of a leak where nothing fails, that is explained, or whose run did not come to its end") {
  CHECK(shown(runs_of(kNoMemory, {})) == leak());
  CHECK(shown(runs_of({}, allocation())) == leak());
  SubmissionRun ended = runs_of(kNoMemory, allocation());
  ended.case_runs.front().observed.end = RunEnd::exited_early;
  CHECK(shown(ended) == leak());
  MergedFinding other = leak();
  other.other = OtherPlace{"this is freed", {"k.cu", 10, 0}, {}, {}};
  CHECK(shown(runs_of(kNoMemory, allocation()), other) == other);
  MergedFinding elsewhere = leak();
  elsewhere.cases.emplace_back("one_block");
  SubmissionRun both = runs_of(kNoMemory, allocation());
  both.case_runs.emplace_back().test.spec.name = "one_block";
  CHECK(shown(both, elsewhere) == elsewhere);
}

TEST_CASE("what frees some of several allocations of one line is shown where the function calls it") {
  const std::string source = R"(void release(float* p) {
  cudaFree(p);
}
void f(int n) {
  float* all[3];
  for (int i = 0; i < 3; ++i) {
    if (cudaMalloc(&all[i], n) != cudaSuccess) {
      for (int j = 0; j + 1 < i; ++j) release(all[j]);
      return;
    }
  }
}
)";
  MergedFinding finding = leak();
  finding.where.line = 7;
  finding.other = OtherPlace{"the other one is freed here", {"k.cu", 2, 0}, {}, {}, PlaceRole::freeing};
  const auto shown_after = [&](const std::vector<WatchedCall>& calls) {
    std::vector<MergedFinding> findings{finding};
    show_unfreed_ways_out(findings, source, "k.cu", runs_of(calls, allocation()));
    return findings.front();
  };
  WatchedCall failed{"cudaMalloc", 2, {"k.cu", 7, 0}}, freed{"cudaFree", 0, {"k.cu", 2, 0}};
  freed.outer = {"k.cu", 8, 0};
  const MergedFinding made = shown_after({failed, freed});
  CHECK(made.other->place.line == 8);
  CHECK(made.other->label == "the other one is freed here, by `cudaFree` in line 2");
  CHECK(made.note == "a later call in this line fails then, and the function returns\nin case `failing`");
  CHECK(made.help.starts_with("when a `cudaMalloc` fails, free all"));
  freed.outer = {"other.cu", 99, 0};
  CHECK(shown_after({failed, freed}).other->place.line == 2);
  failed.where.line = 6;  // another call fails
  CHECK(shown_after({failed, freed}).help == "as before");
}

TEST_CASE("a long text of conditions within conditions is read all the same") {
  const auto shown_in = [](const std::string& more) {
    std::vector<MergedFinding> findings{leak()};
    show_unfreed_ways_out(findings,
                          "void f(int n) {\n  float *a, *b;\n  if (cudaMalloc(&a, n)) return;\n"
                          "  if (cudaMalloc(&b, n)) return;\n" +
                              more + "\n}\n",
                          "k.cu", runs_of(kNoMemory, allocation()));
  };
  std::string nested, calls = "if (b) {";
  for (int i = 0; i < 40'000; ++i) nested += "if (a && b) {";
  for (int i = 0; i < 60'000; ++i) calls += "release(a);";
  shown_in(nested + std::string(40'000, '}'));
  shown_in(calls + "}");
}

}  // namespace cudalabs::test::of_unfreed
