// Compiled as the fast build of a submission is (see grader/build/recipe.cpp), but for compute capability 8.0: the
// times were measured on a GPU that copies to shared memory in the background.
#include "bench/model/step_program.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "bench/process.h"
#include "build/builder.h"
#include "build/recipe.h"
#include "tree/tree_paths.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLongestKernel =
    "8";  // s; one that takes longer with few blocks has few, and the model cannot tell

std::string text_of(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + path.string());
}

/// Clang drops device variables in unnamed namespaces that only host code names; in named ones it keeps them.
std::string with_named_namespaces(std::string text) {
  const std::string unnamed = "\nnamespace {", named = "\ninline namespace step {";
  for (std::size_t at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed, at + named.size())) {
    text.replace(at, unnamed.size(), named);
  }
  return text;
}

void run(const std::vector<std::string>& command, const fs::path& folder) {
  if (run_process(command, folder.string()).exit_code != 0) {
    std::string line;
    for (const std::string& word : command) line += word + " ";
    throw std::runtime_error("failed in " + folder.string() + ": " + line);
  }
}

Toolchain toolchain(Frontend frontend) {
  const auto found = find_toolchain(frontend);
  if (!found)
    throw std::runtime_error(std::string(frontend == Frontend::clang ? "clang" : "nvcc") + " is not installed");
  return *found;
}

const fs::path kRoot = source_path();

std::string runtime_headers() {
  return (kRoot / "grader/vgpu/cudart/include").string();
}

/// Compiles step.cu in `folder` to step.o.
void compile_with_clang(const std::string& clang, const fs::path& lab, const fs::path& folder) {
  const std::vector<std::string> common{clang,
                                        "-x",
                                        "cuda",
                                        "--cuda-gpu-arch=sm_80",
                                        "-nocudainc",
                                        "-nocudalib",
                                        "-Xclang",
                                        "-target-sdk-version=11.5",
                                        "-Wno-unknown-cuda-version",
                                        "-isystem",
                                        runtime_headers(),
                                        "-iquote",
                                        lab.string(),
                                        "-include",
                                        "cuda_runtime.h",
                                        "-std=c++17",
                                        "-w"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = common;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  std::vector<std::string> device = with(builder::optimisations_as_of_nvcc());
  for (const char* word : {"--cuda-device-only", "-Xclang", "-target-feature", "-Xclang", "+ptx70", "-O3",
                           "-gline-tables-only", "-S", "step.cu", "-o", "step.ptx"})
    device.emplace_back(word);
  run(device, folder);
  write(folder / "embedded", text_of(folder / "step.ptx") + '\0');
  run(with({"--cuda-host-only", "-O1", "-g1", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", "embedded", "-c",
            "step.cu", "-o", "step.o"}),
      folder);
}

void compile_with_nvcc(const std::string& nvcc, const fs::path& lab, const fs::path& folder) {
  run({nvcc, "-std=c++17", "-gencode", "arch=compute_80,code=compute_80", "-I", lab.string(), "-O3", "-lineinfo", "-w",
       "-c", "step.cu", "-o", "step.o"},
      folder);
}

}  // namespace

std::optional<fs::path> find_source(const std::string& lab, const std::string& name) {
  for (const fs::directory_entry& mirror : fs::directory_iterator(source_path("solutions"))) {
    if (!mirror.path().filename().string().starts_with(lab + "_")) continue;
    for (const char* folder : {"ladder", "alternative", "wrong", "."}) {
      fs::path source = mirror.path() / folder / (name + ".cu");
      if (fs::exists(source)) return source;
    }
  }
  return std::nullopt;
}

StepProgram::StepProgram(const fs::path& source, Frontend frontend, const fs::path& folder)
    : program_(folder / "step") {
  fs::path mirror = source.parent_path();
  while (mirror.parent_path().filename() != "solutions") mirror = mirror.parent_path();
  const fs::path lab = kRoot / "labs" / mirror.filename();
  write(folder / "step.cu", with_named_namespaces(text_of(source)));
  const std::string compiler = toolchain(frontend).compiler.string();
  (frontend == Frontend::clang ? compile_with_clang : compile_with_nvcc)(compiler, lab, folder);
  run({frontend == Frontend::clang ? compiler : "g++", "-std=c++17", "-O1", "-isystem", runtime_headers(), "step.o",
       (kRoot / "grader/bench/model/call.cpp").string(), "-o", "step", "-pthread",
       build_path("grader/vgpu/cudart/libcudalabs_cudart.a")},
      folder);
}

std::vector<vgpu::LaunchCounters> StepProgram::launches(const std::string& function, const std::vector<long>& size,
                                                        const std::string& gpu, std::uint64_t sampled_blocks) const {
  const fs::path folder = program_.parent_path(), report = folder / "report.json";
  fs::remove(report);
  std::vector<std::string> command{build_path("grader/sanitizer/vgpu"),
                                   "run",
                                   "--model",
                                   gpu,
                                   "--check",
                                   "none",
                                   "--sampled-blocks",
                                   std::to_string(sampled_blocks),
                                   "--kernel-seconds",
                                   kLongestKernel,
                                   "--json",
                                   report.string(),
                                   program_.string(),
                                   function};
  for (const long number : size) command.push_back(std::to_string(number));
  if (run_process(command, folder.string()).exit_code != 0) {
    throw std::runtime_error(std::string("the call failed, or a kernel took more than ") + kLongestKernel + " s");
  }
  return vgpu::server_report_from_json(text_of(report)).launches;
}

}  // namespace cudalabs::bench
