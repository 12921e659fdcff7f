// The grid is followed back by the names in it, and each division is computed in the cases.
#include "explain/places/dropped_count.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>

#include "explain/places/grid_division.h"
#include "source/called_functions.h"
#include "source/case_value.h"
#include "source/launch_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "n / 2", and the variable that holds it, or empty.
struct DroppedCount {
  WholeDivision division;
  std::string_view name;
};

/// What the grid of one launch depends on.
class GridCounts {
 public:
  GridCounts(std::string_view code, const CaseExpressions& expressions, const FunctionBody& function)
      : code_(code), expressions_(expressions), function_(function) {}

  /// All divisions in the expression, by way of variables that are set once.
  void read(std::string_view text, std::string_view name, int steps) {
    constexpr int kMostSteps = 4;
    constexpr std::size_t kMostRead = 32;  // a text may be made to be long to read
    if (steps > kMostSteps || ++read_ > kMostRead) return;
    if (const auto division = whole_division(code_, text)) {
      found_.push_back({*division, name});
      return;
    }
    add_arguments(text);
    for_each_name(text, [&](std::size_t at, std::string_view word) {
      const std::size_t behind = past_spaces(text, at + word.size());
      const bool called = behind < text.size() && text[behind] == '(';
      const auto setting =
          called || !seen_.insert(word).second ? std::nullopt : expressions_.only_setting(word, function_);
      if (setting) read(setting->value, word, steps + 1);
      if (!called && !setting) read_dim3(word, steps);
    });
  }

  const std::vector<DroppedCount>& found() const { return found_; }

 private:
  /// Of "dim3 grid(blocks_for(pairs), 1);" in the function.
  void read_dim3(std::string_view name, int steps) {
    const std::string_view body = code_.substr(function_.begin, function_.end - function_.begin);
    std::vector<std::string_view> extents;
    for_each_name(body, [&](std::size_t at, std::string_view word) {
      const std::size_t open = past_spaces(body, at + word.size());
      const bool opens = open < body.size() && (body[open] == '(' || body[open] == '{');
      if (word != name || !opens || word_before(body, at) != "dim3") return;
      const std::size_t end = past_bracket(body, open);
      if (end != kNowhere) extents = items_of(body.substr(open + 1, end - open - 2));
    });
    for (const std::string_view extent : extents) read(extent, {}, steps + 1);
  }

  /// Of "blocks_for(n / 2)", where the function is of the source.
  void add_arguments(std::string_view text) {
    text = without_outer_spaces(text);
    const std::size_t open = end_of_word(text, 0);
    if (open == 0 || open >= text.size() || text[open] != '(' || past_bracket(text, open) != text.size()) return;
    for (const std::string_view argument : items_of(text.substr(open + 1, text.size() - open - 2)))
      if (const auto division = whole_division(code_, argument)) found_.push_back({*division, {}});
  }

  std::string_view code_;
  const CaseExpressions& expressions_;
  const FunctionBody& function_;
  std::set<std::string_view> seen_;
  std::vector<DroppedCount> found_;
  std::size_t read_ = 0;
};

/// The division gives 0 in all cases of the finding, where what is divided is not 0.
bool is_dropped(const DroppedCount& count, std::string_view code, const CaseExpressions& expressions,
                const FunctionBody& function, const MergedFinding& finding, const SubmissionRun& submission_run) {
  const std::uint32_t line = line_at(code, static_cast<std::size_t>(count.division.text.data() - code.data()));
  const auto whole = expressions.of(count.division.text, line, function),
             dividend = expressions.of(count.division.dividend, line, function);
  if (!whole || !dividend) return false;
  bool seen = false;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!finding.is_seen_in(case_run.test.spec.name)) continue;
    const auto& sizes = case_run.test.spec.parameters;
    const auto value = value_of(*whole, sizes, nullptr), of = value_of(*dividend, sizes, nullptr);
    if (value != 0 || of.value_or(0) <= 0) return false;
    seen = true;
  }
  return seen;
}

/// 2 and more.
std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [past, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc() && past == end && number > 1 ? std::optional(number) : std::nullopt;
}

/// The text does what the division leaves over elsewhere: "n % 4", "n & 3", "4 * quads", "n / 4 * 4".
bool does_the_rest(std::string_view code, const DroppedCount& count) {
  const std::string blank = without_blanks(code);
  const auto& [text, dividend, divisor] = count.division;
  const auto has = [&](std::string_view left, std::string_view sign, std::string_view right) {
    return blank.find(fmt::format("{}{}{}", left, sign, right)) != std::string::npos;
  };
  const std::string whole = without_blanks(text), bracketed = fmt::format("({})", whole);
  const auto multiplies = [&](std::string_view value) { return has(value, "*", divisor) || has(divisor, "*", value); };
  const auto number = number_of(divisor);
  return has(dividend, "%", divisor) || (number && has(dividend, "&", std::to_string(*number - 1))) ||
         multiplies(whole) || multiplies(bracketed) || (!count.name.empty() && multiplies(count.name));
}

/// "(n + 1) / 2"
std::string rounded_up(const WholeDivision& division) {
  if (const auto number = number_of(division.divisor))
    return fmt::format("({} + {}) / {}", division.dividend, *number - 1, *number);
  return fmt::format("({0} + {1} - 1) / {1}", division.dividend, division.divisor);
}

/// The kernel itself does the rest, after the whole parts: it needs a block also where there are no such parts.
bool kernel_does_the_rest(std::string_view code, std::string_view kernel, const DroppedCount& count) {
  return std::ranges::any_of(functions_reached_from(code, kernel), [&](const FunctionBody& body) {
    return does_the_rest(code.substr(body.begin, body.end - body.begin), count);
  });
}

void show(MergedFinding& finding, std::string_view code, std::string_view kernel, const DroppedCount& count) {
  const auto place = static_cast<std::size_t>(count.division.text.data() - code.data());
  const Setting where = setting_at_place(code, place, count.division.text);
  finding.other.reset();
  const std::string text(count.division.text);
  if (where.line != finding.where.line)
    finding.other = OtherPlace{
        fmt::format("`{}` is rounded down here", text), {finding.where.file, where.line, where.column}, {}, {}};
  if (does_the_rest(code, count)) {
    const std::string_view zero = count.name.empty() ? count.division.text : count.name;
    if (kernel_does_the_rest(code, kernel, count)) {
      finding.help = fmt::format(
          "`{}` is 0 where there are few elements, and `{}` does what is left over, too: launch at least 1 block of it",
          zero, kernel);
      return;
    }
    finding.help = fmt::format(
        "`{0}` is 0 where there are few elements, and this kernel has nothing to do then: launch it only where `{0} > "
        "0`",
        zero);
    return;
  }
  const std::string after = rounded_up(count.division);
  finding.help = fmt::format(
      "{}`{}` drops what is left over: round it up, `{}`. At least 1 block alone would not do: of larger sizes, too, "
      "what is left over is lost",
      count.name.empty() ? "" : fmt::format("`{}` is 0 here, as ", count.name), text, after);
  finding.proposed = ProposedChange{where.line, where.column, text, after};
}

}  // namespace

void show_dropped_counts(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    const bool open = finding.id == finding_ids::kInvalidLaunch && finding.is_in_file(file) && !finding.proven &&
                      finding.help.advises(Advice::check_grid_division);
    if (!open) continue;
    const std::string code = without_comments(source);
    const auto launch = launch_in_line(code, finding.where.line);
    const auto configuration = launch ? items_of(launch->configuration) : std::vector<std::string_view>();
    if (configuration.empty()) continue;
    std::set<std::string> sizes;
    for (const CaseRun& case_run : submission_run.case_runs)
      for (const auto& [name, size] : case_run.test.spec.parameters) sizes.insert(name);
    const CaseExpressions expressions(code, std::move(sizes));
    const FunctionBody* const function =
        expressions.around(static_cast<std::size_t>(configuration.front().data() - code.data()));
    if (function == nullptr) continue;
    GridCounts counts(code, expressions, *function);
    counts.read(configuration.front(), {}, 0);
    std::optional<DroppedCount> only;
    bool several = false;
    for (const DroppedCount& count : counts.found()) {
      if (!is_dropped(count, code, expressions, *function, finding, submission_run)) continue;
      several = several || (only && only->division.text.data() != count.division.text.data());
      only = count;
    }
    if (only && !several) show(finding, code, plain_name(finding.kernel), *only);
  }
}

}  // namespace cudalabs
