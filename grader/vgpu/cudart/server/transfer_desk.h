// Where every copy between host and device passes, and every launch: writes it down, and replaces what it was told to.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "vgpu/cudart/transfers.h"
#include "vgpu/cudart/word_map.h"

namespace cudalabs::vgpu {

/// A copy to the host is announced when the program asks for it, which is what orders it, and passes when its turn
/// comes, perhaps on another thread.
class TransferDesk {
 public:
  explicit TransferDesk(const Replacements& replacements = {});

  /// All bytes of a copy to the device, in the order of its rows. A copy that is sent again is replaced like the first.
  void to_device(const CallOrigin& origin, std::span<std::byte> data);
  /// The same copy, whose source has changed meanwhile: replaced, not written down again.
  void again_to_device(std::span<std::byte> data) { swap_words(words_in_, data); }
  /// Returns the number under which the copy passes; a log that is full has no further ones, and no answers.
  std::size_t announce_to_host(const CallOrigin& origin);
  void to_host(std::size_t number, std::span<std::byte> data);
  void fill(const CallOrigin& origin, std::byte value);
  void launch(const CallOrigin& origin, std::span<const std::byte> arguments);
  /// What kernels have printed since the last time, as the program shall get it.
  void print(std::string& text);

  /// What has passed so far.
  TransferLog log() const;

 private:
  static void swap_words(const WordMap& map, std::span<std::byte> data);
  bool swap_array(std::span<std::byte> data);
  /// The number of a new record; kNone once the log is full.
  std::size_t add(Transfer::Kind kind, const CallOrigin& origin);
  /// Keeps `data` as that of record `number`, where there is room left.
  void keep(std::size_t number, std::span<const std::byte> data);

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::vector<Replacements::Array> arrays_;  // not used yet
  WordMap words_in_, words_out_;
  std::vector<std::vector<std::byte>> answers_;
  std::optional<std::vector<std::vector<std::byte>>> prints_;
  std::size_t next_print_ = 0;
  bool answering_ = true;
  std::size_t next_answer_ = 0;
  std::vector<const std::vector<std::byte>*> answer_of_;  // by record; null: none

  mutable std::mutex mutex_;
  TransferLog log_;
  std::size_t bytes_ = 0;
};

}  // namespace cudalabs::vgpu
