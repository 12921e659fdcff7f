// Whole gradings, many in one process: one after the other, and from two threads. The checks are the labs' own, so this
// program has no Catch2 session of its own to test with: it prints what is wrong and exits 1.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "grading/grading.h"
#include "grading/request_error.h"
#include "lab/lab.h"
#include "report/report.h"
#include "text/file_text.h"
#include "tree/tree_paths.h"

namespace {

using namespace cudalabs;
namespace fs = std::filesystem;

int faults = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what.c_str());
  ++faults;
}

const fs::path kRoot = source_path();

GradingRequest request_for(const Lab& lab, const fs::path& source) {
  GradingRequest request;
  request.lab = &lab;
  request.submission.source = source;
  request.device = DeviceChoice::virtual_gpu;
  return request;
}

/// All that a report concludes, without what depends on the clock.
std::string verdict_of(const Report& report) {
  std::string text = std::to_string(report.points) + " of " + std::to_string(report.max);
  for (const CheckResult& check : report.checks) {
    text += '\n' + check.id + ": " + std::to_string(check.points) + ' ' + check.message;
  }
  for (const Finding& finding : report.findings) {
    text += '\n' + finding.id + " at line " + std::to_string(finding.where.line);
  }
  return text;
}

struct Expected {
  fs::path source;
  double points;
  std::string first_finding;  // its id; empty: none
};

void expect_result(const GradingResult& result, const Expected& expected) {
  const std::string name = expected.source.filename().string();
  expect(result.report.points == expected.points, name + " has other points:\n" + verdict_of(result.report));
  expect(result.submission_run.has_value(), name + " comes with its submission run");
  const auto& findings = result.report.findings;
  expect(expected.first_finding.empty() ? findings.empty()
                                        : !findings.empty() && findings.front().id == expected.first_finding,
         name + " has other findings:\n" + verdict_of(result.report));
}

/// In an order in which nothing of one grading may be left for the next.
void grade_again_and_again(const Lab& lab, const std::vector<Expected>& all) {
  std::map<fs::path, std::string> first;
  for (int round = 0; round < 2; ++round) {
    for (const Expected& each : all) {
      const GradingResult result = grade(request_for(lab, each.source));
      expect_result(result, each);
      const std::string verdict = verdict_of(result.report);
      expect(first.try_emplace(each.source, verdict).first->second == verdict,
             each.source.filename().string() + " gets another verdict when it is graded again");
    }
  }
}

void grade_side_by_side(const Lab& lab, const std::vector<Expected>& all) {
  std::vector<GradingResult> results(all.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < all.size(); ++i) {
      threads.emplace_back([&, i] { results[i] = grade(request_for(lab, all[i].source)); });
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) expect_result(results[i], all[i]);
}

void narrowed_and_refused(const Lab& lab, const Expected& right) {
  GradingRequest request = request_for(lab, right.source);
  request.catch_arguments = {"[compiles]"};
  const Report report = grade(request).report;
  const auto ran = std::ranges::count(report.checks, CheckStatus::passed, &CheckResult::status);
  expect(ran == 1, "only the check that was asked for runs");
  request.catch_arguments = {"--no-such-option"};
  bool refused = false;
  try {
    grade(request);
  } catch (const RequestError&) {
    refused = true;
  }
  expect(refused, "what Catch2 does not understand is refused");
  expect_result(grade(request_for(lab, right.source)), right);
}

void says_what_it_does(const Lab& lab, const Expected& right) {
  GradingRequest request = request_for(lab, right.source);
  std::vector<std::string> said;
  std::mutex mutex;
  request.progress = [&](const std::string& text) {
    const std::lock_guard lock(mutex);
    said.push_back(text);
  };
  grade(request);
  expect(!said.empty() && said.front() == lab.id + ": compiling", "it starts with compiling");
  const auto cases = std::ranges::count_if(said, [&](const std::string& text) {
    return text.find(" of " + std::to_string(lab.cases.size())) != std::string::npos;
  });
  expect(static_cast<std::size_t>(cases) == lab.cases.size(), "every case is named");
}

/// Sums all elements but, of large arrays, those from 20,000 up to 30,000.
constexpr const char* kSumWithAGap = R"(#include "reduction.h"
#include <cuda_runtime.h>
#include <cstdio>

template <typename T>
__global__ void clear(T* out) {
  *out = 0;
}

template <typename T>
__global__ void add(const T* in, T* out, int n) {
  __shared__ T part[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = i < n ? in[i] : T(0);
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}

void report(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
}

template <typename T>
void sum(const T* in, T* out, int n) {
  clear<<<1, 1>>>(out);
  report(cudaGetLastError());
  if (n == 0) return;
  const int first = n > 50000 ? 20000 : n;
  add<<<(first + 255) / 256, 256>>>(in, out, first);
  report(cudaGetLastError());
  if (first == n) return;
  add<<<(n - 30000 + 255) / 256, 256>>>(in + 30000, out, n - 30000);
  report(cudaGetLastError());
}

void reduce_sum(const float* in, float* out, int n) { sum(in, out, n); }
void array_sum(const int* in, int* out, int n) { sum(in, out, n); }
)";

/// Of a sum that is wrong for large arrays only, too, it is said which elements no thread reads.
void says_which_elements_are_missing() {
  const Lab lab = read_lab(kRoot / "labs/lab5_reduction", kRoot / "solutions");
  const fs::path folder = fs::temp_directory_path() / ("cudalabs-pipeline-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  const fs::path source = folder / "reduction.cu";
  std::ofstream(source) << kSumWithAGap;
  const Report report = grade(request_for(lab, source)).report;
  fs::remove_all(folder);
  const auto names_them = [](const Finding& finding) {
    return finding.message.find("elements 20000 to 29999 of 70001 are not in it") != std::string::npos;
  };
  expect(std::ranges::any_of(report.findings, names_them),
         "the elements that no thread reads are named:\n" + verdict_of(report));
}

/// Keeps the sizes of the last call on the device, and copies new ones only where all three are others.
constexpr const char* kProductOfOldSizes = R"(#include "matmul.h"
#include <cuda_runtime.h>
#include <cstdio>

struct Sizes {
  int m, n, p;
};
__constant__ Sizes sizes;

__global__ void multiply(const float* a, const float* b, float* c) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= sizes.m || col >= sizes.p) return;
  float sum = 0;
  for (int k = 0; k < sizes.n; ++k) sum += a[row * sizes.n + k] * b[k * sizes.p + col];
  c[row * sizes.p + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int p) {
  static Sizes known = {0, 0, 0};
  if (known.m != m && known.n != n && known.p != p) {
    known = {m, n, p};
    cudaMemcpyToSymbol(sizes, &known, sizeof known);
  }
  const dim3 block(16, 16), grid((p + 15) / 16, (m + 15) / 16);
  multiply<<<grid, block>>>(a, b, c);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "multiply: %s\n", cudaGetErrorString(error));
}
)";

/// A change is told only where one was asked to be looked for, and costs and earns nothing.
void says_with_which_change_it_passes(const Lab& lab) {
  GradingRequest request = request_for(lab, "old_sizes.cu");
  request.submission.text = kProductOfOldSizes;
  const Report plain = grade(request).report;
  request.patches_at_a_time = 2;
  const Report report = grade(request).report;
  expect(plain.points == report.points, "a change that helps is worth no points");
  const auto says = [](const Report& of, std::string_view words) {
    return !of.findings.empty() && of.findings.front().help.find(words) != std::string::npos;
  };
  expect(!says(plain, "passes every check"), "no change is told that nobody asked for");
  expect(says(report, "with `||` in place of each `&&` in line 21, the program passes every check"),
         "the change is told:\n" + (report.findings.empty() ? "" : report.findings.front().help));
}

/// A launch that is refused, and a list whose names stand the other way round than the members.
constexpr std::string_view kCrossedShape = R"(#include "vector_add.h"

#include <cuda_runtime.h>

#include <cstdio>

struct Shape {
  unsigned threads;
  unsigned blocks;
};

static Shape shape_for(int n) {
  const unsigned VALUES;
  return {blocks, threads};
}

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

static bool went_well(cudaError_t status) {
  if (status == cudaSuccess) return true;
  std::fprintf(stderr, "vector_add: %s\n", cudaGetErrorString(status));
  (void)cudaGetLastError();
  return false;
}

void vector_add(const float* a, const float* b, float* c, int n) {
  if (n <= 0) return;
  Shape shape = shape_for(n);
  MORE;
  float *da = nullptr, *db = nullptr, *dc = nullptr;
  const size_t bytes = n * sizeof(float);
  if (went_well(cudaMalloc(&da, bytes)) && went_well(cudaMalloc(&db, bytes)) && went_well(cudaMalloc(&dc, bytes)) &&
      went_well(cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice)) &&
      went_well(cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice))) {
    add<<<shape.blocks, shape.threads>>>(da, db, dc, n);
    if (went_well(cudaGetLastError())) went_well(cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost));
  }
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
}
)";

std::string replaced_in(std::string text, std::string_view what, std::string_view with) {
  return text.replace(text.find(what), what.size(), with);
}

/// Words that propose a change are kept where it helps, and give way to a change that helps where it does not.
void tries_what_it_proposes(const Lab& lab) {
  const auto help_of = [&](std::string_view values, std::string_view more) {
    GradingRequest request = request_for(lab, "shapes.cu");
    request.submission.text = replaced_in(replaced_in(std::string(kCrossedShape), "VALUES", values), "MORE", more);
    request.patches_at_a_time = 2;
    const Report report = grade(request).report;
    return report.findings.empty() ? std::string() : report.findings.front().help.words();
  };
  const std::string kept = help_of("blocks = (n + 255) / 256, threads = 256", "");
  expect(kept.starts_with("exchange `blocks` and `threads` in line 14: "),
         "words whose change helps are kept:\n" + kept);
  const std::string other =
      help_of("threads = (n + 255) / 256, blocks = 256", "if (n < 0 || shape.blocks > 0) shape.threads += 1024");
  expect(other.starts_with("with `&&` in place of `||` in line 32, "),
         "words whose change does not help give way to one that does:\n" + other);
}

/// The check that fails because of a leak needs others, which attempts do not run.
void tries_changes_for_leaks(const Lab& lab) {
  const fs::path sample = kRoot / "solutions/lab1_vector_add/wrong/first_array_kept_on_failure.cu";
  GradingRequest request = request_for(lab, sample);
  request.frontend = FrontendChoice::clang;
  request.submission.text = text_of(sample);
  request.patches_at_a_time = 2;
  const GradingResult result = grade(request);
  const std::string help = result.report.findings.empty() ? std::string() : result.report.findings.front().help.words();
  expect(help == "with `>=` in place of `>` in line 26, the program passes every check",
         "the change that frees all is told:\n" + help);
  expect(std::ranges::find(result.failed_in, "third_allocation") != result.failed_in.end(),
         "the cases with the leak are those that are tried");
}

/// Changes are tried on cases in which the check that is told first has failed, and not on those that are right.
void names_the_cases_that_failed() {
  const Lab lab = read_lab(kRoot / "labs/lab6_timing", kRoot / "solutions");
  const fs::path sample = kRoot / "solutions/lab6_timing/wrong/errors_only_from_the_wait.cu";
  const GradingResult result = grade(request_for(lab, sample));
  expect(result.report.first_check == "errors", "the check is told first: " + result.report.first_check);
  expect(result.failed_in == std::vector<std::string>{"failed_launch_host_clock"},
         "only the case that failed is named");
}

}  // namespace

int main() {
  const Lab lab = read_lab(kRoot / "labs/lab1_vector_add", kRoot / "solutions");
  const fs::path samples = kRoot / "solutions/lab1_vector_add";
  const Expected right{samples / "vector_add.cu", 100, ""};
  const GradingResult wrong = grade(request_for(lab, samples / "wrong/no_guard.cu"));
  expect(!wrong.report.findings.empty(), "a missing guard is found");
  const std::vector<Expected> all{
      right,
      {samples / "wrong/no_guard.cu", wrong.report.points, "global-out-of-bounds"},
  };
  expect(wrong.report.points < 100, "a missing guard costs points");
  grade_again_and_again(lab, all);
  grade_side_by_side(lab, all);
  narrowed_and_refused(lab, right);
  says_what_it_does(lab, right);
  says_which_elements_are_missing();
  tries_what_it_proposes(lab);
  tries_changes_for_leaks(lab);
  names_the_cases_that_failed();
  says_with_which_change_it_passes(read_lab(kRoot / "labs/lab3_naive_matmul", kRoot / "solutions"));
  return faults == 0 ? 0 : 1;
}
