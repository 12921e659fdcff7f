// The same lab on this machine's GPU, where there is one: the real runtime, from inside the sandbox.
#include <filesystem>
#include <string>

#include "add_lab.h"
#include "catch.h"

namespace cudalabs {
namespace {

using testing::AddLab;
using testing::honest_submission;
using testing::is_poison;
using testing::is_right;
using testing::submission;

bool has_gpu() {
  const bool found = std::filesystem::exists("/dev/nvidia0") && find_toolchain(Frontend::nvcc).has_value();
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
};

TEST_CASE("a real GPU computes the same", "[run][gpu]") {
  if (!has_gpu()) return;
  GpuLab lab;
  const Observation observed = lab.run(honest_submission());
  CAPTURE(observed.detail, observed.console);
  CHECK(observed.end == RunEnd::finished);
  CHECK(is_right(observed, lab.test()));
}

TEST_CASE("what nobody wrote on a real GPU is poison", "[run][gpu]") {
  if (!has_gpu()) return;
  GpuLab lab;
  const Observation observed = lab.run(submission("  (void)d_a; (void)d_b; (void)d_c; (void)n;"));
  CAPTURE(observed.detail, observed.console);
  CHECK(observed.end == RunEnd::finished);
  CHECK(is_poison(observed));
}

TEST_CASE("an illegal access on a real GPU is a runtime error", "[run][gpu]") {
  if (!has_gpu()) return;
  GpuLab lab;
  std::string text = honest_submission();
  text.replace(text.find("c[i] = a[i]"), 11, "c[i + (1ll << 40)] = a[i]");
  const Observation observed = lab.run(text);
  CAPTURE(observed.console);
  CHECK(observed.end == RunEnd::runtime_error);
  CHECK(observed.detail.find("cudaErrorIllegalAddress") != std::string::npos);
}

TEST_CASE("a kernel that does not end on a real GPU is ended, and the GPU works again", "[run][gpu]") {
  if (!has_gpu()) return;
  GpuLab lab;
  lab.lab().limits.wall_seconds = 10;
  lab.lab().limits.cpu_seconds = 60;
  std::string text = honest_submission();
  text.replace(text.find("c[i] = a[i] + b[i];"), 19, "for (;;) atomicAdd(&c[i], b[i]);");
  CHECK(lab.run(text).end == RunEnd::wall_limit);
  const Observation observed = lab.run(honest_submission());
  CHECK(observed.end == RunEnd::finished);
  CHECK(is_right(observed, lab.test()));
}

}  // namespace
}  // namespace cudalabs
