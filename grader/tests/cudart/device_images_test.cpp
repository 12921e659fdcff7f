// What nvcc puts into a program for the device: code of several files that is linked, code without PTX, compressed
// code.
#include <cstdlib>

#include "built_program.h"
#include "catch/catch.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;
using cudalabs::Finding;

TEST_CASE("device code in several files, linked by nvcc, runs as on a GPU", "[.nvcc]") {
  struct Row {
    const char* id;
    const char* file;
    const char* line;
    const char* kernel;
  };
  const Row rows[] = {{"global-out-of-bounds", "tools", "// out of bounds", "put_behind"},
                      {"shared-race", "tools", "// races", "race"},
                      {"uninitialized-read", "main", "// never written", "copy"}};
  // Machine code and PTX, compressed; PTX alone, unoptimised.
  for (const std::string flags : {"-rdc=true -arch=sm_75 -lineinfo",
                                  "-rdc=true -gencode arch=compute_75,code=compute_75 -no-compress --device-debug"}) {
    CAPTURE(flags);
    const Scratch scratch;
    const std::string program = build_files_with_nvcc(scratch, {"linked/main", "linked/tools", "linked/shapes"}, flags);
    const Outcome outcome = run(scratch, program);
    CAPTURE(outcome.output, outcome.errors);
    CHECK(outcome.code == 0);
    CHECK(outcome.output ==
          "a constant that tools.cu has set: right\na structure by value: right\na virtual function: right\n"
          "function pointers: right\nfunctions of one name: right\na constant that main.cu has set: right\n"
          "one variable for all files: right\nkernels of one name: right\nvariables of one name: right\n"
          "a template in two files: right\n");
    CHECK(outcome.report.findings.empty());
    CHECK(outcome.report.module_errors.empty());
    CHECK(outcome.report.launch_count == 9);
    for (std::size_t i = 0; i < std::size(rows); ++i) {
      const Outcome faulty = run(scratch, program + " " + std::to_string(i + 1));
      CAPTURE(i, faulty.errors);
      const Finding* const finding = find(faulty.report, rows[i].id);
      REQUIRE(finding != nullptr);
      CHECK(finding->kernel == rows[i].kernel);
      CHECK(fs::path(finding->where.file).filename() == std::string(rows[i].file) + ".cu");
      CHECK(finding->where.line == line_of("linked/" + std::string(rows[i].file), rows[i].line));
    }
  }
}

TEST_CASE("of a linked program only the kernel with a call that kernels do not have is refused", "[.nvcc]") {
  const Scratch scratch;
  const Outcome outcome =
      run(scratch, build_files_with_nvcc(scratch, {"linked/parent"}, "-rdc=true -arch=sm_75 -lineinfo -lcudadevrt"));
  CAPTURE(outcome.errors);
  CHECK(outcome.output == "a kernel beside it: right\ncudaErrorUnsupportedPtxVersion\n");
  REQUIRE(outcome.report.not_executed.size() == 1);
  CHECK(outcome.report.not_executed[0].find("`copies_rows` cannot be executed") == 0);
  CHECK(outcome.report.not_executed[0].find("parent.cu:" + std::to_string(line_of("linked/parent", "// of rows"))) !=
        std::string::npos);
  CHECK(outcome.report.module_errors.empty());
}

TEST_CASE("a program without PTX is told how to compile, and nothing else", "[.nvcc]") {
  const Scratch scratch;
  for (const std::string flags : {"", "-rdc=true "}) {
    CAPTURE(flags);
    const Outcome outcome =
        run(scratch,
            build_files_with_nvcc(scratch, {"vector_add"}, flags + "-gencode arch=compute_75,code=sm_75 -lineinfo"));
    CAPTURE(outcome.errors);
    CHECK(outcome.code == 1);
    CHECK(outcome.report.findings.empty());
    REQUIRE(outcome.report.module_errors.size() == 1);
    CHECK(outcome.report.module_errors[0].find("-gencode arch=compute_75,code=compute_75") != std::string::npos);
  }
}

TEST_CASE("nvcc's device code runs however it is compressed", "[.nvcc]") {
  const Scratch scratch;
  std::vector<std::string> ways = {"--no-compress", ""};
  // Toolkits before 12.9 have no choice of how.
  if (std::system(CUDALABS_NVCC " --help | grep -q compress-mode") == 0)
    ways.insert(ways.end(), {"-compress-mode=speed", "-compress-mode=size"});
  for (const std::string& way : ways) {
    CAPTURE(way);
    const Outcome outcome = run(scratch, build_with_nvcc(scratch, "vector_add", way));
    CHECK(outcome.code == 0);
    CHECK(outcome.output == "sum: right\n");
    CHECK(outcome.report.module_errors.empty());
  }
}
