// Pieces of work in processes of their own.
#include "course/workers.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <stdexcept>

#include "catch.h"
#include "sandbox/fd.h"

using namespace cudalabs::course;
using namespace std::chrono_literals;

namespace {

Ended end_of(Workers& workers) {
  for (;;) {
    if (std::optional<Ended> ended = workers.wait(100ms)) return *ended;
  }
}

}  // namespace

TEST_CASE("work is done side by side, and what it wrote comes back") {
  Workers workers(60s);
  for (std::size_t i = 0; i < 5; ++i) {
    workers.start(i, [i](int output) {
      std::fprintf(stderr, "remark %zu", i);
      cudalabs::sandbox::write_all(output, cudalabs::sandbox::bytes_of("result " + std::to_string(i)));
      return static_cast<int>(i);
    });
  }
  std::map<std::size_t, Ended> all;
  while (workers.running() > 0) {
    const Ended ended = end_of(workers);
    all[ended.number] = ended;
  }
  REQUIRE(all.size() == 5);
  for (const auto& [number, ended] : all) {
    CHECK(ended.exited);
    CHECK(ended.status == static_cast<int>(number));
    CHECK(ended.output == "result " + std::to_string(number));
    CHECK(ended.errors == "remark " + std::to_string(number));
  }
}

TEST_CASE("a crash, an exception and what never ends are told apart") {
  Workers workers(1s);
  workers.start(0, [](int) -> int {
    signal(SIGSEGV, SIG_DFL);  // a sanitizer has a handler of its own
    raise(SIGSEGV);
    return 0;
  });
  const Ended crashed = end_of(workers);
  CHECK_FALSE(crashed.exited);
  CHECK(crashed.status == SIGSEGV);
  workers.start(1, [](int) -> int { throw std::runtime_error("no such thing"); });
  const Ended threw = end_of(workers);
  CHECK(threw.exited);
  CHECK(threw.status == 3);
  CHECK(threw.errors == "no such thing\n");
  workers.start(2, [](int) -> int {
    for (;;) pause();
  });
  const Ended endless = end_of(workers);
  CHECK(endless.overdue);
  CHECK(endless.status == SIGKILL);
}

TEST_CASE("what still runs ends with the object") {
  pid_t child = 0;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  {
    Workers workers(60s);
    workers.start(0, [&](int) -> int {
      const pid_t self = getpid();
      if (write(ends[1], &self, sizeof self) != sizeof self) return 1;
      for (;;) pause();
    });
    REQUIRE(read(ends[0], &child, sizeof child) == sizeof child);
    CHECK(kill(child, 0) == 0);
  }
  CHECK(kill(child, 0) != 0);
  close(ends[0]);
  close(ends[1]);
}
