#include "patch/declared_variables.h"

#include <algorithm>
#include <array>

namespace cudalabs::patch {
namespace {

/// They say nothing of the values that a variable can have.
bool is_specifier(std::string_view word) {
  constexpr std::array<std::string_view, 14> kWords{"static",   "constexpr", "extern",     "register",   "inline",
                                                    "volatile", "mutable",   "__shared__", "struct",     "__constant__",
                                                    "enum",     "typename",  "__device__", "__managed__"};
  return std::ranges::find(kWords, word) != kWords.end();
}

bool is_built_in(std::string_view word) {
  constexpr std::array<std::string_view, 10> kWords{"void", "bool",     "char",   "short", "int",
                                                    "long", "unsigned", "signed", "float", "double"};
  return std::ranges::find(kWords, word) != kWords.end();
}

/// "namespace a::b {", "namespace {", "extern "C" {": the brace.
bool begins_namespace(const TokenRoles& roles, std::size_t brace) {
  std::size_t at = brace == 0 ? 0 : brace - 1;
  while (at > 0 && (roles.is(at, "::") || (roles.has_kind(at, TokenKind::name) && !roles.is(at, "namespace")))) --at;
  return roles.is(at, "namespace") || roles.has_kind(at, TokenKind::literal);
}

bool is_restriction(std::string_view word) {
  return word == "const" || word == "__restrict__" || word == "__restrict" || word == "volatile";
}

}  // namespace

bool DeclaredVariable::is_integer() const {
  constexpr std::array<std::string_view, 15> kTypes{
      "int",           "unsigned",           "unsigned int", "long",           "long long",
      "unsigned long", "unsigned long long", "short",        "unsigned short", "size_t",
      "std::size_t",   "ptrdiff_t",          "int64_t",      "uint32_t",       "std::ptrdiff_t"};
  return std::ranges::find(kTypes, type) != kTypes.end();
}

bool DeclaredVariable::is_number() const {
  return is_integer() || type == "float" || type == "double";
}

DeclaredVariables::DeclaredVariables(const TokenRoles& roles, const std::vector<Token>& tokens)
    : roles_(roles), tokens_(tokens) {
  std::vector<std::size_t> ends{tokens.size()};  // of the braces that are open
  std::vector<VariablePlace> places{VariablePlace::outside};
  bool begins = true;  // a statement
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    while (ends.size() > 1 && at >= ends.back()) {
      ends.pop_back();
      places.pop_back();
    }
    const Token& token = tokens[at];
    if (begins) read_declaration(at, places.back(), ends.back());
    const bool ends_label = token.is(":") && at > 0 && (roles.is(at - 1, "private") || roles.is(at - 1, "public"));
    begins = token.is(";") || token.is("{") || token.is("}") || ends_label;
    if (token.is("{")) {
      ends.push_back(token.partner);
      if (roles.in_body(at)) {
        places.push_back(VariablePlace::local);
      } else {
        places.push_back(begins_namespace(roles, at) ? places.back() : VariablePlace::member);
      }
      if (roles.parameters_of(at) != kNoToken) read_body_parameters(at);
    }
    const bool is_head = token.is("(") && at > 0 && (roles.is(at - 1, "for") || roles.is(at - 1, "if"));
    if (is_head && roles.in_body(at)) {
      const std::size_t behind = token.partner + 1;
      std::size_t end = roles.is(behind, "{") ? roles.partner(behind) : behind;
      for (std::size_t left = 100; end < tokens.size() && !roles.is(end, ";") && !roles.is(end, "}") && left > 0;
           --left) {
        end = roles.partner(end) != kNoToken && roles.partner(end) > end ? roles.partner(end) : end + 1;
      }
      read_declaration(at + 1, VariablePlace::local, end);
    }
    if (token.is(")") && !roles.in_body(at)) begins = false;
  }
  std::ranges::stable_sort(variables_, {}, &DeclaredVariable::at);
  for (std::size_t which = 0; which < variables_.size(); ++which) by_name_[variables_[which].name].push_back(which);
}

const DeclaredVariable* DeclaredVariables::meant_of(std::string_view name, std::size_t at) const {
  constexpr std::size_t kMostLooks = 32;
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return nullptr;
  const std::vector<std::size_t>& same = found->second;
  auto next = std::ranges::upper_bound(same, at, {}, [&](std::size_t which) { return variables_[which].at; });
  for (std::size_t looks = 0; next != same.begin() && looks < kMostLooks; ++looks) {
    const DeclaredVariable& variable = variables_[*--next];
    if (at < variable.end) return &variable;
  }
  // Members may be declared behind the functions that name them.
  const DeclaredVariable& last = variables_[same.back()];
  return last.at > at && last.place == VariablePlace::member ? &last : nullptr;
}

void DeclaredVariables::read_body_parameters(std::size_t body) {
  for (const TokenRange& item : roles_.items(roles_.parameters_of(body))) {
    const std::size_t before = variables_.size();
    read_declaration(item.first, VariablePlace::parameter, tokens_[body].partner);
    if (variables_.size() > before) variables_.back().body = roles_.body_of(body);
  }
}

std::size_t DeclaredVariables::past_type(std::size_t at, bool is_parameter, std::string& type) const {
  bool is_const = false, has_core = false;
  while (roles_.has_kind(at, TokenKind::name)) {
    const std::string_view word = roles_.text(at);
    if (word == "const") {
      is_const = true;
    } else if (is_built_in(word)) {
      if (has_core && !type.empty()) type += ' ';
      type += word;
      has_core = true;
    } else if (!is_specifier(word)) {
      if (has_core || !(roles_.is_type_name(word) || is_parameter || roles_.is(at + 1, "::"))) break;
      while (roles_.is(at + 1, "::") && roles_.has_kind(at + 2, TokenKind::name)) {
        type += roles_.text(at);
        type += "::";
        at += 2;
      }
      type += roles_.text(at);
      if (roles_.is(at + 1, "<") && roles_.in_template(at + 1)) {
        const std::size_t end = roles_.partner(at + 1);
        for (++at; at < end; ++at) (type += roles_.text(at)) += ' ';
        type += '>';
      }
      has_core = true;
    }
    ++at;
  }
  if (!has_core) return kNoToken;
  bool is_indirect = false;
  while (roles_.is(at, "*") || roles_.is(at, "&") || is_restriction(roles_.text(at))) {
    if (roles_.is(at, "*")) {
      type += '*';
      is_indirect = true;
    }
    ++at;
  }
  if (is_const && is_indirect) type.insert(0, "const ");
  return at;
}

std::size_t DeclaredVariables::past_declarator(DeclaredVariable& variable, std::size_t at) const {
  variable.at = at;
  variable.name = roles_.text(at);
  for (++at; roles_.is(at, "["); at = roles_.partner(at) + 1) variable.type += "[]";
  if (roles_.is(at, "(") || roles_.is(at, "{")) {
    if (roles_.partner(at) > at + 1) variable.value = {at + 1, roles_.partner(at) - 1};
    return roles_.partner(at) + 1;
  }
  if (!roles_.is(at, "=")) return at;
  const std::size_t first = ++at;
  while (at < tokens_.size() && !roles_.is(at, ",") && !roles_.is(at, ";") && tokens_[at].kind != TokenKind::close) {
    const std::size_t partner = roles_.partner(at);
    at = partner != kNoToken && partner > at ? partner + 1 : at + 1;
  }
  if (at > first) variable.value = {first, at - 1};
  return at;
}

void DeclaredVariables::read_declaration(std::size_t at, VariablePlace place, std::size_t end) {
  std::string core;
  at = past_type(at, place == VariablePlace::parameter, core);
  if (at == kNoToken || core.empty()) return;
  const std::string base(core.substr(0, core.find('*')));
  while (roles_.has_kind(at, TokenKind::name) && !roles_.is_type_name(roles_.text(at))) {
    DeclaredVariable variable;
    variable.type = core;
    variable.end = end;
    variable.body = at < tokens_.size() ? roles_.body_of(at) : kNoToken;
    variable.place = place;
    const std::size_t next = past_declarator(variable, at);
    // A function has its parameters' types there.
    const bool is_function =
        roles_.is(at + 1, "(") && (place == VariablePlace::outside || place == VariablePlace::member);
    const bool ends_well = roles_.is(next, ",") || roles_.is(next, ";") || roles_.is(next, ")") ||
                           roles_.is(next, ":") || next >= tokens_.size() || roles_.is(next, "]");
    if (is_function || !ends_well) return;
    variables_.push_back(std::move(variable));
    if (!roles_.is(next, ",") || place == VariablePlace::parameter) return;
    core = base;
    at = next + 1;
    for (; roles_.is(at, "*") || is_restriction(roles_.text(at)); ++at) core += roles_.is(at, "*") ? "*" : "";
  }
}

}  // namespace cudalabs::patch
