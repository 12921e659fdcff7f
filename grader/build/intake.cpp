// Opens the path component by component from a trusted folder, so that nothing can be swapped in between. (openat2 does
// this in one call, but is missing from older kernels and refused by the system call filters of some containers.)
#include "build/intake.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "sandbox/fd.h"

namespace cudalabs::builder {
namespace {

namespace fs = std::filesystem;
using sandbox::Fd;

Intake refuse(const fs::path& source, std::string message, std::string help) {
  Finding finding;
  finding.id = "build-failed";
  finding.message = std::move(message);
  finding.where.file = source.string();
  finding.help = std::move(help);
  return {"", std::move(finding)};
}

Intake empty(const fs::path& source) {
  return refuse(source, "the submission is empty", "start from the file that came with the lab");
}

struct Opened {
  Fd file;
  int error = 0;
};

/// Opens `relative` below `folder`; ELOOP when a component is a link, EXDEV when one is "..".
Opened open_below(const Fd& folder, const fs::path& relative) {
  Fd at(fcntl(folder.get(), F_DUPFD_CLOEXEC, 0));
  for (auto part = relative.begin(); part != relative.end(); ++part) {
    if (*part == "..") return {Fd(), EXDEV};
    if (*part == "." || part->empty()) continue;
    const bool last = std::next(part) == relative.end();
    // A pipe or a device must not make the grader wait, nor take it for its terminal.
    const int flags = last ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_RDONLY | O_DIRECTORY;
    Fd next(openat(at.get(), part->c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
    if (!next) {
      // A link where a folder should be is reported as "not a directory": look again which it is.
      struct stat status {};
      const int error = errno;
      const bool link = fstatat(at.get(), part->c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
      return {Fd(), link ? ELOOP : error};
    }
    at = std::move(next);
  }
  return {std::move(at), 0};
}

Opened open_source(const fs::path& source, const fs::path& beneath) {
  fs::path start = beneath, relative = source.filename();
  if (beneath.empty()) {
    start = source.parent_path();
  } else {
    relative = fs::absolute(source).lexically_relative(fs::absolute(beneath));
  }
  const Fd folder(open(start.empty() ? "." : start.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return {Fd(), errno};
  return open_below(folder, relative);
}

bool starts_like_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

}  // namespace

Intake take_in(const fs::path& source, const fs::path& beneath) {
  const Opened opened = open_source(source, beneath);
  if (!opened.file) {
    if (opened.error == ELOOP) {
      return refuse(source, "the submission is a symbolic link, or in a folder that is one",
                    "hand in the file itself, not a link to it");
    }
    if (opened.error == EXDEV) {
      return refuse(source, "the submission lies outside its folder", "hand in a file of your own folder");
    }
    if (opened.error == ENOENT || opened.error == ENOTDIR) {
      return refuse(source, "there is no file `" + source.filename().string() + "`",
                    "work in the lab's own file and keep its name");
    }
    return refuse(source, std::string("the submission cannot be read: ") + std::strerror(opened.error),
                  "check the file's permissions");
  }
  struct stat status {};
  if (fstat(opened.file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return refuse(source, "the submission is not a regular file", "hand in a text file");
  }
  // Files of the kernel say that they are empty; reading them may wait for ever.
  if (status.st_size == 0) return empty(source);
  const auto too_long = [&source] {
    return refuse(source, "the submission is longer than " + std::to_string(kMostSourceBytes >> 10) + " KiB",
                  "hand in source text alone; compute tables of values in a loop");
  };
  if (static_cast<std::size_t>(status.st_size) > kMostSourceBytes) return too_long();

  Intake taken;
  try {
    taken.text = sandbox::read_all(opened.file.get(), kMostSourceBytes);
  } catch (const std::length_error&) {
    return too_long();  // it grew meanwhile
  } catch (const std::exception& error) {
    return refuse(source, std::string("the submission cannot be read: ") + error.what(), "hand in a text file");
  }
  if (starts_like_utf16(taken.text)) {
    return refuse(source, "the submission is UTF-16 text, which compilers do not read", "save it as UTF-8");
  }
  if (taken.text.find('\0') != std::string::npos) {
    return refuse(source, "the submission holds a NUL byte: it is not text", "hand in the source, not a compiled file");
  }
  if (taken.text.find_first_not_of(" \t\r\n\f\v") == std::string::npos) {
    return empty(source);
  }
  return taken;
}

}  // namespace cudalabs::builder
