// One walk over the text; brackets are only looked into where they are short.
#include "source/narrow_constant.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "150", "-200", "300u"; nothing for other numbers, and expressions.
std::optional<std::int64_t> decimal(std::string_view text) {
  while (text.starts_with('(') && past_bracket(text, 0) == text.size())
    text = without_outer_spaces(text.substr(1, text.size() - 2));
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const bool octal = text.size() > 1 && text.starts_with('0');
  if (error != std::errc() || octal || rest.find_first_not_of("uUlL") != kNowhere) return std::nullopt;
  return negative ? -value : value;
}

/// The types of a structure's members, in their order; nothing for those that are not narrow.
using Members = std::vector<std::optional<NarrowType>>;

class ConstantReader {
 public:
  explicit ConstantReader(std::string_view code) : code_(code) {
    for (const std::string_view line : text_lines(code))
      starts_.push_back(static_cast<std::size_t>(line.data() - code.data()));
    for (const FunctionBody& body : function_bodies(code)) {
      const bool again = parameters_.contains(body.name);
      std::vector<std::string>& parameters = parameters_[body.name];
      parameters = again ? std::vector<std::string>() : body.parameters;
    }
  }

  std::vector<NarrowConstant> read() {
    for (std::size_t at = 0; at < code_.size();) {
      if (!is_word_letter(code_[at])) {
        ++at;
        continue;
      }
      const std::size_t end = end_of_word(code_, at);
      const std::string_view word = code_.substr(at, end - at);
      if (const auto type = narrow_type_at(code_, at)) {
        read_behind(*type);
        at = type->end;
        continue;
      }
      if (word == "struct") read_members(end);
      if (const auto structure = members_.find(word); structure != members_.end())
        read_structure(structure->second, end);
      if (const auto function = parameters_.find(word); function != parameters_.end())
        read_arguments(function->second, end);
      at = end;
    }
    std::ranges::sort(found_, {}, [](const NarrowConstant& each) { return std::pair(each.line, each.column); });
    return std::move(found_);
  }

 private:
  void add(const NarrowType& type, std::string_view constant, std::string_view name, bool argument = false) {
    const auto value = decimal(constant);
    const bool bits_are_meant = value && *value < 0 && type.least == 0;
    if (!value || type.holds(*value) || bits_are_meant) return;
    const auto place = static_cast<std::size_t>(constant.data() - code_.data());
    const auto line = std::ranges::upper_bound(starts_, place) - starts_.begin();
    const auto column = place - starts_[static_cast<std::size_t>(line - 1)] + 1;
    found_.push_back(
        {type, *value, name, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column), argument});
  }

  /// As past_bracket. More brackets inside of each other are no constants, and the text may have very many.
  std::size_t past(std::size_t open) const {
    constexpr std::size_t kLongest = 1000;
    return past_bracket(code_.substr(0, open + kLongest), open);
  }

  /// What is in the bracket at `open`; empty: it has no end.
  std::string_view inside(std::size_t open) const {
    const std::size_t end = past(open);
    return end == kNowhere ? std::string_view() : code_.substr(open + 1, end - open - 2);
  }

  bool has(std::size_t at, char letter) const { return at < code_.size() && code_[at] == letter; }

  /// Declarations, casts.
  void read_behind(const NarrowTypePlace& type) {
    const std::size_t at = past_spaces(code_, type.end);
    constexpr std::string_view kStd = "std::";
    const bool is_std = code_.substr(0, type.begin).ends_with(kStd);
    const std::size_t before = before_spaces(code_, type.begin - (is_std ? kStd.size() : 0));
    if (has(at, '>') && before != kNowhere && code_[before] == '<' && word_before(code_, before) == "static_cast") {
      const std::size_t open = past_spaces(code_, at + 1);
      if (has(open, '(')) add(type.type, without_outer_spaces(inside(open)), {});
    } else if (has(at, '(') || has(at, '{')) {
      add(type.type, without_outer_spaces(inside(at)), {});
    } else if (has(at, ')') && before != kNowhere && code_[before] == '(') {
      const std::size_t value = past_spaces(code_, at + 1);
      const std::size_t end = has(value, '(') ? past(value) : end_of_word(code_, value);
      if (end != kNowhere && end > value) add(type.type, code_.substr(value, end - value), {});
    } else {
      read_variables(type.type, at);
    }
  }

  /// "a = 77, b[2] = {1, 2}, c{3}" up to what is no variable any more.
  void read_variables(const NarrowType& type, std::size_t at) {
    while (at < code_.size() && is_word_letter(code_[at]) && !is_digit(code_[at])) {
      const std::size_t end_of_name = end_of_word(code_, at);
      const std::string_view name = code_.substr(at, end_of_name - at);
      at = past_spaces(code_, end_of_name);
      while (has(at, '[')) {
        const std::size_t end = past(at);
        if (end == kNowhere) return;
        at = past_spaces(code_, end);
      }
      const bool assigned = has(at, '=') && !has(at + 1, '=');
      if (assigned) at = past_spaces(code_, at + 1);
      if (has(at, '{') || (has(at, '(') && !assigned)) {
        const std::size_t end = past(at);
        if (end == kNowhere) return;
        read_values(type, inside(at), name);
        at = past_spaces(code_, end);
      } else if (assigned) {
        const std::size_t end = end_of_value(at);
        add(type, without_outer_spaces(code_.substr(at, end - at)), name);
        at = end;
      }
      if (!has(at, ',')) return;
      at = past_spaces(code_, at + 1);
    }
  }

  /// The `,` or `;` behind a value. A longer one is no constant.
  std::size_t end_of_value(std::size_t at) const {
    constexpr std::size_t kLongest = 200;
    const std::size_t last = std::min(code_.size(), at + kLongest);
    while (at < last && code_[at] != ',' && code_[at] != ';') ++at;
    return at;
  }

  /// The values of an array, of several rows, too.
  void read_values(const NarrowType& type, std::string_view values, std::string_view name) {
    for (const std::string_view item : items_of(values)) {
      if (item.starts_with('{') && past_bracket(item, 0) == item.size()) {
        for (const std::string_view inner : items_of(item.substr(1, item.size() - 2))) add(type, inner, name);
      } else {
        add(type, item, name);
      }
    }
  }

  /// Of "struct Weights { int8_t red, green; int more; };". Members that are no plain ones: it is not read.
  void read_members(std::size_t at) {
    const std::size_t begin = past_spaces(code_, at), end = end_of_word(code_, begin);
    const std::size_t open = past_spaces(code_, end);
    if (end == begin || !has(open, '{')) return;
    std::string_view body = inside(open);
    Members members;
    while (!(body = without_outer_spaces(body)).empty()) {
      const std::size_t stop = body.find(';');
      const std::string_view member = body.substr(0, stop);
      if (stop == kNowhere || member.find_first_of("{}()[]*&<") != kNowhere) return;
      body.remove_prefix(stop + 1);
      const std::size_t first = member.starts_with("const ") ? past_spaces(member, 6) : 0;
      const auto type = narrow_type_at(member, first);
      for ([[maybe_unused]] const std::string_view each : items_of(member))
        members.push_back(type ? std::optional(type->type) : std::nullopt);
    }
    members_[code_.substr(begin, end - begin)] = std::move(members);
  }

  /// "Weights w = {77, 150, 29}", "Weights w{77, 150, 29}", "Weights{77, 150, 29}".
  void read_structure(const Members& members, std::size_t end) {
    std::size_t at = past_spaces(code_, end);
    const std::size_t end_of_name = at < code_.size() && is_word_letter(code_[at]) ? end_of_word(code_, at) : at;
    const std::string_view name = code_.substr(std::min(at, code_.size()), end_of_name - at);
    at = past_spaces(code_, end_of_name);
    if (has(at, '=')) at = past_spaces(code_, at + 1);
    if (!has(at, '{')) return;
    const std::vector<std::string_view> items = items_of(inside(at));
    for (std::size_t i = 0; i < items.size() && i < members.size(); ++i)
      if (members[i]) add(*members[i], items[i], name);
  }

  /// Of a call of a function of the source.
  void read_arguments(const std::vector<std::string>& parameters, std::size_t end) {
    const bool narrow =
        std::ranges::any_of(parameters, [](const std::string& each) { return narrow_parameter(each).has_value(); });
    const std::size_t open = past_spaces(code_, end);
    if (!narrow || !has(open, '(')) return;
    const std::vector<std::string_view> items = items_of(inside(open));
    for (std::size_t i = 0; i < items.size() && i < parameters.size(); ++i)
      if (const auto type = narrow_parameter(parameters[i])) add(*type, items[i], {}, true);
  }

  /// Of "const int8_t weight": no pointer, no reference.
  static std::optional<NarrowType> narrow_parameter(std::string_view parameter) {
    if (parameter.find_first_of("*&[") != kNowhere) return std::nullopt;
    const auto type = narrow_type_from(parameter, 0);
    return type ? std::optional(type->type) : std::nullopt;
  }

  std::string_view code_;
  std::vector<std::size_t> starts_;                                          // of lines
  std::map<std::string, std::vector<std::string>, std::less<>> parameters_;  // by function; none of several alike
  std::map<std::string_view, Members> members_;                              // by structure
  std::vector<NarrowConstant> found_;
};

}  // namespace

std::vector<NarrowConstant> narrow_constants_of(std::string_view code) {
  return ConstantReader(code).read();
}

}  // namespace cudalabs
