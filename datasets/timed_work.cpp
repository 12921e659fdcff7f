// What all timed work shares.
#include "datasets/timed_work.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>

#include "datasets/rng.h"

namespace cudalabs::datasets {
namespace {

std::map<std::string, TimedWorkMaker, std::less<>>& registered_works() {
  static std::map<std::string, TimedWorkMaker, std::less<>> makers;
  return makers;
}

/// A float of either sign whose magnitude is 0.5 to 1, from 24 random bits.
float float_of(std::uint64_t bits) {
  const float magnitude = 0.5f + static_cast<float>(bits & 0x7fffff) * 0x1p-24f;
  return (bits & 0x800000) != 0 ? -magnitude : magnitude;
}

}  // namespace

void TimedWork::fill(std::size_t pool, std::span<std::byte> bytes, std::uint64_t seed) const {
  Rng rng(seed);
  const ElementType type = pools().at(pool).type;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t bits = rng.next();
    std::byte made[sizeof bits];
    if (type == ElementType::f32) {
      const float pair[2] = {float_of(bits), float_of(bits >> 32)};
      std::memcpy(made, pair, sizeof made);
    } else if (type == ElementType::i32) {
      const std::int32_t pair[2] = {static_cast<std::int32_t>(bits % 2001) - 1000,
                                    static_cast<std::int32_t>((bits >> 32) % 2001) - 1000};
      std::memcpy(made, pair, sizeof made);
    } else if (type == ElementType::u8) {
      std::memcpy(made, &bits, sizeof made);
    } else {
      throw std::logic_error("there is no timed work on doubles");
    }
    std::memcpy(bytes.data() + at, made, std::min(sizeof made, bytes.size() - at));
  }
}

void TimedWork::changed(std::size_t, std::size_t, std::size_t) {}

std::int64_t pool_for(std::int64_t window, ElementType type) {
  constexpr std::int64_t kLeastBytes = std::int64_t{160} << 20;
  const auto size = static_cast<std::int64_t>(size_in_bytes(type));
  return std::max(window + window / 4, kLeastBytes / size);
}

TimedWorkMaker timed_work_for(std::string_view name) {
  const auto found = registered_works().find(name);
  return found == registered_works().end() ? nullptr : found->second;
}

RegisterTimedWork::RegisterTimedWork(std::string_view name, TimedWorkMaker maker) {
  if (!registered_works().emplace(name, maker).second) {
    throw std::logic_error("timed work is registered twice for " + std::string(name));
  }
}

}  // namespace cudalabs::datasets
