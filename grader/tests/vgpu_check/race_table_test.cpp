// Every pair of accesses, with every kind of synchronisation between them: what the recorder says, and that the filter
// lets the simple clean ones pass.
#include <functional>
#include <string>
#include <vector>

#include "catch.h"
#include "race_scripts.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

// Who makes the second access; the first is made by lane 0 of warp 0 of block 0.
enum class Who { same_thread, other_lane, other_warp, other_block };
// An access to the word: what, and how.
struct Kind {
  const char* name;
  AccessKind kind;
  bool strong;
};
constexpr Kind kLoad{"load", AccessKind::load, false};
constexpr Kind kStore{"store", AccessKind::store, false};
constexpr Kind kVolatileLoad{"volatile load", AccessKind::load, true};
constexpr Kind kVolatileStore{"volatile store", AccessKind::store, true};
constexpr Kind kAtomic{"atomic", AccessKind::atomic, true};
const std::vector<Kind> kKinds{kLoad, kStore, kVolatileLoad, kVolatileStore, kAtomic};

using Sync = std::function<void(ScriptBuilder&)>;
struct Between {
  const char* name;
  Sync sync;
  std::vector<Who> orders;  // whose second access it orders after the first
};

constexpr LaneMask kLane1 = 2;

const std::vector<Between>& betweens() {
  static const std::vector<Between> all{
      {"nothing", [](auto&) {}, {}},
      {"a barrier", [](auto& b) { b.barrier(5); }, {Who::other_lane, Who::other_warp}},
      {"a warp synchronisation", [](auto& b) { b.warp_sync(0); }, {Who::other_lane}},
      {"one of the two lanes", [](auto& b) { b.warp_sync(0, kLane0 | kLane1); }, {Who::other_lane}},
      {"one of other lanes", [](auto& b) { b.warp_sync(0, ~(kLane0 | kLane1)); }, {}},
      {"one of the other warp", [](auto& b) { b.warp_sync(1); }, {}},
      {"a counted barrier of both warps",
       [](auto& b) { b.arrive(5, 0, ~0u, 1).arrive(6, 1, ~0u, 1).complete(1, false); },
       {Who::other_lane, Who::other_warp}},
      {"a counted barrier, the first warp arriving only",
       [](auto& b) { b.arrive(5, 0, ~0u, 1, true).arrive(6, 1, ~0u, 1).complete(1, false); },
       {Who::other_warp}},
      {"a counted barrier, the second warp arriving only",
       [](auto& b) { b.arrive(5, 0, ~0u, 1).arrive(6, 1, ~0u, 1, true).complete(1, false); },
       {Who::other_lane}},
      {"a counted barrier of the first warp",
       [](auto& b) { b.arrive(5, 0, ~0u, 1).complete(1, false); },
       {Who::other_lane}},
      {"a fence", [](auto& b) { b.fence(0, kLane0).fence(1, kLane0); }, {}},
  };
  return all;
}

bool ordered(const Between& between, Who who) {
  return who == Who::same_thread ||
         std::find(between.orders.begin(), between.orders.end(), who) != between.orders.end();
}

void add(ScriptBuilder& b, const Kind& k, std::uint32_t line, std::uint32_t warp, LaneMask lanes, MemorySpace space,
         MemoryScope scope = MemoryScope::device) {
  const std::uint64_t at = space == MemorySpace::global ? kGlobal : 0;
  const auto address = [at](std::uint64_t) { return at; };
  if (k.strong) {
    b.strong(k.kind, line, warp, lanes, address, space, scope);
  } else {
    b.access(k.kind, line, warp, lanes, address, space);
  }
}

Script script_of(const Kind& first, const Kind& second, const Between& between, Who who, MemorySpace space,
                 MemoryScope scope = MemoryScope::device) {
  ScriptBuilder b(2, 64);
  add(b, first, 1, 0, kLane0, space, scope);
  between.sync(b);
  if (who == Who::other_block) b.in_block(1);
  add(b, second, 2, who == Who::other_warp ? 1 : 0, who == Who::other_lane ? kLane1 : kLane0, space, scope);
  return b.build();
}

}  // namespace

TEST_CASE("pairs of accesses with something between them", "[race]") {
  for (const MemorySpace space : {MemorySpace::shared, MemorySpace::global}) {
    for (const Who who : {Who::same_thread, Who::other_lane, Who::other_warp, Who::other_block}) {
      if (space == MemorySpace::shared && who == Who::other_block) continue;
      for (const Kind& first : kKinds) {
        for (const Kind& second : kKinds) {
          for (const Between& between : betweens()) {
            INFO(first.name << ", " << between.name << ", " << second.name << ", who " << static_cast<int>(who)
                            << (space == MemorySpace::shared ? ", shared" : ", global"));
            const Script script = script_of(first, second, between, who, space);
            const bool writes = first.kind != AccessKind::load || second.kind != AccessKind::load;
            const bool both_strong = first.strong && second.strong;
            const bool race = writes && !both_strong && !ordered(between, who);
            // Lanes of one warp that talk through volatile without synchronising get a warning.
            const bool warned = both_strong && first.kind != second.kind && first.kind != AccessKind::atomic &&
                                second.kind != AccessKind::atomic && who == Who::other_lane && !ordered(between, who);
            const auto findings = recorded(script);
            REQUIRE(findings.size() == (race || warned));
            if (race) {
              const Finding& f = findings.front();
              const bool equal =
                  first.kind == AccessKind::store && second.kind == AccessKind::store && who == Who::same_thread;
              CHECK(f.id == (space == MemorySpace::shared ? finding_ids::kSharedRace : finding_ids::kGlobalRace));
              CHECK(f.severity == (equal ? Severity::warning : Severity::error));
              // Of a write and an atomic of two blocks, the write is to blame.
              const bool blames_first =
                  who == Who::other_block && first.kind == AccessKind::store && second.kind == AccessKind::atomic;
              CHECK(f.where.line == (blames_first ? 1 : 2));
              REQUIRE(f.other);
              CHECK(f.other->place.line == (blames_first ? 2 : 1));
              CHECK(f.count == 1);
            }
            if (warned) CHECK(findings.front().severity == Severity::warning);
            if (race || warned) CHECK(suspicious(script));
            // The filter knows barriers of the block and of whole warps, and plain accesses.
            const bool simple = !first.strong && !second.strong &&
                                between.name != std::string("one of the two lanes") &&
                                std::string(between.name).find("counted") == std::string::npos;
            if (simple && !race) CHECK(!suspicious(script));
          }
        }
      }
    }
  }
}

TEST_CASE("atomics at block scope race between blocks, and only there", "[race]") {
  const Between& nothing = betweens().front();
  CHECK(recorded(script_of(kAtomic, kAtomic, nothing, Who::other_block, MemorySpace::global, MemoryScope::block))
            .size() == 1);
  CHECK(
      recorded(script_of(kAtomic, kAtomic, nothing, Who::other_warp, MemorySpace::global, MemoryScope::block)).empty());
  CHECK(suspicious(script_of(kAtomic, kAtomic, nothing, Who::other_block, MemorySpace::global, MemoryScope::block)));
  CHECK(!suspicious(script_of(kAtomic, kAtomic, nothing, Who::other_block, MemorySpace::global, MemoryScope::device)));
}

TEST_CASE("writes of one value by several threads are a warning of their own", "[race]") {
  const auto zero = [](std::uint64_t) { return 0ull; };
  const auto flag = [](std::uint64_t) { return 1ull; };
  SECTION("in one step") {
    const auto findings = recorded(ScriptBuilder().access(AccessKind::store, 3, 0, ~0u, zero).values(flag).build());
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::warning);
    CHECK(findings[0].id == finding_ids::kSharedRace);
    CHECK(findings[0].count == 31);
    CHECK(findings[0].message.find("same value") != std::string::npos);
  }
  SECTION("by different warps") {
    const auto findings = recorded(ScriptBuilder()
                                       .access(AccessKind::store, 3, 0, kLane0, zero)
                                       .values(flag)
                                       .access(AccessKind::store, 3, 1, kLane0, zero)
                                       .values(flag)
                                       .build());
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::warning);
  }
  SECTION("one lane differs") {
    const auto findings = recorded(ScriptBuilder()
                                       .access(AccessKind::store, 3, 0, ~0u, zero)
                                       .values([](std::uint64_t t) { return t == 9; })
                                       .build());
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::error);
  }
  SECTION("different values in an earlier step of the same instruction") {
    const auto findings = recorded(ScriptBuilder()
                                       .access(AccessKind::store, 3, 0, kLane0, zero)
                                       .values([](std::uint64_t) { return 1; })
                                       .access(AccessKind::store, 3, 0, kLane1, zero)
                                       .values([](std::uint64_t) { return 2; })
                                       .build());
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::error);
  }
  SECTION("between blocks") {
    ScriptBuilder b(3, 32);
    for (std::uint64_t block = 0; block < 3; ++block) {
      b.in_block(block)
          .access(
              AccessKind::store, 3, 0, kLane0, [](std::uint64_t) { return kGlobal; }, MemorySpace::global)
          .values(flag);
    }
    const auto findings = recorded(b.build());
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::warning);
    CHECK(findings[0].id == finding_ids::kGlobalRace);
    CHECK(findings[0].count == 2);
  }
}

TEST_CASE("a race on bytes is told from neighbours in one word", "[race]") {
  const auto own_byte = [](std::uint64_t t) { return kGlobal + t; };
  const auto step = [&](AccessKind kind, std::uint32_t line, auto address, std::uint8_t bytes) {
    return [=](ScriptBuilder& b) { b.all(kind, line, address, MemorySpace::global, bytes); };
  };
  ScriptBuilder clean;
  step(AccessKind::load, 1, own_byte, 1)(clean);
  step(AccessKind::store, 2, own_byte, 1)(clean);
  CHECK(recorded(clean.build()).empty());
  CHECK(!suspicious(clean.build()));

  ScriptBuilder shifted;
  step(AccessKind::store, 1, own_byte, 1)(shifted);
  step(
      AccessKind::load, 2, [](std::uint64_t t) { return kGlobal + t + 1; }, 1)(shifted);
  CHECK(recorded(shifted.build()).size() == 1);
  CHECK(suspicious(shifted.build()));

  // A word read over bytes that four lanes wrote.
  ScriptBuilder word;
  step(AccessKind::store, 1, own_byte, 1)(word);
  word.access(
      AccessKind::load, 2, 1, kLane0, [](std::uint64_t) { return kGlobal; }, MemorySpace::global, 4);
  const auto findings = recorded(word.build());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].count == 1);
  CHECK(suspicious(word.build()));
}

TEST_CASE("words written one by one and bytes read later agree on what is where", "[race]") {
  // The cell of a word is split into bytes after the words were written.
  for (const MemorySpace space : {MemorySpace::shared, MemorySpace::global}) {
    const std::uint64_t base = space == MemorySpace::global ? kGlobal : 0;
    const auto build = [&](bool barrier, std::uint64_t shift) {
      ScriptBuilder b;
      b.all_store(
          1, [&](std::uint64_t t) { return base + 4 * t; }, space);
      if (barrier) b.barrier(2);
      b.all_load(
          3, [&](std::uint64_t t) { return base + (4 * t + shift) % 256; }, space, 1);
      return b.build();
    };
    CHECK(recorded(build(false, 3)).empty());  // each thread a byte of its own word
    CHECK(!suspicious(build(false, 3)));
    CHECK(recorded(build(false, 4)).size() == 1);
    CHECK(suspicious(build(false, 4)));
    CHECK(recorded(build(true, 4)).empty());
    CHECK(!suspicious(build(true, 4)));
  }
}
