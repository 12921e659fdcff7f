// Each attack, in each tier this machine can offer: its verdict, and that nothing of it survives.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "processes.h"
#include "sandbox/control_group.h"
#include "sandbox/landlock.h"
#include "sandbox/sandbox.h"
#include "tree/tree_paths.h"

namespace cudalabs::sandbox {
namespace {

namespace fs = std::filesystem;
constexpr int kRefused = 42;

std::vector<Tier> tiers() {
  std::vector<Tier> all;
  if (probe().tier == Tier::bubblewrap) all.push_back(Tier::bubblewrap);
  all.push_back(geteuid() == 0 ? Tier::own_user : Tier::landlock);
  return all;
}

const char* name_of(Tier tier) {
  switch (tier) {
    case Tier::bubblewrap:
      return "bubblewrap";
    case Tier::own_user:
      return "own user";
    case Tier::landlock:
      return "landlock";
    case Tier::none:
      return "none";
  }
  return "";
}

Job attack(std::vector<std::string> words) {
  static unsigned number = 0;
  Job job;
  job.arguments = {"./attacker"};
  job.arguments.insert(job.arguments.end(), words.begin(), words.end());
  // A mark of this run in every attacker's command line, to look for survivors by.
  job.arguments.push_back("mark-" + std::to_string(getpid()) + "-" + std::to_string(number++));
  job.files.push_back({"attacker", open_file(build_path("grader/tests/sandbox/sandbox_attacker")), true});
  job.limits.cpu_seconds = 1;
  job.limits.wall_seconds = 600;  // never what ends an attack on a busy machine
  job.limits.memory_bytes = 64ull << 20;
  job.limits.file_bytes = 4ull << 20;
  job.limits.output_bytes = 4096;
  job.limits.processes = 16;
  return job;
}

Outcome run_marked(Job job) {
  const std::string mark = job.arguments.back();
  Outcome outcome = run(std::move(job));
  CHECK(processes_with(mark).empty());
  return outcome;
}

/// Runs `body` once a tier.
template <typename Body>
void in_each_tier(Body body) {
  for (const Tier tier : tiers()) {
    DYNAMIC_SECTION("tier " << name_of(tier)) {
      set_policy({false, tier});
      body(tier);
      set_policy({});
    }
  }
}

void expect_refused(std::vector<std::string> words) {
  in_each_tier([&](Tier) {
    const Outcome outcome = run_marked(attack(words));
    CHECK(outcome.end == End::exited);
    CHECK(outcome.status == kRefused);
    CHECK(outcome.leftover == 0);
  });
}

/// A listener outside the sandbox, to see whether the inside reaches it.
class Listener {
 public:
  Listener()
      : name_("cudalabs-test-" + std::to_string(getpid())), socket_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, name_.data(), name_.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name_.size());
    REQUIRE(bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(listen(socket_.get(), 1) == 0);
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  Fd socket_;
};

TEST_CASE("the attacks work where nothing stops them", "[sandbox]") {
  // Else a refusal would prove nothing: the attacker may just be broken.
  const auto alone = [](const std::string& words) {
    return std::system((build_path("grader/tests/sandbox/sandbox_attacker") + " " + words).c_str());
  };
  CHECK(alone("read /etc/passwd") == 0);
  CHECK(alone("list /proc") == 0);
  CHECK(alone("udp") == 0);
  CHECK(alone("netlink") == 0);
  CHECK(alone("shell") == 0);
  const Listener listener;
  CHECK(alone("abstract " + listener.name()) == 0);
}

TEST_CASE("files of the machine cannot be read", "[sandbox]") {
  const std::string path = GENERATE("/etc/passwd", "/etc/shadow", "/etc/hostname", "/proc/1/environ", "/proc/version",
                                    "/sys/kernel/notes", "/dev/mem", "/dev/kmsg", __FILE__);
  CAPTURE(path);
  expect_refused({"read", path});
}

TEST_CASE("folders of the machine cannot be listed", "[sandbox]") {
  const std::string path = GENERATE("/home", "/root", "/etc", "/proc", "/sys", "/var", "/usr/bin");
  CAPTURE(path);
  expect_refused({"list", path});
}

TEST_CASE("nothing can be written but in the scratch folder", "[sandbox]") {
  const std::string path =
      GENERATE("/planted", "planted", "attacker", "/dev/planted", "/etc/planted", "/var/tmp/planted", "/run/planted");
  CAPTURE(path);
  expect_refused({"write", path});
  CHECK_FALSE(fs::exists("/planted"));
  CHECK_FALSE(fs::exists("/var/tmp/planted"));
}

TEST_CASE("the scratch folder can be used, and is gone afterwards", "[sandbox]") {
  in_each_tier([](Tier) {
    const Outcome outcome = run_marked(attack({"scratch"}));
    CHECK(outcome.end == End::exited);
    CHECK(outcome.status == 0);
    for (const auto& entry : fs::directory_iterator(fs::temp_directory_path())) {
      CHECK_FALSE(entry.path().filename().string().starts_with("cudalabs-job-" + std::to_string(getpid()) + "-"));
    }
  });
}

TEST_CASE("the network cannot be reached", "[sandbox]") {
  const std::string deed = GENERATE("tcp", "udp", "vsock", "netlink");
  CAPTURE(deed);
  expect_refused({deed});
}

TEST_CASE("a unix socket without a path cannot be reached", "[sandbox]") {
  const Listener listener;
  expect_refused({"abstract", listener.name()});
}

TEST_CASE("other processes cannot be traced, read, limited or pointed at", "[sandbox]") {
  const std::string deed = GENERATE("trace", "limit-parent");
  expect_refused({deed});
}

TEST_CASE("the kernel's dangerous calls are refused", "[sandbox]") {
  expect_refused({"kernel"});
}

TEST_CASE("no descriptor is inherited", "[sandbox]") {
  const Fd secret = open_file(build_path("grader/tests/sandbox/sandbox_attacker"));
  const int open_on_exec = dup(secret.get());  // what careless code of the grader could leave behind
  expect_refused({"inherited"});
  close(open_on_exec);
}

TEST_CASE("there is no shell to run", "[sandbox]") {
  expect_refused({"shell"});
}

TEST_CASE("a fork bomb meets the process limit and dies whole", "[sandbox]") {
  in_each_tier([](Tier) {
    Job job = attack({"fork-bomb"});
    job.limits.wall_seconds = 1;
    const Outcome outcome = run_marked(std::move(job));
    CHECK(outcome.end == End::process_limit);
    CHECK(outcome.leftover < 20);
  });
}

TEST_CASE("a thread bomb meets the process limit", "[sandbox]") {
  in_each_tier([](Tier tier) {
    Job job = attack({"thread-bomb"});
    const Outcome outcome = run_marked(std::move(job));
    CHECK(outcome.status == kRefused);
    // Only a process group tells the supervisor; rlimits tell the program alone.
    const bool told = control_group_places().processes.has_value();
    CHECK(outcome.end == (told ? End::process_limit : End::exited));
    CHECK(tier != Tier::none);
  });
}

TEST_CASE("what other jobs may start is allowed where the kernel counts all of a user's processes", "[sandbox]") {
  in_each_tier([](Tier tier) {
    Job job = attack({"threads", "40"});  // of 16
    job.started_beside = 64;
    const bool one_user = geteuid() != 0 && tier != Tier::bubblewrap;
    const Outcome outcome = run_marked(std::move(job));
    CHECK((outcome.status == 0) == one_user);
  });
}

TEST_CASE("a memory bomb meets the memory limit", "[sandbox]") {
  in_each_tier([](Tier) {
    const Outcome outcome = run_marked(attack({"memory-bomb"}));
    CHECK(outcome.end == End::memory_limit);
  });
}

TEST_CASE("the scratch folder cannot be filled beyond its limit", "[sandbox]") {
  set_policy({false, tiers().front()});
  if (tiers().front() == Tier::bubblewrap) {
    for (const char* folder : {"/tmp", "/dev/shm"}) {
      CAPTURE(folder);
      const Outcome outcome = run_marked(attack({"fill", folder}));
      CHECK(outcome.end == End::exited);
      CHECK(outcome.status == kRefused);
    }
  }
  set_policy({});
}

TEST_CASE("who fills the scratch folder is ended where its file system has no end", "[sandbox]") {
  in_each_tier([](Tier tier) {
    const Outcome outcome = run_marked(attack({"fill-and-stay", "tmp"}));
    if (tier == Tier::bubblewrap) {
      CHECK(outcome.status == kRefused);
    } else {
      CHECK(outcome.end == End::disk_limit);
    }
  });
}

TEST_CASE("a flood of output is cut and its writer ended", "[sandbox]") {
  in_each_tier([](Tier) {
    const Outcome outcome = run_marked(attack({"flood"}));
    CHECK(outcome.end == End::output_limit);
    CHECK(outcome.output == std::string(4096, 'x'));
  });
}

TEST_CASE("spinning meets the CPU limit, with signals ignored too", "[sandbox]") {
  const std::string deed = GENERATE("spin", "spin-ignoring");
  in_each_tier([&](Tier) {
    const Outcome outcome = run_marked(attack({deed}));
    CHECK(outcome.end == End::cpu_limit);
    CHECK(outcome.cpu_seconds > 0.5);
    CHECK(outcome.cpu_seconds < 3);
  });
}

TEST_CASE("sleeping with every signal ignored meets the wall clock", "[sandbox]") {
  in_each_tier([](Tier) {
    Job job = attack({"sleep"});
    job.limits.wall_seconds = 0.3;
    const Outcome outcome = run_marked(std::move(job));
    CHECK(outcome.end == End::wall_limit);
    CHECK(outcome.wall_seconds >= 0.3);
    CHECK(outcome.cpu_seconds < 0.3);
  });
}

TEST_CASE("a daemon does not survive its starter", "[sandbox]") {
  in_each_tier([](Tier) {
    const Outcome outcome = run_marked(attack({"daemonise"}));
    CHECK(outcome.end == End::exited);
    CHECK(outcome.status == 0);
    CHECK(outcome.leftover >= 1);
  });
}

TEST_CASE("nobody outside can be killed or stopped", "[sandbox]") {
  in_each_tier([](Tier tier) {
    const bool bounded = tier != Tier::landlock || landlock::version() >= landlock::kScopesSince;
    if (!bounded) return;  // such a kernel cannot keep a process from its user's others: the tier says so
    const Outcome outcome = run_marked(attack({"kill"}));
    CHECK(outcome.end == End::exited);
    CHECK(outcome.status == kRefused);
  });
}

TEST_CASE("an ordinary end is told as it was", "[sandbox]") {
  in_each_tier([](Tier) {
    Outcome outcome = run_marked(attack({"exit", "7"}));
    CHECK(outcome.end == End::exited);
    CHECK(outcome.status == 7);
    // 139 is how shells write "killed by SIGSEGV": the two must not be confused.
    outcome = run_marked(attack({"exit", "139"}));
    CHECK(outcome.end == End::exited);
    CHECK(outcome.status == 139);
    outcome = run_marked(attack({"segfault"}));
    CHECK(outcome.end == End::signaled);
    CHECK(outcome.status == SIGSEGV);
    outcome = run_marked(attack({"core"}));
    CHECK(outcome.end == End::signaled);
    CHECK(outcome.status == SIGABRT);
    outcome = run_marked(attack({"say", "hello"}));
    CHECK(outcome.output == "hello\n");
    CHECK(outcome.errors.empty());
    outcome = run_marked(attack({"complain", "!"}));
    CHECK(outcome.output.size() == 8);
    CHECK(outcome.errors == "!");
  });
}

TEST_CASE("the environment is the job's own", "[sandbox]") {
  setenv("CUDALABS_TEST_SECRET", "secret", 1);
  in_each_tier([](Tier) {
    Job job = attack({"environment"});
    job.environment.emplace_back("GIVEN", "yes");
    const Outcome outcome = run_marked(std::move(job));
    CHECK(outcome.output.find("GIVEN=yes\n") != std::string::npos);
    CHECK(outcome.output.find("SECRET") == std::string::npos);
  });
  unsetenv("CUDALABS_TEST_SECRET");
}

TEST_CASE("a job of root's grader is another user, without groups", "[sandbox]") {
  in_each_tier([](Tier) {
    const Outcome outcome = run_marked(attack({"identity"}));
    CHECK(outcome.output.find("uid 0") == std::string::npos);
    if (geteuid() == 0) CHECK(outcome.output.find("groups 0") != std::string::npos);
  });
}

}  // namespace
}  // namespace cudalabs::sandbox
