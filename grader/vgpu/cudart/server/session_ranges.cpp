// The session's reserved addresses, and the memory that is mapped there: what the driver API calls the management of
// virtual memory.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/server/session_types.h"

namespace cudalabs::vgpu {
namespace {

constexpr std::uint64_t kGranularity = ReservedRanges::kGranularity;

bool is_whole(std::uint64_t bytes) {
  return bytes != 0 && bytes % kGranularity == 0;
}

}  // namespace

void Session::ranges(Request& request) {
  const auto asked = request.as<wire::Ranges>();
  // Kernels that were issued before use what is there now; and what is taken from them is waited for.
  drain();
  using Action = wire::Ranges::Action;
  if (asked.action == Action::unmap || asked.action == Action::set_access) promise(order_.reach_all());
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  switch (asked.action) {
    case Action::reserve:
      return reserve_range(request, asked);
    case Action::free:
      return reply(request, free_range(request, asked));
    case Action::create:
      return create_memory(request, asked);
    case Action::release:
      return reply(request, release_memory(asked));
    case Action::map:
      return reply(request, map_memory(request, asked));
    case Action::unmap:
      return reply(request, unmap_memory(request, asked));
    case Action::set_access:
      return reply(request, set_access(asked));
    case Action::look_up:
      return look_up(request, asked);
    case Action::retain:
      return retain_memory(request, asked);
  }
  throw ProtocolViolation{"ranges of no kind"};
}

void Session::reserve_range(Request& request, const wire::Ranges& asked) {
  constexpr std::uint64_t kLargestAlignment = 1ull << 40;
  const std::uint64_t alignment = std::max(asked.alignment, kGranularity);
  if (asked.bytes == 0 || asked.bytes % kPageBytes != 0 || !std::has_single_bit(alignment))
    return reply(request, cudaErrorInvalidValue);
  const bool has_room = alignment <= kLargestAlignment && ranges_.count() < limits_.allocations;
  const DeviceAddress address =
      has_room ? gpu_.reserve_range(asked.bytes, request.header.origin, alignment) : DeviceAddress{0};
  if (address == 0) return reply(request, cudaErrorMemoryAllocation);
  ranges_.add_range(address, asked.bytes, request.origin());
  reply(request, cudaSuccess, wire::Address{address});
}

cudaError_t Session::free_range(const Request& request, const wire::Ranges& asked) {
  const ReservedRanges::Range* const range = ranges_.range(asked.address);
  if (range == nullptr || range->bytes != asked.bytes || !range->mappings.empty()) return cudaErrorInvalidValue;
  gpu_.free_range(asked.address, asked.bytes, request.header.origin);
  freed_.add(asked.address, asked.bytes, request.origin());
  ranges_.remove_range(asked.address);
  return cudaSuccess;
}

void Session::create_memory(Request& request, const wire::Ranges& asked) {
  if (!is_whole(asked.bytes)) return reply(request, cudaErrorInvalidValue);
  if (failing_calls_.fails_allocation() || ranges_.count() >= limits_.allocations || !gpu_.take_memory(asked.bytes))
    return reply(request, cudaErrorMemoryAllocation);
  reply(request, cudaSuccess, wire::Address{ranges_.add_memory(asked.bytes, request.origin())});
}

cudaError_t Session::release_memory(const wire::Ranges& asked) {
  ReservedRanges::Memory* const memory = ranges_.memory(asked.memory);
  if (memory == nullptr) return cudaErrorInvalidValue;
  --memory->references;
  gpu_.give_memory(ranges_.remove_if_unused(asked.memory));
  return cudaSuccess;
}

cudaError_t Session::map_memory(Request& request, const wire::Ranges& asked) {
  ReservedRanges::Memory* const memory = ranges_.memory(asked.memory);
  const auto begin = ranges_.begin_of(asked.address, asked.bytes);
  ReservedRanges::Range* const range = begin ? ranges_.range(*begin) : nullptr;
  if (memory == nullptr || range == nullptr || !is_whole(asked.bytes) || asked.address % kGranularity != 0 ||
      asked.bytes > memory->bytes || !ReservedRanges::is_unmapped(*range, asked.address, asked.bytes))
    return cudaErrorInvalidValue;
  if (memory->address != 0) {
    request.unsupported_part = part_name(wire::UnsupportedPart::second_mapping);
    return cudaErrorNotSupported;
  }
  if (ranges_.count() >= limits_.allocations) return cudaErrorMemoryAllocation;
  // Of what it holds the rest stays where nobody sees it.
  const auto hidden = std::partition(memory->pages.begin(), memory->pages.end(),
                                     [&](const SavedPage& page) { return page.offset < asked.bytes; });
  SavedPages rest(hidden, memory->pages.end());
  memory->pages.erase(hidden, memory->pages.end());
  gpu_.map_range(asked.address, asked.bytes, memory->pages);
  memory->pages = std::move(rest);
  memory->address = asked.address;
  range->mappings[asked.address] = {asked.bytes, asked.memory, RangeState::no_access, request.origin(), launch_count_};
  arrange(*begin, *range);
  return cudaSuccess;
}

cudaError_t Session::unmap_memory(const Request& request, const wire::Ranges& asked) {
  const auto begin = ranges_.begin_of(asked.address, asked.bytes);
  if (!begin) return cudaErrorInvalidValue;
  ReservedRanges::Range& range = *ranges_.range(*begin);
  const std::vector<std::uint64_t> mappings = ReservedRanges::mappings_of(range, asked.address, asked.bytes);
  if (mappings.empty()) return cudaErrorInvalidValue;
  for (const auto& [start, block] : addresses_.blocks()) {
    if (block.of_range && start < asked.address + asked.bytes && asked.address < start + block.bytes)
      freed_allocations_.add(start, block, launch_count_, request.origin());
  }
  for (const std::uint64_t address : mappings) {
    const ReservedRanges::Mapping mapping = range.mappings.at(address);
    ReservedRanges::Memory& memory = ranges_.memory_of(mapping);
    SavedPages pages = gpu_.unmap_range(address, mapping.bytes);
    memory.pages.insert(memory.pages.end(), pages.begin(), pages.end());
    memory.address = 0;
    range.mappings.erase(address);
    range.unmapped[address] = request.origin();
    gpu_.give_memory(ranges_.remove_if_unused(mapping.memory));
  }
  arrange(*begin, range);
  return cudaSuccess;
}

cudaError_t Session::set_access(const wire::Ranges& asked) {
  const auto begin = ranges_.begin_of(asked.address, asked.bytes);
  const auto state = static_cast<RangeState>(asked.state);
  if (!begin || state == RangeState::unmapped || state > RangeState::read_write) return cudaErrorInvalidValue;
  ReservedRanges::Range& range = *ranges_.range(*begin);
  const std::vector<std::uint64_t> mappings = ReservedRanges::mappings_of(range, asked.address, asked.bytes);
  if (mappings.empty()) return cudaErrorInvalidValue;
  for (const std::uint64_t address : mappings) range.mappings.at(address).state = state;
  arrange(*begin, range);
  return cudaSuccess;
}

void Session::look_up(Request& request, const wire::Ranges& asked) {
  const ReservedRanges::Mapping* const mapping = ranges_.mapping_at(asked.address);
  if (mapping == nullptr) return reply(request, cudaErrorInvalidValue);
  reply(request, cudaSuccess, wire::Address{static_cast<std::uint64_t>(mapping->state)});
}

/// By an address of its mapping, or by its handle, of which the program then has no more than before.
void Session::retain_memory(Request& request, const wire::Ranges& asked) {
  if (asked.memory != 0) {
    const bool known = ranges_.memory(asked.memory) != nullptr;
    return known ? reply(request, cudaSuccess, wire::Address{asked.memory}) : reply(request, cudaErrorInvalidValue);
  }
  const ReservedRanges::Mapping* const mapping = ranges_.mapping_at(asked.address);
  if (mapping == nullptr) return reply(request, cudaErrorInvalidValue);
  ++ranges_.memory_of(*mapping).references;
  reply(request, cudaSuccess, wire::Address{mapping->memory});
}

/// Tells the virtual GPU what a range is made of, and lets copies and fills find what may be accessed.
void Session::arrange(std::uint64_t address, const ReservedRanges::Range& range) {
  const std::vector<RangePart> parts = ReservedRanges::parts_of(address, range);
  gpu_.divide_range(address, range.bytes, parts);
  auto& blocks = addresses_.blocks();
  for (auto at = blocks.lower_bound(address); at != blocks.end() && at->first - address < range.bytes;)
    at = blocks.erase(at);
  for (const RangePart& part : parts) {
    if (part.state < RangeState::read_only) continue;
    const ReservedRanges::Mapping& first = range.mappings.at(part.address);
    AddressMap::Block block{part.bytes, first.origin, std::nullopt};
    block.of_range = true;
    block.read_only = part.state == RangeState::read_only;
    block.launches_before = first.launches_before;
    addresses_.add(part.address, block);
  }
}

/// Everything the program has reserved and created goes.
void Session::forget_ranges() {
  for (const auto& [address, range] : ranges_.ranges()) {
    for (const auto& [begin, mapping] : range.mappings) gpu_.unmap_range(begin, mapping.bytes);
    gpu_.free_range(address, range.bytes, 0);
  }
  for (const auto& [handle, memory] : ranges_.memories()) gpu_.give_memory(memory.bytes);
  ranges_.clear();
}

/// One finding for each call site, as of other memory.
void Session::note_range_leaks() {
  struct Leak {
    std::uint64_t count = 0, bytes = 0;
    CallOrigin origin;
  };
  using Leaks = std::map<std::pair<std::uint64_t, std::uint64_t>, Leak>;
  const auto add = [](Leaks& leaks, const CallOrigin& origin, std::uint64_t bytes) {
    Leak& leak = leaks[{origin.address, origin.outer}];
    leak = {leak.count + 1, leak.bytes + bytes, origin};
  };
  Leaks unreleased, still_mapped, reserved;
  for (const auto& [handle, memory] : ranges_.memories()) {
    if (memory.references != 0) add(unreleased, memory.origin, memory.bytes);
  }
  for (const auto& [address, range] : ranges_.ranges()) {
    add(reserved, range.origin, range.bytes);
    for (const auto& [begin, mapping] : range.mappings) {
      if (ranges_.memory_of(mapping).references == 0) add(still_mapped, mapping.origin, mapping.bytes);
    }
  }
  const auto report = [&](const Leaks& leaks, std::string_view what, const char* help) {
    for (const auto& [place, leak] : leaks) {
      if (leaks_.size() >= limits_.reported_leaks) return;
      Finding finding;
      finding.id = finding_ids::kMemoryLeak;
      finding.severity = Severity::warning;
      finding.count = leak.count;
      finding.message = leak.count == 1 ? fmt::format("{} bytes of {}", leak.bytes, what)
                                        : fmt::format("{} times {}, {} bytes in all", leak.count, what, leak.bytes);
      finding.help = help;
      leaks_.push_back({std::move(finding), leak.origin});
    }
  };
  report(unreleased, "device memory created here are never released",
         "call `cuMemRelease` once for every `cuMemCreate` and `cuMemRetainAllocationHandle`: the memory stays as long "
         "as it is mapped");
  report(still_mapped, "device memory mapped here are never unmapped",
         "call `cuMemUnmap` for the addresses: memory whose handle is released lasts until it is unmapped");
  report(reserved, "addresses reserved here are never freed",
         "call `cuMemAddressFree` with the same address and size, after `cuMemUnmap`");
}

/// Of accesses to addresses without memory, or without access: the call that has left them so.
void Session::place_reasons(ServerReport& report) const {
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    Finding& finding = report.findings[i];
    if (finding.id != finding_ids::kGlobalOutOfBounds || finding.other || !finding.address) continue;
    const auto reason = ranges_.reason_at(*finding.address);
    if (!reason) continue;
    finding.other = OtherPlace{std::string(reason->words), {}, {}, {}};
    report.origins.push_back({static_cast<std::uint32_t>(i), reason->origin, true});
  }
}

}  // namespace cudalabs::vgpu
