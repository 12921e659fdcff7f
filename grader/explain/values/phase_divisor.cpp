// What the text says of the two numbers is held against the values of all cases.
#include "explain/values/phase_divisor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>

#include "check/tolerance.h"
#include "source/case_value.h"
#include "source/counting_loop.h"
#include "source/loop_text.h"
#include "source/template_argument.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::string_view kInnerSize = "n";

/// A number of the source: "C::BK", where it stands, and what it is worth.
struct NumberText {
  std::string_view text;
  std::size_t sign = 0;  // the place in the code of the operator that it belongs to
  std::int64_t value = 0;
};

/// The loop over the phases.
struct PhaseLoop {
  CaseExpression phases;
  NumberText divisor, step;
};

/// "C::BK" is one word here.
bool is_scoped_letter(std::string_view text, std::size_t at) {
  return at < text.size() && (is_word_letter(text[at]) || text.substr(at).starts_with("::") ||
                              (at > 0 && text.substr(at - 1).starts_with("::")));
}

/// The name or number behind `at`; empty: something else stands there, or more of a product comes behind it.
std::string_view factor_behind(std::string_view text, std::size_t at) {
  const std::size_t begin = past_spaces(text, at);
  std::size_t end = begin;
  while (is_scoped_letter(text, end)) ++end;
  const std::size_t next = past_spaces(text, end);
  const bool goes_on = next < text.size() && std::string_view("*/%.([-<").find(text[next]) != kNowhere &&
                       (text[next] != '-' || text.substr(next).starts_with("->")) &&
                       (text[next] != '<' || text.substr(next).starts_with("<<"));
  return goes_on ? std::string_view() : text.substr(begin, end - begin);
}

/// Likewise, before `at`.
std::string_view factor_before(std::string_view text, std::size_t at) {
  const std::size_t last = before_spaces(text, at);
  if (last == kNowhere || !is_word_letter(text[last])) return {};
  std::size_t begin = last;
  while (begin > 0 && is_scoped_letter(text, begin - 1)) --begin;
  const std::size_t before = before_spaces(text, begin);
  const bool goes_on = before != kNowhere && std::string_view("*/%.>").find(text[before]) != kNowhere;
  return goes_on ? std::string_view() : text.substr(begin, last + 1 - begin);
}

class PhaseReader {
 public:
  PhaseReader(std::string_view code, std::set<std::string> sizes) : code_(code), expressions_(code, std::move(sizes)) {}

  /// The only one of the kernel.
  std::optional<PhaseLoop> only_loop(const std::string& kernel) const {
    return expressions_.only_loop(plain_name(kernel), [&](const LoopText& loop, const FunctionBody& function) {
      return read(loop, function, kernel);
    });
  }

 private:
  std::optional<PhaseLoop> read(const LoopText& loop, const FunctionBody& function, const std::string& kernel) const {
    const auto count = counting_loop(code_, loop);
    if (!count || !count->upwards || count->with_end || count->first != "0" || count->step != "1") return std::nullopt;
    const auto set = is_identifier(count->end) ? expressions_.only_setting(count->end, function) : std::nullopt;
    const std::string_view bound = set ? set->value : count->end;
    const std::uint32_t line = set ? set->line : loop.line;
    const std::size_t sign = bound.find('/');
    if (sign == kNowhere || bound.find('/', sign + 1) != kNowhere) return std::nullopt;
    const auto divisor = number(factor_behind(bound, sign + 1), sign + place_of(bound), line, function, kernel);
    const auto step = divisor ? step_of(loop, count->counter, function, kernel) : std::nullopt;
    auto phases = expressions_.of(with_template_numbers(code_, kernel, bound), line, function);
    if (!step || step->value >= divisor->value || !phases || phases->counted || !has_name(phases->text, kInnerSize))
      return std::nullopt;
    return PhaseLoop{*std::move(phases), *divisor, *step};
  }

  std::size_t place_of(std::string_view part) const { return static_cast<std::size_t>(part.data() - code_.data()); }

  std::optional<NumberText> number(std::string_view text, std::size_t sign, std::uint32_t line,
                                   const FunctionBody& function, const std::string& kernel) const {
    if (text.empty()) return std::nullopt;
    const auto expression = expressions_.of(with_template_numbers(code_, kernel, text), line, function);
    const auto value = expression && !expression->counted ? value_of(*expression, {}, nullptr) : std::nullopt;
    return value && *value > 0 ? std::optional(NumberText{text, sign, *value}) : std::nullopt;
  }

  /// What the loop multiplies its counter by; nothing: it does not, or by several numbers.
  std::optional<NumberText> step_of(const LoopText& loop, std::string_view counter, const FunctionBody& function,
                                    const std::string& kernel) const {
    constexpr std::size_t kMostFactors = 8;
    const std::string_view body = code_.substr(loop.body, loop.end - loop.body);
    std::vector<NumberText> factors;
    std::size_t unknown = 0, tried = 0;
    for_each_name(body, [&](std::size_t at, std::string_view name) {
      if (name != counter || ++tried > kMostFactors) return;
      const std::size_t behind = past_spaces(body, at + name.size()), before = before_spaces(body, at);
      std::string_view text;
      std::size_t sign = behind;
      if (body.substr(behind).starts_with('*')) {
        text = factor_behind(body, behind + 1);
      } else if (before != kNowhere && body[before] == '*') {
        sign = before;
        text = factor_before(body, before);
      } else {
        return;
      }
      const std::size_t place = loop.body + sign;
      const auto factor = number(text, place, line_at(code_, place), function, kernel);
      if (factor)
        factors.push_back(*factor);
      else
        ++unknown;
    });
    const bool one =
        std::ranges::all_of(factors, [&](const NumberText& factor) { return factor.value == factors.front().value; });
    return !factors.empty() && one && unknown == 0 && tried <= kMostFactors ? std::optional(factors.front())
                                                                            : std::nullopt;
  }

  std::string_view code_;
  CaseExpressions expressions_;
};

/// The products that the phases take, and those that there are.
struct Products {
  std::int64_t taken = 0, all = 0, phases = 0;
};

std::optional<Products> products_in(const PhaseLoop& loop, const CaseRun& case_run) {
  const auto& sizes = case_run.test.spec.parameters;
  const auto size = sizes.find(std::string(kInnerSize));
  const auto phases = value_of(loop.phases, sizes, nullptr);
  if (size == sizes.end() || !phases || *phases < 0 || *phases > size->second) return std::nullopt;
  return Products{*phases * loop.step.value, size->second, *phases};
}

/// The operand of that name, where it has the shape.
const datasets::Array* operand(const datasets::Case& test, std::string_view name, std::int64_t rows,
                               std::int64_t columns) {
  const auto found = std::ranges::find(test.inputs, name, &datasets::Array::name);
  const bool fits = found != test.inputs.end() && found->type == datasets::ElementType::f32 &&
                    found->shape == std::vector{rows, columns} &&
                    found->data.size() == static_cast<std::size_t>(rows * columns) * sizeof(float);
  return fits ? &*found : nullptr;
}

double element_of(const datasets::Array& array, std::int64_t index) {
  float value = 0;
  std::memcpy(&value, array.data.data() + static_cast<std::size_t>(index) * sizeof value, sizeof value);
  return value;
}

/// Wrong elements, some spread over the output, are the sums of the first products. False where it is no product.
bool stops_after(const Comparison& comparison, const datasets::Case& test, const Products& products) {
  constexpr std::int64_t kMostElements = 64, kMostProducts = 4096;
  if (comparison.misfit || comparison.shape.size() != 2 || products.taken > kMostProducts) return false;
  const auto [rows, columns] = comparison.grid();
  const datasets::Array* const a = operand(test, "a", rows, products.all);
  const datasets::Array* const b = operand(test, "b", products.all, columns);
  if (a == nullptr || b == nullptr) return false;
  const std::int64_t apart = std::max<std::int64_t>(1, comparison.elements() / kMostElements);
  bool some = false;
  for (std::int64_t index = 0; index < comparison.elements(); index += apart) {
    const Fault fault = comparison.fault[static_cast<std::size_t>(index)];
    if (fault != Fault::wrong && fault != Fault::none) return false;
    double sum = 0;
    for (std::int64_t k = 0; k < products.taken; ++k)
      sum += element_of(*a, index / columns * products.all + k) * element_of(*b, k * columns + index % columns);
    const Element element = comparison.at(index);
    if (!within(element.got, sum, element.bound)) return false;
    some = some || fault == Fault::wrong;
  }
  return some;
}

bool stops_after(const CaseRun& case_run, const std::string& output, const Products& products) {
  const std::vector<Comparison>& comparisons = case_run.judged().comparisons;
  const auto comparison = std::ranges::find(comparisons, output, &Comparison::name);
  return comparison != comparisons.end() && stops_after(*comparison, case_run.test, products);
}

/// The wrong cases, at least two, stop after these products, and the right ones need no more.
bool explains(const PhaseLoop& loop, const MergedFinding& finding, const SubmissionRun& submission_run) {
  constexpr std::size_t kFewestOfThem = 2;
  std::size_t wrong = 0;
  for (const CaseRun& case_run : submission_run.case_runs) {
    const bool own = !finding.cases.empty() && finding.is_seen_in(case_run.test.spec.name);
    const bool counts =
        case_run.judgement && !case_run.test.spec.faults.any() && !case_run.judged().comparisons.empty();
    if (!counts || (!own && case_run.is_wrong())) continue;
    const auto products = products_in(loop, case_run);
    if (!products || (products->taken < products->all) != own) return false;
    if (own && !stops_after(case_run, finding.output, *products)) return false;
    wrong += own ? 1 : 0;
  }
  return wrong >= kFewestOfThem;
}

/// "16": the number's text says it itself; else "`C::BK` = 16".
std::string number_in_words(const NumberText& number) {
  const std::string value = std::to_string(number.value);
  return number.text == value ? value : fmt::format("`{}` = {}", number.text, value);
}

/// Of a case that may be shown.
std::string sum_in_words(const PhaseLoop& loop, const MergedFinding& finding, const SubmissionRun& submission_run) {
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (case_run.test.spec.name != finding.shown || case_run.test.spec.hidden) continue;
    if (const auto products = products_in(loop, case_run))
      return fmt::format(": {} phase{} of {} do{} not cover n = {}", products->phases, products->phases == 1 ? "" : "s",
                         loop.step.value, products->phases == 1 ? "es" : "", products->all);
  }
  return {};
}

SourcePlace place_in(std::string_view code, std::size_t at, const std::string& file) {
  const std::uint32_t line = line_at(code, at);
  const auto begin = static_cast<std::size_t>(text_lines(code)[line - 1].data() - code.data());
  return {file, line, static_cast<std::uint32_t>(at - begin) + 1};
}

}  // namespace

void show_phase_divisors(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run) {
  const auto is_open = [&](const MergedFinding& finding) {
    return finding.is_of_values() && !finding.proven && !finding.right_at_first && !finding.kernel.empty() &&
           finding.is_in_file(file) && !finding.detector.starts_with("product_sums_");
  };
  if (std::ranges::none_of(findings, is_open)) return;
  const std::string code = without_comments(source);
  std::set<std::string> sizes;
  for (const CaseRun& case_run : submission_run.case_runs)
    for (const auto& [name, size] : case_run.test.spec.parameters) sizes.insert(name);
  const PhaseReader reader(code, std::move(sizes));
  for (MergedFinding& finding : findings) {
    const auto loop = is_open(finding) ? reader.only_loop(finding.kernel) : std::nullopt;
    if (!loop || !explains(*loop, finding, submission_run)) continue;
    finding.other = OtherPlace{fmt::format("a phase goes on by {}", number_in_words(loop->step)),
                               place_in(code, loop->step.sign, finding.where.file),
                               {},
                               {}};
    finding.where = place_in(code, loop->divisor.sign, finding.where.file);
    finding.help = fmt::format(
        "n is divided by {} here, but a phase takes {} products{}, and the sums stop too early; divide by what a phase "
        "takes",
        number_in_words(loop->divisor), number_in_words(loop->step), sum_in_words(*loop, finding, submission_run));
    finding.proven = true;
  }
}

}  // namespace cudalabs
