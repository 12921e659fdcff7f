// Turns on the GPU among threads: locks are by open file, so threads see what processes see.
#include "run/gpu_turn.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "sandbox/temporary_folder.h"

namespace cudalabs {
namespace {

using namespace std::chrono_literals;
using Kind = GpuTurn::Kind;

/// Whether a turn comes within `patience`; it is given back at once.
class Waiting {
 public:
  explicit Waiting(Kind kind) : done_(std::async(std::launch::async, [kind] { const GpuTurn turn(kind); })) {}
  bool is_over(std::chrono::milliseconds patience) { return done_.wait_for(patience) == std::future_status::ready; }

 private:
  std::future<void> done_;
};

/// Locks of this test's own: a grading on this machine has nothing to do with it.
class OwnLocks {
 public:
  OwnLocks() : before_(std::getenv("TMPDIR") == nullptr ? "" : std::getenv("TMPDIR")) {
    setenv("TMPDIR", folder_.path().c_str(), 1);
  }
  ~OwnLocks() { before_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before_.c_str(), 1); }
  OwnLocks(const OwnLocks&) = delete;
  OwnLocks& operator=(const OwnLocks&) = delete;

 private:
  std::string before_;
  sandbox::TemporaryFolder folder_;
};

constexpr std::chrono::milliseconds kSoon = 10s, kAWhile = 200ms;

TEST_CASE_METHOD(OwnLocks, "many run cases on the GPU at a time") {
  const GpuTurn first(Kind::shared), second(Kind::shared);
  CHECK(Waiting(Kind::shared).is_over(kSoon));
}

TEST_CASE_METHOD(OwnLocks, "who measures is alone: others wait, and go on when it is over") {
  std::optional<GpuTurn> alone(Kind::alone);
  Waiting shared(Kind::shared), measuring(Kind::alone);
  CHECK_FALSE(shared.is_over(kAWhile));
  CHECK_FALSE(measuring.is_over(0ms));
  alone.reset();
  CHECK(shared.is_over(kSoon));
  CHECK(measuring.is_over(kSoon));
}

TEST_CASE_METHOD(OwnLocks, "who wants to measure waits for who is there, not for who comes later") {
  std::optional<GpuTurn> there(Kind::shared);
  Waiting measuring(Kind::alone);
  REQUIRE_FALSE(measuring.is_over(kAWhile));
  Waiting later(Kind::shared);
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
        const GpuTurn turn(kind);
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

}  // namespace
}  // namespace cudalabs
