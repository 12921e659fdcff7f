// libcrypto's SHA-256.
#include "build/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace cudalabs::builder {
namespace {

using Hash = std::array<unsigned char, 32>;

std::string digits(const Hash& hash) {
  return fmt::format("{:02x}", fmt::join(hash, ""));
}

}  // namespace

struct Digest::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), &EVP_MD_CTX_free};

  void update(std::string_view bytes) {
    if (EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) != 1)
      throw std::runtime_error("cannot compute SHA-256");
  }
};

Digest::Digest() : state_(std::make_unique<State>()) {
  if (!state_->context || EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("cannot compute SHA-256");
  }
}

Digest::~Digest() = default;

void Digest::add(std::string_view name, std::string_view bytes) {
  state_->update(std::to_string(name.size()) + ":" + std::to_string(bytes.size()) + ":");
  state_->update(name);
  state_->update(bytes);
}

std::string Digest::finish() {
  Hash hash{};
  if (EVP_DigestFinal_ex(state_->context.get(), hash.data(), nullptr) != 1) {
    throw std::runtime_error("cannot compute SHA-256");
  }
  return digits(hash);
}

std::string sha256(std::string_view bytes) {
  Hash hash{};
  if (EVP_Digest(bytes.data(), bytes.size(), hash.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("cannot compute SHA-256");
  return digits(hash);
}

}  // namespace cudalabs::builder
