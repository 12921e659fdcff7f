#include "explain/repairs/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "check/comparison.h"
#include "check/origin_place.h"
#include "explain/accesses/launch_argument.h"
#include "explain/repairs/repair_words.h"
#include "explain/suspicious_line.h"
#include "source/launch_text.h"
#include "source/named_constant.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

using vgpu::Mutant;
using vgpu::MutationKind;

/// How much a repair says: nothing in words; a factor that the launch gives, which may keep all blocks but one from
/// doing anything; such a factor of a step, which is then the step of all blocks together; a condition that is left
/// out, where another one may be meant; anything else.
int weight_of(const Mutant& mutant, bool has_words) {
  if (!has_words) return 0;
  if (mutant.kind == MutationKind::outcome) return 3;
  const bool by_launch = mutant.kind == MutationKind::factor && mutant.replacement.ends_with(".x");
  if (!by_launch) return 4;
  return mutant.original == "blockDim.x" && mutant.replacement == "gridDim.x" ? 2 : 1;
}

/// Of a line that a finding of an output was blamed on.
std::string label_of(const SourcePlace& where, std::string_view source) {
  const auto lines = text_lines(source);
  const bool copies =
      where.line > 0 && where.line <= lines.size() && lines[where.line - 1].find("Memcpy") != std::string::npos;
  if (copies) return "the result is copied to the host here";
  const bool launches =
      where.line > 0 && where.line <= lines.size() && lines[where.line - 1].find("<<<") != std::string::npos;
  return launches ? "the launch" : std::string(kStoredHere);
}

/// Two arguments of a launch, or two members of one: that all wrong results become right with these is no chance.
bool is_exchange(const Mutant& mutant) {
  return mutant.change == Mutant::Change::argument && !mutant.replacement.empty();
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

/// The same value multiplied by another number.
bool is_other_factor(const Repair& one, const Repair& other) {
  const Mutant &own = one.mutant, &its = other.mutant;
  return own.kind == MutationKind::factor && its.kind == MutationKind::factor && own.change == its.change &&
         one.where == other.where && own.original == its.original && own.replacement != its.replacement &&
         own.original_parameter == its.original_parameter && is_number(own.replacement) && is_number(its.replacement);
}

bool is_factor_of_program(const Repair& repair, std::string_view code) {
  const std::string& factor = repair.mutant.replacement;
  return is_number(factor) && factor.size() < 10 &&
         !constant_worth(code, std::stoll(factor), repair.where.line).empty();
}

/// Of several numbers that help as factors alike, only one that the program has a name for is meant; if none is, nobody
/// knows which.
std::string words_among(const Repairs& repairs, const Repair& repair, std::string_view source) {
  const bool open =
      std::ranges::any_of(repairs.all, [&](const Repair& other) { return is_other_factor(repair, other); });
  return open && !is_factor_of_program(repair, without_comments(source)) ? std::string() : words_of(repair, source);
}

/// A barrier, a brace or a bare `return`: what the compiler has moved there is not the line's.
bool computes_nothing(std::string_view source, std::uint32_t number) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (number == 0 || number > lines.size()) return true;
  const std::string_view line = without_outer_spaces(lines[number - 1]);
  return line.empty() || line == "return;" || line.find_first_not_of("{}; ") == std::string_view::npos ||
         (line.starts_with("__sync") && line.ends_with(");"));
}

}  // namespace

bool makes_grid_of_several(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const auto launch = launch_in_line(code, line);
  const auto parts = launch ? items_of(launch->configuration) : std::vector<std::string_view>();
  const std::size_t open = parts.empty() ? kNowhere : parts.front().find('(');
  if (open == kNowhere || past_bracket(parts.front(), open) != parts.front().size()) return false;
  const auto numbers = items_of(parts.front().substr(open + 1, parts.front().size() - open - 2));
  return numbers.size() > 1 && std::ranges::all_of(numbers, is_identifier);
}

bool is_right(const Mutant& mutant, const datasets::Case& test) {
  const auto bytes_of = [](const datasets::ExpectedArray& expected) {
    return static_cast<std::size_t>(expected.elements()) * datasets::size_in_bytes(expected.type);
  };
  return std::ranges::all_of(test.expected, [&](const datasets::ExpectedArray& expected) {
    const std::size_t bytes = bytes_of(expected);
    // Outputs of one size may come in any order.
    auto alike = std::ranges::count(test.expected, bytes, bytes_of);
    return bytes == 0 || std::any_of(mutant.results.rbegin(), mutant.results.rend(), [&](const auto& result) {
             return result.size() == bytes && alike-- > 0 &&
                    compare({expected.name, expected.type, expected.shape, result}, expected).right();
           });
  });
}

const Repair* best_repair(const Repairs& repairs, std::string_view source) {
  std::map<std::uint32_t, std::size_t> in_line;
  for (const Repair& repair : repairs.all) ++in_line[repair.where.line];
  const auto work = [](const Repair& repair) { return repair.mutant.warp_instructions; };
  const std::uint64_t least = repairs.all.empty() ? 0 : work(*std::ranges::min_element(repairs.all, {}, work));
  const auto rank = [&](const Repair& repair) {
    const int weight = weight_of(repair.mutant, !words_among(repairs, repair, source).empty());
    const auto number = static_cast<std::int64_t>(repair.mutant.number);
    // What does the work several times over is no repair, although it makes the results right.
    const bool is_light = 5 * work(repair) <= 6 * least;
    // A loop's step comes after where it begins.
    return weight == 2 ? std::tuple(weight, is_light, std::size_t{0}, number)
                       : std::tuple(weight, is_light, in_line[repair.where.line], -number);
  };
  const auto best = std::ranges::max_element(repairs.all, {}, rank);
  return best == repairs.all.end() ? nullptr : &*best;
}

bool has_words(const Repairs& repairs, std::string_view source) {
  const Repair* repair = best_repair(repairs, source);
  return repair != nullptr && !words_among(repairs, *repair, source).empty();
}

RepairEffort effort_for_repair(const std::vector<MergedFinding>& findings) {
  if (findings.empty() || !findings.front().is_of_output()) return RepairEffort::none;
  const MergedFinding& first = findings.front();
  if (first.reach != Reach::unsaid) return RepairEffort::likely;
  return leads_nowhere(first) && !first.known ? RepairEffort::all : RepairEffort::none;
}

bool show_repair(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                 const SubmissionRun& submission_run, bool explained) {
  const Repair* repair = best_repair(submission_run.repairs, source);
  if (findings.empty() || repair == nullptr || !repair->where.known()) return false;
  MergedFinding& finding = findings.front();
  if (!finding.is_of_output() || finding.proven || (finding.where.known() && !finding.is_in_file(file))) return false;
  const std::string words = words_among(submission_run.repairs, *repair, source);
  SourcePlace place = repair->where;
  if (is_exchange(repair->mutant)) {
    const auto set = setting_of_argument(source, place.line, repair->mutant.original_parameter.value_or(0) + 1);
    if (set && repair->mutant.original_parameter == repair->mutant.replacement_parameter)
      place = {place.file, set->line, set->column};
  }
  if (words.empty() && (finding.known || computes_nothing(source, repair->where.line))) return false;
  const bool exchanges_arguments =
      is_exchange(repair->mutant) && repair->mutant.original_parameter != repair->mutant.replacement_parameter;
  if (exchanges_arguments && finding.id == finding_ids::kUnwrittenOutput &&
      makes_grid_of_several(source, repair->where.line)) {
    return false;
  }
  const bool other_line = finding.where.known() && finding.where.line != place.line;
  const bool is_code = repair->mutant.change == Mutant::Change::code || is_exchange(repair->mutant);
  // Of launches that leave elements out more is known than what else they might have given.
  if (!is_code && finding.id == finding_ids::kUnwrittenOutput) return false;
  if ((explained || !leads_nowhere(finding)) && (words.empty() || !is_code || !other_line)) return false;
  if (other_line) finding.other = OtherPlace{label_of(finding.where, source), finding.where, {}, {}};
  finding.where = {finding.where.known() ? finding.where.file : place.file, place.line, place.column};
  const std::uint32_t cases = submission_run.repairs.cases;
  finding.proven = !words.empty();
  const std::string become = cases == 1 ? "the wrong case becomes right"
                                        : fmt::format("all {} wrong cases that were tried become right", cases);
  if (words.empty()) {
    finding.help = Help::where_to_look(fmt::format(
        "{} when what this line computes is changed a little: look at this line, and at where its value is used",
        become));
  } else {
    finding.help = fmt::format("{}{} in this line, {}", words.starts_with("without ") ? "" : "with ", words, become);
    if (multiplies_product(*repair, source)) {
      finding.help += ": look at what it is multiplied by there";
      finding.help.scope = HelpScope::place;
    }
  }
  return true;
}

}  // namespace cudalabs
