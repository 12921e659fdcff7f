// What only nvcc compiles: programs by the toolkit's own headers and flags.
#include <algorithm>
#include <string>

#include "built_program.h"
#include "catch/catch.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;
using cudalabs::Finding;

TEST_CASE("programs compiled for a default stream of each thread", "[.nvcc]") {
  const Scratch scratch;
  const std::string program =
      build_with_nvcc(scratch, "per_thread_stream", "--device-debug --default-stream per-thread");
  const Outcome right = run(scratch, program);
  CAPTURE(right.errors);
  CHECK(
      right.output ==
      "two threads at once: right\nbefore and after the legacy stream: right\nbehind the other thread's event: right\n"
      "captured and launched: right\na symbol: right\nmemory of a pool: right\na host function: right\n"
      "a launch by its configuration: right\nnot to be destroyed: right\nstreams of their own: right\n");
  CHECK(right.code == 0);
  CHECK(right.report.findings.empty());
  for (const char* const mistake : {"0", "1"}) {
    const Outcome outcome = run(scratch, program + " " + mistake);
    CAPTURE(outcome.errors);
    REQUIRE(outcome.report.findings.size() == 1);
    const Finding& race = outcome.report.findings[0];
    CHECK(race.id == "stream-race");
    CHECK(race.where.line == line_of("per_thread_stream", "// second thread"));
    REQUIRE(race.other);
    CHECK(race.other->place.line == line_of("per_thread_stream", "// first thread"));
  }

  const Outcome of_driver =
      run(scratch, build_with_nvcc(scratch, "driver_per_thread", "-lcuda --default-stream per-thread"));
  CAPTURE(of_driver.errors);
  CHECK(of_driver.output == "in order: right\nan address for such programs: right\nin two threads: right\n");
  REQUIRE(of_driver.report.findings.size() == 1);
  CHECK(of_driver.report.findings[0].id == "stream-race");
  CHECK(of_driver.report.findings[0].message.find("`cuMemsetD8Async`") != std::string::npos);
  CHECK(of_driver.report.findings[0].where.line == line_of("driver_per_thread", "// second thread"));
}

TEST_CASE("clusters of blocks, and the mistakes that are made with them", "[.nvcc]") {
  const Scratch scratch;
  const std::string program = build_files_with_nvcc(scratch, {"clusters"}, "-arch=compute_90 --device-debug");
  const auto run_on_h200 = [&](const std::string& arguments) {
    return run(scratch, program + " " + arguments, "--model h200");
  };
  const Outcome right = run_on_h200("");
  CAPTURE(right.errors);
  CHECK(right.output == "a histogram: right\na sum: right\na ring: right\na flag: right\n");
  CHECK(right.code == 0);
  CHECK(right.report.findings.empty());

  const Outcome configurations = run_on_h200("c");
  CAPTURE(configurations.errors);
  CHECK(configurations.output.find("WRONG") == std::string::npos);
  CHECK(std::count(configurations.output.begin(), configurations.output.end(), '\n') == 9);
  const auto is_refused = [&](const std::string& message) {
    return std::ranges::any_of(configurations.report.findings, [&](const Finding& finding) {
      return finding.id == "invalid-launch" && finding.where.line == line_of("clusters", "// refused") &&
             finding.message.find(message) != std::string::npos;
    });
  };
  CHECK(is_refused("a grid of 6 x 1 x 1 blocks cannot be divided into clusters of 4 x 1 x 1"));
  CHECK(is_refused("clusters of 16 x 1 x 1 = 16 blocks; at most 8"));
  CHECK(is_refused("clusters of 17 x 1 x 1 = 17 blocks; at most 16"));

  struct Mutant {
    const char* arguments;
    const char* id;
    const char* line;
    const char* other;    // line; empty: none
    const char* message;  // a part of it
    const char* note;
  };
  for (const Mutant& mutant : {
           Mutant{"h 1", "shared-race", "// zeros", "// counts", "by a thread of another block of the cluster",
                  "of block ("},
           Mutant{"h 1", "shared-race", "// counts", "", "nothing says that block (1, 0, 0) has begun", "`own"},
           Mutant{"h 2", "shared-race", "// counts", "// reads", "this atomic update races with a read", "of block ("},
           Mutant{"h 2", "use-after-free", "// counts", "", "in the shared memory of block (3, 0, 0), which has ended",
                  ""},
           Mutant{"h 4", "shared-out-of-bounds", "// counts", "", "of rank 4, and the cluster has 4 blocks",
                  "from 0 to 3"},
           Mutant{"h 5", "uninitialized-read", "// counts", "", "read of shared memory that no thread", ""},
           Mutant{"h 6", "barrier-divergence", "// all counted", "// leaves",
                  "have exited without reaching this barrier",
                  "64 threads exited, the first of them in block (1, 0, 0)"},
           Mutant{"h 6", "shared-race", "// counts", "", "nothing keeps block (1, 0, 0) from ending", ""},
           Mutant{"s 1", "shared-race", "// sums", "// first", "another block of the cluster", "`sum` of block"},
           Mutant{"s 3", "use-after-free", "// sums", "", "which has ended", "`sum"},
           Mutant{"r 7", "barrier-divergence", "// again", "", "arrive at the barrier of the cluster a second time",
                  ""},
           Mutant{"r 8", "barrier-divergence", "// waits alone", "", "deadlock: the cluster waits at its barrier", ""},
           Mutant{"r 9", "shared-race", "// takes", "// hands on", "another block of the cluster", "`box"},
           Mutant{"f 10", "shared-race", "// uses", "// data", "another block of the cluster", "`data` of block"},
       }) {
    const Outcome outcome = run_on_h200(mutant.arguments);
    CAPTURE(mutant.arguments, mutant.message, outcome.errors);
    CHECK(std::ranges::any_of(outcome.report.findings, [&](const Finding& finding) {
      const bool other = finding.other && finding.other->place.line != 0;
      return finding.id == mutant.id && finding.where.line == line_of("clusters", mutant.line) &&
             finding.message.find(mutant.message) != std::string::npos &&
             finding.note.find(mutant.note) != std::string::npos &&
             (*mutant.other == '\0' ? !other : other && finding.other->place.line == line_of("clusters", mutant.other));
    }));
  }
}

TEST_CASE("bulk asynchronous copies, and the mistakes that are made with them", "[.nvcc]") {
  const Scratch scratch;
  const std::string program =
      build_files_with_nvcc(scratch, {"bulk_copies"}, "-std=c++17 -arch=compute_90 --device-debug");
  const auto run_on_h200 = [&](const std::string& arguments) {
    return run(scratch, program + " " + arguments, "--model h200");
  };
  const Outcome right = run_on_h200("");
  CAPTURE(right.errors);
  CHECK(right.output ==
        "two buffers: right\na sum: right\na token: right\nby memcpy_async: right\na cluster: right\na pipeline: "
        "right\n");
  CHECK(right.code == 0);
  CHECK(right.report.findings.empty());

  for (const ProgramMutant& mutant : {
           ProgramMutant{"d 1", "unfenced-copy", "// out", "// works", "may not see what threads have stored",
                         "`tile["},
           ProgramMutant{"d 2", "shared-race", "// works", "// fetches", "does not wait for a bulk copy", "`tile["},
           ProgramMutant{"d 3", "barrier-divergence", "// waits", "",
                         "deadlock: threads wait at a barrier in shared memory",
                         "copies have brought 16 bytes more than were announced"},
           ProgramMutant{"d 4", "barrier-divergence", "// waits", "", "its phase cannot end",
                         "copies have brought 16 bytes fewer than were announced"},
           ProgramMutant{"d 5", "misaligned-access", "// fetches", "", "write of 16 bytes at an address",
                         "4 bytes past"},
           ProgramMutant{"d 6", "overwritten-copy-source", "// works", "// out", "may not have read yet", "`tile["},
           ProgramMutant{"d 7", "shared-race", "// works", "// fetches", "does not wait for a bulk copy", "`tile["},
           ProgramMutant{"d 8", "unfinished-copy", "// out", "", "the block ends while this bulk copy may still read",
                         "`tile"},
           ProgramMutant{"d 9", "misaligned-access", "// fetches", "", "a bulk copy of 504 bytes", "copies 496 bytes"},
           ProgramMutant{"r 1", "unfenced-copy", "// adds", "// part", "may not see what threads have stored",
                         "`part["},
           ProgramMutant{"r 2", "unfinished-copy", "// adds", "", "may still read its shared memory", "512 bytes"},
           ProgramMutant{"r 6", "overwritten-copy-source", "// zeros", "// adds", "a bulk copy may not have read yet",
                         "`part["},
           ProgramMutant{"b 2", "shared-race", "// reversed", "", "does not wait for a bulk copy", "`tile["},
           ProgramMutant{"b 3", "barrier-divergence", "", "", "its phase cannot end", "496 bytes more"},
           ProgramMutant{"c 1", "unfenced-copy", "// hands on", "// own", "may not see what threads have stored",
                         "`tile["},
           ProgramMutant{"p 6", "shared-race", "// sums", "", "bulk copy", "`tile["},
           ProgramMutant{"c 2", "shared-race", "// taken", "// hands on", "does not wait for a bulk copy", "`next["},
       }) {
    const Outcome outcome = run_on_h200(mutant.arguments);
    CAPTURE(mutant.arguments, mutant.message, outcome.errors);
    CHECK(shows(outcome.report, "bulk_copies", mutant));
  }
}

TEST_CASE("asynchronous stores to other blocks, and the mistakes that are made with them", "[.nvcc]") {
  const Scratch scratch;
  const std::string program =
      build_files_with_nvcc(scratch, {"async_stores"}, "-std=c++17 -arch=compute_90 --device-debug");
  const auto run_on_h200 = [&](const std::string& arguments) {
    return run(scratch, program + " " + arguments, "--model h200");
  };
  const Outcome right = run_on_h200("");
  CAPTURE(right.errors);
  CHECK(right.output == "a ring: right\na histogram: right\nrows: right\n");
  CHECK(right.code == 0);
  CHECK(right.report.findings.empty());

  for (const ProgramMutant& mutant : {
           ProgramMutant{"r 1", "shared-race", "// takes", "// sends", "does not wait for an asynchronous store",
                         "`box["},
           ProgramMutant{"r 2", "barrier-divergence", "", "", "its phase cannot end",
                         "copies have brought 2 bytes more than were announced"},
           ProgramMutant{"r 3", "barrier-divergence", "", "", "its phase cannot end",
                         "copies have brought 4 bytes fewer than were announced"},
           ProgramMutant{"r 4", "shared-race", "// takes", "// sends", "does not wait for an asynchronous store",
                         "`box["},
           ProgramMutant{"r 5", "shared-race", "// sends", "// sends", "two asynchronous stores use the same", "`box["},
           ProgramMutant{"r 6", "shared-race", "// sends", "", "nothing says that block", "`box["},
           ProgramMutant{"r 11", "barrier-divergence", "", "", "its phase cannot end",
                         "copies have brought 256 bytes fewer than were announced"},
           ProgramMutant{"h 1", "shared-race", "// shows", "// counts", "does not wait for an asynchronous reduction",
                         "`bins["},
           ProgramMutant{"h 7", "use-after-free", "// counts", "", "atomic update of 4 bytes", "`bins["},
           ProgramMutant{"h 8", "uninitialized-read", "// counts", "", "no thread has written", "`bins["},
           ProgramMutant{"h 9", "shared-race", "// mixes", "// counts", "asynchronous reduction", "`bins["},
           ProgramMutant{"v 1", "shared-race", "// one of them", "// a row", "does not wait for an asynchronous store",
                         "`box["},
           ProgramMutant{"v 10", "misaligned-access", "// a row", "", "write of 16 bytes at an address",
                         "8 bytes past"},
       }) {
    const Outcome outcome = run_on_h200(mutant.arguments);
    CAPTURE(mutant.arguments, mutant.message, outcome.errors);
    CHECK(shows(outcome.report, "async_stores", mutant));
  }
}

TEST_CASE("clusters of blocks by the driver's calls", "[.nvcc]") {
  const Scratch scratch;
  const std::string flags = "-arch=compute_90 -lineinfo ", ptx = ptx_by_nvcc(scratch, "driver_clusters", flags);
  const std::string program = build_files_with_nvcc(scratch, {"driver_clusters"}, flags + "-lcuda");
  const Outcome outcome = run(scratch, program + " " + ptx, "--model h200");
  CAPTURE(outcome.errors);
  CHECK(outcome.output ==
        "loaded: right\nlaunched: right\npairs: right\nCUDA_ERROR_INVALID_CLUSTER_SIZE\nat a time: right\n"
        "at most: right\nmore blocks: right\nthen at most: right\na required size: right\n");
  const Finding* const refused = find(outcome.report, "invalid-launch");
  REQUIRE(refused != nullptr);
  CHECK(refused->where.line == line_of("driver_clusters", "// three"));
  const Finding* const required = find(outcome.report, "unsupported-call");
  REQUIRE(required != nullptr);
  CHECK(required->message.find("a cluster size that is an attribute of the kernel") == 0);
  CHECK(outcome.report.findings.size() == 2);
}

TEST_CASE("libraries of device code that the program loads by the runtime", "[.nvcc]") {
  const Scratch scratch;
  ptx_by_nvcc(scratch, "libraries", "-gencode arch=compute_75,code=compute_75 -lineinfo");
  const std::string program = build_with_nvcc(scratch, "libraries", "-lineinfo");
  const Outcome outcome = run(scratch, program);
  CAPTURE(outcome.output, outcome.errors);
  CHECK(outcome.output.find("WRONG") == std::string::npos);
  CHECK(std::count(outcome.output.begin(), outcome.output.end(), '\n') == 22);
  CHECK(outcome.output.ends_with("cudaErrorNotSupported\ncudaErrorIllegalAddress\n"));
  const Finding* const cubin = find(outcome.report, "unsupported-call");
  REQUIRE(cubin != nullptr);
  CHECK(cubin->message == "machine code of a GPU (a cubin) by `cudaLibraryLoadData` is not supported here");
  CHECK(cubin->where.line == line_of("libraries", "// a cubin"));
  const Finding* const outside = find(outcome.report, "global-out-of-bounds");
  REQUIRE(outside != nullptr);
  CHECK(outside->where.line == line_of("libraries", "// outside"));
  CHECK(outcome.report.findings.size() == 2);
}

TEST_CASE("functions of the driver that a program asks the runtime for", "[.nvcc]") {
  const Scratch scratch;
  const Outcome outcome = run(scratch, build_with_nvcc(scratch, "driver_entry", ""));
  CAPTURE(outcome.errors);
  CHECK(outcome.output ==
        "a function of the driver: right\nno such function: right\nan older form: right\nflags that are none: right\n"
        "one that is not offered: right\n");
  REQUIRE(outcome.report.findings.size() == 1);
  CHECK(outcome.report.findings[0].message == "`cuArrayGetPlane` is not supported here");
}

TEST_CASE("numbers of a byte, memory of a thread's own size, stores of matrices and video instructions, by nvcc",
          "[.nvcc]") {
  for (const std::string flags : {"-O3 -lineinfo", "--device-debug"}) {
    CAPTURE(flags);
    const Scratch scratch;
    const std::string program =
        build_files_with_nvcc(scratch, {"byte_floats"}, "-gencode arch=compute_90,code=compute_90 " + flags);
    const Outcome outcome = run(scratch, program, "--model h200");
    CAPTURE(outcome.errors);
    CHECK(outcome.output ==
          "halves: right\nvectors: right\nlocal memory: right\nmatrices: right\npacked values: right\n");
    CHECK(outcome.code == 0);
    CHECK(outcome.report.findings.empty());
  }
}

TEST_CASE("the driver API, with code that the program loads, linked with -lcuda", "[.nvcc]") {
  const Scratch scratch;
  const Outcome right = run(scratch, build_with_nvcc(scratch, "driver_api", "-lcuda"));
  CAPTURE(right.errors);
  CHECK(right.output.find("WRONG") == std::string::npos);
  CHECK(std::count(right.output.begin(), right.output.end(), '\n') == 26);
  CHECK(right.code == 0);
  CHECK(right.report.findings.empty());
  CHECK(right.report.module_errors.empty());

  const Outcome arrays = run(scratch, build_with_nvcc(scratch, "driver_arrays", "-lcuda"));
  CAPTURE(arrays.output, arrays.errors);
  CHECK(arrays.output.find("WRONG") == std::string::npos);
  CHECK(std::count(arrays.output.begin(), arrays.output.end(), '\n') == 16);
  CHECK(arrays.code == 0);
  CHECK(arrays.report.findings.empty());

  const Outcome wrong = run(scratch, build_with_nvcc(scratch, "driver_errors", "-lcuda"));
  CAPTURE(wrong.errors);
  CHECK(wrong.output ==
        "CUDA_ERROR_NOT_SUPPORTED\nCUDA_ERROR_NOT_SUPPORTED\nCUDA_SUCCESS\nCUDA_ERROR_INVALID_VALUE\nCUDA_SUCCESS\n"
        "CUDA_SUCCESS\nCUDA_ERROR_INVALID_VALUE\nCUDA_ERROR_ILLEGAL_ADDRESS\n");
  struct Row {
    const char* id;
    const char* message;
    const char* line;  // null: in device code, which has none here
  };
  const Row rows[] = {
      {"unsupported-call", "machine code of a GPU (a cubin) by `cuModuleLoadData`", "// machine code"},
      {"unsupported-call", "`cuLinkAddData` is not supported here", "// no linker"},
      {"invalid-free", "`cuMemFree` gets a pointer that `cuMemAlloc` did not give", "// never allocated"},
      {"stream-race", "`cuMemsetD8Async` and `store`", "// in the other"},
      {"invalid-launch", "2048 threads", "// too many threads"},
      {"global-out-of-bounds", "write of 4 bytes", nullptr}};
  CHECK(wrong.report.findings.size() == std::size(rows));
  for (const Row& row : rows) {
    CAPTURE(row.id, row.message);
    const bool found =
        std::any_of(wrong.report.findings.begin(), wrong.report.findings.end(), [&](const Finding& each) {
          return each.id == row.id && each.message.find(row.message) != std::string::npos &&
                 each.where.line == (row.line == nullptr ? 0 : line_of("driver_errors", row.line));
        });
    CHECK(found);
  }
}

TEST_CASE("kernels that start kernels, by the CUDA runtime in device code", "[.nvcc]") {
  const Scratch scratch;
  const std::string flags = "-O3 -lineinfo -rdc=true -gencode arch=compute_75,code=compute_75 ";
  const Outcome outcome = run(scratch, build_files_with_nvcc(scratch, {"dynamic_parallelism"}, flags));
  CAPTURE(outcome.errors);
  CHECK(outcome.output ==
        "1 11 111 112 12 121 122 \n1 2 3 \n0 wrong, then NaN\nsum 6\nerror 9\nlevel 24, error 65\n"
        "invalid configuration argument, cudaErrorMemoryAllocation, unrecognized error code\n");
  CHECK(outcome.report.module_errors.empty());
  CHECK(outcome.report.launch_count == 14 + 4 + 4 + 3 + 25 + 1);
  REQUIRE(outcome.report.findings.size() == 1);
  const Finding& refused = outcome.report.findings.front();
  CHECK(refused.id == "invalid-launch");
  CHECK(refused.kernel == "launch_too_large");
  CHECK(refused.where.line == line_of("dynamic_parallelism", "MARK: too many threads"));
}

TEST_CASE("graphs with parts that a kernel's value decides on", "[.nvcc]") {
  const Scratch scratch;
  const std::string flags = "-O3 -lineinfo -rdc=true -gencode arch=compute_75,code=compute_75 ";
  const Outcome outcome = run(scratch, build_files_with_nvcc(scratch, {"conditional_graphs"}, flags));
  CAPTURE(outcome.errors);
  CHECK(outcome.output == "2 left\n1 left\ndone\n1 left\ndone\n");
  CHECK(outcome.report.module_errors.empty());
  CHECK(outcome.report.launch_count == 5);
  CHECK(outcome.report.findings.empty());
}

TEST_CASE("products of matrices by nvcuda::wmma", "[.nvcc]") {
  const Scratch scratch;
  const std::string flags = "-O3 -lineinfo -gencode arch=compute_80,code=compute_80 ";
  const Outcome outcome = run(scratch, build_files_with_nvcc(scratch, {"wmma_tiles"}, flags), "--model a100");
  CAPTURE(outcome.errors);
  CHECK(outcome.output == "tiles: right\nshapes: right\nbytes: right\ntf32: right\ndouble precision: right\n");
  CHECK(outcome.code == 0);
  CHECK(outcome.report.module_errors.empty());
  CHECK(outcome.report.findings.empty());
}

TEST_CASE("barriers of a block are barriers in memory from compute capability 8.0 on", "[.nvcc]") {
  const Scratch scratch;
  const std::string flags = "-O3 -lineinfo -gencode arch=compute_80,code=compute_80 ";
  const Outcome outcome = run(scratch, build_files_with_nvcc(scratch, {"waiting"}, flags), "--model a100");
  CAPTURE(outcome.errors);
  CHECK(outcome.output == "by token: right\nby parity: right\nby roles: right\n");
  CHECK(outcome.code == 0);
  CHECK(outcome.report.module_errors.empty());
  CHECK(outcome.report.findings.empty());
}
