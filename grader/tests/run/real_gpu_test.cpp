// The same lab on this machine's GPU, where there is one: the real runtime, from inside the sandbox.
#include <string>
#include <utility>

#include "add_lab.h"
#include "build/real_gpu.h"
#include "catch.h"
#include "run/gpu_session.h"
#include "run/real_device.h"

namespace cudalabs {
namespace {

using testing::AddLab;
using testing::honest_submission;
using testing::is_poison;
using testing::is_right;
using testing::submission;

bool has_gpu() {
  const bool found = builder::has_real_gpu() && find_toolchain(Frontend::nvcc).has_value();
  if (!found) WARN("no GPU with a toolkit here: skipped");
  return found;
}

/// With room for the driver, which alone takes a second and a gigabyte to start.
class GpuLab : public AddLab {
 public:
  GpuLab() : AddLab(Frontend::nvcc, Device::cuda) {
    lab().limits.cpu_seconds = 20;
    lab().limits.wall_seconds = 60;
    lab().limits.memory_mib = 4096;
    lab().limits.processes = 64;
  }
  GpuSession session(const std::string& text) { return {lab(), build(text).runner}; }
};

std::string with(std::string text, const std::string& what, const std::string& instead) {
  return text.replace(text.find(what), what.size(), instead);
}

TEST_CASE("a real GPU computes the same, case by case in one process", "[run][gpu]") {
  if (!has_gpu()) return;
  GpuLab lab;
  GpuSession session = lab.session(honest_submission());
  for (int i = 0; i < 3; ++i) {
    const Observation observed = session.run(lab.test());
    CAPTURE(observed.detail, observed.console);
    CHECK(observed.end == RunEnd::finished);
    CHECK(is_right(observed, lab.test()));
  }
}

TEST_CASE("what nobody wrote on a real GPU is poison", "[run][gpu]") {
  if (!has_gpu()) return;
  GpuLab lab;
  GpuSession session = lab.session(submission("  (void)d_a; (void)d_b; (void)d_c; (void)n;"));
  for (int i = 0; i < 2; ++i) {
    const Observation observed = session.run(lab.test());
    CAPTURE(observed.detail, observed.console);
    CHECK(observed.end == RunEnd::finished);
    CHECK(is_poison(observed));
  }
}

TEST_CASE("an illegal access on a real GPU is a runtime error, and the next case gets a fresh process", "[run][gpu]") {
  if (!has_gpu()) return;
  GpuLab lab;
  GpuSession session =
      lab.session(with(honest_submission(), "c[i] = a[i]", "c[i + (n == 999 ? 1ll << 40 : 0)] = a[i]"));
  CHECK(session.run(lab.test()).end == RunEnd::finished);
  const Observation observed = session.run(testing::add_case(999));
  CAPTURE(observed.console);
  CHECK(observed.end == RunEnd::runtime_error);
  CHECK(observed.detail.find("cudaErrorIllegalAddress") != std::string::npos);
  CHECK(session.run(lab.test()).end == RunEnd::finished);
}

TEST_CASE("device memory that runs out on a real GPU is a runtime error", "[run][gpu]") {
  if (!has_gpu()) return;
  GpuLab lab;
  const std::string greedy =
      "  void* memory = nullptr;\n"
      "  (void)d_a; (void)d_b; (void)d_c; (void)n;\n"
      "  for (int i = 0; i < 1 << 16 && cudaMalloc(&memory, 1ull << 30) == cudaSuccess; ++i) continue;\n";
  GpuSession session = lab.session(submission(greedy));
  const Observation observed = session.run(lab.test());
  CAPTURE(observed.detail, observed.console);
  CHECK(observed.end == RunEnd::runtime_error);
  CHECK(observed.detail.find("cudaErrorMemoryAllocation") != std::string::npos);
}

TEST_CASE("a kernel that does not end on a real GPU is ended, and the GPU works again", "[run][gpu]") {
  if (!has_gpu()) return;
  GpuLab lab;
  lab.lab().limits.wall_seconds = 10;
  lab.lab().limits.cpu_seconds = 60;
  GpuSession hung = lab.session(with(honest_submission(), "c[i] = a[i] + b[i];", "for (;;) atomicAdd(&c[i], b[i]);"));
  CHECK(hung.run(lab.test()).end == RunEnd::wall_limit);
  GpuSession session = lab.session(honest_submission());
  const Observation observed = session.run(lab.test());
  CHECK(observed.end == RunEnd::finished);
  CHECK(is_right(observed, lab.test()));
}

TEST_CASE("a stream that does not wait for the default one finds everything on a real GPU", "[run][gpu]") {
  if (!has_gpu()) return;
  GpuLab lab;
  // Joined at its end only: the contract says that the inputs lie there and that the caller waits.
  std::string text = honest_submission();
  const std::size_t launch = text.find("<<<"), close = text.find(">>>", launch);
  text.replace(close, 3, ", 0, own_stream()>>>");
  text =
      "#include <cuda_runtime.h>\n"
      "static cudaStream_t own_stream() {\n"
      "  static cudaStream_t stream = nullptr;\n"
      "  if (!stream) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);\n"
      "  return stream;\n}\n" +
      text;
  GpuSession session = lab.session(text);
  for (int i = 0; i < 5; ++i) {
    const Observation observed = session.run(lab.test());
    CAPTURE(observed.detail, observed.console);
    CHECK(observed.end == RunEnd::finished);
    CHECK(is_right(observed, lab.test()));
  }
}

TEST_CASE("a reset of a real GPU is told apart from other errors", "[run][gpu]") {
  if (!has_gpu()) return;
  GpuLab lab;
  GpuSession session = lab.session(submission("  (void)d_a; (void)d_b; (void)d_c; (void)n;\n  cudaDeviceReset();\n"));
  CHECK(session.run(lab.test()).end == RunEnd::device_reset);
}

TEST_CASE("the sandbox leads to the real GPU", "[run][gpu]") {
  if (!has_gpu()) return;
  CHECK_NOTHROW(runner::require_real_device());
}

}  // namespace
}  // namespace cudalabs
