// Others may pass through the folder but not list it; its name cannot be guessed.
#include "sandbox/job_folder.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace cudalabs::sandbox {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

JobFolder::JobFolder() {
  std::string name = fs::temp_directory_path() / "cudalabs-XXXXXX";
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

JobFolder::~JobFolder() {
  // remove_all does not follow links. A folder that its owner closed is opened first; as root that is not needed.
  std::error_code error;
  fs::remove_all(path_, error);
  if (!error) return;
  for (auto entry = fs::recursive_directory_iterator(path_, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->is_directory(error) && !entry->is_symlink(error)) {
      fs::permissions(entry->path(), fs::perms::owner_all, error);
    }
  }
  fs::remove_all(path_, error);
}

}  // namespace cudalabs::sandbox
