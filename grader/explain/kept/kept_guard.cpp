#include "explain/kept/kept_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "explain/kept/static_variables.h"
#include "source/condition_text.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/enumeration.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "return;", "{ return true; }"
bool returns_at_once(std::string_view body) {
  std::size_t at = past_spaces(body, 0);
  if (at < body.size() && body[at] == '{') at = past_spaces(body, at + 1);
  return body.substr(at, end_of_word(body, at) - at) == "return";
}

/// "`width` and `height`": numbers that the function is given, and that its condition does not ask for by name.
std::string unasked_numbers(std::string_view code, const Setting& guard) {
  const auto function = function_around_line(code, guard.line);
  const std::size_t place = place_of_line(code, guard.line, guard.column);
  if (!function || place == kNowhere) return {};
  std::vector<std::string> names;
  for (const ConditionText& condition : conditions_of(code)) {
    if (condition.begin != place) continue;
    for (const std::string& parameter : function->parameters)
      if (is_number_parameter(parameter) && !has_name(condition.condition, parameter_name(parameter)))
        names.push_back(parameter_name(parameter));
  }
  return names.empty() ? std::string() : enumeration_of_names(names);
}

void show_guard(MergedFinding& finding, const Setting& guard, std::string_view code, const std::string& file) {
  const bool moved = finding.other && finding.other->role == PlaceRole::second_call;
  const SourcePlace place{finding.where.known() ? finding.where.file : file, guard.line, guard.column};
  if (!moved && finding.where.known() && finding.where.line != guard.line) {
    finding.other = OtherPlace{"the second call goes wrong here", finding.where, finding.block, finding.thread,
                               PlaceRole::second_call};
    finding.block.reset();
    finding.thread.reset();
    finding.count = 1;  // of conditions
  }
  finding.where = place;
  finding.kernel.clear();  // the condition is in a function of the host
  const std::string unasked = unasked_numbers(code, guard);
  finding.help =
      unasked.empty()
          ? fmt::format(
                "compare everything here that this call depends on, and make again what was freed or has changed: the "
                "condition decides by `{}` of the call before that there is nothing to do",
                guard.names.front())
          : fmt::format(
                "compare {} here: the condition decides by `{}` of the call before alone that there is nothing to do",
                unasked, guard.names.front());
}

}  // namespace

std::optional<Setting> only_kept_guard(std::string_view source) {
  const std::string code = without_comments(source);
  const std::set<std::string_view> kept = static_variables(code);
  if (kept.empty()) return std::nullopt;
  const std::vector<BodyPlace> bodies = body_places(code);
  std::optional<Setting> found;
  for (const ConditionText& condition : conditions_of(code)) {
    if (bodies[condition.begin].device) continue;
    if (!returns_at_once(std::string_view(code).substr(condition.body, condition.end_of_body - condition.body)))
      continue;
    Setting here = setting_at_place(code, condition.begin, "if", Setting::How::asked);
    here.names.clear();
    bool compares = false;
    for_each_name(condition.condition, [&](std::size_t, std::string_view name) {
      compares = compares || !kept.contains(name);
      if (kept.contains(name) && here.names.empty()) here.names.emplace_back(name);
    });
    if (here.names.empty() || !compares) continue;
    if (found) return std::nullopt;
    found = std::move(here);
  }
  return found;
}

void show_kept_guards(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  const auto is_meant = [&](const MergedFinding& finding) {
    return finding.right_at_first && !finding.access.kept && (!finding.where.known() || finding.is_in_file(file)) &&
           !finding.help.advises(Advice::no_static_value);
  };
  if (std::ranges::none_of(findings, is_meant)) return;
  const auto guard = only_kept_guard(source);
  if (!guard) return;
  const std::string code = without_comments(source);
  for (MergedFinding& finding : findings)
    if (is_meant(finding)) show_guard(finding, *guard, code, file);
}

}  // namespace cudalabs
