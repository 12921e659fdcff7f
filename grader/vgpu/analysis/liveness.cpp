// Backwards until nothing changes.
#include "vgpu/analysis/liveness.h"

namespace cudalabs::vgpu {

std::uint64_t alive_at_exit(const Ways& ways, const RegisterSets& at_entry, std::size_t block, std::size_t word) {
  std::uint64_t alive = 0;
  for (const std::uint32_t next : ways[block]) alive |= at_entry.of(next)[word];
  return alive;
}

RegisterSets alive_at_entry(const Ways& ways, const BlockUses& uses, std::size_t registers) {
  RegisterSets alive(ways.size(), registers);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t block = ways.size(); block-- > 0;) {
      std::uint64_t* in = alive.of(block);
      const std::uint64_t* first = uses.read_first.of(block);
      const std::uint64_t* written = uses.written.of(block);
      for (std::size_t word = 0; word < alive.words(); ++word) {
        const std::uint64_t now = first[word] | (alive_at_exit(ways, alive, block, word) & ~written[word]);
        changed = changed || now != in[word];
        in[word] = now;
      }
    }
  }
  return alive;
}

}  // namespace cudalabs::vgpu
