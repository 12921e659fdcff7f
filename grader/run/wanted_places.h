// Lines of host code that are asked for by the address of an instruction, all of a run at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "run/call_sites.h"
#include "vgpu/cudart/origins.h"

namespace cudalabs::runner {

/// Collects addresses, looks all up together, and hands each place to who asked for it. What a wish refers to must
/// stay where it is until then.
class WantedPlaces {
 public:
  using Take = std::function<void(std::span<const SourcePlace>)>;

  /// `take` gets a place for each of the addresses, unknown where there is none.
  void want(std::span<const std::uint64_t> addresses, Take take);
  /// `place` becomes that of the address.
  void want(std::uint64_t address, SourcePlace& place);
  /// `place` becomes that of the call, or of its caller where the call stands in a CUDA header.
  void want(const vgpu::CallOrigin& call, SourcePlace& place);

  /// Serves the wishes in the order in which they came. Throws what SourceLines throws.
  void look_up(SourceLines& lines, const std::filesystem::path& program);

 private:
  struct Wish {
    std::size_t count;  // of addresses
    Take take;
  };

  std::vector<std::uint64_t> addresses_;
  std::vector<Wish> wishes_;
};

}  // namespace cudalabs::runner
