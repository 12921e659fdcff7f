#include "patch/declarations.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cudalabs::patch {
namespace {

constexpr std::size_t kLongestTemplateArguments = 40;  // tokens

bool is_one_of(const Token& token, const auto& words) {
  return std::find(words.begin(), words.end(), token.text) != words.end();
}

bool is_no_type(const Token& token) {
  constexpr std::array<std::string_view, 12> kWords{"return", "delete", "throw", "new",      "goto", "else",
                                                    "this",   "sizeof", "case",  "operator", "do",   "co_return"};
  return is_one_of(token, kWords);
}

bool is_specifier(const Token& token) {
  constexpr std::array<std::string_view, 14> kWords{
      "const",    "constexpr", "static",     "volatile", "extern",       "register",     "thread_local",
      "typename", "inline",    "__shared__", "struct",   "__constant__", "__restrict__", "constinit"};
  return is_one_of(token, kWords);
}

bool is_built_in(const Token& token) {
  constexpr std::array<std::string_view, 11> kWords{"int",  "unsigned", "signed", "long", "short", "char",
                                                    "bool", "float",    "double", "void", "auto"};
  return is_one_of(token, kWords);
}

bool ends_declarator(const Token& token) {
  constexpr std::array<std::string_view, 7> kEnds{"=", ";", ",", "(", "{", "[", ":"};
  return is_one_of(token, kEnds);
}

bool is_of_pointer(const Token& token) {
  constexpr std::array<std::string_view, 5> kPointers{"*", "&", "&&", "const", "__restrict__"};
  return is_one_of(token, kPointers);
}

class DeclarationReader {
 public:
  DeclarationReader(const std::vector<Token>& tokens, std::size_t first, std::size_t end)
      : tokens_(tokens), first_(first), at_(first), end_(std::min(end, tokens.size())) {}

  std::vector<Variable> variables() {
    if (!skip_type()) return {};
    const std::size_t type_end = at_;
    while (at_ < end_ && is_of_pointer(tokens_[at_])) ++at_;
    const bool is_bound = at_ < end_ && tokens_[at_].is("[") && tokens_[type_end - 1].is("auto");
    if (is_bound) return bound_names(type_end);
    if (!add_name(type_end)) return {};
    while (skip_to_comma()) {
      while (at_ < end_ && is_of_pointer(tokens_[at_])) ++at_;
      if (!add_name(type_end)) break;
    }
    return std::move(variables_);
  }

 private:
  bool skip_type() {
    bool has_type = false;
    while (at_ < end_ && tokens_[at_].kind == TokenKind::name) {
      const Token& token = tokens_[at_];
      if (is_no_type(token)) return false;
      if (token.is("alignas") || token.is("__align__")) {
        if (at_ + 1 >= end_ || !tokens_[at_ + 1].is("(")) return false;
        at_ = tokens_[at_ + 1].partner + 1;
      } else if (is_specifier(token)) {
        ++at_;
      } else if (is_built_in(token)) {
        has_type = true;
        ++at_;
      } else {
        if (has_type) break;
        has_type = skip_qualified_name();
        if (!has_type) return false;
      }
    }
    return has_type;
  }

  /// "std::vector<int>::iterator".
  bool skip_qualified_name() {
    while (at_ < end_ && tokens_[at_].kind == TokenKind::name) {
      ++at_;
      if (at_ < end_ && tokens_[at_].is("<") && !skip_template_arguments()) return false;
      if (at_ >= end_ || !tokens_[at_].is("::")) return true;
      ++at_;
    }
    return false;
  }

  bool skip_template_arguments() {
    std::size_t open = 0;
    for (std::size_t at = at_; at < std::min(end_, at_ + kLongestTemplateArguments); ++at) {
      const Token& token = tokens_[at];
      constexpr std::array<std::string_view, 5> kInside{",", "::", "*", "&", "..."};
      if (token.is("<")) {
        ++open;
      } else if (token.is(">") || token.is(">>")) {
        open -= std::min(open, token.text.size());
        if (open == 0) {
          at_ = at + 1;
          return true;
        }
      } else if (token.kind != TokenKind::name && token.kind != TokenKind::number && !is_one_of(token, kInside)) {
        return false;
      }
    }
    return false;
  }

  std::vector<Variable> bound_names(std::size_t type_end) {
    for (std::size_t at = at_ + 1; at < std::min(tokens_[at_].partner, end_); ++at) {
      if (tokens_[at].kind == TokenKind::name) variables_.push_back({at, first_, type_end});
    }
    return std::move(variables_);
  }

  bool add_name(std::size_t type_end) {
    if (at_ + 1 >= end_ || tokens_[at_].kind != TokenKind::name || !ends_declarator(tokens_[at_ + 1])) return false;
    variables_.push_back({at_, first_, type_end});
    return true;
  }

  bool skip_to_comma() {
    for (; at_ < end_; ++at_) {
      if (tokens_[at_].kind == TokenKind::open) at_ = tokens_[at_].partner;
      if (at_ < end_ && tokens_[at_].is(",")) {
        ++at_;
        return true;
      }
    }
    return false;
  }

  const std::vector<Token>& tokens_;
  std::size_t first_ = 0, at_ = 0, end_ = 0;
  std::vector<Variable> variables_;
};

}  // namespace

std::vector<Variable> variables_of_declaration(const std::vector<Token>& tokens, std::size_t first, std::size_t end) {
  return DeclarationReader(tokens, first, end).variables();
}

}  // namespace cudalabs::patch
