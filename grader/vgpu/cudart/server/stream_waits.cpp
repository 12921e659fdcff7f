#include "vgpu/cudart/server/stream_waits.h"

#include <algorithm>

namespace cudalabs::vgpu {
namespace {

bool includes_operation(const Progress& progress, StreamId stream, std::uint64_t number) {
  const auto found = progress.find(stream);
  return found != progress.end() && found->second >= number;
}

}  // namespace

bool is_over(wire::MemoryOperation::Kind wait, std::uint32_t bytes, std::uint64_t now, std::uint64_t value) {
  const std::uint64_t all = bytes == 8 ? ~std::uint64_t{0} : 0xFFFF'FFFF;
  using Kind = wire::MemoryOperation::Kind;
  switch (wait) {
    case Kind::wait_at_least:  // by a difference with a sign, so that counters may wrap
      return ((now - value) & all & ~(all >> 1)) == 0;
    case Kind::wait_equal:
      return ((now ^ value) & all) == 0;
    case Kind::wait_any_set:
      return (now & value & all) != 0;
    case Kind::wait_any_clear:
      return (~(now | value) & all) != 0;
    case Kind::write:
      break;
  }
  return true;
}

bool StreamWaits::hold(const Progress& progress) const {
  return std::ranges::any_of(
      waits_, [&](const ValueWait& wait) { return includes_operation(progress, wait.stream, wait.number); });
}

std::vector<const ValueWait*> StreamWaits::foremost() const {
  std::vector<const ValueWait*> result;
  for (const ValueWait& wait : waits_) {
    const bool behind = std::ranges::any_of(waits_, [&](const ValueWait& other) {
      return &other != &wait && includes_operation(wait.after, other.stream, other.number);
    });
    if (!behind) result.push_back(&wait);
  }
  return result;
}

ValueWait StreamWaits::take(const ValueWait* wait) {
  const auto found = std::ranges::find_if(waits_, [&](const ValueWait& each) { return &each == wait; });
  ValueWait taken = std::move(*found);
  waits_.erase(found);
  return taken;
}

std::optional<WaitingWork> StreamWaits::next() {
  const auto found = std::ranges::find_if(parked_, [&](const WaitingWork& work) { return !hold(work.after); });
  if (found == parked_.end()) return std::nullopt;
  WaitingWork work = std::move(*found);
  parked_.erase(found);
  return work;
}

void StreamWaits::clear() {
  waits_.clear();
  parked_.clear();
}

void WrittenValues::note(std::uint64_t address, Write write) {
  if (progress_ + write.progress.size() > kMostProgress) clear();
  if (writes_.size() >= kMostPlaces && !writes_.contains(address)) return;
  std::deque<Write>& of_place = writes_[address];
  progress_ += write.progress.size();
  if (of_place.size() >= kMostOfPlace) {
    progress_ -= of_place.front().progress.size();
    of_place.pop_front();
  }
  of_place.push_back(std::move(write));
}

void WrittenValues::clear() {
  writes_.clear();
  progress_ = 0;
}

const WrittenValues::Write* WrittenValues::ending(const wire::MemoryOperation& wait, std::uint64_t now) const {
  const auto found = writes_.find(wait.address);
  if (found == writes_.end()) return nullptr;
  const std::deque<Write>& of_place = found->second;
  // Something else has written there since.
  if (of_place.back().bytes != wait.bytes || of_place.back().value != now) return nullptr;
  const Write* result = nullptr;
  for (auto write = of_place.rbegin(); write != of_place.rend(); ++write) {
    if (write->bytes != wait.bytes || !is_over(wait.kind, wait.bytes, write->value, wait.value)) break;
    result = &*write;
  }
  return result;
}

const WrittenValues::Write* WrittenValues::last(std::uint64_t address) const {
  const auto found = writes_.find(address);
  return found == writes_.end() ? nullptr : &found->second.back();
}

}  // namespace cudalabs::vgpu
