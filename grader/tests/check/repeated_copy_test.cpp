// An input that went to the device twice, and one that did not.
#include "check/repeated_copy.h"

#include "catch.h"
#include "check/mismatch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;
using vgpu::Transfer;
using Kind = Transfer::Kind;

namespace {

datasets::Case two_inputs() {
  datasets::Case test;
  test.inputs.push_back(float_matrix("a", 1, 9, [](auto, auto column) { return static_cast<double>(column); }));
  test.inputs.push_back(float_matrix("b", 1, 9, [](auto, auto column) { return 0.5 - static_cast<double>(column); }));
  return test;
}

/// Copies of these inputs, made by the calls 1, 2, ...
vgpu::TransferLog copies_of(const datasets::Case& test, const std::vector<std::size_t>& inputs) {
  vgpu::TransferLog log;
  std::uint64_t call = 0;
  for (const std::size_t input : inputs)
    log.transfers.push_back({Kind::to_device, false, {++call, 0}, test.inputs[input].data});
  log.transfers.push_back({Kind::to_host, false, {9, 0}, std::vector<std::byte>(36)});
  return log;
}

}  // namespace

TEST_CASE("of two copies of one input the one in the missing one's place is to blame") {
  const datasets::Case test = two_inputs();
  const auto second = repeated_copy(test, copies_of(test, {0, 0}));
  REQUIRE(second);
  CHECK(second->copied == "a");
  CHECK(second->missing == "b");
  CHECK(second->call.address == 2);
  const auto first = repeated_copy(test, copies_of(test, {1, 1}));
  REQUIRE(first);
  CHECK(first->missing == "a");
  CHECK(first->call.address == 1);
}

TEST_CASE("inputs of equal values are not told apart") {
  datasets::Case test = two_inputs();
  test.inputs[1].data = test.inputs[0].data;
  CHECK_FALSE(repeated_copy(test, copies_of(test, {0, 1})));
}

TEST_CASE("copies that bring something else, or all, say nothing") {
  const datasets::Case test = two_inputs();
  CHECK_FALSE(repeated_copy(test, copies_of(test, {0, 1})));
  CHECK_FALSE(repeated_copy(test, copies_of(test, {0, 0, 1})));
  CHECK_FALSE(repeated_copy(test, copies_of(test, {0})));
  CHECK_FALSE(repeated_copy(test, copies_of(test, {0, 0, 0})));
  vgpu::TransferLog log = copies_of(test, {0, 0});
  log.complete = false;
  CHECK_FALSE(repeated_copy(test, log));
  log.complete = true;
  log.transfers.push_back({Kind::to_device, false, {5, 0}, std::vector<std::byte>(8)});
  CHECK_FALSE(repeated_copy(test, log));
}

TEST_CASE("a wrong result is shown at that copy") {
  Mismatch mismatch;
  mismatch.fault = Fault::wrong;
  mismatch.finding.message = "`c` is wrong everywhere";
  mismatch.finding.where = {"a.cu", 12, 3};
  name_repeated_copy(mismatch, {"a", "b", {2, 0}, {"a.cu", 31, 5}});
  CHECK(mismatch.finding.where.line == 31);
  REQUIRE(mismatch.finding.other);
  CHECK(mismatch.finding.other->place.line == 12);
  CHECK(mismatch.finding.message == "`c` is wrong everywhere; `b` never goes to the device, `a` goes there twice");
  Mismatch unwritten;
  name_repeated_copy(unwritten, {"a", "b", {2, 0}, {"a.cu", 31, 5}});
  CHECK_FALSE(unwritten.finding.where.known());
}
