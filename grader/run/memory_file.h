// A memory file that is made piece by piece, and then sealed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "sandbox/fd.h"

namespace cudalabs::runner {

/// Its functions throw std::system_error.
class MemoryFile {
 public:
  enum class Seals : std::uint8_t {
    size,  // it neither grows nor shrinks
    all    // nor is a byte of it changed
  };

  explicit MemoryFile(std::string_view name) : file_(sandbox::make_memory_file(name, {})) {}

  /// Of what was written.
  std::size_t size() const { return size_; }
  void write(std::span<const std::byte> bytes);
  void fill(std::size_t count, std::byte value);

  /// Zeros that take no memory until they are written. Instead of the others.
  void skip(std::size_t count);

  /// Gives `use` the first `bytes` bytes, which are 0, to be written in place. Instead of the others.
  void map(std::size_t bytes, const std::function<void(std::span<std::byte>)>& use);

  /// At its beginning again. No function may be called after this.
  sandbox::Fd sealed(Seals seals);

 private:
  sandbox::Fd file_;
  std::size_t size_ = 0;
};

}  // namespace cudalabs::runner
