// The ladders of labs 3 and 4, held against cuBLAS in plain FP32; the reference is cuBLAS in FP64 on the same inputs.
#include "matmul.h"

#include <cublas_v2.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "device.h"
#include "inputs.h"
#include "judge.h"

namespace cudalabs::ladder {
namespace {

using Matmul = void (*)(const float*, const float*, float*, int, int, int);

constexpr double kTooSlow = 500;  // ms a run
constexpr int kSmallestForPrediction = 1024;

void check_blas(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
}

class Blas {
 public:
  Blas() {
    check_blas(cublasCreate(&handle_), "cublasCreate");
    // Pedantic: every operation in the precision asked for; no TF32, no split of FP32 into shorter formats.
    check_blas(cublasSetMathMode(handle_, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");
  }
  ~Blas() { cublasDestroy(handle_); }
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;

  // cuBLAS counts columns first, and the transpose of a row-major matrix is the same memory: Cᵀ = Bᵀ·Aᵀ.
  void multiply(const float* a, const float* b, float* c, int m, int n, int p) {
    const float one = 1, zero = 0;
    check_blas(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, p, m, n, &one, b, p, a, n, &zero, c, p), "cublasSgemm");
  }
  void multiply(const double* a, const double* b, double* c, int m, int n, int p) {
    const double one = 1, zero = 0;
    check_blas(cublasDgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, p, m, n, &one, b, p, a, n, &zero, c, p), "cublasDgemm");
  }

 private:
  cublasHandle_t handle_{};
};

std::size_t elements(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

/// A product with inputs, output and reference.
class Problem {
 public:
  /// `offset`: values by which all matrices start past a 256-byte boundary.
  Problem(Blas& blas, int m, int n, int p, std::size_t offset = 0)
      : blas_(blas),
        m_(m),
        n_(n),
        p_(p),
        offset_(offset),
        a_(elements(m, n) + offset),
        b_(elements(n, p) + offset),
        wide_a_(elements(m, n)),
        wide_b_(elements(n, p)),
        reference_(elements(m, p)),
        squares_(elements(m, p)),
        output_(elements(m, p), offset) {}

  void prepare(Values kind, std::uint64_t seed) {
    kind_ = kind;
    fill(a_.data(), a_.size(), kind, 2 * seed);
    fill(b_.data(), b_.size(), kind, 2 * seed + 1);
    for (const bool squared : {true, false}) {
      widen(wide_a_.data(), a(), wide_a_.size(), squared);
      widen(wide_b_.data(), b(), wide_b_.size(), squared);
      blas_.multiply(wide_a_.data(), wide_b_.data(), squared ? squares_.data() : reference_.data(), m_, n_, p_);
    }
  }
  void poison() { output_.poison(); }
  void run(Matmul function) { function(a(), b(), output_.data(), m_, n_, p_); }
  void run_blas() { blas_.multiply(a(), b(), output_.data(), m_, n_, p_); }
  Verdict verify() const {
    return judge_products(output_, reference_.data(), kind_ == Values::whole ? nullptr : squares_.data(), n_);
  }

 private:
  const float* a() const { return a_.data() + offset_; }
  const float* b() const { return b_.data() + offset_; }

  Blas& blas_;
  int m_, n_, p_;
  std::size_t offset_;
  DeviceArray<float> a_, b_;
  DeviceArray<double> wide_a_, wide_b_, reference_, squares_;
  Output output_;
  Values kind_ = Values::real;
};

struct Shape {
  int m, n, p;
  std::size_t offset;
};

// One of everything, one less and one more than tiles, primes, rows and columns; products taller and wider than a grid
// of blocks may be high; more than 2^31 elements; matrices that do not start on a 16-byte boundary.
const std::vector<Shape> kEdges = {
    {1, 1, 1, 0},       {1, 1, 4, 0},         {4, 4, 4, 0},          {2, 3, 5, 0},          {7, 5, 3, 0},
    {8, 8, 8, 0},       {15, 16, 17, 0},      {16, 16, 16, 0},       {31, 33, 32, 0},       {1, 127, 1, 0},
    {1, 64, 129, 0},    {129, 64, 1, 0},      {37, 1, 41, 0},        {64, 4, 64, 0},        {97, 131, 113, 0},
    {128, 8, 256, 0},   {128, 16, 256, 0},    {129, 129, 129, 0},    {127, 255, 257, 0},    {256, 12, 512, 0},
    {132, 20, 260, 0},  {130, 36, 258, 0},    {257, 100, 511, 0},    {509, 503, 499, 0},    {1021, 7, 1019, 0},
    {512, 512, 512, 0}, {640, 1000, 768, 0},  {1000, 1000, 1000, 0}, {1, 4097, 4097, 0},    {4097, 4097, 1, 0},
    {4097, 1, 129, 0},  {4097, 129, 4097, 0}, {129, 4097, 131, 0},   {2053, 2048, 2052, 0}, {64, 64, 64, 1},
    {128, 256, 384, 1}, {256, 64, 256, 2},    {129, 65, 131, 3},     {1048577, 3, 2, 0},    {2, 3, 1048577, 0},
    {8388609, 1, 1, 0}, {50021, 5, 50023, 0}, {1, 1048577, 1, 0}};

}  // namespace

int check_matmul_edges(const std::vector<Step>& steps, std::size_t largest) {
  Blas blas;
  int cases = 0;
  for (const Shape& shape : kEdges) {
    if (std::max({elements(shape.m, shape.n), elements(shape.n, shape.p), elements(shape.m, shape.p)}) > largest)
      continue;
    ++cases;
    Problem problem(blas, shape.m, shape.n, shape.p, shape.offset);
    for (const Values kind : {Values::real, Values::whole}) {
      problem.prepare(kind, static_cast<std::uint64_t>(shape.m + shape.n + shape.p));
      for (const Step& step : steps) {
        problem.poison();
        problem.run(reinterpret_cast<Matmul>(step.function));
        check(cudaGetLastError(), step.name.c_str());
        const Verdict verdict = problem.verify();
        if (!verdict.ok()) {
          throw std::runtime_error(step.name + " at " + std::to_string(shape.m) + " × " + std::to_string(shape.n) +
                                   " × " + std::to_string(shape.p) + ", offset " + std::to_string(shape.offset) + ": " +
                                   verdict.text());
        }
      }
    }
  }
  return cases;
}

std::vector<SizeResult> time_matmul(const std::vector<Step>& steps, const std::vector<int>& sides) {
  Blas blas;
  std::vector<SizeResult> results;
  std::map<std::string, double> nanoseconds_an_operation;
  for (const int side : sides) {
    Problem problem(blas, side, side, side);
    const double operations = 2.0 * side * side * side;
    SizeResult result{std::to_string(side), "cuBLAS, FP32 (pedantic)", "GFLOP/s", operations, operations, {}, {}};
    TimingRounds rounds;
    rounds.steps.push_back({"cuBLAS", [&] { problem.run_blas(); }});
    for (const Step& step : steps) {
      if (nanoseconds_an_operation[step.name] * operations * 1e-6 > kTooSlow) {
        result.left_out.push_back(step.name);
        continue;
      }
      rounds.steps.push_back({step.name, [&problem, &step] { problem.run(reinterpret_cast<Matmul>(step.function)); }});
    }
    rounds.prepare = [&](int round) {
      problem.prepare(round % 2 == 0 ? Values::real : Values::whole, static_cast<std::uint64_t>(1000 * side + round));
    };
    rounds.poison = [&] { problem.poison(); };
    rounds.verify = [&](bool) { return problem.verify(); };
    result.measurements = hold(rounds);
    // Small products tell how long a launch takes, not how long an operation does.
    for (const Measurement& one : result.measurements) {
      double& known = nanoseconds_an_operation[one.name];
      if (side >= kSmallestForPrediction) known = std::max(known, one.milliseconds * 1e6 / operations);
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace cudalabs::ladder
