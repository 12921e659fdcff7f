// On random launches, the recorder agrees with the brute-force oracle and the filter misses nothing.
#include <algorithm>
#include <utility>
#include <vector>

#include "catch.h"
#include "happens_before_oracle.h"
#include "race_scripts.h"
#include "script_generator.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// Warnings about volatile are no races by the memory model, so the oracle does not know them.
bool about_volatile(const Finding& f) {
  return f.message.find("volatile") != std::string::npos;
}

Pair pair_of(const Finding& f) {
  return std::minmax(f.where.line, f.other->place.line);
}

/// The script up to its first race: later ones cannot make up for missing this one.
Script until_first_race(const Script& script) {
  Script prefix = script;
  prefix.events.clear();
  for (const Event& e : script.events) {
    prefix.events.push_back(e);
    if (e.type == Event::Type::access && !recorded(prefix).empty()) break;
  }
  return prefix;
}

void check(std::uint64_t seed, const GeneratorOptions& options, GlobalShadow& shadow) {
  const Script script = random_script(seed, options, seed % 2 == 0);
  const OracleVerdict oracle = races_by_brute_force(script);
  const auto findings = recorded(script);
  INFO("seed " << seed);

  std::set<Byte> explained;
  for (const Finding& f : findings) {
    if (about_volatile(f)) continue;
    const auto race = oracle.races.find(pair_of(f));
    INFO("lines " << pair_of(f).first << " and " << pair_of(f).second);
    REQUIRE(race != oracle.races.end());
    explained.insert(race->second.begin(), race->second.end());
  }
  REQUIRE(explained == oracle.bytes());

  if (findings.empty()) return;
  const Script shortest = until_first_race(script);
  REQUIRE(suspicious(shortest, shadow));
  for (std::uint64_t order = 0; order < 3; ++order) {
    REQUIRE(suspicious(with_blocks_permuted(shortest, seed + order), shadow, order % 2 == 0));
  }
}

}  // namespace

TEST_CASE("random launches: the recorder is exact and the filter misses nothing", "[race]") {
  GlobalShadow shadow(kGlobal, 1 << 20);
  GeneratorOptions options;
  SECTION("every kind of event") {
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) check(seed, options, shadow);
  }
  SECTION("one location, short") {
    options.words = 1;
    options.events = 6;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) check(seed, options, shadow);
  }
  SECTION("one location, short, one block") {
    options.words = 1;
    options.events = 8;
    options.blocks = 1;
    options.atomics_and_fences = false;
    options.counted_barriers = false;
    for (std::uint64_t seed = 1; seed <= 8000; ++seed) check(seed, options, shadow);
  }
  SECTION("accesses of all widths") {
    options.narrow_accesses = true;
    options.words = 4;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) check(seed, options, shadow);
  }
  SECTION("many blocks, fences and atomics") {
    options.blocks = 5;
    options.events = 6;
    options.shared = false;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) check(seed, options, shadow);
  }
  SECTION("barriers and whole warps only") {
    options.atomics_and_fences = false;
    options.counted_barriers = false;
    options.partial_warp_syncs = false;
    options.threads = 70;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) check(seed, options, shadow);
  }
}

TEST_CASE("random launches with barriers of the block and of whole warps: the filter is nearly exact", "[race]") {
  // What the filter cannot prove costs a second run; on plain programs that must be rare.
  GlobalShadow shadow(kGlobal, 1 << 20);
  GeneratorOptions options;
  options.atomics_and_fences = false;
  options.counted_barriers = false;
  options.partial_warp_syncs = false;
  options.blocks = 1;
  options.words = 6;
  int clean = 0, wrongly_suspicious = 0;
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
    const Script script = random_script(seed, options, false);
    if (!recorded(script).empty()) continue;
    ++clean;
    wrongly_suspicious += suspicious(script, shadow);
  }
  INFO(clean << " clean, " << wrongly_suspicious << " of them suspicious");
  REQUIRE(clean > 300);
  REQUIRE(wrongly_suspicious * 50 < clean);
}
