// Which runs leave open whether the host has computed the result, or read what the device computed.
#include "check/host_influence.h"

#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;
using vgpu::Transfer;
using Kind = Transfer::Kind;

namespace {

using Bytes = std::vector<std::byte>;

Bytes part_of(const Bytes& bytes, std::size_t begin, std::size_t count) {
  return {bytes.begin() + static_cast<std::ptrdiff_t>(begin),
          bytes.begin() + static_cast<std::ptrdiff_t>(begin + count)};
}

constexpr std::int64_t kElements = 500;
constexpr std::size_t kHalf = 1000;  // bytes

/// A case with arrays on the host, whose inputs went to the device, and whose output came back.
CaseRun ordinary_run() {
  CaseRun case_run;
  const datasets::CaseSpec spec{"some", "some case", {{"n", kElements}}, {}};
  case_run.test = datasets::generator_for("vector_add")(spec, 7);
  const datasets::ExpectedArray& expected = case_run.test.expected[0];
  Observation& observed = case_run.observed;
  observed.outputs = {array_of(expected.name, expected.type, expected.shape,
                               std::vector<float>(expected.value.begin(), expected.value.end()))};
  observed.launches.resize(1);
  observed.transfers.transfers = {{Kind::to_device, false, {1, 0}, case_run.test.inputs[0].data},
                                  {Kind::to_device, false, {2, 0}, case_run.test.inputs[1].data},
                                  {Kind::launch, false, {3, 0}, Bytes(28)},
                                  {Kind::to_host, false, {4, 0}, observed.outputs[0].data}};
  return case_run;
}

}  // namespace

TEST_CASE("who copies the inputs, launches and copies the output back leaves nothing open") {
  CaseRun run = ordinary_run();
  std::vector<Transfer>& transfers = run.observed.transfers.transfers;
  CHECK_FALSE(host_may_have_computed(run));
  SECTION("in pieces, in any order") {
    const Bytes a = transfers[0].data, c = transfers[3].data;
    transfers[0].data = part_of(a, kHalf, kHalf);
    transfers.insert(transfers.begin(), {Kind::to_device, false, {1, 0}, part_of(a, 0, kHalf)});
    transfers.back().data = part_of(c, kHalf, kHalf);
    transfers.push_back({Kind::to_host, false, {4, 0}, part_of(c, 0, kHalf)});
  }
  SECTION("what was in the output before is no secret") {
    transfers.insert(transfers.begin(), {Kind::to_device, false, {1, 0}, Bytes(2000, std::byte{0xFF})});
  }
  SECTION("nor is a fill") {
    transfers.insert(transfers.begin(), {Kind::fill, false, {1, 0}, {std::byte{0}}});
  }
  SECTION("the inputs of a call before are inputs") {
    datasets::CaseSpec spec{"other", "another case", {{"n", 300}}, {}};
    run.before = datasets::generator_for("vector_add")(spec, 8);
    transfers.insert(transfers.begin(), {Kind::to_device, false, {1, 0}, run.before->inputs[0].data});
  }
  CHECK_FALSE(host_may_have_computed(run));
}

TEST_CASE("anything else may have been computed on the host") {
  CaseRun run = ordinary_run();
  std::vector<Transfer>& transfers = run.observed.transfers.transfers;
  SECTION("a copy that brings other data") {
    transfers[1].data = transfers[3].data;
  }
  SECTION("an input of which one byte is another") {
    transfers[1].data[77] ^= std::byte{1};
  }
  SECTION("an output that did not come back") {
    transfers.pop_back();
  }
  SECTION("an output of which a piece did not come back") {
    transfers[3].data.resize(1996);
  }
  SECTION("arguments that have room for the output") {
    transfers[2].data.resize(2000);
  }
  SECTION("many small calls, which have room for it together") {
    transfers.insert(transfers.end() - 1, 50, transfers[2]);
  }
  SECTION("more than was written down") {
    run.observed.transfers.complete = false;
  }
  CHECK(host_may_have_computed(run));
}

TEST_CASE("one element has room in the arguments of any launch") {
  CaseRun run = ordinary_run();
  run.observed.outputs[0].data.resize(4);
  run.observed.transfers.transfers[3].data.resize(4);
  CHECK(host_may_have_computed(run));
}

TEST_CASE("with arrays on the device the host needs nothing but the outputs") {
  CaseRun run = ordinary_run();
  CHECK_FALSE(host_may_have_read(run));
  SECTION("a copy more") {
    run.observed.transfers.transfers.push_back({Kind::to_host, false, {4, 0}, Bytes(4)});
  }
  SECTION("what kernels printed") {
    run.observed.transfers.transfers.push_back({Kind::print, false, {}, Bytes(4)});
  }
  SECTION("no launch") {
    run.observed.launches.clear();
  }
  SECTION("more than was written down") {
    run.observed.transfers.complete = false;
  }
  CHECK(host_may_have_read(run));
  run = ordinary_run();
  run.observed.outputs_before = run.observed.outputs;
  run.observed.transfers.transfers.push_back(run.observed.transfers.transfers.back());
  CHECK_FALSE(host_may_have_read(run));
}
