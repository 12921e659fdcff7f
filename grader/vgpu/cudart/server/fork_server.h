// The server as a process that forks: a client is served by a process of its own, which costs far less to make than one
// that is started afresh. Up to the fork nothing in it has seen any client, so clients share nothing but code.
#pragma once

namespace cudalabs::vgpu {

struct ForkServerOptions {
  int orders = -1;  // connected seqpacket socket, over which a ServeOrder comes for each client
  /// A file with the system call filter of the processes that serve clients, as an array of struct sock_filter; none:
  /// -1.
  int filter = -1;
};

/// Carries out orders until the other end of their socket is closed, and ends the processes that serve clients then.
/// Returns a process's exit code: this one's, or, in a process that was forked to serve a client, that one's. Call it
/// before there are threads. Throws std::runtime_error when there is no going on.
int serve_orders(const ForkServerOptions& options);

}  // namespace cudalabs::vgpu
