// Loads and stores: the fast path, where all lanes stay inside the range of memory the instruction touched last.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vgpu/exec/handlers/memory.cpp"
#include "vgpu/exec/handlers/foreach_level.h"
// After the above:
#include "vgpu/exec/access.h"
#include "vgpu/exec/handlers/addresses-inl.h"
#include "vgpu/exec/handlers/lanes-inl.h"
#include "vgpu/exec/handlers/select_memory.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::exec::HWY_NAMESPACE {
namespace {

using ir::Type;

HWY_INLINE MemorySite& site_of(Warp* warp, const MemoryDescriptor& descriptor) {
  return warp->worker->sites[descriptor.site];
}

template <class T, class R>
HWY_INLINE R element(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<R>(value);
}

/// Row e of the destination gets element e of each lane's vector.
template <class T, class R, std::uint32_t kElements>
HWY_INLINE void load_lanes(const MicroOp* op, std::byte* registers, LaneMask mask, const Shape& shape,
                           const std::uint64_t* addresses, std::uint64_t low, const std::byte* base) {
  if constexpr (kElements == 1) {
    R* d = row<R>(registers, op->d);
    if (shape.half_rows) {
      for (std::uint32_t half = 0; half < kWarpSize; half += kHalf) {
        const std::byte* first = base + (addresses[half] - low);
        for (std::uint32_t l = 0; l < kHalf; ++l) d[half + l] = element<T, R>(first + l * sizeof(T));
      }
      return;
    }
    if (shape.half_same) {
      for (std::uint32_t half = 0; half < kWarpSize; half += kHalf) {
        const R value = element<T, R>(base + (addresses[half] - low));
        for (std::uint32_t l = 0; l < kHalf; ++l) d[half + l] = value;
      }
      return;
    }
    if (mask == kAllLanes) {
      for (std::uint32_t l = 0; l < kWarpSize; ++l) d[l] = element<T, R>(base + (addresses[l] - low));
      return;
    }
  }
  const std::uint32_t rows[4] = {op->d, op->b, op->c, op->extra};
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
    for (std::uint32_t e = 0; e < kElements; ++e) {
      row<R>(registers, rows[e])[l] = element<T, R>(base + (addresses[l] - low) + e * sizeof(T));
    }
  }
}

/// The addresses as observers are told them: offsets in shared memory, as they are otherwise.
HWY_INLINE const std::uint64_t* told_addresses(const MemorySite& site, Worker* worker) {
  if (site.space != MemorySpace::shared || site.low == 0) return worker->addresses;
  for (std::uint32_t l = 0; l < kWarpSize; ++l) worker->offsets[l] = worker->addresses[l] - site.low;
  return worker->offsets;
}

/// Lanes are about to look at memory that may be fresh: the range is not known to be written.
void touch_lanes(Worker* worker, LaneMask mask, bool consecutive, std::uint32_t bytes) {
  if (consecutive) return worker->memory->touch(worker->addresses[0], std::uint64_t{bytes} * kWarpSize);
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
    worker->memory->touch(worker->addresses[l], bytes);
  }
}

// --- Parts that handlers call. In line in each of the hundred handlers they would take most of a minute to compile.
// ---

/// Whole elements of one size, a register each, are what nearly all accesses of a kernel are; only their handlers look
/// at the addresses in line.
template <class T, class R, std::uint32_t kElements>
constexpr bool kCommon = kElements == 1 && sizeof(T) == sizeof(R) && sizeof(T) >= 4;

template <std::uint32_t kBytes>
HWY_NOINLINE Shape shape_apart(const AddressRows<Index::none, true>& rows, std::uint64_t* addresses, LaneMask mask,
                               const MemorySite& site) {
  return shape_of<kBytes>(rows, addresses, mask, site);
}

template <bool kInline, std::uint32_t kBytes, class Rows>
HWY_INLINE Shape find_shape(const Rows& rows, std::uint64_t* addresses, LaneMask mask, const MemorySite& site) {
  if constexpr (kInline) {
    return shape_of<kBytes>(rows, addresses, mask, site);
  } else {
    return shape_apart<kBytes>(rows, addresses, mask, site);
  }
}

/// The load is one of a run, of which observers are told later.
HWY_INLINE bool joins_run(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, const MemorySite& site,
                          const Shape& shape) {
  LoadRuns& runs = warp->block->load_runs;
  const bool shared = site.space == MemorySpace::shared;
  const bool may = runs.allowed() && (shape.half_rows || shape.half_same) && !descriptor.strong &&
                   (shared || site.space == MemorySpace::global);
  if (!may) return false;
  const std::uint64_t* addresses = warp->worker->addresses;
  const std::uint64_t low = shared ? site.low : 0;
  return runs.join(warp->block, warp->index, op, site.space, shape.half_rows, addresses[0] - low,
                   addresses[kHalf] - low);
}

/// For a block that is watched, or memory that is not known to be written: before lanes load.
HWY_NOINLINE void before_load(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor, const MemorySite& site,
                              LaneMask mask, const Shape& shape) {
  Worker* worker = warp->worker;
  Block* block = warp->block;
  if (block->watched && !joins_run(warp, op, descriptor, site, shape)) {
    notify(block, warp, op, descriptor, site.space, mask, told_addresses(site, worker), shape.consecutive, nullptr,
           nullptr);
  }
  if (!site.fully_initialized) touch_lanes(worker, mask, shape.consecutive, descriptor.bytes);
}

/// What memory holds now where lanes are about to store.
HWY_INLINE void read_current(Worker* worker, const MemorySite& site, LaneMask mask, std::uint32_t bytes) {
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
    std::memcpy(worker->current + l * bytes, site.base + (worker->addresses[l] - site.low), bytes);
  }
}

/// For a block that is watched: before lanes store `values`.
HWY_NOINLINE void before_watched_store(Warp* warp, const MicroOp* op, const MemoryDescriptor& descriptor,
                                       const MemorySite& site, LaneMask mask, bool consecutive,
                                       const std::byte* values) {
  Worker* worker = warp->worker;
  const std::byte* current = nullptr;
  if (warp->block->wants_current_values) {
    const std::uint32_t bytes = descriptor.bytes;
    if (!site.fully_initialized) touch_lanes(worker, mask, consecutive, bytes);
    read_current(worker, site, mask, bytes);
    current = worker->current;
  }
  notify(warp->block, warp, op, descriptor, site.space, mask, told_addresses(site, worker), consecutive, values,
         current);
}

/// Books the write of global memory that is about to happen.
HWY_NOINLINE void before_global_store(Worker* worker, const MemorySite& site, LaneMask mask, bool consecutive,
                                      std::uint32_t bytes) {
  GlobalMemory& memory = *worker->memory;
  if (consecutive) {
    before_global_write(memory, worker->addresses[0], std::uint64_t{bytes} * kWarpSize, site.fully_initialized);
    return;
  }
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
    before_global_write(memory, worker->addresses[l], bytes, site.fully_initialized);
  }
}

/// Rows d, b, c and extra of the destination get the elements that careful_load() has put into the worker's values.
template <class T, class R>
HWY_NOINLINE void spread_values(const MicroOp* op, std::byte* registers, const Worker* worker, LaneMask mask,
                                std::uint32_t elements) {
  const std::uint32_t results[4] = {op->d, op->b, op->c, op->extra};
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
    for (std::uint32_t e = 0; e < elements; ++e) {
      row<R>(registers, results[e])[l] = element<T, R>(worker->values + (l * elements + e) * sizeof(T));
    }
  }
}

// --- Handlers
// ---------------------------------------------------------------------------------------------------------

// Loads use rows d, b, c and extra for results, so the index is in row c and its shift in extra; there is one result
// then.
template <class T, class R, std::uint32_t kElements, Index kIndex = Index::none, bool kBase = true>
const MicroOp* load(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  constexpr std::uint32_t kBytes = sizeof(T) * kElements;
  const auto& descriptor = *static_cast<const MemoryDescriptor*>(op->data);
  const MemorySite& site = site_of(warp, descriptor);
  Worker* worker = warp->worker;
  const AddressRows<kIndex, kBase> rows(op, registers, op->c, op->extra, descriptor.address_mask);
  const Shape shape = find_shape<kCommon<T, R, kElements>, kBytes>(rows, worker->addresses, mask, site);
  if (shape.inside) [[likely]] {
    if (warp->block->watched || !site.fully_initialized) {
      before_load(warp, op, descriptor, site, mask, shape);
    }
    load_lanes<T, R, kElements>(op, registers, mask, shape, worker->addresses, site.low, site.base);
  } else {
    careful_load(warp, op, descriptor, mask);
    spread_values<T, R>(op, registers, worker, mask, kElements);
  }
  if (descriptor.strong) charge_strong_access(warp);
  return next(op, registers, warp, mask);
}

/// The lanes' elements side by side, as memory will hold them.
template <class T, class R, std::uint32_t kElements>
HWY_INLINE const std::byte* gather_values(const MicroOp* op, std::byte* registers, Worker* worker) {
  const std::uint32_t rows[4] = {op->b, op->c, op->d, op->extra};
  if constexpr (kElements == 1 && sizeof(T) == sizeof(R)) {
    return registers + op->b;
  } else {
    for (std::uint32_t e = 0; e < kElements; ++e) {
      const R* source = row<const R>(registers, rows[e]);
      for (std::uint32_t l = 0; l < kWarpSize; ++l) {
        const T value = static_cast<T>(source[l]);
        std::memcpy(worker->values + (l * kElements + e) * sizeof(T), &value, sizeof value);
      }
    }
    return worker->values;
  }
}

/// Writes what the lanes store, each at its address.
template <std::uint32_t kBytes>
HWY_INLINE void store_lanes(const std::byte* values, LaneMask mask, const Shape& shape, const std::uint64_t* addresses,
                            const MemorySite& site) {
  std::byte* base = site.base;
  if (shape.half_rows) {
    for (std::uint32_t half = 0; half < kWarpSize; half += kHalf) {
      std::memcpy(base + (addresses[half] - site.low), values + half * kBytes, kHalf * kBytes);
    }
    return;
  }
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
    std::memcpy(base + (addresses[l] - site.low), values + l * kBytes, kBytes);
  }
}

// Stores take values from rows b, c, d and extra; with an index, from row b alone.
template <class T, class R, std::uint32_t kElements, Index kIndex = Index::none, bool kBase = true>
const MicroOp* store(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  constexpr std::uint32_t kBytes = sizeof(T) * kElements;
  const auto& descriptor = *static_cast<const MemoryDescriptor*>(op->data);
  const MemorySite& site = site_of(warp, descriptor);
  Worker* worker = warp->worker;
  const std::uint64_t* addresses = worker->addresses;
  const AddressRows<kIndex, kBase> rows(op, registers, op->c, op->extra, descriptor.address_mask);
  const Shape shape = find_shape<kCommon<T, R, kElements>, kBytes>(rows, worker->addresses, mask, site);
  const std::byte* values = gather_values<T, R, kElements>(op, registers, worker);
  if (shape.inside && !site.read_only) [[likely]] {
    if (warp->block->watched) before_watched_store(warp, op, descriptor, site, mask, shape.consecutive, values);
    if (site.space == MemorySpace::global && (worker->memory->journal().recording() || !site.fully_initialized)) {
      before_global_store(worker, site, mask, shape.consecutive, kBytes);
    }
    store_lanes<kBytes>(values, mask, shape, addresses, site);
  } else {
    if (values != worker->values) std::memcpy(worker->values, values, kBytes * kWarpSize);
    careful_store(warp, op, descriptor, mask);
  }
  if (descriptor.strong) charge_strong_access(warp);
  return next(op, registers, warp, mask);
}

/// Signs only matter where a load widens.
template <class T, class R, std::uint32_t kElements>
Handler pick_direction(bool storing) {
  using Bits = std::make_unsigned_t<T>;
  using Row = std::make_unsigned_t<R>;
  if (storing) return &store<Bits, Row, kElements>;
  if constexpr (sizeof(T) == sizeof(R)) {
    return &load<Bits, Row, kElements>;
  } else {
    return &load<T, R, kElements>;
  }
}

template <class T, class R>
Handler pick_width(bool storing, std::uint32_t elements) {
  switch (elements) {
    case 1:
      return pick_direction<T, R, 1>(storing);
    case 2:
      if constexpr (sizeof(T) <= 8) return pick_direction<T, R, 2>(storing);
      return nullptr;
    case 4:
      if constexpr (sizeof(T) <= 4) return pick_direction<T, R, 4>(storing);
      return nullptr;
    default:
      return nullptr;
  }
}

template <class T>
Handler pick_register(bool storing, std::uint32_t elements, std::uint32_t register_bytes) {
  constexpr bool kSigned = std::is_signed_v<T>;
  switch (register_bytes) {
    case 2:
      if constexpr (sizeof(T) <= 2) {
        return pick_width<T, std::conditional_t<kSigned, std::int16_t, std::uint16_t>>(storing, elements);
      }
      return nullptr;
    case 4:
      if constexpr (sizeof(T) <= 4) {
        return pick_width<T, std::conditional_t<kSigned, std::int32_t, std::uint32_t>>(storing, elements);
      }
      return nullptr;
    default:
      return pick_width<T, std::conditional_t<kSigned, std::int64_t, std::uint64_t>>(storing, elements);
  }
}

template <class T, Index kIndex>
Handler pick_base(bool storing, bool base) {
  if (storing) return base ? &store<T, T, 1, kIndex, true> : &store<T, T, 1, kIndex, false>;
  return base ? &load<T, T, 1, kIndex, true> : &load<T, T, 1, kIndex, false>;
}

template <class T>
Handler pick_index(Type index, bool storing, bool base) {
  switch (index) {
    case Type::s32:
      return pick_base<T, Index::s32>(storing, base);
    case Type::u32:
      return pick_base<T, Index::u32>(storing, base);
    default:
      return pick_base<T, Index::u64>(storing, base);
  }
}

}  // namespace

Handler select_indexed_access_here(std::uint32_t bytes, Type index, bool storing, bool base) {
  return bytes == 8 ? pick_index<std::uint64_t>(index, storing, base) : pick_index<std::uint32_t>(index, storing, base);
}

Handler select_access_here(Type type, std::uint32_t elements, std::uint32_t register_bytes, bool storing) {
  switch (type) {
    case Type::s8:
      return pick_register<std::int8_t>(storing, elements, register_bytes);
    case Type::b8:
    case Type::u8:
      return pick_register<std::uint8_t>(storing, elements, register_bytes);
    case Type::s16:
      return pick_register<std::int16_t>(storing, elements, register_bytes);
    case Type::b16:
    case Type::u16:
    case Type::f16:
    case Type::bf16:
      return pick_register<std::uint16_t>(storing, elements, register_bytes);
    case Type::s32:
      return pick_register<std::int32_t>(storing, elements, register_bytes);
    case Type::b32:
    case Type::u32:
    case Type::f32:
    case Type::f16x2:
    case Type::bf16x2:
      return pick_register<std::uint32_t>(storing, elements, register_bytes);
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
      return pick_register<std::uint64_t>(storing, elements, register_bytes);
    default:
      return nullptr;
  }
}

}  // namespace cudalabs::vgpu::exec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudalabs::vgpu::exec {

HWY_EXPORT(select_access_here);
HWY_EXPORT(select_indexed_access_here);

Handler select_indexed_access(std::uint32_t bytes, ir::Type index, bool storing, bool base) {
  return HWY_DYNAMIC_DISPATCH(select_indexed_access_here)(bytes, index, storing, base);
}

Handler select_access(ir::Type type, std::uint32_t elements, std::uint32_t register_bytes, bool storing) {
  return HWY_DYNAMIC_DISPATCH(select_access_here)(type, elements, register_bytes, storing);
}

}  // namespace cudalabs::vgpu::exec
#endif  // HWY_ONCE
