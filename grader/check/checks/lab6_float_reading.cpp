#include "check/checks/lab6_float_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/enumeration.h"

namespace cudalabs::lab6 {
namespace {

constexpr std::string_view kSevenDigits = "float";

bool has_one_of(std::string_view text, const std::set<std::string_view>& names) {
  bool has = false;
  for_each_name(text, [&](std::size_t, std::string_view name) { has = has || names.contains(name); });
  return has;
}

/// "a - b", and neither "1e-3" nor "p->t" nor "-1".
bool has_difference(std::string_view text) {
  for (std::size_t at = text.find('-'); at != kNowhere; at = text.find('-', at + 1)) {
    const std::size_t before = before_spaces(text, at);
    if (before == kNowhere || text.substr(at + 1).starts_with('>')) continue;
    const bool is_exponent = before + 1 == at && before > 0 && (text[before] == 'e' || text[before] == 'E') &&
                             (is_digit(text[before - 1]) || text[before - 1] == '.');
    if (!is_exponent && (is_word_letter(text[before]) || text[before] == ')' || text[before] == ']')) return true;
  }
  return false;
}

/// Statement by statement, in the order of the text: what a reading becomes is a reading further on.
class FloatReader {
 public:
  explicit FloatReader(std::string_view code)
      : code_(code), places_(body_places(code)), functions_(function_bodies(code)) {
    for (const FunctionBody& function : functions_) by_name_.try_emplace(function.name, &function);
    for (std::size_t begin = 0; begin < code.size();) {
      const std::size_t end = std::min(code.find_first_of(";{}", begin), code.size());
      enter_function(begin);
      if (end - begin <= kLongest && !places_[begin].device) read(begin, code.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  std::vector<std::uint32_t> lines() const {
    constexpr std::size_t kMost = 4;
    std::vector<std::uint32_t> lines;
    for (const std::size_t place : kept_at_) {
      const std::uint32_t line = line_at(code_, place);
      if (lines.empty() || lines.back() != line) lines.push_back(line);
      if (lines.size() == kMost) break;
    }
    return lines;
  }

 private:
  static constexpr std::size_t kLongest = 300;  // of a statement

  void enter_function(std::size_t at) {
    for (; next_ < functions_.size() && functions_[next_].begin <= at; ++next_) {
      inside_ = &functions_[next_];
      variables_.clear();
      floats_.clear();
    }
    if (inside_ != nullptr && at >= inside_->end) inside_ = nullptr;
  }

  /// Of its name, before its parameters; kNowhere: the head is long.
  std::size_t head_of(const FunctionBody& function) const {
    constexpr std::size_t kLongestHead = 300;  // a text may be made to be long to read
    if (function.name.size() > kLongestHead) return kNowhere;
    const std::size_t from = function.begin - std::min(function.begin, kLongestHead);
    const std::size_t at = code_.substr(from, function.begin - from).rfind(function.name + "(");
    return at == kNowhere ? kNowhere : from + at;
  }

  void add(std::size_t place) {
    if (place != kNowhere) kept_at_.insert(place);
  }

  bool is_reading(std::string_view text) const {
    constexpr std::array<std::string_view, 2> kParts{"time_since_epoch", "tv_sec"};
    const auto stands = [&](std::string_view part) { return text.find(part) != kNowhere; };
    const bool reads =
        std::ranges::any_of(kParts, stands) || has_one_of(text, readers_) || has_one_of(text, variables_);
    return reads && !has_difference(text);
  }

  void read(std::size_t begin, std::string_view text) {
    read_floats(begin, text);
    for_each_name(text, [&](std::size_t at, std::string_view name) {
      if (name == kSevenDigits && is_reading(converted(text, at + name.size()))) add(begin + at);
      read_call(begin, text, at, name);
    });
    if (text.substr(past_spaces(text, 0)).starts_with("return") && inside_ != nullptr && is_reading(text)) {
      readers_.insert(inside_->name);
      const std::size_t head = head_of(*inside_);
      if (head != kNowhere && word_before(code_, head) == kSevenDigits) add(head);
    }
    const std::size_t sign = text.find('=');
    if (sign == kNowhere || sign == 0 || !begins_assignment(text.substr(sign))) return;
    const std::string_view name = word_before(text, sign);
    if (name.empty() || !is_reading(text.substr(sign + 1))) return;
    if (inside_ != nullptr) variables_.insert(name);
    for (const auto* declared : {&floats_, &outer_floats_})
      if (const auto found = declared->find(name); found != declared->end()) add(found->second);
  }

  /// "float begin, end" and "float begin = now()".
  void read_floats(std::size_t begin, std::string_view text) {
    std::size_t at = past_spaces(text, 0);
    for (const std::string_view word : {"static", "const"})
      if (text.substr(at, end_of_word(text, at) - at) == word) at = past_spaces(text, end_of_word(text, at));
    if (text.substr(at, end_of_word(text, at) - at) != kSevenDigits) return;
    for (const std::string_view item : items_of(text.substr(end_of_word(text, at)))) {
      const std::string_view name = item.substr(0, end_of_word(item, 0));
      const std::size_t place = begin + static_cast<std::size_t>(item.data() - text.data());
      if (is_identifier(name)) (inside_ == nullptr ? outer_floats_ : floats_)[name] = place;
    }
  }

  /// The value in "duration<float, std::milli>(value)", "static_cast<float>(value)", "(float)value" and
  /// "duration<float> name = value", from behind `float` on.
  static std::string_view converted(std::string_view text, std::size_t at) {
    at = past_spaces(text, at);
    if (at < text.size() && text[at] == ',') at = std::min(text.find('>', at), text.size());
    char last = '(';
    for (; at < text.size() && (text[at] == '>' || text[at] == ')'); at = past_spaces(text, at + 1)) last = text[at];
    if (at >= text.size()) return {};
    if (text[at] == '(') {
      const std::size_t end = past_bracket(text, at);
      return end == kNowhere ? std::string_view() : text.substr(at, end - at);
    }
    if (last == '>') return text.substr(end_of_word(text, at));
    return last == ')' ? text.substr(at, text.find_first_of(",)+-*/", at) - at) : std::string_view();
  }

  /// Of a function that takes a `float`.
  void read_call(std::size_t begin, std::string_view text, std::size_t at, std::string_view name) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end() || found->second->begin > begin) return;
    const std::size_t open = past_spaces(text, at + name.size());
    const std::size_t end = open < text.size() && text[open] == '(' ? past_bracket(text, open) : kNowhere;
    if (end == kNowhere) return;
    const std::vector<std::string>& parameters = found->second->parameters;
    const auto arguments = items_of(text.substr(open + 1, end - open - 2));
    for (std::size_t i = 0; i < std::min(arguments.size(), parameters.size()); ++i)
      if (has_name(parameters[i], kSevenDigits) && is_reading(arguments[i])) add(head_of(*found->second));
  }

  std::string_view code_;
  std::vector<BodyPlace> places_;
  std::vector<FunctionBody> functions_;
  std::map<std::string_view, const FunctionBody*> by_name_;
  std::size_t next_ = 0;                            // of the functions
  const FunctionBody* inside_ = nullptr;            // null: between them
  std::set<std::string_view> readers_, variables_;  // functions that return a reading; variables of this one
  std::map<std::string_view, std::size_t> floats_, outer_floats_;  // where they are declared
  std::set<std::size_t> kept_at_;
};

/// A clock that has been on for days moves on by this at least, in milliseconds, where a `float` keeps its readings.
constexpr double kStepOfReading = 30;

}  // namespace

std::vector<std::uint32_t> float_readings(std::string_view code) {
  return FloatReader(code).lines();
}

std::string why_no_digits(double milliseconds, std::string_view source) {
  if (milliseconds != 0 && milliseconds < kStepOfReading) return {};
  const std::vector<std::uint32_t> lines = float_readings(without_comments(source));
  if (lines.empty()) return {};
  const bool one = lines.size() == 1;
  return fmt::format(
      ": the `float`{} in {} {} room for seven digits, too few for a reading of the clock: use `double` there",
      one ? "" : "s", enumeration_of_lines(lines), one ? "has" : "have");
}

}  // namespace cudalabs::lab6
