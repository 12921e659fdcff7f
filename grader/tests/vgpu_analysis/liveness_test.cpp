// What is alive where a block is entered, in graphs worked out by hand.
#include "vgpu/analysis/liveness.h"

#include "catch.h"

using namespace cudalabs::vgpu;

namespace {

constexpr std::size_t kRegisters = 70;  // more than a word of a set

std::vector<std::uint32_t> alive_in(const RegisterSets& sets, std::size_t block) {
  std::vector<std::uint32_t> registers;
  for (std::size_t word = 0; word < sets.words(); ++word) {
    RegisterSets::for_each(word, sets.of(block)[word], [&](std::uint32_t reg) { registers.push_back(reg); });
  }
  return registers;
}

}  // namespace

TEST_CASE("a value is alive from where it is written to where it is last read", "[vgpu]") {
  // 0 writes 1 and 69; 1 reads 69; 2 reads 1.
  const Ways ways{{1}, {2}, {}};
  BlockUses uses(3, kRegisters);
  uses.writes(0, 1);
  uses.writes(0, 69);
  uses.reads(1, 69);
  uses.reads(2, 1);
  const RegisterSets alive = alive_at_entry(ways, uses, kRegisters);
  CHECK(alive_in(alive, 0).empty());
  CHECK(alive_in(alive, 1) == std::vector<std::uint32_t>{1, 69});
  CHECK(alive_in(alive, 2) == std::vector<std::uint32_t>{1});
  CHECK(alive_at_exit(ways, alive, 1, 0) == 2);
  CHECK(alive_at_exit(ways, alive, 2, 0) == 0);
}

TEST_CASE("a block that writes what it has read still needs the value before", "[vgpu]") {
  // A counter: backwards, the write comes first.
  const Ways ways{{1}, {1, 2}, {}};
  BlockUses uses(3, kRegisters);
  uses.writes(1, 5);
  uses.reads(1, 5);
  const RegisterSets alive = alive_at_entry(ways, uses, kRegisters);
  CHECK(alive_in(alive, 0) == std::vector<std::uint32_t>{5});
  CHECK(alive_in(alive, 1) == std::vector<std::uint32_t>{5});
}

TEST_CASE("a value lives around a loop that does not write it", "[vgpu]") {
  const Ways ways{{1}, {2}, {1, 3}, {}};
  BlockUses uses(4, kRegisters);
  uses.writes(0, 3);
  uses.reads(1, 3);
  uses.writes(2, 4);
  const RegisterSets alive = alive_at_entry(ways, uses, kRegisters);
  CHECK(alive_in(alive, 2) == std::vector<std::uint32_t>{3});
  CHECK(alive_in(alive, 3).empty());
}
