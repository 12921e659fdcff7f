// Loads and stores: the fast path, where all lanes stay inside the range of memory the instruction touched last.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vgpu/exec/handlers/memory.cpp"
#include "vgpu/exec/handlers/foreach_level.h"
// After the above:
#include "vgpu/exec/access.h"
#include "vgpu/exec/handlers/lanes-inl.h"
#include "vgpu/exec/handlers/select_memory.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::exec::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using ir::Type;

constexpr std::uint32_t kHalf = kWarpSize / 2;

/// Where a lane's address comes from: row a, or row a plus a scaled index in row c, or the index alone; the immediate
/// is added to all of them, and the mask cuts the sum to the width of the space's addresses.
enum class Index : std::uint8_t { none, s32, u32, u64 };

template <Index kIndex, bool kBase>
struct AddressRows {
  const std::uint64_t* base;
  const void* index;
  std::uint64_t displacement;
  std::uint32_t shift;
  std::uint64_t wrap;

  AddressRows(const MicroOp* op, std::byte* registers, std::uint32_t index_row, std::uint32_t index_shift,
              std::uint64_t mask)
      : base(row<const std::uint64_t>(registers, op->a)),
        index(registers + index_row),
        displacement(op->immediate),
        shift(index_shift),
        wrap(mask) {}

#if HWY_TARGET == HWY_SCALAR
  std::uint64_t at(std::uint32_t l) const {
    std::uint64_t address = displacement;
    if constexpr (kBase) address += base[l];
    if constexpr (kIndex == Index::s32) {
      address += static_cast<std::uint64_t>(std::int64_t{static_cast<const std::int32_t*>(index)[l]}) << shift;
    } else if constexpr (kIndex == Index::u32) {
      address += std::uint64_t{static_cast<const std::uint32_t*>(index)[l]} << shift;
    } else if constexpr (kIndex == Index::u64) {
      address += static_cast<const std::uint64_t*>(index)[l] << shift;
    }
    return address & wrap;
  }
#else
  template <class D>
  HWY_INLINE auto at(D d, std::size_t i) const {
    auto address = hn::Set(d, displacement);
    if constexpr (kBase) address = hn::Add(address, hn::Load(d, base + i));
    if constexpr (kIndex == Index::s32) {
      const hn::RebindToSigned<D> wide;
      const hn::Rebind<std::int32_t, D> narrow;
      const auto value = hn::PromoteTo(wide, hn::Load(narrow, static_cast<const std::int32_t*>(index) + i));
      address = hn::Add(address, hn::ShiftLeftSame(hn::BitCast(d, value), static_cast<int>(shift)));
    } else if constexpr (kIndex == Index::u32) {
      const hn::Rebind<std::uint32_t, D> narrow;
      const auto value = hn::PromoteTo(d, hn::Load(narrow, static_cast<const std::uint32_t*>(index) + i));
      address = hn::Add(address, hn::ShiftLeftSame(value, static_cast<int>(shift)));
    } else if constexpr (kIndex == Index::u64) {
      const auto value = hn::Load(d, static_cast<const std::uint64_t*>(index) + i);
      address = hn::Add(address, hn::ShiftLeftSame(value, static_cast<int>(shift)));
    }
    return hn::And(address, hn::Set(d, wrap));
  }
#endif
};

#if HWY_TARGET != HWY_SCALAR
using Address = hn::CappedTag<std::uint64_t, 8>;
constexpr std::size_t kAddressLanes = hn::MaxLanes(Address{});

template <class Mask>
HWY_INLINE LaneMask bits_of(Mask mask, std::size_t first_lane) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Address{}, mask, bytes);
  return static_cast<LaneMask>(bytes[0]) << first_lane;
}
#endif

/// How lanes lie to the first one of their half-warp: rows of blocks that are 16 threads wide are as common as whole
/// warps.
struct Steps {
  LaneMask consecutive = 0;  // at the distance that consecutive ones have
  LaneMask same = 0;         // at the same address
};

/// Computes the addresses.
template <std::uint32_t kBytes, class Rows>
HWY_INLINE Steps find_addresses(const Rows& rows, std::uint64_t* addresses) {
  Steps found;
#if HWY_TARGET == HWY_SCALAR
  for (std::uint32_t l = 0; l < kWarpSize; ++l) {
    addresses[l] = rows.at(l);
    const std::uint64_t step = addresses[l] - addresses[l / kHalf * kHalf];
    found.consecutive |= static_cast<LaneMask>(step == l % kHalf * kBytes) << l;
    found.same |= static_cast<LaneMask>(step == 0) << l;
  }
#else
  const Address d;
  const auto steps = hn::Iota(d, 0) * hn::Set(d, std::uint64_t{kBytes});
  for (std::size_t half = 0; half < kWarpSize; half += kHalf) {
    auto address = rows.at(d, half);
    hn::Store(address, d, addresses + half);
    const auto first = hn::Set(d, hn::GetLane(address));
    auto expected = hn::Add(first, steps);
    found.consecutive |= bits_of(hn::Eq(address, expected), half);
    found.same |= bits_of(hn::Eq(address, first), half);
    for (std::size_t i = half + kAddressLanes; i < half + kHalf; i += kAddressLanes) {
      address = rows.at(d, i);
      hn::Store(address, d, addresses + i);
      expected = hn::Add(expected, hn::Set(d, std::uint64_t{kAddressLanes * kBytes}));
      found.consecutive |= bits_of(hn::Eq(address, expected), i);
      found.same |= bits_of(hn::Eq(address, first), i);
    }
  }
#endif
  return found;
}

/// Lanes that leave the range, which begins at `low` and has `places` addresses to access, or are misaligned.
template <std::uint32_t kBytes>
HWY_INLINE LaneMask lanes_outside(const std::uint64_t* addresses, std::uint64_t low, std::uint64_t places) {
  LaneMask outside = 0;
#if HWY_TARGET == HWY_SCALAR
  for (std::uint32_t l = 0; l < kWarpSize; ++l) {
    const bool out = addresses[l] - low >= places || addresses[l] % kBytes != 0;
    outside |= static_cast<LaneMask>(out) << l;
  }
#else
  const Address d;
  const auto lowest = hn::Set(d, low);
  const auto limit = hn::Set(d, places);
  const auto odd_bits = hn::Set(d, std::uint64_t{kBytes - 1});
  for (std::size_t i = 0; i < kWarpSize; i += kAddressLanes) {
    const auto address = hn::Load(d, addresses + i);
    const auto inside = hn::Lt(address - lowest, limit);
    const auto aligned = hn::Eq(hn::And(address, odd_bits), hn::Zero(d));
    outside |= bits_of(hn::Not(hn::And(inside, aligned)), i);
  }
#endif
  return outside;
}

/// What the addresses of a warp look like, relative to the range the instruction touched last.
struct Shape {
  bool inside = false;       // all lanes that are active, and aligned
  bool half_rows = false;    // both half-warps access consecutive elements
  bool half_same = false;    // both half-warps access one element each
  bool consecutive = false;  // lane l accesses address[0] + l * bytes, for all 32
};

template <std::uint32_t kBytes, class Rows>
HWY_INLINE Shape shape_of(const Rows& rows, std::uint64_t* addresses, LaneMask mask, const MemorySite& site) {
  Shape shape;
  const Steps found = find_addresses<kBytes>(rows, addresses);
  shape.half_rows = found.consecutive == kAllLanes && mask == kAllLanes;
  shape.half_same = found.same == kAllLanes && mask == kAllLanes;
  if (shape.half_rows || shape.half_same) {
    // The first and last element of each half decide for all.
    constexpr std::uint64_t kRow = kHalf * kBytes;
    const std::uint64_t row = shape.half_rows ? kRow : kBytes;
    const std::uint64_t places = site.span < row ? 0 : site.span - row + 1;
    const std::uint64_t first = addresses[0];
    const std::uint64_t second = addresses[kHalf];
    shape.inside = first - site.low < places && second - site.low < places && (first | second) % kBytes == 0;
    shape.consecutive = shape.half_rows && second - first == kRow;
  } else {
    const std::uint64_t places = site.span < kBytes ? 0 : site.span - kBytes + 1;
    shape.inside = (lanes_outside<kBytes>(addresses, site.low, places) & mask) == 0;
  }
  return shape;
}

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
template <std::uint32_t kBytes>
void touch_lanes(Worker* worker, LaneMask mask, bool consecutive) {
  if (consecutive) return worker->memory->touch(worker->addresses[0], kBytes * kWarpSize);
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
    worker->memory->touch(worker->addresses[l], kBytes);
  }
}

// Loads use rows d, b, c and extra for results, so the index is in row c and its shift in extra; there is one result
// then.
template <class T, class R, std::uint32_t kElements, Index kIndex = Index::none, bool kBase = true>
const MicroOp* load(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  constexpr std::uint32_t kBytes = sizeof(T) * kElements;
  const auto& descriptor = *static_cast<const MemoryDescriptor*>(op->data);
  const MemorySite& site = site_of(warp, descriptor);
  Worker* worker = warp->worker;
  const AddressRows<kIndex, kBase> rows(op, registers, op->c, op->extra, descriptor.address_mask);
  const Shape shape = shape_of<kBytes>(rows, worker->addresses, mask, site);
  if (shape.inside) [[likely]] {
    if (warp->block->watched) {
      notify(warp->block, warp, op, descriptor, site.space, mask, told_addresses(site, worker), shape.consecutive,
             nullptr, nullptr);
    }
    if (!site.fully_initialized) touch_lanes<kBytes>(worker, mask, shape.consecutive);
    load_lanes<T, R, kElements>(op, registers, mask, shape, worker->addresses, site.low, site.base);
  } else {
    careful_load(warp, op, descriptor, mask);
    const std::uint32_t results[4] = {op->d, op->b, op->c, op->extra};
    for (LaneMask left = mask; left != 0; left &= left - 1) {
      const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
      for (std::uint32_t e = 0; e < kElements; ++e) {
        row<R>(registers, results[e])[l] = element<T, R>(worker->values + l * kBytes + e * sizeof(T));
      }
    }
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

/// Books the write of global memory that is about to happen.
template <std::uint32_t kBytes>
HWY_INLINE void before_store(Worker* worker, const MemorySite& site, LaneMask mask, bool consecutive) {
  GlobalMemory& memory = *worker->memory;
  if (consecutive) {
    before_global_write(memory, worker->addresses[0], kBytes * kWarpSize, site.fully_initialized);
  } else if (memory.journal().recording() || !site.fully_initialized) {
    for (LaneMask left = mask; left != 0; left &= left - 1) {
      const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
      before_global_write(memory, worker->addresses[l], kBytes, site.fully_initialized);
    }
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
  const Shape shape = shape_of<kBytes>(rows, worker->addresses, mask, site);
  const std::byte* values = gather_values<T, R, kElements>(op, registers, worker);
  if (shape.inside && !site.read_only) [[likely]] {
    Block* block = warp->block;
    if (block->watched) {
      const std::byte* current = nullptr;
      if (block->wants_current_values) {
        if (!site.fully_initialized) touch_lanes<kBytes>(worker, mask, shape.consecutive);
        for (LaneMask left = mask; left != 0; left &= left - 1) {
          const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
          std::memcpy(worker->current + l * kBytes, site.base + (addresses[l] - site.low), kBytes);
        }
        current = worker->current;
      }
      notify(block, warp, op, descriptor, site.space, mask, told_addresses(site, worker), shape.consecutive, values,
             current);
    }
    if (site.space == MemorySpace::global) before_store<kBytes>(worker, site, mask, shape.consecutive);
    std::byte* base = site.base;
    if (shape.half_rows) {
      for (std::uint32_t half = 0; half < kWarpSize; half += kHalf) {
        std::memcpy(base + (addresses[half] - site.low), values + half * kBytes, kHalf * kBytes);
      }
    } else {
      for (LaneMask left = mask; left != 0; left &= left - 1) {
        const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
        std::memcpy(base + (addresses[l] - site.low), values + l * kBytes, kBytes);
      }
    }
  } else {
    if (values != worker->values) std::memcpy(worker->values, values, kBytes * kWarpSize);
    careful_store(warp, op, descriptor, mask);
  }
  if (descriptor.strong) charge_strong_access(warp);
  return next(op, registers, warp, mask);
}

template <class T, class R>
Handler pick_width(bool storing, std::uint32_t elements) {
  switch (elements) {
    case 1:
      return storing ? &store<T, R, 1> : &load<T, R, 1>;
    case 2:
      if constexpr (sizeof(T) <= 8) return storing ? &store<T, R, 2> : &load<T, R, 2>;
      return nullptr;
    case 4:
      if constexpr (sizeof(T) <= 4) return storing ? &store<T, R, 4> : &load<T, R, 4>;
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
