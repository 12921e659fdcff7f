// Modelled times: more work never takes less, and what fits nowhere is said to.
#include "vgpu/model/modelled_time.h"

#include <array>

#include "catch.h"
#include "vgpu/profile/counter_names.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
namespace names = cudalabs::vgpu::counter_names;

namespace {

LaunchCounters streaming(std::uint64_t warps) {
  LaunchCounters launch;
  launch.kernel = "copy";
  launch.config = {.grid = {static_cast<std::uint32_t>(warps / 8), 1, 1}, .block = {256, 1, 1}};
  launch.executed_blocks = launch.config.blocks();
  launch.registers = 16;
  launch.values = {{std::string(names::kWarpInstructions), 20 * warps},
                   {std::string(names::kIssuedInstructions), 16 * warps},
                   {std::string(names::kGlobalPasses), 2 * warps},
                   {std::string(names::kBlockLoadSectors), 4 * warps},
                   {std::string(names::kBlockStoreSectors), 4 * warps},
                   {std::string(names::kLaunchLoadSectors), 4 * warps},
                   {std::string(names::kLaunchStoreSectors), 4 * warps},
                   {std::string(names::kGlobalStoreBytes), 128 * warps},
                   {std::string(names::kPathIssues), 10 * warps},
                   {std::string(names::kPathArithmetic), 5 * warps},
                   {std::string(names::kPathGlobal), warps},
                   {std::string(names::kGlobalLoadRequests), warps},
                   {std::string(names::kGlobalLoadSectors), 4 * warps},
                   {std::string(names::kGlobalStoreRequests), warps},
                   {std::string(names::kGlobalStoreSectors), 4 * warps}};
  return launch;
}

double seconds(const LaunchCounters& launch, const char* device = "h200") {
  const ModelledTime time = modelled_time(device_model(device), std::array{launch});
  CHECK_FALSE(time.doubt);
  return time.seconds;
}

}  // namespace

TEST_CASE("more of anything never takes less time", "[vgpu]") {
  LaunchCounters base = streaming(1 << 20);
  for (const std::string_view name :
       {names::kSharedPasses, names::kPathShared, names::kPathBarriers, names::kPathSpecial,
        names::kGlobalAtomicSectors, names::kGlobalAtomicConflicts}) {
    base.values[std::string(name)] = 1 << 20;
  }
  for (const std::string& device : device_model_names()) {
    for (const auto& [name, value] : base.values) {
      if (name == names::kGlobalStoreBytes) continue;  // fewer of them in as many sectors cost more
      INFO(device << " " << name);
      LaunchCounters more = base;
      more.values[name] = 16 * value;
      // Sectors new to a block are sectors of loads, and wait less the fewer of them come from memory.
      if (name == names::kBlockLoadSectors) more.values[std::string(names::kLaunchLoadSectors)] *= 16;
      CHECK(seconds(more, device.c_str()) >= seconds(base, device.c_str()));
    }
  }
}

TEST_CASE("a long copy takes about what memory needs", "[vgpu]") {
  const LaunchCounters launch = streaming(1 << 23);
  const ModelledTime time = modelled_time(device_model("t4"), std::array{launch});
  CHECK(time.bound == "memory");
  CHECK(time.seconds == Approx((2.0 * 128 * (1 << 23)) / 320e9).epsilon(0.35));
}

TEST_CASE("launches add up, and each has its overhead", "[vgpu]") {
  const LaunchCounters launch = streaming(1 << 20), small = streaming(8);
  const std::array both{launch, small};
  CHECK(modelled_time(device_model("h200"), both).seconds == Approx(seconds(launch) + seconds(small)));
  CHECK(seconds(small) > 1e-6);
  CHECK(modelled_time(device_model("h200"), {}).seconds == 0);
}

TEST_CASE("a fence of every warp costs more than the work of a short kernel", "[vgpu]") {
  LaunchCounters fenced = streaming(1 << 19);
  fenced.values["fence_instructions"] = 1 << 19;
  CHECK(seconds(fenced) > 3 * seconds(streaming(1 << 19)));
  CHECK(modelled_time(device_model("h200"), std::array{fenced}).bound == "fences");
}

TEST_CASE("warps of a block fence together, one warp's fences one after the other", "[vgpu]") {
  constexpr std::uint64_t kWarps = 1 << 20, kBlocks = kWarps / 8;
  const auto with_fences = [](std::uint64_t fences) {
    LaunchCounters launch = streaming(kWarps);
    launch.values["fence_instructions"] = fences;
    return seconds(launch);
  };
  CHECK(with_fences(kBlocks) == with_fences(kWarps));
  CHECK(with_fences(2 * kWarps) > 1.9 * with_fences(kWarps));
}

TEST_CASE("double precision takes as long as a GPU has lanes for it", "[vgpu]") {
  for (const char* name : {"float64_instructions", "float64_conversion_instructions"}) {
    LaunchCounters launch = streaming(1 << 16);
    launch.values[name] = std::uint64_t{1} << 28;
    const double t4 = seconds(launch, "t4"), a100 = seconds(launch, "a100");
    INFO(name << " " << t4 << " " << a100);
    CHECK(t4 > 10 * a100);  // 2 lanes a multiprocessor, 32 and 16
  }
}

TEST_CASE("double precision is told as what bounds a kernel, where it does", "[vgpu]") {
  for (const char* name : {"float64_instructions", "float64_conversion_instructions"}) {
    LaunchCounters launch = streaming(1 << 16);
    const auto bound = [&] { return modelled_time(device_model("t4"), std::array{launch}).bound; };
    const auto bounds = [&] { return bound_by_double_precision(device_model("t4"), std::array{launch}); };
    CHECK(bound() != kDoublePrecision);
    CHECK_FALSE(bounds());
    launch.values[name] = 1 << 10;  // a few
    CHECK_FALSE(bounds());
    launch.values[name] = std::uint64_t{1} << 28;
    CHECK(bound() == kDoublePrecision);
    CHECK(bounds());
    launch.values["float32_instructions"] = std::uint64_t{1} << 34;
    CHECK(bound() == "arithmetic");
    CHECK_FALSE(bounds());
  }
}

TEST_CASE("what all blocks read waits for memory in the first round only, what each reads alone in every round",
          "[vgpu]") {
  // Few warps that wait most of the time; what they touch is in L2 after its first touch.
  LaunchCounters launch = streaming(1 << 16);
  launch.values[std::string(names::kPathGlobal)] = 1000 << 16;
  for (const std::string_view name : {names::kGlobalLoadSectors, names::kBlockLoadSectors}) {
    launch.values[std::string(name)] = 8 * (1000 << 16);
  }
  const auto with_distinct = [&](std::uint64_t sectors) {
    LaunchCounters other = launch;
    other.values[std::string(names::kLaunchLoadSectors)] = sectors;
    return seconds(other);
  };
  const double shared = with_distinct(1 << 16), alone = with_distinct(8 * (1000 << 16));
  CHECK(alone > 1.2 * shared);
  LaunchCounters once = launch;  // one round: whichever lane reads it, it is new
  once.config.grid = {132, 1, 1};
  for (auto& [name, value] : once.values) value = value * 132 / ((1 << 16) / 8);
  const auto one_round = [&](std::uint64_t sectors) {
    LaunchCounters other = once;
    other.values[std::string(names::kLaunchLoadSectors)] = sectors;
    return seconds(other);
  };
  CHECK(one_round(1 << 10) == Approx(one_round(1 << 11)));
}

TEST_CASE("what did not end, and what does not fit, is in doubt", "[vgpu]") {
  LaunchCounters cut_short = streaming(1 << 10);
  cut_short.complete = false;
  CHECK(modelled_time(device_model("h200"), std::array{cut_short}).doubt);
  LaunchCounters large = streaming(1 << 10);
  large.shared_bytes = 200 << 10;
  CHECK(modelled_time(device_model("t4"), std::array{large}).doubt);
  CHECK_FALSE(modelled_time(device_model("h200"), std::array{large}).doubt);
}

TEST_CASE("local memory is in doubt, be it of arrays or of what is printed", "[vgpu]") {
  LaunchCounters launch = streaming(8);
  launch.values[std::string(names::kLocalRequests)] = 100;
  const auto doubt = modelled_time(device_model("h200"), std::array{launch}).doubt;
  REQUIRE(doubt);
  CHECK(doubt->find("`copy` uses local memory, for arrays or for what it prints") != std::string::npos);
}

TEST_CASE("a sample of blocks that share out their work is in doubt", "[vgpu]") {
  LaunchCounters sampled = streaming(1 << 10);
  sampled.executed_blocks = 16;
  sampled.values[std::string(names::kGlobalAtomicRequests)] = 1 << 10;
  const std::uint64_t average = 40;
  sampled.values[std::string(names::kAccesses)] = average * sampled.config.blocks();
  const auto doubt = [](const LaunchCounters& launch) {
    return modelled_time(device_model("h200"), std::array{launch}).doubt.has_value();
  };
  std::uint64_t& busiest = sampled.values[std::string(names::kBusiestBlockAccesses)];
  busiest = 2 * average;
  CHECK_FALSE(doubt(sampled));
  busiest = 15 * average;
  CHECK(doubt(sampled));

  LaunchCounters whole = sampled;  // all of the work was seen, whichever block did it
  whole.executed_blocks = whole.config.blocks();
  CHECK_FALSE(doubt(whole));
  LaunchCounters alone = sampled;  // nothing that blocks could share it out by
  alone.values.erase(std::string(names::kGlobalAtomicRequests));
  CHECK_FALSE(doubt(alone));
}
