#include "datasets/answer_digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>

namespace cudalabs::datasets {
namespace {

std::map<std::string, std::string, std::less<>>& registry() {
  static std::map<std::string, std::string, std::less<>> digests;
  return digests;
}

std::map<std::string, std::vector<Miscount>, std::less<>>& miscounts() {
  static std::map<std::string, std::vector<Miscount>, std::less<>> known;
  return known;
}

}  // namespace

std::string answer_digest(std::string_view question, std::int64_t answer) {
  constexpr int kRounds = 20'000;  // some milliseconds an answer
  const std::string text = std::to_string(answer), salt = fmt::format("CUDA Labs: {}", question);
  std::array<unsigned char, 16> digest{};
  if (PKCS5_PBKDF2_HMAC(text.data(), static_cast<int>(text.size()), reinterpret_cast<const unsigned char*>(salt.data()),
                        static_cast<int>(salt.size()), kRounds, EVP_sha256(), static_cast<int>(digest.size()),
                        digest.data()) != 1) {
    throw std::runtime_error("cannot compute the digest of an answer");
  }
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

bool is_right_answer(std::string_view question, std::int64_t answer) {
  const auto known = registry().find(question);
  if (known == registry().end()) throw std::logic_error(fmt::format("nobody knows the answer to `{}`", question));
  return answer_digest(question, answer) == known->second;
}

std::string_view miscount_of(std::string_view question, std::int64_t answer) {
  const auto known = miscounts().find(question);
  if (known == miscounts().end()) return {};
  const auto found = std::ranges::find(known->second, answer_digest(question, answer), &Miscount::digest);
  return found == known->second.end() ? std::string_view() : found->what;
}

RegisterMiscounts::RegisterMiscounts(const std::map<std::string, std::vector<Miscount>>& known) {
  miscounts().insert(known.begin(), known.end());
}

RegisterAnswers::RegisterAnswers(const std::map<std::string, std::string>& digests) {
  registry().insert(digests.begin(), digests.end());
}

}  // namespace cudalabs::datasets
