// The vector kernels decide as the plain rules do, on every instruction set this machine has.
#include <algorithm>
#include <array>
#include <atomic>
#include <random>
#include <string>
#include <utility>

#include "catch.h"
#include "event_script.h"
#include "script_generator.h"
#include "vgpu/check/race_filter.h"
#include "vgpu/check/race_recorder.h"
#include "vgpu/check/shadow_kernels.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

/// Kernels that leave everything to the plain rules.
ShadowKernels no_kernels() {
  ShadowKernels none{};
  none.all_marked = [](const std::uint64_t*, LaneMask, std::uint64_t, const std::atomic<std::uint8_t>*, std::uint8_t) {
    return false;
  };
  none.all_inside = [](const std::uint64_t*, std::uint64_t, std::uint64_t) { return false; };
  none.half_shape = [](const std::uint64_t*, std::uint64_t) { return HalfShape::scattered; };
  none.words_equal = [](const std::uint64_t*, const std::uint32_t*, std::uint32_t) { return false; };
  none.shared_load = [](const std::uint64_t*, std::uint32_t*, const std::uint32_t*, const RunView&) { return 3u; };
  none.shared_loads = [](const LoadSteps&, std::uint32_t*, const std::uint32_t*, const RunView&) { return 0u; };
  none.shared_store = [](const std::uint64_t*, std::uint32_t*, std::uint32_t*, const RunView&) { return 3u; };
  none.global_load_run = [](std::uint64_t*, std::uint32_t, std::uint32_t, const RunView&, std::uint32_t&) {
    return false;
  };
  none.global_store_run = [](std::uint64_t*, std::uint32_t, std::uint32_t, const RunView&) { return false; };
  none.instruction_set = "none";
  return none;
}

struct Outcome {
  bool suspicious;
  cudalabs::vgpu::BarrierUsage barriers;
  bool operator==(const Outcome&) const = default;
};

Outcome filtered(const Script& script, GlobalShadow& shadow, const ShadowKernels& kernels) {
  RaceFilter filter(shadow, kernels);
  perform(script, filter);
  return {filter.suspicious(), filter.barrier_usage(LineNames())};
}

bool has_race(const Script& script) {
  RaceRecorder recorder;
  perform(script, recorder);
  return !recorder.findings(LineNames()).empty();
}

GeneratorOptions whole_warps() {
  GeneratorOptions options;
  options.whole_warps = true;
  options.words = 320;
  options.threads = 96;
  options.events = 10;
  options.counted_barriers = false;
  options.atomics_and_fences = false;
  return options;
}

}  // namespace

TEST_CASE("this machine has kernels of its own, and the plain ones", "[race]") {
  const auto all = all_shadow_kernels();
  REQUIRE(!all.empty());
  REQUIRE(std::any_of(all.begin(), all.end(), [](const ShadowKernels& k) {
    return std::string(k.instruction_set) == shadow_kernels().instruction_set;
  }));
}

TEST_CASE("vector kernels and plain rules agree on random launches of whole warps", "[race]") {
  GlobalShadow shadow(kGlobal, 1 << 20);
  const ShadowKernels plain = no_kernels();
  for (const ShadowKernels& kernels : all_shadow_kernels()) {
    INFO(kernels.instruction_set);
    int suspicious = 0, clean = 0, advised = 0;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
      INFO("seed " << seed);
      auto options = whole_warps();
      options.narrow_accesses = seed % 3 == 0;
      options.blocks = 1 + seed % 3;
      options.events = 4 + seed % 8;
      const Script script = random_script(seed, options, false);
      const Outcome expected = filtered(script, shadow, plain);
      const Outcome outcome = filtered(script, shadow, kernels);
      REQUIRE(outcome.suspicious == expected.suspicious);
      REQUIRE(outcome.barriers == expected.barriers);
      (outcome.suspicious ? suspicious : clean)++;
      advised += !outcome.barriers.advice().empty();
    }
    INFO(suspicious << " suspicious, " << clean << " clean, " << advised << " with advice");
    REQUIRE(suspicious > 300);
    REQUIRE(clean > 300);
    REQUIRE(advised > 100);
  }
}

TEST_CASE("vector kernels miss no race of whole warps", "[race]") {
  GlobalShadow shadow(kGlobal, 1 << 20);
  for (const ShadowKernels& kernels : all_shadow_kernels()) {
    INFO(kernels.instruction_set);
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
      INFO("seed " << seed);
      auto options = whole_warps();
      options.atomics_and_fences = seed % 2 == 0;
      options.blocks = 1 + seed % 2;
      Script prefix = random_script(seed, options, false);
      const auto events = std::exchange(prefix.events, {});
      for (const Event& e : events) {
        prefix.events.push_back(e);
        if (e.type != Event::Type::access || !has_race(prefix)) continue;
        REQUIRE(filtered(prefix, shadow, kernels).suspicious);
        break;
      }
    }
  }
}

TEST_CASE("marks are looked up for every lane", "[race]") {
  std::mt19937_64 random(3);
  constexpr std::uint64_t kBase = 0x2000'0000'0000;
  for (const ShadowKernels& kernels : all_shadow_kernels()) {
    INFO(kernels.instruction_set);
    std::array<std::atomic<std::uint8_t>, 64> marks;
    for (int i = 0; i < 20000; ++i) {
      for (auto& mark : marks) mark = 7;
      if (random() % 4 != 0) marks[random() % 8] = 6;
      const std::uint64_t start = random() % 1024, stride = std::array<std::uint64_t, 4>{0, 4, 8, 36}[random() % 4];
      const std::uint64_t pitch = random() % 900;
      std::array<std::uint64_t, kWarpSize> address;
      const auto active = random() % 3 == 0 ? static_cast<LaneMask>(random() | 1) : ~LaneMask{0};
      bool marked = true;
      std::uint64_t low = ~0ull, high = 0;
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        address[lane] = kBase + start + lane / 16 * pitch + lane % 16 * stride;
        if ((active >> lane & 1) == 0) {
          address[lane] = random();
          continue;
        }
        const std::uint64_t line = (address[lane] - kBase) / 256;
        marked = marked && marks[line] == 7;
        low = std::min(low, line);
        high = std::max(high, line);
      }
      const bool result = kernels.all_marked(address.data(), active, kBase, marks.data(), 7);
      if (!marked) REQUIRE(!result);
      // It may look at lines between those of the lanes; where all of them are marked it must say so.
      if (std::all_of(marks.begin() + low, marks.begin() + high + 1, [](const auto& m) { return m == 7; }))
        REQUIRE(result);
    }
  }
}

TEST_CASE("ranges are compared for every lane", "[initialized]") {
  for (const ShadowKernels& kernels : all_shadow_kernels()) {
    INFO(kernels.instruction_set);
    std::array<std::uint64_t, kWarpSize> address;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      address.fill(kGlobal + 40);
      CHECK(kernels.all_inside(address.data(), kGlobal + 40, kGlobal + 40));
      CHECK(kernels.all_inside(address.data(), kGlobal, kGlobal + 400));
      for (const std::uint64_t outside : {kGlobal + 39, kGlobal + 41, std::uint64_t{0}, ~std::uint64_t{0}}) {
        address[lane] = outside;
        CHECK(!kernels.all_inside(address.data(), kGlobal + 40, kGlobal + 40));
      }
    }
  }
}
