#include "device_images.h"

#include <lz4.h>
#include <zstd.h>

#include <cstdint>
#include <cstring>

namespace cudalabs::vgpu::fuzz {
namespace {

constexpr std::size_t kEntryBytes = 64;

void put(std::string& text, std::size_t at, std::uint64_t value) {
  std::memcpy(text.data() + at, &value, sizeof value);
}

std::string container_of(const std::string& entries) {
  std::string text("\x50\xed\x55\xba\x01\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00", 16);
  put(text, 8, entries.size());
  return text + entries;
}

std::string entry_of_ptx(char architecture, const std::string& data) {
  std::string entry(kEntryBytes, '\0');
  entry[0] = 1, entry[2] = 1, entry[3] = 1, entry[4] = kEntryBytes, entry[28] = architecture;
  put(entry, 8, data.size());
  return entry + data;
}

/// `flag`: the second byte of the entry's flags.
std::string compressed_container(const std::string& packed, char flag) {
  std::string entry = entry_of_ptx(70, packed);
  entry[41] = flag;
  put(entry, 16, packed.size());
  put(entry, 56, plain_module().size());
  return container_of(entry);
}

}  // namespace

std::string plain_module() {
  return ".version 7.0\n//! kernel plain\n//! kernel add params=8,4\n//! kernel fails\n//! kernel hangs\n"
         "//! kernel prints\n//! kernel bounded threads=32 registers=64 shared=1024\n//! variable table 64 constant\n";
}

std::string container() {
  return container_of(entry_of_ptx(50, ".version") + entry_of_ptx(70, ".version"));
}

std::string lz4_container() {
  const std::string text = plain_module();
  std::string packed(1024, '\0');
  packed.resize(static_cast<std::size_t>(LZ4_compress_default(text.data(), packed.data(), static_cast<int>(text.size()),
                                                              static_cast<int>(packed.size()))));
  return compressed_container(packed, '\x20');
}

std::string zstd_container() {
  const std::string text = plain_module();
  std::string packed(1024, '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return compressed_container(packed, '\x80');
}

}  // namespace cudalabs::vgpu::fuzz
