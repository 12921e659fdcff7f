// Functions that launch nothing for their output.
#include "explain/elements/idle_function.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kPictures = R"(__global__ void twice(const float* in, float* out, int n) { out[0] = in[0]; }
void picture_double(const float* d_in, float* d_out, int n) { twice<<<1, 1>>>(d_in, d_out, n); }
void picture_gray(const unsigned char* d_rgb, unsigned char* d_c, int n) {
)";

std::string idle_with(const std::string& body) {
  return idle_function(kPictures + body + "}\n", "c").name;
}

}  // namespace

TEST_CASE("a function that launches nothing for its output is named") {
  CHECK(idle_function(kPictures + "}\n", "c") == IdleFunction{"picture_gray", 3});
  CHECK(idle_with("  if (n == 0) return;\n  std::printf(\"%s\\n\", cudaGetErrorString(cudaGetLastError()));\n") ==
        "picture_gray");
  CHECK(idle_with("  gray<<<1, 1>>>(d_rgb, d_c, n);\n").empty());
  CHECK(idle_with("  picture_double(nullptr, nullptr, n);\n").empty());
  CHECK(idle_with("  cudaMemset(d_c, 0, n);\n").empty());
  CHECK(idle_with("  cuLaunchKernel(gray, d_c);\n").empty());
  CHECK(idle_function("#define GO gray<<<1, 1>>>(d_c)\n" + kPictures + "GO; }\n", "c").name.empty());
  CHECK(idle_function("#define BLOCK 16\n" + kPictures + "}\n", "c").name == "picture_gray");
  CHECK(idle_function(kPictures + "}\n", "out").name.empty());  // its function launches
  CHECK(idle_function(kPictures + "}\n", "green").name.empty());
  CHECK(idle_function(kPictures + "}\nvoid other(float* c) { }\n", "c").name.empty());
}

TEST_CASE("only where other outputs are written is a function said to be idle") {
  const auto explained = [](std::size_t launches) {
    datasets::Array output = float_matrix("c", 1, 1);
    poison(output, 0);
    CaseRun case_run = case_run_with("one", expected_matrix(1, 1), std::move(output));
    case_run.observed.end = RunEnd::finished;
    case_run.observed.launches.resize(launches);
    SubmissionRun submission_run;
    submission_run.case_runs.push_back(std::move(case_run));
    MergedFinding finding;
    finding.id = finding_ids::kUnwrittenOutput;
    finding.message = "no element of `c` was ever written";
    finding.note = "case `one`\nlaunch: <<<1, 1>>>, 1 thread\nfirst: c[0]";
    finding.output = "c";
    finding.shown = "one";
    finding.cases = {"one"};
    std::vector<MergedFinding> findings{std::move(finding)};
    show_idle_functions(findings, kPictures + "}\n", "picture.cu", submission_run);
    return findings.front();
  };
  const MergedFinding made = explained(1);
  CHECK(made.message == "`picture_gray` launches no kernel: no element of `c` was ever written");
  CHECK(made.where == SourcePlace{"picture.cu", 3, 0});
  CHECK(made.note == "case `one`\nfirst: c[0]");
  CHECK(explained(0).message == "no element of `c` was ever written");
}

}  // namespace cudalabs::test
