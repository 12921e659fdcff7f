#include "patch/token_roles.h"

#include <algorithm>
#include <array>

#include "patch/body_finder.h"
#include "source/vector_type.h"

namespace cudalabs::patch {
namespace {

const std::unordered_set<std::string_view>& words_without_value() {
  static const std::unordered_set<std::string_view> words{
      "return",    "goto",     "else",      "case",     "new",    "delete",  "throw",   "if",       "for",
      "while",     "do",       "switch",    "break",    "sizeof", "default", "alignof", "using",    "typedef",
      "namespace", "template", "try",       "continue", "catch",  "public",  "private", "operator", "friend",
      "co_return", "decltype", "protected", "and",      "or",     "not"};
  return words;
}

const std::unordered_set<std::string_view>& known_types() {
  static const std::unordered_set<std::string_view> words{
      "void",   "bool", "char",   "short",     "int",      "long",   "unsigned", "signed",   "float",
      "double", "auto", "const",  "volatile",  "static",   "struct", "enum",     "typename", "class",
      "union",  "dim3", "extern", "constexpr", "register", "inline", "mutable",  "half",     "__half"};
  return words;
}

/// One that has a value on both sides, assignments included.
bool is_binary_sign(std::string_view sign) {
  constexpr std::array<std::string_view, 29> kOperators{"+",  "-",  "*",  "/",  "%",  "&",  "|",  "^",   "<<", ">>",
                                                        "<",  ">",  "<=", ">=", "==", "!=", "&&", "||",  "=",  "+=",
                                                        "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return std::ranges::find(kOperators, sign) != kOperators.end();
}

}  // namespace

bool is_arithmetic(std::string_view sign) {
  return sign == "+" || sign == "-" || sign == "*" || sign == "/" || sign == "%" || sign == "<<" || sign == ">>";
}

TokenRoles::TokenRoles(const std::vector<Token>& tokens)
    : tokens_(tokens),
      partner_(tokens.size(), kNoToken),
      body_of_(tokens.size(), kNoToken),
      parameters_of_(tokens.size(), kNoToken),
      in_template_(tokens.size(), false) {
  find_types();
  pair_brackets();
  find_bodies();
}

bool TokenRoles::is_type_name(std::string_view name) const {
  return known_types().contains(name) || types_.contains(name) || name.ends_with("_t") || bytes_of_vector(name) != 0;
}

bool TokenRoles::is_value_name(std::size_t at) const {
  return has_kind(at, TokenKind::name) && !words_without_value().contains(text(at)) && !is_type_name(text(at));
}

void TokenRoles::find_types() {
  for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
    // Of a lambda: "[](Shape& shape)".
    const bool is_parameter = at > 1 && is(at - 1, "(") && is(at - 2, "]") && (is(at + 1, "&") || is(at + 1, "*"));
    if (is_parameter && tokens_[at].kind == TokenKind::name) types_.insert(tokens_[at].text);
    if (tokens_[at].kind != TokenKind::name || tokens_[at + 1].kind != TokenKind::name) continue;
    const std::string_view word = tokens_[at].text, next = tokens_[at + 1].text;
    const bool names_type = word == "struct" || word == "class" || word == "union" || word == "enum" ||
                            word == "typename" || word == "using";
    if (names_type && !words_without_value().contains(next)) types_.insert(next);
    const bool qualified = word == "const" && (is(at + 2, "&") || is(at + 2, "*"));
    if (qualified && !words_without_value().contains(next)) types_.insert(next);
    if (!names_type && !words_without_value().contains(word) && !words_without_value().contains(next))
      types_.insert(word);
  }
}

void TokenRoles::pair_brackets() {
  std::size_t launch = kNoToken;
  for (std::size_t at = 0; at < tokens_.size(); ++at) {
    const Token& token = tokens_[at];
    if (token.kind == TokenKind::open || token.kind == TokenKind::close) partner_[at] = token.partner;
    if (token.is("<<<")) launch = at;
    if (token.is(";") || token.is("}")) launch = kNoToken;
    if (token.is(">>>") && launch != kNoToken) {
      partner_[at] = launch;
      partner_[launch] = at;
      launch = kNoToken;
    }
    if (token.is("<") && partner_[at] == kNoToken && at > 0 && tokens_[at - 1].kind == TokenKind::name) pair_angle(at);
  }
}

/// Forward, as far as all may be a template's argument.
void TokenRoles::pair_angle(std::size_t open) {
  constexpr std::size_t kLongest = 60;
  std::vector<std::size_t> opened{open};
  const bool declares = is(open - 1, "template");
  bool has_type = false;
  for (std::size_t at = open + 1; at < std::min(open + kLongest, tokens_.size()); ++at) {
    const Token& token = tokens_[at];
    has_type = has_type || (token.kind == TokenKind::name && is_type_name(token.text));
    if (token.kind == TokenKind::name || token.kind == TokenKind::number || token.is("::") || token.is(",") ||
        token.is("*") || token.is("&") || token.is("...") || token.is("+") || token.is("-") || token.is("/")) {
      continue;
    }
    if (token.is("(") || token.is("[")) {
      at = token.partner;
    } else if (token.is("<")) {
      opened.push_back(at);
    } else if (token.is(">") || token.is(">>")) {
      for (std::size_t left = token.text.size(); left > 0 && !opened.empty(); --left) {
        partner_[opened.back()] = at;
        partner_[at] = opened.back();
        opened.pop_back();
      }
      if (!opened.empty()) continue;
      const std::string_view next = text(at + 1);
      const bool ends_well = has_kind(at + 1, TokenKind::name) || next == "(" || next == "{" || next == "::" ||
                             next == "*" || next == "&" || next == "&&" || next == "," || next == ")" || next == ">" ||
                             next == "<<<" || next == ";" || next == "...";
      const bool declares_value = has_kind(at + 1, TokenKind::name) && !declares;
      if (!ends_well || (declares_value && !has_type && !is_type_name(text(open - 1)) && !is(open - 2, "::"))) break;
      std::fill(in_template_.begin() + static_cast<std::ptrdiff_t>(open),
                in_template_.begin() + static_cast<std::ptrdiff_t>(at) + 1, true);
      return;
    } else if (!declares || !token.is("=")) {
      break;
    }
  }
  for (std::size_t at = open; at < std::min(open + kLongest, tokens_.size()); ++at) {
    if (tokens_[at].is("<") || tokens_[at].is(">") || tokens_[at].is(">>")) partner_[at] = kNoToken;
  }
}

void TokenRoles::find_bodies() {
  for (const FoundBody& body : bodies_in(*this, tokens_)) {
    parameters_of_[body.open] = body.parameters;
    if (body_of_[body.open] != kNoToken) continue;
    const std::size_t end = tokens_[body.open].partner;
    for (std::size_t at = body.open; at <= end; ++at) body_of_[at] = body.open;
  }
}

bool TokenRoles::has_only_types(std::size_t first, std::size_t end) const {
  bool has_type = false;
  for (std::size_t at = first; at < end; ++at) {
    const bool is_type =
        tokens_[at].kind == TokenKind::name && (is_type_name(tokens_[at].text) || is(at + 1, "::") || in_template_[at]);
    const bool is_sign = is(at, "*") || is(at, "&") || is(at, "::") || in_template_[at];
    if (!is_type && !is_sign) return false;
    has_type = has_type || is_type;
  }
  return has_type;
}

bool TokenRoles::ends_cast(std::size_t at) const {
  constexpr std::size_t kLongest = 12;
  if (!is(at, ")")) return false;
  const std::size_t open = partner_[at];
  if (at - open > kLongest || (open > 0 && (tokens_[open - 1].kind == TokenKind::name && !is(open - 1, "return")))) {
    return false;
  }
  return (open == 0 || !in_template_[open - 1]) && has_only_types(open + 1, at);
}

bool TokenRoles::ends_value(std::size_t at) const {
  if (at >= tokens_.size()) return false;
  const Token& token = tokens_[at];
  if (token.kind == TokenKind::number || token.kind == TokenKind::literal || token.is("]")) return true;
  if (token.kind == TokenKind::name) return !words_without_value().contains(token.text);
  if (token.is("++") || token.is("--")) {
    return at > 0 && tokens_[at - 1].kind != TokenKind::sign && ends_value(at - 1);
  }
  if (!token.is(")")) return false;
  const std::string_view before = token.partner > 0 ? text(token.partner - 1) : std::string_view();
  const bool is_head = before == "if" || before == "while" || before == "for" || before == "switch";
  return !is_head && !ends_cast(at);
}

bool TokenRoles::is_binary(std::size_t at) const {
  if (at == 0 || at + 1 >= tokens_.size() || tokens_[at].kind != TokenKind::sign || in_template_[at]) return false;
  if (!is_binary_sign(tokens_[at].text) || !ends_value(at - 1)) return false;
  const Token& next = tokens_[at + 1];
  const bool next_begins = next.kind == TokenKind::name || next.kind == TokenKind::number ||
                           next.kind == TokenKind::literal || next.is("(") || next.is("-") || next.is("!") ||
                           next.is("~") || next.is("*") || next.is("&") || next.is("++") || next.is("--") ||
                           next.is("::");
  if (!next_begins) return false;
  const bool may_declare = is(at, "*") || is(at, "&") || is(at, "&&");
  if (!may_declare || tokens_[at - 1].kind != TokenKind::name) return true;
  if (is_type_name(tokens_[at - 1].text)) return false;
  const bool begins_statement = at < 2 || is(at - 2, ";") || is(at - 2, "{") || is(at - 2, "}");
  return !begins_statement;
}

std::size_t TokenRoles::last_of_value(std::size_t at) const {
  while (is(at, "-") || is(at, "!") || is(at, "~") || is(at, "*") || is(at, "&") || is(at, "++") || is(at, "--") ||
         is(at, "::") || (is(at, "(") && ends_cast(partner_[at]))) {
    at = is(at, "(") ? partner_[at] + 1 : at + 1;
  }
  if (is(at, "(")) {
    at = partner_[at];
  } else if (!has_kind(at, TokenKind::name) && !has_kind(at, TokenKind::number) && !has_kind(at, TokenKind::literal)) {
    return kNoToken;
  }
  while (at + 1 < tokens_.size()) {
    const Token& next = tokens_[at + 1];
    if (next.is("(") || next.is("[") || (next.is("{") && in_template_[at]) || (next.is("<") && in_template_[at + 1])) {
      at = partner_[at + 1];
    } else if ((next.is(".") || next.is("->") || next.is("::")) && has_kind(at + 2, TokenKind::name)) {
      at += 2;
    } else if (next.is("++") || next.is("--")) {
      at += 1;
    } else {
      break;
    }
  }
  return at;
}

std::size_t TokenRoles::first_of_value(std::size_t at) const {
  while (at > 0) {
    if (is(at, ")") || is(at, "]") || (is(at, ">") && in_template_[at])) {
      at = partner_[at];
      const bool is_index = is(at, "["), is_angle = is(at, "<");
      const bool has_callee = at > 0 && (tokens_[at - 1].kind == TokenKind::name
                                             ? !words_without_value().contains(text(at - 1)) || is(at - 1, "sizeof")
                                             : is(at - 1, ")") || is(at - 1, "]") || in_template_[at - 1]);
      if (!is_index && !is_angle && !has_callee) return at;
      if (at == 0) return at;
      if (is(at - 1, ")") && ends_cast(at - 1)) return at;
      --at;
    } else if (at > 1 && (is(at - 1, ".") || is(at - 1, "->") || is(at - 1, "::"))) {
      at -= 2;
    } else {
      return at;
    }
  }
  return at;
}

std::vector<TokenRange> TokenRoles::items(std::size_t open) const {
  std::vector<TokenRange> found;
  const std::size_t close = partner_[open];
  if (close == kNoToken || close <= open + 1) return {};
  std::size_t first = open + 1;
  for (std::size_t at = open + 1; at <= close; ++at) {
    if (at == close || is(at, ",")) {
      if (at == first) return {};
      found.push_back({first, at - 1});
      first = at + 1;
    } else if (is(at, ";")) {
      return {};
    } else if (partner_[at] != kNoToken && partner_[at] > at) {
      at = partner_[at];
    }
  }
  return found;
}

}  // namespace cudalabs::patch
