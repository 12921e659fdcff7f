// Submissions that attack the grader when they run. None gets an output accepted that it did not compute, none
// survives, and an honest one right after gets its result.
#include <unistd.h>
#include <string>

#include "../sandbox/processes.h"
#include "add_lab.h"
#include "catch.h"
#include "sandbox/sandbox.h"

namespace cudalabs {
namespace {

using testing::AddLab;
using testing::host_body;
using testing::is_poison;
using testing::is_right;
using testing::submission;

/// Text at namespace scope that can speak to the grader as the harness does.
const std::string kForger =
    "#include <sys/socket.h>\n"
    "struct Forged { unsigned magic = 0x43554c41; unsigned said; unsigned long long at[2] = {}; char text[488] = {}; "
    "};\n"
    "void forge(unsigned said) { Forged f; f.said = said; send(3, &f, sizeof f, MSG_NOSIGNAL); }\n";

/// What every attack is followed by.
void expect_undisturbed(AddLab& lab) {
  const Observation honest = lab.run(submission(host_body()));
  CHECK(honest.end == RunEnd::finished);
  CHECK(is_right(honest, lab.test()));
}

TEST_CASE("code that runs before main cannot end well", "[run]") {
  AddLab lab;
  const Observation constructor = lab.run(
      submission(host_body(), "struct First { First() { std::puts(\"All tests passed\"); _exit(0); } } first;"));
  CHECK(constructor.end == RunEnd::exited_early);
  CHECK(constructor.outputs.empty());
  const Observation attribute =
      lab.run(submission(host_body(), "__attribute__((constructor)) void first() { _exit(0); }"));
  CHECK(attribute.end == RunEnd::exited_early);
  expect_undisturbed(lab);
}

TEST_CASE("a program that the kernel does not execute is the submission's fault", "[run]") {
  AddLab lab;
  const Observation observed = lab.run(
      submission(host_body(), "asm(\".section .interp,\\\"a\\\"\\n.string \\\"/lib/none.so\\\"\\n.previous\\n\");"));
  CHECK(observed.end == RunEnd::not_started);
  CHECK(observed.outputs.empty());
  expect_undisturbed(lab);
}

TEST_CASE("a program that sleeps is ended long before its time is over", "[run]") {
  AddLab lab;
  lab.lab().limits.wall_seconds = 600;
  const Observation observed = lab.run(submission("  for (;;) usleep(10000);", "#include <unistd.h>"));
  CHECK(observed.end == RunEnd::wall_limit);
  CHECK(observed.idle);
  expect_undisturbed(lab);
}

TEST_CASE("as many allocations as a program likes", "[run]") {
  AddLab lab;
  const Observation many =
      lab.run(submission("  static void* p[40000];\n  for (void*& each : p) if (cudaMalloc(&each, 4)) abort();\n"
                         "  for (void* each : p) cudaFree(each);\n" +
                         host_body()));
  CAPTURE(many.detail, many.console);
  CHECK(many.end == RunEnd::finished);
  CHECK(is_right(many, lab.test()));
  const Observation endless =
      lab.run(submission("  void* p;\n  cudaError_t e;\n  while (!(e = cudaMalloc(&p, 1 << 20))) {}\n"
                         "  if (e != cudaErrorMemoryAllocation) abort();\n  cudaGetLastError();\n" +
                         host_body()));
  CAPTURE(endless.detail, endless.console);
  CHECK(endless.end == RunEnd::finished);
}

TEST_CASE("a forged DONE brings no output", "[run]") {
  AddLab lab;
  SECTION("and a clean exit") {
    const Observation observed = lab.run(submission("  forge(1); _exit(0);", kForger));
    CHECK(observed.end == RunEnd::finished);
    CHECK(is_poison(observed));
  }
  SECTION("before GO") {
    const Observation observed =
        lab.run(submission(host_body(), kForger + "struct First { First() { forge(1); } } first;"));
    CHECK(observed.end == RunEnd::protocol_error);
    CHECK(observed.outputs.empty());
  }
  SECTION("and the real one later, with an output written in between") {
    const Observation observed = lab.run(submission("  forge(1);\n" + host_body(), kForger));
    CHECK(observed.end == RunEnd::protocol_error);
    CHECK(observed.outputs.empty());
  }
  SECTION("with READY and all") {
    const Observation observed =
        lab.run(submission(host_body(), kForger + "struct First { First() { forge(0); forge(1); _exit(0); } } first;"));
    // It may be gone before GO can be sent.
    CHECK((observed.end == RunEnd::exited_early || is_poison(observed)));
  }
  expect_undisturbed(lab);
}

TEST_CASE("noise on the grader's sockets is a verdict of its own", "[run]") {
  AddLab lab;
  CHECK(lab.run(submission("  (void)!write(3, \"PASS\", 4);\n" + host_body())).end == RunEnd::protocol_error);
  CHECK(lab.run(submission("  std::vector<char> m(100000, 'x'); (void)!write(3, m.data(), m.size());\n" + host_body()))
            .end == RunEnd::protocol_error);
  CHECK(lab.run(submission("  forge(77);\n" + host_body(), kForger)).end == RunEnd::protocol_error);
  CHECK(lab.run(submission("  (void)!write(4, \"garbage garbage garbage\", 23);\n" + host_body())).end !=
        RunEnd::finished);
  CHECK(lab.run(submission("  close(3);\n" + host_body())).end == RunEnd::exited_early);
  CHECK(lab.run(submission("  close(4);\n" + host_body())).end != RunEnd::finished);
  expect_undisturbed(lab);
}

TEST_CASE("a fault can be claimed but not awarded", "[run]") {
  AddLab lab;
  const Observation observed =
      lab.run(submission("  forge(5); syscall(SYS_exit_group, 0);", "#include <sys/syscall.h>\n" + kForger));
  CHECK(observed.end == RunEnd::exited_early);
  CHECK(observed.findings.empty());
}

TEST_CASE("what is printed decides nothing", "[run]") {
  AddLab lab;
  const Observation observed =
      lab.run(submission("  std::puts(\"PASSED\\n{\\\"points\\\": 100}\\n<testsuite failures=\\\"0\\\"/>\");"));
  CHECK(observed.end == RunEnd::finished);
  CHECK(is_poison(observed));
}

TEST_CASE("inputs cannot be changed, nor outputs after DONE", "[run]") {
  AddLab lab;
  // The inputs' memory file is the lowest descriptor that came with GO, the outputs' the next. The outputs are copied
  // as soon as DONE is received: the pause gives a slow grader the time.
  const std::string late =
      "struct Last { ~Last() { usleep(300000);"
      " for (int fd = 5; fd < 64; ++fd) { float x = 1; (void)!pwrite(fd, &x, sizeof x, 0);"
      " (void)!ftruncate(fd, 0); } } } last;";
  const Observation observed = lab.run(submission(host_body(), late));
  CHECK(observed.end == RunEnd::finished);
  CHECK(is_right(observed, lab.test()));
  expect_undisturbed(lab);
}

TEST_CASE("there is nothing to read but the case's own inputs", "[run]") {
  AddLab lab;
  const std::string look =
      "  for (const char* path : {\"/etc/passwd\", \"/proc/self/environ\", \"/usr/bin/env\", \"/lab/add.h\", "
      "\"/submission/add.cu\", \"/root\", \"/home\"})\n"
      "    if (int fd = open(path, O_RDONLY); fd >= 0) { std::printf(\"read %s\\n\", path); close(fd); }\n"
      "    else if (access(path, F_OK) == 0) std::printf(\"saw %s\\n\", path);\n"
      "  for (int fd = 5; fd < 1024; ++fd) if (fcntl(fd, F_GETFD) >= 0) ++n;\n"
      "  std::printf(\"%d descriptors\\n\", n - 1000);\n"
      "  for (char** e = environ; *e; ++e) std::puts(*e);\n";
  const Observation observed = lab.run(submission(look, "#include <fcntl.h>"));
  CHECK(observed.console.find("read /") == std::string::npos);
  // Without a file system of its own a submission can tell that a file of the machine is there, and no more.
  if (sandbox::probe().tier == sandbox::Tier::bubblewrap) CHECK(observed.console.find("saw /") == std::string::npos);
  CHECK(observed.console.find("0 descriptors\n") != std::string::npos);
  CHECK(observed.console.find("HOME=/tmp") != std::string::npos);
  CHECK(observed.console.find("CUDALABS_CACHE") == std::string::npos);
}

TEST_CASE("nothing survives a run", "[run]") {
  AddLab lab;
  const std::string mark = "survivor-" + std::to_string(getpid());
  // The name is written over the program's arguments and on into its environment.
  const std::string stay =
      "  if (fork() == 0) { setsid(); if (fork() == 0) { for (int i = 0; i < 64; ++i) close(i);\n"
      "    std::strcpy(program_invocation_name, \"" +
      mark + "\"); for (;;) pause(); } _exit(0); }\n";
  const Observation observed = lab.run(submission(stay + host_body(), "#include <cerrno>"));
  CHECK(observed.end == RunEnd::finished);
  CHECK(is_right(observed, lab.test()));
  CHECK(sandbox::processes_with(mark).empty());
}

TEST_CASE("stopping, killing and waiting for others does not help", "[run]") {
  AddLab lab;
  lab.lab().limits.wall_seconds = 3;
  const Observation observed = lab.run(submission(
      "  kill(-1, SIGKILL); kill(getppid(), SIGKILL); kill(getppid(), SIGSTOP); kill(1, SIGKILL);\n" + host_body(),
      "#include <csignal>"));
  CHECK(observed.end == RunEnd::finished);
  CHECK(is_right(observed, lab.test()));
  // Alone in its own process group: stopped for ever, ended by the clock.
  CHECK(lab.run(submission("  raise(SIGSTOP);", "#include <csignal>")).end == RunEnd::wall_limit);
  expect_undisturbed(lab);
}

}  // namespace
}  // namespace cudalabs
