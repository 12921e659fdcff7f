// The session's unified memory: what the host touches of it, and what it writes there.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/server/session_types.h"

namespace cudalabs::vgpu {
namespace {

constexpr std::uint64_t kWord = 4;

/// Ranges of words whose bits are set, in their order, cut at `bytes`; as offsets.
std::vector<ByteRange> masked_ranges(std::span<const std::uint64_t> mask, std::uint64_t bytes) {
  std::vector<ByteRange> ranges;
  const std::uint64_t words = (bytes + kWord - 1) / kWord;
  const auto set = [&](std::uint64_t word) { return (mask[word / 64] >> word % 64 & 1) != 0; };
  for (std::uint64_t word = 0; word < words;) {
    if (mask[word / 64] >> word % 64 == 0) {
      word = (word / 64 + 1) * 64;
      continue;
    }
    if (!set(word)) {
      ++word;
      continue;
    }
    const std::uint64_t first = word;
    while (word < words && set(word)) ++word;
    ranges.push_back({first * kWord, std::min(word * kWord, bytes)});
  }
  return ranges;
}

}  // namespace

void Session::host_access(Request& request) {
  const auto access = request.as<wire::HostAccess>();
  const auto holds = [](std::uint64_t begin, std::uint64_t bytes, std::uint64_t at) { return at - begin < bytes; };
  if ((access.window_bytes > limits_.staged_bytes && access.has_data == 0) ||
      !holds(access.page, access.page_bytes, access.address) ||
      !holds(access.window, access.window_bytes, access.page) || !addresses_.is_managed(access.window) ||
      !addresses_.holds(access.window, access.window_bytes) || !addresses_.holds(access.page, access.page_bytes))
    return reply(request, cudaErrorInvalidValue);
  // The page comes with what the device makes of it: that it came too early is told by the order of the program.
  drain();
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  wire::HostAccessed accessed;
  {
    const std::scoped_lock lock(mutex_);
    races_.host_access(request.origin(), access.address, access.writes != 0);
    // As long as there is something to race with, the first touch of every page is looked at.
    accessed.page_only = races_.unwaited({access.window, access.window + access.window_bytes});
  }
  AddressMap::Block* const block = addresses_.page_locked(addresses_.at_or_before(access.window).start);
  if (block != nullptr) {
    return_to_host(nullptr);
    block->in_use = block->in_use && accessed.page_only != 0;
  }
  const std::uint64_t begin = accessed.page_only != 0 ? access.page : access.window;
  const std::uint64_t bytes = accessed.page_only != 0 ? access.page_bytes : access.window_bytes;
  accessed.unwritten = access.has_data == 0 && gpu_.known_unwritten(begin, bytes);
  std::vector<std::byte> data(access.has_data == 0 && accessed.unwritten == 0 ? bytes : 0);
  gpu_.copy_out_marked(data, begin);
  if (transfers_ != nullptr && !data.empty()) transfers_->to_host(transfers_->announce_to_host(request.origin()), data);
  log(request, cudaSuccess);
  send_frame(wire::FrameKind::result, cudaSuccess, std::as_bytes(std::span(&accessed, 1)), data);
}

void Session::host_writes(Request& request) {
  const auto writes = request.as<wire::HostWrites>();
  if (writes.bytes == 0 || writes.bytes > wire::kMostHostWriteBytes || writes.address % kWord != 0)
    throw ProtocolViolation{fmt::format("{} bytes of the host", writes.bytes)};
  std::vector<std::uint64_t> mask(writes.mask_bytes() / sizeof(std::uint64_t));
  const auto data = std::make_shared<std::vector<std::byte>>(writes.bytes);
  receive(std::as_writable_bytes(std::span(mask)));
  receive(*data);
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  if (!addresses_.is_managed(writes.address) || !addresses_.holds(writes.address, writes.bytes))
    return reply(request, cudaErrorInvalidValue);
  addresses_.at_or_before(writes.address).block->host_wrote = true;
  if (writes.past_end != 0) note_host_overrun(request, writes);
  const std::vector<ByteRange> ranges = masked_ranges(mask, writes.bytes);
  if (transfers_ != nullptr) {
    // What was written travels as one copy, without the gaps.
    std::vector<std::byte> packed;
    for (const ByteRange& range : ranges)
      packed.insert(packed.end(), data->begin() + static_cast<std::ptrdiff_t>(range.begin),
                    data->begin() + static_cast<std::ptrdiff_t>(range.end));
    transfers_->to_device(request.origin(), packed);
    std::span<const std::byte> left = packed;
    for (const ByteRange& range : ranges) {
      std::memcpy(data->data() + range.begin, left.data(), range.end - range.begin);
      left = left.subspan(range.end - range.begin);
    }
  }
  const auto write = [this, address = writes.address, ranges, data] {
    for (const ByteRange& range : ranges)
      gpu_.copy_in(address + range.begin, std::span(*data).subspan(range.begin, range.end - range.begin));
  };
  // In the order of the program: what was issued before is done, or in the queue.
  if (idle()) {
    write();
  } else {
    issue(StreamOrder::kDefault, write);
  }
  reply(request, cudaSuccess);
}

/// The host shares no page of unified memory with anything else here, so that it destroys nothing.
void Session::note_host_overrun(const Request& request, const wire::HostWrites& writes) {
  const auto known = std::ranges::find(overruns_, request.origin(), &HostFinding::origin);
  if (known != overruns_.end()) {
    ++known->finding.count;
    return;
  }
  if (overruns_.size() >= limits_.inputs) return;
  const auto [start, block] = addresses_.at_or_before(writes.address);
  Finding finding;
  finding.id = finding_ids::kGlobalOutOfBounds;
  finding.message = "the host writes past the end of unified memory";
  finding.access.by_host = true;
  finding.note = fmt::format(
      "up to byte {} of {} bytes, where on a real GPU something else may lie; the line is the one that wrote to that "
      "page first, and the write that goes too far is this one or a later one",
      block->bytes + std::min(writes.past_end, wire::kMostHostWriteBytes), block->bytes);
  finding.help = "look at the index, and at the number of bytes that `cudaMallocManaged` was asked for";
  finding.other = OtherPlace{"the memory is allocated here", {}, {}, {}, PlaceRole::allocation};
  overruns_.push_back({std::move(finding), request.origin(), block->origin});
}

bool Session::must_wait_for_managed(StreamId stream, bool asynchronous,
                                    std::initializer_list<std::uint64_t> addresses) {
  const auto is_managed = [&](std::uint64_t address) { return addresses_.is_managed(address); };
  if (asynchronous || waits_.empty() || !std::ranges::any_of(addresses, is_managed)) return false;
  return must_ask_again([&] { return order_.next(stream); });
}

void Session::wait_if_managed(StreamId stream, bool asynchronous, std::initializer_list<std::uint64_t> addresses) {
  const auto is_managed = [&](std::uint64_t address) { return addresses_.is_managed(address); };
  if (asynchronous || !std::ranges::any_of(addresses, is_managed)) return;
  drain();
  hand_over(order_.reach(stream));
}

}  // namespace cudalabs::vgpu
