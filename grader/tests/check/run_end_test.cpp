// Early ends as findings.
#include "check/run_end.h"

#include "catch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

Observation ended(RunEnd end, std::vector<Finding> findings = {}) {
  Observation observed;
  observed.end = end;
  observed.detail = "killed by SIGSEGV";
  observed.findings = std::move(findings);
  return observed;
}

std::string id_of(RunEnd end) {
  const auto finding = ending_of(ended(end));
  return finding ? finding->id : "";
}

}  // namespace

TEST_CASE("a run that finished needs no explanation") {
  CHECK_FALSE(ending_of(ended(RunEnd::finished)));
}

TEST_CASE("every other end has its own verdict") {
  CHECK(id_of(RunEnd::runtime_error) == "runtime-error");
  CHECK(id_of(RunEnd::crashed) == "runner-crashed");
  CHECK(id_of(RunEnd::exited_early) == "runner-crashed");
  CHECK(id_of(RunEnd::cpu_limit) == "timed-out");
  CHECK(id_of(RunEnd::wall_limit) == "timed-out");
  CHECK(id_of(RunEnd::memory_limit) == "memory-limit");
  CHECK(id_of(RunEnd::output_limit) == "output-limit");
  CHECK(id_of(RunEnd::process_limit) == "process-limit");
  CHECK(id_of(RunEnd::disk_limit) == "disk-limit");
  CHECK(id_of(RunEnd::protocol_error) == "protocol-error");
  CHECK(id_of(RunEnd::not_started) == "runner-crashed");
  CHECK(id_of(RunEnd::device_exhausted) == "memory-limit");
  CHECK(id_of(RunEnd::over_budget) == "time-budget");
}

TEST_CASE("the finding carries the detail") {
  const auto finding = ending_of(ended(RunEnd::crashed));
  REQUIRE(finding);
  CHECK(finding->severity == Severity::error);
  CHECK(finding->message == "the host code crashed: killed by SIGSEGV");
}

TEST_CASE("an error that was left behind is that of the call that failed") {
  Observation observed = ended(RunEnd::runtime_error);
  observed.failed = {"cudaMallocManaged", 801, {"sum.cu", 12, 0}};
  const auto unsupported = ending_of(observed);
  REQUIRE(unsupported);
  CHECK(unsupported->where.line == 12);
  CHECK_THAT(unsupported->note, contains_text("`cudaMallocManaged` is the last call that failed"));
  CHECK_THAT(unsupported->help, contains_text("the virtual GPU does not offer `cudaMallocManaged`"));
  observed.failed = {"cudaMemcpy", 1, {"sum.cu", 13, 0}};
  CHECK_THAT(ending_of(observed)->help, contains_text("the direction must fit the pointers"));
  observed.failed = {"cudaFree", 1, {"sum.cu", 14, 0}};
  CHECK_THAT(ending_of(observed)->help, contains_text("free what `cudaMalloc` gave, once"));
}

TEST_CASE("a call that was refused is a finding of its own") {
  Observation observed = ended(RunEnd::finished);
  CHECK_FALSE(refusal_of(observed));
  observed.refused = {"cudaMemcpy", 1, {"sum.cu", 13, 0}};
  const auto refusal = refusal_of(observed);
  REQUIRE(refusal);
  CHECK(refusal->id == "runtime-error");
  CHECK(refusal->severity == Severity::error);
  CHECK(refusal->where.line == 13);
  CHECK(refusal->message == "`cudaMemcpy` failed: cudaErrorInvalidValue (invalid argument)");
  CHECK(refusal->failed_call == "cudaMemcpy");
  CHECK_THAT(refusal->help, contains_text("the target comes first"));
  observed.refused->status = 2;
  CHECK_THAT(refusal_of(observed)->help, contains_text("the size is in bytes"));
}

TEST_CASE("an error of the device that a finding explains is not reported twice") {
  const Observation explained = ended(RunEnd::runtime_error, {finding("global-out-of-bounds", 3)});
  CHECK_FALSE(ending_of(explained));
  CHECK(kernels_ran(explained));
}

TEST_CASE("advice and warnings explain nothing") {
  const Observation unexplained = ended(RunEnd::runtime_error, {finding("redundant-barrier", 3, Severity::advice)});
  CHECK(ending_of(unexplained));
  CHECK_FALSE(kernels_ran(unexplained));
}

TEST_CASE("a crash of the host is never explained by the device") {
  const Observation crash = ended(RunEnd::crashed, {finding("global-out-of-bounds", 3)});
  CHECK(ending_of(crash));
  CHECK_FALSE(kernels_ran(crash));
}

TEST_CASE("a time limit is explained by the kernel that hit it") {
  CHECK_FALSE(ending_of(ended(RunEnd::wall_limit, {finding("timed-out", 3)})));
}

TEST_CASE("a kernel that was in progress when the budget was used up explains the end") {
  CHECK_FALSE(ending_of(ended(RunEnd::over_budget, {finding("timed-out", 12)})));
  CHECK(ending_of(ended(RunEnd::over_budget, {finding("global-race", 12)})));
}

TEST_CASE("a program that ends itself is blamed where it does so") {
  Observation observed = ended(RunEnd::exited_early);
  observed.ended_at = {"sum.cu", 18, 0};
  const auto finding = ending_of(observed);
  REQUIRE(finding);
  CHECK(finding->where == SourcePlace{"sum.cu", 18, 0});
}

TEST_CASE("a call that is refused for its pointers says what they are, and what it wants") {
  using vgpu::PointerKind;
  const auto refusal = [](const char* call, vgpu::CallPointers pointers) {
    Observation observed = ended(RunEnd::finished);
    observed.refused = {call, 1, {"sum.cu", 33, 0}};
    observed.refused_pointers = pointers;
    auto finding = refusal_of(observed);
    REQUIRE(finding);
    CHECK(finding->where.line == 33);
    CHECK_THAT(finding->note, contains_text("cudaErrorInvalidValue"));
    return *finding;
  };
  const Finding allocation = refusal("cudaMalloc", {PointerKind::null, PointerKind::unsaid, 0});
  CHECK(allocation.message == "`cudaMalloc` failed: its first argument is a null pointer");
  CHECK(allocation.wrong_pointer);
  CHECK_THAT(allocation.help, contains_text("`&d_a`, and not `d_a`"));
  const Finding fill = refusal("cudaMemset", {PointerKind::host, PointerKind::unsaid, 0});
  CHECK(fill.message == "`cudaMemset` failed: its first argument is a host pointer");
  const Finding exchanged = refusal("cudaMemcpy", {PointerKind::host, PointerKind::device, 2});
  CHECK(exchanged.message ==
        "`cudaMemcpy` failed: its first argument is a host pointer, its second is a device pointer, and the direction "
        "is `cudaMemcpyHostToDevice`");
  CHECK_THAT(exchanged.help, contains_text("else write `cudaMemcpyDeviceToHost`"));
  const Finding two_hosts = refusal("cudaMemcpy2DAsync", {PointerKind::host, PointerKind::host, 3});
  CHECK_THAT(two_hosts.message, contains_text("its third is a host pointer"));
  CHECK_THAT(two_hosts.help, contains_text("Between two host pointers the direction is `cudaMemcpyHostToHost`"));
  const Finding null = refusal("cudaMemcpy", {PointerKind::device, PointerKind::null, 5});
  CHECK(null.message == "`cudaMemcpy` failed: its second argument is a null pointer");
  const Finding stray = refusal("cudaMemcpy", {PointerKind::stray, PointerKind::host, 2});
  CHECK_THAT(stray.message, contains_text("a device pointer to memory that is not allocated"));
  CHECK_THAT(stray.help, contains_text("freed before"));
}

TEST_CASE("a refused copy of memory that is not allocated shows what was freed last before it") {
  Observation observed = ended(RunEnd::finished);
  observed.refused = {"cudaMemcpy", 1, {"sum.cu", 33, 0}};
  observed.refused_pointers = vgpu::CallPointers{vgpu::PointerKind::host, vgpu::PointerKind::stray, 3};
  observed.freed_before = {"sum.cu", 31, 0};
  const auto refusal = refusal_of(observed);
  REQUIRE(refusal->other);
  CHECK(refusal->other->place.line == 31);
  observed.refused_pointers->second = vgpu::PointerKind::device;
  CHECK_FALSE(refusal_of(observed)->other);
}

TEST_CASE("who asks for a time that an event does not have is told which events have one") {
  Observation observed = ended(RunEnd::finished);
  observed.refused = {"cudaEventElapsedTime", 400, {"sum.cu", 33, 0}};
  observed.watched = {{"cudaEventCreate", 0, {"sum.cu", 29, 0}}, *observed.refused};
  CHECK_THAT(refusal_of(observed)->help, contains_text("`cudaEventDisableTiming`"));
  CHECK_FALSE(refusal_of(observed)->other);
}

TEST_CASE("of an event that cannot be destroyed the one that was destroyed before is shown") {
  const WatchedCall create{"cudaEventCreate", 0, {"t.cu", 3, 0}}, destroy{"cudaEventDestroy", 0, {"t.cu", 8, 0}};
  const auto told = [](std::vector<WatchedCall> watched) {
    Observation observed = ended(RunEnd::finished);
    observed.refused = {"cudaEventDestroy", 400, {"t.cu", 9, 0}};
    observed.watched = std::move(watched);
    observed.watched.push_back(*observed.refused);
    return *refusal_of(observed);
  };
  const Finding twice = told({create, create, destroy});
  REQUIRE(twice.other);
  CHECK(twice.other->place.line == 8);
  CHECK_THAT(twice.help, contains_text("of 2 events that were created, 1 was destroyed before"));
  // None is left: this one is too many, and none is forgotten.
  CHECK_THAT(told({create, destroy}).help, contains_text("destroy each event once"));
  CHECK(told({create, destroy}).other);
  CHECK_FALSE(told({create}).other);
  CHECK_FALSE(told({}).other);
}

TEST_CASE("a call that reaches past an allocation says by how much, and which one") {
  Observation observed = ended(RunEnd::finished);
  observed.refused = {"cudaMemcpy", 1, {"sum.cu", 33, 0}};
  observed.past_allocation = {{{}, {}, true, 1024, 1024, 1, 1032}, {"sum.cu", 27, 0}};
  const auto finding = refusal_of(observed);
  REQUIRE(finding);
  CHECK(finding->message == "`cudaMemcpy` failed: it writes 1024 bytes from byte 1024 of an allocation of 1032 bytes");
  CHECK(finding->where.line == 33);
  REQUIRE(finding->other);
  CHECK(finding->other->place.line == 27);
  CHECK_THAT(finding->note, contains_text("cudaErrorInvalidValue"));
  observed.past_allocation->reach = {{}, {}, false, 0, 4096, 2, 1024};
  CHECK_THAT(refusal_of(observed)->message,
             contains_text("it reads 4096 bytes in 2 rows from byte 0 of an allocation"));
  CHECK_THAT(refusal_of(observed)->help, contains_text("n * sizeof(float)"));
  const auto help_for = [&](std::uint64_t offset, std::uint64_t bytes, std::uint64_t allocated) {
    observed.past_allocation->reach = {{}, {}, true, offset, bytes, 1, allocated};
    return refusal_of(observed)->help;
  };
  CHECK_THAT(help_for(4096, 1024, 3072), contains_text("is a number of bytes added to a pointer?"));
  CHECK_THAT(help_for(4096, 1024, 4096), !contains_text("is a number of bytes"));  // a fifth array of this size
  CHECK_THAT(help_for(3072, 1024, 2048), !contains_text("is a number of bytes"));
  observed.past_allocation->reach.kept = true;
  CHECK(refusal_of(observed)->access.kept);
}
