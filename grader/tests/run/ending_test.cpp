// Which of several reasons names the end of a run, and in which words.
#include "run/ending.h"

#include <csignal>
#include <string>

#include "catch.h"
#include "vgpu/memory/address_space.h"

namespace cudalabs::runner {
namespace {

using harness::MessageType;
using sandbox::End;

sandbox::Outcome outcome(End end, int status = 0) {
  sandbox::Outcome made;
  made.end = end;
  made.status = status;
  return made;
}

Spoken done() {
  Spoken spoken;
  spoken.done = true;
  return spoken;
}

TEST_CASE("only DONE and a clean exit are a success", "[run]") {
  CHECK(ending_of(outcome(End::exited, 0), {}, done()).end == RunEnd::finished);
  CHECK(ending_of(outcome(End::exited, 0), {}, {}).end == RunEnd::exited_early);
  CHECK(ending_of(outcome(End::exited, 3), {}, done()).end == RunEnd::crashed);
  CHECK(ending_of(outcome(End::signaled, SIGSEGV), {}, done()).end == RunEnd::crashed);
  CHECK(ending_of(outcome(End::signaled, SIGSEGV), {}, {}).end == RunEnd::crashed);
}

TEST_CASE("each limit has its own verdict, whatever was said", "[run]") {
  const auto end_of = [](End end) { return ending_of(outcome(end, 9), {}, done()).end; };
  CHECK(end_of(End::cpu_limit) == RunEnd::cpu_limit);
  CHECK(end_of(End::wall_limit) == RunEnd::wall_limit);
  CHECK(end_of(End::memory_limit) == RunEnd::memory_limit);
  CHECK(end_of(End::output_limit) == RunEnd::output_limit);
  CHECK(end_of(End::process_limit) == RunEnd::process_limit);
  CHECK(end_of(End::disk_limit) == RunEnd::disk_limit);
}

TEST_CASE("what the harness said names the end", "[run]") {
  Spoken spoken;
  spoken.failure = MessageType::cuda_error;
  spoken.text = "cudaErrorInvalidValue (invalid argument)\nmore \x1b[31m";
  Ending ending = ending_of(outcome(End::exited, 120), {}, spoken);
  CHECK(ending.end == RunEnd::runtime_error);
  CHECK(ending.detail == "cudaErrorInvalidValue (invalid argument) more \\x1b[31m");
  spoken.failure = MessageType::out_of_memory;
  CHECK(ending_of(outcome(End::exited, 120), {}, spoken).end == RunEnd::memory_limit);
  spoken.failure = MessageType::misused;
  CHECK(ending_of(outcome(End::exited, 120), {}, spoken).end == RunEnd::protocol_error);
}

TEST_CASE("a broken protocol stays broken", "[run]") {
  Spoken spoken = done();
  spoken.broken = true;
  CHECK(ending_of(outcome(End::exited, 0), {}, spoken).end == RunEnd::protocol_error);
  CHECK(ending_of(outcome(End::signaled, SIGKILL), {}, spoken).end == RunEnd::protocol_error);
}

TEST_CASE("signals have a name and a meaning", "[run]") {
  CHECK(describe_signal(SIGSEGV) == "killed by SIGSEGV (invalid memory reference)");
  CHECK(describe_signal(SIGKILL) == "killed by SIGKILL");
  CHECK(describe_signal(63).find("63") != std::string::npos);
}

TEST_CASE("a fault is explained by whose memory it hit", "[run]") {
  Received fault;
  fault.address = 0x700000000000;
  fault.text = "a";
  fault.hit = harness::Hit::device;
  Finding finding = explain_fault(SIGSEGV, fault);
  CHECK(finding.id == "runner-crashed");
  CHECK(finding.message == "host code reads or writes through a device pointer, into `a`");
  CHECK(finding.address == fault.address);
  CHECK(finding.help.find("cudaMemcpy") != std::string::npos);
  fault.hit = harness::Hit::past_end;
  fault.elements = 1000;
  finding = explain_fault(SIGSEGV, fault);
  CHECK(finding.id == "runner-crashed");
  CHECK(finding.message == "host code reads or writes past the end of `a`, which has 1000 elements");
  CHECK(finding.help.find("`a[999]`") != std::string::npos);
  CHECK(finding.access.past_end);
  fault.elements = 0;
  finding = explain_fault(SIGSEGV, fault);
  CHECK(finding.message == "host code reads or writes past the end of `a`, which has no elements");
  CHECK(finding.help == "there is nothing to read, to write or to copy");
  fault.hit = harness::Hit::before;
  CHECK(explain_fault(SIGSEGV, fault).message == "host code reads or writes before the beginning of `a`");
  CHECK_FALSE(explain_fault(SIGSEGV, fault).access.past_end);
  fault.hit = static_cast<harness::Hit>(77);  // a claim
  CHECK(explain_fault(SIGSEGV, fault).message == "the host code was killed by SIGSEGV (invalid memory reference)");
  fault.address = vgpu::kGlobalBase + 4096;  // of none of the case's arrays
  finding = explain_fault(SIGSEGV, fault);
  CHECK(finding.message == "host code reads or writes through a device pointer");
  CHECK(finding.help.find("`cudaMallocManaged`") != std::string::npos);
  fault.address = 8;
  CHECK(explain_fault(SIGSEGV, fault).help.find("null pointer") != std::string::npos);
  const Finding ended = explain_fault(SIGABRT, fault);
  CHECK(ended.message.find("SIGABRT") != std::string::npos);
  CHECK(ended.help.starts_with("do not end the program"));
  const Finding division = explain_fault(SIGFPE, fault);
  CHECK(division.message == "the host code was killed by SIGFPE (integer division by zero)");
  CHECK_FALSE(division.address);
}

}  // namespace
}  // namespace cudalabs::runner
