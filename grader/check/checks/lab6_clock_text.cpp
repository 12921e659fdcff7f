#include "check/checks/lab6_clock_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "text/code_scan.h"

namespace cudalabs::lab6 {
namespace {

/// A unit, and the power of ten of how many of it a millisecond has.
struct Unit {
  std::string_view name;
  int power;
};
constexpr std::array<Unit, 4> kUnits{{{"seconds", -3}, {"milliseconds", 0}, {"microseconds", 3}, {"nanoseconds", 6}}};
constexpr std::array<Unit, 3> kRatios{{{"milli", 0}, {"micro", 3}, {"nano", 6}}};
constexpr std::array<std::pair<double, double>, 7> kTens{
    {{1e3, 1e-3}, {1e4, 1e-4}, {1e5, 1e-5}, {1e6, 1e-6}, {1e7, 1e-7}, {1e8, 1e-8}, {1e9, 1e-9}}};
/// -3 of "1e-3" and "0.001", 6 of "1'000'000LL". Nothing: it is no power of ten, or 1.
std::optional<int> power_of_ten(std::string_view number) {
  std::string plain;
  for (const char letter : number) {
    if (letter != '\'') plain += letter;
  }
  while (!plain.empty() && std::string_view("fFlLuU").find(plain.back()) != kNowhere) plain.pop_back();
  if (plain.empty() || plain.size() > 16 || plain.find_first_not_of("0123456789.eE+-") != kNowhere) return std::nullopt;
  const double value = std::strtod(plain.c_str(), nullptr);
  for (std::size_t i = 0; i < kTens.size(); ++i) {
    if (value == kTens[i].first) return 3 + static_cast<int>(i);
    if (value == kTens[i].second) return -3 - static_cast<int>(i);
  }
  return std::nullopt;
}

/// Past the number that begins at `at`: "1.5e-3f", "1'000".
std::size_t end_of_number(std::string_view code, std::size_t at) {
  for (; at < code.size(); ++at) {
    const bool sign = (code[at] == '-' || code[at] == '+') && (code[at - 1] == 'e' || code[at - 1] == 'E');
    if (!is_word_letter(code[at]) && code[at] != '.' && code[at] != '\'' && !sign) break;
  }
  return at;
}

/// The names of constants and macros that are powers of ten; 0: of a name that has several values, or another one.
std::map<std::string_view, int> powers_by_name(std::string_view code) {
  std::map<std::string_view, int> powers{{"CLOCKS_PER_SEC", 6}};
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    std::size_t value = past_spaces(code, at + name.size());
    const bool is_macro = word_before(code, at) == "define";
    const bool is_set = value < code.size() && begins_assignment(code.substr(value, 3));
    if (!is_macro && !is_set) return;
    if (is_set) value = past_spaces(code, code.find('=', value) + 1);
    const std::size_t end = value < code.size() && is_digit(code[value]) ? end_of_number(code, value) : value;
    const std::size_t behind = past_spaces(code, end);
    const bool alone = is_macro || (behind < code.size() && (code[behind] == ';' || code[behind] == ','));
    const auto power = alone ? power_of_ten(code.substr(value, end - value)) : std::nullopt;
    const auto [there, added] = powers.try_emplace(name, power.value_or(0));
    if (!added) there->second = 0;
  });
  return powers;
}

class ClockReader {
 public:
  explicit ClockReader(std::string_view code) : code_(code), places_(body_places(code)), powers_(powers_by_name(code)) {
    for_each_name(code, [&](std::size_t at, std::string_view name) { read_name(at, name); });
    read_members("tv_nsec", 6);
    read_members("tv_usec", 3);
    read_counts();
    for (std::size_t at = 0; at < code.size(); ++at) {
      if (code[at] == '"') at = std::max(past_string(code, at), at + 1) - 1;
      if (at < code.size() && (code[at] == '*' || code[at] == '/') && !places_[at].device) read_factor(at);
    }
  }

  ClockText take() && { return {std::move(readings_), std::move(factors_)}; }

 private:
  static constexpr std::size_t kLongest = 200;  // of an operand

  /// "duration_cast<std::chrono::nanoseconds>", "duration<double, std::micro>", "std::chrono::seconds".
  void read_name(std::size_t at, std::string_view name) {
    const bool is_duration = name == "duration";
    if (is_duration || name == "duration_cast" || name == "time_point_cast") {
      const std::size_t open = past_spaces(code_, at + name.size());
      if (open >= code_.size() || code_[open] != '<') return;
      const std::string_view list = code_.substr(open, kLongest);
      const std::size_t end = list.find_first_of(">;");
      if (end == kNowhere || list[end] != '>') return;
      const std::size_t close = open + end;
      const std::string_view last = word_before(code_, close);
      const auto ratio = std::ranges::find(kRatios, last, &Unit::name);
      const auto unit = std::ranges::find(kUnits, last, &Unit::name);
      const bool whole = last == "double" || last == "float";
      if (ratio != kRatios.end()) add(name, ratio->power, at);
      if (unit != kUnits.end() && !is_duration) add(name, unit->power, at);
      if (whole && code_.substr(open, close - open).find(',') == kNowhere) add(name, -3, at);
      return;
    }
    const auto unit = std::ranges::find(kUnits, name, &Unit::name);
    if (unit != kUnits.end() && code_.substr(0, at).ends_with("chrono::")) add(name, unit->power, at);
    if (name == kByEvents) add(name, 0, at);
    if (name == "clock" && without_blanks(code_.substr(at + 5, 4)).starts_with("()")) add(name, 3, at);
  }

  void read_members(std::string_view name, int power) {
    for (std::size_t at = code_.find(name); at != kNowhere; at = code_.find(name, at + name.size())) {
      const bool is_whole = !is_word_letter(code_.substr(at + name.size(), 1).empty() ? ' ' : code_[at + name.size()]);
      if (is_whole && is_member(code_, at) && !is_assigned(at + name.size())) add(name, power, at);
    }
  }
  bool is_assigned(std::size_t at) const {
    at = past_spaces(code_, at);
    return at < code_.size() && begins_assignment(code_.substr(at, 3));
  }

  /// "(end - begin).count()" of clocks of the library that is used here, where the text names no unit.
  void read_counts() {
    constexpr std::array<std::string_view, 3> kClocks{"steady_clock", "system_clock", "high_resolution_clock"};
    const bool has_unit =
        std::ranges::any_of(readings_, [](const Reading& reading) { return reading.by != kByEvents; });
    const bool reads =
        std::ranges::any_of(kClocks, [&](std::string_view clock) { return code_.find(clock) != kNowhere; });
    if (has_unit || !reads || has_name(code_, "duration_cast") || has_type_of_duration()) return;
    for (std::size_t at = code_.find("count()"); at != kNowhere; at = code_.find("count()", at + 7))
      if (is_member(code_, at)) add("count()", 6, at);
  }

  /// "duration<double, std::ratio<1, 60>>" or "milliseconds d"; not "Clock::duration", which counts what the clock
  /// does.
  bool has_type_of_duration() const {
    bool found = std::ranges::any_of(kUnits, [&](const Unit& unit) { return has_name(code_, unit.name); });
    for_each_name(code_, [&](std::size_t at, std::string_view name) {
      if (name != "duration") return;
      const std::size_t behind = past_spaces(code_, at + name.size());
      found = found || (behind < code_.size() && code_[behind] == '<');
    });
    return found;
  }

  void add(std::string_view by, int power, std::size_t at) {
    if (!places_[at].device) readings_.push_back({by, power, at});
  }

  /// The power of the constant at `at`, also of one that is converted, "(double)CLOCKS_PER_SEC", and its end.
  std::optional<std::pair<int, std::size_t>> constant_at(std::size_t at) const {
    at = past_spaces(code_, at);
    for (const std::string_view type : {"(double)", "(float)"})
      if (code_.substr(std::min(at, code_.size())).starts_with(type)) at = past_spaces(code_, at + type.size());
    for (const std::string_view type : {"static_cast<double>(", "double(", "static_cast<float>(", "float("}) {
      if (!code_.substr(std::min(at, code_.size())).starts_with(type)) continue;
      const auto inner = plain_constant(past_spaces(code_, at + type.size()));
      const std::size_t close = inner ? past_spaces(code_, inner->second) : code_.size();
      if (close >= code_.size() || code_[close] != ')') return std::nullopt;
      return std::pair(inner->first, close + 1);
    }
    return plain_constant(at);
  }
  std::optional<std::pair<int, std::size_t>> plain_constant(std::size_t at) const {
    if (at >= code_.size() || !is_word_letter(code_[at])) return std::nullopt;
    const std::size_t end = is_digit(code_[at]) ? end_of_number(code_, at) : end_of_word(code_, at);
    const std::string_view word = code_.substr(at, end - at);
    if (is_digit(code_[at])) {
      const auto power = power_of_ten(word);
      return power ? std::optional(std::pair(*power, end)) : std::nullopt;
    }
    const auto named = powers_.find(word);
    if (named == powers_.end() || named->second == 0) return std::nullopt;
    return std::pair(named->second, end);
  }

  /// The operand that ends before `at`: a name with what it is a member of, or what stands in round brackets.
  std::string_view operand_before(std::size_t at) const {
    const std::size_t last = before_spaces(code_, at);
    if (last == kNowhere) return {};
    std::size_t begin = last;
    if (code_[last] == ')') {
      int depth = 0;
      for (std::size_t steps = 0; steps < kLongest; ++steps, --begin) {
        depth += code_[begin] == ')' ? 1 : code_[begin] == '(' ? -1 : 0;
        if (depth == 0 || begin == 0) break;
      }
    } else {
      while (begin > 0 && is_word_letter(code_[begin - 1])) --begin;
    }
    return code_.substr(begin, last + 1 - begin);
  }
  std::size_t past_operand(std::size_t at) const {
    at = past_spaces(code_, at);
    if (at < code_.size() && code_[at] == '(') {
      const std::size_t close = past_bracket(code_.substr(at, kLongest), 0);
      return close == kNowhere ? at : at + close;
    }
    while (at < code_.size() && (is_word_letter(code_[at]) || std::string_view(".:").find(code_[at]) != kNowhere ||
                                 code_.substr(at, 2) == "()" || code_.substr(at, 2) == "->")) {
      at += code_.substr(at, 2) == "()" || code_.substr(at, 2) == "->" ? 2 : 1;
    }
    return at;
  }

  /// What is multiplied are whole seconds alone, which other terms join.
  static bool are_seconds(std::string_view operand) {
    return operand.find("tv_sec") != kNowhere && operand.find("tv_nsec") == kNowhere &&
           operand.find("tv_usec") == kNowhere;
  }

  /// "x / 1000 / 1000", from the first sign on, and "1000.0 * (end - begin) / CLOCKS_PER_SEC", from its constant on.
  void read_factor(std::size_t at) {
    if (at < read_until_) return;
    Factor factor{0, at, at};
    std::string_view operand = operand_before(at);
    std::size_t next = at;
    if (const auto leading = code_[at] == '*' ? constant_before(at) : std::nullopt;
        leading && leading->at >= read_until_) {
      factor = *leading;
      next = past_operand(at + 1);
      operand = code_.substr(at + 1, next - at - 1);
    }
    while (true) {
      const std::size_t sign = past_spaces(code_, next);
      if (sign >= code_.size() || (code_[sign] != '*' && code_[sign] != '/')) break;
      const bool assigns = code_.substr(sign + 1, 1) == "=";
      const auto constant = constant_at(sign + (assigns ? 2 : 1));
      if (!constant) break;
      factor.power += code_[sign] == '*' ? constant->first : -constant->first;
      next = factor.end = constant->second;
    }
    read_until_ = std::max(factor.end, at);
    if (factor.power != 0 && !are_seconds(operand)) factors_.push_back(factor);
  }
  /// "1.0e-6" or a name that ends before the sign at `at`.
  std::optional<Factor> constant_before(std::size_t at) const {
    constexpr std::size_t kMost = 20;
    const std::size_t last = before_spaces(code_, at);
    if (last == kNowhere) return std::nullopt;
    std::size_t begin = last + 1;
    const auto belongs = [&](char letter) {
      return is_word_letter(letter) || letter == '.' || letter == '\'' || letter == '-' || letter == '+';
    };
    while (begin > 0 && last + 1 - begin < kMost && belongs(code_[begin - 1])) --begin;
    while (begin <= last && !is_word_letter(code_[begin])) ++begin;
    const auto constant = plain_constant(begin);
    if (!constant || constant->second != last + 1) return std::nullopt;
    return Factor{constant->first, begin, at + 1};
  }

  std::string_view code_;
  std::vector<BodyPlace> places_;
  std::map<std::string_view, int> powers_;
  std::vector<Reading> readings_;
  std::vector<Factor> factors_;
  std::size_t read_until_ = 0;
};

}  // namespace

ClockText clock_text(std::string_view code) {
  return ClockReader(code).take();
}

}  // namespace cudalabs::lab6
