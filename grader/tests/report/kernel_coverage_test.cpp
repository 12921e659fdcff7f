// Coverage of the kernel: the tracefile by its rules, and what a person reads.
#include "report/kernel_coverage.h"

#include "catch.h"
#include "golden.h"
#include "report/printable.h"
#include "sample_reports.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

constexpr TerminalStyle kPlain{.color = false, .unicode = true, .width = 100};

vgpu::BranchCount branch(std::uint32_t line, std::uint32_t column, std::uint32_t next_line, std::uint64_t next,
                         std::uint32_t other_line, std::uint64_t other) {
  return {{"matmul.cu", line, column}, {{"matmul.cu", next_line, 1}, next}, {{"matmul.cu", other_line, 1}, other}};
}

/// A line and conditions of each kind.
KernelCoverage sample() {
  KernelCoverage coverage;
  coverage.cases = 3;
  coverage.lines = {{"matmul.cu", {{8, 320}, {9, 0}, {11, 320}, {12, 5120}, {13, 0}}}};
  coverage.branches = {branch(8, 7, 9, 0, 11, 320),
                       branch(8, 20, 8, 320, 11, 12),
                       branch(9, 22, 9, 0, 9, 0),
                       branch(12, 2, 12, 640, 12, 0),
                       branch(12, 20, 12, 5120, 14, 320),
                       branch(14, 3, 15, 0, 12, 1),
                       {{"matmul.cu", 15, 3}, {{"other.h", 7, 1}, 0}, {{}, 64}}};
  return coverage;
}

}  // namespace

TEST_CASE("coverage as a tracefile") {
  CHECK(render_lcov(sample(), "lab4") ==
        "TN:lab4\n"
        "SF:matmul.cu\n"
        "BRDA:8,0,0,0\nBRDA:8,0,1,320\nBRDA:8,1,0,320\nBRDA:8,1,1,12\n"
        "BRDA:9,0,0,-\nBRDA:9,0,1,-\n"
        "BRDA:12,0,0,640\nBRDA:12,0,1,0\nBRDA:12,1,0,5120\nBRDA:12,1,1,320\n"
        "BRDA:14,0,0,0\nBRDA:14,0,1,1\n"
        "BRDA:15,0,0,0\nBRDA:15,0,1,64\n"
        "BRF:14\nBRH:8\n"
        "DA:8,320\nDA:9,0\nDA:11,320\nDA:12,5120\nDA:13,0\n"
        "LF:5\nLH:3\n"
        "end_of_record\n");
}

TEST_CASE("a file's name cannot forge records of a tracefile") {
  KernelCoverage coverage;
  coverage.lines = {{"a\nDA:1,5\r.cu", {{1, 0}}}};
  CHECK(render_lcov(coverage, "lab 4,x\n") ==
        "TN:lab_4_x_\nSF:a?DA:1,5?.cu\nBRF:0\nBRH:0\nDA:1,0\nLF:1\nLH:0\nend_of_record\n");
  CHECK(render_lcov({}, "lab4") == "TN:lab4\n");
}

TEST_CASE("coverage counts lines and sides") {
  const KernelCoverage coverage = sample();
  CHECK(coverage.lines_found() == 5);
  CHECK(coverage.lines_hit() == 3);
  CHECK(coverage.sides_found() == 14);
  CHECK(coverage.sides_hit() == 8);
}

TEST_CASE("what the cases did not try, on a terminal") {
  check_golden("coverage.txt", render_coverage(sample(), SampleSources(), kPlain));
  check_golden("coverage.color.txt",
               render_coverage(sample(), SampleSources(), {.color = true, .unicode = true, .width = 100}));
  check_golden("coverage.narrow.txt",
               render_coverage(sample(), SampleSources(), {.color = false, .unicode = true, .width = 50}));
}

TEST_CASE("coverage that leaves nothing to say") {
  KernelCoverage coverage;
  coverage.cases = 1;
  coverage.lines = {{"matmul.cu", {{9, 1}}}};
  CHECK(render_coverage(coverage, SampleSources(), kPlain) ==
        "coverage of the kernel, 1 case together: 1 of 1 lines ran, 0 of 0 sides of conditions\nevery line ran\n");
  coverage.branches = {branch(9, 1, 9, 1, 11, 1)};
  CHECK(render_coverage(coverage, SampleSources(), kPlain)
            .ends_with("every line ran, and every condition went both ways\n"));
  CHECK(render_coverage({}, SampleSources(), kPlain).find("no kernel was launched") != std::string::npos);
}

TEST_CASE("a long list of silent lines is cut, and says so") {
  KernelCoverage coverage;
  for (std::uint32_t line = 100; line < 150; ++line) coverage.lines["matmul.cu"][line] = 0;
  const std::string text = render_coverage(coverage, SampleSources(), kPlain);
  CHECK(text.find("  119 |\n") != std::string::npos);
  CHECK(text.find("  120 |\n") == std::string::npos);
  CHECK(text.find("  ... and 30 more\n") != std::string::npos);
}

TEST_CASE("names from a submission reach the terminal harmless") {
  KernelCoverage coverage;
  coverage.lines = {{"a\x1b[2J.cu", {{3, 0}}}, {"matmul.cu", {{3, 0}}}};
  coverage.branches = {{{"matmul.cu", 3, 1}, {{"b\x1b[2J.cu", 3, 1}, 1}, {{"b\x1b[2J.cu", 4, 1}, 0}}};
  const std::string text = render_coverage(coverage, SampleSources(), kPlain);
  CHECK(text == printable(text));
}
