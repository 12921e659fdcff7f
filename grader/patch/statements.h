// The statements of a source's functions, from its tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "patch/tokens.h"

namespace cudalabs::patch {

/// The index of what there is not.
inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

enum class StatementKind : std::uint8_t {
  declaration,
  expression,  // assignments, calls, launches
  leave,       // return
  jump,        // break, continue, goto
  branch,      // if, with its else
  loop,        // for, while, do
  block,       // { ... }
  other,       // a label, a switch, a type, ...: not to be moved
};

struct Statement {
  StatementKind kind = StatementKind::other;
  std::size_t first = 0, last = 0;  // tokens, both its own: the last is its semicolon or closing brace
  std::size_t function = kNone;
  std::size_t parent = kNone;  // the statement that it is within; kNone: it stands in the function's body
  std::size_t block = kNone;   // the block that it stands in; kNone: it is itself what an if or a loop has as its body
  std::size_t place = 0;       // in the block
  std::size_t condition = kNone;  // of an if or a loop: the token "("
  std::size_t body = kNone;       // of an if or a loop: a statement
  std::size_t otherwise = kNone;  // what stands behind else: a statement
  std::size_t inner = kNone;      // of a block: which one

  TokenRange tokens() const { return {first, last}; }
};

struct Block {
  std::size_t open = 0, close = 0;      // tokens
  std::size_t statement = kNone;        // kNone: it is the body of a function
  std::vector<std::size_t> statements;  // those that stand in it, not those of blocks within
};

/// A function with a body, or a lambda.
struct Function {
  std::size_t head = 0;                          // a token, near the beginning of the declaration
  std::size_t name = kNone, parameters = kNone;  // tokens, the latter "("; a lambda has no name, and may have no "("
  std::size_t open = 0, close = 0;               // tokens: the braces of the body
  std::size_t body = kNone;                      // a block
  bool on_device = false;
};

struct Statements {
  std::vector<Function> functions;
  std::vector<Block> blocks;
  std::vector<Statement> all;
};

/// Functions that are very long or deeply nested are left out. Empty: the text is far longer than a submission.
Statements statements_of(const std::vector<Token>& tokens);

/// The nearest statement of this kind that `statement` lies within; kNone: there is none.
std::size_t enclosing(const Statements& statements, std::size_t statement, StatementKind kind);

/// The statement before or behind it in its block; kNone: there is none.
std::size_t statement_before(const Statements& statements, std::size_t statement);
std::size_t statement_behind(const Statements& statements, std::size_t statement);

}  // namespace cudalabs::patch
