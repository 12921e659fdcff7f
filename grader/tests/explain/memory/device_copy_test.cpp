// Copies to the device of a pointer's size, and of values that the host stores only afterwards.
#include "explain/memory/device_copy.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

using Mistake = DeviceCopy::Mistake;

/// Of a function with these parameters and this body, which begins in line 2.
std::optional<DeviceCopy> copy_of(const std::string& parameters, const std::string& body) {
  return wrong_copy("static void put(" + parameters + ") {\n  " + body + "\n}\n");
}

}  // namespace

TEST_CASE("a copy of as many bytes as a pointer has is found") {
  const auto found = copy_of("const Job* j", "check(cudaMemcpyToSymbol(job, j, sizeof(j)));");
  REQUIRE(found);
  CHECK(found->mistake == Mistake::pointer_size);
  CHECK(found->type == "Job");
  CHECK(found->line == 2);
  CHECK(copy_of("const float* a, float* d", "cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice);"));
}

TEST_CASE("sizes of values, of arrays, and of what is as large as a pointer are no mistake") {
  CHECK_FALSE(copy_of("const Job* j", "cudaMemcpyToSymbol(job, j, sizeof(*j));"));
  CHECK_FALSE(copy_of("const Job* j", "cudaMemcpyToSymbol(job, j, sizeof(Job));"));
  CHECK_FALSE(copy_of("const Job& j", "cudaMemcpyToSymbol(job, &j, sizeof(j));"));
  CHECK_FALSE(copy_of("Job j", "cudaMemcpyToSymbol(job, &j, sizeof(j));"));
  CHECK_FALSE(copy_of("float* d", "cudaMemcpyToSymbol(pointer, &d, sizeof(d));"));
  CHECK_FALSE(copy_of("const double* x", "cudaMemcpyToSymbol(value, x, sizeof(x));"));
  CHECK_FALSE(copy_of("float* h, const float* d", "cudaMemcpy(h, d, sizeof(d), cudaMemcpyDeviceToHost);"));
}

TEST_CASE("a value that the host stores between the copy and the launch comes too late") {
  const auto found =
      copy_of("Job* j, int n", "cudaMemcpyToSymbol(job, j, sizeof(Job));\n  j->n = n;\n  k<<<1, 1>>>();");
  REQUIRE(found);
  CHECK(found->mistake == Mistake::too_early);
  CHECK(found->line == 2);
  CHECK(found->change.line == 3);
  CHECK(copy_of("int n", "Job j;\n  cudaMemcpyToSymbol(job, &j, sizeof j);\n  j.n = n;\n  k<<<1, 1>>>();"));
  CHECK(copy_of("float* h, float* d", "cudaMemcpy(d, h, 8, cudaMemcpyHostToDevice);\n  h[1] = 2;\n  k<<<1, 1>>>(d);"));
}

TEST_CASE("what is stored before the copy, after the launch, or copied again is in time") {
  CHECK_FALSE(copy_of("Job* j, int n", "j->n = n;\n  cudaMemcpyToSymbol(job, j, sizeof(Job));\n  k<<<1, 1>>>();"));
  CHECK_FALSE(copy_of("Job* j", "cudaMemcpyToSymbol(job, j, sizeof(Job));\n  k<<<1, 1>>>();\n  j->n = 0;"));
  CHECK_FALSE(copy_of("Job* j", "cudaMemcpyToSymbol(job, j, sizeof(Job));\n  j->n = 0;"));
  CHECK_FALSE(
      copy_of("Job* j", "cudaMemcpyToSymbol(job, j, sizeof(Job));\n  if (j->n == 0) return;\n  k<<<1, 1>>>();"));
  CHECK_FALSE(copy_of(
      "Job* j", "cudaMemcpyToSymbol(job, j, 8);\n  j->n = 1;\n  cudaMemcpyToSymbol(job, j, 8);\n  k<<<1, 1>>>();"));
  // The pointer goes on, and what was copied stays as it was.
  CHECK_FALSE(
      copy_of("float* h, float* d", "cudaMemcpy(d, h, 8, cudaMemcpyHostToDevice);\n  h = h + 2;\n  k<<<1, 1>>>(d);"));
}

TEST_CASE("a wrong output is told at the copy's mistake, and another finding as it was") {
  const std::string source =
      "void f(Job* j, int n) {\n  cudaMemcpyToSymbol(job, j, sizeof(Job));\n  j->n = n;\n  k<<<1, 1>>>();\n}\n";
  const auto shown = [&](std::string_view id, bool proven = false) {
    std::vector<MergedFinding> findings(1);
    findings[0].id = id;
    findings[0].proven = proven;
    findings[0].where = {"folder/k.cu", 9, 3};
    show_wrong_copy(findings, source, "k.cu");
    return findings[0];
  };
  const MergedFinding wrong = shown(finding_ids::kUnwrittenOutput);
  CHECK(wrong.where.line == 3);
  REQUIRE(wrong.other);
  CHECK(wrong.other->place.line == 2);
  CHECK(wrong.help ==
        "the device keeps what `j` held when `cudaMemcpyToSymbol` copied it in line 2: store every value "
        "in `j` before the copy");
  const MergedFinding null = shown(finding_ids::kNullPointerDereference);
  CHECK(null.where.line == 9);
  CHECK(null.other->place.line == 3);
  CHECK_FALSE(shown(finding_ids::kSharedRace).other);
  CHECK(shown(finding_ids::kUnwrittenOutput, true).where.line == 9);
}

}  // namespace cudalabs::test
