// Pointers that get another address while they are the last ones to memory.
#include "explain/memory/overwritten_pointer.h"

#include <string>

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_overwritten_pointer {
namespace {

using How = OverwrittenPointer::How;

/// The allocation is in line 5.
std::string in_loop(const std::string& round, const std::string& behind = "cudaFree(last);") {
  return "__global__ void level(const float* in, float* out);\nvoid climb(const float* in, float* out, int n) {\n"
         "  const float* from = in; float* last = nullptr; float* p = nullptr; float* t; float* list[4];\n"
         "  while (n > 1) { float* to; float* o = nullptr;\n" +
         round + "\n  }\n  " + behind +
         "\n}\nvoid release(float* x) { cudaFree(x); }\nvoid keep(float* x) { all = x; }\n";
}

std::uint32_t line_in_loop(const std::string& round, const std::string& behind = "cudaFree(last);") {
  const auto found = overwritten_pointer(in_loop(round, behind), 5);
  return found ? found->line : 0;
}

std::string straight(const std::string& rest) {
  return "void f(int n) {\n  float* d = nullptr;\n  cudaMalloc(&d, n);\n" + rest + "\n}\n";
}

std::uint32_t line_behind(const std::string& rest) {
  const auto found = overwritten_pointer(straight(rest), 3);
  return found ? found->line : 0;
}

TEST_CASE("the last pointer to the memory of a round before is overwritten") {
  const std::string round =
      "    const cudaError_t e = cudaMalloc(&to, n);\n    if (e != cudaSuccess) { cudaFree(last); return; }\n"
      "    level<<<1, 1>>>(from, to);\n    last = to;\n    from = last;";
  CHECK(overwritten_pointer(in_loop(round), 5) == OverwrittenPointer{"last", 8, 5, How::assigned});
}

TEST_CASE("nothing is said where the memory is freed, kept, or read by a kernel behind that") {
  const std::string make = "    cudaMalloc(&to, n);\n    level<<<1, 1>>>(from, to);\n";
  CHECK(line_in_loop(make + "    last = to;") == 7);
  CHECK(line_in_loop(make + "    cudaFree(last);\n    last = to;") == 0);
  CHECK(line_in_loop(make + "    if (last) cudaFree(last);\n    last = to;") == 0);
  CHECK(line_in_loop(make + "    release(last);\n    last = to;") == 0);
  CHECK(line_in_loop(make + "    last = to; from = last; cudaFree(from);") == 0);
  CHECK(line_in_loop(make + "    list[n] = to;\n    last = to;") == 0);
  CHECK(line_in_loop(make + "    keep(to);\n    last = to;") == 0);
  CHECK(line_in_loop(make + "    all.push_back(to);\n    last = to;") == 0);
  CHECK(line_in_loop(make + "    last = to;\n    level<<<1, 1>>>(from, to);\n    from = last;") == 0);
  CHECK(line_in_loop(make + "    last = to;", "") == 0);
  CHECK(line_in_loop(make + "    t = to;", "cudaFree(t);") == 0);  // it is not null at first
}

TEST_CASE("a pointer of the function is overwritten by the next round, and one of the loop ends") {
  const auto next = overwritten_pointer(in_loop("    cudaMalloc(&p, n);\n    level<<<1, 1>>>(in, p);", ""), 5);
  CHECK(next == OverwrittenPointer{"p", 4, 3, How::next_round});
  CHECK(line_in_loop("    cudaMalloc(&p, n);", "cudaFree(p);") == 0);
  CHECK(line_in_loop("    cudaMalloc(&p, n);", "level<<<1, 1>>>(p, out);") == 0);
  CHECK(line_in_loop("    cudaMalloc(&p, n);\n    cudaFree(p);") == 0);
  CHECK(line_in_loop("    cudaMalloc(&list[n], n);") == 0);
  const auto own = overwritten_pointer(in_loop("    cudaMalloc((void**)&o, n);"), 5);
  REQUIRE(own);
  CHECK(own->how == How::end_of_round);
}

TEST_CASE("outside of loops a later statement gives another address") {
  CHECK(line_behind("  k<<<1, 1>>>(d);\n  cudaMalloc(&d, 2 * n);\n  cudaFree(d);") == 5);
  CHECK(line_behind("  d = nullptr;") == 4);
  CHECK(line_behind("  d = other(n);\n  cudaFree(d);") == 4);
  CHECK(line_behind("  cudaFree(d);\n  cudaMalloc(&d, 2 * n);") == 0);
  CHECK(line_behind("  if (n) cudaFree(d);\n  cudaMalloc(&d, 2 * n);") == 0);
  CHECK(line_behind("  float* first = d;\n  cudaMalloc(&d, 2 * n);") == 0);
  CHECK(line_behind("  keep(d);\n  d = nullptr;") == 0);
  CHECK(line_behind("  d = d + 1;\n  cudaFree(d);") == 0);
  CHECK(line_behind("  d += 1;\n  cudaFree(d);") == 0);
  CHECK(line_behind("  cudaMalloc(&e, n);\n  k<<<1, 1>>>(d, e);") == 0);
  CHECK_FALSE(overwritten_pointer(straight(""), 3));
  CHECK_FALSE(overwritten_pointer(straight(""), 9));
}

TEST_CASE("it is shown beside leaks that no failed call leads to") {
  const auto shown = [](const std::string& source, bool fails, bool last = false) {
    SubmissionRun run;
    run.case_runs.resize(1);
    run.case_runs.front().test.spec.name = "large";
    run.case_runs.front().test.spec.faults.allocation = fails ? 2 : 0;
    run.case_runs.front().observed.end = RunEnd::finished;
    MergedFinding finding;
    finding.id = finding_ids::kMemoryLeak;
    finding.where = {"k.cu", 3, 0};
    finding.cases = {"large"};
    finding.help = "as before";
    finding.last_of_call = last;
    std::vector<MergedFinding> findings{finding};
    show_overwritten_pointers(findings, source, "k.cu", run);
    return findings.front();
  };
  const MergedFinding made = shown(straight("  cudaMalloc(&d, 2 * n);"), false);
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 4, 15});
  CHECK(made.help ==
        "line 4 gives `d` another address, and nothing frees the memory that it has: call `cudaFree(d)` before that");
  CHECK(shown(straight("  cudaMalloc(&d, 2 * n);"), true).help == "as before");
  CHECK(shown(straight("  cudaMalloc(&d, 2 * n);"), false, true).help == "as before");
  const std::string loop = "void f(int n) {\n  while (n--) { float* d;\n  cudaMalloc(&d, n); }\n}\n";
  CHECK(shown(loop, false).help ==
        "`d` ends with each round, and nothing frees the memory that it has: call `cudaFree(d)` at the end of each "
        "round");
  const std::string next = "void f(int n) { float* d;\n  while (n--) {\n  cudaMalloc(&d, n); }\n}\n";
  CHECK(shown(next, false).other->label == "each round of this loop gives `d` another address");
}

TEST_CASE("long texts are read all the same") {
  for (const std::string part : {"cudaFree(d);", "e = d;", "f(d);", "(d", "while (d) {", "d = d;"}) {
    for (const std::size_t size : {std::size_t{50'000}, std::size_t{1} << 20}) {
      std::string text;
      while (text.size() < size) text += part;
      overwritten_pointer(straight(text), 3);
      overwritten_pointer(in_loop("cudaMalloc(&p, n);" + text), 5);
    }
  }
}

}  // namespace
}  // namespace cudalabs::test::of_overwritten_pointer
