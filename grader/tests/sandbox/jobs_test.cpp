// What an honest job and its supervisor rely on: descriptors, waiting, killing, parallel jobs, errors.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "processes.h"
#include "sandbox/control_group.h"
#include "sandbox/idle_clock.h"
#include "sandbox/sandbox.h"
#include "tree/tree_paths.h"

namespace cudalabs::sandbox {
namespace {

using Clock = Process::Clock;
namespace fs = std::filesystem;

Job job_of(std::vector<std::string> words) {
  Job job;
  job.arguments = {"./attacker"};
  job.arguments.insert(job.arguments.end(), words.begin(), words.end());
  job.files.push_back({"attacker", open_file(build_path("grader/tests/sandbox/sandbox_attacker")), true});
  return job;
}

TEST_CASE("the probe names a tier, and a reason when it is not the strongest", "[sandbox]") {
  const TierReport& report = probe();
  CHECK_FALSE(report.name.empty());
  CHECK((report.tier == Tier::bubblewrap) == report.reason.empty());
}

TEST_CASE("a passed descriptor arrives under its number", "[sandbox]") {
  Pipe pipe = make_pipe();
  Job job = job_of({"tell", "7"});
  job.descriptors.push_back({7, std::move(pipe.write)});
  const Outcome outcome = run(std::move(job));
  CHECK(outcome.status == 0);
  char text[8] = {};
  CHECK(read(pipe.read.get(), text, sizeof text) == 4);
  CHECK(std::string(text) == "told");
  CHECK(read(pipe.read.get(), text, sizeof text) == 0);  // nobody else holds the other end
}

/// A device file that every user may open and that bubblewrap does not bring by itself; empty when there is none.
fs::path any_device() {
  const std::vector<std::string> brought = {"console", "full", "null", "ptmx", "random", "tty", "urandom", "zero"};
  for (const fs::directory_entry& entry : fs::directory_iterator("/dev")) {
    if (entry.is_symlink() || !entry.is_character_file() ||
        std::ranges::find(brought, entry.path().filename().string()) != brought.end())
      continue;
    constexpr auto kAnybody = fs::perms::others_read | fs::perms::others_write;
    if ((entry.status().permissions() & kAnybody) != kAnybody) continue;
    if (const Fd file(open(entry.path().c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC)); file) return entry.path();
  }
  return {};
}

TEST_CASE("a job opens the device file it was given, and can make none beside it", "[sandbox]") {
  const fs::path device = any_device();
  if (device.empty()) {
    WARN("there is no device file here to try it with");
    return;
  }
  CAPTURE(device);
  Job job = job_of({"open", device.string()});
  job.visible.push_back({device, true});
  const Outcome outcome = run(std::move(job));
  CHECK(outcome.end == End::exited);
  CHECK(outcome.status == 0);
  Job writer = job_of({"write", "/dev/new"});
  writer.visible.push_back({device, true});
  CHECK(run(std::move(writer)).status != 0);
}

TEST_CASE("waiting stops for the watched descriptor and for the deadline", "[sandbox]") {
  Pipe pipe = make_pipe();
  Process process(job_of({"sleep"}));
  CHECK(process.wait(-1, Clock::now() + std::chrono::milliseconds(20)) == Process::Event::deadline);
  write_all(pipe.write.get(), bytes_of("x"));
  CHECK(process.wait(pipe.read.get()) == Process::Event::readable);
  process.kill();
  CHECK(process.wait() == Process::Event::ended);
  CHECK(process.outcome().end == End::signaled);
  CHECK(process.outcome().status == SIGKILL);
}

TEST_CASE("a process object that goes away takes its job with it", "[sandbox]") {
  const std::string mark = "gone-" + std::to_string(getpid());
  {
    Pipe pipe = make_pipe();
    Job job = job_of({"sleep", mark});
    job.descriptors.push_back({3, std::move(pipe.write)});
    Process process(std::move(job));
    REQUIRE(process.wait(pipe.read.get()) == Process::Event::readable);
    CHECK_FALSE(processes_with(mark).empty());
  }
  CHECK(processes_with(mark).empty());
}

TEST_CASE("a job whose init is killed ends with its folder", "[sandbox]") {
  set_policy({true, Tier::none});
  const std::string mark = "orphan-" + std::to_string(getpid());
  {
    Pipe pipe = make_pipe();
    Job job = job_of({"sleep", mark});
    job.descriptors.push_back({3, std::move(pipe.write)});
    Process process(std::move(job));
    REQUIRE(process.wait(pipe.read.get()) == Process::Event::readable);
    REQUIRE(kill(process.id(), SIGKILL) == 0);
    CHECK_THROWS_AS(process.wait(), SandboxError);
  }
  CHECK(processes_with(mark).empty());
  set_policy({});
}

TEST_CASE("a program that cannot be executed is the sandbox's error", "[sandbox]") {
  Job job;
  job.arguments = {"./nothing"};
  CHECK_THROWS_AS(run(std::move(job)), SandboxError);
  Job text;
  text.arguments = {"./text"};
  text.files.push_back({"text", make_memory_file("text", bytes_of("not a program")), true});
  CHECK_THROWS_AS(run(std::move(text)), SandboxError);
}

TEST_CASE("a hostile program that cannot be executed has an end of its own", "[sandbox]") {
  Job text;
  text.arguments = {"./text"};
  text.hostile_program = true;
  text.files.push_back({"text", make_memory_file("text", bytes_of("not a program")), true});
  const Outcome outcome = run(std::move(text));
  CHECK(outcome.end == End::not_started);
  CHECK(outcome.status == ENOEXEC);
}

TEST_CASE("the idle clock runs while nobody does anything", "[sandbox]") {
  const auto idle_with = [](const char* script) {
    const pid_t child = fork();
    if (child == 0) {
      setpgid(0, 0);
      execl("/bin/sh", "sh", "-c", script, nullptr);
      _exit(127);
    }
    IdleClock clock({child});
    // Until it is through with starting, whatever the machine does meanwhile.
    for (int look = 0; look < 40; ++look) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      clock.look();
    }
    kill(-child, SIGKILL);
    waitpid(child, nullptr, 0);
    return clock.idle();
  };
  CHECK(idle_with("exec sleep 100") > std::chrono::milliseconds(100));
  CHECK(idle_with("while :; do :; done") < std::chrono::milliseconds(100));
  CHECK(idle_with("(sh -c 'while :; do :; done'; true) & wait") < std::chrono::milliseconds(100));
}

TEST_CASE("a job's files cannot be put over the system's or outside its root", "[sandbox]") {
  for (const char* path : {"/etc/passwd", "../up", "a/../../up", "usr/bin/sh", "tmp/x", "lib/x", "", "a/./b"}) {
    CAPTURE(path);
    Job job = job_of({"exit", "0"});
    job.files.push_back({path, make_memory_file("file", bytes_of("x")), false});
    CHECK_THROWS_AS(run(std::move(job)), SandboxError);
  }
}

TEST_CASE("the weakest tier is refused unless it is asked for", "[sandbox]") {
  set_policy({false, Tier::none});
  CHECK_THROWS_AS(run(job_of({"exit", "0"})), SandboxError);
  set_policy({true, Tier::none});
  CHECK(run(job_of({"exit", "3"})).status == 3);
  set_policy({});
}

TEST_CASE("jobs run beside each other without meeting", "[sandbox]") {
  std::vector<Outcome> outcomes(8);
  {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      threads.emplace_back([&outcomes, i] { outcomes[i] = run(job_of({"say", "number " + std::to_string(i)})); });
    }
    for (std::thread& thread : threads) thread.join();
  }
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    CHECK(outcomes[i].output == "number " + std::to_string(i) + "\n");
  }
}

TEST_CASE("the supervisor's memory is closed to others", "[sandbox]") {
  run(job_of({"exit", "0"}));
  CHECK(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0);
}

TEST_CASE("what a killed supervisor left on disk is swept away by the next", "[sandbox]") {
  set_policy({true, Tier::none});
  const pid_t supervisor = fork();
  REQUIRE(supervisor >= 0);
  if (supervisor == 0) {
    Process process(job_of({"sleep"}));
    kill(getpid(), SIGKILL);
  }
  REQUIRE(waitpid(supervisor, nullptr, 0) == supervisor);
  const auto left_by = [](pid_t process) {
    return std::ranges::count_if(fs::directory_iterator(fs::temp_directory_path()), [&](const auto& entry) {
      return entry.path().filename().string().starts_with("cudalabs-job-" + std::to_string(process) + "-");
    });
  };
  CHECK(left_by(supervisor) == 1);
  const pid_t next = fork();
  REQUIRE(next >= 0);
  if (next == 0) {
    const Outcome outcome = run(job_of({"exit", "0"}));
    _exit(outcome.status);
  }
  REQUIRE(waitpid(next, nullptr, 0) == next);
  CHECK(left_by(supervisor) == 0);
  CHECK(left_by(next) == 0);
  set_policy({});
}

TEST_CASE("control groups are removed with their jobs", "[sandbox]") {
  const ControlGroupPlaces& places = control_group_places();
  run(job_of({"exit", "0"}));
  for (const auto& place : {places.memory, places.processes}) {
    if (!place) continue;
    const std::string own = "cudalabs-" + std::to_string(getpid()) + "-";
    for (const auto& entry : fs::directory_iterator(*place)) {
      CHECK_FALSE(entry.path().filename().string().starts_with(own));
    }
  }
}

TEST_CASE("a job does not outlive a supervisor that is killed", "[sandbox]") {
  const std::string mark = "orphan-" + std::to_string(getpid());
  Pipe started = make_pipe();
  const pid_t supervisor = fork();
  REQUIRE(supervisor >= 0);
  if (supervisor == 0) {
    Job job = job_of({"sleep", mark});
    job.descriptors.push_back({3, std::move(started.write)});
    const Process process(std::move(job));
    for (;;) pause();
  }
  started.write.reset();
  char byte;
  REQUIRE(read(started.read.get(), &byte, 1) == 1);
  REQUIRE(kill(supervisor, SIGKILL) == 0);
  REQUIRE(waitpid(supervisor, nullptr, 0) == supervisor);
  // Its end travels through the sandbox's init, so it takes a moment; the bound is for a failure only.
  const auto until = Clock::now() + std::chrono::seconds(10);
  while (!processes_with(mark).empty() && Clock::now() < until) std::this_thread::yield();
  CHECK(processes_with(mark).empty());
}

}  // namespace
}  // namespace cudalabs::sandbox
