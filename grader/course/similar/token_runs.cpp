// The source as a row of kinds of tokens, and its runs of a few tokens.
#include "course/similar/token_runs.h"

#include <charconv>

namespace cudalabs::similar {
std::vector<Token> read_tokens(std::string_view listing) {
  constexpr std::string_view kLine = "line # = ", kKind = " -> ";
  std::vector<Token> tokens;
  std::uint32_t line = 0;
  while (!listing.empty() && tokens.size() < kMostTokens) {
    const std::size_t end = listing.find('\n');
    const std::string_view row = listing.substr(0, end);
    listing.remove_prefix(end == std::string_view::npos ? listing.size() : end + 1);
    if (row.starts_with(kLine)) {
      std::from_chars(row.data() + kLine.size(), row.data() + row.size(), line);
      continue;
    }
    // The token itself may hold anything, its kind may not: the last arrow counts.
    const std::size_t kind = row.rfind(kKind);
    if (row.starts_with(' ') && kind != std::string_view::npos)
      tokens.push_back({hash_of(row.substr(kind + kKind.size())), line});
  }
  return tokens;
}

Features token_runs(const std::vector<Token>& tokens) {
  Features features;
  for (std::size_t i = 0; i + kTokensOfRun <= tokens.size(); ++i) {
    std::uint64_t hash = 0;
    for (std::size_t k = i; k < i + kTokensOfRun; ++k) hash = mixed(hash, tokens[k].kind);
    features.push_back({hash, tokens[i].line, tokens[i + kTokensOfRun - 1].line, static_cast<std::uint32_t>(i)});
  }
  return features;
}

}  // namespace cudalabs::similar
