// Transfers and replacements as bytes and back: counts first, then the items, in this machine's byte order.
#include "vgpu/cudart/transfers.h"

#include <cstring>
#include <type_traits>

namespace cudalabs::vgpu {
namespace {

class Writer {
 public:
  template <class Value>
  void number(Value value) {
    static_assert(std::is_arithmetic_v<Value>);
    bytes(std::as_bytes(std::span(&value, 1)));
  }
  void sized(std::span<const std::byte> data) {
    number<std::uint64_t>(data.size());
    bytes(data);
  }
  void words(const std::vector<Replacements::Word>& words) {
    number<std::uint64_t>(words.size());
    for (const auto& [from, to] : words) {
      number(from);
      number(to);
    }
  }
  std::vector<std::byte> take() { return std::move(out_); }

 private:
  void bytes(std::span<const std::byte> data) { out_.insert(out_.end(), data.begin(), data.end()); }

  std::vector<std::byte> out_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class Value>
  Value number() {
    Value value{};
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  /// A count of items of at least `least` bytes each: no more than there is room for.
  std::uint64_t count(std::size_t least) {
    const auto items = number<std::uint64_t>();
    if (items > left_.size() / least) throw TransferError("more items than bytes");
    return items;
  }
  std::vector<std::byte> sized() {
    const auto data = take(count(1));
    return {data.begin(), data.end()};
  }
  std::vector<Replacements::Word> words() {
    std::vector<Replacements::Word> words(count(2 * sizeof(std::uint32_t)));
    for (auto& [from, to] : words) {
      from = number<std::uint32_t>();
      to = number<std::uint32_t>();
    }
    return words;
  }
  bool flag() {
    const auto value = number<std::uint8_t>();
    if (value > 1) throw TransferError("a flag that is neither 0 nor 1");
    return value == 1;
  }
  void finish() const {
    if (!left_.empty()) throw TransferError("bytes behind the end");
  }

 private:
  std::span<const std::byte> take(std::uint64_t bytes) {
    if (bytes > left_.size()) throw TransferError("cut short");
    const auto taken = left_.first(bytes);
    left_ = left_.subspan(bytes);
    return taken;
  }

  std::span<const std::byte> left_;
};

constexpr std::size_t kLeastTransfer = 2 + 3 * sizeof(std::uint64_t);

}  // namespace

std::vector<std::byte> to_bytes(const TransferLog& log) {
  Writer writer;
  writer.number<std::uint8_t>(log.complete ? 1 : 0);
  writer.number<std::uint64_t>(log.transfers.size());
  for (const Transfer& transfer : log.transfers) {
    writer.number(static_cast<std::uint8_t>(transfer.kind));
    writer.number<std::uint8_t>(transfer.replaced ? 1 : 0);
    writer.number(transfer.origin.address);
    writer.number(transfer.origin.outer);
    writer.sized(transfer.data);
  }
  return writer.take();
}

TransferLog transfer_log_from_bytes(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  TransferLog log;
  log.complete = reader.flag();
  log.transfers.resize(reader.count(kLeastTransfer));
  for (Transfer& transfer : log.transfers) {
    const auto kind = reader.number<std::uint8_t>();
    if (kind > static_cast<std::uint8_t>(Transfer::kLastKind)) throw TransferError("an unknown kind of transfer");
    transfer.kind = static_cast<Transfer::Kind>(kind);
    transfer.replaced = reader.flag();
    transfer.origin.address = reader.number<std::uint64_t>();
    transfer.origin.outer = reader.number<std::uint64_t>();
    transfer.data = reader.sized();
  }
  reader.finish();
  return log;
}

std::vector<std::byte> to_bytes(const Replacements& replacements) {
  Writer writer;
  writer.number<std::uint64_t>(replacements.arrays.size());
  for (const auto& [shown, used] : replacements.arrays) {
    writer.sized(shown);
    writer.sized(used);
  }
  writer.words(replacements.words_in);
  writer.words(replacements.words_out);
  writer.number<std::uint64_t>(replacements.answers.size());
  for (const auto& answer : replacements.answers) writer.sized(answer);
  writer.number<std::uint8_t>(replacements.prints ? 1 : 0);
  if (!replacements.prints) return writer.take();
  writer.number<std::uint64_t>(replacements.prints->size());
  for (const auto& text : *replacements.prints) writer.sized(text);
  return writer.take();
}

Replacements replacements_from_bytes(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Replacements replacements;
  replacements.arrays.resize(reader.count(2 * sizeof(std::uint64_t)));
  for (auto& [shown, used] : replacements.arrays) {
    shown = reader.sized();
    used = reader.sized();
    if (shown.size() != used.size()) throw TransferError("an array replaced by one of another size");
  }
  replacements.words_in = reader.words();
  replacements.words_out = reader.words();
  replacements.answers.resize(reader.count(sizeof(std::uint64_t)));
  for (auto& answer : replacements.answers) answer = reader.sized();
  if (reader.flag()) {
    replacements.prints.emplace(reader.count(sizeof(std::uint64_t)));
    for (auto& text : *replacements.prints) text = reader.sized();
  }
  reader.finish();
  return replacements;
}

}  // namespace cudalabs::vgpu
