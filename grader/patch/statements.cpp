#include "patch/statements.h"

#include <algorithm>
#include <array>

#include "patch/declarations.h"

namespace cudalabs::patch {
namespace {

/// Operators look through a function for each of its statements: this bounds their work.
constexpr std::size_t kMostTokens = 40'000, kMostTokensOfFunction = 3'000, kDeepest = 50;
constexpr std::size_t kMostLettersOfFunction = 40'000;  // patches may copy large parts of it
constexpr std::size_t kLongestHead = 40;                // tokens before the parameters of a function

bool is_word_of(const Token& token, const auto& words) {
  return std::find(words.begin(), words.end(), token.text) != words.end();
}

/// The closing bracket that a function's body stands behind, as "f(int x) const" and "[&]" have it.
class HeadReader {
 public:
  HeadReader(const std::vector<Token>& tokens, std::size_t open) : tokens_(tokens), open_(open) {}

  /// Whether a function's body begins there; then what is known of the function.
  bool read(Function& function) const {
    std::size_t close = before_initialisers(before_trailing_return(before_specifiers(open_)));
    if (close == kNone || close >= open_) return false;
    const std::size_t opening = tokens_[close].partner;
    if (opening == 0) return false;
    const Token& before = tokens_[opening - 1];
    if (tokens_[close].is("]")) {
      if (before.kind == TokenKind::name ? !before.is("return") : before.kind == TokenKind::close) return false;
    } else if (tokens_[close].is(")")) {
      constexpr std::array<std::string_view, 5> kControl{"if", "for", "while", "switch", "catch"};
      if (is_word_of(before, kControl)) return false;
      function.parameters = opening;
      if (before.kind == TokenKind::name) function.name = opening - 1;
    } else {
      return false;
    }
    function.open = open_;
    function.close = tokens_[open_].partner;
    find_head(opening, function);
    return true;
  }

 private:
  /// The token before the words that may stand before a body.
  std::size_t before_specifiers(std::size_t open) const {
    constexpr std::array<std::string_view, 5> kSpecifiers{"const", "noexcept", "override", "final", "mutable"};
    while (open > 0 && is_word_of(tokens_[open - 1], kSpecifiers)) --open;
    return open == 0 ? kNone : open - 1;
  }

  std::size_t before_trailing_return(std::size_t last) const {
    if (last == kNone || tokens_[last].is(")")) return last;
    for (std::size_t at = last; at > 0 && last - at < kLongestHead; --at) {
      if (tokens_[at].is(";") || tokens_[at].is("{") || tokens_[at].is("}")) break;
      if (tokens_[at].is("->") && tokens_[at - 1].is(")")) return at - 1;
    }
    return last;
  }

  /// "Buffer(int n) : n_(n), p_{nullptr}" ends with its parameters.
  std::size_t before_initialisers(std::size_t last) const {
    while (last != kNone && tokens_[last].kind == TokenKind::close) {
      const std::size_t opening = tokens_[last].partner;
      if (opening < 3 || tokens_[opening - 1].kind != TokenKind::name) break;
      const Token& sign = tokens_[opening - 2];
      if ((!sign.is(",") && !sign.is(":")) || tokens_[opening - 3].kind != TokenKind::close) break;
      last = opening - 3;
    }
    return last;
  }

  void find_head(std::size_t opening, Function& function) const {
    std::size_t at = opening;
    while (at > 0 && opening - at < kLongestHead) {
      const Token& token = tokens_[at - 1];
      if (token.is(";") || token.is("{") || token.is("}")) break;
      if (token.is("__global__") || token.is("__device__")) function.on_device = true;
      --at;
    }
    function.head = at;
  }

  const std::vector<Token>& tokens_;
  std::size_t open_ = 0;
};

class StatementReader {
 public:
  explicit StatementReader(const std::vector<Token>& tokens) : tokens_(tokens) {}

  Statements read() {
    if (tokens_.size() > kMostTokens) return {};
    ranges_.push_back({0, tokens_.size()});
    while (!ranges_.empty()) {
      const Range range = ranges_.back();
      ranges_.pop_back();
      find_functions(range);
    }
    return std::move(read_);
  }

 private:
  struct Range {
    std::size_t begin = 0, end = 0;  // tokens
  };
  /// Where a statement stands.
  struct Spot {
    std::size_t parent = kNone, block = kNone;
  };

  void find_functions(Range range) {
    for (std::size_t at = range.begin; at < range.end; ++at) {
      Function function;
      if (!tokens_[at].is("{") || !HeadReader(tokens_, at).read(function)) continue;
      read_function(function);
      at = function.close;
    }
  }

  void read_function(Function function) {
    if (function.close - function.open > kMostTokensOfFunction) return;
    if (tokens_[function.close].end() - tokens_[function.open].begin > kMostLettersOfFunction) return;
    const std::size_t blocks = read_.blocks.size(), statements = read_.all.size(), ranges = ranges_.size();
    failed_ = false;
    function.body = blocks;
    read_.functions.push_back(function);
    read_block(function.open, kNone);
    if (!failed_) return;
    read_.functions.pop_back();
    read_.blocks.resize(blocks);
    read_.all.resize(statements);
    ranges_.resize(ranges);
  }

  void read_block(std::size_t open, std::size_t statement) {
    const std::size_t block = read_.blocks.size(), close = tokens_[open].partner;
    read_.blocks.push_back({open, close, statement, {}});
    for (std::size_t at = open + 1; at < close && !failed_;) at = read_statement(at, {statement, block});
  }

  /// Past it.
  std::size_t read_statement(std::size_t first, Spot spot) {
    if (++depth_ > kDeepest || first >= read_.functions.back().close) failed_ = true;
    if (!failed_) {
      const std::size_t index = add(first, spot);
      const std::size_t last = read_kind(index);
      read_.all[index].last = last;
      first = last + 1;
    }
    --depth_;
    return first;
  }

  std::size_t add(std::size_t first, Spot spot) {
    Statement statement;
    statement.first = first;
    statement.function = read_.functions.size() - 1;
    statement.parent = spot.parent;
    statement.block = spot.block;
    const std::size_t index = read_.all.size();
    if (spot.block != kNone) {
      statement.place = read_.blocks[spot.block].statements.size();
      read_.blocks[spot.block].statements.push_back(index);
    }
    read_.all.push_back(statement);
    return index;
  }

  /// Its last token.
  std::size_t read_kind(std::size_t index) {
    const std::size_t first = read_.all[index].first;
    const Token& token = tokens_[first];
    if (token.is("{")) {
      read_.all[index].kind = StatementKind::block;
      read_.all[index].inner = read_.blocks.size();
      read_block(first, index);
      return token.partner;
    }
    if (token.is("if")) return read_branch(index);
    if (token.is("for") || token.is("while") || token.is("switch")) return read_loop(index);
    if (token.is("do")) return read_do(index);
    if (token.is("try")) return read_try(first);
    if (token.is("else") || token.is("catch") || token.kind == TokenKind::close) return fail(first);
    return read_simple(index);
  }

  std::size_t fail(std::size_t first) {
    failed_ = true;
    return first;
  }

  /// Reads the condition whose bracket must stand there, and what is behind it.
  std::size_t read_body(std::size_t index, std::size_t open) {
    if (open >= tokens_.size() || !tokens_[open].is("(")) return fail(open);
    const std::size_t close = tokens_[open].partner;
    ranges_.push_back({open, close});
    read_.all[index].condition = open;
    read_.all[index].body = read_.all.size();
    return read_statement(close + 1, {index, kNone}) - 1;
  }

  std::size_t read_branch(std::size_t index) {
    read_.all[index].kind = StatementKind::branch;
    const std::size_t first = read_.all[index].first;
    const std::size_t last = read_body(index, tokens_[first + 1].is("constexpr") ? first + 2 : first + 1);
    if (failed_ || last + 1 >= tokens_.size() || !tokens_[last + 1].is("else")) return last;
    read_.all[index].otherwise = read_.all.size();
    return read_statement(last + 2, {index, kNone}) - 1;
  }

  std::size_t read_loop(std::size_t index) {
    const std::size_t first = read_.all[index].first;
    if (!tokens_[first].is("switch")) read_.all[index].kind = StatementKind::loop;
    return read_body(index, first + 1);
  }

  std::size_t read_do(std::size_t index) {
    read_.all[index].kind = StatementKind::loop;
    read_.all[index].body = read_.all.size();
    const std::size_t behind = read_statement(read_.all[index].first + 1, {index, kNone});
    if (failed_ || behind + 1 >= tokens_.size() || !tokens_[behind].is("while") || !tokens_[behind + 1].is("(")) {
      return fail(behind);
    }
    read_.all[index].condition = behind + 1;
    const std::size_t last = tokens_[behind + 1].partner + 1;
    return last < tokens_.size() && tokens_[last].is(";") ? last : fail(behind);
  }

  /// The blocks of try and catch are not looked into.
  std::size_t read_try(std::size_t first) {
    std::size_t last = first;
    while (last + 1 < tokens_.size()) {
      const Token& next = tokens_[last + 1];
      if (next.is("{") || (next.is("(") && tokens_[last].is("catch"))) {
        last = next.partner;
      } else if (next.is("catch")) {
        ++last;
      } else {
        break;
      }
    }
    return last == first ? fail(first) : last;
  }

  std::size_t read_simple(std::size_t index) {
    const std::size_t first = read_.all[index].first;
    const std::size_t label = end_of_label(first);
    if (label != kNone) return label;
    std::size_t last = first;
    while (!tokens_[last].is(";")) {
      if (tokens_[last].kind == TokenKind::close) return fail(first);
      last = tokens_[last].kind == TokenKind::open ? tokens_[last].partner + 1 : last + 1;
    }
    ranges_.push_back({first, last});
    read_.all[index].kind = kind_of(first, last);
    return last;
  }

  std::size_t end_of_label(std::size_t first) const {
    if (first + 1 < tokens_.size() && tokens_[first].kind == TokenKind::name && tokens_[first + 1].is(":")) {
      return first + 1;
    }
    if (!tokens_[first].is("case")) return kNone;
    std::size_t at = first;
    while (at + 1 < tokens_.size() && !tokens_[at].is(":") && !tokens_[at].is(";")) ++at;
    return at;
  }

  StatementKind kind_of(std::size_t first, std::size_t last) const {
    const Token& token = tokens_[first];
    constexpr std::array<std::string_view, 3> kJumps{"break", "continue", "goto"};
    constexpr std::array<std::string_view, 7> kTypes{"class", "union", "enum", "using", "typedef", "template", "asm"};
    if (token.is("return")) return StatementKind::leave;
    if (is_word_of(token, kJumps)) return StatementKind::jump;
    if (is_word_of(token, kTypes) || first == last) return StatementKind::other;
    if (token.is("struct") && first + 2 < last && tokens_[first + 2].is("{")) return StatementKind::other;
    return variables_of_declaration(tokens_, first, last + 1).empty() ? StatementKind::expression
                                                                      : StatementKind::declaration;
  }

  const std::vector<Token>& tokens_;
  std::vector<Range> ranges_;  // where functions are still to be looked for
  Statements read_;
  std::size_t depth_ = 0;
  bool failed_ = false;
};

}  // namespace

Statements statements_of(const std::vector<Token>& tokens) {
  return StatementReader(tokens).read();
}

std::size_t enclosing(const Statements& statements, std::size_t statement, StatementKind kind) {
  std::size_t at = statements.all[statement].parent;
  while (at != kNone && statements.all[at].kind != kind) at = statements.all[at].parent;
  return at;
}

std::size_t statement_before(const Statements& statements, std::size_t statement) {
  const Statement& self = statements.all[statement];
  if (self.block == kNone || self.place == 0) return kNone;
  return statements.blocks[self.block].statements[self.place - 1];
}

std::size_t statement_behind(const Statements& statements, std::size_t statement) {
  const Statement& self = statements.all[statement];
  if (self.block == kNone || self.place + 1 >= statements.blocks[self.block].statements.size()) return kNone;
  return statements.blocks[self.block].statements[self.place + 1];
}

}  // namespace cudalabs::patch
