// The calls of the case tell with which flags each event was created.
#include "explain/errors/untimed_event.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::string_view kElapsed = "cudaEventElapsedTime", kFlag = "cudaEventDisableTiming";

/// The calls that created the two events of the refused call, where they have no time; null: it has one.
struct Creations {
  const WatchedCall *first = nullptr, *second = nullptr;
};

Creations creations_of(const std::vector<WatchedCall>& calls, const SourcePlace& refused) {
  const auto asked = std::ranges::find_if(calls, [&](const WatchedCall& call) {
    return call.name == kElapsed && call.status != 0 && call.where == refused;
  });
  Creations found;
  if (asked == calls.end()) return found;
  for (auto call = calls.begin(); call != asked; ++call) {
    if (!call->without_time || call->status != 0 || !call->where.known()) continue;
    if (call->event == asked->event) found.first = &*call;
    if (call->event == asked->second_event) found.second = &*call;
  }
  return found;
}

bool line_has(std::string_view code, std::uint32_t line, std::string_view name) {
  const std::size_t begin = place_of_line(code, line, 1);
  return begin != kNowhere && has_name(code.substr(begin, code.find('\n', begin) - begin), name);
}

void show_untimed_event(MergedFinding& finding, std::string_view code, const Creations& created) {
  const bool both = created.first != nullptr && created.second != nullptr;
  const WatchedCall& creation = created.first != nullptr ? *created.first : *created.second;
  const std::string which = both                       ? "both events were"
                            : created.first != nullptr ? "the first event was"
                                                       : "the second event was";
  finding.other = OtherPlace{"such an event has no time", creation.where, {}, {}};
  finding.note.insert(0, fmt::format("{} created with `{}`\n", which, kFlag));
  const bool further = both && created.second->where != creation.where;
  const std::string lines = further ? fmt::format("lines {} and {}", creation.where.line, created.second->where.line)
                                    : fmt::format("line {}", creation.where.line);
  const bool written = line_has(code, creation.where.line, kFlag);
  finding.help = written ? fmt::format("leave out `{}` in {}", kFlag, lines)
                         : fmt::format("create the event in {} without the flag `{}`", lines, kFlag);
  if (line_has(code, creation.where.line, "cudaEventBlockingSync"))
    finding.help += ": with `cudaEventBlockingSync` alone, the event has a time";
}

}  // namespace

void show_untimed_events(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const bool refused = finding.id == finding_ids::kRuntimeError && finding.failed_call == kElapsed;
    if (!refused || !finding.is_in_file(file)) continue;
    for (const CaseRun& case_run : submission_run.case_runs) {
      if (std::ranges::find(finding.cases, case_run.test.spec.name) == finding.cases.end()) continue;
      const Creations created = creations_of(case_run.observed.watched, finding.where);
      if (created.first == nullptr && created.second == nullptr) continue;
      if (code.empty()) code = without_comments(source);
      show_untimed_event(finding, code, created);
      break;
    }
  }
}

}  // namespace cudalabs
