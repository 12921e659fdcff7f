// Timed calls whose results are looked at: a program that does the work has a time, and one that does not is found out.
// On the virtual GPU, which takes the place of a real one.
#include "speed/timed_program.h"

#include <memory>
#include <string>

#include "../run/add_lab.h"
#include "../run/add_work.h"
#include "catch.h"

namespace cudalabs::speed {
namespace {

using testing::AddLab;
using testing::AddWork;
using testing::honest_submission;
using testing::submission;

/// Four samples of an output would cover it.
constexpr std::int64_t kElements = 1000;

class Arena {
 public:
  /// Pools with this many elements more than a window.
  explicit Arena(std::int64_t spare = 20000) : spare_(spare) {}

  Lab& lab() { return lab_.lab(); }
  TimedProgram timed_program(const std::string& text) {
    return {lab_.lab(),
            lab_.build(text).runner,
            std::make_unique<AddWork>(kElements, kElements + spare_),
            {{"n", kElements}},
            Unit::call,
            Device::virtual_gpu};
  }

 private:
  AddLab lab_;
  std::int64_t spare_;
};

/// Why a submission has no time; fails when it has one.
InvalidTiming verdict_on(TimedProgram timed_program) {
  try {
    timed_program.start();
    timed_program.warm_up();
    // A busy machine makes few calls long enough, and what is wrong may not be in the sample of each.
    for (int i = 0; i < 10; ++i) timed_program.seconds();
  } catch (const InvalidTiming& verdict) {
    return verdict;
  }
  throw std::runtime_error("nobody found out");
}

const std::string kKernel =
    "__global__ void kernel(const float* a, const float* b, float* c, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) c[i] = a[i] + b[i];\n"
    "}\n";
const std::string kLaunch = "kernel<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);";

/// Honest but for what it does first in its third call.
InvalidTiming verdict_on_third(Arena& arena, const std::string& statement) {
  return verdict_on(arena.timed_program(
      submission("  static int calls = 0;\n  if (++calls == 3) " + statement + ";\n  " + kLaunch, kKernel)));
}

TEST_CASE("a program that does the work is timed", "[speed]") {
  Arena arena;
  TimedProgram timed_program = arena.timed_program(honest_submission());
  timed_program.start();
  timed_program.warm_up();
  for (int i = 0; i < 3; ++i) {
    const double seconds = timed_program.seconds();
    CHECK(seconds > 0);
    CHECK(seconds < 1);
  }
  CHECK(timed_program.claimed_seconds() >= 0);
}

TEST_CASE("timed calls get memory that a texture may begin at", "[speed]") {
  Arena arena;
  const std::string body =
      "  if (reinterpret_cast<std::size_t>(d_a) % 512 != 0 || reinterpret_cast<std::size_t>(d_b) % 512 != 0) return;\n "
      " " +
      kLaunch;
  TimedProgram timed_program = arena.timed_program(submission(body, "#include <cstddef>\n" + kKernel));
  timed_program.start();
  timed_program.warm_up();
  for (int i = 0; i < 10; ++i) CHECK(timed_program.seconds() > 0);
}

TEST_CASE("who keeps the first result is found out", "[speed]") {
  Arena arena;
  const InvalidTiming verdict =
      verdict_on(arena.timed_program(submission("  static int calls = 0;\n  if (calls++ == 0) " + kLaunch, kKernel)));
  CAPTURE(verdict.what());
  CHECK(verdict.end() == RunEnd::finished);
  CHECK(std::string(verdict.what()).find("`c` is wrong in a call that was timed: element ") == 0);
}

TEST_CASE("who keeps the result of each window is found out, for a window's values change", "[speed]") {
  // Two places for each window: they come again and again.
  Arena arena(128);
  const std::string body =
      "  static std::map<std::pair<const float*, const float*>, float*> known;\n"
      "  float*& kept = known[{d_a, d_b}];\n"
      "  if (kept != nullptr) {\n"
      "    cudaMemcpyAsync(d_c, kept, n * sizeof(float), cudaMemcpyDeviceToDevice);\n"
      "    return;\n"
      "  }\n"
      "  cudaMalloc(&kept, n * sizeof(float));\n  " +
      kLaunch + "\n  cudaMemcpyAsync(kept, d_c, n * sizeof(float), cudaMemcpyDeviceToDevice);";
  const InvalidTiming verdict =
      verdict_on(arena.timed_program(submission(body, "#include <map>\n#include <utility>\n" + kKernel)));
  CAPTURE(verdict.what());
  CHECK(verdict.end() == RunEnd::finished);
}

TEST_CASE("a program that does half of the work, or none, or every other call, is found out", "[speed]") {
  Arena arena;
  for (const std::string& body : {std::string("  kernel<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n / 2);"),
                                  std::string("  (void)d_a; (void)d_b; (void)d_c; (void)n;"),
                                  "  static int calls = 0;\n  if (calls++ % 2 == 0) " + kLaunch}) {
    const InvalidTiming verdict = verdict_on(arena.timed_program(submission(body, kKernel)));
    CAPTURE(body, verdict.what());
    CHECK(verdict.end() == RunEnd::finished);
  }
}

TEST_CASE("a program that leaves out the first or the last element only is found out", "[speed]") {
  Arena arena;
  for (const std::string& body :
       {std::string("  kernel<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n - 1);"),
        std::string("  kernel<<<(n + 255) / 256, 256>>>(d_a + 1, d_b + 1, d_c + 1, n - 1);")}) {
    const InvalidTiming verdict = verdict_on(arena.timed_program(submission(body, kKernel)));
    CAPTURE(body, verdict.what());
    CHECK(verdict.end() == RunEnd::finished);
  }
}

TEST_CASE("a program that does not come to the end of a call has no time", "[speed]") {
  Arena arena;
  CHECK(verdict_on_third(arena, "*reinterpret_cast<volatile int*>(8) = 1").end() == RunEnd::crashed);
  CHECK(verdict_on_third(arena, "_exit(0)").end() == RunEnd::exited_early);
  const InvalidTiming error = verdict_on_third(arena, "kernel<<<1, 4096>>>(d_a, d_b, d_c, n)");
  CHECK(error.end() == RunEnd::runtime_error);
  CHECK(std::string(error.what()).find("cudaErrorInvalid") != std::string::npos);
  arena.lab().limits.wall_seconds = 1;
  CHECK(verdict_on_third(arena, "for (;;) pause()").end() == RunEnd::wall_limit);
}

TEST_CASE("who says done before it is has the wrong results", "[speed]") {
  Arena arena;
  // As run/harness/runner_protocol.h has it.
  const std::string before =
      "#include <sys/socket.h>\n#include <cstdint>\n" + kKernel +
      "struct Message { std::uint32_t magic = 0x43554c41, said = 1; std::uint64_t a = 0, b = 0; char text[488] = {}; };"
      "\nvoid lie() { const Message message; send(3, &message, sizeof message, 0); usleep(300000); }";
  const InvalidTiming verdict = verdict_on(
      arena.timed_program(submission("  static int calls = 0;\n  if (++calls == 3) lie();\n  " + kLaunch, before)));
  CAPTURE(verdict.what());
  CHECK(verdict.end() == RunEnd::finished);
}

}  // namespace
}  // namespace cudalabs::speed
