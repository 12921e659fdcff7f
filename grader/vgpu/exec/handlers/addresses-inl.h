// The addresses of a warp's access: computed from rows, and what they look like together. A warp that reads or writes a
// row of elements, or two of them, is recognised by a few comparisons.
#include <cstddef>
#include <cstdint>

#include "vgpu/exec/handlers/lanes-inl.h"
#include "vgpu/exec/micro_op.h"
#include "vgpu/exec/warp.h"

// Per-target include guard
#if defined(CUDALABS_VGPU_EXEC_HANDLERS_ADDRESSES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CUDALABS_VGPU_EXEC_HANDLERS_ADDRESSES_INL_H_
#undef CUDALABS_VGPU_EXEC_HANDLERS_ADDRESSES_INL_H_
#else
#define CUDALABS_VGPU_EXEC_HANDLERS_ADDRESSES_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::exec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

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

}  // namespace cudalabs::vgpu::exec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
