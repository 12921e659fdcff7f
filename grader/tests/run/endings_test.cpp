// How honest and mistaken host code ends, each with its verdict and, where there is one, its line.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "add_lab.h"
#include "catch.h"
#include "run/device_host.h"
#include "sandbox/budget.h"
#include "sandbox/machine_speed.h"
#include "sandbox/sandbox.h"

namespace cudalabs {
namespace {

using testing::add_case;
using testing::AddLab;
using testing::host_body;
using testing::is_poison;
using testing::is_right;
using testing::submission;

/// Line of the body's first line in `submission(body)`.
constexpr std::uint32_t kBodyLine = 10;

/// A variable the compiler cannot see through.
const std::string kKeep = "char* volatile keep;";

const Finding* find(const Observation& observation, const std::string& id) {
  const auto found = std::ranges::find(observation.findings, id, &Finding::id);
  return found == observation.findings.end() ? nullptr : &*found;
}

TEST_CASE("a submission that does the work finishes with the right output", "[run]") {
  AddLab lab;
  const Observation observed = lab.run(submission(host_body() + "  std::puts(\"hello\");\n"));
  CAPTURE(observed.detail, observed.console);
  CHECK(observed.end == RunEnd::finished);
  CHECK(observed.detail.empty());
  CHECK(is_right(observed, lab.test()));
  CHECK(observed.console == "hello\n");
  CHECK(observed.wall_seconds > 0);
  CHECK(observed.wall_seconds < lab.lab().limits.wall_seconds);
}

TEST_CASE("an output nobody wrote comes back as poison", "[run]") {
  AddLab lab;
  const Observation observed = lab.run(submission("  (void)d_a; (void)d_b; (void)d_c; (void)n;"));
  CHECK(observed.end == RunEnd::finished);
  CHECK(is_poison(observed));
}

TEST_CASE("a crash has a signal, a line and what was printed before it", "[run]") {
  AddLab lab;
  const Observation observed =
      lab.run(submission("  std::puts(\"before\");\n  *reinterpret_cast<volatile int*>(8) = 1;"));
  CHECK(observed.end == RunEnd::crashed);
  CHECK(observed.detail == "killed by SIGSEGV (invalid memory reference)");
  CHECK(observed.console == "before\n");
  CHECK(observed.outputs.empty());
  const Finding* crash = find(observed, "runner-crashed");
  REQUIRE(crash);
  CHECK(crash->where.file == lab.source());
  CHECK(crash->where.line == kBodyLine + 1);
  CHECK(crash->help.find("null pointer") != std::string::npos);
}

TEST_CASE("host code that reads a device pointer is told whose memory it is", "[run]") {
  AddLab lab;
  const Observation observed = lab.run(submission("  if (d_b[n - 1] > 0) std::puts(\"read\");"));
  CHECK(observed.end == RunEnd::crashed);
  const Finding* crash = find(observed, "runner-crashed");
  REQUIRE(crash);
  CHECK(crash->message.find("device pointer, into `b`") != std::string::npos);
  CHECK(crash->where.line == kBodyLine);
}

TEST_CASE("what a library crashes in has the line of its caller", "[run]") {
  AddLab lab;
  const Observation thrown =
      lab.run(submission("  n += 1;\n  if (n > 0) throw std::runtime_error(\"no\");", "#include <stdexcept>"));
  const Finding* uncaught = find(thrown, "runner-crashed");
  REQUIRE(uncaught);
  CHECK(uncaught->where.file == lab.source());
  CHECK(uncaught->where.line == kBodyLine + 1);
  CHECK(uncaught->help.find("exception") != std::string::npos);
  const Observation freed = lab.run(submission("  n += 1;\n  std::free(const_cast<float*>(d_a));\n  n += 1;"));
  const Finding* crash = find(freed, "runner-crashed");
  REQUIRE(crash);
  CHECK(crash->where.line == kBodyLine + 1);
}

TEST_CASE("other deaths of host code", "[run]") {
  AddLab lab;
  CHECK(lab.run(submission("  volatile int zero = n - n; std::printf(\"%d\", n / zero);")).detail.find("SIGFPE") !=
        std::string::npos);
  CHECK(lab.run(submission("  std::abort();")).end == RunEnd::crashed);
  CHECK(lab.run(submission("  std::vector<int>().at(3);", "#include <stdexcept>")).detail.find("SIGABRT") !=
        std::string::npos);
  const Observation overflow = lab.run(
      submission("  n = deep(n);",
                 "int deep(int n) { volatile char room[4096]; room[n % 9] = 1; return deep(n + 1) + room[0]; }"));
  CHECK(overflow.end == RunEnd::crashed);
  CHECK(overflow.detail.find("SIGSEGV") != std::string::npos);
}

TEST_CASE("an end before the work is done", "[run]") {
  AddLab lab;
  const Observation observed = lab.run(submission("  std::exit(0);"));
  CHECK(observed.end == RunEnd::exited_early);
  CHECK(observed.detail == "exited with status 0 before its work was done");
  CHECK(observed.outputs.empty());
  CHECK(lab.run(submission("  _exit(7);")).detail == "exited with status 7 before its work was done");
}

TEST_CASE("a program that ends itself has the line that does so", "[run]") {
  AddLab lab;
  for (const char* call : {"std::exit(3);", "quick_exit(3);", "_exit(3);", "_Exit(3);"}) {
    const Observation observed = lab.run(submission(std::string("  ++n;\n  ") + call));
    INFO(call);
    CHECK(observed.end == RunEnd::exited_early);
    CHECK(observed.ended_at.line == kBodyLine + 1);
  }
  const Observation child = lab.run(submission("  if (fork() == 0) _exit(0);\n" + host_body()));
  CHECK_FALSE(child.ended_at.known());
}

TEST_CASE("an end after the work was done is looked at too", "[run]") {
  AddLab lab;
  const Observation crash = lab.run(submission(host_body(), "struct Last { ~Last() { std::abort(); } } last;"));
  CHECK(crash.end == RunEnd::crashed);
  CHECK(crash.detail.find("after its work was done") != std::string::npos);
  CHECK(crash.outputs.empty());
  const Observation status = lab.run(submission(host_body(), "struct Last { ~Last() { _exit(3); } } last;"));
  CHECK(status.end == RunEnd::crashed);
  CHECK(status.detail == "exited with status 3 after its work was done");
}

TEST_CASE("an error of the CUDA runtime is told by name", "[run]") {
  AddLab lab;
  const Observation observed =
      lab.run(submission("  cudaMemcpy(d_c, d_a, std::size_t(1) << 30, cudaMemcpyDeviceToDevice);"));
  CHECK(observed.end == RunEnd::runtime_error);
  CHECK(observed.detail.find("cudaErrorInvalidValue") != std::string::npos);
  CHECK(observed.outputs.empty());
}

TEST_CASE("a reset of the device is told with its line when the caller's arrays are gone", "[run]") {
  AddLab lab;
  const std::string reset = "  (void)d_a; (void)d_b; (void)d_c; (void)n;\n  cudaDeviceReset();\n";
  const Observation observed = lab.run(submission(reset));
  CHECK(observed.end == RunEnd::device_reset);
  REQUIRE(observed.failed);
  CHECK(observed.failed->name == "cudaDeviceReset");
  CHECK(observed.failed->where.file == lab.source());
  CHECK(observed.failed->where.line == kBodyLine + 1);
  CHECK(observed.outputs.empty());
}

TEST_CASE("each limit has its own verdict", "[run]") {
  AddLab lab;
  SECTION("CPU time") {
    const Observation observed = lab.run(submission("  for (volatile int i = 0;; i = i + 1) {}"));
    CHECK(observed.end == RunEnd::cpu_limit);
    CHECK(observed.ended_at.file == lab.source());
    CHECK(observed.ended_at.line == kBodyLine);
    CHECK(observed.detail ==
          fmt::format("used more than {} s of CPU time on the host", std::ceil(2 * sandbox::slowness_of_machine())));
  }
  SECTION("wall time") {
    lab.lab().limits.wall_seconds = 0.5;
    const Observation observed = lab.run(submission("  for (;;) pause();"));
    CHECK(observed.end == RunEnd::wall_limit);
    CHECK(observed.detail == fmt::format("did not end within {} s", std::ceil(sandbox::slowness_of_machine()) / 2));
  }
  SECTION("memory, touched") {
    CHECK(lab.run(submission("  for (;;) std::memset(keep = new char[1 << 24], 1, 1 << 24);", kKeep)).end ==
          RunEnd::memory_limit);
  }
  SECTION("memory, asked for") {
    CHECK(lab.run(submission("  keep = new char[std::size_t(1) << 40];", kKeep)).end == RunEnd::memory_limit);
  }
  SECTION("output") {
    const Observation observed = lab.run(submission("  for (;;) std::puts(\"again and again\");"));
    CHECK(observed.end == RunEnd::output_limit);
    CHECK(observed.console.size() == 4096);
  }
  SECTION("processes") {
    CHECK(lab.run(submission("  for (;;) fork();")).end == RunEnd::process_limit);
  }
}

TEST_CASE("a run that uses up what all runs may use is ended", "[run]") {
  AddLab lab;
  sandbox::Budget budget({.cpu_seconds = 0.5, .idle_seconds = 0.5});
  SECTION("computing on the host") {
    const BuildResult built = lab.build(submission("  for (volatile int i = 0;; i = i + 1) {}"));
    CHECK(lab.run_built(built, &budget).end == RunEnd::over_budget);
    CHECK(budget.spent() == sandbox::Budget::Spent::processor_time);
  }
  SECTION("computing in many processes, none of which uses much") {
    const BuildResult built = lab.build(
        submission("  for (int i = 0; i < 3; ++i) fork();\n  while (clock() < CLOCKS_PER_SEC) {}", "#include <ctime>"));
    CHECK(lab.run_built(built, &budget).end == RunEnd::over_budget);
  }
  SECTION("doing nothing") {
    const BuildResult built = lab.build(submission("  for (;;) pause();"));
    CHECK(lab.run_built(built, &budget).end == RunEnd::over_budget);
    CHECK(budget.spent() == sandbox::Budget::Spent::idle_time);
  }
  SECTION("which others have used up") {
    budget.charge({.cpu_seconds = 1});
    const BuildResult built = lab.build(submission("  for (volatile int i = 0;; i = i + 1) {}"));
    CHECK(lab.run_built(built, &budget).end == RunEnd::over_budget);
  }
  SECTION("but not one that needs less") {
    const Observation observed = lab.run_built(lab.build(submission(host_body())), &budget);
    CHECK(observed.end == RunEnd::finished);
    CHECK(is_right(observed, lab.test()));
    CHECK(budget.used().cpu_seconds > 0);
  }
}

TEST_CASE("memory that is not freed is found with its line", "[run]") {
  AddLab lab;
  const Observation observed =
      lab.run(submission("  float* mine = nullptr;\n  cudaMalloc(&mine, 256);\n" + host_body()));
  CHECK(observed.end == RunEnd::finished);
  const Finding* leak = find(observed, "memory-leak");
  REQUIRE(leak);
  CHECK(leak->where.file == lab.source());
  CHECK(leak->where.line == kBodyLine + 1);
  CHECK(std::ranges::count(observed.findings, std::string("memory-leak"), &Finding::id) == 1);
}

TEST_CASE("the harness itself leaves nothing behind", "[run]") {
  AddLab lab;
  CHECK(lab.run(submission(host_body())).findings.empty());
}

TEST_CASE("weaker tiers build and run the same", "[run]") {
  AddLab lab;
  sandbox::set_policy({false, geteuid() == 0 ? sandbox::Tier::own_user : sandbox::Tier::landlock});
  const Observation observed = lab.run(submission(host_body() + "  cudaMalloc(reinterpret_cast<void**>(&d_c), 16);"));
  sandbox::set_policy({});
  CAPTURE(observed.detail, observed.console);
  CHECK(observed.end == RunEnd::finished);
  CHECK(is_right(observed, lab.test()));
  const Finding* leak = find(observed, "memory-leak");
  REQUIRE(leak);
  CHECK(leak->where.file == lab.source());
}

TEST_CASE("cases run beside each other in one host", "[run]") {
  AddLab lab;
  runner::DeviceHost host(6);
  const BuildResult built = lab.build(submission(host_body()));
  std::vector<Observation> observed(6);
  std::vector<datasets::Case> cases;
  for (std::size_t i = 0; i < observed.size(); ++i) cases.push_back(add_case(static_cast<int>(100 + i)));
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < observed.size(); ++i) {
      threads.emplace_back([&, i] {
        RunRequest request;
        request.program = &lab.lab();
        request.runner = built.runner;
        request.test = &cases[i];
        request.host = &host;
        observed[i] = run(request);
      });
    }
  }
  for (std::size_t i = 0; i < observed.size(); ++i) {
    CHECK(observed[i].end == RunEnd::finished);
    CHECK(is_right(observed[i], cases[i]));
  }
}

TEST_CASE("text is printable and paths are the contract's when the source is not given", "[run]") {
  AddLab lab;
  const BuildResult built = lab.build(submission("  std::fputs(\"\\x1b[31m\\xff\", stdout);\n  std::abort();"));
  RunRequest request;
  request.program = &lab.lab();
  request.runner = built.runner;
  request.test = &lab.test();
  const Observation observed = run(request);
  CHECK(observed.console.find('\x1b') == std::string::npos);
  for (const Finding& finding : observed.findings) CHECK(finding.where.file.find("submission/") == std::string::npos);
}

TEST_CASE("a lab's runner that asks for what is not there is told so", "[run]") {
  AddLab lab;
  const BuildResult built = lab.build(submission(host_body()));
  datasets::Case other = add_case(1000);
  other.inputs[0].name = "z";
  RunRequest request;
  request.program = &lab.lab();
  request.runner = built.runner;
  request.test = &other;
  Observation observed = run(request);
  CHECK(observed.end == RunEnd::protocol_error);
  CHECK(observed.detail == "the case has no input `a`");
  other = add_case(1000);
  other.expected[0].shape = {999};
  observed = run(request);
  CHECK(observed.end == RunEnd::protocol_error);
  CHECK(observed.detail == "the output `c` has 999 elements, not 1000");
}

TEST_CASE("a program that is no runner is not a success", "[run]") {
  AddLab lab;
  RunRequest request;
  request.program = &lab.lab();
  request.test = &lab.test();
  request.runner = "/nothing/here";
  CHECK_THROWS(run(request));
}

}  // namespace
}  // namespace cudalabs
