// A tier counts as working when a job that checks its own cage from inside comes back and says that it holds.
#include "sandbox/tier.h"

#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <mutex>

#include "sandbox/control_group.h"
#include "sandbox/landlock.h"
#include "sandbox/own_files.h"

namespace cudalabs::sandbox {
namespace {

namespace fs = std::filesystem;

Policy g_policy;
std::optional<Tier> g_exactly;             // what choose_tier chose
thread_local std::optional<Tier> t_trial;  // set while this thread tries a tier out

/// Empty when the tier works, else why not.
std::string try_out(Tier tier) {
  t_trial = tier;
  std::string problem;
  try {
    Job job;
    job.arguments = {"./probe", "probe"};
    if (tier == Tier::bubblewrap || landlock::version() > 0) job.arguments.push_back("files-are-hidden");
    // Containers may refuse a /proc of the job's own, which compilers need.
    job.proc = true;
    job.files.push_back({"probe", open_file(init_program()), true});
    job.limits.wall_seconds = 10;
    const Outcome outcome = run(std::move(job));
    if (outcome.end != End::exited || outcome.status != 0) {
      problem = "its test run ended with status " + std::to_string(outcome.status);
    }
  } catch (const std::exception& error) {
    problem = error.what();
  }
  t_trial.reset();
  return problem;
}

std::string describe(Tier tier) {
  const int landlock_version = landlock::version();
  std::string parts;
  switch (tier) {
    case Tier::bubblewrap:
      parts = geteuid() == 0 ? "A (bubblewrap, own user, seccomp" : "A (bubblewrap, seccomp";
      break;
    case Tier::own_user:
      parts = landlock_version > 0 ? "B (own user, Landlock, seccomp" : "B (own user, seccomp";
      break;
    case Tier::landlock:
      parts = "C (Landlock, seccomp";
      // Before that a job can send signals to whatever its user runs, the grader included.
      if (landlock_version < landlock::kScopesSince) parts += ", signals not contained";
      break;
    case Tier::none:
      return "D (no isolation)";
  }
  const ControlGroupPlaces& groups = control_group_places();
  if (groups.memory) parts += ", memory group";
  if (groups.processes) parts += ", process group";
  return parts + ")";
}

TierReport find_tier() {
  std::string reasons;
  const auto note = [&reasons](const std::string& tier, const std::string& why) {
    reasons += (reasons.empty() ? "" : "; ") + tier + ": " + why;
  };
  const std::string no_bubblewrap = try_out(Tier::bubblewrap);
  if (no_bubblewrap.empty()) return {Tier::bubblewrap, describe(Tier::bubblewrap), ""};
  note("no bubblewrap", no_bubblewrap);

  const Tier second = geteuid() == 0 ? Tier::own_user : Tier::landlock;
  if (landlock::version() == 0) note("no Landlock", "the kernel does not have it");
  if (second == Tier::own_user || landlock::version() > 0) {
    const std::string problem = try_out(second);
    if (problem.empty()) return {second, describe(second), reasons};
    note(second == Tier::own_user ? "no user of its own" : "no Landlock", problem);
  }
  return {Tier::none, describe(Tier::none), reasons};
}

}  // namespace

const TierReport& probe() {
  static const TierReport report = find_tier();
  return report;
}

void set_policy(const Policy& policy) {
  g_exactly.reset();
  g_policy = policy;
}

std::string choose_tier(Tier tier) {
  const bool root = geteuid() == 0;
  if (tier == Tier::own_user && !root) return "tier B needs root: only root can give each job a user of its own";
  if (tier == Tier::landlock && root) {
    return "tier C is for users who are not root: a job of root's own would be root (as root, tier B is the next one)";
  }
  if (tier == Tier::landlock && landlock::version() == 0)
    return "tier C needs Landlock, which this kernel does not have";
  if (tier != Tier::none) {
    const std::string problem = try_out(tier);
    if (!problem.empty()) return describe(tier) + " does not work on this machine: " + problem;
  }
  set_policy({.allow_unsafe = tier == Tier::none, .at_most = tier});
  g_exactly = tier;
  return "";
}

TierReport tier_report() {
  if (g_exactly) return {*g_exactly, describe(*g_exactly), "asked for"};
  return probe();
}

Tier tier_in_force() {
  if (t_trial) return *t_trial;
  if (g_exactly) return *g_exactly;
  const TierReport& offered = probe();
  const Tier tier = g_policy.at_most ? std::max(*g_policy.at_most, offered.tier) : offered.tier;
  if (tier == Tier::none && !g_policy.allow_unsafe) {
    throw SandboxError("this machine offers no way to run untrusted code safely (" + offered.reason +
                       "); install bubblewrap, or allow it to run unprotected");
  }
  return tier;
}

fs::path init_program() {
  static const fs::path program = own_files().file("cudalabs-sandbox-init");
  if (access(program.c_str(), X_OK) != 0) {
    throw SandboxError("the sandbox's own program is missing: " + program.string());
  }
  return program;
}

std::uint64_t other_processes_of_user(Tier tier, bool root) {
  if (root && tier != Tier::none) return 0;  // the user is the job's alone
  utsname system{};
  int major = 0, minor = 0;
  uname(&system);
  if (std::sscanf(system.release, "%d.%d", &major, &minor) != 2) major = 0;
  // Since Linux 5.14 a user namespace counts its own.
  if (tier == Tier::bubblewrap && (major > 5 || (major == 5 && minor >= 14))) return 0;

  std::uint64_t threads = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
    struct stat status {};
    if (stat(entry.path().c_str(), &status) != 0 || status.st_uid != geteuid()) continue;
    std::error_code unreadable;
    for (auto task = fs::directory_iterator(entry.path() / "task", unreadable); task != fs::directory_iterator();
         task.increment(unreadable)) {
      ++threads;
    }
  }
  return threads;
}

}  // namespace cudalabs::sandbox
