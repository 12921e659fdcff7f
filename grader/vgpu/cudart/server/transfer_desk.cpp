#include "vgpu/cudart/server/transfer_desk.h"

#include <algorithm>
#include <cstring>

namespace cudalabs::vgpu {

TransferDesk::TransferDesk(const Replacements& replacements)
    : arrays_(replacements.arrays),
      words_in_(replacements.words_in.begin(), replacements.words_in.end()),
      words_out_(replacements.words_out.begin(), replacements.words_out.end()),
      answers_(replacements.answers),
      prints_(replacements.prints) {}

void TransferDesk::to_device(const CallOrigin& origin, std::span<std::byte> data) {
  const std::scoped_lock lock(mutex_);
  const std::size_t number = add(Transfer::Kind::to_device, origin);
  keep(number, data);
  if (!swap_array(data)) return swap_words(words_in_, data);
  if (number != kNone) log_.transfers[number].replaced = true;
}

std::size_t TransferDesk::announce_to_host(const CallOrigin& origin) {
  const std::scoped_lock lock(mutex_);
  const std::size_t number = add(Transfer::Kind::to_host, origin);
  if (number != kNone && next_answer_ < answers_.size()) answer_of_[number] = &answers_[next_answer_++];
  return number;
}

void TransferDesk::to_host(std::size_t number, std::span<std::byte> data) {
  const std::scoped_lock lock(mutex_);
  const std::vector<std::byte>* answer = number == kNone ? nullptr : answer_of_[number];
  if (answer != nullptr && answering_ && answer->size() == data.size()) {
    std::ranges::copy(*answer, data.begin());
    log_.transfers[number].replaced = true;
  } else {
    if (answer != nullptr) answering_ = false;  // another program's answers are of no use
    swap_words(words_out_, data);
  }
  keep(number, data);
}

void TransferDesk::fill(const CallOrigin& origin, std::byte value) {
  const std::scoped_lock lock(mutex_);
  keep(add(Transfer::Kind::fill, origin), std::span(&value, 1));
}

void TransferDesk::launch(const CallOrigin& origin, std::span<const std::byte> arguments) {
  const std::scoped_lock lock(mutex_);
  keep(add(Transfer::Kind::launch, origin), arguments);
}

void TransferDesk::print(std::string& text) {
  if (text.empty()) return;
  const std::scoped_lock lock(mutex_);
  if (prints_) {
    text.clear();
    if (next_print_ < prints_->size()) {
      const std::vector<std::byte>& shown = (*prints_)[next_print_++];
      text.assign(reinterpret_cast<const char*>(shown.data()), shown.size());
    }
  }
  if (!text.empty()) keep(add(Transfer::Kind::print, {}), std::as_bytes(std::span(text)));
}

TransferLog TransferDesk::log() const {
  const std::scoped_lock lock(mutex_);
  return log_;
}

void TransferDesk::swap_words(const WordMap& map, std::span<std::byte> data) {
  if (map.empty()) return;
  for (; data.size() >= sizeof(std::uint32_t); data = data.subspan(sizeof(std::uint32_t))) {
    std::uint32_t word = 0;
    std::memcpy(&word, data.data(), sizeof word);
    if (const std::uint32_t* found = map.find(word)) std::memcpy(data.data(), found, sizeof *found);
  }
}

bool TransferDesk::swap_array(std::span<std::byte> data) {
  const auto same = [&](const Replacements::Array& array) { return std::ranges::equal(array.shown, data); };
  const auto found = std::ranges::find_if(arrays_, same);
  if (found == arrays_.end()) return false;
  std::ranges::copy(found->used, data.begin());
  arrays_.erase(found);
  return true;
}

std::size_t TransferDesk::add(Transfer::Kind kind, const CallOrigin& origin) {
  bytes_ += TransferLog::kRecordBytes;
  if (bytes_ > TransferLog::kMostBytes) log_.complete = false;
  if (!log_.complete) return kNone;
  log_.transfers.push_back({kind, false, origin, {}});
  answer_of_.push_back(nullptr);
  return log_.transfers.size() - 1;
}

void TransferDesk::keep(std::size_t number, std::span<const std::byte> data) {
  if (number == kNone || !log_.complete) return;
  bytes_ += data.size();
  if (bytes_ > TransferLog::kMostBytes) {
    log_.complete = false;
    return;
  }
  log_.transfers[number].data.assign(data.begin(), data.end());
}

}  // namespace cudalabs::vgpu
