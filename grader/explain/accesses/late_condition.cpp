#include "explain/accesses/late_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>

#include "explain/accesses/given_arguments.h"
#include "source/case_value.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/setting_text.h"
#include "source/statement_ends.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "do { ... } while (id < count);", of places in the code.
struct DoLoop {
  std::size_t begin = 0, body = 0, end = 0;  // of `do`, of its block, and behind that
  std::string_view condition;
};

/// Those around the place, the innermost first.
std::vector<DoLoop> do_loops_around(std::string_view code, const FunctionBody& function, std::size_t place) {
  constexpr std::size_t kMostLoops = 64;  // a text may be made to be long to read
  const StatementEnds ends(code);
  std::vector<DoLoop> found;
  std::size_t tried = 0;
  for_each_name(code.substr(function.begin, place - function.begin), [&](std::size_t at, std::string_view name) {
    const std::size_t begin = function.begin + at, body = past_spaces(code, begin + name.size());
    if (name != "do" || ++tried > kMostLoops || body >= code.size() || code[body] != '{') return;
    const std::size_t end = ends.past_bracket(body);
    if (end == kNowhere || end <= place) return;
    const std::size_t word = past_spaces(code, end), open = past_spaces(code, end_of_word(code, word));
    const bool asks = code.substr(word).starts_with("while") && open < code.size() && code[open] == '(';
    const std::size_t close = asks ? ends.past_bracket(open) : kNowhere;
    if (close != kNowhere) found.push_back({begin, body, end, code.substr(open + 1, close - open - 2)});
  });
  std::ranges::reverse(found);
  return found;
}

/// "(blockIdx.x) * blockDim.x" of "static_cast<int>(blockIdx.x) * blockDim.x", for types of 32 and 64 bits.
std::string without_casts(std::string_view text) {
  constexpr std::array<std::string_view, 8> kTypes{"int",       "unsigned",    "unsigned int", "long",
                                                   "long long", "std::size_t", "size_t",       "std::int64_t"};
  std::string result(text);
  for (const std::string_view type : kTypes) {
    for (const std::string& cast : {fmt::format("static_cast<{}>", type), fmt::format("({})", type)}) {
      for (std::size_t at = result.find(cast); at != std::string::npos; at = result.find(cast))
        result.erase(at, cast.size());
    }
  }
  return result;
}

/// "id < count", which is false: both, and their values.
struct FalseComparison {
  std::string_view text, left, right;
  std::int64_t left_value = 0, right_value = 0;
};

class LateConditions {
 public:
  LateConditions(std::string_view source, std::string_view code)
      : source_(source), code_(code), expressions_(code, {}) {}

  /// The comparison that is false for the thread of the finding before the first round of a loop around the place.
  struct Late {
    DoLoop loop;
    FalseComparison comparison;
  };
  std::optional<Late> late_at(const MergedFinding& finding, std::size_t place, const LaunchedThread& thread) const {
    const FunctionBody* const function = expressions_.around(place);
    if (function == nullptr || !expressions_.is_kernel(*function) || function->name != plain_name(finding.kernel))
      return std::nullopt;
    for (const DoLoop& loop : do_loops_around(code_, *function, place)) {
      for (const std::string_view comparison : parts_of_condition(loop.condition)) {
        if (const auto found = false_comparison(comparison, loop, *function, place, finding, thread))
          return Late{loop, *found};
      }
    }
    return std::nullopt;
  }

 private:
  /// "a < b" and "c < d" of "a < b && c < d"; none where there is an "or".
  static std::vector<std::string_view> parts_of_condition(std::string_view condition) {
    std::vector<std::string_view> parts;
    if (condition.find("||") != kNowhere || condition.find('(') != kNowhere) return parts;
    for (std::size_t begin = 0;;) {
      const std::size_t end = condition.find("&&", begin);
      parts.push_back(without_outer_spaces(condition.substr(begin, end == kNowhere ? end : end - begin)));
      if (end == kNowhere) return parts;
      begin = end + 2;
    }
  }

  std::optional<FalseComparison> false_comparison(std::string_view text, const DoLoop& loop,
                                                  const FunctionBody& function, std::size_t place,
                                                  const MergedFinding& finding, const LaunchedThread& thread) const {
    const std::size_t sign = text.find('<');
    if (sign == kNowhere || text.find('<', sign + 1) != kNowhere) return std::nullopt;
    const bool with_end = text.substr(sign).starts_with("<=");
    FalseComparison found{text, without_outer_spaces(text.substr(0, sign)),
                          without_outer_spaces(text.substr(sign + (with_end ? 2 : 1)))};
    if (!is_identifier(found.left)) return std::nullopt;
    const auto changed = changed_names(code_.substr(loop.body, place - loop.body));
    if (std::ranges::find(changed, found.left) != changed.end()) return std::nullopt;
    const auto left = first_value(found.left, loop, function, thread),
               right = given_value(found.right, finding, function, place);
    if (!left || !right || (with_end ? *left <= *right : *left < *right)) return std::nullopt;
    found.left_value = *left;
    found.right_value = *right;
    return found;
  }

  /// What the line sets it to that is the last before the loop.
  std::optional<std::int64_t> first_value(std::string_view name, const DoLoop& loop, const FunctionBody& function,
                                          const LaunchedThread& thread) const {
    const auto set = last_setting_of(source_, line_at(code_, loop.begin), name);
    const std::size_t at = set ? place_of_line(code_, set->line, set->column) : kNowhere;
    if (at == kNowhere || at <= function.begin || at >= loop.begin) return std::nullopt;
    // In a block of its own it may have been left out.
    const std::string_view between = code_.substr(at, loop.begin - at);
    if (between.find_first_of("{}") != kNowhere) return std::nullopt;
    const std::size_t sign = past_spaces(code_, at + name.size()), end = code_.find(';', at);
    if (sign >= code_.size() || code_[sign] != '=' || end == kNowhere || end >= loop.begin) return std::nullopt;
    const auto value = expressions_.of(without_casts(code_.substr(sign + 1, end - sign - 1)), set->line, function);
    if (!value || value->counted || value->text.find("gridDim") != std::string::npos) return std::nullopt;
    return value_of(*value, {}, &thread);
  }

  /// A number, or a parameter that nothing changes.
  std::optional<std::int64_t> given_value(std::string_view text, const MergedFinding& finding,
                                          const FunctionBody& function, std::size_t place) const {
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && stop == text.data() + text.size()) return number;
    const auto changed = changed_names(code_.substr(function.begin, place - function.begin));
    const auto given = numbers_given(finding, source_);
    const auto found = std::ranges::find(given, text, &NamedNumber::name);
    if (found == given.end() || std::ranges::find(changed, text) != changed.end()) return std::nullopt;
    return static_cast<std::int64_t>(found->value);
  }

  std::string_view source_, code_;
  CaseExpressions expressions_;
};

/// In all cases of the finding the kernel has blocks of the same size.
std::optional<vgpu::LaunchConfig> config_of(const MergedFinding& finding, const SubmissionRun& submission_run) {
  std::optional<vgpu::LaunchConfig> found;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!finding.is_seen_in(case_run.test.spec.name)) continue;
    for (const vgpu::LaunchCounters& launch : case_run.observed.launches) {
      if (launch.kernel != finding.kernel) continue;
      if (found && found->block != launch.config.block) return std::nullopt;
      found = launch.config;
    }
  }
  return found;
}

/// The access, or where its function is called in the kernel.
SourcePlace place_in_kernel(const MergedFinding& finding) {
  return finding.other && finding.other->role == PlaceRole::call ? finding.other->place : finding.where;
}

}  // namespace

void show_late_conditions(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run) {
  const auto may_be = [&](const MergedFinding& finding) {
    return finding.id == finding_ids::kGlobalOutOfBounds && finding.is_in_file(file) && !finding.proven &&
           !finding.right_at_first && finding.block && finding.thread;
  };
  if (source.find("do") == kNowhere || std::ranges::none_of(findings, may_be)) return;
  const std::string code = without_comments(source);
  const LateConditions conditions(source, code);
  for (MergedFinding& finding : findings) {
    const auto config = may_be(finding) ? config_of(finding, submission_run) : std::nullopt;
    const SourcePlace access = place_in_kernel(finding);
    const std::size_t place =
        config && access.file == finding.where.file ? place_of_line(code, access.line, access.column) : kNowhere;
    const auto late = place == kNowhere
                          ? std::nullopt
                          : conditions.late_at(finding, place, {*config, *finding.block, *finding.thread});
    if (!late) continue;
    const auto& [loop, comparison] = *late;
    const auto at = static_cast<std::size_t>(comparison.text.data() - code.data());
    const Setting condition = setting_at_place(code, at, comparison.text);
    finding.other = OtherPlace{
        "this is asked only after the first round", {finding.where.file, condition.line, condition.column}, {}, {}};
    const bool named = is_identifier(comparison.right);
    finding.help = fmt::format(
        "the `do` of line {} makes its first round before it asks `{}`: this thread begins with `{}` = {}{}, and comes "
        "to "
        "line {} all the same; ask before the first round, with `while` or `for`",
        line_at(code, loop.begin), comparison.text, comparison.left, comparison.left_value,
        named ? fmt::format(" where `{}` is {}", comparison.right, comparison.right_value) : std::string(),
        access.line);
    finding.proven = true;
  }
}

}  // namespace cudalabs
