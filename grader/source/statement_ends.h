// Where statements of a source end. Read as text.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cudalabs {

/// Of `code`, which has no comments and must outlive it. Its brackets are matched once: a text may have many
/// statements, one in the other.
class StatementEnds {
 public:
  explicit StatementEnds(std::string_view code);

  /// Past what closes the round or curly bracket at `at`; npos: nothing does.
  std::size_t past_bracket(std::size_t at) const { return past_[at]; }

  /// Behind the statement that begins at `at`: a block, a loop or a condition with its own, or up to a semicolon.
  std::size_t past_statement(std::size_t at) const { return past_statement(at, 0); }

 private:
  std::size_t past_statement(std::size_t at, int depth) const;
  std::size_t past_head(std::size_t at, std::string_view word, int depth) const;

  std::string_view code_;
  std::vector<std::size_t> past_;                              // by place of a bracket that opens
  mutable std::unordered_map<std::size_t, std::size_t> ends_;  // of loops and conditions, as far as they were asked for
};

}  // namespace cudalabs
