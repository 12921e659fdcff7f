// Which shared libraries a program asks the loader for: the entries DT_NEEDED of its dynamic section.
#include "sanitizer/needed_libraries.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>

namespace cudalabs::sanitizer {
namespace {

constexpr std::uint64_t kMostBytes = 16u << 20;  // of a table

struct Damaged {};

class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& path) : stream_(path, std::ios::binary) {
    const auto header = at<Elf64_Ehdr>(0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_phentsize != sizeof(Elf64_Phdr))
      throw Damaged{};
    for (std::uint64_t i = 0; i < header.e_phnum; ++i)
      segments_.push_back(at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr)));
  }

  std::vector<std::string> needed() {
    std::vector<std::uint64_t> names;
    std::uint64_t text_address = 0, text_bytes = 0;
    for (const Elf64_Dyn& entry : dynamic()) {
      if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) text_address = entry.d_un.d_ptr;
      if (entry.d_tag == DT_STRSZ) text_bytes = entry.d_un.d_val;
    }
    if (names.empty()) return {};
    const std::string text = bytes(offset_of(text_address), text_bytes);
    std::vector<std::string> libraries;
    for (const std::uint64_t name : names) {
      if (name >= text.size()) throw Damaged{};
      libraries.emplace_back(text.c_str() + name);
    }
    return libraries;
  }

 private:
  std::string bytes(std::uint64_t offset, std::uint64_t count) {
    if (count > kMostBytes) throw Damaged{};
    std::string text(count, '\0');
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(offset));
    if (!stream_.read(text.data(), static_cast<std::streamsize>(count))) throw Damaged{};
    return text;
  }

  template <class T>
  T at(std::uint64_t offset) {
    const std::string text = bytes(offset, sizeof(T));
    T value;
    std::memcpy(&value, text.data(), sizeof value);
    return value;
  }

  std::vector<Elf64_Dyn> dynamic() {
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type != PT_DYNAMIC) continue;
      const std::string text = bytes(segment.p_offset, segment.p_filesz);
      std::vector<Elf64_Dyn> entries(text.size() / sizeof(Elf64_Dyn));
      std::memcpy(entries.data(), text.data(), entries.size() * sizeof(Elf64_Dyn));
      return entries;
    }
    return {};
  }

  std::uint64_t offset_of(std::uint64_t address) const {
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
        return segment.p_offset + (address - segment.p_vaddr);
    }
    throw Damaged{};
  }

  std::ifstream stream_;
  std::vector<Elf64_Phdr> segments_;
};

}  // namespace

std::optional<std::vector<std::string>> needed_libraries(const std::filesystem::path& program) {
  try {
    return ElfFile(program).needed();
  } catch (const Damaged&) {
    return std::nullopt;
  }
}

}  // namespace cudalabs::sanitizer
