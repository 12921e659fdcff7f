// What a machine made of a form's operands, and what is kept of it.
#include "form_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

namespace cudalabs::conformance {

namespace {

constexpr std::size_t kSamplesOfInstructions = 512, kSamplesOfFunctions = 192;

/// What comes in and in which order; SplitMix64's step.
class Digest {
 public:
  void add(std::uint64_t value) {
    std::uint64_t z = (state_ ^ value) + 0x9E37'79B9'7F4A'7C15;
    z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EB;
    state_ = z ^ (z >> 31);
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

// The hexadecimal digits of each of a row's results.
std::array<std::size_t, 2> digits_of(const InstructionForm& form) {
  std::array<std::size_t, 2> digits{};
  std::size_t next = 0;
  if (form.result.bits != 0) digits[next++] = (form.result.bits + 3) / 4;
  for (const Slot& slot : form.stores) digits.at(next++) = slot.bits / 4;
  return digits;
}

}  // namespace

std::vector<std::byte> bytes_of(const OperandTable& operands) {
  std::vector<std::byte> bytes(operands.columns.size() * operands.rows() * 8);
  for (std::size_t i = 0; i < operands.columns.size(); ++i) {
    std::memcpy(bytes.data() + i * operands.rows() * 8, operands.columns[i].data(), operands.rows() * 8);
  }
  return bytes;
}

std::vector<FormResult> results_of(std::span<const std::byte> bytes) {
  std::vector<FormResult> results(bytes.size() / sizeof(FormResult));
  std::memcpy(results.data(), bytes.data(), results.size() * sizeof(FormResult));
  return results;
}

std::string digests_of(const InstructionForm& form, const OperandTable& operands,
                       const std::vector<FormResult>& results) {
  std::array<Digest, kSorts> digests;
  std::array<bool, kSorts> used{};
  for (std::size_t row = 0; row < results.size(); ++row) {
    const auto sort = static_cast<std::size_t>(sort_of(form, operands, row));
    digests[sort].add(results[row].first);
    digests[sort].add(results[row].second);
    used[sort] = true;
  }
  std::string text;
  for (std::size_t sort = 0; sort < kSorts; ++sort) {
    if (sort > 0) text += ' ';
    text += used[sort] ? fmt::format("{:08x}", digests[sort].value() & 0xFFFF'FFFF) : "-";
  }
  return text;
}

std::vector<std::size_t> sampled_rows(const InstructionForm& form, const OperandTable& operands) {
  const std::size_t most = form.shape == Shape::function ? kSamplesOfFunctions : kSamplesOfInstructions;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < most; ++i) rows.push_back(i * operands.rows() / most);
  return rows;
}

std::string samples_of(const InstructionForm& form, const OperandTable& operands,
                       const std::vector<FormResult>& results) {
  const auto [first, second] = digits_of(form);
  std::string text;
  for (const std::size_t row : sampled_rows(form, operands)) {
    text += fmt::format("{:0{}x}", results[row].first, first);
    if (second != 0) text += fmt::format("{:0{}x}", results[row].second, second);
  }
  return text;
}

std::vector<FormResult> read_samples(const InstructionForm& form, const OperandTable& operands,
                                     const std::string& samples) {
  const auto [first, second] = digits_of(form);
  const std::size_t count = sampled_rows(form, operands).size();
  if (samples.size() != count * (first + second)) {
    throw std::invalid_argument(
        fmt::format("{}: {} digits of results instead of {}", form.key(), samples.size(), count * (first + second)));
  }
  std::vector<FormResult> results;
  for (std::size_t at = 0; at < samples.size(); at += first + second) {
    FormResult result{std::stoull(samples.substr(at, first), nullptr, 16), 0};
    if (second != 0) result.second = std::stoull(samples.substr(at + first, second), nullptr, 16);
    results.push_back(result);
  }
  return results;
}

std::string digest_of(std::span<const std::byte> bytes) {
  Digest digest;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
    digest.add(word);
  }
  return fmt::format("{:016x}", digest.value());
}

}  // namespace cudalabs::conformance
