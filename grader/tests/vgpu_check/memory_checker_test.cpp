// MemoryChecker: what it reports, in which words, and what it lets pass.
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "event_script.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/memory_checker.h"
#include "vgpu/check/size_factor.h"
#include "vgpu/memory/global_memory.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

Finding violation(ViolationKind kind, std::uint64_t address, std::uint8_t bytes = 4,
                  std::optional<NamedRange> range = NamedRange{kGlobal, 400, "", false},
                  MemorySpace space = MemorySpace::global, AccessKind access = AccessKind::load,
                  std::uint32_t cut_line = 0) {
  Event e;
  e.type = Event::Type::violation;
  e.violation = kind;
  e.kind = access;
  e.space = space;
  e.bytes = bytes;
  e.address.fill(address);
  MemoryChecker checker;
  perform(ScriptBuilder().add(e, 12, 1, 0x30).build(), checker);
  LineNames names;
  names.range = range;
  names.cut_line = cut_line;
  const auto findings = checker.findings(names);
  REQUIRE(findings.size() == 1);
  return findings[0];
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

const std::string kLaunch = "\nlaunch: <<<1, 64>>>, 64 threads";

TEST_CASE("out of bounds says by how much, of what", "[memory]") {
  const Finding f = violation(ViolationKind::global_out_of_bounds, kGlobal + 400);
  CHECK(f.id == finding_ids::kGlobalOutOfBounds);
  CHECK(f.message == "read of 4 bytes outside every allocation");
  CHECK(f.access.what == "read of 4 bytes");
  CHECK(f.note ==
        "just past the end of an allocation, allocated as 400 bytes: index 100 where 99 is the last" + kLaunch);
  CHECK(f.where.line == 12);
  CHECK(f.thread == Index3{36, 0, 0});
  CHECK(f.count == 2);
  CHECK(f.address == kGlobal + 400);

  CHECK(violation(ViolationKind::global_out_of_bounds, kGlobal + 440).note ==
        "40 bytes past the end of an allocation, allocated as 400 bytes: index 110 where 99 is the last" + kLaunch);
  CHECK(violation(ViolationKind::global_out_of_bounds, kGlobal - 4).note ==
        "4 bytes before the start of an allocation, allocated as 400 bytes" + kLaunch);
  CHECK(violation(ViolationKind::global_out_of_bounds, kGlobal + 392, 16).message ==
        "read of 16 bytes that are in an allocation only in part");
  CHECK(violation(ViolationKind::global_out_of_bounds, kGlobal + 392, 16).note ==
        "the access reaches 8 bytes past the end of an allocation, allocated as 400 bytes" + kLaunch);
  // 400 bytes hold whole groups of 16, and no whole groups of 7: then what is left over is done in smaller parts.
  CHECK_FALSE(mentions(violation(ViolationKind::global_out_of_bounds, kGlobal + 392, 16).help, "multiple"));
  CHECK(mentions(
      violation(ViolationKind::global_out_of_bounds, kGlobal + 392, 16, NamedRange{kGlobal, 399, "", false}).help,
      "399 bytes, no multiple of the 16 of one such access"));
  CHECK(
      violation(ViolationKind::global_out_of_bounds, kGlobal + 400, 4, NamedRange{kGlobal, 400, "table", false}).note ==
      "just past the end of `table`, allocated as 400 bytes: index 100 where 99 is the last" + kLaunch);
  CHECK(violation(ViolationKind::global_out_of_bounds, kGlobal + 400, 4, std::nullopt).note ==
        "no allocation is near this address" + kLaunch);
  CHECK(violation(ViolationKind::global_out_of_bounds, kGlobal, 4, std::nullopt, MemorySpace::global, AccessKind::store)
            .message == "write of 4 bytes outside every allocation");
}

TEST_CASE("sizes are asked for where the launch did not give those of the array", "[memory]") {
  const auto asks = [](std::vector<GivenValue> given, std::uint32_t bare_line, std::uint64_t bytes = 2400) {
    Event e;
    e.type = Event::Type::violation;
    e.violation = ViolationKind::global_out_of_bounds;
    e.kind = AccessKind::load;
    e.space = MemorySpace::global;
    e.bytes = 4;
    e.address.fill(kGlobal + bytes);
    MemoryChecker checker;
    perform(ScriptBuilder().add(e, 12, 1, 0x30).build(), checker);
    LineNames names;
    names.range = NamedRange{kGlobal, bytes, "", false};
    names.given = std::move(given);
    names.bare_line = bare_line;
    const auto findings = checker.findings(names);
    REQUIRE(findings.size() == 1);
    CHECK(mentions(findings[0].help, bare_line == 12 ? "if (i < n)" : "the conditions around this access"));
    const Help& help = findings[0].help;
    const bool asked = asks_for_sizes(help);
    CHECK(asked == mentions(help, "check that"));
    CHECK(help.advises(Advice::look_at_conditions, Advice::look_at_conditions_and_sizes) == (bare_line != 12));
    return asked;
  };
  for (const std::uint32_t bare_line : {0u, 12u}) {
    CHECK(asks({}, bare_line));
    CHECK(asks({{1, 8, kGlobal}, {2, 4, 599}}, bare_line));
    CHECK_FALSE(asks({{1, 8, kGlobal}, {2, 4, 600}}, bare_line));
    CHECK_FALSE(asks({{1, 4, 20}, {2, 4, 7}, {3, 4, 30}}, bare_line));
    CHECK_FALSE(asks({{1, 8, (std::uint64_t{30} << 32) + 20, true}}, bare_line));
    // As many bytes as there are elements, and not 4 times as many.
    CHECK(asks({{1, 4, 2400}}, bare_line));
  }
}

TEST_CASE("a product that no int holds is shown before the access", "[memory]") {
  const auto outside = [](std::optional<ProductOfInts> product) {
    Event e;
    e.type = Event::Type::violation;
    e.violation = ViolationKind::global_out_of_bounds;
    e.kind = AccessKind::load;
    e.space = MemorySpace::global;
    e.bytes = 4;
    e.address.fill(kGlobal - 80'000);
    MemoryChecker checker;
    perform(ScriptBuilder().add(e, 12, 1, 0x30).build(), checker);
    LineNames names;
    names.range = NamedRange{kGlobal, 400, "c", false};
    names.product = std::move(product);
    const auto findings = checker.findings(names);
    REQUIRE(findings.size() == 1);
    return findings[0];
  };
  const Finding other = outside(ProductOfInts{{"kernel.cu", 7, 3}, 264192, 8129});
  CHECK(other.id == finding_ids::kGlobalOutOfBounds);
  CHECK(other.message == "264192 times 8129 is more than an `int` can hold, and an index is computed from it");
  CHECK(other.where == SourcePlace{"kernel.cu", 7, 3});
  CHECK_FALSE(other.thread);
  REQUIRE(other.other);
  CHECK(other.other->place.line == 12);
  CHECK(other.other->label == "read of 4 bytes outside every allocation");
  CHECK(mentions(other.note, "264192 * 8129 = 2147616768, and as an `int` it is -2147350528\n80000 bytes before"));
  CHECK(mentions(other.help, "convert one factor to `long long`"));
  // In the line of the access, and in another file.
  const Finding own = outside(ProductOfInts{{"kernel.cu", 12, 3}, 65536, -65536});
  CHECK(own.where.line == 12);
  CHECK_FALSE(own.other);
  CHECK(mentions(own.message, "65536 times -65536"));
  CHECK(mentions(outside(ProductOfInts{{"other.h", 7, 3}, 264192, 8129}).message, "read of 4 bytes"));
  CHECK(mentions(outside({}).message, "read of 4 bytes"));
}

TEST_CASE("an access far outside leads to where its index loses bits", "[memory]") {
  const auto other = [](std::uint64_t address, std::uint32_t cut_line) {
    const Finding f = violation(ViolationKind::global_out_of_bounds, address, 4, NamedRange{kGlobal, 400, "c", false},
                                MemorySpace::global, AccessKind::load, cut_line);
    return f.other ? f.other->place.line : 0;
  };
  CHECK(other(kGlobal - 80'000, 7) == 7);
  CHECK(other(kGlobal + 80'000, 7) == 7);
  CHECK(other(kGlobal - 80'000, 0) == 0);
  CHECK(other(kGlobal - 80'000, 12) == 0);  // the access's own line
  CHECK(other(kGlobal + 400, 7) == 0);      // the last block sticks out
}

TEST_CASE("an allocation that is too small is shown, and to blame where a factor tells of a forgotten size",
          "[memory]") {
  // Threads of one warp write the last elements of so many bytes, behind an allocation of the program.
  const auto finding = [](std::uint64_t allocated, std::uint64_t needed, std::uint8_t bytes, bool bare,
                          bool asked_for = true, std::vector<GivenValue> given = {}) {
    Event e;
    e.type = Event::Type::violation;
    e.violation = ViolationKind::global_out_of_bounds;
    e.kind = AccessKind::store;
    e.space = MemorySpace::global;
    e.bytes = bytes;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
      e.address[lane] = kGlobal + needed - (kWarpSize - lane) * std::uint64_t{bytes};
    MemoryChecker checker;
    perform(ScriptBuilder().add(e, 12, 1, ~0u).build(), checker);
    LineNames names;
    names.range = NamedRange{kGlobal, allocated, "", false};
    names.range->asked_for = asked_for;
    names.bare_line = bare ? 12 : 0;
    names.given = std::move(given);
    const auto findings = checker.findings(names);
    REQUIRE(findings.size() == 1);
    return findings[0];
  };
  const Finding forgotten = finding(64, 256, 4, false);
  CHECK(forgotten.id == finding_ids::kGlobalOutOfBounds);
  CHECK(forgotten.message == "`k` accesses 4 times as many bytes as the allocation has");
  CHECK(forgotten.note == "64 bytes allocated, 256 needed: is `sizeof` missing?");
  CHECK(mentions(forgotten.help, "n * sizeof(float)"));
  CHECK_FALSE(forgotten.where.known());  // the host knows
  REQUIRE(forgotten.other);
  CHECK(forgotten.other->role == PlaceRole::access);
  CHECK(forgotten.other->name == "k");
  CHECK(forgotten.access.what == "write of 4 bytes");
  CHECK(forgotten.help.advises(Advice::unsaid));
  CHECK(forgotten.other->place.line == 12);
  CHECK(forgotten.other->thread == Index3{32, 0, 0});

  const Finding of_floats = finding(1024, 2048, 8, false);
  CHECK(of_floats.note == "1024 bytes allocated, 2048 needed: is it the `sizeof` of another type?");
  CHECK(mentions(of_floats.help, "n * sizeof(double)"));

  // Without a guard threads may go any number of elements too far.
  const Finding bare = finding(64, 256, 4, true);
  CHECK(bare.where.line == 12);
  CHECK(mentions(bare.help, "if (i < n)"));
  REQUIRE(bare.other);
  CHECK(bare.other->label == "allocated here; accesses go on to byte 256: is `sizeof` missing?");
  CHECK(bare.other->role == PlaceRole::allocation);
  CHECK_FALSE(bare.other->place.known());

  const Finding about = finding(63, 256, 4, false);
  CHECK(about.where.line == 12);
  CHECK(about.other->label == "allocated here; accesses go on to byte 256: is `sizeof` missing?");
  const Finding few = finding(100, 256, 4, false);
  CHECK(few.other->label == "allocated here; accesses go on to byte 256");
  CHECK(mentions(few.help, "the conditions around this access"));
  CHECK_FALSE(finding(64, 256, 4, false, false).other);
  // As many elements as the launch was given: not the size is wrong, but the index.
  const auto of = [](std::uint64_t number) { return GivenValue{.number = 1, .bytes = 4, .value = number}; };
  CHECK(finding(256, 1020, 4, false, true, {of(64)}).other->label == "allocated here; accesses go on to byte 1020");
  CHECK(finding(64, 256, 4, false, true, {of(64)}).message == forgotten.message);
  CHECK(finding(64, 256, 4, false, true, {of(64), of(16)}).message == forgotten.message);
  // The last block sticks out of the array: a guard is what is missing.
  CHECK_FALSE(finding(384, 512, 4, true).other);
  CHECK(finding(384, 512, 4, false).other);
}

TEST_CASE("more blocks than elements are told where each block accesses that of its number", "[memory]") {
  // Of so many blocks one thread of each, from that of block `first` on, accesses an element.
  const auto of_blocks = [](std::uint32_t blocks, std::uint32_t first, std::uint64_t step, std::uint32_t threads = 64) {
    ScriptBuilder script(blocks, threads);
    for (std::uint32_t block = first; block < blocks; ++block) {
      Event e;
      e.type = Event::Type::violation;
      e.kind = AccessKind::store;
      e.space = MemorySpace::global;
      e.address.fill(kGlobal + block * step);
      script.in_block(block).add(e, 12, 0, 1);
    }
    MemoryChecker checker;
    perform(script.build(), checker);
    LineNames names;
    names.range = NamedRange{kGlobal, 128, "", false};  // 32 elements
    return checker.findings(names).at(0);
  };
  const Finding made = of_blocks(36, 32, 4);
  CHECK(mentions(made.note, "one element for each block, and 36 blocks for 32 elements\n"));
  CHECK(mentions(made.help, "the launch has 4 blocks too many: give the kernel the number of blocks that have work"));
  CHECK(mentions(of_blocks(33, 32, 4).help, "has 1 block too many"));
  const auto is_told = [](const Finding& finding) { return mentions(finding.help, "too many"); };
  CHECK_FALSE(is_told(of_blocks(36, 33, 4)));     // begins behind the next element
  CHECK_FALSE(is_told(of_blocks(20, 16, 8)));     // each block has two elements
  CHECK_FALSE(is_told(of_blocks(36, 32, 4, 1)));  // there are no blocks but threads
}

TEST_CASE("how far a launch goes in shared memory is told of all of its lines", "[memory]") {
  const auto outside = [](std::uint64_t first) {
    Event e;
    e.type = Event::Type::violation;
    e.violation = ViolationKind::shared_out_of_bounds;
    e.kind = AccessKind::store;
    e.space = MemorySpace::shared;
    e.bytes = 4;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) e.address[lane] = first + 4 * lane;
    return e;
  };
  MemoryChecker checker;
  perform(ScriptBuilder().add(outside(256), 12, 1, ~0u).add(outside(1024), 13, 2, ~0u).build(), checker);
  LineNames names;
  names.shared_by_launch = true;
  const auto findings = checker.findings(names);
  REQUIRE(findings.size() == 2);
  for (const Finding& finding : findings) {
    REQUIRE(finding.other);
    CHECK(mentions(finding.other->label, "the kernel goes on to byte 1152"));
  }
}

TEST_CASE("shared memory of a size that the launch says leads to the launch", "[memory]") {
  const auto finding = [](bool by_launch, std::uint64_t first) {
    Event e;
    e.type = Event::Type::violation;
    e.violation = ViolationKind::shared_out_of_bounds;
    e.kind = AccessKind::store;
    e.space = MemorySpace::shared;
    e.bytes = 4;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) e.address[lane] = (first + 4 * lane) & 0xFFFF'FFFFu;
    MemoryChecker checker;
    perform(ScriptBuilder().add(e, 12, 1, ~0u).build(), checker);
    LineNames names;
    names.shared_by_launch = by_launch;
    const auto findings = checker.findings(names);
    REQUIRE(findings.size() == 1);
    return findings[0];
  };
  const Finding told = finding(true, 256);
  REQUIRE(told.other);
  CHECK(told.other->role == PlaceRole::launch);
  CHECK(told.other->label == "this launch asks for no bytes, the kernel goes on to byte 384");
  CHECK(mentions(told.help, "the third launch argument"));
  // An array of a fixed size, and an index below 0.
  for (const Finding& other : {finding(false, 256), finding(true, 0xFFFF'FF00u)}) {
    CHECK_FALSE(other.other);
    CHECK(other.help == "check the index against the size of the `__shared__` array");
  }
}

TEST_CASE("a factor that may be the size of an element", "[memory]") {
  const auto times = [](std::uint64_t allocated, std::uint64_t needed) {
    const auto factor = size_factor(allocated, needed);
    return factor ? static_cast<int>(factor->times) * (factor->exact ? 1 : -1) : 0;
  };
  CHECK(times(256, 1024) == 4);
  CHECK(times(1, 16) == 16);
  CHECK(times(1000, 4096) == -4);
  CHECK(times(1000, 2000) == 2);
  CHECK(times(1000, 3000) == 0);
  CHECK(times(1000, 1500) == 0);
  CHECK(times(1000, 5000) == 0);
  CHECK(times(1000, 32000) == 0);
  CHECK(times(0, 4) == 0);
  CHECK(times(1, ~0ull) == 0);
  CHECK(times(1ull << 62, ~0ull) == 0);
}

TEST_CASE("elements are named as in the source where the type is known", "[memory]") {
  using enum ViolationKind;
  NamedRange table{kGlobal, 4 * 8 * 4, "table", false};
  table.type = std::make_shared<ptx::DataType>(ptx::array_of_scalars(4, {4, 8}));
  CHECK(violation(global_out_of_bounds, kGlobal + 128, 4, table).note ==
        "just past the end of `table`, allocated as 128 bytes: `table[4][0]` where `table[3][7]` is the last" +
            kLaunch);
  CHECK(violation(misaligned, kGlobal + 42, 4, table).note ==
        "the address is 2 bytes past a multiple of 4, at byte 2 of `table[1][2]`");
  CHECK(violation(use_after_free, kGlobal + 44, 8, table).note == "`table[1][3]`");

  NamedRange c = table;  // a pointer has one subscript in the source
  c.name = "c";
  c.flat = true;
  CHECK(violation(use_after_free, kGlobal + 44, 4, c).note == "`c[1][3]` (row 1, column 3)");
  CHECK(violation(global_out_of_bounds, kGlobal + 132, 4, c).note ==
        "4 bytes past the end of `c`, allocated as 128 bytes: index 33 where 31 is the last" + kLaunch);

  NamedRange dynamic = table;  // elements of which only the alignment is known
  ptx::DataType assumed = ptx::array_of_scalars(4, {0});
  assumed.assumed = true;
  dynamic.type = std::make_shared<ptx::DataType>(assumed);
  CHECK(violation(use_after_free, kGlobal + 44, 4, dynamic).note == "`table[11]`");
  CHECK(violation(use_after_free, kGlobal + 44, 1, dynamic).note == "byte 44 of `table` (128 bytes), its element 44");
}

TEST_CASE("a misaligned access is told with its row, where that begins at no multiple", "[memory]") {
  const auto facts = [](std::uint64_t width, std::uint64_t begin, std::uint64_t offset) {
    NamedRange b{kGlobal + begin, 4 * width * 4, "b", false};
    b.type = std::make_shared<ptx::DataType>(ptx::array_of_scalars(4, {4, width}));
    b.flat = true;
    return violation(ViolationKind::misaligned, kGlobal + begin + offset, 16, b).access;
  };
  const AccessFacts second = facts(7, 0, 7 * 4 + 16);
  CHECK(second.array == "b");
  CHECK(second.bytes == 16);
  CHECK(second.row == 1);
  CHECK(second.row_elements == 7);
  CHECK(second.element_bytes == 4);
  CHECK(facts(7, 0, 4).row_elements == 0);          // the first row begins at a multiple
  CHECK(facts(8, 0, 8 * 4 + 4).row_elements == 0);  // so does each
  CHECK(facts(7, 4, 7 * 4).row_elements == 0);      // the array itself does not
}

TEST_CASE("every violation has an id and says what to do", "[memory]") {
  using enum ViolationKind;
  const std::vector<std::pair<ViolationKind, std::string_view>> expected{
      {global_out_of_bounds, finding_ids::kGlobalOutOfBounds},
      {shared_out_of_bounds, finding_ids::kSharedOutOfBounds},
      {local_out_of_bounds, finding_ids::kLocalOutOfBounds},
      {constant_out_of_bounds, finding_ids::kConstantOutOfBounds},
      {misaligned, finding_ids::kMisalignedAccess},
      {host_pointer, finding_ids::kHostPointerDereference},
      {null_pointer, finding_ids::kNullPointerDereference},
      {use_after_free, finding_ids::kUseAfterFree},
      {write_to_constant, finding_ids::kWriteToConstant}};
  for (const auto& [kind, id] : expected) {
    const Finding f = violation(kind, kGlobal + 2);
    CHECK(f.id == id);
    CHECK(f.severity == Severity::error);
    CHECK(!f.help.empty());
    CHECK(!f.message.empty());
    CHECK(f.message.back() != '.');
    CHECK(f.help.back() != '.');
  }
  CHECK(mentions(violation(host_pointer, 0x7fff0000).help, "`cudaMalloc`"));
  CHECK(violation(host_pointer, 0x7fff0000).access.what == "read of 4 bytes");
  CHECK(violation(null_pointer, 8).access.only_reads);
  CHECK(mentions(violation(misaligned, kGlobal + 4, 16).message, "not a multiple of 16"));
  CHECK(mentions(violation(null_pointer, 8).note, "null plus an offset"));
}

TEST_CASE("an access outside in a function shows the kernel's call of it", "[memory]") {
  const auto shown = [](std::optional<std::uint32_t> call) {
    Event e;
    e.type = Event::Type::violation;
    e.space = MemorySpace::global;
    e.address.fill(kGlobal + 400);
    e.call = call;
    MemoryChecker checker;
    perform(ScriptBuilder().add(e, 12, 1, 0x30).build(), checker);
    LineNames names;
    names.range = NamedRange{kGlobal, 400, "", false};
    return checker.findings(names).at(0);
  };
  const Finding called = shown(30);
  CHECK(called.where.line == 12);
  REQUIRE(called.other);
  CHECK(called.other->label == "called here");
  CHECK(called.other->place.line == 30);
  CHECK(called.other->role == PlaceRole::call);
  CHECK_FALSE(shown(12).other);  // the line is shown already
  CHECK_FALSE(shown(std::nullopt).other);
}

TEST_CASE("an argument that is read behind a variable of 4 bytes is named", "[memory]") {
  const auto of_given = [](std::vector<GivenValue> given, std::uint64_t at = kGlobal + 400) {
    Event e;
    e.type = Event::Type::violation;
    e.space = MemorySpace::global;
    e.bytes = 4;
    e.address.fill(at);
    MemoryChecker checker;
    perform(ScriptBuilder().add(e, 12, 1, 0x30).build(), checker);
    LineNames names;
    names.range = NamedRange{kGlobal, 400, "", false};
    names.given = std::move(given);
    return checker.findings(names).at(0);
  };
  const std::uint64_t half = (std::uint64_t{0x7ffd} << 32) + 100;
  const Finding made = of_given({{1, 8, kGlobal}, {4, 8, half}});
  CHECK(made.launch.argument == 4);
  CHECK(mentions(made.note, "the lower 4 bytes of argument 4 of the launch are 100, the upper 4 are not 0\n"));
  CHECK(mentions(made.help, "argument 4 of the launch has 8 bytes"));
  REQUIRE(made.other);
  CHECK(made.other->role == PlaceRole::launch);
  const auto is_named = [&](std::vector<GivenValue> given) { return of_given(std::move(given)).launch.argument != 0; };
  CHECK_FALSE(is_named({{1, 8, 100}}));                                       // right
  CHECK_FALSE(is_named({{1, 8, half + 1}}));                                  // another number
  CHECK_FALSE(is_named({{1, 8, half, true}}));                                // two members of a structure
  CHECK_FALSE(is_named({{1, 8, (std::uint64_t{0xFFFF'FFFF} << 32) + 100}}));  // a negative number
  CHECK_FALSE(is_named({{1, 8, half}, {2, 8, half}}));
  CHECK(of_given({{4, 8, half}}, kGlobal - 8).launch.argument == 0);
}

TEST_CASE("an access past the end carries what the launch gave of the array, and its small numbers", "[memory]") {
  Event e;
  e.type = Event::Type::violation;
  e.space = MemorySpace::global;
  e.address.fill(kGlobal + 400);
  MemoryChecker checker;
  perform(ScriptBuilder().add(e, 12, 1, 0x30).build(), checker);
  LineNames names;
  names.range = NamedRange{kGlobal, 400, "", false};
  names.given = {{1, 8, kGlobal + 80}, {2, 8, kGlobal}, {3, 8, kGlobal + 4000}, {4, 4, 100}, {5, 4, 0x40000000}};
  const Finding finding = checker.findings(names).at(0);
  CHECK(finding.launch.given == std::vector<GivenArgument>{{1, 20, true}, {4, 100, false}});
}
