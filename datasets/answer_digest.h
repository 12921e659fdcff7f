// The right answers to questions, kept so that neither the source nor the written cases tell them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::datasets {

/// 32 hexadecimal digits of PBKDF2 with HMAC-SHA-256, salted with the question's name. It keeps an answer from being
/// read, not from being guessed: who tries all small numbers finds it, and could as well have counted. Throws
/// std::runtime_error when libcrypto fails.
std::string answer_digest(std::string_view question, std::int64_t answer);

/// Whether this answers the question, by its registered digest. Throws std::logic_error for a question that nobody
/// registered.
bool is_right_answer(std::string_view question, std::int64_t answer);

/// A generator whose outputs answer questions defines one of these at namespace scope: digests by the questions' names.
struct RegisterAnswers {
  explicit RegisterAnswers(const std::map<std::string, std::string>& digests);
};

/// A number that a usual mistake gives in place of an answer, by its digest, and what the mistake is: in words that say
/// no number, since with it they would tell the answer.
struct Miscount {
  std::string digest;
  std::string what;
};

/// The mistake that gives this number in place of the answer to the question; empty: none is known to.
std::string_view miscount_of(std::string_view question, std::int64_t answer);

/// As RegisterAnswers, by the questions' names.
struct RegisterMiscounts {
  explicit RegisterMiscounts(const std::map<std::string, std::vector<Miscount>>& known);
};

}  // namespace cudalabs::datasets
