// The source as a row of kinds of tokens, and its runs of a few tokens.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "course/similar/feature.h"

namespace cudalabs::similar {

struct Token {
  std::uint64_t kind = 0;
  std::uint32_t line = 0;
};

/// Reads what `sim_c++ --` of similarity-tester prints: a line for each token, with its kind. All names and numbers are
/// of one kind; comments and the files that are included are not there. At most `kMostTokens`; what else a line may
/// hold is skipped.
std::vector<Token> read_tokens(std::string_view listing);

constexpr std::size_t kMostTokens = 20'000;
/// Long enough that a run is more than one statement's usual form, short enough to fit between two changes.
constexpr std::size_t kTokensOfRun = 12;

/// Every run of `kTokensOfRun` tokens.
Features token_runs(const std::vector<Token>& tokens);

}  // namespace cudalabs::similar
