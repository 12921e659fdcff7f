// What a runtime client and the virtual GPU's server say to each other of memory: allocations, copies, and what host
// and device share. Part of protocol.h.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu::wire {

struct Allocate {
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 0;  // of unified memory: bytes of a page of the host, which is a power of two; else 0
  std::uint64_t stream = 0;     // in whose order the memory is there, if it is `ordered`
  std::uint64_t ordered = 0;
  /// A graph's memory: an address is reserved, and memory is there only after it has been asked for by that.
  static constexpr std::uint64_t kAnywhere = 0, kReserve = 1, kReserved = 2;
  std::uint64_t mode = kAnywhere;
  std::uint64_t address = 0;  // of what was reserved
};
struct Address {
  std::uint64_t address = 0;
};
/// A release in the order of a stream: nobody waits for the device.
struct Release {
  std::uint64_t address = 0;
  std::uint64_t stream = 0;
};
/// An array, inside one allocation, that belongs to the caller of what runs from `hand_out` until `take_back`: it is
/// not to be freed, and unless it is `writable`, from now on it may only be read.
struct DeclareInput {
  std::uint64_t address = 0, bytes = 0;
  std::uint32_t element_bytes = 0;
  std::uint32_t writable = 0;
  char name[64] = {};             // an identifier, NUL-terminated
  std::uint64_t extents[3] = {};  // elements, outermost first; 0: no such dimension, and all 0: not known
};

/// Rows of a pitched block of device memory; linear memory is one row. Data on the wire has no padding between rows.
struct Rows {
  std::uint64_t address = 0;
  std::uint64_t pitch = 0;   // bytes from row to row; ignored for one row
  std::uint64_t width = 0;   // bytes a row
  std::uint64_t height = 1;  // rows
};
struct Copy {
  Rows device;
  std::uint64_t stream = 0;
  std::uint32_t asynchronous = 0;
  std::uint32_t page_locked = 0;  // copy_in, asynchronous: the device may read the source until the program waits
};
/// Names an asynchronous copy from page-locked memory: now its source is read. Its data follows where that is not what
/// copy_in carried.
struct CopySource {
  std::uint64_t id = 0;
  std::uint64_t bytes = 0;  // that follow: all, or 0
};
struct CopyWithin {
  Rows to, from;  // same width and height
  std::uint64_t stream = 0;
  std::uint32_t asynchronous = 0;
  std::uint32_t reserved = 0;
};
struct Fill {
  Rows to;
  std::uint64_t stream = 0;
  std::uint32_t value = 0;  // low byte; or kDiscard
  std::uint32_t asynchronous = 0;
  /// Nothing is written: what is in unified memory counts as lost.
  static constexpr std::uint32_t kDiscard = 0x100;
};
/// Names an asynchronous copy. To the host: its data comes in a delivery frame once a call waits for it. From the host:
/// `copy_source` tells when it is read; id 0: it has been.
struct Delivery {
  std::uint64_t id = 0;
  std::uint64_t bytes = 0;
};
/// The host touches a byte of unified memory, on a page that it has not, or may not write. Of `window`, which lies in
/// one allocation and holds the page, it would like to have all; the device may be at work on parts of it.
struct HostAccess {
  std::uint64_t address = 0;  // of the byte
  std::uint64_t page = 0, page_bytes = 0;
  std::uint64_t window = 0, window_bytes = 0;
  std::uint32_t writes = 0;
  std::uint32_t has_data = 0;  // what lies there is known: none is to be sent
};
/// Followed by the data of the page, or of the window, unless the host has it or nothing of it is written.
struct HostAccessed {
  std::uint32_t page_only = 0;
  std::uint32_t unwritten = 0;  // the data would be those of `unwritten_word`
};
/// What the host has written to unified memory. Followed by a mask, which has a bit for each word of four bytes, the
/// lowest one first, in words of eight bytes; then by the bytes themselves, of which those count whose bit is set.
struct HostWrites {
  std::uint64_t address = 0;  // a multiple of 4
  std::uint64_t bytes = 0;
  std::uint64_t past_end = 0;  // so many bytes behind the allocation, on its last page, were written as well

  std::uint64_t mask_bytes() const { return (bytes + 255) / 256 * 8; }
};
inline constexpr std::uint64_t kMostHostWriteBytes = 256 << 10;  // at a time

/// Page-locked memory gets an address of the device's. Mapped, it is treated like unified memory: the host says what it
/// has written before the device may use it, and gets what the device writes when it waits for that (`host_bytes`), or
/// touches a page before it does (`host_access`).
struct AllocateHost {
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 0;  // bytes of a page of the host
  std::uint64_t host = 0;       // where the memory is, a multiple of 8; 0: it is to be where the device has it
};
/// What the device has written to mapped memory, and the host may rely on. Followed by so many HostRanges, then by
/// their bytes without gaps. `host_free` tells that nothing which the host has not waited for uses the memory that
/// begins there.
struct HostBytes {
  std::uint64_t ranges = 0;  // at most kMostHostRanges
  std::uint64_t bytes = 0;   // at most kMostHostWriteBytes
};
struct HostRange {
  std::uint64_t address = 0, bytes = 0;
};
inline constexpr std::uint64_t kMostHostRanges = 16'384;

/// The host touches memory that an asynchronous copy to it has yet to fill.
struct AwaitedTouch {
  std::uint64_t id = 0;  // of the copy's Delivery
  std::uint32_t writes = 0;
  std::uint32_t reserved = 0;
};

/// Of the launches from now on: what kernels may allocate.
struct SetHeap {
  std::uint64_t bytes = 0;
};

/// Addresses that are reserved, and memory that is created, apart from each other. Sizes in bytes.
struct Ranges {
  enum class Action : std::uint32_t {
    reserve,     // bytes, alignment -> the address
    free,        // address, bytes
    create,      // bytes -> the memory's handle
    release,     // memory
    map,         // address, bytes, memory
    unmap,       // address, bytes
    set_access,  // address, bytes, state
    look_up,     // address -> state of its mapping
    retain       // address -> one more of its memory's handle; or memory -> the same, if it is one
  };
  Action action = Action::reserve;
  std::uint32_t state = 0;  // RangeState
  std::uint64_t address = 0, bytes = 0, memory = 0, alignment = 0;
};

struct MemoryInfo {
  std::uint64_t free_bytes = 0, total_bytes = 0;
};

}  // namespace cudalabs::vgpu::wire
