// Tries the arguments of the launch one by one.
#include "vgpu/check/address_parts.h"

#include <algorithm>
#include <array>

namespace cudalabs::vgpu {
namespace {

constexpr std::array kPartAxes{PartAxis::block, PartAxis::block_row, PartAxis::row};
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 40;  // more is no number of elements

std::uint64_t along(PartAxis axis, const LaunchConfig& config, const ThreadOfGrid& thread) {
  const Index3 block = coordinates(thread.block, config.grid);
  const Index3 in_block = coordinates(thread.thread, config.block);
  switch (axis) {
    case PartAxis::block:
      return block[0];
    case PartAxis::block_row:
      return block[1];
    case PartAxis::row:
      return std::uint64_t{block[1]} * config.block[1] + in_block[1];
  }
  return 0;
}

/// So many bytes behind the begin of a row or of a block's part lies an element that the thread may have, where the
/// threads of a row of the block take turns.
bool is_own_place(std::uint64_t rest, const LaunchConfig& config, const ThreadOfGrid& thread, std::uint32_t bytes) {
  return rest % bytes == 0 && rest / bytes % config.block[0] == coordinates(thread.thread, config.block)[0];
}

bool points_into(const GivenValue& value, const NamedRange& range) {
  return value.bytes == sizeof(std::uint64_t) && value.value >= range.address &&
         value.value - range.address < range.bytes;
}

/// The last pointer of the launch into the range that is not behind the address; without one, the range's begin.
std::uint64_t base_of(const NamedRange& range, std::uint64_t address, std::span<const GivenValue> values) {
  std::uint64_t base = range.address;
  for (const GivenValue& value : values)
    if (points_into(value, range) && value.value <= address) base = std::max(base, value.value);
  return base;
}

/// What is left of the access behind the begin of its row; nothing where it is before that.
std::optional<std::uint64_t> rest_of(const AccessOfThread& access, std::uint64_t base, std::uint64_t times,
                                     std::uint64_t stride) {
  std::uint64_t begin = 0;
  if (access.address < base || __builtin_mul_overflow(times, stride, &begin) || access.address - base < begin)
    return std::nullopt;
  return access.address - base - begin;
}

/// The first stride for which `fits` says of each access that it does.
template <typename Fits>
std::optional<Stride> stride_of(std::span<const AccessOfThread> accesses, const LaunchConfig& config,
                                std::span<const GivenValue> values, std::uint32_t element_bytes, const Fits& fits) {
  for (const PartAxis axis : kPartAxes) {
    for (const GivenValue& value : values) {
      if (value.part || value.value < 2 || value.value > kMostElements) continue;
      Stride stride{value.number, value.value, element_bytes, axis, along(axis, config, accesses.front().thread)};
      const auto is_so = [&](const AccessOfThread& access) {
        const std::uint64_t times = along(axis, config, access.thread);
        return times != 0 && fits(access, stride, times);
      };
      if (!std::ranges::all_of(accesses, is_so)) continue;
      if (std::ranges::count(values, value.value, &GivenValue::value) > 1) stride.argument = 0;
      return stride;
    }
  }
  return std::nullopt;
}

}  // namespace

const char* name_of(PartAxis axis, bool several) {
  switch (axis) {
    case PartAxis::block:
      return several ? "blocks" : "block";
    case PartAxis::block_row:
      return several ? "rows of blocks" : "row of blocks";
    case PartAxis::row:
      return several ? "rows" : "row";
  }
  return "";
}

Misalignment misalignment(const NamedRange& range, const LaunchConfig& config, std::span<const AccessOfThread> accesses,
                          std::uint32_t bytes, std::span<const GivenValue> values) {
  Misalignment found;
  if (accesses.empty() || bytes == 0) return found;
  const std::uint64_t base = base_of(range, accesses.front().address, values);
  if (base % bytes != 0) {
    const auto from_there = [&](const AccessOfThread& access) {
      return access.address >= base && (access.address - base) % bytes == 0;
    };
    const auto given = std::ranges::find(values, base, &GivenValue::value);
    if (given != values.end() && std::ranges::all_of(accesses, from_there)) found.pointer = *given;
    return found;
  }
  for (std::uint32_t element_bytes = bytes / 2; element_bytes != 0; element_bytes /= 2) {
    found.stride = stride_of(accesses, config, values, element_bytes,
                             [&](const AccessOfThread& access, const Stride& stride, std::uint64_t times) {
                               const auto rest = rest_of(access, base, times, stride.bytes());
                               return rest && *rest < stride.bytes() && times * stride.bytes() % bytes != 0 &&
                                      is_own_place(*rest, config, access.thread, bytes);
                             });
    if (found.stride) return found;
  }
  return found;
}

std::optional<Stride> pitch_in_elements(const NamedRange& range, const LaunchConfig& config,
                                        std::span<const AccessOfThread> accesses, std::uint32_t bytes,
                                        std::span<const GivenValue> values) {
  if (accesses.empty() || bytes < 2) return std::nullopt;
  const auto stays_inside = [&](std::uint64_t address) {
    return address >= range.address && address - range.address + bytes <= range.bytes;
  };
  // An address past the end belongs to no pointer of another array: the range's begin is what it is counted from.
  return stride_of(accesses, config, values, bytes,
                   [&](const AccessOfThread& access, const Stride& stride, std::uint64_t times) {
                     const auto rest = rest_of(access, range.address, times, stride.bytes());
                     return rest && *rest < stride.elements && *rest % bytes == 0 &&
                            stays_inside(range.address + times * stride.elements + *rest);
                   });
}

}  // namespace cudalabs::vgpu
