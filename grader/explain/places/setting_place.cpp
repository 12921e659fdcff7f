// Where the variables are set that a finding's statement depends on.
#include "explain/places/setting_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/case_name.h"
#include "check/explanations.h"
#include "check/writer_place.h"
#include "explain/accesses/row_pointer.h"
#include "explain/places/set_here.h"
#include "source/guard_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/told_lines.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

bool is_about_launch(const Finding& finding) {
  return finding.id == finding_ids::kInvalidLaunch || finding.id == finding_ids::kWrongWhenTimed ||
         finding.id == finding_ids::kUnwrittenOutput;
}

bool is_out_of_bounds(const Finding& finding) {
  return finding.id == finding_ids::kGlobalOutOfBounds || finding.id == finding_ids::kSharedOutOfBounds;
}

/// Several threads store to one element in the line of `finding`.
bool collides(const Finding& finding, const std::vector<MergedFinding>& findings) {
  return std::ranges::any_of(findings, [&](const Finding& other) {
    return other.id == finding_ids::kGlobalRace && other.where.line == finding.where.line;
  });
}

/// The part of a subscript that the missing elements are about: rows alone are about one axis, rows and columns about
/// both.
Part part_of_missing(const MergedFinding& finding) {
  if (!finding.region || *finding.region == RegionKind::piece || *finding.region == RegionKind::repeated_gap ||
      *finding.region == RegionKind::every_few || *finding.region == RegionKind::scattered)
    return Part::subscript;
  const auto& [rows, columns] = finding.lines;
  if (rows.has_value() == columns.has_value()) return Part::subscript;
  return rows ? Part::row : Part::column;
}

/// Of the grid first where there are too few threads, or too many blocks: the function that computes it, or the
/// variable. Of a launch that was refused for something else, all but the grid.
std::optional<Setting> launch_setting(const MergedFinding& finding, std::string_view source) {
  if (finding.id == finding_ids::kInvalidLaunch && !finding.launch.refused_grid)
    return setting_of(source, finding.where.line, finding.where.column, Part::block_and_shared);
  if (auto result = grid_function_of(source, finding.where.line)) return result;
  return setting_of(source, finding.where.line, finding.where.column, Part::launch);
}

/// Where the bound is set that the line of an access itself asks for, "word < words"; of the only comparison there.
std::optional<Setting> own_bound_of(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  std::vector<std::string_view> bounds;
  for_each_name(lines[line - 1], [&](std::size_t at, std::string_view name) {
    const std::string_view text = lines[line - 1];
    const std::size_t sign = before_spaces(text, at);
    const bool compared = sign != std::string_view::npos && text[sign] == '<' && sign > 0 && text[sign - 1] != '<' &&
                          !word_before(text, sign).empty();
    const std::size_t behind = past_spaces(text, at + name.size());
    if (compared && (behind >= text.size() || text[behind] == ')' || text[behind] == '&')) bounds.push_back(name);
  });
  return bounds.size() == 1 ? last_setting_of(source, line, bounds.front()) : std::nullopt;
}

std::optional<Setting> setting_for(const MergedFinding& finding, std::string_view source,
                                   const std::vector<MergedFinding>& findings) {
  const auto of = [&](Part part, bool conditions = false) {
    return setting_of(source, finding.where.line, finding.where.column, part, conditions);
  };
  const bool too_few_blocks = leads_to(finding.detector, CauseLine::Kind::first_launch) ||
                              leads_to(finding.detector, CauseLine::Kind::last_launch);
  if (is_about_launch(finding) || too_few_blocks) {
    if (auto setting = launch_setting(finding, source)) return setting;
  }
  if (finding.access.by_host) return later_store_of(source, finding.where.line);
  // Of what a kernel has left out, the copy that brings it says little.
  if (finding.other && finding.other->role != PlaceRole::copy_to_host) return std::nullopt;
  if (finding.id == finding_ids::kUnwrittenOutput) {
    if (auto setting = of(Part::subscript, !collides(finding, findings))) return setting;
    return of(part_of_missing(finding));
  }
  if (is_out_of_bounds(finding)) {
    const auto setting = of(Part::access, true);
    return setting ? setting : own_bound_of(source, finding.where.line);
  }
  // Of several values that the statement stores at once, most are right.
  if (finding.region == RegionKind::every_few) return std::nullopt;
  return finding.is_of_values() ? of(Part::value) : std::nullopt;
}

/// "the condition on `i` is here"
std::string label_of(const Setting& setting) {
  const std::string names = list_names(setting.names);
  switch (setting.how) {
    case Setting::How::asked:
      return fmt::format("the condition on {} is here", names);
    case Setting::How::returned:
      return fmt::format("{} returns this", names);
    case Setting::How::stored:
      return fmt::format("a later write to {}", names);
    case Setting::How::set:
      break;
  }
  return fmt::format("{} are set here", names);
}

/// In the file of the finding.
OtherPlace shown(const Setting& setting, const std::string& file) {
  const SourcePlace place{file, setting.line, setting.column};
  if (setting.how == Setting::How::set && setting.names.size() == 1) return set_here(setting.names.front(), place);
  const bool asked = setting.how == Setting::How::asked;
  return {label_of(setting), place, {}, {}, asked ? PlaceRole::condition : PlaceRole::unsaid};
}

/// A condition of `line` that holds for the end of a range as well.
bool asks_up_to(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  return line > 0 && line <= lines.size() && lines[line - 1].find("<=") != std::string_view::npos;
}

/// "tid % 2 * s", where nothing but names and numbers stand for the three.
struct ScaledRemainder {
  std::string value, divisor, factor;
  bool operator==(const ScaledRemainder&) const = default;
};

/// The first in `line`; empty: there is none.
ScaledRemainder scaled_remainder(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return {};
  const std::string_view text = lines[line - 1];
  for (std::size_t sign = text.find('%'); sign != std::string_view::npos; sign = text.find('%', sign + 1)) {
    const std::string_view left = word_before(text, sign);
    const std::size_t second = past_spaces(text, sign + 1), second_end = end_of_word(text, second);
    const std::size_t star = past_spaces(text, second_end);
    const std::size_t third = past_spaces(text, star + 1), third_end = end_of_word(text, third);
    const bool product = star < text.size() && text[star] == '*' && !left.empty() && second_end > second &&
                         third < text.size() && third_end > third;
    if (!product) continue;
    return {std::string(left), std::string(text.substr(second, second_end - second)),
            std::string(text.substr(third, third_end - third))};
  }
  return {};
}

/// Generic advice names `n`, which not every program has.
void fit_names(Finding& finding, std::string_view source) {
  bool has_name = false;
  for_each_name(without_comments(source),
                [&](std::size_t, std::string_view name) { has_name = has_name || name == "n"; });
  if (!has_name) replace_first(finding.help, kSizesAreTheOnes, "the sizes are the ones");
}

/// What may be meant in the line of the access, and in the one that says who makes it.
void add_questions(Finding& finding, std::string_view source, const std::optional<Setting>& setting) {
  const auto in_either = [&](const auto& asks) {
    auto answer = asks(source, finding.where.line);
    return answer == decltype(answer){} && setting ? asks(source, setting->line) : answer;
  };
  if (in_either(asks_up_to)) {
    finding.help += "; `<=` lets in the number that it compares with, too: is `<` meant?";
    finding.help.scope = HelpScope::place;
  }
  const auto [value, divisor, factor] = in_either(scaled_remainder);
  if (value.empty()) return;
  finding.help = {asks_for_sizes(finding.help) ? Advice::guard_and_sizes : Advice::unsaid,
                  fmt::format("`{0} % {1} * {2}` is `({0} % {1}) * {2}`: is `{0} % ({1} * {2})` meant?; {3}", value,
                              divisor, factor, finding.help)};
  finding.help.scope = HelpScope::place;
}

/// The names of questions that were asked.
std::set<std::string> questions_of(const SubmissionRun& submission_run) {
  std::set<std::string> names;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!case_run.judgement) continue;
    for (const Comparison& comparison : case_run.judgement->comparisons) {
      for (const datasets::Question& question : comparison.questions) names.insert(question.name);
    }
  }
  return names;
}

/// Of a finding that has no place: where the host stores to the output that it is about.
std::optional<Setting> host_store_of(const Finding& finding, std::string_view source, std::string_view output) {
  const bool by_the_host = finding.id == finding_ids::kComputedOnTheHost || finding.id == finding_ids::kNoKernel ||
                           finding.id == finding_ids::kResultMismatch;
  return by_the_host ? only_host_store(source, output) : std::nullopt;
}

/// The output of all cases, where there is one only.
std::string only_output_of(const SubmissionRun& submission_run) {
  std::set<std::string> names;
  for (const CaseRun& case_run : submission_run.case_runs) {
    for (const datasets::ExpectedArray& expected : case_run.test.expected) names.insert(expected.name);
  }
  return names.size() == 1 ? *names.begin() : std::string();
}

}  // namespace

namespace {

/// An access outside whose condition is kept in a variable, or whose index is asked for at another access alone.
bool show_guard(MergedFinding& finding, std::string_view source) {
  if (finding.other && finding.other->role != PlaceRole::copy_to_host) return false;
  if (const auto guard = kept_guard_of(source, finding.where.line, finding.access.only_reads)) {
    const std::string& name = guard->where.names.front();
    finding.other = OtherPlace{fmt::format("`{}` is set here, and was {} for this access", name, guard->holds),
                               {finding.where.file, guard->where.line, guard->where.column},
                               {},
                               {}};
    finding.help = Help::where_to_look(fmt::format(
        "the access is made where `{}` is {}, and its index is outside then: look at what line {} asks for, in every "
        "dimension",
        name, guard->holds, guard->where.line));
    const std::string_view sign = guard->holds ? "||" : "&&";
    if (guard->value.find(sign) != std::string::npos) {
      finding.help += fmt::format("; with `{}` it is {} as soon as one side is: is `{}` meant?", sign, guard->holds,
                                  guard->holds ? "&&" : "||");
    }
    return true;
  }
  const auto later = later_check_of(source, finding.where.line);
  if (!later) return false;
  finding.other = OtherPlace{
      "this asks for that index, for another access", {finding.where.file, later->line, later->column}, {}, {}};
  finding.help = fmt::format(
      "`{}` is held against its end in line {}, and nothing asks for it before this access: ask for the same here",
      later->names.front(), later->line);
  return true;
}

}  // namespace

void show_settings(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                   const SubmissionRun& submission_run) {
  const std::set<std::string> questions = questions_of(submission_run);
  for (MergedFinding& finding : findings) {
    if (!finding.where.known()) {
      const std::string name = finding.id == finding_ids::kNoKernel ? only_output_of(submission_run) : finding.subject;
      const auto place =
          questions.contains(name) ? only_setting_of(source, name) : host_store_of(finding, source, name);
      if (place) finding.where = {file, place->line, place->column};
      continue;
    }
    if (!finding.is_in_file(file) || finding.proven) continue;
    if (asks_for_sizes(finding.help)) fit_names(finding, source);
    if (is_out_of_bounds(finding) && show_guard(finding, source)) continue;
    const auto setting = setting_for(finding, source, findings);
    if (is_out_of_bounds(finding)) add_questions(finding, source, setting);
    if (!setting) continue;
    finding.other = shown(*setting, finding.where.file);
    if (finding.is_of_values()) show_row_pointer(finding, source);
  }
  for (MergedFinding& finding : findings) drop_repeated_store(finding);
}

}  // namespace cudalabs
