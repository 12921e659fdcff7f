// Which memory a launch touches, estimated from the blocks that were executed.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/exec/observer.h"
#include "vgpu/profile/access_cost.h"

namespace cudalabs::vgpu {

/// Device addresses [address, address + bytes): an allocation.
struct AddressRange {
  std::uint64_t address = 0, bytes = 0;
};

/// Sectors of one block, each counted once. A bit each, in words of 64 neighbours: a block that goes through a large
/// array is one search for many sectors.
class SectorSet {
 public:
  /// True when it was not there before.
  bool insert(std::uint64_t sector) {
    std::uint64_t& sectors = word(sector / kSectorsInWord).sectors;
    const std::uint64_t bit = std::uint64_t{1} << sector % kSectorsInWord;
    const bool fresh = (sectors & bit) == 0;
    sectors |= bit;
    return fresh;
  }
  void clear();

 private:
  static constexpr std::uint64_t kSectorsInWord = 64;
  struct Word {
    std::uint64_t number = 0;  // 0: free; else that of the word + 1
    std::uint64_t sectors = 0;
  };

  Word& word(std::uint64_t number) {
    if (words_[last_].number != number + 1) last_ = place_of(number);
    return words_[last_];
  }
  std::size_t place_of(std::uint64_t number);
  std::size_t free_or_of(std::uint64_t number) const;
  void grow();

  std::vector<Word> words_ = std::vector<Word>(256);  // an open hash table
  std::size_t count_ = 0;
  std::size_t last_ = 0;  // the place that was asked for last
};

/// What blocks touch of each range, in sectors. Sums over blocks do not depend on their order.
class Footprint {
 public:
  explicit Footprint(std::vector<AddressRange> ranges);  // ascending
  void access(const WarpAccess& access);
  void block_end();
  Footprint& operator+=(const Footprint& other);

  /// Distinct sectors that blocks load or store, summed over the blocks.
  std::uint64_t block_loads() const;
  std::uint64_t block_stores() const;
  /// Of a launch `scale` times as large: blocks that touch different sectors touch as many times more, but a range has
  /// no more than lie between the first and the last that was touched.
  double launch_loads(double scale) const { return of_launch(&Touched::loads, scale); }
  double launch_stores(double scale) const { return of_launch(&Touched::stores, scale); }
  double launch_atomics(double scale) const { return of_launch(&Touched::atomics, scale); }

 private:
  struct Sectors {
    std::uint64_t first = ~0ull, last = 0, sum = 0;
  };
  struct Touched {
    Sectors loads, stores, atomics;  // atomics count as loads too
  };
  void touch(Sectors Touched::*which, std::uint64_t sector);
  double of_launch(Sectors Touched::*which, double scale) const;

  std::vector<AddressRange> ranges_;
  std::vector<Touched> touched_;         // by range
  SectorSet loaded_, stored_, changed_;  // by the block in execution
};

}  // namespace cudalabs::vgpu
