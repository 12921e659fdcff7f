// Starts `vgpu-server` and hands over what each case needs.
#include "run/device_host.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "sandbox/own_files.h"
#include "sandbox/seccomp_filter.h"
#include "text/untrusted_text.h"
#include "vgpu/usable_processors.h"

namespace cudalabs::runner {
namespace {

constexpr int kOrders = 3, kFilter = 4;
/// Of the server itself, whose cases have groups of their own.
constexpr std::uint64_t kServerMemory = 512ull << 20;
/// As long as the longest grading, and more; it does nothing but wait. Cases have limits of their own.
constexpr double kSeconds = 24 * 3600;
/// How long a server that is gone may take to be over.
constexpr std::chrono::seconds kServerEndTimeout{20};

sandbox::Job server_job(std::uint64_t cases_at_a_time) {
  sandbox::Job job;
  job.arguments = {"./vgpu-server", std::to_string(kOrders), std::to_string(kFilter)};
  const std::filesystem::path program = sandbox::own_files().file("vgpu-server");
  job.files.push_back({"vgpu-server", sandbox::open_file(program), true, program});
  job.system_files = true;  // its shared libraries
  job.reserves_addresses = true;
  job.started_beside = sandbox::kAnyStartedBeside;
#ifdef __SANITIZE_ADDRESS__
  job.proc = true;  // AddressSanitizer learns there where the stack ends, and unwinding needs that
#endif
  job.descriptors.push_back(
      {kFilter, sandbox::make_memory_file("filter", std::as_bytes(std::span(sandbox::lone_process_filter())))});
  job.limits.wall_seconds = kSeconds;
  job.limits.cpu_seconds = kSeconds;
  job.limits.memory_bytes = kServerMemory;
  job.limits.processes = 1 + cases_at_a_time * most_device_threads();
  return job;
}

}  // namespace

std::uint64_t most_device_threads() {
  return 16 + 2 * vgpu::usable_processors();
}

DeviceHost::DeviceHost(std::uint64_t cases_at_a_time) {
  sandbox::Job job = server_job(cases_at_a_time);
  auto [here, there] = sandbox::make_socket_pair();
  orders_ = std::move(here);
  job.descriptors.push_back({kOrders, std::move(there)});
  process_ = std::make_unique<sandbox::Process>(std::move(job));
}

DeviceHost::~DeviceHost() = default;

void DeviceHost::order(const vgpu::ServeOrder& order, std::span<const int> descriptors) {
  iovec data{const_cast<vgpu::ServeOrder*>(&order), sizeof order};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(vgpu::ServeOrder::kMostDescriptors * sizeof(int))> ancillary{};
  if (descriptors.size() > vgpu::ServeOrder::kMostDescriptors)
    throw std::logic_error("an order of too many descriptors");
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = ancillary.data();
  message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
  std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  ssize_t sent = 0;
  do {
    sent = sendmsg(orders_.get(), &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent == static_cast<ssize_t>(sizeof order)) return;
  if (errno == EPIPE || errno == ECONNRESET) throw std::runtime_error(failure());
  throw std::system_error(errno, std::generic_category(), "cannot talk to the virtual GPU's server");
}

std::string DeviceHost::failure() {
  const std::lock_guard lock(mutex_);
  if (!failure_.empty()) return failure_;
  try {
    const auto until = sandbox::Process::Clock::now() + kServerEndTimeout;
    if (process_->wait(-1, until) != sandbox::Process::Event::ended) {
      failure_ = "the virtual GPU's server does not answer";
      return failure_;
    }
    const sandbox::Outcome& outcome = process_->outcome();
    failure_ = "the virtual GPU's server ended with " +
               std::string(outcome.end == sandbox::End::exited ? "status " : "signal or limit ") +
               std::to_string(outcome.status) + ": " + printable(outcome.output);
  } catch (const sandbox::SandboxError& error) {
    failure_ = error.what();
  }
  return failure_;
}

}  // namespace cudalabs::runner
