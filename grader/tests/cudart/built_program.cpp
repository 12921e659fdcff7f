#include "built_program.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "catch/catch.h"
#include "tree/tree_paths.h"

namespace cudalabs::vgpu::test {

namespace fs = std::filesystem;

namespace {

void run_or_fail(const std::string& command) {
  CAPTURE(command);
  REQUIRE(std::system(command.c_str()) == 0);
}

std::string source(const std::string& name) {
  return source_path("grader/tests/cudart/programs/" + name + ".cu");
}

/// What both passes of clang are given; `headers`: what they include before a program's text.
std::string common_part(const Clang& clang, const std::string& headers) {
  return "clang++-" + clang.version +
         " -x cuda --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -Xclang -target-sdk-version=11.5"
         " -Wno-unknown-cuda-version -Wall -Wextra -Werror -isystem " +
         source_path("grader/vgpu/cudart/include") + " " + headers + " -std=c++17 " +
         (clang.checked ? "-DCUDALABS_CHECKED_BUILD " : "");
}

std::string device_part(const Clang& clang) {
  return "--cuda-device-only -Xclang -target-feature -Xclang +ptx70 -gline-tables-only " +
         (clang.checked ? "-O1 -Xclang -disable-llvm-passes " : clang.level + " ");
}

constexpr const char* kHostPart = "--cuda-host-only -O1 -g1 ";
constexpr const char* kHeader = "-include cuda_runtime.h";

/// The header that every program includes, compiled once for all programs of a folder, as the grader does: reading it
/// is most of what a pass takes.
std::string precompiled(const Scratch& scratch, const Clang& clang, const std::string& part, const std::string& name) {
  const std::string file = scratch.file(name);
  if (!fs::exists(file)) run_or_fail(common_part(clang, kHeader) + part + "-S -Xclang -emit-pch /dev/null -o " + file);
  return "-Xclang -include-pch -Xclang " + file;
}

const std::string kNvcc = CUDALABS_NVCC " -std=c++17 -cudart shared -g ";

void compile_with_nvcc(const std::string& name, const std::string& flags, const std::string& output) {
  run_or_fail(CUDALABS_LAUNCHER " " + kNvcc + flags + " -include " +
              source_path("grader/vgpu/cudart/include/nvcc_virtual/reductions.h") + " " + source(name) + " -o " +
              output);
}

}  // namespace

Scratch::Scratch() : path_(fs::temp_directory_path() / ("cudart_programs_" + std::to_string(::getpid()))) {
  fs::create_directories(path_);
}

Scratch::~Scratch() {
  fs::remove_all(path_);
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Outcome run(const Scratch& scratch, const std::string& program, const std::string& options) {
  const std::string json = scratch.file("report.json"), out = scratch.file("out"), err = scratch.file("err");
  const int status = std::system((build_path("grader/sanitizer/vgpu") + " run " + options + " --json " + json + " " +
                                  program + " > " + out + " 2> " + err)
                                     .c_str());
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  outcome.output = contents(out);
  outcome.errors = contents(err);
  INFO(outcome.errors);
  outcome.report = server_report_from_json(contents(json));
  return outcome;
}

std::string build(const Scratch& scratch, const std::string& name, const Clang& clang, bool alone) {
  const std::string base = scratch.file(name);
  const auto headers = [&](const std::string& part, const char* file) {
    return alone ? std::string(kHeader) : precompiled(scratch, clang, part, file);
  };
  const std::string device = common_part(clang, headers(device_part(clang), "headers.device")) + device_part(clang);
  if (clang.checked) {
    run_or_fail(device + "-emit-llvm -c " + source(name) + " -o " + base + ".bc");
    run_or_fail("opt-" + clang.version + " -passes='always-inline,function(sroa)' " + base + ".bc -o " + base +
                ".2.bc");
    run_or_fail("llc-" + clang.version + " -O0 -mcpu=sm_70 -mattr=+ptx70 " + base + ".2.bc -o " + base + ".ptx");
  } else {
    run_or_fail(device + "-S " + source(name) + " -o " + base + ".ptx");
  }
  run_or_fail("printf '\\0' >> " + base + ".ptx");
  run_or_fail(common_part(clang, headers(kHostPart, "headers.host")) + kHostPart +
              "-Xclang -fcuda-include-gpubinary -Xclang " + base + ".ptx -c " + source(name) + " -o " + base + ".o");
  run_or_fail("clang++-" + clang.version + " " + base + ".o " + build_path("grader/vgpu/cudart/libcudalabs_cudart.a") +
              " -pthread -o " + base);
  return base;
}

std::string build_with_nvcc(const Scratch& scratch, const std::string& name, const std::string& flags) {
  return build_files_with_nvcc(scratch, {name}, "-gencode arch=compute_75,code=compute_75 " + flags);
}

/// Each file by itself, so that ccache can keep what it becomes: nvcc takes most of the time of these tests.
std::string build_files_with_nvcc(const Scratch& scratch, const std::vector<std::string>& names,
                                  const std::string& flags) {
  const std::string base = scratch.file(fs::path(names.front()).filename());
  std::string objects;
  for (const std::string& name : names) {
    const std::string object = scratch.file(fs::path(name).filename()) + ".o";
    compile_with_nvcc(name, flags + " -c", object);
    objects += " " + object;
  }
  run_or_fail(kNvcc + flags + objects + " -o " + base);
  return base;
}

std::string ptx_by_nvcc(const Scratch& scratch, const std::string& name, const std::string& flags) {
  const std::string ptx = scratch.file(name) + ".ptx";
  compile_with_nvcc(name, flags + " -ptx", ptx);
  return ptx;
}

std::uint32_t line_of(const std::string& name, const std::string& text) {
  std::ifstream file(source(name));
  std::uint32_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find(text) != std::string::npos) return number;
  }
  return 0;
}

const Finding* find(const ServerReport& report, const std::string& id) {
  for (const Finding& finding : report.findings)
    if (finding.id == id) return &finding;
  return nullptr;
}

bool shows(const ServerReport& report, const std::string& program, const ProgramMutant& mutant) {
  const auto is_at = [&](const SourcePlace& place, const std::string& text) {
    return text.empty() || (place.known() && place.line == line_of(program, text));
  };
  return std::ranges::any_of(report.findings, [&](const Finding& finding) {
    return finding.id == mutant.id && is_at(finding.where, mutant.line) &&
           finding.message.find(mutant.message) != std::string::npos &&
           finding.note.find(mutant.note) != std::string::npos &&
           is_at(finding.other ? finding.other->place : SourcePlace{}, mutant.other);
  });
}

}  // namespace cudalabs::vgpu::test
