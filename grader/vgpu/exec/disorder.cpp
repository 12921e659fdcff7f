#include "vgpu/exec/disorder.h"

#include <array>
#include <bit>
#include <numeric>
#include <utility>

namespace cudalabs::vgpu::exec {

namespace {

/// SplitMix64; cheap to begin, as every phase of every block does.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t block, std::uint64_t phase) : state_(seed) {
    state_ = next() ^ std::rotl(block, 32);
    state_ = next() ^ phase;
  }
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
  bool coin() { return (next() >> 63) != 0; }
  std::uint32_t coins() { return static_cast<std::uint32_t>(next() >> 32); }

 private:
  std::uint64_t state_;
};

// By the parity of a lane's number: lanes at a distance of 1, 2, 4, 8 or 16 that exchange something, as in a tree, are
// parted, if they form pairs. Halves; and none.
constexpr std::array<LaneMask, 8> kFirstLanes = {0xFFFF'FFFF, 0xFFFF'FFFF, 0x9669'6996, 0x6996'9669,
                                                 0x9669'6996, 0x6996'9669, 0x0000'FFFF, 0xFFFF'0000};

constexpr std::uint64_t kOfTheBlock = ~0ull;  // no phase

}  // namespace

Disorder draw_disorder(std::uint64_t seed, std::uint64_t block, std::uint64_t phase, std::uint32_t warps) {
  Draws draws(seed, block, phase);
  Disorder drawn;
  drawn.warps.resize(warps);
  std::iota(drawn.warps.begin(), drawn.warps.end(), 0u);
  for (std::uint32_t left = warps; left > 1; --left) std::swap(drawn.warps[left - 1], drawn.warps[draws.next() % left]);
  drawn.short_warps = draws.coins();
  drawn.late_warps = draws.coins() | draws.coins();  // most: what should have come before is missed more often than
                                                     // what should have come after
  drawn.early_copies = draws.coin();
  drawn.gives_way = phase != 0 && draws.coin();
  drawn.first_lanes = kFirstLanes[draws.next() % kFirstLanes.size()];
  return drawn;
}

BlockDisorder draw_block_disorder(std::uint64_t seed, std::uint64_t block) {
  Draws draws(seed, block, kOfTheBlock);
  BlockDisorder drawn;
  drawn.late_stores = draws.coin();
  drawn.leftovers = draws.coin();
  return drawn;
}

}  // namespace cudalabs::vgpu::exec
