// Programs that copy boxes of tensors, by the toolkit's own headers.
#include <string>

#include "built_program.h"
#include "catch/catch.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;
using cudalabs::Finding;

TEST_CASE("copies of boxes of tensors, and the mistakes that are made with them", "[.nvcc]") {
  const Scratch scratch;
  const std::string program =
      build_files_with_nvcc(scratch, {"tensor_copies"}, "-arch=compute_90 --device-debug -lcuda");
  const auto run_on_h200 = [&](const std::string& arguments) {
    return run(scratch, program + " " + arguments, "--model h200");
  };
  const Outcome right = run_on_h200("");
  CAPTURE(right.errors);
  CHECK(right.output ==
        "an entry point: right\ntiles: right\nanother address: right\nmaps in global memory: right\na map in constant "
        "memory: right\na matrix turned: right\nsums: right\na cluster: right\na volume: right\n");
  CHECK(right.code == 0);
  CHECK(right.report.findings.empty());

  for (const ProgramMutant& mutant : {
           ProgramMutant{"s 1", "unfenced-copy", "// out", "// scales", "may not see what threads have stored",
                         "`tile["},
           ProgramMutant{"s 2", "shared-race", "// scales", "// fetches", "does not wait for a bulk copy", "`tile["},
           ProgramMutant{"s 3", "barrier-divergence", "// waits", "",
                         "deadlock: threads wait at a barrier in shared memory",
                         "copies have brought 1536 bytes more than were announced"},
           ProgramMutant{"s 4", "misaligned-access", "// fetches", "", "begins in shared memory at no multiple of 128",
                         "16 bytes past"},
           ProgramMutant{"s 5", "overwritten-copy-source", "// zeros", "// out", "may not have read yet", "`tile["},
           ProgramMutant{"s 6", "unfinished-copy", "// out", "", "may still read its shared memory", "`tile"},
           ProgramMutant{"s 7", "invalid-tensor-map", "// fetches", "",
                         "a map in local memory, where no copy can read it", "`__grid_constant__`"},
           ProgramMutant{"s 8", "invalid-tensor-map", "// fetches", "", "goes by a map that was not encoded",
                         "`cuTensorMapEncodeTiled`"},
           ProgramMutant{
               "m 9", "global-out-of-bounds", "// fetches", "", "outside every allocation, where its map has elements",
               "the tensor map says 72 x 80 elements of 4 bytes, the innermost dimension first: 23040 bytes from "
               "its address on, where an allocation has 11520 bytes"},
           ProgramMutant{"m 10", "use-after-free", "// fetches", "", "memory that was freed",
                         "72 x 40 elements of 4 bytes"},
           ProgramMutant{"m 12", "host-pointer-dereference", "// fetches", "", "the map of this tensor copy", ""},
           ProgramMutant{"v 11", "invalid-tensor-map", "// of a plane", "",
                         "has 2 coordinates, and the map is of a tensor of 3 dimensions", ""},
           ProgramMutant{"t 1", "unfenced-copy", "// puts back", "// turns", "may not see what threads have stored",
                         "`turned["},
           ProgramMutant{"t 2", "shared-race", "// turns", "// fetches a square", "does not wait for a bulk copy",
                         "`tile["},
           ProgramMutant{"r 1", "unfenced-copy", "// adds", "// part", "may not see what threads have stored",
                         "`part["},
           ProgramMutant{"r 6", "unfinished-copy", "// adds", "", "may still read its shared memory", "`part"},
           ProgramMutant{"c 2", "shared-race", "// takes", "", "does not wait for a bulk copy", "`tile["},
       }) {
    const Outcome outcome = run_on_h200(mutant.arguments);
    CAPTURE(mutant.arguments, mutant.message, outcome.errors);
    CHECK(shows(outcome.report, "tensor_copies", mutant));
  }
}

TEST_CASE("what a driver says to tensor maps", "[.nvcc]") {
  const Scratch scratch;
  const std::string program = build_with_nvcc(scratch, "tensor_maps", "-lcuda");
  const Outcome right = run(scratch, program, "--model h200");
  CAPTURE(right.errors);
  CHECK(right.output ==
        "before the driver: right\nbefore a context: right\n101 answers\nanother address: right\nno address to put "
        "there: right\nan address for what is no map: right\ninterleaved: right\n");
  REQUIRE(right.report.findings.size() == 1);
  const Finding& refused = right.report.findings.front();
  CHECK(refused.id == "unsupported-call");
  CHECK(refused.message == "an interleaved tensor by `cuTensorMapEncodeTiled` is not supported here");
}
