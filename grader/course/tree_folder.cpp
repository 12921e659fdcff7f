// Files from a folder on disk, opened name by name from the folder they are in, so that no link is ever followed.
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "course/entry_path.h"
#include "course/tree_builder.h"

namespace cudalabs::course {
namespace {

using sandbox::Fd;
using Path = std::vector<std::string>;

/// The names in a folder, sorted: whatever order the disk has them in.
std::vector<std::string> names_in(const Fd& folder) {
  const int copy = fcntl(folder.get(), F_DUPFD_CLOEXEC, 0);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(copy < 0 ? nullptr : fdopendir(copy), &closedir);
  if (!stream) throw TreeError(std::strerror(errno));
  std::vector<std::string> names;
  while (const dirent* entry = readdir(stream.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

/// The first `most` bytes of a file.
std::string start_of(const Fd& file, std::size_t most) {
  std::string bytes(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const ssize_t count = pread(file.get(), bytes.data() + size, most - size, static_cast<off_t>(size));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw TreeError(std::strerror(errno));
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  bytes.resize(size);
  return bytes;
}

void add_file(TreeBuilder& builder, const Fd& file, const struct stat& status, Path path) {
  const std::int64_t time = status.st_mtim.tv_sec;
  const Interest interest = interest_in(path);
  if (interest == Interest::archive) {
    if (static_cast<std::uint64_t>(status.st_size) > builder.limits().packed_bytes) {
      builder.refuse(std::move(path),
                     fmt::format("this archive is larger than {} MiB", builder.limits().packed_bytes >> 20));
      return;
    }
    const std::string bytes = start_of(file, static_cast<std::size_t>(status.st_size));
    path.back() = archive_stem(path.back());
    ArchiveUse use;
    add_inner_archive(builder, bytes, path, 2, time, use);
    return;
  }
  TreeFile found{std::move(path), {}, false, time};
  if (interest == Interest::none) {
    builder.tree().files.push_back(std::move(found));
    return;
  }
  const std::size_t most = std::min<std::size_t>(most_bytes(interest, builder.limits()) + 1, status.st_size);
  found.bytes = start_of(file, most);
  builder.count_bytes(found.bytes.size());
  builder.keep(std::move(found));
}

}  // namespace

void add_folder(TreeBuilder& builder, Fd folder, const Path& prefix) {
  for (const std::string& name : names_in(folder)) {
    builder.count_entry();
    EntryPath parsed = parse_entry_path(name);
    Path path = prefix;
    if (!parsed.problem.empty() || parsed.parts.size() != 1 || path.size() > 32) {
      path.push_back("?");
      builder.refuse(std::move(path), parsed.problem.empty() ? "it has an odd name" : parsed.problem);
      continue;
    }
    path.push_back(parsed.parts[0]);
    builder.look_for_clone(path);
    if (is_left_by_a_tool(path)) continue;
    // A pipe or a device must not make the grader wait, nor take it for its terminal.
    Fd file(openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0) {
      const bool link = !file && errno == ELOOP;
      builder.refuse(std::move(path),
                     link ? "it is a link" : std::string("it cannot be read: ") + std::strerror(errno));
    } else if (S_ISDIR(status.st_mode)) {
      add_folder(builder, std::move(file), path);
    } else if (!S_ISREG(status.st_mode)) {
      builder.refuse(std::move(path), "it is neither a file nor a folder");
    } else {
      add_file(builder, file, status, std::move(path));
    }
  }
}

}  // namespace cudalabs::course
