// Finds the PTX text in registered device code.
//
// The container's layout is not documented; these fields were read off containers that nvcc 13 writes and are checked
// by the tests against nvcc where it is installed: a 16-byte header, then entries of header and payload one after
// another.
#include "vgpu/cudart/server/module_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>

#include "vgpu/cudart/fat_binary.h"

namespace cudalabs::vgpu {
namespace {

enum EntryKind : std::uint16_t { kPtx = 1, kCubin = 2 };

struct EntryHeader {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t payload_bytes;  // padded
  std::uint32_t compressed_bytes;
  std::uint32_t options_offset;
  std::uint16_t code_minor, code_major;
  std::uint32_t architecture;  // 75 for sm_75 or compute_75
  std::uint32_t name_offset, name_bytes;
  std::uint64_t flags;
};
static_assert(sizeof(EntryHeader) == 48);
constexpr std::uint64_t kCompressedFlags = 0x2000 | 0x8000;  // LZ4, zstd

template <class T>
std::optional<T> read(std::span<const std::byte> from) {
  if (from.size() < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, from.data(), sizeof value);
  return value;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.find('\0'));
}

[[noreturn]] void damaged() {
  throw ImageError(cudaErrorInvalidKernelImage, "the fat binary is damaged: an entry reaches beyond its end");
}

std::string_view ptx_of_container(std::span<const std::byte> image, std::uint32_t architecture) {
  const auto header = read<ContainerHeader>(image);
  if (!header || header->header_bytes < sizeof(ContainerHeader) || header->header_bytes > image.size() ||
      header->payload_bytes > image.size() - header->header_bytes)
    damaged();
  auto entries = image.subspan(header->header_bytes, header->payload_bytes);

  std::string_view best;
  std::uint32_t best_architecture = 0, lowest_above = 0;
  bool compressed = false, machine_code = false;
  while (!entries.empty()) {
    const auto entry = read<EntryHeader>(entries);
    if (!entry || entry->header_bytes < sizeof(EntryHeader) || entry->header_bytes > entries.size() ||
        entry->payload_bytes > entries.size() - entry->header_bytes)
      damaged();
    const auto payload = entries.subspan(entry->header_bytes, entry->payload_bytes);
    entries = entries.subspan(entry->header_bytes + entry->payload_bytes);
    if (entry->kind != kPtx) {
      machine_code = machine_code || entry->kind == kCubin;
    } else if (entry->flags & kCompressedFlags) {
      compressed = true;
    } else if (entry->architecture > architecture) {
      lowest_above = lowest_above == 0 ? entry->architecture : std::min(lowest_above, entry->architecture);
    } else if (best.empty() || entry->architecture > best_architecture) {
      best = text_of(payload);
      best_architecture = entry->architecture;
    }
  }
  if (!best.empty()) return best;
  if (compressed) {
    throw ImageError(cudaErrorNoKernelImageForDevice,
                     "the PTX in the fat binary is compressed: compile with `nvcc --no-compress`");
  }
  if (lowest_above != 0) {
    throw ImageError(cudaErrorNoKernelImageForDevice,
                     fmt::format("the PTX is for compute_{} and above, the device is compute_{}: compile with "
                                 "`nvcc -gencode arch=compute_{},code=compute_{}`",
                                 lowest_above, architecture, architecture, architecture));
  }
  if (machine_code) {
    throw ImageError(cudaErrorNoKernelImageForDevice,
                     fmt::format("the fat binary holds machine code only, and the virtual GPU runs PTX: compile with "
                                 "`nvcc --no-compress -gencode arch=compute_{},code=compute_{}`",
                                 architecture, architecture));
  }
  throw ImageError(cudaErrorNoKernelImageForDevice, "the fat binary holds no PTX");
}

}  // namespace

std::string_view find_ptx(std::span<const std::byte> image, std::uint32_t major, std::uint32_t minor) {
  if (read<std::uint32_t>(image) == kContainerMagic) return ptx_of_container(image, major * 10 + minor);
  const std::string_view text = text_of(image);
  if (text.find(".version") == std::string_view::npos)
    throw ImageError(cudaErrorInvalidKernelImage, "the device code is neither PTX nor a fat binary");
  return text;
}

std::uint32_t ptx_isa_version(std::string_view ptx) {
  constexpr std::string_view kDirective = ".version";
  const auto at = ptx.find(kDirective);
  if (at == std::string_view::npos) return 0;
  std::uint32_t numbers[2] = {0, 0};
  std::size_t i = at + kDirective.size();
  const auto digit = [&] { return i < ptx.size() && std::isdigit(static_cast<unsigned char>(ptx[i])) != 0; };
  while (i < ptx.size() && (ptx[i] == ' ' || ptx[i] == '\t')) ++i;
  for (auto& number : numbers) {
    for (; digit() && number < 1000; ++i) number = number * 10 + static_cast<std::uint32_t>(ptx[i] - '0');
    if (i < ptx.size() && ptx[i] == '.') ++i;
  }
  return numbers[0] * 10 + numbers[1];
}

}  // namespace cudalabs::vgpu
