// The lab's files, and its cache set through the environment: tests of one program run one after another.
#include "small_lab.h"

#include <cstdlib>
#include <filesystem>

namespace cudalabs::testing {

namespace {

std::filesystem::path cache_of_test_program() {
  static const sandbox::TemporaryFolder folder;
  return folder.path();
}

}  // namespace

SmallLab::SmallLab(CacheOf cache) {
  lab_.id = "lab0";
  lab_.slug = "lab0_add";
  lab_.folder = folder_.path() / "lab";
  lab_.contract.header = "add.h";
  lab_.contract.source = "add.cu";
  lab_.contract.runner = "runner.cpp";
  lab_.contract.functions = {"add"};
  folder_.write("lab/add.h", "#pragma once\nvoid add(const float* d_a, const float* d_b, float* d_c, int n);\n");
  folder_.write("lab/add.cu", "// the skeleton lies beside the header\n#error \"the skeleton was compiled\"\n");
  folder_.write("lab/runner.cpp",
                "#include \"add.h\"\n#include <cudalabs/runner.h>\n"
                "void cudalabs_run(cudalabs::Call& call) {\n"
                "  const int n = static_cast<int>(call.integer(\"n\"));\n"
                "  add(call.device_input<float>(\"a\"), call.device_input<float>(\"b\"),\n"
                "      call.device_output<float>(\"c\", static_cast<std::size_t>(n)), n);\n"
                "  call.finish();\n}\n");
  const std::filesystem::path place =
      cache == CacheOf::lab ? folder_.path() / "cache" : cache_of_test_program() / "cache";
  setenv("CUDALABS_CACHE", place.c_str(), 1);
}

BuildResult SmallLab::build(const std::string& text, const Toolchain& toolchain, BuildKind kind, BuildPart part) const {
  BuildRequest request;
  request.program = &lab_;
  request.source = folder_.write("student/add.cu", text);
  request.frontend = toolchain.frontend;
  request.kind = kind;
  request.part = part;
  return cudalabs::build(request, toolchain);
}

std::string honest_submission() {
  return "#include \"add.h\"\n"
         "#include <cuda_runtime.h>\n"
         "__global__ void add_kernel(const float* a, const float* b, float* c, int n) {\n"
         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i < n) c[i] = a[i] + b[i];\n"
         "}\n"
         "void add(const float* d_a, const float* d_b, float* d_c, int n) {\n"
         "  add_kernel<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n); if (cudaGetLastError() != cudaSuccess) "
         "__builtin_trap();\n"
         "}\n";
}

}  // namespace cudalabs::testing
