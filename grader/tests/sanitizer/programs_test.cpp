// Real programs under `vgpu run`: exit codes, files that are written, suppressions, and what is said of how a program
// was built.
#include <fstream>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "program.h"
#include "tree/tree_paths.h"
#include "vgpu/cudart/server_report.h"

using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

const std::string kFaulty = cudalabs::source_path("grader/tests/sanitizer/programs/faulty.cu");

void run_or_fail(const std::vector<std::string>& command, const fs::path& folder) {
  const ProgramRun run = run_program(command, folder);
  INFO(command[0] << ": " << run.out << run.err);
  REQUIRE(run.exit_code == 0);
}

/// Compiles programs/faulty.cu by clang, whose checked form is PTX without optimisation, to FOLDER/faulty.
void build_by_clang(const fs::path& folder, const std::string& lines = "-gline-tables-only") {
  const std::vector<std::string> common = {CUDALABS_CLANG,
                                           "-x",
                                           "cuda",
                                           "--cuda-gpu-arch=sm_70",
                                           "-nocudainc",
                                           "-nocudalib",
                                           "-Xclang",
                                           "-target-sdk-version=11.5",
                                           "-Wno-unknown-cuda-version",
                                           "-isystem",
                                           cudalabs::source_path("grader/vgpu/cudart/include"),
                                           "-include",
                                           "cuda_runtime.h",
                                           "-std=c++17"};
  std::vector<std::string> device = common, host = common;
  device.insert(device.end(), {"--cuda-device-only", "-Xclang", "-target-feature", "-Xclang", "+ptx70", "-O1", lines,
                               "-S", kFaulty, "-o", "faulty.ptx"});
  host.insert(host.end(), {"--cuda-host-only", "-O1", "-g1", "-Xclang", "-fcuda-include-gpubinary", "-Xclang",
                           "faulty.ptx", "-c", kFaulty, "-o", "faulty.o"});
  run_or_fail(device, folder);
  std::ofstream(folder / "faulty.ptx", std::ios::app) << '\0';
  run_or_fail(host, folder);
  run_or_fail(
      {CUDALABS_CLANG, "faulty.o", "-L", cudalabs::build_path("grader/vgpu/cudart/shared"), "-lcudart", "-o", "faulty"},
      folder);
}

void build_by_nvcc(const fs::path& folder, const std::vector<std::string>& flags) {
  std::vector<std::string> command = {CUDALABS_NVCC, "-arch=compute_75", kFaulty, "-o", "faulty"};
  command.insert(command.end(), flags.begin(), flags.end());
  run_or_fail(command, folder);
}

ProgramRun vgpu_run(const fs::path& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {cudalabs::build_path("grader/sanitizer/vgpu"), "run"});
  return run_program(arguments, folder);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("findings of a program are printed, written and counted") {
  const TemporaryFolder folder;
  build_by_clang(folder.path());
  const ProgramRun run =
      vgpu_run(folder.path(), {"--json", "run.json", "--sarif", "run.sarif", "--html", "run.html", "./faulty"});
  INFO(run.err);
  CHECK(run.out == "cudaSuccess\n");
  CHECK(run.exit_code == 1);
  CHECK(has(run.err, "error[shared-race]"));
  CHECK(has(run.err, "[uninitialized-read]"));
  CHECK(has(run.err, "warning[memory-leak]"));
  CHECK(has(run.err, "// races"));
  CHECK(has(run.err, "2 launches"));
  CHECK(has(run.err, "virtual NVIDIA T4"));
  const auto report = cudalabs::vgpu::server_report_from_json(read_file(folder.path() / "run.json"));
  CHECK(report.launch_count == 2);
  CHECK(report.findings.size() >= 3);
  const auto sarif = nlohmann::json::parse(read_file(folder.path() / "run.sarif"));
  CHECK(sarif.at("runs").at(0).at("results").size() == report.findings.size());
  CHECK(has(read_file(folder.path() / "run.html"), "id=\"run-finding-1\""));
}

TEST_CASE("an unknown option is an error, and -- may stand before the program") {
  const TemporaryFolder folder;
  constexpr int kFailed = 125;
  const ProgramRun bogus = vgpu_run(folder.path(), {"--bogus", "./faulty"});
  CHECK(bogus.exit_code == kFailed);
  CHECK(has(bogus.err, "there is no option --bogus"));
  CHECK(vgpu_run(folder.path(), {"--", "/bin/echo", "-n", "a", "--", "b"}).out == "a -- b");
  CHECK(vgpu_run(folder.path(), {"/bin/echo", "-n", "a", "--", "b"}).out == "a -- b");
  CHECK(has(vgpu_run(folder.path(), {"--"}).err, "no program given"));
}

TEST_CASE("what is looked for, the exit code and how much is printed can be chosen") {
  const TemporaryFolder folder;
  build_by_clang(folder.path());
  const ProgramRun leaks = vgpu_run(folder.path(), {"--check", "leak", "./faulty"});
  CHECK(leaks.exit_code == 0);
  CHECK(has(leaks.err, "memory-leak"));
  CHECK_FALSE(has(leaks.err, "shared-race"));
  CHECK(vgpu_run(folder.path(), {"--error-exitcode", "42", "./faulty"}).exit_code == 42);
  CHECK(vgpu_run(folder.path(), {"--error-exitcode", "0", "./faulty"}).exit_code == 0);
  CHECK(vgpu_run(folder.path(), {"--check", "none", "./faulty"}).exit_code == 0);
  const ProgramRun first = vgpu_run(folder.path(), {"--max-findings", "1", "./faulty"});
  CHECK(has(first.err, "--max-findings"));
  CHECK_FALSE(has(first.err, "memory-leak"));
  const ProgramRun unknown = vgpu_run(folder.path(), {"--check", "races", "./faulty"});
  CHECK(unknown.exit_code != 0);
  CHECK(has(unknown.err, "`races` is no check"));
  CHECK(has(vgpu_run(folder.path(), {"--color", "always", "./faulty"}).err, "\x1b["));
  CHECK_FALSE(has(vgpu_run(folder.path(), {"./faulty"}).err, "\x1b["));
}

TEST_CASE("the text goes to a log, which may have the process's number in its name") {
  const TemporaryFolder folder;
  build_by_clang(folder.path());
  const ProgramRun run = vgpu_run(folder.path(), {"--log", "log.%p", "./faulty"});
  CHECK(run.err.empty());
  std::string text;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename();
    if (name.starts_with("log.") && name.find_first_not_of("0123456789", 4) == std::string::npos)
      text = read_file(entry.path());
  }
  CHECK(has(text, "error[shared-race]"));
}

TEST_CASE("what was found can be suppressed, and suppressions that are not needed are named") {
  const TemporaryFolder folder;
  build_by_clang(folder.path());
  CHECK(vgpu_run(folder.path(), {"--write-suppressions", "known.toml", "./faulty"}).exit_code == 1);
  const ProgramRun again = vgpu_run(folder.path(), {"--suppress", "known.toml", "./faulty"});
  INFO(again.err);
  CHECK(again.exit_code == 0);
  CHECK_FALSE(has(again.err, "shared-race"));
  CHECK(has(again.err, "0 errors, 0 warnings"));
  CHECK(has(again.err, "suppressed"));
  folder.write("other.toml", "[[suppress]]\nid = \"stream-race\"\nreason = \"none\"\n");
  const ProgramRun other = vgpu_run(folder.path(), {"--suppress", "other.toml", "./faulty"});
  CHECK(other.exit_code == 1);
  CHECK(has(other.err, "other.toml:1: this suppression of `stream-race` matched nothing"));
  folder.write("bad.toml", "[[suppress]]\nid = \"stream-race\"\nreason = \"none\"\ncolour = 3\n");
  const ProgramRun bad = vgpu_run(folder.path(), {"--suppress", "bad.toml", "./faulty"});
  CHECK(bad.exit_code == 125);
  CHECK(has(bad.err, "bad.toml:4: unknown key `colour`"));
}

TEST_CASE("the exit code of a program that fails is passed on") {
  const TemporaryFolder folder;
  CHECK(vgpu_run(folder.path(), {"sh", "-c", "exit 7"}).exit_code == 7);
  CHECK(vgpu_run(folder.path(), {"sh", "-c", "kill -9 $$"}).exit_code == 137);
  CHECK(vgpu_run(folder.path(), {"--error-exitcode", "3", "true"}).exit_code == 3);
  const ProgramRun nobody = vgpu_run(folder.path(), {"./nobody"});
  CHECK(nobody.exit_code == 125);
  CHECK(has(nobody.err, "No such file"));
}

TEST_CASE("a kernel without debug lines is told how to get them") {
  const TemporaryFolder folder;
  build_by_clang(folder.path(), "-g0");
  CHECK(has(vgpu_run(folder.path(), {"./faulty"}).err, "-lineinfo"));
}

TEST_CASE("what nvcc builds is checked, and what cannot be checked is told how to be built") {
  if (std::string(CUDALABS_NVCC).empty()) {
    WARN("no nvcc: not tried");
    return;
  }
  const TemporaryFolder folder;
  build_by_nvcc(folder.path(), {"-cudart", "shared", "-lineinfo"});
  const ProgramRun lines = vgpu_run(folder.path(), {"./faulty"});
  INFO(lines.err);
  CHECK(has(lines.err, "// races"));
  CHECK_FALSE(has(lines.err, "-lineinfo"));
  CHECK(has(vgpu_run(folder.path(), {"--check", "leak", "./faulty"}).err, "memory-leak"));

  build_by_nvcc(folder.path(), {});
  const ProgramRun linked = vgpu_run(folder.path(), {"./faulty"});
  INFO(linked.err);
  CHECK(linked.exit_code == 1);
  CHECK(has(linked.err, "nvcc -cudart shared"));
}

TEST_CASE("what nvcc inlines out of a program's header is shown there") {
  if (std::string(CUDALABS_NVCC).empty()) {
    WARN("no nvcc: not tried");
    return;
  }
  for (const char* lines : {"-G", "-lineinfo"}) {
    const TemporaryFolder folder;
    run_or_fail({CUDALABS_NVCC, "-arch=compute_75", "-cudart", "shared", lines,
                 cudalabs::source_path("grader/tests/sanitizer/programs/marks.cu"), "-o", "marks"},
                folder.path());
    const ProgramRun run = vgpu_run(folder.path(), {"./marks"});
    INFO(run.err);
    CHECK(has(run.err, "mark.h:6:"));
    CHECK(has(run.err, "mark.h:5:"));
    CHECK_FALSE(has(run.err, "/marks.cu:"));
    CHECK(has(run.err, "called from marks.cu:5 in `marks`"));
  }
}

TEST_CASE("a program that asks NVRTC for machine code gets code that runs, with lines") {
  if (std::string(CUDALABS_NVCC).empty()) {
    WARN("no nvcc: not tried");
    return;
  }
  const TemporaryFolder folder;
  run_or_fail({CUDALABS_NVCC, "-cudart", "none", cudalabs::source_path("grader/tests/sanitizer/programs/by_nvrtc.cpp"),
               "-o", "by_nvrtc", "-lnvrtc", "-lcuda"},
              folder.path());
  const ProgramRun run = vgpu_run(folder.path(), {"./by_nvrtc"});
  INFO(run.out << run.err);
  CHECK(run.out == "0 1 2 3 virtual: no machine code\n");
  CHECK(run.exit_code == 1);
  CHECK(has(run.err, "error[global-out-of-bounds]"));
  CHECK(has(run.err, "numbers.cu:2"));
  CHECK_FALSE(has(run.err, "unsupported-call"));
}

TEST_CASE("another project tests its program on the virtual GPU") {
  if (std::string(CUDALABS_NVCC).empty()) {
    WARN("no nvcc: not tried");
    return;
  }
  const TemporaryFolder folder;
  const fs::path prefix = folder.path() / "prefix", build = folder.path() / "build";
  // Of the installation what the tool needs: all else would have to be built first.
  fs::create_directories(prefix / "bin");
  fs::create_directories(prefix / "lib/cmake/cudalabs-vgpu");
  fs::create_directories(prefix / "lib/cudalabs/shared");
  fs::copy(cudalabs::build_path("grader/sanitizer/vgpu"), prefix / "bin/cudalabs-vgpu");
  fs::copy(cudalabs::build_path("grader/vgpu/cudart/shared/libcudart.so.13"),
           prefix / "lib/cudalabs/shared/libcudart.so.13");
  fs::copy(cudalabs::source_path("grader/sanitizer/package/cudalabs-vgpu-config.cmake"),
           prefix / "lib/cmake/cudalabs-vgpu/cudalabs-vgpu-config.cmake");
  run_or_fail({CUDALABS_CMAKE, "-S", cudalabs::source_path("grader/sanitizer/example"), "-B", build,
               "-DCMAKE_PREFIX_PATH=" + prefix.string(), std::string("-DCMAKE_CUDA_COMPILER=") + CUDALABS_NVCC},
              folder.path());
  run_or_fail({CUDALABS_CMAKE, "--build", build}, folder.path());
  const ProgramRun tests = run_program({CUDALABS_CTEST, "--test-dir", build, "--output-on-failure"}, folder.path());
  INFO(tests.out << tests.err);
  CHECK(tests.exit_code == 0);
  CHECK(has(tests.out, "100% tests passed, 0 tests failed out of 3"));
  CHECK(has(read_file(build / "sum.sarif"), "shared-race"));
}

TEST_CASE("a signal that asks for an end ends the program, too") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "program") << "#!/bin/sh\nkill -TERM $PPID\nexec sleep 1000\n";
  fs::permissions(folder.path() / "program", fs::perms::owner_all);
  const ProgramRun run = vgpu_run(folder.path(), {"./program"});
  INFO(run.err);
  CHECK(run.exit_code == 128 + 15);
}
