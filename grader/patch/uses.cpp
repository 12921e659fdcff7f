#include "patch/uses.h"

#include <algorithm>
#include <array>

#include "patch/patched_source.h"

namespace cudalabs::patch {
namespace {

std::size_t past_member(const std::vector<Token>& tokens, std::size_t at, std::size_t last) {
  while (at <= last) {
    if (tokens[at].is("[")) {
      at = tokens[at].partner + 1;
    } else if ((tokens[at].is(".") || tokens[at].is("->")) && at < last) {
      at += 2;
    } else {
      break;
    }
  }
  return at;
}

bool is_step(const Token& token) {
  return token.is("++") || token.is("--");
}

bool is_changed_at(const std::vector<Token>& tokens, std::size_t at, TokenRange stretch) {
  if (at > stretch.first) {
    if (is_step(tokens[at - 1])) return true;
    if (tokens[at - 1].is("&") && at > 1 && tokens[at - 2].kind != TokenKind::name &&
        tokens[at - 2].kind != TokenKind::number) {
      return true;
    }
  }
  const std::size_t behind = past_member(tokens, at + 1, stretch.last);
  return behind <= stretch.last && (is_assignment_sign(tokens[behind]) || is_step(tokens[behind]));
}

std::string without_line_ends(std::string_view text) {
  std::string line;
  for (const char letter : text) {
    const bool is_blank = letter == ' ' || letter == '\n' || letter == '\t' || letter == '\r';
    if (!is_blank) {
      line += letter;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == ';')) line.pop_back();
  return line;
}

/// "c[i] = ..."; empty: it assigns nothing.
std::string start_of_assignment(const PatchedSource& source, TokenRange stretch) {
  const std::size_t sign = past_member(source.tokens, stretch.first + 1, stretch.last);
  if (sign > stretch.last || !is_assignment_sign(source.tokens[sign])) return {};
  return without_line_ends(text_of(source, {stretch.first, sign})) + " ...";
}

}  // namespace

bool is_own_name(const std::vector<Token>& tokens, std::size_t at) {
  if (tokens[at].kind != TokenKind::name) return false;
  return at == 0 || (!tokens[at - 1].is(".") && !tokens[at - 1].is("->") && !tokens[at - 1].is("::"));
}

bool is_assignment_sign(const Token& token) {
  constexpr std::array<std::string_view, 11> kAssignments{
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return std::find(kAssignments.begin(), kAssignments.end(), token.text) != kAssignments.end();
}

bool uses(const std::vector<Token>& tokens, TokenRange stretch, std::string_view name) {
  for (std::size_t at = stretch.first; at <= stretch.last; ++at) {
    if (tokens[at].is(name) && is_own_name(tokens, at)) return true;
  }
  return false;
}

bool changes(const std::vector<Token>& tokens, TokenRange stretch, std::string_view name) {
  for (std::size_t at = stretch.first; at <= stretch.last; ++at) {
    if (tokens[at].is(name) && is_own_name(tokens, at) && is_changed_at(tokens, at, stretch)) return true;
  }
  return false;
}

std::vector<std::string_view> called_in(const std::vector<Token>& tokens, TokenRange stretch) {
  constexpr std::array<std::string_view, 12> kNoCalls{"if",         "for",    "while",    "switch",
                                                      "sizeof",     "return", "decltype", "static_cast",
                                                      "const_cast", "catch",  "alignof",  "reinterpret_cast"};
  std::vector<std::string_view> called;
  for (std::size_t at = stretch.first; at < stretch.last; ++at) {
    const Token& token = tokens[at];
    if (token.kind != TokenKind::name || (!tokens[at + 1].is("(") && !tokens[at + 1].is("<<<"))) continue;
    if (std::find(kNoCalls.begin(), kNoCalls.end(), token.text) == kNoCalls.end()) called.push_back(token.text);
  }
  return called;
}

bool is_release(std::string_view function) {
  constexpr std::array<std::string_view, 7> kReleases{"cudaFree",     "cudaFreeAsync", "cudaEventDestroy", "free",
                                                      "cudaFreeHost", "cudaFreeArray", "cudaStreamDestroy"};
  return std::find(kReleases.begin(), kReleases.end(), function) != kReleases.end();
}

std::size_t release_in(const std::vector<Token>& tokens, TokenRange stretch) {
  for (std::size_t at = stretch.first; at < stretch.last; ++at) {
    if (tokens[at].is("delete") || (is_release(tokens[at].text) && tokens[at + 1].is("("))) return at;
  }
  return std::string_view::npos;
}

std::string_view text_of(const PatchedSource& source, TokenRange stretch) {
  const std::size_t begin = source.tokens[stretch.first].begin;
  return source.code.substr(begin, source.tokens[stretch.last].end() - begin);
}

std::string quoted(const PatchedSource& source, TokenRange stretch, std::size_t longest) {
  const std::string line = without_line_ends(text_of(source, stretch));
  if (line.size() <= longest) return '`' + line + '`';
  std::string_view shown;
  for (const std::string_view called : called_in(source.tokens, stretch)) {
    if (shown.empty() || (called.starts_with("cuda") && !shown.starts_with("cuda"))) shown = called;
  }
  const std::string assignment = start_of_assignment(source, stretch);
  if (!assignment.empty() && assignment.size() <= kLongestCode && !shown.starts_with("cuda")) {
    return '`' + assignment + '`';
  }
  const Token& first = source.tokens[stretch.first];
  const bool has_condition = first.is("for") || first.is("if") || first.is("while");
  if (has_condition && !shown.starts_with("cuda")) shown = first.text;
  if (shown.empty() || shown.size() + 5 > kLongestCode) return '`' + line.substr(0, kLongestCode - 4) + " ...`";
  return '`' + std::string(shown) + (has_condition && shown == first.text ? " (...)`" : "(...)`");
}

}  // namespace cudalabs::patch
