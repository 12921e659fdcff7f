// Archives for tests, honest and hostile.
#include "packed.h"

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <stdexcept>

namespace cudalabs::test {

std::string packed(Packing packing, const std::vector<PackedEntry>& entries) {
  std::string bytes(64u << 20, '\0');
  std::size_t used = 0;
  const std::unique_ptr<archive, int (*)(archive*)> writer(archive_write_new(), &archive_write_free);
  archive* out = writer.get();
  if (packing == Packing::zip) {
    archive_write_set_format_zip(out);
  } else {
    archive_write_set_format_pax_restricted(out);
  }
  if (packing == Packing::tar_gz) archive_write_add_filter_gzip(out);
  if (packing == Packing::tar_xz) archive_write_add_filter_xz(out);
  if (packing == Packing::tar_zst) archive_write_add_filter_zstd(out);
  if (archive_write_open_memory(out, bytes.data(), bytes.size(), &used) != ARCHIVE_OK)
    throw std::runtime_error(archive_error_string(out));
  for (const PackedEntry& each : entries) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), &archive_entry_free);
    archive_entry_set_pathname(entry.get(), each.name.c_str());
    archive_entry_set_mtime(entry.get(), each.time, 0);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_filetype(entry.get(), each.name.ends_with('/') ? AE_IFDIR : AE_IFREG);
    if (!each.link_to.empty()) {
      archive_entry_set_filetype(entry.get(), AE_IFLNK);
      archive_entry_set_symlink(entry.get(), each.link_to.c_str());
    } else if (!each.hard_link_to.empty()) {
      archive_entry_set_hardlink(entry.get(), each.hard_link_to.c_str());
    } else {
      archive_entry_set_size(entry.get(), static_cast<la_int64_t>(each.bytes.size()));
    }
    if (archive_write_header(out, entry.get()) < ARCHIVE_WARN) throw std::runtime_error(archive_error_string(out));
    archive_write_data(out, each.bytes.data(), each.bytes.size());
  }
  if (archive_write_close(out) != ARCHIVE_OK) throw std::runtime_error(archive_error_string(out));
  bytes.resize(used);
  return bytes;
}

}  // namespace cudalabs::test
