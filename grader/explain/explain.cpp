// In which order explanations are tried: what is sure comes first, and what only may be so where nothing else is known.
#include "explain/explain.h"

#include "explain/accesses/byte_pitch.h"
#include "explain/accesses/empty_input.h"
#include "explain/accesses/float_index.h"
#include "explain/accesses/grid_end.h"
#include "explain/accesses/guard_size.h"
#include "explain/accesses/host_reference.h"
#include "explain/accesses/late_condition.h"
#include "explain/accesses/mirrored_index.h"
#include "explain/accesses/misaligned_row.h"
#include "explain/accesses/mixed_units.h"
#include "explain/accesses/other_row_length.h"
#include "explain/accesses/uneven_pitch.h"
#include "explain/accesses/untested_index.h"
#include "explain/barriers/uneven_rounds.h"
#include "explain/barriers/unwritten_place.h"
#include "explain/elements/absent_launch.h"
#include "explain/elements/block_factor.h"
#include "explain/elements/crossed_axis.h"
#include "explain/elements/idle_function.h"
#include "explain/elements/launch_borders.h"
#include "explain/elements/missing_elements.h"
#include "explain/elements/repeated_blocks.h"
#include "explain/errors/dropped_answer.h"
#include "explain/errors/empty_macro.h"
#include "explain/errors/fetched_error.h"
#include "explain/errors/late_object.h"
#include "explain/errors/left_out_check.h"
#include "explain/errors/missed_check.h"
#include "explain/errors/overwritten_status.h"
#include "explain/errors/shadowed_status.h"
#include "explain/errors/silent_report.h"
#include "explain/errors/single_error.h"
#include "explain/errors/unasked_error.h"
#include "explain/errors/unprinted_message.h"
#include "explain/errors/untimed_event.h"
#include "explain/kept/first_call_value.h"
#include "explain/kept/kept_allocation.h"
#include "explain/kept/kept_guard.h"
#include "explain/kept/kept_pointer.h"
#include "explain/kept/left_by_failure.h"
#include "explain/kept/unrun_reset.h"
#include "explain/macros/exit_in_macro.h"
#include "explain/macros/macro_expansion.h"
#include "explain/macros/repeated_argument.h"
#include "explain/memory/copied_owner.h"
#include "explain/memory/device_copy.h"
#include "explain/memory/flagged_fill.h"
#include "explain/memory/given_up_owner.h"
#include "explain/memory/grown_owner.h"
#include "explain/memory/host_output.h"
#include "explain/memory/later_round.h"
#include "explain/memory/left_out_blocks.h"
#include "explain/memory/lost_allocation.h"
#include "explain/memory/moved_owner.h"
#include "explain/memory/overwritten_owner.h"
#include "explain/memory/overwritten_pointer.h"
#include "explain/memory/partly_filled.h"
#include "explain/memory/pointer_size.h"
#include "explain/memory/read_count.h"
#include "explain/memory/size_question.h"
#include "explain/memory/symbol_copy.h"
#include "explain/memory/temporary_owner.h"
#include "explain/memory/unfinished_owner.h"
#include "explain/memory/unfreed_way_out.h"
#include "explain/memory/unset_constant.h"
#include "explain/memory/unset_pointer.h"
#include "explain/places/call_place.h"
#include "explain/places/cause_line.h"
#include "explain/places/crossed_list.h"
#include "explain/places/dropped_count.h"
#include "explain/places/exchanged_launch.h"
#include "explain/places/grid_division.h"
#include "explain/places/host_value.h"
#include "explain/places/made_value.h"
#include "explain/places/setting_place.h"
#include "explain/repairs/repair.h"
#include "explain/separating_sizes.h"
#include "explain/suspicious_line.h"
#include "explain/values/captured_value.h"
#include "explain/values/cut_in_call.h"
#include "explain/values/cut_value.h"
#include "explain/values/dropped_rest.h"
#include "explain/values/early_cast.h"
#include "explain/values/float_size.h"
#include "explain/values/narrow_variable.h"
#include "explain/values/narrowed_value.h"
#include "explain/values/phase_divisor.h"
#include "explain/values/special_input.h"
#include "explain/values/zero_remainder.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// What the text alone shows, beside a finding that it explains.
void show_mistakes_of_text(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                           const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    if (!finding.is_in_file(file)) continue;
    place_at_call(finding, source);
    show_unwritten_place(finding, source, submission_run);
  }
  show_lost_allocation(findings, source, file);
  show_temporary_owners(findings, source, file);
  show_copied_owners(findings, source, file);
  show_grown_owners(findings, source, file);
  show_moved_owners(findings, source, file);
  show_unset_pointers(findings, source, file);
  show_crossed_lists(findings, source, file);
  show_pointer_sizes(findings, source, file);
  withdraw_size_questions(findings, source);
  show_unset_constants(findings, source, file);
  show_wrong_copy(findings, source, file);
  show_miscounted_copy(findings, source, file);
  show_host_values(findings, source, file);
  show_host_references(findings, source, file);
  show_misread_macros(findings, source, file);
  show_exits_in_macros(findings, source, file);
  show_repeated_arguments(findings, source, file);
  show_flagged_fills(findings, source, file);
  show_read_counts(findings, source, file);
  show_later_rounds(findings, source, file);
  show_partly_filled(findings, source, file);
  show_left_out_blocks(findings, source, file, submission_run);
}

/// A launch that was refused stands in a function of the host, and its message names the kernel.
void place_launches_in_host_code(std::vector<MergedFinding>& findings) {
  for (MergedFinding& finding : findings)
    if (finding.id == finding_ids::kInvalidLaunch && finding.where.known()) finding.kernel.clear();
}

}  // namespace

void explain_findings(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                      const SubmissionRun& submission_run) {
  const std::string merged_help = findings.empty() ? std::string() : findings.front().help;
  show_cause_lines(findings, source, file, submission_run);
  show_uneven_rounds(findings, source, file, submission_run);
  show_settings(findings, source, file, submission_run);
  show_float_indices(findings, source, file, submission_run);
  show_late_conditions(findings, source, file, submission_run);
  show_guard_sizes(findings, source, file);
  show_untested_indices(findings, source, file);
  show_mirrored_indices(findings, source, file);
  show_grid_ends(findings, source, file);
  show_made_values(findings, source, file);
  show_early_casts(findings, source, file);
  show_captured_values(findings, source, file);
  ask_for_launch_borders(findings, submission_run);
  explain_missing_elements(findings, source, file, submission_run);
  explain_absent_launches(findings, source, file, submission_run);
  show_idle_functions(findings, source, file, submission_run);
  explain_block_factors(findings, source, file, submission_run);
  show_repeated_blocks(findings, source, file, submission_run);
  show_grid_divisions(findings, source, file);
  show_dropped_counts(findings, source, file, submission_run);
  show_exchanged_launches(findings, source, file, submission_run);
  show_float_sizes(findings, source, file);
  show_mixed_units(findings, source, file);
  show_other_row_length(findings, source, file);
  show_crossed_axes(findings, source, file, submission_run);
  show_uneven_pitches(findings, source, file, submission_run);
  show_misaligned_rows(findings, source, file, submission_run);
  show_byte_pitches(findings, source, file);
  explain_empty_inputs(findings, submission_run);
  show_zero_remainders(findings, source, file, submission_run);
  show_phase_divisors(findings, source, file, submission_run);
  show_cut_values(findings, source, file, submission_run);
  show_cuts_in_calls(findings, source, file);
  show_special_inputs(findings, source, file, submission_run);
  show_dropped_rests(findings, source, file, submission_run);
  show_host_outputs(findings, source, file, submission_run);
  // What reads the text may have found the cause, and said it.
  const bool explained = !findings.empty() && findings.front().help != merged_help;
  if (!show_repair(findings, source, file, submission_run, explained) &&
      (explained || !(show_narrowed_value(findings, source, file) || show_narrow_variable(findings, source, file))))
    show_suspicious_line(findings, source, file, submission_run);
  show_mistakes_of_text(findings, source, file, submission_run);
  show_unasked_errors(findings, source, file, submission_run);
  show_missed_checks(findings, source, file);
  show_left_out_checks(findings, source, file);
  show_unprinted_messages(findings, source, file);
  show_overwritten_statuses(findings, source, file, submission_run);
  show_single_errors(findings, source, file, submission_run);
  show_shadowed_statuses(findings, source, file, submission_run);
  show_silent_reports(findings, source, file, submission_run);
  show_empty_macros(findings, source, file, submission_run);
  show_late_objects(findings, source, file, submission_run);
  show_dropped_answers(findings, source, file);
  show_fetched_errors(findings, source, file, submission_run);
  show_untimed_events(findings, source, file, submission_run);
  show_given_up_owners(findings, source, file, submission_run);
  show_overwritten_owners(findings, source, file, submission_run);
  show_overwritten_pointers(findings, source, file, submission_run);
  show_unfinished_owners(findings, source, file, submission_run);
  show_unfreed_ways_out(findings, source, file, submission_run);
  show_kept_allocations(findings, source, file, submission_run);
  show_separating_sizes(findings, source, file, submission_run);
  show_first_call_values(findings, source, file, submission_run);
  show_kept_guards(findings, source, file);
  show_left_by_failure(findings, source, file, submission_run);
  show_kept_pointers(findings, source, file);
  show_unrun_resets(findings, source, file, submission_run);
  place_launches_in_host_code(findings);
}

}  // namespace cudalabs
