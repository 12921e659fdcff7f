#include "lint/code_tokens.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "text/code_scan.h"

namespace cudalabs::lint {
namespace {

using Tokens = std::vector<std::string>;

bool is_space(char letter) {
  return std::isspace(static_cast<unsigned char>(letter)) != 0;
}

/// Where a text that begins with this quote ends, behind its other quote.
std::size_t end_of_text(std::string_view code, std::size_t at) {
  const char quote = code[at++];
  while (at < code.size() && code[at] != quote) at += code[at] == '\\' ? 2 : 1;
  return std::min(at + 1, code.size());
}

/// Behind the comment that begins here; `at` itself where none does.
std::size_t end_of_comment(std::string_view code, std::size_t at) {
  const std::string_view start = code.substr(at, 2);
  if (start == "//") return std::min(code.find('\n', at), code.size());
  if (start == "/*") {
    const std::size_t end = code.find("*/", at + 2);
    return end == code.npos ? code.size() : end + 2;
  }
  return at;
}

/// A line of the preprocessor with its words one space apart, and those that it goes on in; moves `at` to its end.
std::string directive(std::string_view code, std::size_t& at) {
  std::string text;
  while (at < code.size() && code[at] != '\n') {
    if (const std::size_t end = end_of_comment(code, at); end != at) {
      at = end;
    } else if (code.substr(at, 2) == "\\\n") {
      at += 2;
    } else if (is_space(code[at])) {
      if (text.back() != ' ') text += ' ';
      ++at;
    } else {
      text += code[at++];
    }
  }
  while (text.back() == ' ') text.pop_back();
  return text;
}

bool is_of_device(std::span<const std::string> declaration) {
  return std::ranges::any_of(declaration,
                             [](const std::string& token) { return token == "__global__" || token == "__device__"; });
}

/// Behind the brace that closes the one at `open`.
std::size_t behind_braces(const Tokens& tokens, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < tokens.size(); ++at) {
    if (tokens[at] == "{") ++depth;
    if (tokens[at] == "}" && --depth == 0) return at + 1;
  }
  return tokens.size();
}

/// A number for each token, the same for equal ones: numbers are compared a hundred thousand times below.
struct Numbers {
  std::unordered_map<std::string_view, std::uint32_t> known = {};

  std::vector<std::uint32_t> of(std::span<const std::string> tokens) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(tokens.size());
    for (const std::string& token : tokens) {
      numbers.push_back(known.emplace(token, static_cast<std::uint32_t>(known.size())).first->second);
    }
    return numbers;
  }
};

using Part = std::span<const std::uint32_t>;

/// How many tokens what is behind a place of the one and a place of the other have in common.
class Common {
 public:
  Common(Part one, Part other) : width_(other.size() + 1), counts_((one.size() + 1) * width_) {
    for (std::size_t i = one.size(); i-- > 0;) {
      const std::uint32_t* const below = &counts_[(i + 1) * width_];
      std::uint32_t* const row = &counts_[i * width_];
      for (std::size_t k = other.size(); k-- > 0;) {
        row[k] = one[i] == other[k] ? below[k + 1] + 1 : std::max(below[k], row[k + 1]);
      }
    }
  }

  std::uint32_t behind(std::size_t of_one, std::size_t of_other) const { return counts_[of_one * width_ + of_other]; }

 private:
  std::size_t width_;
  std::vector<std::uint32_t> counts_;
};

/// Of several ways to match the two the one that takes tokens of `first` first; `common`: of places in both.
template <typename CommonBehind>
std::size_t places_in_order(Part first, Part second, const CommonBehind& common) {
  std::size_t places = 0, equal = kApart, tokens = 0;
  for (std::size_t i = 0, k = 0; i < first.size() || k < second.size();) {
    if (i < first.size() && k < second.size() && first[i] == second[k]) {
      ++equal, ++i, ++k;
      continue;
    }
    if (equal >= kApart || tokens == kPlace) {
      ++places;
      tokens = 0;
    }
    equal = 0;
    ++tokens;
    const bool skips_first = k == second.size() || (i < first.size() && common(i + 1, k) >= common(i, k + 1));
    ++(skips_first ? i : k);
  }
  return places;
}

}  // namespace

std::vector<std::string> tokens_of(std::string_view code) {
  Tokens tokens;
  bool line_is_empty = true;
  for (std::size_t at = 0; at < code.size();) {
    const char letter = code[at];
    if (letter == '\n') line_is_empty = true;
    if (is_space(letter)) {
      ++at;
      continue;
    }
    if (const std::size_t end = end_of_comment(code, at); end != at) {
      at = end;
      continue;
    }
    if (letter == '#' && line_is_empty) {
      tokens.push_back(directive(code, at));
      continue;
    }
    line_is_empty = false;
    const std::size_t begin = at++;
    if (letter == '"' || letter == '\'') {
      at = end_of_text(code, begin);
    } else if (is_word_letter(letter)) {
      const bool is_number = is_digit(letter);
      const auto goes_on = [&](char next) {
        return is_word_letter(next) || (is_number && (next == '.' || next == '\''));
      };
      while (at < code.size() && goes_on(code[at])) ++at;
    }
    tokens.emplace_back(code.substr(begin, at - begin));
  }
  return tokens;
}

std::vector<std::string> device_tokens(const std::vector<std::string>& tokens) {
  if (std::ranges::find(tokens, "template") != tokens.end()) return tokens;
  Tokens kept;
  std::size_t declaration = 0;  // where the last one begins among those that are kept
  for (std::size_t at = 0; at < tokens.size();) {
    const std::string& token = tokens[at];
    if (token.starts_with("#include")) {
      ++at;
      continue;
    }
    const bool is_body = token == "{" && !kept.empty() && kept.back() == ")";
    if (is_body && is_of_device(std::span(kept).subspan(declaration))) {
      const std::size_t end = behind_braces(tokens, at);
      kept.insert(kept.end(), tokens.begin() + static_cast<std::ptrdiff_t>(at),
                  tokens.begin() + static_cast<std::ptrdiff_t>(end));
      at = end;
    } else if (is_body) {
      kept.resize(declaration);
      at = behind_braces(tokens, at);
    } else {
      kept.push_back(token);
      ++at;
      if (token != ";" && token != "{" && token != "}" && !token.starts_with('#')) continue;
    }
    declaration = kept.size();
  }
  return kept;
}

std::size_t places_of_difference(std::span<const std::string> one, std::span<const std::string> other) {
  Numbers numbers;
  const std::vector<std::uint32_t> all_of_one = numbers.of(one), all_of_other = numbers.of(other);
  // What both begin and end with needs no table.
  const auto begin = std::ranges::mismatch(all_of_one, all_of_other);
  Part mine(begin.in1, all_of_one.end()), others(begin.in2, all_of_other.end());
  while (!mine.empty() && !others.empty() && mine.back() == others.back()) {
    mine = mine.first(mine.size() - 1);
    others = others.first(others.size() - 1);
  }
  const Common common(mine, others);
  return std::min(places_in_order(mine, others, [&](std::size_t i, std::size_t k) { return common.behind(i, k); }),
                  places_in_order(others, mine, [&](std::size_t i, std::size_t k) { return common.behind(k, i); }));
}

}  // namespace cudalabs::lint
