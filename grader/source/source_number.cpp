// A small recursive reader of expressions: what it does not know it refuses.
#include "source/source_number.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr int kMostNames = 24, kDeepest = 24;
constexpr std::int64_t kLargest = std::int64_t{1} << 40;

/// Up to the semicolon, comma or bracket that ends it.
std::string_view value_from(std::string_view code, std::size_t at) {
  constexpr std::size_t kLongest = 400;
  int depth = 0;
  const std::size_t begin = past_spaces(code, at), most = std::min(code.size(), begin + kLongest);
  std::size_t end = begin;
  for (; end < most; ++end) {
    const char letter = code[end];
    if (depth == 0 && std::string_view(";,)}]").find(letter) != std::string_view::npos) break;
    depth += letter == '(' || letter == '[' || letter == '{'   ? 1
             : letter == ')' || letter == ']' || letter == '}' ? -1
                                                               : 0;
  }
  return code.substr(begin, end - begin);
}

bool is_changed(std::string_view code, std::size_t at, std::string_view rest) {
  constexpr std::array<std::string_view, 12> kSigns{
      "++", "--", "+=", "-=", "*=", "/=", "%=", ">>=", "<<=", "&=", "|=", "^="};
  if (std::ranges::any_of(kSigns, [&](std::string_view sign) { return rest.starts_with(sign); })) return true;
  const std::size_t last = before_spaces(code, at);
  return last != std::string_view::npos && last > 0 && (code[last] == '+' || code[last] == '-') &&
         code[last - 1] == code[last];
}

std::optional<std::int64_t> extent_of(const vgpu::LaunchConfig& launch, std::string_view name, char axis) {
  if (axis < 'x' || axis > 'z') return std::nullopt;
  const auto place = static_cast<std::size_t>(axis - 'x');
  if (name == "blockDim") return launch.block[place];
  if (name == "gridDim") return launch.grid[place];
  return std::nullopt;
}

}  // namespace

SourceNumbers::SourceNumbers(std::string_view code) {
  const std::vector<BodyPlace> bodies = body_places(code);
  function_of_line_.push_back(0);
  std::uint32_t function = 0, number = 0;
  for (const std::string_view line : text_lines(code)) {
    ++number;
    function_of_line_.push_back(function);
    if (line.starts_with('}')) function = number;
    const auto begin = static_cast<std::size_t>(line.data() - code.data());
    const std::size_t enumeration = line.find("enum ");
    const bool directive = line.substr(past_spaces(line, 0)).starts_with('#');
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = end_of_word(line, at);
      if (end == at || is_digit(line[at])) {
        at = std::max(end, at + 1);
        continue;
      }
      const std::string_view name = line.substr(at, end - at), rest = line.substr(past_spaces(line, end));
      const bool macro = word_before(line, at) == "define" && directive && !line.substr(end).starts_with('(');
      if (macro) {
        assignments_[name].push_back(
            {{name, rest, number, static_cast<std::uint32_t>(at) + 1}, function_of_line_[number], true});
        break;
      }
      if (rest.starts_with('=') && !rest.starts_with("==")) {
        const std::size_t sign = static_cast<std::size_t>(rest.data() - line.data());
        const bool everywhere = !bodies[begin + at].inside || is_member(line, at) || enumeration < at;
        assignments_[name].push_back(
            {{name, value_from(code, begin + sign + 1), number, static_cast<std::uint32_t>(at) + 1},
             function_of_line_[number],
             everywhere});
      } else if (is_changed(code, begin + at, rest)) {
        changes_[name].push_back(function_of_line_[number]);
      }
      at = end;
    }
  }
}

const SourceNumbers::Assignment* SourceNumbers::find(std::string_view name, std::uint32_t line) const {
  const auto known = assignments_.find(name);
  if (known == assignments_.end() || line >= function_of_line_.size()) return nullptr;
  const std::uint32_t function = function_of_line_[line];
  const Assignment* own = nullptr;
  bool several = false;
  for (const Assignment& assignment : known->second) {
    if (assignment.function != function || assignment.place.line > line) continue;
    several = own != nullptr;
    own = &assignment;
  }
  // A second value in the same function may hold on one way through it alone.
  if (several) return nullptr;
  if (own == nullptr && known->second.size() == 1 && known->second.front().everywhere) own = &known->second.front();
  if (own == nullptr) return nullptr;
  const auto changed = changes_.find(name);
  const bool changes =
      changed != changes_.end() && std::ranges::find(changed->second, own->function) != changed->second.end();
  return changes ? nullptr : own;
}

/// Reads one expression, and those of the names in it.
class SourceNumberReader {
 public:
  SourceNumberReader(const SourceNumbers& numbers, const vgpu::LaunchConfig* launch)
      : numbers_(numbers), launch_(launch) {}

  std::optional<std::int64_t> read(std::string_view text, std::uint32_t line) {
    if (++depth_ > kDeepest) return std::nullopt;
    std::size_t at = 0;
    const auto value = shifted(text, at, line);
    --depth_;
    return past_spaces(text, at) == text.size() ? value : std::nullopt;
  }

 private:
  using Value = std::optional<std::int64_t>;

  static Value bounded(std::int64_t value) {
    return value >= -kLargest && value <= kLargest ? Value(value) : std::nullopt;
  }

  /// "t >> 5"
  Value shifted(std::string_view text, std::size_t& at, std::uint32_t line) {
    constexpr std::int64_t kMostBits = 40;
    Value value = sum(text, at, line);
    for (;;) {
      const std::size_t sign = past_spaces(text, at);
      const std::string_view rest = text.substr(std::min(sign, text.size()));
      if (!value || (!rest.starts_with(">>") && !rest.starts_with("<<"))) return value;
      at = sign + 2;
      const Value bits = sum(text, at, line);
      if (!bits || *value < 0 || *bits < 0 || *bits > kMostBits) return std::nullopt;
      const bool fits = rest[0] == '>' || *value <= kLargest >> *bits;
      value = !fits ? std::nullopt : Value(rest[0] == '>' ? *value >> *bits : *value << *bits);
    }
  }

  Value sum(std::string_view text, std::size_t& at, std::uint32_t line) {
    Value value = product(text, at, line);
    for (;;) {
      const std::size_t sign = past_spaces(text, at);
      if (!value || sign >= text.size() || (text[sign] != '+' && text[sign] != '-')) return value;
      at = sign + 1;
      const Value other = product(text, at, line);
      if (!other) return std::nullopt;
      value = bounded(text[sign] == '+' ? *value + *other : *value - *other);
    }
  }

  Value product(std::string_view text, std::size_t& at, std::uint32_t line) {
    Value value = operand(text, at, line);
    for (;;) {
      const std::size_t sign = past_spaces(text, at);
      if (!value || sign >= text.size() || std::string_view("*/%").find(text[sign]) == std::string_view::npos)
        return value;
      at = sign + 1;
      const Value other = operand(text, at, line);
      if (!other || (text[sign] != '*' && *other == 0)) return std::nullopt;
      if (text[sign] == '*') {
        // Both are at most 2^40.
        const bool small =
            *other == 0 || (*value <= kLargest / std::max<std::int64_t>(1, *other < 0 ? -*other : *other) &&
                            *value >= -kLargest / std::max<std::int64_t>(1, *other < 0 ? -*other : *other));
        value = small ? bounded(*value * *other) : std::nullopt;
      } else {
        value = text[sign] == '/' ? *value / *other : *value % *other;
      }
    }
  }

  Value operand(std::string_view text, std::size_t& at, std::uint32_t line) {
    at = past_spaces(text, at);
    if (at >= text.size() || ++depth_ > kDeepest) return std::nullopt;
    const Value value = operand_at(text, at, line);
    --depth_;
    return value;
  }

  Value operand_at(std::string_view text, std::size_t& at, std::uint32_t line) {
    if (text[at] == '(') return bracket(text, at, line);
    if (is_digit(text[at])) return number(text, at);
    if (!is_word_letter(text[at])) return std::nullopt;
    std::size_t end = end_of_word(text, at);
    std::string_view name = text.substr(at, end - at);
    if (name == "static_cast") {
      const std::size_t type = past_spaces(text, end), past = past_bracket(text, type);
      if (past == std::string_view::npos) return std::nullopt;
      at = past_spaces(text, past);
      return at < text.size() && text[at] == '(' ? bracket(text, at, line) : std::nullopt;
    }
    if (const std::size_t type = end_of_type(text, at); type != kNowhere && text.substr(type).starts_with('(')) {
      at = type;
      return read_in_brackets(text, at, line);
    }
    const bool is_extent = name == "blockDim" || name == "gridDim";
    std::size_t next = past_spaces(text, end);
    while (next < text.size() && (text[next] == '.' || text.substr(next).starts_with("->"))) {
      const std::size_t member = past_spaces(text, next + (text[next] == '.' ? 1 : 2));
      end = end_of_word(text, member);
      if (end == member) return std::nullopt;
      if (is_extent) {
        at = end;
        return launch_ != nullptr && end == member + 1 ? extent_of(*launch_, name, text[member]) : std::nullopt;
      }
      name = text.substr(member, end - member);
      next = past_spaces(text, end);
    }
    if (next < text.size() && (text[next] == '(' || text[next] == '[' || text[next] == '{')) return std::nullopt;
    at = end;
    if (++names_ > kMostNames) return std::nullopt;
    const SourceNumbers::Assignment* known = numbers_.find(name, line);
    return known == nullptr ? std::nullopt : read(known->place.value, known->place.line);
  }

  /// "size_t" of "size_t(1)" and "std::size_t(1)", a cast to a whole number; kNowhere: no such type begins there.
  static std::size_t end_of_type(std::string_view text, std::size_t at) {
    constexpr std::string_view kStandard = "std::";
    if (text.substr(at).starts_with(kStandard)) at += kStandard.size();
    const std::size_t end = end_of_word(text, at);
    constexpr std::array<std::string_view, 8> kTypes{"int",     "unsigned", "long",     "size_t",
                                                     "int64_t", "uint64_t", "uint32_t", "int32_t"};
    const bool known = std::ranges::find(kTypes, text.substr(at, end - at)) != kTypes.end();
    return known ? past_spaces(text, end) : kNowhere;
  }

  /// "(a + b)" alone.
  Value read_in_brackets(std::string_view text, std::size_t& at, std::uint32_t line) {
    const std::size_t open = at, past = past_bracket(text, at);
    if (past == kNowhere) return std::nullopt;
    at = past;
    return read(text.substr(open + 1, past - open - 2), line);
  }

  /// "(a + b)", or a cast, "(int)a": what stands in the brackets is then a type.
  Value bracket(std::string_view text, std::size_t& at, std::uint32_t line) {
    const std::size_t past = past_bracket(text, at);
    if (past == std::string_view::npos) return std::nullopt;
    const std::string_view inner = text.substr(at + 1, past - at - 2);
    at = past;
    const std::size_t next = past_spaces(text, past);
    const bool cast = next < text.size() && (is_word_letter(text[next]) || text[next] == '(');
    if (cast) return operand(text, at, line);
    return read(inner, line);
  }

  static Value number(std::string_view text, std::size_t& at) {
    const std::size_t end = end_of_word(text, at);
    std::string_view digits = text.substr(at, end - at);
    if (end < text.size() && (text[end] == '.' || text[end] == '\'')) return std::nullopt;
    at = end;
    const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
    if (hex) digits.remove_prefix(2);
    while (!digits.empty() && std::string_view("uUlLzZ").find(digits.back()) != std::string_view::npos)
      digits.remove_suffix(1);
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
    if (error != std::errc() || stop != digits.data() + digits.size() || digits.empty()) return std::nullopt;
    return bounded(value);
  }

  const SourceNumbers& numbers_;
  const vgpu::LaunchConfig* launch_;
  int depth_ = 0, names_ = 0;
};

std::optional<std::int64_t> SourceNumbers::value(std::string_view expression, std::uint32_t line,
                                                 const vgpu::LaunchConfig* launch) const {
  return SourceNumberReader(*this, launch).read(expression, line);
}

std::optional<SourceNumbers::Place> SourceNumbers::setting_of(std::string_view expression, std::uint32_t line) const {
  const std::size_t begin = past_spaces(expression, 0), last = before_spaces(expression, expression.size());
  if (last == std::string_view::npos || last < begin) return std::nullopt;
  std::string_view name = expression.substr(begin, last + 1 - begin);
  for (std::size_t at = 0; at < name.size(); ++at)
    if (!is_word_letter(name[at]) && name[at] != '.' && !name.substr(at).starts_with("->") && name[at] != '>')
      return std::nullopt;
  const std::size_t member = name.find_last_of(".>");
  if (member != std::string_view::npos) name = name.substr(member + 1);
  const Assignment* known = name.empty() || is_digit(name[0]) ? nullptr : find(name, line);
  return known == nullptr ? std::nullopt : std::optional(known->place);
}

}  // namespace cudalabs
