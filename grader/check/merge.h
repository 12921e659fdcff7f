// The findings of all cases as one list in which every bug stands once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/mismatch.h"
#include "check/proposed_change.h"
#include "check/region.h"
#include "check/submission_run.h"
#include "vgpu/analysis/origin_kind.h"
#include "vgpu/finding.h"

namespace cudalabs {

struct MergedFinding : Finding {
  std::vector<std::string> cases;  // in which it was seen, by name; none: it is about the submission as a whole
  std::string detector = {};       // of what a lab knows, and the values told
  std::optional<vgpu::OriginKind> origin = {};       // of the line that the values lead to
  Reach reach = Reach::unsaid;                       // of the threads, where elements are missing
  std::vector<vgpu::ArrayWriter> stores = {};        // the lines that store to the output, where there are several
  std::string output = {};                           // that is wrong, or misses elements
  std::string shown = {};                            // the case whose elements and values are told
  std::optional<RegionKind> region = {};             // of the elements that are faulty
  RegionLines lines = {};                            // rows and columns that their place is told by
  std::optional<ValueKind> values = {};              // what the wrong ones have in common
  std::map<std::string, std::int64_t> numbers = {};  // of what a lab knows, by their names
  std::string of_values = {};                        // what a lab knows of wrong values that may have the same cause
  bool after_failure = false;                        // an output was written although a call had failed before
  bool right_at_first = false;                       // at the first call, and not at the second
  bool proven = false;                               // its line accounts for all that is missing or wrong
  bool known = false;                                // the lab is sure of what the values come from
  std::optional<ProposedChange> proposed = {};       // by the help, which may be wrong

  /// Whether it speaks of the case. Those of no case speak of all, and a check of no case is spoken of by all.
  bool is_seen_in(const std::string& name) const;
  /// It stands in the file of that name, whatever the folder.
  bool is_in_file(const std::string& file) const;
  /// Of elements of an output that have wrong values.
  bool is_of_values() const;
  /// Of elements of an output that are wrong or missing.
  bool is_of_output() const;
};

/// The findings of the build, of every case and of what was timed. Those with the same id in the same line and kernel
/// are one, whatever the operand, the instance of a template or the other place: counts add up, and the note names the
/// columns and the cases. So are all mismatches of one kind in one output (the clearest case is shown, and
/// one with a single row, column or element only where there is no other). Advice against
/// a barrier is given only if no case needs it, and only when nothing is wrong. In the order in which they are to be
/// fixed: is_before(), but what is seen only in cases without elements comes after what others show, what is seen only
/// in cases in which a call was made to fail after what goes wrong by itself, and advice last. What only follows from
/// another finding is left out.
std::vector<MergedFinding> merge_findings(const SubmissionRun& submission_run);

}  // namespace cudalabs
