// Entries are folders named by digest; the time of last use is the folder's modification time.
#include "build/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <vector>

#include "build/digest.h"
#include "sandbox/fd.h"

namespace cudalabs::builder {
namespace {

namespace fs = std::filesystem;
using sandbox::Fd;

/// A folder that is being written is named so, with its writer's process id; older ones were left by a crash.
constexpr std::string_view kUnfinished = "unfinished-";
/// An entry used within this time is never removed: another grading may be about to run it.
constexpr std::chrono::hours kInUse{1};

/// The file of an entry that holds the digest of the others.
constexpr std::string_view kSum = "sum";
constexpr std::size_t kLargestFile = 256u << 20;

[[noreturn]] void fail(const fs::path& path) {
  throw std::system_error(errno, std::generic_category(), path.string());
}

void sync_folder(const fs::path& folder) {
  const Fd descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor || fsync(descriptor.get()) != 0) fail(folder);
}

void write_file(const fs::path& path, const Cache::File& file) {
  const mode_t mode = file.executable ? 0755 : 0644;
  const Fd descriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!descriptor) fail(path);
  sandbox::write_all(descriptor.get(), sandbox::bytes_of(file.bytes));
  if (fsync(descriptor.get()) != 0) fail(path);
}

std::uint64_t size_of(const fs::path& entry) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(entry, error)) {
    const std::uint64_t size = file.file_size(error);
    if (!error) bytes += size;
  }
  return bytes;
}

std::string sum_of(const std::map<std::string, Cache::File>& files) {
  Digest digest;
  for (const auto& [name, file] : files) digest.add(name, file.bytes);
  return digest.finish();
}

/// The files of an entry, but for kSum. Throws std::exception for what is no regular file or cannot be read.
std::map<std::string, Cache::File> files_of(const fs::path& entry) {
  std::map<std::string, Cache::File> files;
  for (const fs::directory_entry& found : fs::directory_iterator(entry)) {
    const std::string name = found.path().filename();
    if (name != kSum) files[name].bytes = sandbox::read_all(sandbox::open_file(found.path()).get(), kLargestFile);
  }
  return files;
}

bool is_whole(const fs::path& entry) {
  try {
    const std::string sum = sandbox::read_all(sandbox::open_file(entry / kSum).get(), 1024);
    return sum == sum_of(files_of(entry));
  } catch (const std::exception&) {
    return false;  // missing, cut, something else in its place, or a disk that fails
  }
}

/// What the user lets a cache hold. What is no number of at most seven digits counts as nothing said.
std::uint64_t most_mebibytes() {
  constexpr std::uint64_t kUnlessSaid = 1024;
  const char* value = std::getenv("CUDALABS_CACHE_MIB");
  const std::string_view text = value ? value : "";
  std::uint64_t mebibytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mebibytes);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && text.size() <= 7;
  return is_number ? mebibytes : kUnlessSaid;
}

/// Removes a folder on every way out that does not rename it first.
struct Unfinished {
  fs::path path;
  ~Unfinished() {
    std::error_code error;
    if (!path.empty()) fs::remove_all(path, error);
  }
};

}  // namespace

Cache::Cache(fs::path folder, std::uint64_t most_bytes) : folder_(std::move(folder)), most_bytes_(most_bytes) {}

Cache Cache::of_user() {
  const std::uint64_t most_bytes = most_mebibytes() << 20;
  const auto variable = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (const fs::path given = variable("CUDALABS_CACHE"); !given.empty()) return {given, most_bytes};
  if (const fs::path given = variable("XDG_CACHE_HOME"); given.is_absolute()) return {given / "cudalabs", most_bytes};
  if (const fs::path home = variable("HOME"); home.is_absolute() && access(home.c_str(), W_OK) == 0) {
    return {home / ".cache" / "cudalabs", most_bytes};
  }
  return {fs::temp_directory_path() / ("cudalabs-cache-" + std::to_string(geteuid())), most_bytes};
}

std::optional<fs::path> Cache::find(const std::string& digest) const {
  fs::path entry = folder_ / digest;
  struct stat status {};
  // A folder of another user, planted where every user may write, is not ours.
  if (lstat(entry.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid()) return std::nullopt;
  utimensat(AT_FDCWD, entry.c_str(), nullptr, 0);
  return entry;
}

std::optional<fs::path> Cache::find_whole(const std::string& digest) const {
  const std::optional<fs::path> entry = find(digest);
  if (entry && is_whole(*entry)) return entry;
  std::error_code error;
  if (entry || fs::is_regular_file(fs::symlink_status(folder_ / digest, error))) {
    remove(digest);
  }
  return std::nullopt;
}

void Cache::remove(const std::string& digest) const {
  std::error_code error;
  fs::remove_all(folder_ / digest, error);
}

std::optional<fs::path> Cache::try_store(const std::string& digest, const std::map<std::string, File>& files) const {
  try {
    return store(digest, files);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

fs::path Cache::store(const std::string& digest, const std::map<std::string, File>& files) const {
  fs::create_directories(folder_.parent_path());
  if (mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) fail(folder_);
  static std::atomic<unsigned> number{0};
  Unfinished writing{folder_ / (std::string(kUnfinished) + std::to_string(getpid()) + "-" + std::to_string(number++))};
  if (mkdir(writing.path.c_str(), 0755) != 0) fail(writing.path);
  for (const auto& [name, file] : files) write_file(writing.path / name, file);
  write_file(writing.path / kSum, {sum_of(files), false});
  sync_folder(writing.path);

  fs::path entry = folder_ / digest;
  if (rename(writing.path.c_str(), entry.c_str()) == 0) {
    writing.path.clear();
    sync_folder(folder_);
  } else if (errno != EEXIST && errno != ENOTEMPTY) {
    fail(entry);
  }
  prune();
  return entry;
}

void Cache::prune() const {
  struct Entry {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t bytes;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (const fs::directory_entry& found : fs::directory_iterator(folder_, error)) {
    std::error_code gone;  // another grader may be pruning too
    const auto used = found.last_write_time(gone);
    if (gone) continue;
    if (found.path().filename().string().starts_with(kUnfinished)) {
      if (now - used > kInUse) fs::remove_all(found.path(), gone);
      continue;
    }
    entries.push_back({found.path(), used, size_of(found.path())});
    total += entries.back().bytes;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= most_bytes_ || now - entry.used <= kInUse) return;
    std::error_code gone;
    fs::remove_all(entry.path, gone);
    total -= entry.bytes;
  }
}

}  // namespace cudalabs::builder
