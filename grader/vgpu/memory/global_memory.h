// The virtual GPU's global memory: allocations with their history, contents, and which bytes were ever written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vgpu/memory/address_space.h"
#include "vgpu/memory/fresh_pages.h"
#include "vgpu/memory/init_bits.h"
#include "vgpu/memory/page_journal.h"
#include "vgpu/memory/reservation.h"
#include "vgpu/memory/reserved_range.h"

namespace cudalabs::vgpu {

enum class AllocationKind : std::uint8_t {
  heap,         // cudaMalloc
  host,         // page-locked memory of the host, as kernels see it; none of the device's
  variable,     // a __device__ variable of a module
  constant,     // a __constant__ variable of a module
  device_heap,  // malloc() in a kernel
  range         // addresses that the program has reserved: a part of them
};

struct Allocation {
  DeviceAddress address = 0;
  std::uint64_t bytes = 0;   // as asked for
  std::uint64_t room = 0;    // bytes from its start that are no other's
  std::uint64_t origin = 0;  // opaque tag of who allocated it
  AllocationKind kind = AllocationKind::heap;
  RangeState state = RangeState::read_write;  // of a range
  bool live = true;
  std::uint64_t freed_origin = 0;        // opaque tag of who freed it
  std::uint64_t initialized_prefix = 0;  // bytes from its start known to be written
  std::string name;                      // variables: their name in the source

  /// It may be accessed.
  bool usable() const { return live && state >= RangeState::read_only; }
  DeviceAddress end() const { return address + bytes; }
  DeviceAddress end_of_room() const { return address + room; }
  bool holds(DeviceAddress at, std::uint64_t count = 1) const {
    return at >= address && at - address <= bytes && bytes - (at - address) >= count;
  }
};

/// Every address a kernel or a copy names is looked up here. Addresses depend only on the order of calls, start at
/// multiples of 256, keep at least 256 unused bytes between them, and are not reused while fresh ones are left, so that
/// a pointer kept beyond `free` is recognised; of the freed ones, the last tens of thousands are remembered. Fresh
/// memory holds 0xFF bytes (NaN), is marked unwritten, and costs nothing until it is touched. Allocating and freeing
/// lock; reading `find` while another thread allocates is safe too.
class GlobalMemory {
 public:
  /// `capacity`: bytes that may be allocated at a time. Without `poisoned` fresh memory holds zeros.
  explicit GlobalMemory(std::uint64_t capacity, bool poisoned = true);

  /// 0 when the capacity, or the machine, is exhausted. Zero bytes get an address of their own.
  /// `alignment`: 0, or a power of two from 256 on, of whose multiples the allocation has all for itself.
  DeviceAddress allocate(std::uint64_t bytes, std::uint64_t origin, AllocationKind kind = AllocationKind::heap,
                         std::string name = {}, std::uint64_t alignment = 0);
  /// For page-locked memory of the host, which takes nothing of the capacity. `host`: where it lies there, a multiple
  /// of 8, as a kernel may call it as well, until it is freed; 0: at the address that is returned.
  DeviceAddress allocate_host(std::uint64_t bytes, std::uint64_t origin, std::uint64_t alignment, std::uint64_t host);
  /// At an address that was given before, for so many bytes, and is free now: memory that is as good as fresh. Else 0.
  DeviceAddress allocate_again(DeviceAddress address, std::uint64_t bytes, std::uint64_t origin);
  /// The device address that an address of the host stands for: in page-locked memory, or a little outside; else 0.
  DeviceAddress of_host(std::uint64_t address) const;
  /// False when `address` is not the start of a live allocation of that kind.
  bool free(DeviceAddress address, std::uint64_t origin, AllocationKind kind = AllocationKind::heap);

  /// Addresses without memory, which take nothing of the capacity, at a multiple of `alignment`. Bytes and alignment
  /// are multiples of kPageBytes. What follows is for such ranges alone, and for whole pages, while no kernel runs; in
  /// reserved_range.cpp.
  DeviceAddress reserve(std::uint64_t bytes, std::uint64_t origin, std::uint64_t alignment);
  /// What a range is made of from now on: its parts, in order and without gaps.
  void divide(DeviceAddress address, std::uint64_t bytes, std::span<const RangePart> parts);
  void free_range(DeviceAddress address, std::uint64_t bytes, std::uint64_t origin);
  /// Memory behind no addresses: false when the capacity is exhausted.
  bool take(std::uint64_t bytes);
  void give(std::uint64_t bytes);
  /// What memory holds, which nobody can access afterwards, and puts it somewhere else, where all is fresh.
  SavedPages save(DeviceAddress address, std::uint64_t bytes) const;
  void restore(DeviceAddress address, const SavedPages& pages);
  void make_fresh(DeviceAddress address, std::uint64_t bytes);

  /// The live allocation that holds the byte and may be accessed, or nullopt.
  std::optional<Allocation> find(DeviceAddress address) const;
  /// What a stray address probably meant: the live allocation that holds it, else the freed one that held it, else the
  /// closest allocation before or after it within `reach` bytes.
  std::optional<Allocation> explain(DeviceAddress address, std::uint64_t reach = 1 << 20) const;
  std::vector<Allocation> live_allocations(AllocationKind kind) const;
  std::uint64_t free_bytes() const;

  /// False when any byte lies outside one live allocation. Host-side: constants may be written.
  bool copy_in(DeviceAddress to, std::span<const std::byte> from);
  bool copy_out(std::span<std::byte> to, DeviceAddress from) const;
  /// The same, but bytes that were never written are those of `unwritten_word`.
  bool copy_out_marked(std::span<std::byte> to, DeviceAddress from) const;
  bool copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes);
  bool fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes);
  /// The bytes are as good as fresh: unwritten. While no kernel runs.
  bool discard(DeviceAddress at, std::uint64_t bytes);
  /// The byte was discarded since its allocation was made.
  bool was_discarded(DeviceAddress address) const;

  /// Host place of a device address; only bytes of live allocations may be touched through it, and of those that are
  /// not known to be written only after `touch`.
  std::byte* host(DeviceAddress address) const { return memory_.data() + (address - kGlobalBase); }
  /// [address, address + bytes) is about to be read or written through `host`. Any thread.
  void touch(DeviceAddress address, std::uint64_t bytes) {
    if (poisoned_) fresh_.touch(address - kGlobalBase, bytes);
  }
  /// Bit i belongs to device address kGlobalBase + i. A caller that writes through `host` sets them.
  InitBits initialized() const { return bits_; }
  /// Every byte of the allocation has been written. Once true it stays true until the allocation is freed.
  bool fully_initialized(const Allocation& allocation) const;

  /// What a launch must know of the live allocations, by address. Made anew when something was allocated or freed.
  struct Range {
    DeviceAddress address = 0;
    std::uint64_t bytes = 0;
    bool read_only = false;        // constants
    bool write_protected = false;  // a range that the program lets kernels only read
    bool fully_initialized = false;
  };
  std::vector<Range> ranges();

  /// From now on what is written, and what kernels allocate and free, can be undone.
  void begin_undo(bool kernels_allocate);
  /// Undoes everything since begin_undo, which stays in force.
  void roll_back();
  void end_undo();
  /// Undo log of the launch in progress: call before_write before writing through `host`.
  PageJournal& journal() { return journal_; }

  /// Changes whenever an allocation appears or goes, so that cached look-ups can notice.
  std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }

 private:
  std::deque<Allocation>::const_iterator at_or_before(DeviceAddress address) const;
  std::optional<DeviceAddress> place(std::uint64_t bytes, AllocationKind kind, std::uint64_t alignment);
  /// `offset`: from a multiple of the alignment.
  DeviceAddress allocate_apart(std::uint64_t bytes, std::uint64_t origin, AllocationKind kind, std::string name,
                               std::uint64_t alignment, std::uint64_t offset);
  void give_back(DeviceAddress address, std::uint64_t bytes);
  void renew(DeviceAddress address, std::uint64_t bytes);
  void copy_bits(DeviceAddress to, DeviceAddress from, std::uint64_t bytes);
  void forget_oldest_freed();
  void forget_initialized(DeviceAddress address);

  Reservation memory_;
  Reservation bitmap_;
  InitBits bits_;
  FreshPages fresh_;
  PageJournal journal_;
  std::uint64_t capacity_;
  bool poisoned_;
  std::uint64_t used_ = 0;
  std::uint64_t device_heap_span_ = 0;  // fresh addresses that kernels' allocations took
  std::size_t freed_ = 0;               // entries of `allocations_` that are not live
  DeviceAddress next_;
  DeviceAddress never_used_ = kGlobalBase;  // from here on nothing was ever allocated
  std::deque<Allocation> allocations_;      // by address, live and freed
  struct HostRange {
    std::uint64_t host, bytes;
    DeviceAddress device;
    bool live;
  };
  struct Discarded {
    DeviceAddress begin, end;
  };
  std::vector<Discarded> discarded_;    // of live allocations, the latest ones; only changed while no kernel runs
  std::vector<HostRange> host_ranges_;  // the latest ones last; only changed while no kernel runs
  struct Snapshot {
    std::deque<Allocation> allocations;
    std::uint64_t used, device_heap_span;
    std::size_t freed;
    DeviceAddress next;
  };
  std::optional<Snapshot> snapshot_;  // of begin_undo, where kernels allocate
  std::atomic<std::uint64_t> generation_{1};
  mutable std::mutex mutex_;
};

}  // namespace cudalabs::vgpu
