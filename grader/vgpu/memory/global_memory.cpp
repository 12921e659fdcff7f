// The virtual GPU's global memory: allocations with their history, contents, and which bytes were ever written.
#include "vgpu/memory/global_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "vgpu/unwritten_word.h"

namespace cudalabs::vgpu {

namespace {

constexpr std::uint64_t kAlignment = 256;
constexpr std::uint64_t kRedZone = 256;

constexpr std::uint64_t rounded_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

/// Address space is plenty, so fresh allocations lie far apart: an index that is wrong by a row, a stride or a factor
/// of four then hits nothing, where it would silently hit a neighbour's bytes behind a narrow red zone.
constexpr std::uint64_t kNarrowestGap = 1ull << 20, kWidestGap = 64ull << 20;
std::uint64_t fresh_gap(std::uint64_t bytes) {
  return std::clamp(rounded_up(4 * bytes, kAlignment), kNarrowestGap, kWidestGap);
}

/// A program that allocates and frees for ever must not grow the server: so much history is kept, and kernels get so
/// many fresh addresses, whose pages several allocations share, before old ones are used again.
constexpr std::size_t kMostFreed = 65'536;
constexpr std::size_t kMostHostRanges = 4'096;
constexpr std::uint64_t kMostDeviceHeapSpan = 64ull << 20;

}  // namespace

GlobalMemory::GlobalMemory(std::uint64_t capacity, bool poisoned)
    : memory_(kGlobalWindow, Reservation::Access::inaccessible),
      bitmap_(kGlobalWindow / 8, Reservation::Access::read_write),
      bits_(reinterpret_cast<std::uint64_t*>(bitmap_.data())),
      fresh_(memory_.data(), kGlobalWindow),
      journal_(memory_.data(), bits_, kGlobalWindow),
      capacity_(capacity),
      poisoned_(poisoned),
      next_(kGlobalBase + (32ull << 20)) {}  // like a real address, none looks like a small integer

std::deque<Allocation>::const_iterator GlobalMemory::at_or_before(DeviceAddress address) const {
  auto after = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                [](DeviceAddress at, const Allocation& entry) { return at < entry.address; });
  return after == allocations_.begin() ? allocations_.end() : std::prev(after);
}

// Fresh addresses as long as there are any; then the first gap between live allocations that is large enough.
std::optional<DeviceAddress> GlobalMemory::place(std::uint64_t bytes, AllocationKind kind, std::uint64_t alignment) {
  const std::uint64_t span = rounded_up(std::max<std::uint64_t>(bytes, 1), alignment) + kRedZone;
  const DeviceAddress fresh = rounded_up(next_, alignment);
  // What kernels allocate is small and many.
  const std::uint64_t fresh_span = span + (kind == AllocationKind::device_heap ? 0 : fresh_gap(bytes));
  const bool heap_is_spent =
      kind == AllocationKind::device_heap && device_heap_span_ + fresh_span > kMostDeviceHeapSpan;
  if (!heap_is_spent && fresh < kGlobalBase + kGlobalWindow && kGlobalBase + kGlobalWindow - fresh >= fresh_span) {
    if (kind == AllocationKind::device_heap) device_heap_span_ += fresh_span;
    next_ = fresh + fresh_span;
    return fresh;
  }
  DeviceAddress candidate = rounded_up(kGlobalBase + kRedZone, alignment);
  for (const Allocation& entry : allocations_) {
    if (!entry.live) continue;
    if (entry.address >= candidate && entry.address - candidate >= span) break;
    candidate = rounded_up(std::max(candidate, entry.end_of_room() + kRedZone), alignment);
  }
  if (candidate > kGlobalBase + kGlobalWindow || kGlobalBase + kGlobalWindow - candidate < span) return std::nullopt;
  freed_ -= std::erase_if(allocations_, [&](const Allocation& entry) {
    return !entry.live && entry.address < candidate + span && entry.end_of_room() + kRedZone > candidate;
  });
  return candidate;
}

/// The lowest addresses are the oldest, as long as there are fresh ones. Half of them at a time, so that it costs a
/// program nothing that it would notice.
void GlobalMemory::forget_oldest_freed() {
  if (freed_ < kMostFreed) return;
  std::size_t left = kMostFreed / 2;
  freed_ -= std::erase_if(allocations_, [&](const Allocation& entry) { return !entry.live && left > 0 && left-- > 0; });
}

/// The memory goes back to the system, whole pages of it.
void GlobalMemory::give_back(DeviceAddress address, std::uint64_t bytes) {
  memory_.release(address - kGlobalBase, bytes);
  if (!poisoned_) return;
  bitmap_.release((address - kGlobalBase) / 8, bytes / 8);
  fresh_.renew(address - kGlobalBase, bytes);
}

/// Makes memory that was used before as good as fresh.
void GlobalMemory::renew(DeviceAddress address, std::uint64_t bytes) {
  if (!poisoned_ || bytes == 0) return;
  give_back(address, bytes);
  const std::uint64_t offset = address - kGlobalBase, end = offset + bytes;
  // A multiple of 8 bits first: the bitmap is cleared by bytes.
  bitmap_.clear(offset / 8, bytes / 8);
  bits_.clear(offset + bytes / 8 * 8, bytes % 8);
  // The pages at either end may be others' as well.
  const std::uint64_t first = std::min(end, (offset + kPageBytes - 1) / kPageBytes * kPageBytes);
  const std::uint64_t last = std::max(first, end / kPageBytes * kPageBytes);
  for (const auto& [from, to] : {std::pair{offset, first}, {last, end}}) {
    if (from == to) continue;
    fresh_.touch(from, to - from);
    std::memset(memory_.data() + from, 0xFF, to - from);
  }
}

DeviceAddress GlobalMemory::allocate(std::uint64_t bytes, std::uint64_t origin, AllocationKind kind, std::string name,
                                     std::uint64_t alignment) {
  return allocate_apart(bytes, origin, kind, std::move(name), alignment, 0);
}

DeviceAddress GlobalMemory::allocate_host(std::uint64_t bytes, std::uint64_t origin, std::uint64_t alignment,
                                          std::uint64_t host) {
  const DeviceAddress address =
      allocate_apart(bytes, origin, AllocationKind::host, {}, alignment, host % std::max(alignment, kAlignment));
  if (address == 0 || host == 0) return address;
  if (host_ranges_.size() >= kMostHostRanges) {
    std::erase_if(host_ranges_, [](const HostRange& range) { return !range.live; });
  }
  host_ranges_.push_back({host, bytes, address, true});
  return address;
}

DeviceAddress GlobalMemory::of_host(std::uint64_t address) const {
  constexpr std::uint64_t kReach = 4096;  // a page is the least that a real device maps
  const HostRange* near = nullptr;
  const HostRange* freed = nullptr;
  for (auto range = host_ranges_.rbegin(); range != host_ranges_.rend(); ++range) {
    if (address - range->host < range->bytes) {
      if (range->live) return range->device + (address - range->host);
      if (freed == nullptr) freed = &*range;
    } else if (range->live && near == nullptr && address - range->host + kReach < range->bytes + 2 * kReach) {
      near = &*range;
    }
  }
  const HostRange* const meant = near != nullptr ? near : freed;
  return meant == nullptr ? 0 : meant->device + (address - meant->host);
}

DeviceAddress GlobalMemory::allocate_apart(std::uint64_t bytes, std::uint64_t origin, AllocationKind kind,
                                           std::string name, std::uint64_t alignment, std::uint64_t offset) {
  const std::lock_guard lock(mutex_);
  const bool of_device = kind != AllocationKind::host && kind != AllocationKind::range;
  if (bytes > (of_device ? capacity_ - used_ : kGlobalWindow)) return 0;
  alignment = std::max(alignment, kAlignment);
  std::optional<DeviceAddress> address = place(bytes + offset, kind, alignment);
  if (!address || !memory_.allow(*address - kGlobalBase, std::max<std::uint64_t>(bytes + offset, 1))) return 0;
  *address += offset;
  if (*address < never_used_) renew(*address, bytes);
  never_used_ = std::max(never_used_, *address + bytes);
  Allocation entry{.address = *address,
                   .bytes = bytes,
                   .room = rounded_up(bytes + offset, alignment) - offset,
                   .origin = origin,
                   .kind = kind,
                   .state = kind == AllocationKind::range ? RangeState::unmapped : RangeState::read_write,
                   .live = true,
                   .name = std::move(name)};
  allocations_.insert(std::upper_bound(allocations_.begin(), allocations_.end(), *address,
                                       [](DeviceAddress at, const Allocation& other) { return at < other.address; }),
                      std::move(entry));
  if (of_device) used_ += bytes;
  generation_.fetch_add(1, std::memory_order_acq_rel);
  return *address;
}

DeviceAddress GlobalMemory::allocate_again(DeviceAddress address, std::uint64_t bytes, std::uint64_t origin) {
  const std::lock_guard lock(mutex_);
  if (address % kAlignment != 0 || address < kGlobalBase + kRedZone || bytes == 0 || bytes > capacity_ - used_ ||
      address >= never_used_ || bytes > never_used_ - address)
    return 0;
  const auto meets = [&](const Allocation& entry) {
    return entry.address < address + bytes + kRedZone && entry.end_of_room() + kRedZone > address;
  };
  if (std::any_of(allocations_.begin(), allocations_.end(),
                  [&](const Allocation& entry) { return entry.live && meets(entry); }))
    return 0;
  freed_ -= std::erase_if(allocations_, meets);
  if (!memory_.allow(address - kGlobalBase, bytes)) return 0;
  renew(address, bytes);
  Allocation entry{.address = address,
                   .bytes = bytes,
                   .room = rounded_up(bytes, kAlignment),
                   .origin = origin,
                   .kind = AllocationKind::heap,
                   .live = true,
                   .name = {}};
  allocations_.insert(std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                       [](DeviceAddress at, const Allocation& other) { return at < other.address; }),
                      std::move(entry));
  used_ += bytes;
  generation_.fetch_add(1, std::memory_order_acq_rel);
  return address;
}

bool GlobalMemory::free(DeviceAddress address, std::uint64_t origin, AllocationKind kind) {
  const std::lock_guard lock(mutex_);
  const auto found = at_or_before(address);
  if (found == allocations_.end() || found->address != address || !found->live || found->kind != kind) return false;
  Allocation& entry = allocations_[static_cast<std::size_t>(found - allocations_.begin())];
  entry.live = false;
  entry.freed_origin = origin;
  if (kind == AllocationKind::host) {
    for (HostRange& range : host_ranges_) range.live = range.live && range.device != address;
  } else if (kind != AllocationKind::range) {
    used_ -= entry.bytes;
  }
  std::erase_if(discarded_, [&](const Discarded& each) { return entry.holds(each.begin); });
  ++freed_;
  // Not while the allocation might have to come back.
  if (!snapshot_) give_back(address, entry.bytes);
  forget_oldest_freed();
  generation_.fetch_add(1, std::memory_order_acq_rel);
  return true;
}

std::optional<Allocation> GlobalMemory::find(DeviceAddress address) const {
  const std::lock_guard lock(mutex_);
  const auto found = at_or_before(address);
  if (found == allocations_.end() || !found->usable() || !found->holds(address)) return std::nullopt;
  return *found;
}

std::optional<Allocation> GlobalMemory::explain(DeviceAddress address, std::uint64_t reach) const {
  const std::lock_guard lock(mutex_);
  const auto before = at_or_before(address);
  if (before != allocations_.end() && before->holds(address)) return *before;
  const auto after = before == allocations_.end() ? allocations_.begin() : std::next(before);
  const std::uint64_t beyond = before == allocations_.end() ? ~0ull : address - before->end();
  const std::uint64_t ahead = after == allocations_.end() ? ~0ull : after->address - address;
  if (std::min(beyond, ahead) > reach) return std::nullopt;
  return beyond <= ahead ? *before : *after;
}

std::vector<Allocation> GlobalMemory::live_allocations(AllocationKind kind) const {
  const std::lock_guard lock(mutex_);
  std::vector<Allocation> live;
  for (const Allocation& entry : allocations_) {
    if (entry.live && entry.kind == kind) live.push_back(entry);
  }
  return live;
}

std::uint64_t GlobalMemory::free_bytes() const {
  const std::lock_guard lock(mutex_);
  return capacity_ - used_;
}

bool GlobalMemory::copy_in(DeviceAddress to, std::span<const std::byte> from) {
  const std::optional<Allocation> target = find(to);
  if (from.empty()) return true;
  if (!target || !target->holds(to, from.size())) return false;
  if (poisoned_) fresh_.overwrite(to - kGlobalBase, from.size());
  std::memcpy(host(to), from.data(), from.size());
  bits_.set(to - kGlobalBase, from.size());
  return true;
}

bool GlobalMemory::copy_out(std::span<std::byte> to, DeviceAddress from) const {
  if (to.empty()) return true;
  const std::optional<Allocation> source = find(from);
  if (!source || !source->holds(from, to.size())) return false;
  // What nobody has touched stays so.
  for (std::uint64_t done = 0; done < to.size();) {
    const std::uint64_t offset = from - kGlobalBase + done;
    const bool fresh = poisoned_ && fresh_.is_fresh(offset);
    std::uint64_t end = offset;
    do {
      end = (end / kPageBytes + 1) * kPageBytes;
    } while (end - offset < to.size() - done && (poisoned_ && fresh_.is_fresh(end)) == fresh);
    const std::uint64_t bytes = std::min(end - offset, to.size() - done);
    if (fresh) {
      std::memset(to.data() + done, 0xFF, bytes);
    } else {
      std::memcpy(to.data() + done, host(from + done), bytes);
    }
    done += bytes;
  }
  return true;
}

bool GlobalMemory::copy_out_marked(std::span<std::byte> to, DeviceAddress from) const {
  if (!copy_out(to, from)) return false;
  const std::uint64_t offset = from - kGlobalBase;
  for (std::uint64_t at = 0; at < to.size();) {
    const std::uint64_t bit = (offset + at) % 64, bytes = std::min<std::uint64_t>(64 - bit, to.size() - at);
    std::uint64_t unwritten = ~bits_.word((offset + at) / 64) >> bit;
    if (bytes < 64) unwritten &= (1ull << bytes) - 1;
    for (; unwritten != 0; unwritten &= unwritten - 1) {
      const std::uint64_t byte = at + static_cast<std::uint64_t>(std::countr_zero(unwritten));
      const std::uint64_t address = from + byte;
      to[byte] = static_cast<std::byte>(unwritten_word(address / 4 * 4) >> address % 4 * 8);
    }
    at += bytes;
  }
  return true;
}

bool GlobalMemory::copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  if (bytes == 0) return true;
  const std::optional<Allocation> target = find(to);
  const std::optional<Allocation> source = find(from);
  if (!target || !source || !target->holds(to, bytes) || !source->holds(from, bytes)) return false;
  touch(from, bytes);
  if (poisoned_) fresh_.overwrite(to - kGlobalBase, bytes);
  std::memmove(host(to), host(from), bytes);
  if (bits_.test(from - kGlobalBase, bytes)) {
    bits_.set(to - kGlobalBase, bytes);
    return true;
  }
  // What was never written stays so in the copy: the fault is reported where a kernel reads it.
  forget_initialized(to);
  copy_bits(to, from, bytes);
  return true;
}

/// From first to last or the other way, as the ranges may overlap.
void GlobalMemory::copy_bits(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  const bool down = to <= from;
  for (std::uint64_t i = 0; i < bytes; ++i) {
    const std::uint64_t at = down ? i : bytes - 1 - i;
    if (bits_.test(from - kGlobalBase + at, 1)) {
      bits_.set(to - kGlobalBase + at, 1);
    } else {
      bits_.clear(to - kGlobalBase + at, 1);
    }
  }
}

void GlobalMemory::forget_initialized(DeviceAddress address) {
  const std::lock_guard lock(mutex_);
  const auto found = at_or_before(address);
  allocations_[static_cast<std::size_t>(found - allocations_.begin())].initialized_prefix = 0;
}

void GlobalMemory::begin_undo(bool kernels_allocate) {
  const std::lock_guard lock(mutex_);
  journal_.begin();
  if (kernels_allocate) snapshot_ = Snapshot{allocations_, used_, device_heap_span_, freed_, next_};
}

void GlobalMemory::roll_back() {
  const std::lock_guard lock(mutex_);
  journal_.roll_back();
  if (snapshot_) {
    allocations_ = snapshot_->allocations;
    used_ = snapshot_->used;
    device_heap_span_ = snapshot_->device_heap_span;
    freed_ = snapshot_->freed;
    next_ = snapshot_->next;
    generation_.fetch_add(1, std::memory_order_acq_rel);
  }
  for (Allocation& entry : allocations_) entry.initialized_prefix = 0;
}

void GlobalMemory::end_undo() {
  const std::lock_guard lock(mutex_);
  journal_.end();
  snapshot_.reset();
}

bool GlobalMemory::fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes) {
  if (bytes == 0) return true;
  const std::optional<Allocation> target = find(to);
  if (!target || !target->holds(to, bytes)) return false;
  if (poisoned_) fresh_.overwrite(to - kGlobalBase, bytes);
  std::memset(host(to), value, bytes);
  bits_.set(to - kGlobalBase, bytes);
  return true;
}

bool GlobalMemory::fully_initialized(const Allocation& allocation) const {
  return allocation.initialized_prefix == allocation.bytes ||
         bits_.test(allocation.address - kGlobalBase + allocation.initialized_prefix,
                    allocation.bytes - allocation.initialized_prefix);
}

std::vector<GlobalMemory::Range> GlobalMemory::ranges() {
  const std::lock_guard lock(mutex_);
  std::vector<Range> live;
  for (Allocation& entry : allocations_) {
    if (!entry.usable()) continue;
    // Bytes once written stay written, so the next call goes on where this one stops.
    while (entry.initialized_prefix < entry.bytes) {
      const std::uint64_t step = std::min<std::uint64_t>(4096, entry.bytes - entry.initialized_prefix);
      if (!bits_.test(entry.address - kGlobalBase + entry.initialized_prefix, step)) break;
      entry.initialized_prefix += step;
    }
    live.push_back({entry.address, entry.bytes, entry.kind == AllocationKind::constant,
                    entry.state == RangeState::read_only, entry.initialized_prefix == entry.bytes});
  }
  return live;
}

}  // namespace cudalabs::vgpu
