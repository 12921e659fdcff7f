// What is said first: for every kind of finding how far it stands from the symptoms, and what it explains.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vgpu/finding.h"

namespace cudalabs {

/// From causes to symptoms: what stands in an earlier stage is to be mended before what stands in a later one.
enum class Stage : std::uint8_t {
  build,      // it cannot be run at all
  no_effect,  // a statement that does nothing, such as a barrier without parentheses
  call,       // a call of the runtime failed, or does not exist here
  launch,     // a kernel was not launched
  variable,   // a variable was used before it had a value
  access,     // one access is wrong by itself
  together,   // not all threads come where all must come
  order,      // two accesses have no order
  reading,    // memory was read before it was written
  ending,     // the run ended early, or nothing was computed on the device
  output,     // what came out is wrong
  manners,    // the result is right, and still: errors nobody would notice, memory that is not freed
  remark      // it could be better
};

/// What of the outputs follows from a finding.
enum class Spoils : std::uint8_t {
  nothing,
  refused,    // what a call that failed was to leave alone is written
  values,     // an element may have any value
  everything  // elements may not even be written
};

struct CauseKind {
  std::string_view id;
  Stage stage = Stage::output;
  Spoils spoils = Spoils::nothing;
};

/// One for each id there is; in one stage what stands first is told first of findings in one line.
const std::vector<CauseKind>& cause_kinds();

/// What the table says of a finding. An id that it does not know is a symptom. Advice is a remark. A warning is about
/// what could go wrong, such as two threads that write the same value, but for two that may be why it does go wrong: a
/// statement without effect, and an uninitialised read, which as a warning is one of a variable.
CauseKind cause_kind(const Finding& finding);

/// True when `left` is to be mended before `right`: by stage, then errors before warnings, then by place, then by the
/// order of the table.
bool is_before(const Finding& left, const Finding& right);

}  // namespace cudalabs
