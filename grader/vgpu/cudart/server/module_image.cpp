// Finds the PTX text in registered device code.
//
// The container's layout is not documented; these fields were read off containers that nvcc 13 writes and are checked
// by the tests against nvcc where it is installed: a 16-byte header, then entries of header and payload one after
// another. Of a compressed payload the header says how long it is, and how long what it becomes.
#include "vgpu/cudart/server/module_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "vgpu/cudart/fat_binary.h"
#include "vgpu/cudart/server/unpacked.h"

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
constexpr std::size_t kMostFiles = 4096;  // that are linked
constexpr std::uint64_t kLz4Flag = 0x2000, kZstdFlag = 0x8000;
constexpr std::size_t kUnpackedBytesOffset = 56;  // in the header of an entry that is compressed

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

[[noreturn]] void damaged(const char* how) {
  throw ImageError(cudaErrorInvalidKernelImage, fmt::format("the fat binary is damaged: {}", how));
}

struct Entry {
  EntryHeader header{};
  std::span<const std::byte> header_bytes, payload;
};

/// Takes the first entry off.
Entry take_entry(std::span<const std::byte>& entries) {
  constexpr const char* kBeyond = "an entry reaches beyond its end";
  const auto header = read<EntryHeader>(entries);
  if (!header || header->header_bytes < sizeof(EntryHeader) || header->header_bytes > entries.size() ||
      header->payload_bytes > entries.size() - header->header_bytes)
    damaged(kBeyond);
  const Entry entry{*header, entries.first(header->header_bytes),
                    entries.subspan(header->header_bytes, header->payload_bytes)};
  entries = entries.subspan(header->header_bytes + header->payload_bytes);
  return entry;
}

/// What an entry holds, which may be compressed.
std::string contents_of(const Entry& entry, std::uint64_t& may_unpack) {
  const bool lz4 = (entry.header.flags & kLz4Flag) != 0, zstd = (entry.header.flags & kZstdFlag) != 0;
  if (!lz4 && !zstd) return std::string(reinterpret_cast<const char*>(entry.payload.data()), entry.payload.size());
  std::optional<std::uint64_t> bytes;
  if (entry.header_bytes.size() >= kUnpackedBytesOffset)
    bytes = read<std::uint64_t>(entry.header_bytes.subspan(kUnpackedBytesOffset));
  if (!bytes || entry.header.compressed_bytes > entry.payload.size()) damaged("a compressed entry has no size");
  if (*bytes > may_unpack) {
    throw ImageError(
        cudaErrorMemoryAllocation,
        fmt::format("the compressed device code takes {} bytes; {} are left for device code", *bytes, may_unpack));
  }
  may_unpack -= *bytes;
  std::string text = unpacked(entry.payload.first(entry.header.compressed_bytes), zstd ? Packing::zstd : Packing::lz4,
                              static_cast<std::size_t>(*bytes));
  if (text.empty()) damaged("what it has compressed cannot be unpacked");
  return text;
}

std::string ptx_of_entry(const Entry& entry, std::uint64_t& may_unpack) {
  std::string text = contents_of(entry, may_unpack);
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

/// What a container holds for a device, and what it holds else.
struct Contents {
  std::optional<Entry> best;
  std::uint32_t lowest_above = 0;  // the architecture of PTX for other devices
  std::optional<Entry> machine_code;
  std::string source;  // the file that was compiled, if the compiler says so

  bool lacks_ptx() const { return !best && (machine_code || lowest_above != 0); }
};

/// The library that kernels start kernels with is machine code.
bool is_device_runtime(const Contents& contents, std::uint64_t& may_unpack) {
  return contents.machine_code &&
         contents_of(*contents.machine_code, may_unpack).find("cuda_device_runtime_cu") != std::string::npos;
}

std::string source_of(const Entry& entry) {
  const std::uint64_t offset = entry.header.name_offset, bytes = entry.header.name_bytes;
  if (offset > entry.header_bytes.size() || bytes > entry.header_bytes.size() - offset) return {};
  return std::string(text_of(entry.header_bytes.subspan(offset, bytes)));
}

/// Takes the first container off.
Contents take_container(std::span<const std::byte>& containers, std::uint32_t architecture) {
  const auto header = read<ContainerHeader>(containers);
  if (!header || header->magic != kContainerMagic || header->header_bytes < sizeof(ContainerHeader) ||
      header->header_bytes > containers.size() || header->payload_bytes > containers.size() - header->header_bytes)
    damaged("it is shorter than it says");
  auto entries = containers.subspan(header->header_bytes, header->payload_bytes);
  containers = containers.subspan(header->header_bytes + header->payload_bytes);
  Contents contents;
  while (!entries.empty()) {
    const Entry entry = take_entry(entries);
    const std::uint32_t needed = entry.header.architecture;
    if (contents.source.empty()) contents.source = source_of(entry);
    if (entry.header.kind != kPtx) {
      if (entry.header.kind == kCubin && !contents.machine_code) contents.machine_code = entry;
    } else if (needed > architecture) {
      contents.lowest_above = contents.lowest_above == 0 ? needed : std::min(contents.lowest_above, needed);
    } else if (!contents.best || needed > contents.best->header.architecture) {
      contents.best = entry;
    }
  }
  return contents;
}

[[noreturn]] void refuse(const Contents& contents, std::uint32_t architecture, bool linked) {
  std::string of_file, each = "compile";
  if (linked) {
    of_file = contents.source.empty() ? " of a file" : fmt::format(" of {}", contents.source);
    each = "compile each file";
  }
  std::string message = "the fat binary holds no PTX";
  if (contents.lowest_above != 0) {
    message = fmt::format(
        "the PTX{} is for compute_{} and above, the device is compute_{}: {} with "
        "`nvcc -gencode arch=compute_{},code=compute_{}`",
        of_file, contents.lowest_above, architecture, each, architecture, architecture);
  } else if (contents.machine_code) {
    message = fmt::format(
        "the fat binary{} holds machine code only, and the virtual GPU runs PTX: {} with "
        "`nvcc -gencode arch=compute_{},code=compute_{}`",
        of_file, each, architecture, architecture);
  }
  throw ImageError(cudaErrorNoKernelImageForDevice, message);
}

std::vector<std::string> ptx_of_containers(std::span<const std::byte> image, std::uint32_t architecture,
                                           std::uint64_t& may_unpack) {
  std::vector<std::string> texts;
  std::optional<Contents> lacking;
  std::size_t count = 0;
  while (!image.empty()) {
    Contents contents = take_container(image, architecture);
    if (++count > kMostFiles)
      throw ImageError(cudaErrorMemoryAllocation, fmt::format("more than {} files of device code", kMostFiles));
    if (contents.best) {
      texts.push_back(ptx_of_entry(*contents.best, may_unpack));
    } else if (contents.lacks_ptx() && !lacking && !(is_device_runtime(contents, may_unpack))) {
      lacking = std::move(contents);
    }
  }
  if (lacking) refuse(*lacking, architecture, count > 1);
  if (texts.empty()) refuse({}, architecture, count > 1);
  return texts;
}

/// From the first `directive` to the end of its line; empty when there is none.
std::string_view line_of(std::string_view ptx, std::string_view directive) {
  const auto at = ptx.find(directive);
  return at == std::string_view::npos ? std::string_view() : ptx.substr(at, ptx.find('\n', at) - at);
}

}  // namespace

std::vector<std::string> find_ptx(std::span<const std::byte> image, std::uint32_t major, std::uint32_t minor,
                                  std::uint64_t& may_unpack) {
  if (read<std::uint32_t>(image) == kContainerMagic) return ptx_of_containers(image, major * 10 + minor, may_unpack);
  const std::string_view text = text_of(image);
  if (text.find(".version") == std::string_view::npos)
    throw ImageError(cudaErrorInvalidKernelImage, "the device code is neither PTX nor a fat binary");
  return {std::string(text)};
}

std::uint32_t ptx_target(std::string_view ptx) {
  const std::string_view target = line_of(ptx, ".target");
  constexpr std::string_view kPrefix = "sm_";
  const auto at = target.find(kPrefix);
  std::uint32_t number = 0;
  if (at != std::string_view::npos) {
    std::from_chars(target.data() + at + kPrefix.size(), target.data() + target.size(), number);
  }
  return number;
}

bool is_optimised_by_nvcc(std::string_view ptx) {
  constexpr std::string_view kByLlvm = "Generated by LLVM";
  const std::string_view target = line_of(ptx, ".target");  // ".target sm_75, debug" with -G
  return !target.empty() && target.find("debug") == std::string_view::npos &&
         ptx.substr(0, static_cast<std::size_t>(target.data() - ptx.data())).find(kByLlvm) == std::string_view::npos;
}

bool has_wide_accesses(std::string_view ptx) {
  constexpr std::string_view kSuffixes[] = {".v2.", ".v4.", ".v8.", ".b128"};
  return std::ranges::any_of(kSuffixes, [&](std::string_view suffix) { return ptx.find(suffix) != ptx.npos; });
}

}  // namespace cudalabs::vgpu
