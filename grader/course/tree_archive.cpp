// Files from an archive, read in memory as libarchive unpacks them: nothing is written to disk, so no path of an
// archive means anything to this machine.
#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <locale.h>
#include <sys/stat.h>

#include <array>
#include <memory>

#include "course/entry_path.h"
#include "course/tree_builder.h"

namespace cudalabs::course {
namespace {

using Path = std::vector<std::string>;
using Handle = std::unique_ptr<archive, int (*)(archive*)>;

/// An archive that is to be refused as a whole.
class BadArchive : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// libarchive gives names in the locale's character set; a grader may run in one that has ASCII alone.
class Utf8Names {
 public:
  Utf8Names() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_ != nullptr) before_ = uselocale(locale_);
  }
  ~Utf8Names() {
    if (locale_ == nullptr) return;
    uselocale(before_);
    freelocale(locale_);
  }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;

 private:
  locale_t locale_, before_{};
};

Handle new_reader() {
  Handle reader(archive_read_new(), &archive_read_free);
  if (!reader) throw std::bad_alloc();
  // Each format is a parser of hostile input: only those that systems hand out and students pack.
  archive_read_support_format_zip(reader.get());
  archive_read_support_format_tar(reader.get());
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_filter_bzip2(reader.get());
  archive_read_support_filter_xz(reader.get());
  archive_read_support_filter_zstd(reader.get());
  return reader;
}

std::string complaint(archive* reader) {
  const char* text = archive_error_string(reader);
  return text == nullptr ? "it is damaged" : text;
}

class ArchiveReader {
 public:
  ArchiveReader(TreeBuilder& builder, Handle reader, Path prefix, unsigned level, std::uint64_t packed,
                std::optional<std::int64_t> time, ArchiveUse* use)
      : builder_(builder),
        reader_(std::move(reader)),
        prefix_(std::move(prefix)),
        level_(level),
        packed_(packed),
        time_(time),
        use_(use) {}

  void read() {
    for (archive_entry* entry = nullptr;;) {
      const int code = archive_read_next_header(reader_.get(), &entry);
      if (code == ARCHIVE_EOF) break;
      if (code == ARCHIVE_RETRY) continue;
      if (code < ARCHIVE_WARN) throw BadArchive("this archive cannot be read: " + complaint(reader_.get()));
      builder_.count_entry();
      if (use_ != nullptr && ++use_->entries > builder_.limits().entries_of_archive)
        throw BadArchive(fmt::format("this archive holds more than {} files", builder_.limits().entries_of_archive));
      take(entry);
    }
  }

 private:
  void take(archive_entry* entry) {
    const char* name = archive_entry_pathname(entry);
    EntryPath parsed = parse_entry_path(name == nullptr ? "" : name);
    Path path = prefix_;
    if (!parsed.problem.empty()) {
      if (std::string_view(name == nullptr ? "" : name) == "./") return;
      path.push_back("?");
      builder_.refuse(std::move(path), parsed.problem);
      return;
    }
    path.insert(path.end(), parsed.parts.begin(), parsed.parts.end());
    builder_.look_for_clone(path);
    const auto type = archive_entry_filetype(entry);
    const bool link = type == AE_IFLNK || archive_entry_hardlink(entry) != nullptr;
    const bool tools = is_left_by_a_tool(path);
    if (type == AE_IFDIR || tools) {
      skip(entry);
    } else if (link || type != AE_IFREG) {
      builder_.refuse(std::move(path), link ? "it is a link" : "it is neither a file nor a folder");
    } else {
      take_file(entry, std::move(path));
    }
  }

  void take_file(archive_entry* entry, Path path) {
    const std::optional<std::int64_t> time = time_ ? time_
                                             : archive_entry_mtime_is_set(entry) != 0
                                                 ? std::optional<std::int64_t>(archive_entry_mtime(entry))
                                                 : std::nullopt;
    const Interest interest = interest_in(path);
    if (interest == Interest::none) {
      skip(entry);
      builder_.tree().files.push_back({std::move(path), {}, false, time});
      return;
    }
    const bool inner = interest == Interest::archive;
    const std::uint64_t most = most_bytes(interest, builder_.limits());
    std::optional<std::string> bytes = start_of(entry, most + 1, path);
    if (!bytes) return;
    if (!inner) {
      builder_.keep({std::move(path), std::move(*bytes), false, time});
    } else if (bytes->size() > most) {
      builder_.refuse(std::move(path), fmt::format("this archive is larger than {} MiB", most >> 20));
    } else {
      path.back() = archive_stem(path.back());
      ArchiveUse own;  // of a student's archive in the system's
      add_inner_archive(builder_, *bytes, path, level_ + 1, time, use_ == nullptr ? own : *use_);
    }
  }

  /// The first `most` bytes of an entry; nothing when it cannot be read, and is refused.
  std::optional<std::string> start_of(archive_entry* entry, std::uint64_t most, const Path& path) {
    std::string bytes;
    std::array<char, 1 << 16> chunk;
    while (bytes.size() < most) {
      const la_ssize_t count = archive_read_data(reader_.get(), chunk.data(), chunk.size());
      if (count == 0) return bytes;
      if (count < 0) {
        const bool encrypted = archive_entry_is_encrypted(entry) != 0;
        if (count <= ARCHIVE_FATAL && !encrypted)
          throw BadArchive("this archive cannot be read: " + complaint(reader_.get()));
        builder_.refuse(path, encrypted ? "it is encrypted" : complaint(reader_.get()));
        return std::nullopt;
      }
      count_bytes(static_cast<std::uint64_t>(count));
      bytes.append(chunk.data(), static_cast<std::size_t>(count));
    }
    bytes.resize(most);
    skip(entry);
    return bytes;
  }

  /// Goes past what is left of an entry. Its size as the archive says it counts: a compressed tar has to be unpacked to
  /// get past it, and a zip, which may lie, is not.
  void skip(archive_entry* entry) {
    if (archive_entry_size_is_set(entry) != 0) {
      const la_int64_t size = archive_entry_size(entry);
      if (size < 0) throw BadArchive("this archive has a file of negative size");
      count_bytes(static_cast<std::uint64_t>(size));
      if (archive_read_data_skip(reader_.get()) <= ARCHIVE_FATAL)
        throw BadArchive("this archive cannot be read: " + complaint(reader_.get()));
      return;
    }
    std::array<char, 1 << 16> chunk;
    for (;;) {
      const la_ssize_t count = archive_read_data(reader_.get(), chunk.data(), chunk.size());
      if (count <= 0) return;
      count_bytes(static_cast<std::uint64_t>(count));
    }
  }

  void count_bytes(std::uint64_t bytes) {
    const TreeLimits& limits = builder_.limits();
    bytes_ += bytes;
    if (use_ != nullptr) use_->bytes += bytes;
    if (use_ != nullptr && use_->bytes > limits.bytes_of_archive)
      throw BadArchive(fmt::format("this archive holds more than {} MiB", limits.bytes_of_archive >> 20));
    if (bytes_ > limits.ratio_free_bytes && bytes_ / limits.ratio > packed_)
      throw BadArchive(fmt::format("this archive unpacks to more than {} times its size", limits.ratio));
    builder_.count_bytes(bytes);
  }

  TreeBuilder& builder_;
  Handle reader_;
  Path prefix_;
  unsigned level_;
  std::uint64_t packed_, bytes_ = 0;
  std::optional<std::int64_t> time_;
  ArchiveUse* use_;  // none: this is the outermost
};

}  // namespace

void add_inner_archive(TreeBuilder& builder, std::string_view bytes, const Path& prefix, unsigned level,
                       std::optional<std::int64_t> time, ArchiveUse& use) {
  if (level > builder.limits().nested) {
    builder.refuse(prefix, fmt::format("archives lie in archives, more than {} deep", builder.limits().nested));
    return;
  }
  const TreeBuilder::Mark mark = builder.mark();
  const auto refuse = [&](const char* reason) {
    builder.go_back(mark);
    builder.refuse(prefix, reason);
  };
  try {
    const Utf8Names names;
    Handle reader = new_reader();
    if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
      throw BadArchive("this archive cannot be read: " + complaint(reader.get()));
    ArchiveReader(builder, std::move(reader), prefix, level, bytes.size(), time, &use).read();
  } catch (const BadArchive& error) {
    refuse(error.what());
  } catch (const TreeError& error) {
    refuse(error.what());  // a student who fills what all may hand in together loses their own
  }
}

void add_archive(TreeBuilder& builder, const sandbox::Fd& file, std::uint64_t size) {
  constexpr std::size_t kBlock = 1 << 16;
  try {
    const Utf8Names names;
    Handle reader = new_reader();
    if (archive_read_open_fd(reader.get(), file.get(), kBlock) != ARCHIVE_OK)
      throw BadArchive("this archive cannot be read: " + complaint(reader.get()));
    ArchiveReader(builder, std::move(reader), {}, 1, size, std::nullopt, nullptr).read();
  } catch (const BadArchive& error) {
    throw TreeError(error.what());
  }
}

}  // namespace cudalabs::course
