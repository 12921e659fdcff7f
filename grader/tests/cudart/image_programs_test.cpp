// Programs that ask textures and surfaces, and reduce what they hold, in PTX.
#include <string>

#include "built_program.h"
#include "catch/catch.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

TEST_CASE("reductions of surfaces, and the mistakes that are made with them", "[.nvcc]") {
  const Scratch scratch;
  const std::string program =
      build_files_with_nvcc(scratch, {"surface_reductions"}, "-std=c++17 -arch=compute_75 --device-debug");
  const Outcome right = run(scratch, program);
  CAPTURE(right.errors);
  CHECK(right.output ==
        "add: right\nmin: right\nmax: right\nand, or: right\nmany threads: right\nedges: right\na line: right\na "
        "volume: right\nformatted: right\n");
  CHECK(right.code == 0);
  CHECK(right.report.findings.empty());

  for (const ProgramMutant& mutant : {
           ProgramMutant{"o", "global-out-of-bounds", "// counts", "", "atomic update of 4 bytes", ""},
           ProgramMutant{"f", "global-out-of-bounds", "// takes the larger", "", "atomic update of 8 bytes", ""},
           ProgramMutant{"m", "misaligned-access", "// counts", "", "atomic update of 4 bytes", "2 bytes past"},
           ProgramMutant{"u", "uninitialized-read", "// counts", "", "", ""},
           ProgramMutant{"h", "null-pointer-dereference", "// counts", "", "", ""},
           ProgramMutant{"r", "stream-race", "// beside it", "", "`histogram`", ""},
       }) {
    const Outcome outcome = run(scratch, program + " " + mutant.arguments);
    CAPTURE(mutant.arguments, mutant.message, outcome.errors);
    CHECK(shows(outcome.report, "surface_reductions", mutant));
  }
}

TEST_CASE("textures and surfaces say how large they are", "[.nvcc]") {
  const Scratch scratch;
  const std::string program =
      build_files_with_nvcc(scratch, {"image_sizes"}, "-std=c++17 -arch=compute_75 --device-debug");
  const Outcome right = run(scratch, program);
  CAPTURE(right.errors);
  CHECK(right.output ==
        "a line: right\nan image: right\nbytes: right\na volume: right\nlines in layers: right\nimages in layers: "
        "right\na cube: right\nmemory: right\nrows of memory: right\n");
  CHECK(right.code == 0);
  CHECK(right.report.findings.empty());
  const Outcome destroyed = run(scratch, program + " d");
  CAPTURE(destroyed.errors);
  CHECK(
      shows(destroyed.report, "image_sizes", ProgramMutant{"d", "null-pointer-dereference", "suq.width", "", "", ""}));
}
