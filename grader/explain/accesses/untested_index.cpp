// What names of the index and of the conditions come from: numbers of threads and blocks.
#include "explain/accesses/untested_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "explain/accesses/subscript_text.h"
#include "source/choice_text.h"
#include "source/counting_loop.h"
#include "source/function_head.h"
#include "source/function_text.h"
#include "source/launch_gates.h"
#include "source/loop_text.h"
#include "source/source_number.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::size_t kLongestLine = 500, kMostNames = 24;
constexpr int kDeepestName = 6;

using Numbers = std::set<std::string>;  // "threadIdx.y"

/// Adds what the text is computed from of the numbers of threads and blocks; false where that is not known.
bool add_numbers(std::string_view text, std::uint32_t line, const SourceNumbers& settings, Numbers& numbers,
                 std::size_t& read, int depth = 0) {
  bool known = depth <= kDeepestName;
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    if (!known || ++read > kMostNames) {
      known = false;
      return;
    }
    const std::size_t end = at + name.size();
    if (name == "threadIdx" || name == "blockIdx") {
      numbers.insert(fmt::format("{}{}", name, text.substr(end, 2)));
      return;
    }
    const auto set = settings.setting_of(name, line);
    if (set && set->line <= line) known = add_numbers(set->value, set->line, settings, numbers, read, depth + 1);
  });
  return known;
}

Numbers numbers_of(std::string_view text, std::uint32_t line, const SourceNumbers& settings) {
  Numbers numbers;
  std::size_t read = 0;
  if (!add_numbers(text, line, settings, numbers, read)) numbers.clear();
  return numbers;
}

/// What a name is held against in "i < n", up to the end of the condition or of its part: no more than the name is
/// asked for. Empty: it is not.
std::string_view bound_of_name_alone(std::string_view condition, std::string_view name) {
  std::string_view bound;
  for_each_name(condition, [&](std::size_t at, std::string_view word) {
    const std::size_t sign = at + word.size();
    // "if (i >= n) return;"
    const bool below = condition.substr(std::min(sign, condition.size())).starts_with('<');
    if (word != name || !(below || condition.substr(sign).starts_with(">="))) return;
    if (at > 0 && std::string_view("+-*/%").find(condition[at - 1]) != kNowhere) return;
    const std::size_t begin = sign + (below ? 1 : 2), end = end_of_word(condition, begin);
    const char next = end < condition.size() ? condition[end] : '&';
    if (end > begin && (next == '&' || next == ')' || (!below && next == '|')))
      bound = condition.substr(begin, end - begin);
  });
  return bound;
}

/// The counters of the loops around the place that count up from 0.
std::set<std::string_view> counters_around(std::string_view code, const FunctionBody& function, std::size_t place) {
  std::set<std::string_view> counters;
  for (const LoopText& loop : loops_of(code)) {
    const bool around = function.begin <= loop.begin && loop.body <= place && place < loop.end;
    const auto counts = around ? counting_loop(code, loop) : std::nullopt;
    if (counts && counts->upwards && counts->first == "0") counters.insert(counts->counter);
  }
  return counters;
}

/// Names and numbers of "TILE" and "i*LINES", which begins the text; empty: something else does.
std::vector<std::string_view> factors_of(std::string_view text) {
  std::vector<std::string_view> factors;
  for (std::size_t at = 0;; ++at) {
    std::size_t end = end_of_word(text, at);
    if (end == at) return {};
    const std::string_view word = text.substr(at, end - at);
    if ((word == "blockDim" || word == "gridDim") && end + 1 < text.size() && text[end] == '.') end += 2;
    factors.push_back(text.substr(at, end - at));
    if (end < text.size() && std::string_view("/%([.").find(text[end]) != kNowhere) return {};
    if (end >= text.size() || text[end] != '*') return factors;
    at = end;
  }
}

/// What is known where the access is.
struct AroundAccess {
  std::string_view conditions;  // without blanks, each with "&&" behind it
  std::uint32_t line = 0;
  const SourceNumbers& settings;
  const std::set<std::string_view>& counters;  // of loops around it
  std::vector<std::string> template_numbers;   // "THREADS"

  bool may_add(std::string_view factor, bool by_product = true) const {
    return counters.contains(factor) || factor.find("Dim.") != kNowhere ||
           std::ranges::find(template_numbers, factor) != template_numbers.end() ||
           settings.value(factor, line, nullptr).value_or(0) > 0 || (by_product && is_set_to_product(factor));
  }

 private:
  /// "dy", which is set to "i * LINES".
  bool is_set_to_product(std::string_view name) const {
    const auto set = settings.setting_of(name, line);
    if (!set || set->line > line || set->value.size() > kLongestLine) return false;
    const std::string value = without_blanks(set->value);
    const std::vector<std::string_view> factors = factors_of(value);
    return !factors.empty() && fmt::format("{}", fmt::join(factors, "*")) == value &&
           std::ranges::all_of(factors, [&](std::string_view factor) { return may_add(factor, false); });
  }
};

/// "row + TILE", where `row` alone is asked for: what is added is a number, or a constant of the source, or that times
/// what a loop counts up from 0.
std::optional<UntestedPart> part_past_tested(std::string_view index, const AroundAccess& around) {
  std::optional<UntestedPart> found;
  for_each_name(index, [&](std::size_t at, std::string_view name) {
    const std::size_t sign = at + name.size();
    const bool alone = at == 0 || std::string_view("*/%-").find(index[at - 1]) == kNowhere;
    if (found || !alone || sign >= index.size() || index[sign] != '+') return;
    const std::vector<std::string_view> factors = factors_of(index.substr(sign + 1));
    const bool adds = !factors.empty() &&
                      std::ranges::all_of(factors, [&](std::string_view factor) { return around.may_add(factor); });
    if (!adds || numbers_of(name, around.line, around.settings).empty()) return;
    const std::string added = fmt::format("{}", fmt::join(factors, "*")), sum = fmt::format("{}+{}", name, added);
    if (around.conditions.find(sum) != kNowhere ||
        around.conditions.find(fmt::format("{}+{}", added, name)) != kNowhere)
      return;
    const std::string_view bound = bound_of_name_alone(around.conditions, name);
    // What is added may be whole rows of that length.
    if (bound.empty() || std::ranges::find(factors, bound) != factors.end()) return;
    found = UntestedPart{
        fmt::format("{} + {}", name, fmt::join(factors, " * ")), std::string(name), 0, {}, std::string(bound)};
  });
  return found;
}

bool is_product(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char letter) {
    return is_word_letter(letter) || letter == '*' || letter == '.';
  });
}

/// "first+k*THREADS" of "first+static_cast<unsigned>(k*THREADS)": without casts, and without brackets that change
/// nothing. `text` has no blanks.
std::string plain_sum(std::string_view text) {
  constexpr std::string_view kCast = "static_cast<";
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with(kCast)) {
      const std::size_t end = past_bracket(text, at + kCast.size() - 1);
      if (end == kNowhere) return {};
      at = end;
    }
    if (at >= text.size() || text[at] != '(') {
      if (at < text.size()) plain += text[at];
      continue;
    }
    const std::size_t end = past_bracket(text, at);
    if (end == kNowhere) return {};
    const std::string_view inner = text.substr(at + 1, end - at - 2);
    const bool is_type = inner == "int" || inner == "unsigned" || inner == "longlong" || inner == "size_t";
    const bool divides = plain.ends_with('/') || plain.ends_with('%');
    const bool is_call = !plain.empty() && is_word_letter(plain.back());
    if (!is_type) plain += is_product(inner) && !divides && !is_call ? inner : text.substr(at, end - at);
    at = end - 1;
  }
  return plain;
}

/// "i", which is set to "first + k * THREADS", where the conditions ask for `first` alone.
std::optional<UntestedPart> variable_past_tested(std::string_view index, const AroundAccess& around) {
  std::optional<UntestedPart> found;
  std::size_t read = 0;
  for_each_name(index, [&](std::size_t, std::string_view name) {
    if (found || ++read > kMostNames || has_name(around.conditions, name)) return;
    const auto set = around.settings.setting_of(name, around.line);
    if (!set || set->line > around.line || set->value.size() > kLongestLine) return;
    const std::string sum = plain_sum(without_blanks(set->value));
    const std::size_t sign = sum.find('+');
    if (sign == kNowhere || sum.find('+', sign + 1) != kNowhere) return;
    for (const std::string& order : {sum, sum.substr(sign + 1) + '+' + sum.substr(0, sign)}) {
      if (!found) found = part_past_tested(order, around);
    }
    if (found) found->name = name;
  });
  return found;
}

/// A name that comes from numbers of the thread, of which no condition knows any.
std::optional<UntestedPart> part_without_condition(std::string_view index, const Numbers& tested, std::uint32_t line,
                                                   const SourceNumbers& settings) {
  std::optional<UntestedPart> found;
  for_each_name(index, [&](std::size_t at, std::string_view name) {
    const bool builtin = name == "threadIdx" || name == "blockIdx";
    const std::string_view text = builtin ? index.substr(at, name.size() + 2) : name;
    const Numbers own = numbers_of(text, line, settings);
    const bool none = std::ranges::none_of(own, [&](const std::string& number) { return tested.contains(number); });
    // A grid may have just as many blocks as there are rows: then the block's number needs no condition.
    const bool of_thread =
        std::ranges::any_of(own, [](const std::string& number) { return number.starts_with("thread"); });
    if (!found && of_thread && none) found = UntestedPart{std::string(text), {}, 0, {}, {}};
  });
  return found;
}

/// Of the last condition that asks for that name alone.
std::uint32_t line_that_asks(const LaunchGates& gates, std::string_view name) {
  std::uint32_t line = 0;
  for (const LaunchGate& gate : gates.gates)
    for (const AskedCondition& asked : gate.asked)
      if (!bound_of_name_alone(without_blanks(asked.shown), name).empty()) line = asked.line;
  return line;
}

/// What the line of an access asks for before it.
struct OwnCondition {
  std::string_view text;  // of the choice around it; empty: there is none
  bool clear = true;      // nothing else in the line may keep the access from being made
};

OwnCondition own_condition(std::string_view line, std::uint32_t column) {
  const std::string_view text = column == 0 ? std::string_view() : choice_around(line, column - 1);
  const auto ands_in = [](std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = part.find("&&"); at != kNowhere; at = part.find("&&", at + 2)) ++found;
    return found;
  };
  const auto choices = static_cast<std::size_t>(std::ranges::count(line, '?'));
  return {text, choices == (text.empty() ? 0 : 1) && ands_in(line) == ands_in(text)};
}

/// The column of the first element that the only choice of the line reads; 0: there is none.
std::uint32_t column_of_chosen(std::string_view line) {
  const std::size_t question = line.find('?');
  std::uint32_t column = 0;
  if (question == kNowhere) return column;
  for_each_name(line.substr(question), [&](std::size_t at, std::string_view name) {
    const std::size_t place = question + at, behind = past_spaces(line, place + name.size());
    if (column == 0 && behind < line.size() && line[behind] == '[') column = static_cast<std::uint32_t>(place + 1);
  });
  return column;
}

/// Of a read: some compilers tell the line alone, or where the statement begins, "s[y] = k < n ? b[k] : 0".
std::uint32_t column_of_read(std::string_view line, std::uint32_t column) {
  const std::size_t sign = line.find('=');
  const bool assigns = sign != kNowhere && sign < line.find('?') && begins_assignment(line.substr(sign));
  const bool of_statement = assigns && column == past_spaces(line, 0) + 1;
  const std::uint32_t chosen = column == 0 || of_statement ? column_of_chosen(line) : 0;
  return chosen != 0 ? chosen : column;
}

std::optional<UntestedPart> untested_part(std::string_view code, const SourcePlace& where, bool reads) {
  const std::vector<std::string_view> lines = text_lines(code);
  const auto function = function_around_line(code, where.line);
  const std::size_t place = place_of_line(code, where.line, where.column);
  if (!function || place == kNowhere || where.line > lines.size()) return std::nullopt;
  const std::string_view line = lines[where.line - 1];
  const std::uint32_t column = reads ? column_of_read(line, where.column) : where.column;
  const std::string_view index = subscript_at(line, column);
  const OwnCondition own = own_condition(line, column);
  const LaunchGates gates = gates_before(code, *function, place);
  if (index.empty() || !gates.clear || !own.clear) return std::nullopt;
  const SourceNumbers settings(code);
  std::string conditions;
  std::uint32_t last = 0;
  for (const LaunchGate& gate : gates.gates) {
    for (const AskedCondition& asked : gate.asked) {
      if (asked.shown.size() > kLongestLine) return std::nullopt;
      conditions += fmt::format("{}&&", without_blanks(asked.shown));
      if (!gate.is_loop) last = asked.line;
    }
  }
  if (!own.text.empty()) {
    conditions += fmt::format("{}&&", without_blanks(own.text));
    last = where.line;
  }
  if (last == 0 || conditions.size() > 4 * kLongestLine) return std::nullopt;
  const Numbers tested = numbers_of(conditions, where.line, settings);
  auto part = tested.empty() ? std::nullopt : part_without_condition(index, tested, where.line, settings);
  if (part) {
    part->line = last;
    return part;
  }
  const std::set<std::string_view> counters = counters_around(code, *function, place);
  const auto head = head_of(code, *function);
  const AroundAccess around{conditions, where.line, settings, counters,
                            head ? head->value_names : std::vector<std::string>()};
  part = part_past_tested(without_blanks(index), around);
  if (!part) part = variable_past_tested(index, around);
  if (!part) return part;
  const bool asks_itself = !bound_of_name_alone(without_blanks(own.text), part->tested).empty();
  part->line = asks_itself ? where.line : line_that_asks(gates, part->tested);
  part->own = asks_itself ? own.text : std::string_view();
  return part;
}

std::string help_for(const UntestedPart& part) {
  if (part.tested.empty()) {
    return fmt::format(
        "`{}` is in the index, but in no condition before this access: the conditions must ask for all that the index "
        "is computed from, in every dimension",
        part.text);
  }
  if (!part.name.empty()) {
    return fmt::format(
        "`{0}` is `{1}`, and the condition in line {2} asks for `{3}` alone: make this access only where `{0}` is "
        "inside the array, too, `if ({0} < {4})`",
        part.name, part.text, part.line, part.tested, part.bound);
  }
  if (!part.own.empty())
    return fmt::format("`{0}` is in the index, and the condition asks for `{1}` alone: ask for `{0} < {2}`", part.text,
                       part.tested, part.bound);
  return fmt::format(
      "`{0}` is in the index, but the condition asks for `{1}` alone: make this access only where `{0}` is inside the "
      "array, too",
      part.text, part.tested);
}

/// "kb + dy" in place of "kb" where the choice of the line asks for that.
std::optional<ProposedChange> change_of(std::string_view code, std::uint32_t line, const UntestedPart& part) {
  const std::string_view text = text_lines(code)[line - 1];
  const std::size_t begin = text.find(part.own);
  std::optional<ProposedChange> change;
  for_each_name(part.own, [&](std::size_t at, std::string_view name) {
    const std::size_t sign = past_spaces(part.own, at + name.size());
    if (begin != kNowhere && name == part.tested && part.own.substr(sign).starts_with('<'))
      change = ProposedChange{line, static_cast<std::uint32_t>(begin + at) + 1, std::string(name), part.text};
  });
  return change;
}

}  // namespace

void show_untested_indices(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const bool open = finding.id == finding_ids::kGlobalOutOfBounds && !finding.proven && !finding.right_at_first &&
                      !finding.access.kept &&
                      finding.help.advises(Advice::look_at_conditions, Advice::look_at_conditions_and_sizes);
    if (!open || !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    const auto part = untested_part(code, finding.where, finding.access.only_reads);
    if (!part) continue;
    finding.help = help_for(*part);
    if (!part->own.empty()) finding.proposed = change_of(code, finding.where.line, *part);
    const bool shows_guard = !part->tested.empty() && part->line != 0 && part->line != finding.where.line &&
                             (!finding.other || finding.other->role == PlaceRole::allocation);
    if (shows_guard)
      finding.other = OtherPlace{
          fmt::format("this asks for `{}` alone", part->tested), {finding.where.file, part->line, 0}, {}, {}};
  }
}

}  // namespace cudalabs
