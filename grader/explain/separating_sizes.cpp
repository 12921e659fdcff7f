// Tries each size, and each pair of sizes.
#include "explain/separating_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

#include "explain/suspicious_line.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/finding_table.h"

namespace cudalabs {
namespace {

constexpr std::size_t kFewestWrongCases = 2, kFewestRightCases = 3;

using Parameters = std::map<std::string, std::int64_t>;

std::int64_t size_of_case(const Parameters& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? 0 : found->second;
}

struct CasesBySide {
  std::vector<const Parameters*> wrong, right;
  std::set<std::string> names;
};

CasesBySide cases_by_side(const std::vector<CaseRun>& case_runs) {
  CasesBySide sides;
  for (const CaseRun& case_run : case_runs) {
    if (case_run.test.spec.faults.any() || case_run.judged().unknown) continue;
    const Parameters& parameters = case_run.test.spec.parameters;
    (case_run.is_wrong() ? sides.wrong : sides.right).push_back(&parameters);
    for (const auto& [name, value] : parameters) sides.names.insert(name);
  }
  return sides;
}

using Holds = std::function<bool(const Parameters&)>;

/// At least `kFewestRightCases` cases are right for each of the two reasons that there may be.
bool separates(const CasesBySide& sides, const Holds& broken, const Holds& asked) {
  const auto both = [&](const Parameters* parameters) { return broken(*parameters) && asked(*parameters); };
  const auto without = [&](const Parameters* parameters) { return !broken(*parameters); };
  return std::ranges::all_of(sides.wrong, both) && std::ranges::none_of(sides.right, both) &&
         static_cast<std::size_t>(std::ranges::count_if(sides.right, without)) >= kFewestRightCases;
}

/// "float4" -> 4; 0: it is no such type.
std::int64_t elements_of(std::string_view type) {
  constexpr std::array<std::string_view, 9> kBases{"float", "double", "int",    "uint",    "char",
                                                   "uchar", "short",  "ushort", "longlong"};
  if (type.size() < 2 || (type.back() != '2' && type.back() != '4')) return 0;
  const std::string_view base = type.substr(0, type.size() - 1);
  return std::ranges::find(kBases, base) != kBases.end() ? type.back() - '0' : 0;
}

/// The first vector type in the function around the line, its head included; empty: there is none.
std::string vector_type_around(std::string_view code, std::uint32_t line) {
  const auto function = function_around_line(code, line);
  if (!function) return {};
  std::string found;
  const auto look_at = [&](std::string_view text) {
    for_each_name(text, [&](std::size_t, std::string_view name) {
      if (found.empty() && elements_of(name) != 0) found = name;
    });
  };
  for (const std::string& parameter : function->parameters) look_at(parameter);
  look_at(code.substr(function->begin, function->end - function->begin));
  return found;
}

/// The host asks for the other size alone.
void show_question(MergedFinding& finding, std::string_view code, const SeparatingSizes& sizes) {
  const std::uint32_t line = only_question_for_rest(code, sizes.divisor);
  if (line == 0) return;
  const std::string_view text = text_lines(code)[line - 1];
  if (!has_name(text, sizes.other) || has_name(text, sizes.size)) return;
  finding.other = OtherPlace{fmt::format("this asks for `{}`, and not for `{}`", sizes.other, sizes.size),
                             {finding.where.file, line, 0},
                             {},
                             {}};
}

bool may_come_of_sizes(const MergedFinding& finding) {
  if (finding.severity != Severity::error) return false;
  if (finding.id == finding_ids::kResultMismatch) return leads_nowhere(finding);
  return finding.id == finding_ids::kUnwrittenOutput || is_of(finding.id, FindingGroup::memory_errors);
}

}  // namespace

std::uint32_t only_question_for_rest(std::string_view code, std::int64_t divisor) {
  const std::vector<BodyPlace> bodies = body_places(code);
  const std::string digits = std::to_string(divisor);
  std::size_t found = std::string_view::npos;
  for (std::size_t at = code.find('%'); at != std::string_view::npos; at = code.find('%', at + 1)) {
    const std::size_t number = past_spaces(code, at + 1);
    const bool asks = bodies[at].inside && !bodies[at].device && code.substr(number).starts_with(digits) &&
                      end_of_word(code, number) == number + digits.size();
    if (!asks) continue;
    if (found != std::string_view::npos && code.substr(found, at - found).find('\n') != std::string_view::npos)
      return 0;
    found = at;
  }
  return found == std::string_view::npos ? 0 : line_at(code, found);
}

std::optional<SeparatingSizes> separating_sizes(const std::vector<CaseRun>& case_runs, std::int64_t divisor) {
  const CasesBySide sides = cases_by_side(case_runs);
  if (divisor < 2 || sides.wrong.size() < kFewestWrongCases) return std::nullopt;
  const auto is_multiple = [divisor](const std::string& name) {
    return [&name, divisor](const Parameters& parameters) { return size_of_case(parameters, name) % divisor == 0; };
  };
  const Holds always = [](const Parameters&) { return true; };
  for (const std::string& size : sides.names) {
    if (separates(sides, std::not_fn(is_multiple(size)), always)) return SeparatingSizes{size, {}, divisor};
  }
  for (const std::string& size : sides.names) {
    for (const std::string& other : sides.names) {
      if (size != other && separates(sides, std::not_fn(is_multiple(size)), is_multiple(other)))
        return SeparatingSizes{size, other, divisor};
    }
  }
  return std::nullopt;
}

void show_separating_sizes(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                           const SubmissionRun& submission_run) {
  if (findings.empty() || !may_come_of_sizes(findings.front()) || !findings.front().is_in_file(file)) return;
  MergedFinding& finding = findings.front();
  const std::string code = without_comments(source);
  const std::string type = vector_type_around(code, finding.where.line);
  const auto sizes = type.empty() ? std::nullopt : separating_sizes(submission_run.case_runs, elements_of(type));
  if (!sizes) return;
  const std::string fact = fmt::format(
      "wrong are just the cases in which `{}` is no multiple of {}{}", sizes->size, sizes->divisor,
      sizes->other.empty() ? "" : fmt::format(", while `{}` is a multiple of {}", sizes->other, sizes->divisor));
  finding.note.insert(0, fact + "\n");
  if (finding.launch.argument != 0) return;  // what it says is nearer to the line
  finding.help = fmt::format(
      "`{0}` takes {1} elements at a time: use it only where `{2} % {1} == 0`, and take one element at a time "
      "elsewhere, "
      "or for what is left over",
      type, sizes->divisor, sizes->size);
  if (!sizes->other.empty()) show_question(finding, code, *sizes);
}

}  // namespace cudalabs
