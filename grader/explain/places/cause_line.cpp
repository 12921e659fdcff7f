// Each kind is shown only where the text has one line of it.
#include "explain/places/cause_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "check/cause_order.h"
#include "check/explanations.h"
#include "check/origin_place.h"
#include "explain/accesses/pointer_step.h"
#include "explain/accesses/wide_pointer.h"
#include "explain/barriers/shuffle_rows.h"
#include "explain/barriers/shuffle_width.h"
#include "explain/elements/thread_loop.h"
#include "explain/kept/kept_array.h"
#include "explain/kept/kept_value.h"
#include "explain/kept/late_constant.h"
#include "explain/places/beside_place.h"
#include "explain/places/signed_type.h"
#include "explain/places/unset_variable.h"
#include "explain/values/float_function.h"
#include "explain/values/inner_bound.h"
#include "explain/values/sum_bound.h"
#include "explain/values/sum_line.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Lines of `code`, and where each begins.
struct CodeLines {
  explicit CodeLines(std::string_view code) : lines(text_lines(code)) {
    for (const std::string_view line : lines) begins.push_back(static_cast<std::size_t>(line.data() - code.data()));
  }

  std::vector<std::string_view> lines;
  std::vector<std::size_t> begins;
};

Setting setting_at(std::string_view name, std::size_t line, std::size_t column) {
  return {{std::string(name)}, static_cast<std::uint32_t>(line) + 1, static_cast<std::uint32_t>(column) + 1};
}

/// "float tile[16]": the name at `at` is declared there as an array.
bool declares_array(std::string_view line, std::size_t at, std::string_view name) {
  constexpr std::array<std::string_view, 5> kNoTypes{"return", "else", "case", "new", "throw"};
  const std::string_view type = word_before(line, at);
  const bool in_list = type.empty() && before_spaces(line, at) != kNowhere && line[before_spaces(line, at)] == ',';
  const bool typed = (!type.empty() && std::ranges::find(kNoTypes, type) == kNoTypes.end()) || in_list;
  const std::size_t first = past_spaces(line, 0);
  const bool begins_with_type = first < line.size() && is_word_letter(line[first]);
  return typed && begins_with_type && line.substr(past_spaces(line, at + name.size())).starts_with('[');
}

/// The text between the parentheses that begin at `at`.
std::string_view in_parentheses(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t end = at; end < text.size(); ++end) {
    depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    if (depth == 0) return text.substr(at + 1, end - at - 1);
  }
  return {};
}

/// "if (n == 0) return", "if (n <= 0) {", "if (!count) return": the condition asks whether a number is 0.
bool asks_for_zero(std::string_view condition, std::string_view code) {
  if (compares_with_zero(condition)) return true;
  const std::size_t negation = condition.find('!');
  if (negation == kNowhere) return false;
  const std::size_t begin = past_spaces(condition, negation + 1);
  if (condition.substr(begin).starts_with('(')) {
    const std::string_view negated = in_parentheses(condition, begin);
    return negated.ends_with("> 0") || negated.ends_with(">0") || negated.ends_with("!= 0");
  }
  const std::string number = "int " + std::string(condition.substr(begin, end_of_word(condition, begin) - begin));
  return number.size() > 4 && code.find(number) != kNowhere;
}

bool gives_back_nothing(std::string_view after) {
  std::size_t at = past_spaces(after, 0);
  if (at < after.size() && after[at] == '{') at = past_spaces(after, at + 1);
  return after.substr(at).starts_with("return") && !is_word_letter(after.substr(at + 6).empty() ? ' ' : after[at + 6]);
}

/// A case without input in which nothing was launched.
bool launches_nothing_for_nothing(const MergedFinding& finding, const SubmissionRun& submission_run) {
  return std::ranges::any_of(submission_run.case_runs, [&](const CaseRun& run) {
    const auto has_elements = [](const datasets::Array& input) { return input.elements() > 0; };
    return !run.test.inputs.empty() && std::ranges::none_of(run.test.inputs, has_elements) &&
           run.observed.launches.empty() && finding.is_seen_in(run.test.spec.name);
  });
}

void place_at(MergedFinding& finding, const Setting& line, const std::string& file, std::string_view label,
              PlaceRole role = PlaceRole::unsaid) {
  if (finding.where.known()) finding.other = OtherPlace{std::string(label), finding.where, {}, {}, role};
  finding.where = {finding.where.known() ? finding.where.file : file, line.line, line.column};
}

/// A sum that begins anew in each round of the loop that stands beside it.
void place_at_restart(MergedFinding& finding, std::string_view source) {
  if (!finding.other) return;
  const std::uint32_t loop = finding.other->place.line;
  const auto sum = setting_of(source, finding.where.line, finding.where.column, Part::value);
  finding.other.reset();
  if (!sum) return;
  if (const auto restart = restart_of(source, sum->names, sum->line, loop))
    place_at(finding, *restart, {}, kStoredHere);
}

/// A value that each round of a loop sets, and none adds to.
void place_at_overwrite(MergedFinding& finding, std::string_view source) {
  const auto sum = setting_of(source, finding.where.line, finding.where.column, Part::value);
  if (!sum) return;
  if (const auto line = restart_of(source, sum->names, sum->line, sum->line - 1))
    place_at(finding, *line, {}, kStoredHere);
}

/// The place of what is read in the line that stands beside it is computed where its index is set; else there.
void place_at_index(MergedFinding& finding, std::string_view source) {
  if (!finding.other || finding.other->role != PlaceRole::reading) return;
  const SourcePlace read = finding.other->place;
  if (const auto index = setting_of(source, read.line, 0, Part::access)) {
    finding.where = {read.file, index->line, index->column};
    return;
  }
  finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
  finding.where = read;
}

/// What is `static` may be kept from the first call. Wrong values are its work; what the device found is shown where it
/// happened, with this line beside it.
void show_kept_value(MergedFinding& finding, std::string_view source) {
  const auto line = only_static_variable(source);
  if (!line) return;
  if (cause_kind(finding).stage == Stage::output)
    place_at(finding, *line, finding.where.file, "the second call goes wrong here", PlaceRole::second_call);
  else if (!finding.other)
    finding.other =
        OtherPlace{"this is kept from the first call", {finding.where.file, line->line, line->column}, {}, {}};
}

}  // namespace

std::optional<Setting> own_array_of(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  std::set<std::string_view> indexed;
  const std::string_view statement = lines[line - 1];
  for_each_name(statement, [&](std::size_t at, std::string_view name) {
    if (statement.substr(past_spaces(statement, at + name.size())).starts_with('[')) indexed.insert(name);
  });
  for (std::size_t i = line; i-- > 0 && !lines[i].starts_with('}');) {
    if (lines[i].find("__shared__") != kNowhere) continue;
    std::optional<Setting> found;
    for_each_name(lines[i], [&](std::size_t at, std::string_view name) {
      if (!found && indexed.contains(name) && declares_array(lines[i], at, name)) found = setting_at(name, i, at);
    });
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<Setting> only_return_at_zero(std::string_view source) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  const CodeLines text(code);
  std::optional<Setting> found;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const std::string_view line = text.lines[i];
    const std::size_t at = line.find("if");
    if (at == kNowhere || !word_before(line, at).empty()) continue;
    const std::size_t begin = text.begins[i] + at, open = past_spaces(code, begin + 2);
    const bool asks = open < code.size() && code[open] == '(' && bodies[begin].inside && !bodies[begin].device;
    if (!asks) continue;
    const std::string_view condition = in_parentheses(code, open);
    const std::string_view after = std::string_view(code).substr(std::min(code.size(), open + condition.size() + 2));
    if (!asks_for_zero(condition, code) || !gives_back_nothing(after)) continue;
    if (found) return std::nullopt;
    found = setting_at(condition, i, at);
  }
  return found;
}

std::optional<Setting> only_static_variable(std::string_view source) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  const CodeLines text(code);
  std::optional<Setting> found;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const std::string_view line = text.lines[i];
    const std::size_t at = past_spaces(line, 0);
    if (!line.substr(at).starts_with("static ") || line.find("constexpr") != kNowhere) continue;
    const BodyPlace& place = bodies[text.begins[i] + at];
    if (!place.inside || place.device) continue;
    if (found) return std::nullopt;
    found = setting_at("static", i, at);
  }
  return found;
}

std::optional<Setting> second_dynamic_array(std::string_view source) {
  const std::string code = without_comments(source);
  const CodeLines text(code);
  std::vector<Setting> arrays;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const std::string_view line = text.lines[i];
    if (line.find("extern") == kNowhere || line.find("__shared__") == kNowhere) continue;
    for_each_name(line, [&](std::size_t at, std::string_view name) {
      const std::string_view rest = line.substr(past_spaces(line, at + name.size()));
      const bool declared = rest.starts_with('[') && rest.substr(1).starts_with(']');
      if (declared && std::ranges::none_of(arrays, [&](const Setting& known) { return known.names.front() == name; }))
        arrays.push_back(setting_at(name, i, at));
    });
  }
  if (arrays.size() != 2) return std::nullopt;
  // Up to the brace that ends a function.
  std::set<std::string_view> indexed;
  for (const std::string_view line : text.lines) {
    for_each_name(line, [&](std::size_t at, std::string_view name) {
      const std::string_view rest = line.substr(past_spaces(line, at + name.size()));
      if (rest.starts_with('[') && !rest.substr(1).starts_with(']')) indexed.insert(name);
    });
    const auto is_indexed = [&](const Setting& array) { return indexed.contains(array.names.front()); };
    if (std::ranges::all_of(arrays, is_indexed)) {
      Setting second = arrays.back();
      second.names.insert(second.names.begin(), arrays.front().names.front());
      return second;
    }
    if (line.starts_with('}')) indexed.clear();
  }
  return std::nullopt;
}

std::optional<Setting> only_directed_rounding(std::string_view source) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  const CodeLines text(code);
  std::optional<Setting> found;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    std::optional<Setting> here;
    for_each_name(text.lines[i], [&](std::size_t at, std::string_view name) {
      const bool rounds = name.ends_with("_rz") || name.ends_with("_rd") || name.ends_with("_ru");
      if (rounds && !here && bodies[text.begins[i] + at].device) here = setting_at(name, i, at);
    });
    if (here && found) return std::nullopt;
    if (here) found = here;
  }
  return found;
}

std::optional<Setting> signed_word_of(std::string_view source) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  for (std::size_t at = code.find(">>"); at != kNowhere; at = code.find(">>", at + 2)) {
    const std::size_t number = past_spaces(code, at + 2);
    const std::string_view word = word_before(code, at);
    if (!bodies[at].device || word.empty() || code.substr(number, end_of_word(code, number) - number) != "24") continue;
    auto made = last_setting_of(source, line_at(code, at), word);
    if (!made) return std::nullopt;
    // `auto` says nothing of the type: what it was read through does.
    const std::string_view line = text_lines(code)[made->line - 1];
    const std::size_t automatic = line.find("auto"), sign = line.find('=');
    if (automatic == kNowhere || sign == kNowhere || sign < automatic) return made;
    const std::size_t begin = past_spaces(line, sign + 1);
    const auto from = last_setting_of(source, made->line, line.substr(begin, end_of_word(line, begin) - begin));
    return from ? from : made;
  }
  return std::nullopt;
}

std::optional<Setting> restart_of(std::string_view source, const std::vector<std::string>& names, std::uint32_t line,
                                  std::uint32_t after) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line > lines.size()) return std::nullopt;
  for (std::size_t i = line; i-- > after;) {
    std::optional<Setting> found;
    for_each_name(lines[i], [&](std::size_t at, std::string_view name) {
      if (std::ranges::find(names, name) == names.end()) return;
      const std::size_t sign = past_spaces(lines[i], at + name.size());
      const std::string_view rest = lines[i].substr(sign);
      if (!rest.starts_with('=') || rest.starts_with("==")) return;
      bool depends = false;
      const std::string_view value = rest.substr(0, rest.find(';'));
      for_each_name(value, [&](std::size_t, std::string_view used) { depends = depends || used == name; });
      if (!depends) found = setting_at(name, i, at);
    });
    if (found) return found;
  }
  return std::nullopt;
}

namespace {

/// The sum that drops digits is declared as an integer.
bool place_at_integer_sum(MergedFinding& finding, std::string_view source) {
  const auto sum = integer_sum_of(source, finding.where.line);
  if (!sum) return false;
  const std::string& name = sum->where.names.front();
  place_at(finding, sum->where, {}, "digits are dropped here, where a value is stored to it");
  finding.help =
      fmt::format("{}, and an integer drops the digits after the decimal point, at each assignment: declare it as `{}`",
                  sum->by_literal ? fmt::format("`auto` gives `{}` the type of what it begins with, an integer", name)
                                  : fmt::format("`{}` is declared as an integer", name),
                  sum->type);
  return true;
}

/// What the values alone say, whatever the lab knows.
bool place_by_values(MergedFinding& finding, std::string_view source) {
  if (finding.values == ValueKind::whole_numbers && finding.origin == vgpu::OriginKind::integer)
    return place_at_integer_sum(finding, source);
  std::optional<Setting> line;
  if (finding.values == ValueKind::carried_over)
    line = beginning_of_sum(source, finding.where.line, finding.where.column);
  if (finding.values == ValueKind::directed_rounding) line = only_directed_rounding(source);
  if (finding.values == ValueKind::added_as_float) {
    line = only_float_declaration(source);
    if (!line && show_float_function(finding, source)) return true;
  }
  if (line) place_at(finding, *line, {}, kStoredHere);
  return line.has_value();
}

/// Arrays whose size the launch gives all begin at the same place.
bool place_at_second_array(MergedFinding& finding, std::string_view source) {
  const bool explained = !finding.detector.empty() || finding.right_at_first;
  const auto second = finding.is_of_values() && !explained ? second_dynamic_array(source) : std::nullopt;
  if (!second) return false;
  place_at(finding, *second, {}, kStoredHere);
  finding.message += fmt::format("; `{}` and `{}` lie at the same place", second->names[0], second->names[1]);
  finding.help = fmt::format(
      "all `extern __shared__` arrays of a kernel begin at the same address: declare one, and let the second be a "
      "pointer behind the elements of the first, `float* {} = {} + ...`",
      second->names[1], second->names[0]);
  return true;
}

}  // namespace

void show_cause_lines(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                      const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    const bool own_file = finding.is_in_file(file);
    if (own_file) name_unset_variable(finding, source);
    if (own_file) show_cause_beside(finding, source);
    if (own_file) show_kept_array(finding, source);
    if (own_file) show_pointer_step(finding, source);
    if (own_file) show_wide_pointer(finding, source);
    if (!finding.where.known()) {
      const bool nothing_done =
          finding.id == finding_ids::kUnwrittenOutput && launches_nothing_for_nothing(finding, submission_run);
      if (const auto line = nothing_done ? only_return_at_zero(source) : std::nullopt)
        place_at(finding, *line, file, {});
    } else if (!own_file) {
      continue;
    } else if (finding.id == finding_ids::kLeftoverValue) {
      place_at_variable(finding, source);
    } else if (show_sum_bound(finding, source) || show_turned_away(finding, source, submission_run)) {
      continue;
    } else if (show_thread_loop(finding, source) || show_inner_bound(finding, source, submission_run)) {
      continue;
    } else if (show_misread_shuffle(finding, source) || show_shuffle_across_rows(finding, source, submission_run)) {
      continue;
    } else if (place_at_second_array(finding, source)) {
      continue;
    } else if (finding.right_at_first && !finding.access.kept) {
      show_kept_value(finding, source);
    } else if (place_by_values(finding, source)) {
      continue;
    } else if (finding.origin == vgpu::OriginKind::own_array && finding.other) {
      if (const auto line = own_array_of(source, finding.where.line)) place_at(finding, *line, file, kOwnPlaces);
    } else if (leads_to(finding.detector, CauseLine::Kind::signed_type)) {
      show_signed_type(finding, source);
    } else if (leads_to(finding.detector, CauseLine::Kind::signed_word)) {
      if (const auto line = signed_word_of(source)) place_at(finding, *line, {}, kStoredHere);
    } else if (leads_to(finding.detector, CauseLine::Kind::restart)) {
      place_at_restart(finding, source);
    } else if (leads_to(finding.detector, CauseLine::Kind::overwrite)) {
      place_at_overwrite(finding, source);
    } else if (leads_to(finding.detector, CauseLine::Kind::index)) {
      place_at_index(finding, source);
    }
  }
}

}  // namespace cudalabs
