#include "check/endless_host_loop.h"

#include <fmt/format.h>

#include <string>

#include "vgpu/cudart/error_text.h"

namespace cudalabs {
namespace {

bool is_question(const WatchedCall& call) {
  return call.name == "cudaEventQuery" || call.name == "cudaStreamQuery";
}

std::string error_of(const WatchedCall& call) {
  const auto status = static_cast<cudaError_t>(call.status);
  return status == cudaSuccess ? std::string("cudaSuccess") : std::string(vgpu::error_name(status));
}

void show(Finding& finding, std::string label, const SourcePlace& place) {
  if (place.known()) finding.other = OtherPlace{std::move(label), place, {}, {}};
}

/// The power of ten that is not above it: how often a loop goes round differs from run to run.
std::uint64_t at_least(std::uint64_t times) {
  std::uint64_t power = 1;
  while (times / power >= 10) power *= 10;
  return power;
}

/// The work before the event, or in the stream, is done; of an event that was never recorded this is the answer, too.
void say_done(Finding& finding, const RepeatedCall& repeated, bool of_event) {
  const bool never_recorded = of_event && repeated.created && !repeated.recorded.known();
  finding.note = never_recorded ? "the event was never recorded, and counts as done"
                                : "what this asks for is done, and remains so";
  finding.help = fmt::format(
      "this loop does not end at `cudaSuccess`: go on only as long as `{}` returns `cudaErrorNotReady`, or wait with "
      "`{}` instead of a loop",
      repeated.call.name, of_event ? "cudaEventSynchronize" : "cudaStreamSynchronize");
}

/// The handle is of no event and of no stream.
void say_unknown_handle(Finding& finding, const RepeatedCall& repeated, bool of_event) {
  const std::string_view what = of_event ? "event" : "stream";
  if (repeated.destroyed.known()) {
    finding.note = fmt::format("the {} was destroyed before", what);
    show(finding, fmt::format("the {} is destroyed here", what), repeated.destroyed);
    finding.help = fmt::format(
        "destroy the {0} after the last question about it; and leave a loop at every answer but "
        "`cudaErrorNotReady`, for an error stays",
        what);
    return;
  }
  finding.note = fmt::format("what this is given is no {} of the program", what);
  finding.help = fmt::format(
      "create the {0} with `{1}` before it is used; and leave a loop at every answer but `cudaErrorNotReady`, for an "
      "error stays",
      what, of_event ? "cudaEventCreate" : "cudaStreamCreate");
}

void explain_answer(Finding& finding, const RepeatedCall& repeated) {
  const bool of_event = repeated.call.name == "cudaEventQuery";
  finding.note = "the answer is an error, and remains so";
  switch (static_cast<cudaError_t>(repeated.call.status)) {
    case cudaSuccess:
      return say_done(finding, repeated, of_event);
    case cudaErrorInvalidResourceHandle:
      return say_unknown_handle(finding, repeated, of_event);
    case cudaErrorNotReady:
      finding.note = of_event ? "the work before the event had not ended" : "the stream's work had not ended";
      show(finding, "the event is recorded here", repeated.recorded);
      finding.help = Help::where_to_look(
          "look at what is in the stream before it: a kernel that does not end, or one that waits for something that "
          "the host does only after this loop");
      return;
    default:
      finding.help =
          "an error stays, and `cudaSuccess` does not come any more: leave the loop at every answer but "
          "`cudaErrorNotReady`, and look at what the answer is";
  }
}

void name_question(Finding& finding, const RepeatedCall& repeated) {
  explain_answer(finding, repeated);
  finding.note += fmt::format("\n`{}` was asked here more than {} times, and returned {}", repeated.call.name,
                              at_least(repeated.times), error_of(repeated.call));
}

}  // namespace

void name_repeated_question(Finding& finding, const Observation& observed) {
  const auto& repeated = observed.repeated;
  if (repeated && is_question(repeated->call) && repeated->call.where == finding.where)
    name_question(finding, *repeated);
}

void name_endless_host_loop(Finding& finding, const Observation& observed) {
  if (const auto& repeated = observed.repeated; repeated && repeated->call.where.known()) {
    finding.where = repeated->call.where;
    if (is_question(repeated->call)) return name_question(finding, *repeated);
    finding.note = fmt::format("`{}` was called here more than {} times, one after the other", repeated->call.name,
                               at_least(repeated->times));
    finding.help =
        Help::where_to_look("look at the loop around this call: what ends it, and does anything in it change that?");
    return;
  }
  if (observed.end != RunEnd::cpu_limit || !observed.ended_at.known()) return;
  finding.note = "the host was at this line when its time was up";
  finding.help = Help::where_to_look(
      "look at the loop around this line: what ends it, and does anything change that? For the end of a kernel wait "
      "with a call, such as `cudaDeviceSynchronize()`: what a kernel writes is sure to be seen after it");
}

}  // namespace cudalabs
