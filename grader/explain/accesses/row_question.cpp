// The conditions around the launch are followed through variables and functions of the source.
#include "explain/accesses/row_question.h"

#include <algorithm>
#include <set>

#include "source/function_text.h"
#include "source/launch_gates.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// More is not read: a text may be made to be long to read.
constexpr std::size_t kLongestDividend = 120, kLongestBody = 600;

std::size_t place_of_part(std::string_view code, std::string_view part) {
  return static_cast<std::size_t>(part.data() - code.data());
}

/// Where the value begins that ends before `end`: a name, a call or what stands in brackets, with a cast before it.
std::size_t begin_of_value(std::string_view text, std::size_t end) {
  const std::size_t last = before_spaces(text, end);
  if (last == kNowhere) return kNowhere;
  std::size_t begin = last + 1;
  if (text[last] == ')') {
    int depth = 0;
    const std::size_t least = last > kLongestDividend ? last - kLongestDividend : 0;
    do {
      if (begin == least) return kNowhere;
      --begin;
      depth += text[begin] == ')' ? 1 : text[begin] == '(' ? -1 : 0;
    } while (depth > 0);
    // "static_cast<std::size_t>(width)"
    const std::size_t open = begin > 0 && text[begin - 1] == '>' ? text.rfind('<', begin) : kNowhere;
    if (open != kNowhere && last - open < kLongestDividend) begin = open;
  }
  while (begin > 0 && last + 1 - begin < kLongestDividend &&
         (is_word_letter(text[begin - 1]) || text[begin - 1] == ':' || text[begin - 1] == '.'))
    --begin;
  return begin <= last ? begin : kNowhere;
}

/// "size_t(width) * height" before the sign at `at`: products and quotients are made first.
std::string_view dividend_before(std::string_view text, std::size_t at) {
  std::size_t begin = begin_of_value(text, at);
  if (begin == kNowhere) return {};
  while (true) {
    const std::size_t sign = before_spaces(text, begin);
    if (sign == kNowhere) break;
    // "(size_t)width": a cast stands before the value.
    const bool casts = text[sign] == ')' && is_word_letter(text[begin]);
    if (!casts && text[sign] != '*' && text[sign] != '/') break;
    const std::size_t further = begin_of_value(text, casts ? begin : sign);
    if (further == kNowhere || at - further > kLongestDividend) break;
    begin = further;
  }
  return without_outer_spaces(text.substr(begin, at - begin));
}

/// Behind a sign at `at`, and no more of it.
bool has_number(std::string_view text, std::size_t at, std::int64_t number) {
  const std::string digits = std::to_string(number);
  const std::size_t begin = past_spaces(text, at + 1);
  if (!text.substr(begin).starts_with(digits)) return false;
  const std::string_view suffix = text.substr(begin + digits.size(), end_of_word(text, begin) - begin - digits.size());
  return suffix.find_first_not_of("uUlL") == kNowhere;
}

/// The number of which a text asks what `together` leaves of it: "pixels" of "pixels % 4 == 0" and "(pixels & 3) == 0".
/// Not an address; empty: it asks for none.
std::string_view asked_in(std::string_view text, std::int64_t together) {
  const bool is_power = (together & (together - 1)) == 0;
  for (std::size_t at = text.find_first_of("%&"); at != kNowhere; at = text.find_first_of("%&", at + 1)) {
    const bool masks = text[at] == '&';
    if (masks && text.substr(at, 2) == "&&") {
      ++at;
      continue;
    }
    if ((masks && !is_power) || !has_number(text, at, masks ? together - 1 : together)) continue;
    const std::string_view operand = dividend_before(text, at);
    if (!operand.empty() && operand.find("uintptr") == kNowhere) return operand;
  }
  return {};
}

/// The names of values: no types, and nothing that is called.
std::set<std::string_view> names_of_values(std::string_view text) {
  std::set<std::string_view> names;
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    const std::size_t next = past_spaces(text, at + name.size());
    const bool other = next < text.size() && (text[next] == '(' || text[next] == ':' || text[next] == '<');
    if (!other && !name.ends_with("_t") && name != "int" && name != "unsigned" && name != "long") names.insert(name);
  });
  return names;
}

class Questions {
 public:
  Questions(std::string_view code, std::int64_t together) : code_(code), together_(together) {}

  /// What `text`, which stands in that line, asks for, or what that comes of asks for.
  std::string_view find(std::string_view text, std::uint32_t line, int depth) {
    const std::string_view asked = asked_in(text, together_);
    if (!asked.empty() || depth == 0) return asked;
    std::set<std::string_view> names;
    for_each_name(text, [&](std::size_t, std::string_view name) { names.insert(name); });
    for (const std::string_view name : names) {
      if (most_-- == 0) return {};
      const std::string_view origin = origin_of(name, text, line);
      if (origin.empty()) continue;
      const std::string_view found = find(origin, line_at(code_, place_of_part(code_, origin)), depth - 1);
      if (!found.empty()) return found;
    }
    return {};
  }

  /// The body of a function that is called, or the statement that set a variable.
  std::string_view origin_of(std::string_view name, std::string_view text, std::uint32_t line) const {
    const std::size_t at = place_of_part(text, name), next = past_spaces(text, at + name.size());
    if (next < text.size() && text[next] == '(') {
      const auto body = only_body(code_, name);
      return body ? code_.substr(body->begin, std::min(body->end - body->begin, kLongestBody)) : std::string_view();
    }
    const auto set = last_setting_of(code_, line, name);
    const std::size_t place = set ? place_of_line(code_, set->line, set->column) : kNowhere;
    const std::string_view statement = place == kNowhere ? std::string_view() : statement_around(code_, place);
    return statement.empty() ? statement : statement.substr(place - place_of_part(code_, statement));
  }

 private:
  std::string_view code_;
  std::int64_t together_;
  std::size_t most_ = 16;  // names that are looked up
};

/// "width * height" of "std::size_t(width) * height"; the text itself where it has more than products of names.
std::string product_of_names(std::string_view value) {
  std::string plain;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('*', begin), value.size());
    const std::string_view factor = value.substr(begin, end - begin);
    const auto names = names_of_values(factor);
    if (names.size() != 1 || factor.find_first_of("+-/%&|?,\"") != kNowhere) return std::string(value);
    if (!plain.empty()) plain += " * ";
    plain += *names.begin();
    begin = end + 1;
  }
  return plain;
}

/// "width * height" of "pixels = width * height" and "pixels{width * height}".
std::string value_set(std::string_view statement, std::string_view name) {
  std::string_view value = without_outer_spaces(statement.substr(std::min(name.size(), statement.size())));
  if (value.starts_with('=')) value = without_outer_spaces(value.substr(1));
  constexpr std::size_t kLongestValue = 80;
  const bool is_plain = !value.empty() && value.size() <= kLongestValue && value.find_first_of("\n{};=,") == kNowhere;
  return is_plain ? product_of_names(value) : std::string();
}

/// "k<true>" and "k" of "(anonymous namespace)::k<true>".
bool is_launch_of(std::string_view code, const LaunchGates& launch, std::string_view kernel) {
  if (launch.kernel != plain_name(std::string(kernel))) return false;
  const std::size_t open = kernel.find('<', kernel.find(launch.kernel));
  const std::size_t begin = place_of_part(code, launch.kernel) + launch.kernel.size();
  const std::string arguments = without_blanks(code.substr(begin, launch.place - begin));
  return open == kNowhere || arguments.empty() || arguments == without_blanks(kernel.substr(open));
}

}  // namespace

std::optional<RowQuestion> row_question(std::string_view code, std::string_view kernel, std::int64_t together,
                                        std::string_view size) {
  if (together < 2) return std::nullopt;
  Questions questions(code, together);
  for (const LaunchGates& launch : launch_gates_of(code)) {
    if (!is_launch_of(code, launch, kernel)) continue;
    for (const LaunchGate& gate : launch.gates) {
      if (gate.is_loop) continue;
      for (const AskedCondition& condition : gate.asked) {
        const std::string_view asked = questions.find(condition.shown, condition.line, 3);
        if (asked.empty()) continue;
        const std::size_t place = place_of_part(code, asked);
        RowQuestion found{setting_at_place(code, place, asked, Setting::How::asked), product_of_names(asked)};
        if (is_identifier(asked)) {
          const std::string_view set = questions.origin_of(asked, asked, found.where.line);
          const std::string value = value_set(set, asked);
          if (!value.empty()) found.asked = value;
        }
        return found.asked == size ? std::nullopt : std::optional(found);
      }
    }
  }
  return std::nullopt;
}

}  // namespace cudalabs
