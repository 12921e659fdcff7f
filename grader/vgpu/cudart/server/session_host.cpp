// The session's page-locked memory of the host, of which kernels see a copy: what the host writes comes before each
// launch (session_managed.cpp), and what the device writes goes back when the program has waited for it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "vgpu/cudart/server/session_types.h"

namespace cudalabs::vgpu {
namespace {

constexpr std::size_t kMostReturns = 256;

void append_meetings(std::vector<ByteRange>& to, const std::vector<ByteRange>& ranges,
                     const std::vector<ByteRange>& blocks) {
  for (const ByteRange& block : blocks) {
    auto range = std::ranges::upper_bound(ranges, block.begin, {}, &ByteRange::end);
    for (; range != ranges.end() && range->begin < block.end; ++range)
      to.push_back({std::max(range->begin, block.begin), std::min(range->end, block.end)});
  }
}

/// Bytes that are in several of the ranges are in one.
std::vector<ByteRange> united(std::vector<ByteRange> ranges) {
  std::ranges::sort(ranges, {}, &ByteRange::begin);
  std::vector<ByteRange> whole;
  for (const ByteRange& range : ranges) {
    if (whole.empty() || range.begin > whole.back().end) {
      whole.push_back(range);
    } else {
      whole.back().end = std::max(whole.back().end, range.end);
    }
  }
  return whole;
}

}  // namespace

void Session::allocate_host(Request& request) {
  const auto [bytes, alignment, host] = request.as<wire::AllocateHost>();
  constexpr std::uint64_t kLeastPage = 4096, kLargestPage = 64 << 10, kMostBytes = 1ull << 36;
  if (!std::has_single_bit(alignment) || alignment < kLeastPage || alignment > kLargestPage || host % 8 != 0)
    throw ProtocolViolation{fmt::format("host memory in pages of {} bytes, at {:#x}", alignment, host)};
  if (bytes == 0) return reply(request, cudaErrorInvalidValue);
  drain();
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  if (host == 0 && failing_calls_.fails_allocation()) return reply(request, cudaErrorMemoryAllocation);
  if (addresses_.blocks().size() >= limits_.allocations || bytes > kMostBytes)
    return reply(request, cudaErrorMemoryAllocation);
  const DeviceAddress address = gpu_.allocate_host(bytes, request.header.origin, alignment, host);
  if (address == 0) return reply(request, cudaErrorMemoryAllocation);
  AddressMap::Block block{bytes, request.origin(), std::nullopt};
  block.page_locked = true;
  addresses_.add(address, block);
  reply(request, cudaSuccess, wire::Address{address});
}

void Session::release_host(Request& request) {
  const auto address = request.as<wire::Address>().address;
  const AddressMap::Block* const block = addresses_.page_locked(address);
  if (block == nullptr) return reply(request, cudaErrorInvalidValue);
  const std::uint64_t bytes = block->bytes;
  if (block->managed && must_ask_again([&] { return order_.reach_all(); })) return;
  drain();
  if (block->managed) hand_over(order_.reach_all());  // work that uses the memory ends first
  gpu_.free_host(address, request.header.origin);
  addresses_.remove(address);
  freed_.add(address, bytes, request.origin());
  {
    const std::scoped_lock lock(mutex_);
    std::erase_if(mapped_, [&](const ByteRange& range) { return range.begin == address; });
    for (HostReturn& record : host_returns_)
      std::erase_if(record.ranges,
                    [&](const ByteRange& range) { return range.begin >= address && range.end <= address + bytes; });
  }
  reply(request, told_error_);
}

void Session::map_host(Request& request) {
  const auto address = request.as<wire::Address>().address;
  AddressMap::Block* const block = addresses_.page_locked(address);
  if (block == nullptr || block->managed) return reply(request, cudaErrorInvalidValue);
  block->managed = has_managed_ = has_mapped_ = true;
  {
    const std::scoped_lock lock(mutex_);
    const auto place = std::ranges::upper_bound(mapped_, address, {}, &ByteRange::begin);
    mapped_.insert(place, {address, address + block->bytes});
  }
  reply(request, cudaSuccess);
}

/// Something was issued that may use mapped memory.
void Session::use_mapped() {
  if (!has_mapped_) return;
  for (auto& [address, block] : addresses_.blocks()) block.in_use = block.page_locked && block.managed;
}

void Session::note_host_return(StreamId stream, std::uint64_t number, const TouchedBytes& touched) {
  const std::scoped_lock lock(mutex_);
  if (mapped_.empty()) return;
  std::vector<ByteRange> ranges;
  append_meetings(ranges, touched.writes, mapped_);
  append_meetings(ranges, touched.shared, mapped_);
  if (ranges.empty()) return;
  // A program may issue as much as it likes without waiting: what its streams wrote before then counts as written now.
  if (host_returns_.size() >= kMostReturns ||
      (!host_returns_.empty() && host_returns_.back().stream == stream && host_returns_.back().ranges == ranges)) {
    const auto same = std::ranges::find(host_returns_.rbegin(), host_returns_.rend(), stream, &HostReturn::stream);
    if (same != host_returns_.rend()) {
      ranges.insert(ranges.end(), same->ranges.begin(), same->ranges.end());
      *same = {stream, number, united(std::move(ranges))};
      return;
    }
  }
  host_returns_.push_back({stream, number, std::move(ranges)});
}

void Session::return_to_host(const Progress* progress) {
  drain();
  const auto reached = [&](StreamId stream, std::uint64_t number) {
    if (progress == nullptr) return true;
    const auto found = progress->find(stream);
    return found != progress->end() && found->second >= number;
  };
  std::vector<ByteRange> ranges;
  std::vector<std::uint64_t> free;
  {
    const std::scoped_lock lock(mutex_);
    for (auto record = host_returns_.begin(); record != host_returns_.end();) {
      if (!reached(record->stream, record->number)) {
        ++record;
        continue;
      }
      ranges.insert(ranges.end(), record->ranges.begin(), record->ranges.end());
      record = host_returns_.erase(record);
    }
    for (auto& [address, block] : addresses_.blocks()) {
      if (!block.in_use || races_.unwaited({address, address + block.bytes})) continue;
      block.in_use = false;
      free.push_back(address);
    }
  }
  send_host_bytes(united(std::move(ranges)));
  for (const std::uint64_t address : free) {
    const wire::Address message{address};
    send_frame(wire::FrameKind::host_free, cudaSuccess, std::as_bytes(std::span(&message, 1)), {});
  }
}

/// In frames of a size that the client has room for.
void Session::send_host_bytes(std::span<const ByteRange> ranges) {
  std::vector<wire::HostRange> sent;
  std::vector<std::byte> data;
  const auto flush = [&] {
    if (sent.empty()) return;
    if (transfers_ != nullptr) transfers_->to_host(transfers_->announce_to_host({}), data);
    const wire::HostBytes head{sent.size(), data.size()};
    std::vector<std::byte> whole(sizeof head + sent.size() * sizeof(wire::HostRange));
    std::memcpy(whole.data(), &head, sizeof head);
    std::memcpy(whole.data() + sizeof head, sent.data(), whole.size() - sizeof head);
    send_frame(wire::FrameKind::host_bytes, cudaSuccess, whole, data);
    sent.clear();
    data.clear();
  };
  for (const ByteRange& range : ranges) {
    for (std::uint64_t at = range.begin; at < range.end;) {
      if (sent.size() == wire::kMostHostRanges || data.size() == wire::kMostHostWriteBytes) flush();
      const std::uint64_t bytes = std::min(range.end - at, wire::kMostHostWriteBytes - data.size());
      data.resize(data.size() + bytes);
      gpu_.copy_out_marked(std::span(data).last(bytes), at);
      sent.push_back({at, bytes});
      at += bytes;
    }
  }
  flush();
}

}  // namespace cudalabs::vgpu
