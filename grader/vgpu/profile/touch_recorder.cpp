// One bit for each byte of a page that was touched; every block observer has pages of its own until the launch is over.
#include "vgpu/profile/touch_recorder.h"

#include <array>
#include <bit>
#include <bitset>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace cudalabs::vgpu {
namespace {

constexpr std::uint64_t kPageBytes = 4096;

enum Kind : std::uint8_t { kRead, kWritten, kShared, kOfDevice, kKinds };  // kOfDevice: shared, but not with the host
using Page = std::array<std::bitset<kPageBytes>, kKinds>;
using Pages = std::unordered_map<std::uint64_t, Page>;  // by address / kPageBytes

Kind kind_of(const WarpAccess& access) {
  if (access.kind != AccessKind::load && access.kind != AccessKind::store) return kShared;
  if (access.order != MemoryOrder::weak) return kShared;
  return access.kind == AccessKind::load ? kRead : kWritten;
}

class TouchBlock : public BlockObserver {
 public:
  explicit TouchBlock(Pages& pages) : pages_(pages) {}

  Interests interests() const override { return {.current_values = false, .warp_syncs = false, .counts = false}; }

  void access(const WarpAccess& access) override {
    // Constants lie where global memory does, and the host copies to them like to any other memory.
    if (access.space != MemorySpace::global && access.space != MemorySpace::constant) return;
    const Kind kind = kind_of(access);
    const bool of_device = kind == kShared && access.scope != MemoryScope::system;
    for (LaneMask left = access.active; left != 0; left &= left - 1) {
      const std::uint64_t address = access.address[std::countr_zero(left)];
      Page& page = page_of(address / kPageBytes);
      // An access is aligned, so that it lies in one page.
      for (unsigned i = 0; i < access.bytes; ++i) {
        page[kind].set(address % kPageBytes + i);
        if (of_device) page[kOfDevice].set(address % kPageBytes + i);
      }
    }
  }

 private:
  Page& page_of(std::uint64_t number) {
    if (last_ == nullptr || number != last_number_) {
      last_ = &pages_[number];
      last_number_ = number;
    }
    return *last_;
  }

  Pages& pages_;
  Page* last_ = nullptr;  // nodes of the map stay where they are
  std::uint64_t last_number_ = 0;
};

void append(std::vector<ByteRange>& ranges, std::uint64_t byte) {
  if (!ranges.empty() && ranges.back().end == byte) {
    ++ranges.back().end;
  } else {
    ranges.push_back({byte, byte + 1});
  }
}

}  // namespace

struct TouchRecorder::State {
  std::mutex mutex;  // guards the list
  std::vector<std::unique_ptr<Pages>> pages;
};

TouchRecorder::TouchRecorder() : state_(std::make_unique<State>()) {}
TouchRecorder::~TouchRecorder() = default;

std::unique_ptr<BlockObserver> TouchRecorder::observe_block() {
  const std::scoped_lock lock(state_->mutex);
  state_->pages.push_back(std::make_unique<Pages>());
  return std::make_unique<TouchBlock>(*state_->pages.back());
}

TouchedBytes TouchRecorder::touched() const {
  std::map<std::uint64_t, Page> all;
  for (const auto& pages : state_->pages) {
    for (const auto& [number, page] : *pages) {
      Page& whole = all[number];
      for (unsigned kind = 0; kind < kKinds; ++kind) whole[kind] |= page[kind];
    }
  }
  TouchedBytes touched;
  for (const auto& [number, page] : all) {
    for (std::uint64_t i = 0; i < kPageBytes; ++i) {
      if (page[kRead][i]) append(touched.reads, number * kPageBytes + i);
      if (page[kWritten][i]) append(touched.writes, number * kPageBytes + i);
      if (!page[kShared][i]) continue;
      append(touched.shared, number * kPageBytes + i);
      if (!page[kOfDevice][i]) append(touched.system, number * kPageBytes + i);
    }
  }
  return touched;
}

}  // namespace cudalabs::vgpu
