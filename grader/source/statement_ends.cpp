#include "source/statement_ends.h"

#include <algorithm>

#include "text/code_scan.h"

namespace cudalabs {

StatementEnds::StatementEnds(std::string_view code) : code_(code), past_(code.size(), kNowhere) {
  std::vector<std::size_t> round, curly;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] == '(') round.push_back(at);
    if (code[at] == '{') curly.push_back(at);
    std::vector<std::size_t>* const open = code[at] == ')' ? &round : code[at] == '}' ? &curly : nullptr;
    if (open == nullptr || open->empty()) continue;
    past_[open->back()] = at + 1;
    open->pop_back();
  }
}

std::size_t StatementEnds::past_statement(std::size_t at, int depth) const {
  constexpr int kDeepestStatement = 200;
  at = past_spaces(code_, at);
  if (at >= code_.size() || depth > kDeepestStatement) return code_.size();
  if (code_[at] == '{') return std::min(past_bracket(at), code_.size());
  const std::string_view word = code_.substr(at, end_of_word(code_, at) - at);
  if (word == "for" || word == "while" || word == "if") {
    const auto known = ends_.find(at);
    if (known != ends_.end()) return known->second;
    const std::size_t end = past_head(at, word, depth);
    ends_.emplace(at, end);
    return end;
  }
  for (; at < code_.size(); ++at) {
    if (code_[at] == ';') return at + 1;
    if (code_[at] == '}') return at;
    if (code_[at] != '(' && code_[at] != '{') continue;
    const std::size_t close = past_bracket(at);
    if (close == kNowhere) break;
    at = close - 1;
  }
  return code_.size();
}

/// Of a loop or a condition.
std::size_t StatementEnds::past_head(std::size_t at, std::string_view word, int depth) const {
  const std::size_t open = code_.find('(', at), close = open == kNowhere ? open : past_bracket(open);
  if (close == kNowhere) return code_.size();
  const std::size_t end = past_statement(close, depth + 1), next = past_spaces(code_, end);
  const bool goes_on = word == "if" && code_.substr(next, end_of_word(code_, next) - next) == "else";
  return goes_on ? past_statement(next + 4, depth + 1) : end;
}

}  // namespace cudalabs
