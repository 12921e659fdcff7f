#include "race_scripts.h"

#include "vgpu/check/race_filter.h"
#include "vgpu/check/race_recorder.h"

namespace cudalabs::vgpu::testing {

std::vector<Finding> recorded(const Script& script) {
  RaceRecorder recorder;
  perform(script, recorder);
  return recorder.findings(LineNames());
}

bool suspicious(const Script& script, GlobalShadow& shadow, bool concurrent) {
  RaceFilter filter(shadow);
  perform(script, filter, concurrent);
  return filter.suspicious();
}

bool suspicious(const Script& script) {
  static GlobalShadow shadow(kGlobal, 1 << 20);
  return suspicious(script, shadow);
}

Script last_block_sums(bool writer_fences, bool counter_is_atomic, MemoryScope fence_scope) {
  constexpr std::uint32_t kBlocks = 4;
  const std::uint64_t partial = kGlobal, counter = kGlobal + 64;
  ScriptBuilder b(kBlocks, 64);
  for (std::uint64_t block = 0; block < kBlocks; ++block) {
    b.in_block(block);
    b.access(AccessKind::store, 10, 0, kLane0, at(partial + 4 * block), MemorySpace::global);
    if (writer_fences) b.fence(0, kLane0, fence_scope);
    if (counter_is_atomic) {
      b.strong(AccessKind::atomic, 12, 0, kLane0, at(counter), MemorySpace::global);
    } else {
      b.access(AccessKind::load, 12, 0, kLane0, at(counter), MemorySpace::global);
      b.access(AccessKind::store, 12, 0, kLane0, at(counter), MemorySpace::global);
    }
    b.barrier(13);
    if (block + 1 == kBlocks) {
      b.access(
          AccessKind::load, 15, 0, 0xf, [&](std::uint64_t t) { return partial + 4 * (t % 4); }, MemorySpace::global);
      b.access(
          AccessKind::load, 15, 1, 0xf, [&](std::uint64_t t) { return partial + 4 * (t % 4); }, MemorySpace::global);
      b.access(AccessKind::store, 16, 0, kLane0, at(counter), MemorySpace::global);  // ready for the next launch
    }
  }
  return b.build();
}

Script flag(bool flag_is_volatile, bool writer_fences, bool reader_fences, MemoryScope reader_scope,
            bool cleared_plainly) {
  const std::uint64_t data = kGlobal, flag_at = kGlobal + 64;
  const auto raise = [&](ScriptBuilder& b, AccessKind kind, std::uint32_t line) {
    if (flag_is_volatile) {
      b.strong(kind, line, 0, kLane0, at(flag_at), MemorySpace::global, MemoryScope::system);
    } else {
      b.access(kind, line, 0, kLane0, at(flag_at), MemorySpace::global);
    }
  };
  ScriptBuilder b(2, 32);
  b.access(AccessKind::store, 1, 0, kLane0, at(data), MemorySpace::global);
  if (writer_fences) b.fence(0, kLane0);
  raise(b, AccessKind::store, 2);
  if (cleared_plainly) b.access(AccessKind::store, 5, 0, kLane0, at(flag_at), MemorySpace::global);
  b.in_block(1);
  raise(b, AccessKind::load, 3);
  raise(b, AccessKind::load, 3);
  if (reader_fences) b.fence(0, kLane0, reader_scope);
  b.access(AccessKind::load, 4, 0, kLane0, at(data), MemorySpace::global);
  return b.build();
}

Script locked(bool fences) {
  const std::uint64_t lock = kGlobal, counter = kGlobal + 64;
  ScriptBuilder b(3, 32);
  for (std::uint64_t block = 0; block < 3; ++block) {
    b.in_block(block);
    b.strong(AccessKind::atomic, 1, 0, kLane0, at(lock), MemorySpace::global);
    if (fences) b.fence(0, kLane0);
    b.access(AccessKind::load, 2, 0, kLane0, at(counter), MemorySpace::global);
    b.access(AccessKind::store, 2, 0, kLane0, at(counter), MemorySpace::global);
    if (fences) b.fence(0, kLane0);
    b.strong(AccessKind::atomic, 3, 0, kLane0, at(lock), MemorySpace::global);
  }
  return b.build();
}

}  // namespace cudalabs::vgpu::testing
