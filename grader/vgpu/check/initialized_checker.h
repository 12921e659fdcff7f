// Reads of shared or global memory that nobody wrote.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "vgpu/check/launch_names.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

class GlobalMemory;

/// One launch. Keeps track of shared memory itself; asks `memory` about global memory, where those who write set the
/// bits.
class InitializedChecker : public Observer {
 public:
  /// What the text tells of instructions.
  struct Reads {
    std::set<std::uint32_t> pure_exchanges = {};  // atomics whose old value nothing depends on: they read nothing
    /// Loads that only copy: of so many bytes, at a multiple of as many, some may be padding where others were written.
    std::map<std::uint32_t, std::uint32_t> object_copies = {};
  };
  explicit InitializedChecker(const GlobalMemory& memory) : InitializedChecker(memory, Reads{}) {}
  InitializedChecker(const GlobalMemory& memory, Reads reads);
  ~InitializedChecker() override;
  void launch_begin(const LaunchInfo& launch) override;
  std::unique_ptr<BlockObserver> observe_block() override;
  /// Something was read that nobody has written, other than what a copy is still to write.
  bool has_unwritten_reads() const;
  /// Pages of global memory, by their numbers from its beginning on, in which such bytes were; nothing: too many, or
  /// an atomic operation is among those that read.
  std::optional<std::set<std::uint64_t>> unwritten_pages() const;
  /// From now on the findings of those reads are warnings: nothing depends on what they give.
  void unwritten_reads_are_harmless();
  std::vector<Finding> findings(const LaunchNames& names) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
