// The table of findings: every kind there is, how bad it usually is, where it stands between causes and symptoms, what
// of the results it spoils, and which group a lab's check may ask for.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/finding.h"

namespace cudalabs {

/// From causes to symptoms: what stands in an earlier stage is to be fixed before what stands in a later one.
enum class Stage : std::uint8_t {
  build,      // it cannot be run at all
  no_effect,  // a statement that does nothing, such as a barrier without parentheses
  call,       // a call of the runtime failed, or does not exist here
  launch,     // a kernel was not launched
  variable,   // a variable was used before it had a value, or had the value of an earlier launch
  access,     // one access is wrong by itself
  deciding,   // two accesses have no order, and where many threads go depends on them
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

/// Findings that belong together, whichever lab asks for them.
enum class FindingGroup : std::uint8_t {
  none,
  memory_errors,  // wrong with a single access: out of bounds, misaligned, no pointer, a write to what is read-only
  races,          // two who touch the same memory without order: threads, streams, or the host and a copy
  barriers        // what lanes of a warp and threads of a block do together, and not all of them come to
};

struct FindingKind {
  std::string_view id;
  /// The mildest form that costs points: a check that asks for no such finding fails from here on. One finding may be
  /// milder or worse: see where it is made.
  Severity counts_from = Severity::error;
  Stage stage = Stage::output;
  Spoils spoils = Spoils::nothing;
  FindingGroup group = FindingGroup::none;
};

/// One for each id in finding_ids.h, by stage; in one stage what stands first is told first of findings in one line.
std::span<const FindingKind> finding_kinds();

/// Null for an id that is not in the table.
const FindingKind* finding_kind(std::string_view id);

/// Whether `id` is of the group; false for an id that is not in the table.
bool is_of(std::string_view id, FindingGroup group);

/// The ids that lab.toml means by `name`: a finding's own name, or a group's ("memory-errors", "races",
/// "barrier-errors"). None for any other name.
std::vector<std::string_view> ids_named(std::string_view name);

/// All names that ids_named() knows: groups, then ids.
std::vector<std::string> finding_names();

}  // namespace cudalabs
