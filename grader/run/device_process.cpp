// Talks with the server over the link of one process.
#include "run/device_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "run/system_failure.h"
#include "sandbox/verdict.h"

namespace cudalabs::runner {
namespace {

using std::chrono::milliseconds;
using vgpu::ServeNews;
using Clock = DeviceProcess::Clock;

/// How often is asked what no descriptor tells.
constexpr milliseconds kGlance{250};
/// How long a process that is killed may take to be gone.
constexpr milliseconds kKillTimeout{20'000};

/// Who sent a message, as the kernel says; 0 when it does not.
pid_t sender_of(msghdr& message) {
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_CREDENTIALS) continue;
    ucred sender{};
    std::memcpy(&sender, CMSG_DATA(header), sizeof sender);
    return sender.pid;
  }
  return 0;
}

/// A pipe that drops what does not fit rather than keep its writer waiting.
sandbox::Pipe complaint_pipe() {
  sandbox::Pipe pipe = sandbox::make_pipe();
  for (const sandbox::Fd* end : {&pipe.read, &pipe.write}) fcntl(end->get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

std::string what_is_in(const sandbox::Fd& pipe) {
  std::array<char, 1 << 16> text;  // all that a pipe holds
  const ssize_t count = read(pipe.get(), text.data(), text.size());
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

}  // namespace

DeviceProcess::DeviceProcess(DeviceHost& host, vgpu::ServeOrder order, DeviceDescriptors descriptors,
                             const sandbox::Limits& limits)
    : host_(host),
      limits_(limits),
      groups_(limits.memory_bytes, limits.processes),
      started_(Clock::now()),
      wall_end_(started_ +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.wall_seconds))) {
  auto [here, there] = sandbox::make_socket_pair();
  link_ = std::move(here);
  const int yes = 1;
  if (setsockopt(link_.get(), SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0) fail("cannot ask who is speaking");
  sandbox::Pipe complaints = complaint_pipe();
  complaints_ = std::move(complaints.read);
  std::vector<int> numbers{there.get(), descriptors.connection.get(), descriptors.report.get(), complaints.write.get()};
  order.transfers = descriptors.transfers ? 1 : 0;
  order.replacements = descriptors.replacements ? 1 : 0;
  order.device_code = descriptors.device_code ? 1 : 0;
  if (descriptors.transfers) numbers.push_back(descriptors.transfers.get());
  if (descriptors.replacements) numbers.push_back(descriptors.replacements.get());
  if (descriptors.device_code) numbers.push_back(descriptors.device_code.get());
  order.mutants = descriptors.mutants ? 1 : 0;
  if (descriptors.mutants) numbers.insert(numbers.end(), {descriptors.mutant_order.get(), descriptors.mutants.get()});
  order.cpu_seconds = static_cast<std::uint64_t>(std::ceil(limits.cpu_seconds));
  order.file_bytes = limits.file_bytes;
  host_.order(order, numbers);
  there.reset();  // so that the link says when nobody is left at its other end
  begin();
}

DeviceProcess::~DeviceProcess() {
  if (over_) return;
  kill();
  try {
    while (!wait(Clock::now() + kKillTimeout)) continue;
  } catch (const std::exception&) {
    // Its server is gone, and it with it; nobody is left to hear how.
  }
}

/// The link has something to read or is closed at the other end.
bool DeviceProcess::readable_by(Clock::time_point until) const {
  pollfd event{link_.get(), POLLIN, 0};
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
    const int count = poll(&event, 1, static_cast<int>(std::clamp<long>(left, 0, 1 << 30)));
    if (count < 0 && errno != EINTR) fail("cannot wait for the virtual GPU");
    if (count > 0) return true;
    if (Clock::now() >= until) return false;
  }
}

/// The next message; nothing when nobody is left to send one.
std::optional<ServeNews> DeviceProcess::receive() {
  ServeNews news;
  iovec data{&news, sizeof news};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> ancillary{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = ancillary.data();
  message.msg_controllen = ancillary.size();
  ssize_t count = 0;
  do {
    count = recvmsg(link_.get(), &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count == 0 || (count < 0 && errno == ECONNRESET)) return std::nullopt;
  if (count < 0) fail("cannot listen to the virtual GPU's server");
  if (static_cast<std::size_t>(count) != sizeof news || news.magic != ServeNews::kMagic) {
    throw std::runtime_error("the virtual GPU's server says what means nothing");
  }
  if (news.kind == ServeNews::Kind::ready) id_ = sender_of(message);
  return news;
}

/// Waits for the process, which waits for its client until it is where its limits hold.
void DeviceProcess::begin() {
  if (!readable_by(wall_end_)) throw std::runtime_error("the virtual GPU's server does not answer");
  const std::optional<ServeNews> news = receive();
  if (!news) throw std::runtime_error(host_.failure());
  if (news->kind != ServeNews::Kind::ready) {
    finish(*news);
    throw std::runtime_error("the virtual GPU cannot serve a case: " + outcome_.output);
  }
  if (id_ > 0) handle_ = sandbox::Fd(static_cast<int>(syscall(SYS_pidfd_open, id_, 0)));
  // Whatever is wrong now: the server ends it when the link is closed.
  if (!handle_) throw std::runtime_error("it is not known which process serves a case");
  groups_.take_in(id_);
  const char go = 1;
  // A process that has ended meanwhile says so itself.
  if (send(link_.get(), &go, sizeof go, MSG_NOSIGNAL) < 0 && errno != EPIPE) fail("cannot talk to the virtual GPU");
}

void DeviceProcess::send_signal(int signal) const {
  if (handle_) syscall(SYS_pidfd_send_signal, handle_.get(), signal, nullptr, 0);
}

void DeviceProcess::kill() {
  if (!killed_) killed_ = Clock::now();
  send_signal(SIGKILL);
}

bool DeviceProcess::wait(Clock::time_point until) {
  while (!over_) {
    const auto now = Clock::now();
    if (readable_by(std::min(until, now + kGlance))) {
      const std::optional<ServeNews> news = receive();
      over_ = !news;
      if (!news) throw std::runtime_error(host_.failure());
      if (news->kind == ServeNews::Kind::ended) finish(*news);
      continue;
    }
    if (killed_) {
      over_ = now >= *killed_ + kKillTimeout;
      if (over_) throw std::runtime_error("a process of the virtual GPU does not end");
    } else if (now >= wall_end_ || groups_.out_of_processes()) {
      cut_ = now >= wall_end_ ? sandbox::End::wall_limit : sandbox::End::process_limit;
      kill();
    }
    if (now >= until) return false;
  }
  return true;
}

void DeviceProcess::finish(const ServeNews& news) {
  over_ = true;
  outcome_.output = what_is_in(complaints_);
  outcome_.cpu_seconds = news.cpu_seconds;
  outcome_.peak_bytes = news.peak_bytes;
  outcome_.wall_seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  const sandbox::Verdict verdict = sandbox::verdict_on({.wait_status = news.wait_status,
                                                        .largest_cpu_seconds = news.cpu_seconds,
                                                        .peak_bytes = news.peak_bytes,
                                                        .out_of_memory = groups_.out_of_memory(),
                                                        .out_of_processes = groups_.out_of_processes(),
                                                        .cut = cut_},
                                                       limits_);
  outcome_.end = verdict.end;
  outcome_.status = verdict.status;
  link_.reset();  // now its number may be another's
}

}  // namespace cudalabs::runner
