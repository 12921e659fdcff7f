// A time between events of which one was created without a time.
#include "explain/errors/untimed_event.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/error_text.h"

namespace cudalabs::test::of_untimed_event {
namespace {

constexpr std::uint64_t kFirst = 11, kSecond = 12;

const std::string kSource =
    "void f() {\n"
    "  cudaEventCreateWithFlags(&a, cudaEventDisableTiming);\n"
    "  cudaEventCreateWithFlags(&b, cudaEventBlockingSync | cudaEventDisableTiming);\n"
    "  cudaEventCreateWithFlags(&c, flags);  // cudaEventDisableTiming\n"
    "  cudaEventElapsedTime(&ms, a, b);\n"
    "}\n";

WatchedCall creation(std::uint64_t event, std::uint32_t line, bool without_time = true) {
  WatchedCall made{"cudaEventCreateWithFlags", 0, {"t.cu", line, 3}};
  made.event = event;
  made.without_time = without_time;
  return made;
}

MergedFinding shown(std::vector<WatchedCall> calls, const std::string& failed_call = "cudaEventElapsedTime") {
  MergedFinding finding;
  finding.id = finding_ids::kRuntimeError;
  finding.failed_call = failed_call;
  finding.where = {"t.cu", 5, 3};
  finding.note = "it did nothing";
  finding.help = {"create both with `cudaEventCreate`"};
  finding.help.scope = HelpScope::general;
  finding.cases = {"events"};
  WatchedCall refused{failed_call, cudaErrorInvalidResourceHandle, finding.where};
  refused.event = kFirst;
  refused.second_event = kSecond;
  calls.push_back(refused);
  SubmissionRun run;
  run.case_runs.resize(2);
  run.case_runs[0].test.spec.name = "other";
  run.case_runs[1].test.spec.name = "events";
  run.case_runs[1].observed.watched = std::move(calls);
  std::vector<MergedFinding> findings{finding};
  show_untimed_events(findings, kSource, "t.cu", run);
  return findings.front();
}

}  // namespace

TEST_CASE("the event that was created without a time is shown") {
  const MergedFinding second = shown({creation(kFirst, 2, false), creation(kSecond, 3)});
  REQUIRE(second.other);
  CHECK(second.other->place.line == 3);
  CHECK(second.note == "the second event was created with `cudaEventDisableTiming`\nit did nothing");
  CHECK(second.help ==
        "leave out `cudaEventDisableTiming` in line 3: with `cudaEventBlockingSync` alone, the event has a time");
  CHECK(second.help.scope == HelpScope::change);
  const MergedFinding first = shown({creation(kFirst, 2), creation(kSecond, 3, false)});
  CHECK(first.other->place.line == 2);
  CHECK(first.note.starts_with("the first event was created"));
  CHECK(first.help == "leave out `cudaEventDisableTiming` in line 2");
}

TEST_CASE("of two events without a time both lines are told, and of one line that line") {
  const MergedFinding both = shown({creation(kFirst, 2), creation(kSecond, 4)});
  CHECK(both.other->place.line == 2);
  CHECK(both.note.starts_with("both events were created"));
  CHECK(both.help == "leave out `cudaEventDisableTiming` in lines 2 and 4");
  CHECK(shown({creation(kFirst, 4), creation(kSecond, 4)}).help ==
        "create the event in line 4 without the flag `cudaEventDisableTiming`");
}

TEST_CASE("where the events have a time, or others have none, the call was refused for another reason") {
  const auto is_as_before = [](const MergedFinding& finding) {
    return !finding.other && finding.note == "it did nothing" && finding.help.scope == HelpScope::general;
  };
  CHECK(is_as_before(shown({creation(kFirst, 2, false), creation(kSecond, 3, false)})));
  CHECK(is_as_before(shown({creation(13, 2), creation(14, 3)})));
  CHECK(is_as_before(shown({})));
  CHECK(is_as_before(shown({creation(kFirst, 2)}, "cudaEventRecord")));
}

}  // namespace cudalabs::test::of_untimed_event
