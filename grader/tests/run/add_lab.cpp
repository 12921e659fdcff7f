// Small limits, so that what runs into one is soon over.
#include "add_lab.h"

#include <algorithm>
#include <span>
#include <stdexcept>

namespace cudalabs::testing {

AddLab::AddLab(Frontend frontend, Device device) : lab_(small_.lab()), device_(device), test_(add_case(1000)) {
  const auto toolchain = find_toolchain(frontend);
  if (!toolchain) throw std::runtime_error("the compiler is not installed");
  toolchain_ = *toolchain;
  lab_.limits.cpu_seconds = 2;
  lab_.limits.wall_seconds = 600;  // never what ends a run on a busy machine; tests of this limit set their own
  lab_.limits.kernel_seconds = 2;
  lab_.limits.memory_mib = 128;
  lab_.limits.device_mib = 64;
  lab_.limits.output_kib = 4;
  lab_.limits.processes = 16;
}

void AddLab::use_host_arrays() {
  small_.folder().write("lab/runner.cpp",
                        "#include \"add.h\"\n#include <cudalabs/runner.h>\n"
                        "void cudalabs_run(cudalabs::Call& call) {\n"
                        "  const int n = static_cast<int>(call.integer(\"n\"));\n"
                        "  add(call.host_input<float>(\"a\"), call.host_input<float>(\"b\"),\n"
                        "      call.host_output<float>(\"c\", static_cast<std::size_t>(n)), n);\n"
                        "  call.finish();\n}\n");
}

BuildResult AddLab::build(const std::string& text, BuildKind kind, BuildPart part) {
  BuildRequest request;
  request.program = &lab_;
  request.source = small_.folder().write("student/add.cu", text);
  request.frontend = toolchain_.frontend;
  request.device = device_;
  request.kind = kind;
  request.part = part;
  source_ = request.source.string();
  BuildResult built = cudalabs::build(request, toolchain_);
  if (!built.ok) throw std::runtime_error("the test's submission does not compile:\n" + built.diagnostics);
  return built;
}

Observation AddLab::run_built(const BuildResult& built, sandbox::Budget* budget) const {
  RunRequest request;
  request.program = &lab_;
  request.runner = built.runner;
  request.device_code = built.device_code;
  request.source = source_;
  request.test = &test_;
  request.budget = budget;
  return cudalabs::run(request);
}

Observation AddLab::run(const std::string& text) {
  return run_built(build(text));
}

datasets::Case add_case(int n) {
  using datasets::ElementType;
  std::vector<float> a, b;
  datasets::ExpectedArray c{"c", ElementType::f32, {n}, {}, std::vector<double>(static_cast<std::size_t>(n), 0.0)};
  for (int i = 0; i < n; ++i) {
    a.push_back(static_cast<float>(i));
    b.push_back(static_cast<float>(2 * i));
    c.value.push_back(3.0 * i);
  }
  const auto bytes = [](const std::vector<float>& values) {
    const auto view = std::as_bytes(std::span(values));
    return std::vector<std::byte>(view.begin(), view.end());
  };
  datasets::Case made;
  made.spec.name = "add";
  made.spec.parameters = {{"n", n}};
  made.inputs = {{"a", ElementType::f32, {n}, bytes(a)}, {"b", ElementType::f32, {n}, bytes(b)}};
  made.expected = {std::move(c)};
  return made;
}

bool is_right(const Observation& observation, const datasets::Case& test) {
  if (observation.outputs.size() != 1) return false;
  const datasets::Array& c = observation.outputs.front();
  const std::vector<double>& expected = test.expected.front().value;
  std::vector<float> got(expected.size());
  if (c.name != "c" || c.data.size() != got.size() * sizeof(float)) return false;
  std::ranges::copy(c.data, std::as_writable_bytes(std::span(got)).begin());
  return std::equal(got.begin(), got.end(), expected.begin());
}

bool is_poison(const Observation& observation) {
  if (observation.outputs.size() != 1) return false;
  return std::ranges::all_of(observation.outputs.front().data, [](std::byte byte) { return byte == std::byte{0xff}; });
}

std::string submission(const std::string& body, const std::string& before) {
  return "#include \"add.h\"\n#include <cuda_runtime.h>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n"
         "#include <vector>\n#include <unistd.h>\n" +
         before + "\nvoid add(const float* d_a, const float* d_b, float* d_c, int n) {\n" + body + "\n}\n";
}

std::string host_body() {
  return "  std::vector<float> a(n), b(n);\n"
         "  cudaMemcpy(a.data(), d_a, n * sizeof(float), cudaMemcpyDeviceToHost);\n"
         "  cudaMemcpy(b.data(), d_b, n * sizeof(float), cudaMemcpyDeviceToHost);\n"
         "  for (int i = 0; i < n; ++i) a[i] += b[i];\n"
         "  cudaMemcpy(d_c, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);\n";
}

}  // namespace cudalabs::testing
