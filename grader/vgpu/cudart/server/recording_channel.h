// A client's words, kept to be said again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "vgpu/cudart/server/client_channel.h"

namespace cudalabs::vgpu {

/// Passes everything on, and keeps what the client says, up to `most` bytes.
class RecordingChannel final : public Channel {
 public:
  RecordingChannel(Channel& channel, std::size_t most) : channel_(channel), most_(most) {}

  bool receive(std::span<std::byte> to) override {
    if (!channel_.receive(to)) return false;
    complete_ = complete_ && to.size() <= most_ - said_.size();
    if (complete_) said_.insert(said_.end(), to.begin(), to.end());
    return true;
  }
  bool send(std::span<const std::byte> first, std::span<const std::byte> second) override {
    return channel_.send(first, second);
  }
  bool hung_up() const override { return channel_.hung_up(); }

  bool complete() const { return complete_; }
  const std::vector<std::byte>& said() const { return said_; }

 private:
  Channel& channel_;
  const std::size_t most_;
  bool complete_ = true;
  std::vector<std::byte> said_;
};

/// A client that says what another one has said, and does not listen. The words must outlive it.
class RepeatingChannel final : public Channel {
 public:
  explicit RepeatingChannel(std::span<const std::byte> said) : left_(said) {}

  bool receive(std::span<std::byte> to) override {
    if (to.size() > left_.size()) return false;
    std::ranges::copy(left_.first(to.size()), to.begin());
    left_ = left_.subspan(to.size());
    return true;
  }
  bool send(std::span<const std::byte>, std::span<const std::byte>) override { return true; }
  bool hung_up() const override { return false; }

 private:
  std::span<const std::byte> left_;
};

}  // namespace cudalabs::vgpu
