// Fuzz target: any bytes are a client. The session must end in order, never fail by its own fault, and its report must
// be one that its readers accept.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fake_virtual_gpu.h"
#include "vgpu/cudart/server/session.h"

using namespace cudalabs::vgpu;

namespace {

/// A client that has said all it will ever say.
class Recording final : public Channel {
 public:
  explicit Recording(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool receive(std::span<std::byte> to) override {
    if (to.size() > bytes_.size()) return false;
    std::memcpy(to.data(), bytes_.data(), to.size());
    bytes_ = bytes_.subspan(to.size());
    return true;
  }
  bool send(std::span<const std::byte> first, std::span<const std::byte> second) override {
    sent_ += first.size() + second.size();
    return sent_ < kMostAnswers;
  }
  bool hung_up() const override { return false; }

 private:
  static constexpr std::uint64_t kMostAnswers = 64ull << 20;
  std::span<const std::byte> bytes_;
  std::uint64_t sent_ = 0;
};

void set_kernels() {
  using fake::LaunchCall;
  auto& kernels = fake::kernel_functions();
  kernels["fails"] = [](LaunchCall&) { return LaunchOutcome{LaunchStatus::illegal_address, 0.1, "out of bounds\n"}; };
  kernels["hangs"] = [](LaunchCall&) { return LaunchOutcome{LaunchStatus::timed_out, 1, ""}; };
  kernels["prints"] = [](LaunchCall&) { return LaunchOutcome{LaunchStatus::ok, 0, "hello\n"}; };
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool kernels_set = (set_kernels(), true);
  static_cast<void>(kernels_set);
  VirtualGpuOptions options;
  options.model = device_model("t4");
  options.model.global_bytes = 1 << 20;
  VirtualGpu gpu(options);
  Recording client(std::as_bytes(std::span(data, size)));
  SessionLimits limits;
  limits.pending_work = 4;
  limits.staged_bytes = 4096;
  limits.launches = 100;
  limits.streams = 8;
  limits.events = 8;
  Session session(client, gpu, options.model, limits);
  session.serve();
  const ServerReport report = session.report();
  if (!report.internal_error.empty()) {
    std::fprintf(stderr, "internal error: %s\n", report.internal_error.c_str());
    std::abort();
  }
  const std::string text = to_json(report);
  if (to_json(server_report_from_json(text)) != text) {
    std::fprintf(stderr, "the report changes when it is read:\n%s\n", text.c_str());
    std::abort();
  }
  return 0;
}
