#include "recorded_client.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "../cudart/fake_virtual_gpu.h"
#include "vgpu/cudart/protocol.h"
#include "vgpu/cudart/server/session.h"

namespace cudalabs::vgpu::fuzz {
namespace {

class RecordedClient final : public Channel {
 public:
  explicit RecordedClient(std::span<const std::byte> said) : said_(said) {}

  bool receive(std::span<std::byte> to) override {
    if (to.size() > said_.size()) return false;
    std::ranges::copy(said_.first(to.size()), to.begin());
    said_ = said_.subspan(to.size());
    return true;
  }
  bool send(std::span<const std::byte> first, std::span<const std::byte> second) override {
    take(first);
    take(second);
    answered_ += first.size() + second.size();
    return answered_ < kMostAnswers;
  }
  bool hung_up() const override { return false; }

  std::size_t unread() const { return said_.size(); }
  const std::vector<int>& answers() const { return answers_; }

 private:
  static constexpr std::uint64_t kMostAnswers = 64ull << 20;

  /// Frames come in pieces of any size.
  void take(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      if (const std::size_t skipped = std::min<std::uint64_t>(left_, bytes.size()); skipped > 0) {
        left_ -= skipped;
        bytes = bytes.subspan(skipped);
        continue;
      }
      const std::size_t part = std::min(header_.size() - has_, bytes.size());
      std::copy_n(bytes.begin(), part, header_.begin() + static_cast<std::ptrdiff_t>(has_));
      has_ += part;
      bytes = bytes.subspan(part);
      if (has_ < header_.size()) return;
      wire::FrameHeader frame;
      std::memcpy(&frame, header_.data(), sizeof frame);
      if (frame.kind == wire::FrameKind::result) answers_.push_back(frame.status);
      left_ = frame.bytes;
      has_ = 0;
    }
  }

  std::span<const std::byte> said_;
  std::uint64_t answered_ = 0, left_ = 0;
  std::array<std::byte, sizeof(wire::FrameHeader)> header_ = {};
  std::size_t has_ = 0;  // of the header
  std::vector<int> answers_;
};

void set_kernels() {
  using fake::LaunchCall;
  auto& kernels = fake::kernel_functions();
  kernels["fails"] = [](LaunchCall&) { return LaunchOutcome{LaunchStatus::illegal_address, 0.1, "out of bounds\n"}; };
  kernels["hangs"] = [](LaunchCall&) { return LaunchOutcome{LaunchStatus::timed_out, 1, ""}; };
  kernels["prints"] = [](LaunchCall&) { return LaunchOutcome{LaunchStatus::ok, 0, "hello\n"}; };
}

}  // namespace

Served serve(std::span<const std::byte> said, bool device_thread) {
  static const bool kernels_set = (set_kernels(), true);
  static_cast<void>(kernels_set);
  static const DeviceModel t4 = device_model("t4");  // read from a file
  VirtualGpuOptions options;
  options.model = t4;
  options.model.global_bytes = 5 << 20;  // room for two pieces of memory that can be mapped
  VirtualGpu gpu(options);
  RecordedClient client(said);
  // Small, so that short conversations reach them.
  SessionLimits limits;
  limits.pending_work = 4;
  limits.staged_bytes = 16 << 10;
  limits.launches = 100;
  limits.streams = 8;
  limits.events = 8;
  limits.questions_in_vain = 4;
  limits.device_thread = device_thread;
  Session session(client, gpu, options.model, limits);
  session.serve();
  return {session.report(), client.answers(), client.unread()};
}

}  // namespace cudalabs::vgpu::fuzz
