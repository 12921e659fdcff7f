#include "run/gpu_turn.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "run/system_failure.h"

namespace cudalabs {
namespace {

/// Made once by the first process, and opened for reading by all: other users' files cannot be written there.
sandbox::Fd open_lock(const std::filesystem::path& path) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
  sandbox::Fd file(open(path.c_str(), kFlags));
  if (!file) file = sandbox::Fd(open(path.c_str(), kFlags | O_CREAT, 0644));
  if (!file) fail(path.string());
  return file;
}

void lock(const sandbox::Fd& file, int operation) {
  while (flock(file.get(), operation) != 0) {
    if (errno != EINTR) fail("cannot wait for the GPU");
  }
}

}  // namespace

GpuTurn::GpuTurn(Kind kind, const std::filesystem::path& folder)
    : queue_(open_lock(folder / "cudalabs-gpu-queue")), gpu_(open_lock(folder / "cudalabs-gpu")) {
  lock(queue_, LOCK_EX);
  lock(gpu_, kind == Kind::alone ? LOCK_EX : LOCK_SH);
  queue_.reset();
}

}  // namespace cudalabs
