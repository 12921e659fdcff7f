// Outputs of the host that the host's own code writes.
#include "explain/memory/host_output.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_host_output {
namespace {

const std::string kHead = "void add(const float* a, float* c, int n) {\n  if (n == 0) return;\n";
const std::string kTail = "  cudaMalloc(&d, n);\n  cudaMemcpy(c, d, n, cudaMemcpyDeviceToHost);\n}\n";

std::optional<HostOutput> output_in(const std::string& statement, const std::string& before = "") {
  return only_host_output(before + kHead + "  " + statement + "\n" + kTail, "c");
}

std::string by(const std::string& statement) {
  const auto found = output_in(statement);
  return found ? found->by + " in " + std::to_string(found->where.line) : "";
}

/// Shown for an output that was written in a case in which the first allocation failed.
MergedFinding shown(const std::string& source, const std::function<void(Observation&)>& seen = {}) {
  CaseRun case_run;
  case_run.test.spec.name = "first_allocation";
  if (seen) seen(case_run.observed);
  Comparison comparison;
  comparison.name = "c";
  comparison.shape = {2};
  comparison.fault = {Fault::touched, Fault::none};
  case_run.judgement.emplace().comparisons.push_back(comparison);
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(std::move(case_run));
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.message = "`c` was written, although a call had failed: this launch failed, and the program goes on";
  finding.after_failure = true;
  finding.output = "c";
  finding.cases = {"first_allocation"};
  finding.where = {"add.cu", 9, 1};
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  show_host_outputs(findings, source, "add.cu", submission_run);
  return findings.front();
}

}  // namespace

TEST_CASE("a statement of the host that writes to the output is found, however it writes") {
  CHECK(output_in("std::fill(c, c + n, 0.0f);") == HostOutput{{{"c"}, 3, 3}, "std::fill", true});
  CHECK(by("memset(c, 0, n * sizeof(float));") == "memset in 3");
  CHECK(by("std::copy(a, a + n, c);") == "std::copy in 3");
  CHECK(by("std::fill_n(&c[0], n, 0.0f);") == "std::fill_n in 3");
  CHECK(by("for (int i = 0; i < n; ++i) c[i] = 0;") == " in 3");
  CHECK(by("while (n > 0) *c = 0;") == " in 3");
  CHECK(by("for (int i = 0; i < n; ++i) c[2 * (i / 2)] += 1;") == " in 3");
}

TEST_CASE("functions that the array is handed on to are followed, and names that it has there") {
  const std::string helper = "static void clear(float* out, int n) {\n  for (int i = 0; i < n; ++i) out[i] = 0;\n}\n";
  const auto found = output_in("clear(c, n);", helper);
  CHECK(found == HostOutput{{{"out"}, 2, 31}, "", true});
  CHECK_FALSE(output_in("clear(other, n);", helper));
  // The output has another name: it is the only array that may be changed.
  CHECK(only_host_output("void add(const float* x, float* sum, int n) {\n  memset(sum, 0, n);\n}\n", "c")->where.line ==
        2);
  CHECK_FALSE(only_host_output("void add(float* x, float* sum, int n) {\n  memset(sum, 0, n);\n}\n", "c"));
}

TEST_CASE("whether a call may have failed before is told apart") {
  CHECK(output_in("std::fill(c, c + n, 0.0f);")->first);
  CHECK_FALSE(output_in("cudaMalloc(&e, n); std::fill(c, c + n, 0.0f);")->first);
  CHECK_FALSE(output_in("if (!allocate(e)) std::fill(c, c + n, 0.0f);",
                        "bool allocate(E& e) { return cudaMalloc(&e, 1) == 0; }\n")
                  ->first);
  CHECK(output_in("check(n); std::fill(c, c + n, 0.0f);", "void check(int n) { assert(n > 0); }\n")->first);
}

TEST_CASE("an array that goes where its uses are not seen may have been written there") {
  const std::string fill = "std::fill(c, c + n, 0.0f);";
  CHECK_FALSE(output_in("float* p = c; " + fill));
  CHECK_FALSE(output_in("Session session(a, c); " + fill));
  CHECK_FALSE(output_in("Session session{a, c}; " + fill));
  CHECK_FALSE(output_in("std::thread t(work, c); " + fill));
  CHECK(output_in("assert(c); if (c != nullptr) " + fill));
  CHECK(output_in("CHECK(cudaMemcpy(c, d, n, cudaMemcpyDeviceToHost)); " + fill));
  // The constructor may have failed.
  CHECK_FALSE(output_in("Buffer b(n); " + fill, "struct Buffer {\n  explicit Buffer(int n);\n};\n")->first);
}

TEST_CASE("what only reads, writes elsewhere, or is one of several, is not shown") {
  CHECK_FALSE(output_in(""));
  CHECK_FALSE(output_in("std::fill(e, e + n, 0.0f);"));
  CHECK_FALSE(output_in("std::copy(c, c + n, e);"));
  CHECK_FALSE(output_in("memcpy(e, c, n);"));
  CHECK_FALSE(output_in("x = c[0]; if (c[1] == 0) x = 2 * *c;"));
  CHECK_FALSE(output_in("std::fill(c, c + n, 0.0f); c[0] = 1;"));
  CHECK_FALSE(output_in("copy(a, n);", "void copy(const float* c, int n) {\n  use(c[0]);\n}\n"));
  // A kernel stores to an array of the device.
  CHECK_FALSE(output_in("k<<<1, 32>>>(d);", "__global__ void k(float* c) {\n  c[threadIdx.x] = 1;\n}\n"));
}

TEST_CASE("where nothing was copied to the host, the statement is what wrote to it") {
  const std::string source = kHead + "  std::fill(c, c + n, 0.0f);\n" + kTail;
  const MergedFinding made = shown(source);
  CHECK(made.where == SourcePlace{"add.cu", 3, 3});
  CHECK(made.message == "`c` was written, although a call had failed: `std::fill` writes to `c` here, on the host");
  CHECK(made.help ==
        "this comes before it is known whether the calls of the runtime succeed: take it out; when a call fails, `c` "
        "must stay as it was, so nothing but the copy of the result may write to it, after every other call has "
        "succeeded");
  const std::string late = kHead + "  if (cudaMalloc(&e, n)) c[0] = 0;\n" + kTail;
  CHECK_THAT(shown(late).message, contains_text("the host stores to `c` here"));
  CHECK(shown(late).help.starts_with("this does not depend on the success of every call: take it out"));
}

TEST_CASE("where a copy or a kernel may have written it, the host is not blamed") {
  const std::string source = kHead + "  std::fill(c, c + n, 0.0f);\n" + kTail;
  CHECK(shown(source, [](Observation& seen) { seen.copies.resize(1); }).help == "as before");
  CHECK(shown(source, [](Observation& seen) { seen.early_copies.resize(1); }).help == "as before");
  CHECK(shown(source, [](Observation& seen) { seen.launches.resize(1); }).help == "as before");
  CHECK(shown(source, [](Observation& seen) { seen.has_managed = true; }).help == "as before");
  CHECK(shown(source, [](Observation& seen) { seen.on_device = {"c"}; }).help == "as before");
}

TEST_CASE("a long text is read all the same") {
  CHECK_FALSE(only_host_output("void f(float* c) {" + std::string(1 << 20, '['), "c"));
  std::string many = "void f(float* c) {";
  for (int i = 0; i < 100'000; ++i) many += "memset(c[";
  CHECK_FALSE(only_host_output(many + "}", "c"));
  std::string functions;
  for (int i = 0; i < 20'000; ++i) functions += "void f" + std::to_string(i) + "(float* c) { g(c); }\n";
  CHECK_FALSE(only_host_output(functions, "c"));
}

}  // namespace cudalabs::test::of_host_output
