#include "source/limit_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "text/code_scan.h"

namespace cudalabs {
namespace {

/// Longer ones are not read.
constexpr std::size_t kLongestLimit = 200;

struct Compared {
  std::string_view left, right;
  bool less = false;  // "<", "<="
};

/// "a < b", perhaps in brackets; nothing: there is another sign, or more of them.
std::optional<Compared> compared_in(std::string_view text) {
  text = without_outer_spaces(text);
  if (text.starts_with('(') && past_bracket(text, 0) == text.size())
    text = without_outer_spaces(text.substr(1, text.size() - 2));
  const std::size_t sign = text.find_first_of("<>");
  if (sign == kNowhere || text.find_first_of("&|!?,;") != kNowhere) return std::nullopt;
  std::size_t behind = sign + 1;
  if (behind < text.size() && text[behind] == '=') ++behind;
  if (text.find_first_of("<>=", behind) != kNowhere) return std::nullopt;
  Compared found{without_outer_spaces(text.substr(0, sign)), without_outer_spaces(text.substr(behind)),
                 text[sign] == '<'};
  if (found.left.empty() || found.right.empty()) return std::nullopt;
  return found;
}

bool is_same(std::string_view one, std::string_view other) {
  return without_blanks(one) == without_blanks(other);
}

class Limits {
 public:
  explicit Limits(std::string_view code) : code_(code) {}

  std::vector<LimitText> all() {
    const std::vector<BodyPlace> bodies = body_places(code_);
    const auto on_host = [&](std::size_t at) { return bodies[at].inside && !bodies[at].device; };
    for_each_name(code_, [&](std::size_t at, std::string_view name) {
      if (!on_host(at)) return;
      if (name == "min") add_call(at);
      if (name == "if") add_statement(at);
    });
    for (std::size_t at = code_.find('?'); at != kNowhere; at = code_.find('?', at + 1))
      if (on_host(at)) add_choice(at);
    std::ranges::sort(found_, {}, [](const LimitText& limit) { return limit.text.data(); });
    add_lines();
    return std::move(found_);
  }

 private:
  void add_lines() {
    std::uint32_t line = 1;
    std::size_t at = 0, begin = 0;  // of the line
    for (LimitText& limit : found_) {
      for (const auto place = static_cast<std::size_t>(limit.text.data() - code_.data()); at < place; ++at) {
        if (code_[at] != '\n') continue;
        ++line;
        begin = at + 1;
      }
      limit.line = line;
      limit.column = static_cast<std::uint32_t>(at - begin) + 1;
    }
  }

  void add(std::size_t begin, std::size_t end, std::string_view left, std::string_view right, bool is_statement) {
    const std::string_view text = code_.substr(begin, end - begin);
    found_.push_back({text, left, right, 0, 0, is_statement});
  }

  /// `at`: "min"; perhaps with "std::" before it, and "<int>" behind it.
  void add_call(std::size_t at) {
    constexpr std::string_view kSpace = "std::";
    const std::string_view near = code_.substr(0, std::min(code_.size(), at + kLongestLimit));
    std::size_t open = past_spaces(near, at + 3);
    if (open < near.size() && near[open] == '<') {
      const std::size_t angle = past_bracket(near, open);
      if (angle == kNowhere) return;
      open = past_spaces(near, angle);
    }
    const std::size_t end = open < near.size() && near[open] == '(' ? past_bracket(near, open) : kNowhere;
    if (end == kNowhere) return;
    const auto items = items_of(near.substr(open + 1, end - open - 2));
    const bool is_std = at >= kSpace.size() && code_.substr(at - kSpace.size(), kSpace.size()) == kSpace;
    if (items.size() == 2) add(is_std ? at - kSpace.size() : at, end, items[0], items[1], false);
  }

  /// "if (blocks > MOST) blocks = MOST;" with or without braces.
  void add_statement(std::size_t at) {
    const std::string_view near = code_.substr(0, std::min(code_.size(), at + kLongestLimit));
    const std::size_t open = past_spaces(near, at + 2);
    const std::size_t close = open < near.size() && near[open] == '(' ? past_bracket(near, open) : kNowhere;
    const auto compared = close == kNowhere ? std::nullopt : compared_in(near.substr(open, close - open));
    if (!compared) return;
    std::size_t begin = past_blanks(near, close);
    const bool has_brace = begin < near.size() && near[begin] == '{';
    if (has_brace) begin = past_blanks(near, begin + 1);
    const std::size_t semicolon = near.find(';', begin), sign = near.find('=', begin);
    if (semicolon == kNowhere || sign == kNowhere || sign > semicolon) return;
    std::size_t end = semicolon + 1;
    if (has_brace) {
      end = past_blanks(near, end);
      if (end >= near.size() || near[end] != '}') return;
      ++end;
    }
    const std::string_view larger = compared->less ? compared->right : compared->left,
                           smaller = compared->less ? compared->left : compared->right;
    if (!is_same(near.substr(begin, sign - begin), larger)) return;
    if (!is_same(near.substr(sign + 1, semicolon - sign - 1), smaller)) return;
    const std::size_t otherwise = past_blanks(near, end);
    if (near.substr(std::min(otherwise, near.size())).starts_with("else")) return;
    add(at, end, larger, smaller, true);
  }

  /// "blocks < MOST ? blocks : MOST"; where `at` is the sign.
  void add_choice(std::size_t at) {
    const std::size_t from = at - std::min(at, kLongestLimit);
    std::size_t begin = at;
    int depth = 0;
    for (; begin > from; --begin) {
      const char letter = code_[begin - 1];
      depth += letter == ')' || letter == ']' ? 1 : letter == '(' || letter == '[' ? -1 : 0;
      const bool relates = begin > 1 && (code_[begin - 2] == '<' || code_[begin - 2] == '>');
      if (depth < 0 ||
          (depth == 0 && (std::string_view(",;{}?:").find(letter) != kNowhere || (letter == '=' && !relates)))) {
        break;
      }
    }
    std::string_view condition = code_.substr(begin, at - begin);
    condition.remove_prefix(std::min(past_blanks(condition, 0), condition.size()));
    if (condition.starts_with("return ")) condition.remove_prefix(std::string_view("return ").size());
    const auto compared = compared_in(condition);
    const std::string_view near = code_.substr(0, std::min(code_.size(), at + kLongestLimit));
    const std::size_t colon = end_of_part(near, at + 1);
    if (!compared || colon >= near.size() || near[colon] != ':') return;
    const std::size_t end = end_of_part(near, colon + 1);
    if (end >= near.size()) return;
    const std::string_view chosen = without_outer_spaces(near.substr(at + 1, colon - at - 1)),
                           other = without_outer_spaces(near.substr(colon + 1, end - colon - 1));
    const std::string_view smaller = compared->less ? compared->left : compared->right,
                           larger = compared->less ? compared->right : compared->left;
    if (!is_same(chosen, smaller) || !is_same(other, larger)) return;
    const auto first = static_cast<std::size_t>(condition.data() - code_.data());
    add(first, static_cast<std::size_t>(other.data() + other.size() - code_.data()), compared->left, compared->right,
        false);
  }

  /// Where a bracket, a comma, a semicolon or another choice ends what begins at `at`.
  static std::size_t end_of_part(std::string_view text, std::size_t at) {
    int depth = 0;
    for (; at < text.size(); ++at) {
      depth += text[at] == '(' || text[at] == '[' ? 1 : text[at] == ')' || text[at] == ']' ? -1 : 0;
      if (depth < 0 || (depth == 0 && std::string_view(",;{}?:").find(text[at]) != kNowhere)) return at;
    }
    return at;
  }

  static std::size_t past_blanks(std::string_view text, std::size_t at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) ++at;
    return at;
  }

  std::string_view code_;
  std::vector<LimitText> found_;
};

}  // namespace

std::vector<LimitText> host_limits(std::string_view code) {
  return Limits(code).all();
}

}  // namespace cudalabs
