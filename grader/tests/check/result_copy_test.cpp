// Where elements of an array of the host are missing: the store or the copy, whichever is at fault.
#include "check/result_copy.h"

#include <utility>

#include "catch.h"
#include "make.h"

namespace cudalabs::test {
namespace {

const vgpu::ArrayWriter kStore{"", "add", {"a.cu", 13, 3}};

Mismatch mismatch(Fault fault = Fault::unwritten) {
  Mismatch made;
  made.output = "c";
  made.fault = fault;
  made.elements = 10;
  made.finding.note = "case `one`";
  made.finding.help = "as before";
  return made;
}

Comparison ten_floats() {
  Comparison comparison;
  comparison.shape = {10};
  comparison.fault.assign(10, Fault::unwritten);
  return comparison;
}

Observation with(vgpu::HostCopy copy) {
  copy.name = "cudaMemcpy";
  Observation observed;
  observed.copies.push_back({std::move(copy), {"a.cu", 30, 0}});
  return observed;
}

vgpu::HostCopy copy_of(std::uint64_t calls, std::uint64_t bytes, std::uint64_t unwritten,
                       std::vector<vgpu::ArrayWriter> writers) {
  vgpu::HostCopy copy;
  copy.calls = calls;
  copy.bytes = bytes;
  copy.unwritten = unwritten;
  copy.writers = std::move(writers);
  return copy;
}

}  // namespace

TEST_CASE("a copy that brings back what nothing has written leads to the store") {
  Mismatch made = mismatch();
  CHECK_FALSE(name_copy(made, ten_floats(), with(copy_of(1, 40, 12, {kStore}))));
  CHECK(made.finding.where == kStore.where);
  CHECK(made.finding.kernel == "add");
  REQUIRE(made.finding.other);
  CHECK(made.finding.other->place.line == 30);
  CHECK(made.finding.note ==
        "case `one`\nline 13 stores to the array of the device\n"
        "`cudaMemcpy` copies 40 bytes to the host; nothing on the device wrote 12 of them");
}

TEST_CASE("of several stores to the array that is copied back the last one is shown, and all are named") {
  Mismatch made = mismatch();
  CHECK_FALSE(name_copy(made, ten_floats(), with(copy_of(1, 40, 12, {{"", "add", {"a.cu", 22, 1}}, kStore}))));
  CHECK(made.finding.where.line == 22);
  CHECK_THAT(made.finding.note, contains_text("lines 13 and 22 store to the array of the device"));
}

TEST_CASE("a copy of an array that no kernel stored to is at fault") {
  Mismatch made = mismatch();
  CHECK(name_copy(made, ten_floats(), with(copy_of(1, 40, 40, {}))));
  CHECK(made.finding.where.line == 30);
  CHECK_THAT(made.finding.note, contains_text("no kernel stored to this array"));
}

TEST_CASE("a copy that takes other bytes than were stored is at fault") {
  vgpu::HostCopy copy = copy_of(1, 40, 12, {kStore});
  copy.elsewhere = true;
  Mismatch made = mismatch();
  CHECK(name_copy(made, ten_floats(), with(copy)));
  CHECK(made.finding.where.line == 30);
  REQUIRE(made.finding.other);
  CHECK(made.finding.other->place == kStore.where);
}

TEST_CASE("a copy that is too short is at fault, and so are all together") {
  Mismatch made = mismatch();
  CHECK(name_copy(made, ten_floats(), with(copy_of(1, 10, 0, {kStore}))));
  CHECK(made.finding.where.line == 30);
  CHECK_THAT(made.finding.note, contains_text("`cudaMemcpy` copies 10 of 40 bytes to the host"));
  Mismatch many = mismatch();
  CHECK(name_copy(many, ten_floats(), with(copy_of(3, 24, 0, {kStore}))));
  CHECK_THAT(many.finding.note, contains_text("24 of 40 bytes to the host in 3 calls"));
}

TEST_CASE("a copy of all bytes to another place is at fault") {
  Mismatch made = mismatch();
  CHECK(name_copy(made, ten_floats(), with(copy_of(2, 40, 0, {kStore}))));
  CHECK_THAT(made.finding.note, contains_text("not to where elements are missing"));
}

TEST_CASE("where nothing is copied back after the kernel, that is what is said") {
  Observation observed;
  observed.launches.resize(1);
  observed.writers = {{"", "add", {"a.cu", 13, 3}}, {"other", "add", {"a.cu", 14, 3}}};
  Mismatch made = mismatch();
  made.finding.message = "no element of `c` was ever written";
  made.finding.count = 10;
  SECTION("no copy at all") {
    CHECK(name_copy(made, ten_floats(), observed));
    CHECK(made.finding.message == "no element of `c` was ever written: no copy to the host comes after the kernel");
    CHECK(made.finding.where == kStore.where);
    CHECK_FALSE(made.finding.other);
    CHECK_THAT(made.finding.help, contains_text("`cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost)`"));
  }
  SECTION("one that comes too early") {
    observed.early_copies = with(copy_of(1, 40, 40, {})).copies;
    CHECK(name_copy(made, ten_floats(), observed));
    CHECK(made.finding.message == "no element of `c` was ever written: the copy to the host comes before the kernel");
    CHECK(made.finding.where.line == 30);
    REQUIRE(made.finding.other);
    CHECK(made.finding.other->place == kStore.where);
    CHECK_THAT(made.finding.help, contains_text("after the launch"));
  }
  SECTION("an early copy of what the host had written itself") {
    observed.early_copies = with(copy_of(1, 40, 0, {})).copies;
    CHECK(name_copy(made, ten_floats(), observed));
    CHECK(made.finding.where == kStore.where);
  }
  SECTION("but unified memory needs none, and some elements are there") {
    const Mismatch before = made;
    observed.has_managed = true;
    CHECK_FALSE(name_copy(made, ten_floats(), observed));
    CHECK(made == before);
    observed.has_managed = false;
    observed.on_device = {"values"};
    CHECK_FALSE(name_copy(made, ten_floats(), observed));
    observed.on_device.clear();
    made.finding.count = 9;
    CHECK_FALSE(name_copy(made, ten_floats(), observed));
  }
}

TEST_CASE("what was written although a launch had failed leads to the call that told of the failure") {
  Comparison comparison = ten_floats();
  comparison.fault.assign(10, Fault::touched);
  comparison.got.assign(10, 1);
  comparison.expected.assign(10, 2);
  comparison.bound.assign(10, 0);
  Observation observed = with(copy_of(1, 40, 40, {}));
  observed.made_to_fail.emplace().where = {"a.cu", 20, 0};
  Mismatch made = mismatch(Fault::touched);
  SECTION("which went unheard") {
    observed.made_to_fail->asked = WatchedCall{"cudaGetLastError", 701, {"a.cu", 21, 0}, false, false};
    CHECK_FALSE(name_copy(made, comparison, observed));
    CHECK(made.finding.where.line == 21);
    REQUIRE(made.finding.other);
    CHECK(made.finding.other->place.line == 30);
    CHECK_THAT(made.finding.message, contains_text("`cudaGetLastError` returns the error here"));
    CHECK(made.finding.failed_call == "cudaGetLastError");
  }
  SECTION("or to the copy, which comes before the question") {
    observed.made_to_fail->asked = WatchedCall{"cudaGetLastError", 701, {"a.cu", 31, 0}, false, false};
    observed.after_failure = {{"cudaLaunchKernel", 701, {"a.cu", 20, 0}},
                              {"cudaMemcpy", 0, {"a.cu", 30, 0}},
                              {"cudaGetLastError", 701, {"a.cu", 31, 0}}};
    CHECK_FALSE(name_copy(made, comparison, observed));
    CHECK(made.finding.where.line == 30);
    CHECK_THAT(made.finding.message, contains_text("comes before the question"));
    REQUIRE(made.finding.other);
    CHECK(made.finding.other->place.line == 31);
    CHECK_THAT(made.finding.help, contains_text("right after the launch"));
  }
  SECTION("but not to a copy after the question") {
    observed.made_to_fail->asked = WatchedCall{"cudaGetLastError", 701, {"a.cu", 21, 0}, false, false};
    observed.after_failure = {{"cudaLaunchKernel", 701, {"a.cu", 20, 0}},
                              {"cudaGetLastError", 701, {"a.cu", 21, 0}},
                              {"cudaMemcpy", 0, {"a.cu", 30, 0}}};
    CHECK_FALSE(name_copy(made, comparison, observed));
    CHECK(made.finding.where.line == 21);
  }
  SECTION("or to the launch, where nobody asked") {
    observed.early_copies = std::exchange(observed.copies, {});
    CHECK_FALSE(name_copy(made, comparison, observed));
    CHECK(made.finding.where.line == 20);
    REQUIRE(made.finding.other);
    CHECK(made.finding.other->place.line == 30);
  }
  SECTION("or to the copy that brought results too early") {
    comparison.got.assign(10, 2);
    CHECK_FALSE(name_copy(made, comparison, observed));
    CHECK(made.finding.where.line == 30);
    REQUIRE(made.finding.other);
    CHECK(made.finding.other->place.line == 20);
    CHECK_THAT(made.finding.help, contains_text("until every call has succeeded"));
    CHECK_THAT(made.finding.message, !contains_text("although a call had failed"));
    CHECK_FALSE(made.after_failure);
  }
  SECTION("or to a copy that returned the error itself") {
    observed.made_to_fail->where = {"a.cu", 12, 0};
    observed.made_to_fail->asked = WatchedCall{"cudaMemcpy", 2, {"a.cu", 12, 0}, false, false};
    CHECK_FALSE(name_copy(made, comparison, observed));
    CHECK(made.finding.where.line == 12);
    CHECK_THAT(made.finding.message, contains_text("`cudaMemcpy` returns the error here"));
    CHECK(made.finding.failed_call == "cudaMemcpy");
  }
  SECTION("but an allocation that failed has no launch") {
    observed.made_to_fail.reset();
    const Mismatch before = made;
    CHECK_FALSE(name_copy(made, comparison, observed));
    CHECK(made == before);
  }
}

TEST_CASE("outputs on the device, other faults and runs without a copy are left alone") {
  const auto untouched = [](Mismatch made, const Observation& observed) {
    const Mismatch before = made;
    return !name_copy(made, ten_floats(), observed) && made == before;
  };
  Observation on_device = with(copy_of(1, 10, 0, {}));
  on_device.on_device = {"c"};
  CHECK(untouched(mismatch(), on_device));
  CHECK(untouched(mismatch(Fault::wrong), with(copy_of(1, 10, 0, {}))));
  CHECK(untouched(mismatch(), Observation{}));
}

TEST_CASE("an output on the device that a call of the host wrote last leads to that call") {
  const auto blamed = [](Fault fault, ValueKind kind, const std::string& array = "c", bool stored = false) {
    Observation observed;
    observed.on_device = {"c"};
    observed.launches.resize(1);
    observed.host_writes = {{array, "cudaMemset", {"a.cu", 21, 0}}};
    if (stored) observed.writers = {{"c", "add", {"a.cu", 13, 3}}};
    Mismatch made = mismatch(fault);
    made.finding.count = 10;
    made.pattern = ValuePattern{kind, "", ""};
    return name_copy(made, ten_floats(), observed) ? made.finding.where.line : 0;
  };
  CHECK(blamed(Fault::wrong, ValueKind::zero) == 21);
  CHECK(blamed(Fault::wrong, ValueKind::shifted) == 0);
  CHECK(blamed(Fault::wrong, ValueKind::zero, "d") == 0);
  CHECK(blamed(Fault::wrong, ValueKind::zero, "c", true) == 0);
  CHECK(blamed(Fault::unwritten, ValueKind::shifted) == 21);
  CHECK(blamed(Fault::nonfinite, ValueKind::shifted) == 0);
}

TEST_CASE("wrong values of the host come from the arrays that were copied back") {
  Observation observed = with(copy_of(1, 40, 0, {kStore}));
  observed.writers = {{"", "other", {"a.cu", 20, 1}}, kStore};
  CHECK(writers_of("c", observed) == std::vector{kStore});
  observed.on_device = {"c"};
  CHECK(writers_of("c", observed) == observed.writers);
}

}  // namespace cudalabs::test
