// Whole messages over the connection's socket.
#include "vgpu/cudart/client/socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace cudalabs::vgpu::client {
namespace {

constexpr std::size_t kPage = 4096;
constexpr int kBatch = 64;  // rows handed to the kernel at a time

/// From the first byte to the last, and one of every page in between.
void touch(const iovec& part, Direction direction) {
  auto* bytes = static_cast<volatile char*>(part.iov_base);
  for (std::size_t i = 0; i < part.iov_len;) {
    const char value = bytes[i];
    if (direction == Direction::receive) bytes[i] = value;
    const std::size_t last = part.iov_len - 1;
    i = i < last && last - i < kPage ? last : i + kPage;
  }
}

bool transfer(int descriptor, iovec* parts, int count, Direction direction) {
  while (count > 0) {
    if (parts->iov_len == 0) {
      ++parts, --count;
      continue;
    }
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = static_cast<std::size_t>(count);
    const ssize_t done = direction == Direction::send ? ::sendmsg(descriptor, &message, MSG_NOSIGNAL)
                                                      : ::recvmsg(descriptor, &message, MSG_WAITALL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EFAULT)
      for (int i = 0; i < count; ++i) touch(parts[i], direction);
    if (done <= 0) return false;
    std::size_t left = static_cast<std::size_t>(done);
    while (count > 0 && left >= parts->iov_len) {
      left -= parts->iov_len;
      ++parts, --count;
    }
    if (count > 0) {
      parts->iov_base = static_cast<char*>(parts->iov_base) + left;
      parts->iov_len -= left;
    }
  }
  return true;
}

bool transfer(int descriptor, const HostRows& rows, Direction direction) {
  for (std::uint64_t row = 0; row < rows.height;) {
    iovec parts[kBatch];
    int count = 0;
    for (; count < kBatch && row < rows.height; ++count, ++row)
      parts[count] = {rows.data + row * rows.pitch, static_cast<std::size_t>(rows.width)};
    if (!transfer(descriptor, parts, count, direction)) return false;
  }
  return true;
}

}  // namespace

void touch(const HostRows& rows, Direction direction) {
  for (std::uint64_t row = 0; row < rows.height; ++row)
    touch(iovec{rows.data + row * rows.pitch, static_cast<std::size_t>(rows.width)}, direction);
}

bool Socket::send(const void* header, std::size_t header_bytes, const void* payload, std::size_t payload_bytes) {
  iovec parts[2] = {{const_cast<void*>(header), header_bytes}, {const_cast<void*>(payload), payload_bytes}};
  return transfer(descriptor_, parts, 2, Direction::send);
}

bool Socket::send(const HostRows& rows) {
  return transfer(descriptor_, rows, Direction::send);
}

bool Socket::receive(void* to, std::size_t bytes) {
  iovec part{to, bytes};
  return transfer(descriptor_, &part, 1, Direction::receive);
}

bool Socket::receive(const HostRows& rows) {
  return transfer(descriptor_, rows, Direction::receive);
}

bool Socket::discard(std::uint64_t bytes) {
  char scratch[kPage];
  while (bytes > 0) {
    const std::size_t part = bytes < sizeof scratch ? static_cast<std::size_t>(bytes) : sizeof scratch;
    if (!receive(scratch, part)) return false;
    bytes -= part;
  }
  return true;
}

std::uint64_t digest(const HostRows& rows) {
  // Each step is a bijection of the word that comes in, so a single changed word always shows.
  constexpr std::uint64_t kFactor = 0x9e37'79b9'7f4a'7c15;
  std::uint64_t digest = 0;
  for (std::uint64_t row = 0; row < rows.height; ++row) {
    const std::byte* data = rows.data + row * rows.pitch;
    for (std::uint64_t at = 0; at < rows.width; at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      memcpy(&word, data + at, rows.width - at < sizeof word ? rows.width - at : sizeof word);
      digest = (digest ^ word) * kFactor;
      digest ^= digest >> 29;
    }
  }
  return digest;
}

}  // namespace cudalabs::vgpu::client
