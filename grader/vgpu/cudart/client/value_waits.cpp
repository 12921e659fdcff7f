// What the host does where all that it waits for comes after a wait of a stream for a value.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vgpu/cudart/client/client.h"
#include "vgpu/cudart/client/own_call.h"

namespace cudalabs::vgpu::client {
namespace {

/// Threads of the program besides the calling one; the library's own does nothing of itself.
bool has_other_threads() {
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[4096];
  const ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  if (bytes <= 0) return false;
  text[bytes] = '\0';
  const char* const threads = strstr(text, "\nThreads:");
  const long count = threads == nullptr ? 1 : strtol(threads + strlen("\nThreads:"), nullptr, 10);
  return count > (has_background() ? 2 : 1);
}

/// In the middle of a call.
void rest(Client& self) {
  constexpr unsigned int kMicroseconds = 1000;
  const OwnCall kept(self, self.origin, self.outer_origin);
  let_others_call(kMicroseconds);
}

}  // namespace

/// What the program has to wait for comes after a wait for a value. Only the host may still write that: another thread
/// of it, for this one waits. Nobody can tell whether that one ever will; it has more than a minute, as a try rests for
/// a thousandth of a second.
cudaError_t Client::ask_again(const wire::RequestHeader& header, const void* request, const HostRows* data,
                              Expected& expected) {
  constexpr unsigned int kTries = 60'000;
  cudaError_t status = cudaErrorNotReady;
  for (unsigned int tries = 0; tries < kTries && status == cudaErrorNotReady && has_other_threads(); ++tries) {
    rest(*this);
    if (const cudaError_t sent = mapped.send_all(*this); sent != cudaSuccess) return sent;
    exchanging_ = true;
    status = converse(header, request, data, nullptr, expected);
    exchanging_ = false;
    told_ = true;  // others have made calls meanwhile
  }
  if (status != cudaErrorNotReady) return status;
  exchanging_ = true;
  wire::RequestHeader gives_up = header;
  gives_up.op = wire::Op::give_up_waits;
  gives_up.bytes = 0;
  Expected nothing;
  status = converse(gives_up, nullptr, nullptr, nullptr, nothing);
  if (status == cudaSuccess) status = converse(header, request, data, nullptr, expected);
  exchanging_ = false;
  return status;
}

}  // namespace cudalabs::vgpu::client
