// Sizes and offsets of copies to the device's variables that count elements.
#include "explain/memory/symbol_copy.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_symbol_copy {
namespace {

using Mistake = SymbolCopy::Mistake;

/// The declaration stands in line 1, the call in line 3.
std::optional<SymbolCopy> copy_of(const std::string& declaration, const std::string& call) {
  return miscounted_copy(declaration + "\nvoid f(const int* h, int n) {\n  " + call + "\n}\n");
}

}  // namespace

TEST_CASE("a size that is the number of elements is found") {
  const auto found = copy_of("__constant__ int weights[3];", "check(cudaMemcpyToSymbol(weights, h, 3));");
  CHECK(found == SymbolCopy{Mistake::size, "cudaMemcpyToSymbol", "weights", "int", "3", true, 3});
  CHECK(copy_of("static __device__ float table[ SIZE ] = {};", "cudaMemcpyToSymbolAsync(table, h, SIZE);"));
  CHECK(copy_of("__constant__ unsigned int last;", "cudaMemcpyToSymbol(last, &n, 1);"));
}

TEST_CASE("an offset at which no element begins is found") {
  const auto found = copy_of("__constant__ int weights[3];", "cudaMemcpyToSymbol(weights, h, 2 * sizeof(int), 1);");
  REQUIRE(found);
  CHECK(found->mistake == Mistake::offset);
  CHECK(found->given == "1");
}

TEST_CASE("sizes in bytes, arrays of bytes and other variables are no mistake") {
  CHECK_FALSE(copy_of("__constant__ int weights[3];", "cudaMemcpyToSymbol(weights, h, sizeof(weights));"));
  CHECK_FALSE(copy_of("__constant__ int weights[3];", "cudaMemcpyToSymbol(weights, h, 3 * sizeof(int));"));
  CHECK_FALSE(copy_of("__constant__ int weights[3];", "cudaMemcpyToSymbol(weights, h, n);"));
  CHECK_FALSE(copy_of("__constant__ int weights[3];", "cudaMemcpyToSymbol(weights, h, 4, 8);"));
  CHECK_FALSE(copy_of("__constant__ unsigned char key[16];", "cudaMemcpyToSymbol(key, h, 16);"));
  CHECK_FALSE(copy_of("__constant__ Job job;", "cudaMemcpyToSymbol(job, h, 1);"));  // a structure may have one byte
  CHECK_FALSE(copy_of("__constant__ float* table;", "cudaMemcpyToSymbol(table, &h, 8);"));
  CHECK_FALSE(copy_of("__constant__ int grid[3][4];", "cudaMemcpyToSymbol(grid, h, 3);"));
  CHECK_FALSE(copy_of("int weights[3];", "cudaMemcpyToSymbol(weights, h, 3);"));
  CHECK_FALSE(copy_of("__device__ int sum(int x);", "cudaMemcpyToSymbol(sum, h, 1);"));
  // A name that is declared twice may be either.
  CHECK_FALSE(
      copy_of("__constant__ int t[3]; namespace a { __constant__ char t[3]; }", "cudaMemcpyToSymbol(t, h, 3);"));
}

TEST_CASE("a wrong output is led to the copy, and another finding stays as it was") {
  const std::string source =
      "__constant__ int weights[3];\nvoid f(const int* h) {\n  cudaMemcpyToSymbol(weights, h, 3);\n}\n";
  const auto shown = [&](std::string_view id) {
    std::vector<MergedFinding> findings(1);
    findings[0].id = id;
    findings[0].where = {"folder/k.cu", 9, 3};
    findings[0].help = "as it was";
    show_miscounted_copy(findings, source, "k.cu");
    return findings[0];
  };
  const MergedFinding wrong = shown(finding_ids::kResultMismatch);
  CHECK(wrong.where == SourcePlace{"folder/k.cu", 3, 0});
  CHECK(wrong.help ==
        "the size that `cudaMemcpyToSymbol` is given is in bytes, and `weights` has `3 * sizeof(int)` of them: write "
        "`sizeof(weights)`");
  CHECK(shown(finding_ids::kGlobalRace).help == "as it was");
}

}  // namespace cudalabs::test::of_symbol_copy
