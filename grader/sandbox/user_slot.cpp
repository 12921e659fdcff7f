// A slot is taken by binding an abstract socket name: the kernel frees it when its last holder dies, and no file is
// left.
#include "sandbox/user_slot.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "sandbox/sandbox.h"

namespace cudalabs::sandbox {
namespace {

constexpr int kFirstUser = 60706, kLastUser = 60833;

bool take(int socket, int user) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // The first byte stays zero: an abstract name, in no folder.
  const std::string name = "cudalabs-user-" + std::to_string(user);
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return bind(socket, reinterpret_cast<const sockaddr*>(&address), size) == 0;
}

}  // namespace

UserSlot::UserSlot() : lock_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  if (!lock_) throw SandboxError(std::string("cannot make a socket: ") + std::strerror(errno));
  int first = kFirstUser, last = kLastUser;
  if (const char* range = std::getenv("CUDALABS_USERS")) {
    char end = '\0';
    if (std::sscanf(range, "%d-%d%c", &first, &last, &end) != 2 || first < 1 || last < first) {
      throw SandboxError(std::string("CUDALABS_USERS is `") + range + "`, not a range of user ids such as 60706-60833");
    }
  }
  for (int user = first; user <= last; ++user) {
    if (take(lock_.get(), user)) {
      user_ = user;
      return;
    }
    if (errno != EADDRINUSE) throw SandboxError(std::string("cannot reserve a user id: ") + std::strerror(errno));
  }
  throw SandboxError("every user id set aside for jobs is in use");
}

}  // namespace cudalabs::sandbox
