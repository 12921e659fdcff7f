// The random programs that are held, by name.
#include "programs.h"

#include "lane_programs.h"

namespace cudalabs::conformance {

namespace {

constexpr std::uint64_t kMixed = 200, kSeparate = 60, kTogether = 160, kLeaving = 60, kInactive = 40;

}  // namespace

std::vector<NamedProgram> all_programs() {
  std::vector<NamedProgram> programs;
  const auto add = [&](const std::string& family, std::uint64_t count, const auto& make) {
    for (std::uint64_t seed = 0; seed < count; ++seed) {
      programs.push_back({family + " " + std::to_string(seed), [make, seed] { return make(seed); }});
    }
  };
  const auto generated = [](bool together, std::uint64_t first) {
    return [together, first](std::uint64_t seed) {
      reference::ProgramOptions options;
      options.portable = true;
      options.together = together;
      return reference::generate(first + seed, options);
    };
  };
  const auto lanes = [](LaneFamily family) {
    return [family](std::uint64_t seed) { return lane_program(seed, family); };
  };
  add("mixed", kMixed, generated(true, 1000));
  add("separate", kSeparate, generated(false, 5000));
  add("together", kTogether, lanes(LaneFamily::together));
  add("leaving", kLeaving, lanes(LaneFamily::leaving));
  add("inactive", kInactive, lanes(LaneFamily::inactive));
  return programs;
}

}  // namespace cudalabs::conformance
