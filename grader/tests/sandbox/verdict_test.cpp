// Limits, told from what they leave behind.
#include "sandbox/verdict.h"

#include <sys/wait.h>

#include <csignal>

#include "catch.h"

namespace cudalabs::sandbox {
namespace {

Limits limits() {
  Limits limits;
  limits.cpu_seconds = 10;
  limits.memory_bytes = 1000;
  limits.processes = 8;
  return limits;
}

End end_of(const Traces& traces) {
  return verdict_on(traces, limits()).end;
}

constexpr int kFailed = W_EXITCODE(3, 0), kKilled = W_EXITCODE(0, SIGKILL);

TEST_CASE("an end that no limit explains is told as it was", "[sandbox]") {
  CHECK(end_of({}) == End::exited);
  CHECK(verdict_on({.wait_status = kFailed}, limits()).status == 3);
  CHECK(verdict_on({.wait_status = kKilled}, limits()).status == SIGKILL);
  CHECK(end_of({.wait_status = kKilled}) == End::signaled);
}

TEST_CASE("who used up what it had was ended for that", "[sandbox]") {
  CHECK(end_of({.wait_status = W_EXITCODE(0, SIGXCPU)}) == End::cpu_limit);
  CHECK(end_of({.wait_status = kKilled, .largest_cpu_seconds = 8}) == End::cpu_limit);
  CHECK(end_of({.wait_status = kFailed, .largest_cpu_seconds = 8}) == End::cpu_limit);
  CHECK(end_of({.wait_status = W_EXITCODE(0, SIGSEGV), .largest_cpu_seconds = 8}) == End::signaled);
  CHECK(end_of({.largest_cpu_seconds = 8}) == End::exited);
  CHECK(end_of({.wait_status = kKilled, .peak_bytes = 950}) == End::memory_limit);
  CHECK(end_of({.wait_status = kKilled, .peak_bytes = 850}) == End::signaled);
  CHECK(end_of({.peak_bytes = 950}) == End::exited);
  CHECK(end_of({.leftover = 7}) == End::process_limit);
}

TEST_CASE("what the kernel and the supervisor say counts before what can be guessed", "[sandbox]") {
  CHECK(end_of({.wait_status = kKilled, .largest_cpu_seconds = 8, .cut = End::wall_limit}) == End::wall_limit);
  CHECK(end_of({.wait_status = kKilled, .peak_bytes = 950, .cut = End::wall_limit}) == End::wall_limit);
  CHECK(end_of({.out_of_memory = true, .cut = End::wall_limit}) == End::memory_limit);
  CHECK(end_of({.out_of_memory = true, .out_of_processes = true}) == End::process_limit);
}

}  // namespace
}  // namespace cudalabs::sandbox
