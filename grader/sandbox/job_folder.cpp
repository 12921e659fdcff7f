// Others may pass through the folder but not list it; its name cannot be guessed.
#include "sandbox/job_folder.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace cudalabs::sandbox {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kFolderPrefix = "cudalabs-job-";

[[noreturn]] void fail(const fs::path& path) {
  throw std::system_error(errno, std::generic_category(), path.string());
}

void copy_to(const fs::path& to, int from, mode_t mode) {
  const Fd file(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!file) fail(to);
  off_t at = 0;
  for (;;) {
    const ssize_t count = sendfile(file.get(), from, &at, 1 << 20);
    if (count < 0) fail(to);
    if (count == 0) break;
  }
  if (fchmod(file.get(), mode) != 0) fail(to);  // whatever the umask
}

/// remove_all does not follow links. A folder that its owner closed is opened first; as root that is not needed.
void remove_tree(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (!error) return;
  for (auto entry = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->is_directory(error) && !entry->is_symlink(error)) {
      fs::permissions(entry->path(), fs::perms::owner_all, error);
    }
  }
  fs::remove_all(path, error);
}

/// A job whose init was killed goes on, and may wait for ever: for the other end of a pipe that is a file here, say.
/// All of a job begins in its folder, and what is still there ends before the folder does.
void end_processes_in(const fs::path& folder) {
  constexpr int kRounds = 16;  // one that is seen may have started another meanwhile
  const std::string inside = folder.string() + "/";
  for (int round = 0; round < kRounds; ++round) {
    bool found = false;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
      const pid_t process = std::atoi(entry.path().filename().c_str());
      if (process <= 0) continue;
      std::error_code unreadable;  // gone, or another user's
      const std::string place = fs::read_symlink(entry.path() / "cwd", unreadable).string() + "/";
      if (!unreadable && place.starts_with(inside)) found = kill(process, SIGKILL) == 0 || found;
    }
    if (!found) return;
  }
}

/// Folders of this user's graders that were killed before they could clean up.
void remove_abandoned_folders(const fs::path& parent) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename();
    struct stat status {};
    if (!name.starts_with(kFolderPrefix) || lstat(entry.path().c_str(), &status) != 0) continue;
    const pid_t owner = std::atoi(name.c_str() + kFolderPrefix.size());
    if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || owner <= 0) continue;
    if (kill(owner, 0) == 0 || errno != ESRCH) continue;
    end_processes_in(entry.path());
    remove_tree(entry.path());
  }
}

}  // namespace

JobFolder::JobFolder() {
  remove_abandoned_folders(fs::temp_directory_path());
  std::string name = fs::temp_directory_path() / (std::string(kFolderPrefix) + std::to_string(getpid()) + "-XXXXXX");
  if (!mkdtemp(name.data())) fail(name);
  path_ = name;
}

JobFolder::JobFolder(const Job& job, int user) : JobFolder() {
  if (chmod(path_.c_str(), 0711) != 0) fail(path_);
  for (const JobFile& file : job.files) {
    fs::path folder = path_;
    for (const fs::path& part : fs::path(file.path).parent_path()) {
      folder /= part;
      if (mkdir(folder.c_str(), 0711) != 0 && errno != EEXIST) fail(folder);
      if (chmod(folder.c_str(), 0711) != 0) fail(folder);
    }
    copy_to(path_ / file.path, file.bytes.get(), file.executable ? 0555 : 0444);
  }
  const fs::path scratch = path_ / "tmp";
  if (mkdir(scratch.c_str(), 0700) != 0) fail(scratch);
  if (user >= 0 && chown(scratch.c_str(), static_cast<uid_t>(user), static_cast<gid_t>(user)) != 0) fail(scratch);
}

std::uint64_t JobFolder::scratch_bytes() const {
  constexpr std::uint64_t kBlock = 512;  // the unit of st_blocks, whatever the file system's own is
  std::uint64_t blocks = 0;
  std::error_code error;
  for (auto entry =
           fs::recursive_directory_iterator(path_ / "tmp", fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    struct stat status {};
    if (lstat(entry->path().c_str(), &status) == 0) blocks += static_cast<std::uint64_t>(status.st_blocks);
  }
  return kBlock * blocks;
}

JobFolder::~JobFolder() {
  end_processes_in(path_);
  remove_tree(path_);
}

}  // namespace cudalabs::sandbox
