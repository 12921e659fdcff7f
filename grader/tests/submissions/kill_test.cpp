// kill -9 of any process of a grading at any moment: nothing of it stays, and the next grading gets full marks. It
// looks at its own descendants only, so that others may grade meanwhile. Usage beyond the quick run: CUDALABS_KILLS=N
// tries N times, CUDALABS_TIER=B grades in that tier of the sandbox, and CUDALABS_KILL_SEED=N kills at other moments.
#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "grade_run.h"
#include "tree/tree_paths.h"

using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

std::vector<pid_t> descendants(pid_t ancestor) {
  std::multimap<pid_t, pid_t> children;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    std::ifstream file(entry.path() / "stat");
    std::string text;
    if (process <= 0 || !std::getline(file, text)) continue;
    int parent = 0;
    char state = '?';
    if (std::sscanf(text.c_str() + text.rfind(')') + 1, " %c %d", &state, &parent) == 2 && state != 'Z') {
      children.emplace(parent, process);
    }
  }
  std::vector<pid_t> found{ancestor};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [first, last] = children.equal_range(found[i]);
    for (auto child = first; child != last; ++child) found.push_back(child->second);
  }
  return found;
}

/// What is known of a process, for a failure's message.
std::string description(pid_t process) {
  const fs::path folder = "/proc/" + std::to_string(process);
  const auto text_of = [&](const char* name) {
    std::ifstream file(folder / name);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::ranges::replace(text, '\0', ' ');
    return text.substr(0, 300);
  };
  return std::to_string(process) + ": " + text_of("cmdline") + "\n  stat " + text_of("stat") + "  waits in " +
         text_of("wchan") + "\n";
}

void reap() {
  while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
}

/// Clock ticks of processor time that the processes have used.
std::uint64_t ticks_of(const std::vector<pid_t>& processes) {
  std::uint64_t sum = 0;
  for (const pid_t process : processes) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::uint64_t user = 0, kernel = 0;
    if (!std::getline(file, text)) continue;
    const char* const after_name = text.c_str() + text.rfind(')') + 1;
    if (std::sscanf(after_name, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64, &user, &kernel) ==
        2)
      sum += user + kernel;
  }
  return sum;
}

/// Waits until this process has no descendants, or until those that it has did nothing for a minute: on a busy machine
/// it takes long to end.
void wait_for_the_end() {
  std::vector<pid_t> before;
  std::uint64_t ticks = 0;
  for (int idle = 0; idle < 600; ++idle) {
    reap();
    std::vector<pid_t> now = descendants(getpid());
    if (now.size() == 1) return;
    std::erase(now, getpid());
    const std::uint64_t ticks_now = ticks_of(now);
    if (now != before || ticks_now != ticks) idle = 0;
    before = std::move(now);
    ticks = ticks_now;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

/// In tier B jobs are users of their own, who have to pass through.
void open_to_jobs(const TemporaryFolder& folder) {
  fs::permissions(folder.path(), fs::perms::others_exec, fs::perm_options::add);
}

}  // namespace

TEST_CASE("kill -9 anywhere leaves nothing behind") {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // a process that loses its parent becomes a child of this one
  const char* wanted = std::getenv("CUDALABS_KILLS");
  const int kills = wanted ? std::atoi(wanted) : 20;
  const char* tier = std::getenv("CUDALABS_TIER");
  const char* seed = std::getenv("CUDALABS_KILL_SEED");
  std::mt19937 random(seed ? static_cast<unsigned>(std::atoi(seed)) : 58);
  const std::string program = cudalabs::build_path("grade");
  int hits = 0;
  for (int i = 0; i < kills; ++i) {
    CAPTURE(i);
    const TemporaryFolder folder;
    open_to_jobs(folder);
    const pid_t grade = fork();
    REQUIRE(grade >= 0);
    if (grade == 0) {
      setenv("TMPDIR", folder.path().c_str(), 1);
      setenv("CUDALABS_CACHE", (folder.path() / "cache").c_str(), 1);
      if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
        execl(program.c_str(), program.c_str(), "lab1", "--solution", tier ? "--sandbox" : nullptr, tier, nullptr);
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 1500));
    const std::vector<pid_t> all = descendants(grade);
    hits += kill(all[random() % all.size()], SIGKILL) == 0 ? 1 : 0;
    // Whatever was killed: the grading comes to an end, or what is left of it does.
    waitpid(grade, nullptr, 0);
    wait_for_the_end();
    std::string left_behind;
    for (const pid_t left : descendants(getpid())) {
      if (left != getpid()) left_behind += description(left);
    }
    CHECK(left_behind.empty());
    for (const pid_t left : descendants(getpid())) {
      if (left != getpid()) kill(left, SIGKILL);
    }
    reap();
  }
  std::vector<std::string> honest{"lab1", "--solution"};
  if (tier) honest.insert(honest.end(), {"--sandbox", tier});
  const TemporaryFolder folder;
  open_to_jobs(folder);
  const GradeRun after(honest, {.environment = {{"TMPDIR", folder.path().string()}}});
  CHECK(after.run.exit_code == 0);
  std::printf("%d gradings, %d kills\n", kills, hits);
}
