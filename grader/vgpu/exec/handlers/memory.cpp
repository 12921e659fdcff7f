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

/// What the addresses of a warp look like, relative to the range the instruction touched last.
struct Shape {
  LaneMask outside = 0;      // lanes that leave the range or are misaligned
  LaneMask in_step = 0;      // lanes at the distance from their half-warp's first lane that consecutive ones have
  LaneMask same = 0;         // lanes at the address of their half-warp's first lane
  bool consecutive = false;  // lane l accesses address[0] + l * bytes
};

/// `addresses[l]` = base[l] + displacement, and their shape. `limit`: how many places in the range may be accessed.
template <std::uint32_t kBytes>
HWY_INLINE Shape shape_of(const std::uint64_t* base, std::uint64_t displacement, std::uint64_t* addresses,
                          std::uint64_t low, std::uint64_t limit) {
  Shape shape;
#if HWY_TARGET == HWY_SCALAR
  for (std::uint32_t l = 0; l < kWarpSize; ++l) {
    addresses[l] = base[l] + displacement;
    const std::uint64_t first = addresses[l / kHalf * kHalf];
    const bool out = addresses[l] - low >= limit || addresses[l] % kBytes != 0;
    shape.outside |= static_cast<LaneMask>(out) << l;
    shape.in_step |= static_cast<LaneMask>(addresses[l] - first == l % kHalf * kBytes) << l;
    shape.same |= static_cast<LaneMask>(addresses[l] == first) << l;
  }
#else
  using D = hn::CappedTag<std::uint64_t, 8>;
  const D d;
  constexpr std::size_t kLanes = hn::MaxLanes(D{});
  const auto offset = hn::Set(d, displacement);
  const auto lowest = hn::Set(d, low);
  const auto limits = hn::Set(d, limit);
  const auto odd_bits = hn::Set(d, std::uint64_t{kBytes - 1});
  const auto collect = [&](auto mask, std::size_t i, LaneMask& into) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, mask, bytes);
    into |= static_cast<LaneMask>(bytes[0]) << i;
  };
  const auto steps = hn::Iota(d, 0) * hn::Set(d, std::uint64_t{kBytes});
  for (std::size_t half = 0; half < kWarpSize; half += kHalf) {
    const auto first = hn::Set(d, base[half] + displacement);
    for (std::size_t i = half; i < half + kHalf; i += kLanes) {
      const auto address = hn::Load(d, base + i) + offset;
      hn::Store(address, d, addresses + i);
      const auto inside = hn::Lt(address - lowest, limits);
      const auto aligned = hn::Eq(hn::And(address, odd_bits), hn::Zero(d));
      collect(hn::Not(hn::And(inside, aligned)), i, shape.outside);
      const auto step = hn::Add(steps, hn::Set(d, std::uint64_t{(i - half) * kBytes}));
      collect(hn::Eq(address, hn::Add(first, step)), i, shape.in_step);
      collect(hn::Eq(address, first), i, shape.same);
    }
  }
#endif
  shape.consecutive = shape.in_step == kAllLanes && addresses[kHalf] - addresses[0] == kHalf * kBytes;
  return shape;
}

HWY_INLINE MemorySite& site_of(Warp* warp, const MemoryDescriptor& descriptor) {
  return warp->worker->sites[descriptor.site];
}

/// How many addresses from `low` on begin an access of `bytes` inside the range.
HWY_INLINE std::uint64_t places(const MemorySite& site, std::uint32_t bytes) {
  return site.span < bytes ? 0 : site.span - bytes + 1;
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
  const std::uint32_t rows[4] = {op->d, op->b, op->c, op->extra};
  if constexpr (kElements == 1) {
    R* d = row<R>(registers, op->d);
    if (mask == kAllLanes) [[likely]] {
      // Half-warps that read consecutive elements, or all the same one, are common: rows of blocks 16 wide.
      for (std::uint32_t half = 0; half < kWarpSize; half += kHalf) {
        const LaneMask lanes = 0xFFFFu << half;
        const std::byte* first = base + (addresses[half] - low);
        if ((shape.in_step & lanes) == lanes) {
          for (std::uint32_t l = 0; l < kHalf; ++l) d[half + l] = element<T, R>(first + l * sizeof(T));
        } else if ((shape.same & lanes) == lanes) {
          const R value = element<T, R>(first);
          for (std::uint32_t l = 0; l < kHalf; ++l) d[half + l] = value;
        } else {
          for (std::uint32_t l = half; l < half + kHalf; ++l) d[l] = element<T, R>(base + (addresses[l] - low));
        }
      }
      return;
    }
  }
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
    for (std::uint32_t e = 0; e < kElements; ++e) {
      row<R>(registers, rows[e])[l] = element<T, R>(base + (addresses[l] - low) + e * sizeof(T));
    }
  }
}

template <class T, class R, std::uint32_t kElements>
const MicroOp* load(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  constexpr std::uint32_t kBytes = sizeof(T) * kElements;
  const auto& descriptor = *static_cast<const MemoryDescriptor*>(op->data);
  const MemorySite& site = site_of(warp, descriptor);
  Worker* worker = warp->worker;
  std::uint64_t* addresses = worker->addresses;
  const Shape shape = shape_of<kBytes>(row<const std::uint64_t>(registers, op->a), op->immediate, addresses, site.low,
                                       places(site, kBytes));
  if ((shape.outside & mask) == 0) [[likely]] {
    if (warp->block->watched) {
      const std::uint64_t* told = addresses;
      if (site.space == MemorySpace::shared && site.low != 0) {
        for (std::uint32_t l = 0; l < kWarpSize; ++l) worker->offsets[l] = addresses[l] - site.low;
        told = worker->offsets;
      }
      notify(warp->block, warp, op, descriptor, site.space, mask, told, shape.consecutive && mask == kAllLanes, nullptr,
             nullptr);
    }
    load_lanes<T, R, kElements>(op, registers, mask, shape, addresses, site.low, site.base);
  } else {
    careful_load(warp, op, descriptor, mask);
    const std::uint32_t rows[4] = {op->d, op->b, op->c, op->extra};
    for (LaneMask left = mask; left != 0; left &= left - 1) {
      const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
      for (std::uint32_t e = 0; e < kElements; ++e) {
        row<R>(registers, rows[e])[l] = element<T, R>(worker->values + l * kBytes + e * sizeof(T));
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

template <class T, class R, std::uint32_t kElements>
const MicroOp* store(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  constexpr std::uint32_t kBytes = sizeof(T) * kElements;
  const auto& descriptor = *static_cast<const MemoryDescriptor*>(op->data);
  const MemorySite& site = site_of(warp, descriptor);
  Worker* worker = warp->worker;
  std::uint64_t* addresses = worker->addresses;
  const Shape shape = shape_of<kBytes>(row<const std::uint64_t>(registers, op->a), op->immediate, addresses, site.low,
                                       places(site, kBytes));
  const std::byte* values = gather_values<T, R, kElements>(op, registers, worker);
  if ((shape.outside & mask) == 0 && !site.read_only) [[likely]] {
    const bool consecutive = shape.consecutive && mask == kAllLanes;
    Block* block = warp->block;
    if (block->watched) {
      const std::uint64_t* told = addresses;
      if (site.space == MemorySpace::shared && site.low != 0) {
        for (std::uint32_t l = 0; l < kWarpSize; ++l) worker->offsets[l] = addresses[l] - site.low;
        told = worker->offsets;
      }
      const std::byte* current = nullptr;
      if (block->wants_current_values) {
        for (LaneMask left = mask; left != 0; left &= left - 1) {
          const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
          std::memcpy(worker->current + l * kBytes, site.base + (addresses[l] - site.low), kBytes);
        }
        current = worker->current;
      }
      notify(block, warp, op, descriptor, site.space, mask, told, consecutive, values, current);
    }
    if (site.space == MemorySpace::global) {
      GlobalMemory& memory = *worker->memory;
      if (consecutive) {
        before_global_write(memory, addresses[0], kBytes * kWarpSize, site.fully_initialized);
      } else if (memory.journal().recording() || !site.fully_initialized) {
        for (LaneMask left = mask; left != 0; left &= left - 1) {
          const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
          before_global_write(memory, addresses[l], kBytes, site.fully_initialized);
        }
      }
    }
    if (consecutive) {
      std::memcpy(site.base + (addresses[0] - site.low), values, kBytes * kWarpSize);
    } else if (mask == kAllLanes) {
      for (std::uint32_t l = 0; l < kWarpSize; ++l) {
        std::memcpy(site.base + (addresses[l] - site.low), values + l * kBytes, kBytes);
      }
    } else {
      for (LaneMask left = mask; left != 0; left &= left - 1) {
        const auto l = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
        std::memcpy(site.base + (addresses[l] - site.low), values + l * kBytes, kBytes);
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

}  // namespace

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

Handler select_access(ir::Type type, std::uint32_t elements, std::uint32_t register_bytes, bool storing) {
  return HWY_DYNAMIC_DISPATCH(select_access_here)(type, elements, register_bytes, storing);
}

}  // namespace cudalabs::vgpu::exec
#endif  // HWY_ONCE
