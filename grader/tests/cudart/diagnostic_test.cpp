// A finding as compilers would print it.
#include "vgpu/cudart/tool/printed_finding.h"

#include "catch/catch.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

std::string line(const std::string& file, std::uint32_t number) {
  return file == "k.cu" && number == 12 ? "\tsum += tile[k + 1];" : "";
}

}  // namespace

TEST_CASE("a finding with everything") {
  Finding finding;
  finding.id = "shared-race";
  finding.message = "threads race on `tile`";
  finding.where = {"k.cu", 12, 9};
  finding.kernel = "tiled";
  finding.block = {1, 2, 0};
  finding.thread = {3, 0, 0};
  finding.address = 0x40;
  finding.count = 17;
  finding.note = "two facts";
  finding.help = "one remedy";
  finding.other = OtherPlace{"earlier write", {"other.cu", 7, 3}, std::nullopt, Index3{4, 0, 0}};
  CHECK(render_diagnostic(finding, line) ==
        "error[shared-race]: threads race on `tile`\n"
        "  --> k.cu:12:9\n"
        "   |\n"
        "12 | \tsum += tile[k + 1];\n"
        "   | \t       ^\n"
        "  = in `tiled`, block (1, 2, 0), thread (3, 0, 0), address 0x40 (17 times)\n"
        "note: earlier write by thread (4, 0, 0)\n"
        " --> other.cu:7:3\n"
        "  = note: two facts\n"
        "  = help: one remedy\n\n");
}

TEST_CASE("a finding with nothing but its words") {
  Finding finding;
  finding.id = "memory-leak";
  finding.severity = Severity::warning;
  finding.message = "8 bytes";
  CHECK(render_diagnostic(finding, line) == "warning[memory-leak]: 8 bytes\n\n");
}

TEST_CASE("control characters of hostile names do not reach the terminal") {
  Finding finding;
  finding.id = "x";
  finding.severity = Severity::advice;
  finding.message = "\x1b[2J\r";
  finding.kernel = "k\n";
  finding.where = {
      "a\x1b"
      "b.cu",
      3, 0};
  CHECK(render_diagnostic(finding, line) == "advice[x]: ?[2J?\n --> a?b.cu:3\n  = in `k?`\n\n");
}
