// Programs of the CUDA driver API: what it shares with the runtime, and what it alone has.
#include <algorithm>
#include <string>

#include "built_program.h"
#include "catch/catch.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;
using cudalabs::Finding;

namespace {

/// So many lines, all of which say that something is right.
void check_all_right(const Outcome& outcome, std::ptrdiff_t lines) {
  CAPTURE(outcome.output, outcome.errors);
  CHECK(outcome.output.find("WRONG") == std::string::npos);
  CHECK(std::count(outcome.output.begin(), outcome.output.end(), '\n') == lines);
}

}  // namespace

TEST_CASE("graphs, pools, captures and copies of slices by the driver API", "[.nvcc]") {
  const Scratch scratch;
  const std::string program =
      build_with_nvcc(scratch, "driver_graphs", "--device-debug -lcuda -Xcompiler -Wno-deprecated-declarations");
  const Outcome right = run(scratch, program);
  check_all_right(right, 56);
  REQUIRE(right.report.findings.size() == 1);
  const Finding& refused = right.report.findings[0];
  CHECK(refused.id == "unsupported-call");
  CHECK(refused.message == "a node of memory operations by `cuGraphAddNode` is not supported here");
  CHECK(refused.where.line == line_of("driver_graphs", "check(\"memory operations\""));

  const Outcome wrong = run(scratch, program + " 1");
  CAPTURE(wrong.errors);
  REQUIRE(wrong.report.findings.size() == 1);
  const Finding& race = wrong.report.findings[0];
  CHECK(race.id == "stream-race");
  CHECK(race.message.find("`cuGraphAddMemsetNode`") != std::string::npos);
  CHECK(race.where.line == line_of("driver_graphs", "// the kernel"));
  REQUIRE(race.other);
  CHECK(race.other->place.line == line_of("driver_graphs", "// the fill"));
}

TEST_CASE("streams that write values and wait for them, and the mistakes that are made with them", "[.nvcc]") {
  const Scratch scratch;
  const std::string program = build_with_nvcc(scratch, "stream_values", "-std=c++17 --device-debug -lcuda");
  const Outcome right = run(scratch, program);
  check_all_right(right, 23);
  CHECK(right.code == 0);
  CHECK(right.report.findings.empty());

  for (const ProgramMutant& mutant : {
           ProgramMutant{"h 1", "stream-race", "// writes", "// reads", "may overwrite what `consume", "1024 bytes"},
           ProgramMutant{"h 3", "stream-race", "// writes", "// reads", "may overwrite what `consume", "1024 bytes"},
           ProgramMutant{"r 2", "stream-race", "// takes a round", "// makes a round", "has not written yet",
                         "1024 bytes"},
           ProgramMutant{"h 4", "endless-wait", "// waits", "",
                         "`cuStreamWaitValue32` waits for a value that nothing has written",
                         "are at least 1, and they are 0"},
           ProgramMutant{"h 5", "endless-wait", "// waits", "", "", "the host waits for the stream"},
           ProgramMutant{"b 6", "endless-wait", "// the first one", "", "", "are at least 1, and they are 0"},
           ProgramMutant{"b 6", "endless-wait", "// the second one", "", "", "are at least 1, and they are 0"},
           ProgramMutant{"k 7", "endless-wait", "", "", "", "have a bit of 0x8, and they are 6"},
           ProgramMutant{"e", "endless-wait", "// for ever", "", "", "the program ends"},
           ProgramMutant{"p", "unsupported-call", "// captures", "",
                         "a node of memory operations by `cuStreamWriteValue32` is not supported here", ""},
           ProgramMutant{"f", "unsupported-call", "// flushes", "",
                         "a flush of what other devices have written by `cuStreamWaitValue32` is not supported", ""},
       }) {
    const Outcome outcome = run(scratch, program + " " + mutant.arguments);
    CAPTURE(mutant.arguments, mutant.message, outcome.errors);
    CHECK(shows(outcome.report, "stream_values", mutant));
  }
}

TEST_CASE("reserved addresses and memory that is mapped there, and the mistakes that are made with them", "[.nvcc]") {
  const Scratch scratch;
  const std::string name = "reserved_addresses", program = build_with_nvcc(scratch, name, "--device-debug -lcuda");
  const Outcome right = run(scratch, program);
  check_all_right(right, 34);
  CHECK(right.code == 0);
  CHECK(right.report.findings.empty());

  struct Mutant {
    const char* letter;
    const char* id;
    const char* message;
    const char* line;
    const char* other;  // line; empty: none
    const char* help;   // a part of it
  };
  for (const Mutant& mutant : {
           Mutant{"u", "global-out-of-bounds", "at addresses that are reserved, and have no memory", "// stores",
                  "// reserved", "`cuMemMap`"},
           Mutant{"n", "global-out-of-bounds", "in memory that the device has no access to", "// stores", "// mapped",
                  "call `cuMemSetAccess`"},
           Mutant{"r", "global-out-of-bounds", "in memory that the device may only read", "// stores", "// mapped",
                  "PROT_READWRITE"},
           Mutant{"g", "global-out-of-bounds", "at addresses that are reserved, and have no memory", "// stores",
                  "// unmapped", "do not unmap it"},
           Mutant{"w", "uninitialized-read", "that nobody has written", "// loads", "// mapped", "fill the array"},
           Mutant{"a", "unsupported-call", "a second mapping of memory that is mapped by `cuMemMap`", "// again", "",
                  "`cuMemUnmap`"},
           Mutant{"f", "invalid-free", "an address that `cuMemAddressReserve` gave", "// by cuMemFree", "",
                  "`cuMemAddressFree`"},
           Mutant{"l", "memory-leak", "2097152 bytes of device memory created here", "// created", "",
                  "`cuMemRelease`"},
           Mutant{"l", "memory-leak", "4194304 bytes of addresses reserved here", "// reserved", "",
                  "`cuMemAddressFree`"},
       }) {
    const Outcome outcome = run(scratch, program + " " + mutant.letter);
    CAPTURE(mutant.letter, outcome.output, outcome.errors);
    CHECK(outcome.output.find("WRONG") == std::string::npos);
    CHECK(outcome.report.findings.size() == (*mutant.letter == 'l' ? 2 : 1));
    CHECK(std::ranges::any_of(outcome.report.findings, [&](const Finding& finding) {
      const bool other = finding.other && finding.other->place.line != 0;
      return finding.id == mutant.id && finding.where.line == line_of(name, mutant.line) &&
             finding.message.find(mutant.message) != std::string::npos &&
             finding.help.find(mutant.help) != std::string::npos &&
             (*mutant.other == '\0' ? !other : other && finding.other->place.line == line_of(name, mutant.other));
    }));
  }
}

TEST_CASE("unified memory that is discarded, and what is known of advice", "[.nvcc]") {
  const Scratch scratch;
  const std::string program = build_with_nvcc(scratch, "discarded", "--device-debug -lcuda");
  const Outcome right = run(scratch, program);
  check_all_right(right, 17);
  CHECK(right.code == 0);
  CHECK(right.report.findings.empty());

  const Outcome wrong = run(scratch, program + " 1");
  CAPTURE(wrong.errors);
  REQUIRE(wrong.report.findings.size() == 1);
  const Finding& lost = wrong.report.findings[0];
  CHECK(lost.id == "uninitialized-read");
  CHECK(lost.message == "read of unified memory that was discarded, and not written since");
  CHECK(lost.where.line == line_of("discarded", "// reads"));
}
