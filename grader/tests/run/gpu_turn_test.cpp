// Turns on the GPU among threads: locks are by open file, so threads see what processes see.
#include "run/gpu_turn.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "catch.h"
#include "sandbox/temporary_folder.h"

namespace cudalabs {
namespace {

using namespace std::chrono_literals;
using Kind = GpuTurn::Kind;

/// Whether a turn comes within `timeout`; it is given back at once.
class Waiting {
 public:
  Waiting(Kind kind, const std::filesystem::path& folder)
      : done_(std::async(std::launch::async, [kind, folder] { const GpuTurn turn(kind, folder); })) {}
  bool is_over(std::chrono::milliseconds timeout) { return done_.wait_for(timeout) == std::future_status::ready; }

 private:
  std::future<void> done_;
};

/// Locks of this test's own: a grading on this machine has nothing to do with it.
struct OwnLocks {
  const sandbox::TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
};

constexpr std::chrono::milliseconds kSoon = 10s, kAWhile = 200ms;

TEST_CASE_METHOD(OwnLocks, "many run cases on the GPU at a time") {
  const GpuTurn first(Kind::shared, folder), second(Kind::shared, folder);
  CHECK(Waiting(Kind::shared, folder).is_over(kSoon));
}

TEST_CASE_METHOD(OwnLocks, "who measures is alone: others wait, and go on when it is over") {
  std::optional<GpuTurn> alone(std::in_place, Kind::alone, folder);
  Waiting shared(Kind::shared, folder), measuring(Kind::alone, folder);
  CHECK_FALSE(shared.is_over(kAWhile));
  CHECK_FALSE(measuring.is_over(0ms));
  alone.reset();
  CHECK(shared.is_over(kSoon));
  CHECK(measuring.is_over(kSoon));
}

TEST_CASE_METHOD(OwnLocks, "who wants to measure waits for who is there, not for who comes later") {
  std::optional<GpuTurn> there(std::in_place, Kind::shared, folder);
  Waiting measuring(Kind::alone, folder);
  REQUIRE_FALSE(measuring.is_over(kAWhile));
  Waiting later(Kind::shared, folder);
  CHECK_FALSE(later.is_over(kAWhile));
  CHECK_FALSE(measuring.is_over(0ms));
  there.reset();
  CHECK(measuring.is_over(kSoon));
  CHECK(later.is_over(kSoon));
}

TEST_CASE_METHOD(OwnLocks, "no two are ever alone, and none is there with who is") {
  std::atomic<int> alone = 0, shared = 0;
  std::atomic<bool> broken = false;
  std::vector<std::jthread> threads;
  threads.reserve(8);
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 50; ++i) {
        const Kind kind = (thread + i) % 3 == 0 ? Kind::alone : Kind::shared;
        const GpuTurn turn(kind, folder);
        std::atomic<int>& mine = kind == Kind::alone ? alone : shared;
        ++mine;
        if (alone > 1 || (alone > 0 && shared > 0)) broken = true;
        std::this_thread::yield();
        --mine;
      }
    });
  }
  threads.clear();
  CHECK_FALSE(broken);
}

TEST_CASE_METHOD(OwnLocks, "locks lie where they are asked for, wherever temporary files go") {
  const sandbox::TemporaryFolder elsewhere;
  const pid_t child = fork();
  if (child == 0) {
    setenv("TMPDIR", elsewhere.path().c_str(), 1);
    { const GpuTurn turn(Kind::shared, folder); }
    const bool here = std::filesystem::exists(folder / "cudalabs-gpu");
    _exit(here && std::filesystem::is_empty(elsewhere.path()) ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

}  // namespace
}  // namespace cudalabs
