// What travelled between a program's host and device memory, and what the server shall put in its place: a run in which
// host and device work on different data tells which of them computed the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "vgpu/cudart/server_report.h"

namespace cudalabs::vgpu {

/// One copy between host and device, one fill, what one launch brought along, or what kernels printed until a wait.
struct Transfer {
  enum class Kind : std::uint8_t { to_device, to_host, fill, launch, print };
  static constexpr Kind kLastKind = Kind::print;

  Kind kind = Kind::to_device;
  bool replaced = false;  // as a whole: an array of `Replacements::arrays`, or one of its `answers`
  CallOrigin origin;
  std::vector<std::byte>
      data;  // as the program has it; of a fill its value, once; of a launch its arguments; of a print the text

  bool operator==(const Transfer&) const = default;
};

/// In the order in which the program asked for them.
struct TransferLog {
  static constexpr std::size_t kMostBytes = 24u << 20;  // in all; a record costs its data and kRecordBytes
  static constexpr std::size_t kRecordBytes = 64;

  bool complete = true;  // false: there were more
  std::vector<Transfer> transfers;

  bool operator==(const TransferLog&) const = default;
};

/// What the server puts in the place of what travels. The program never sees what its device works on.
struct Replacements {
  /// A copy to the device that brings exactly the bytes `shown` brings `used` instead, the first time.
  struct Array {
    std::vector<std::byte> shown, used;  // of the same size

    bool operator==(const Array&) const = default;
  };
  using Word = std::pair<std::uint32_t, std::uint32_t>;  // what stands there, and what shall

  std::vector<Array> arrays;
  std::vector<Word> words_in;   // in every copy to the device that is no array's: each aligned word of four bytes
  std::vector<Word> words_out;  // likewise in every copy to the host
  /// What the first copies to the host bring, in their order, as long as each has the size of its copy.
  std::vector<std::vector<std::byte>> answers;
  /// The text that the program gets whenever kernels have printed something, in their order, and nothing after the
  /// last: it can read its own output. None: what they printed.
  std::optional<std::vector<std::vector<std::byte>>> prints;

  bool operator==(const Replacements&) const = default;
};

/// Bytes that are no log or no replacements.
class TransferError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::vector<std::byte> to_bytes(const TransferLog& log);
/// Throws TransferError for anything to_bytes does not write.
TransferLog transfer_log_from_bytes(std::span<const std::byte> bytes);

std::vector<std::byte> to_bytes(const Replacements& replacements);
/// Throws TransferError likewise.
Replacements replacements_from_bytes(std::span<const std::byte> bytes);

}  // namespace cudalabs::vgpu
