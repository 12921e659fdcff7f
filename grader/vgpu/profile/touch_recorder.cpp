// One bit for each byte of a page that was touched. Every block observer has a few pages of its own, and adds them to
// those of the launch when they have become many, and at the end.
#include "vgpu/profile/touch_recorder.h"

#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace cudalabs::vgpu {
namespace {

constexpr std::uint64_t kPageBytes = 4096;

enum Kind : std::uint8_t { kRead, kWritten, kShared, kOfDevice, kKinds };  // kOfDevice: shared, but not with the host
constexpr std::uint64_t kWordBits = 64;
using PageBits = std::array<std::uint64_t, kPageBytes / kWordBits>;
using Page = std::array<PageBits, kKinds>;
using Pages = std::unordered_map<std::uint64_t, Page>;  // by address / kPageBytes

/// Of one block observer. A launch may have hundreds of them, which touch the same pages.
constexpr std::size_t kMostOwnPages = 256;

/// Sets `count` bits from `first` on. An access is aligned and of at most 16 bytes, so that they lie in one word.
void set_bits(PageBits& bits, std::uint64_t first, std::uint64_t count) {
  const std::uint64_t ones = count == kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  bits[first / kWordBits] |= ones << first % kWordBits;
}

void join(Page& whole, const Page& part) {
  for (unsigned kind = 0; kind < kKinds; ++kind) {
    for (std::size_t word = 0; word < whole[kind].size(); ++word) whole[kind][word] |= part[kind][word];
  }
}

/// The pages of a launch.
struct AllPages {
  std::mutex mutex;
  Pages pages;

  void take(Pages& some) {
    const std::scoped_lock lock(mutex);
    for (const auto& [number, page] : some) join(pages[number], page);
    some.clear();
  }
};

Kind kind_of(const WarpAccess& access) {
  if (access.kind != AccessKind::load && access.kind != AccessKind::store) return kShared;
  if (access.order != MemoryOrder::weak) return kShared;
  return access.kind == AccessKind::load ? kRead : kWritten;
}

class TouchBlock : public BlockObserver {
 public:
  TouchBlock(Pages& own, AllPages& all) : own_(own), all_(all) {}

  Interests interests() const override { return {.current_values = false, .warp_syncs = false, .counts = false}; }

  void access(const WarpAccess& access) override {
    // Constants lie where global memory does, and the host copies to them like to any other memory.
    if (access.space != MemorySpace::global && access.space != MemorySpace::constant) return;
    const Kind kind = kind_of(access);
    const bool of_device = kind == kShared && access.scope != MemoryScope::system;
    for (LaneMask left = access.active; left != 0; left &= left - 1) {
      const std::uint64_t address = access.address[std::countr_zero(left)];
      Page& page = page_of(address / kPageBytes);
      set_bits(page[kind], address % kPageBytes, access.bytes);
      if (of_device) set_bits(page[kOfDevice], address % kPageBytes, access.bytes);
    }
  }

 private:
  Page& page_of(std::uint64_t number) {
    if (last_ == nullptr || number != last_number_) {
      if (own_.size() >= kMostOwnPages && !own_.contains(number)) all_.take(own_);
      last_ = &own_[number];
      last_number_ = number;
    }
    return *last_;
  }

  Pages& own_;
  AllPages& all_;
  Page* last_ = nullptr;  // nodes of the map stay where they are
  std::uint64_t last_number_ = 0;
};

void append(std::vector<ByteRange>& ranges, const ByteRange& next) {
  if (!ranges.empty() && ranges.back().end == next.begin) {
    ranges.back().end = next.end;
  } else {
    ranges.push_back(next);
  }
}

/// The runs of ones in a word, whose first bit stands for the byte at `begin`.
void append_ones(std::vector<ByteRange>& ranges, std::uint64_t word, std::uint64_t begin) {
  for (std::uint64_t at = begin; word != 0;) {
    const auto zeros = static_cast<unsigned>(std::countr_zero(word));
    const auto ones = static_cast<unsigned>(std::countr_one(word >> zeros));
    append(ranges, {at + zeros, at + zeros + ones});
    if (zeros + ones == kWordBits) break;
    word >>= zeros + ones;
    at += zeros + ones;
  }
}

void append_page(TouchedBytes& touched, const Page& page, std::uint64_t begin) {
  for (std::size_t word = 0; word < kPageBytes / kWordBits; ++word, begin += kWordBits) {
    append_ones(touched.reads, page[kRead][word], begin);
    append_ones(touched.writes, page[kWritten][word], begin);
    append_ones(touched.shared, page[kShared][word], begin);
    append_ones(touched.system, page[kShared][word] & ~page[kOfDevice][word], begin);
  }
}

}  // namespace

struct TouchRecorder::State {
  std::mutex mutex;  // guards the list
  std::vector<std::unique_ptr<Pages>> own;
  AllPages all;
};

TouchRecorder::TouchRecorder() : state_(std::make_unique<State>()) {}
TouchRecorder::~TouchRecorder() = default;

std::unique_ptr<BlockObserver> TouchRecorder::observe_block() {
  const std::scoped_lock lock(state_->mutex);
  state_->own.push_back(std::make_unique<Pages>());
  return std::make_unique<TouchBlock>(*state_->own.back(), state_->all);
}

TouchedBytes TouchRecorder::touched() {
  for (const auto& own : state_->own) state_->all.take(*own);
  std::map<std::uint64_t, const Page*> in_order;
  for (const auto& [number, page] : state_->all.pages) in_order.emplace(number, &page);
  TouchedBytes touched;
  for (const auto& [number, page] : in_order) append_page(touched, *page, number * kPageBytes);
  return touched;
}

}  // namespace cudalabs::vgpu
